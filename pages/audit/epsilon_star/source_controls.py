"""Whose losses are looked at: a shipped sample, uploaded losses or predictions, one model's or those of several."""

from enum import StrEnum
from functools import partial
from typing import NamedTuple

import streamlit as st

from losses import SAMPLES, Column, join, one_column, split
from losses.groups import check_two_groups
from numerics.epsilon_star import LossScale
from pages.audit.epsilon_star import model_column, model_files, predictions, row_groups
from pages.audit.epsilon_star.source import UNKNOWN, Models, Source, membership
from pages.ui import file_layout, upload_choices, uploads
from pages.ui.segmented_control import segmented_control
from pages.ui.upload_reading import Upload
from pages.ui.upload_snippet import corrections, opened, python

__all__ = ["KEYS", "Kind", "Models", "Source", "draw"]

KEYS = ("source", "sample", *predictions.KEYS, *model_files.KEYS)


class Kind(StrEnum):
    """Where losses come from; the values are the labels, and the values in the URL."""

    SAMPLE = "a sample"
    ONE_FILE = "one file"
    TWO_FILES = "two files"
    PREDICTIONS = "predictions"
    SEVERAL = "several models"


def draw() -> Source | None:
    """Draw the choice of the source; None while a file or a choice is missing."""
    row_groups.begin()
    found = _drawn()
    return None if found is None else row_groups.noted(found)


def _drawn() -> Source | None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        kind = segmented_control(
            "Losses from", list(Kind), default=Kind.SAMPLE, key="source", label_visibility="collapsed"
        )
        if kind is Kind.SAMPLE:
            return _sample()
        if kind == Kind.PREDICTIONS:
            parts = predictions.draw_parts()
        elif kind == Kind.SEVERAL:
            way = model_files.draw_way()
    if kind == Kind.PREDICTIONS:
        return predictions.draw(parts)
    if kind == Kind.SEVERAL:
        return model_files.draw(way)
    return _one_file() if kind == Kind.ONE_FILE else _two_files()


def _sample() -> Source:
    names = [sample.name for sample in SAMPLES]
    name = segmented_control("Sample", names, default=names[0], key="sample", label_visibility="collapsed")
    sample = SAMPLES[names.index(name)]
    line = f'groups = split(read_table(open("data/{sample.file}", "rb").read()), "loss", "member", "1")'
    code = python(("read_table", "split"), line)
    files = ((sample.file, sample.digest),)
    return Source(
        ("sample", sample.name),
        f"sample: {sample.name}",
        sample.groups,
        code,
        files=files,
        membership=sample.membership,
        scale=LossScale.LOG_ODDS,
        about=sample.description,
    )


def _one_file() -> Source | None:
    upload = file_layout.upload("both", "A file with a loss and a membership in every row", check=check_two_groups)
    if upload is None:
        return None
    table = upload.table
    with st.container(horizontal=True, vertical_alignment="bottom"):
        loss = upload_choices.column("Losses", "both", "loss", [column.name for column in table.numbers])
        found = membership(table, "both")
        taken = (loss, found.column if found else "")
        person = row_groups.persons([table], upload_choices.memory("both", "person"), taken)
        model = row_groups.models(table, upload.key, upload_choices.memory("both", "model"), taken)
        drop = upload_choices.leave_out("both")
        place = st.container(width="content")
    if found is None:
        st.info("Say which column and which label mark the members.", icon=":material/help:")
        return None
    if UNKNOWN in (person, model):
        row_groups.ask()
        return None
    if model is not None:
        with place:
            return model_column.of_column(upload, "both", (model, loss), found, drop, person)
    key = ("one", upload.key, loss, found.column, found.member, str(drop), str(person))
    chosen = f"{loss!r}, {found.column!r}, {found.member!r}, drop={drop}{row_groups.python(person)}"
    line = f"groups = split({opened('read_table', upload)}, {chosen})"
    code = python(("read_table", "split", *corrections(upload)), line)
    groups = partial(split, table, loss, found.column, found.member, drop, person)
    return Source(key, uploads.named("both", upload), groups, code, files=(upload.file,), membership=found)


class _OneGroup(NamedTuple):
    """A file with one group, its column of losses, and whether rows may be left out."""

    name: str
    upload: Upload
    loss: str
    drop: bool

    def python(self, person: str | None) -> str:
        chosen = f"{self.loss!r}, drop={self.drop}{row_groups.python(person)}"
        return f"one_column({opened('read_table', self.upload)}, {chosen})"

    def losses(self, person: str | None) -> Column:
        return one_column(self.upload.table, self.loss, self.drop, person)


def _two_files() -> Source | None:
    left, right = st.columns(2)
    with left:
        train = _one_group("train", "Losses of the training data")
    with right:
        fresh = _one_group("fresh", "Losses of fresh data, the population")
    if train is None or fresh is None:
        return None
    both = (train, fresh)
    tables, named = [group.upload.table for group in both], "_".join(group.upload.digest[:16] for group in both)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        person = row_groups.persons(tables, f"two_person_{named}", (train.loss, fresh.loss))
        is_one = row_groups.are_of_one_model(tables, named, f"two_model_{named}", (train.loss, fresh.loss))
    if person == UNKNOWN or not is_one:
        row_groups.ask()
        return None
    key = ("two", *(str(part) for group in both for part in (group.upload.key, group.loss, group.drop)), str(person))
    lines = ("groups = join(", *(f"    {group.python(person)}," for group in both), ")")
    code = python(("join", "one_column", "read_table", *corrections(train.upload, fresh.upload)), *lines)
    name = " and ".join(group.name for group in both)
    files = tuple(group.upload.file for group in both)
    return Source(key, name, lambda: join(train.losses(person), fresh.losses(person)), code, files=files)


def _one_group(slot: str, label: str) -> _OneGroup | None:
    upload = file_layout.upload(slot, label)
    if upload is None:
        return None
    with st.container(horizontal=True, vertical_alignment="bottom"):
        names = [column.name for column in upload.table.numbers]
        return _OneGroup(
            uploads.named(slot, upload),
            upload,
            upload_choices.column("Losses", slot, "loss", names),
            upload_choices.leave_out(slot),
        )
