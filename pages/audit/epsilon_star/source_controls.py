"""Whose losses are looked at: a shipped sample, uploaded losses or predictions, one model's or those of several."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import partial
from typing import NamedTuple

import streamlit as st

from losses import SAMPLES, Column, Groups, LossTable, join, one_column, split
from losses.wide import check_long_or_wide, wide_columns
from numerics.epsilon_star import LossScale
from pages.audit.epsilon_star import model_column, model_files, predictions, row_groups
from pages.audit.epsilon_star.source import Models, Source, confirmed, loss_column, membership, read_columns
from pages.ui import upload_places, uploads
from pages.ui.segmented_control import segmented_control
from pages.ui.upload_look import nothing
from pages.ui.upload_preview import UNKNOWN, Preview
from pages.ui.upload_reading import Upload
from pages.ui.upload_snippet import corrections, opened, python

__all__ = ["KEYS", "Kind", "Models", "Source", "draw"]

KEYS = ("source", "sample", *predictions.KEYS, *model_files.KEYS)


_LONG, _WIDE = "told by a label in each row", "a column of losses each"


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
        shipped=sample,
    )


def _one_file() -> Source | None:
    label = "A file with a loss and a membership in every row, or the losses of each group in a column"
    preview = upload_places.of_file("both", label, check=check_long_or_wide)
    if preview is None:
        return None
    (upload,) = preview.files.values()
    table = upload.table
    wide = wide_columns(table)
    if wide is not None and _is_wide(preview, table):
        return _two_groups(preview, dict(zip(_TWO, (upload, upload), strict=True)), wide)
    loss = loss_column(preview, [column.name for column in table.numbers])
    found = membership(preview, table)
    taken = (loss, found.column if found else "")
    person = row_groups.persons(preview, taken)
    model = row_groups.models(preview, taken)
    drop = preview.leave_out(*read_columns(table, loss, found))
    question = "" if found else "Say which column and which label mark the members."
    if UNKNOWN in (person, model):
        question = question or row_groups.OPEN
    if found is None or question:
        preview.confirmed(nothing, question)
        return None
    if model is not None:
        return model_column.of_column(preview, (model, loss), found, drop, person)
    key = ("one", upload.key, loss, found.column, found.member, str(drop), str(person))
    chosen = f"{loss!r}, {found.column!r}, {found.member!r}, drop={drop}{row_groups.python(person)}"
    line = f"groups = split({opened('read_table', upload)}, {chosen})"
    code = python(("read_table", "split", *corrections(upload)), line)
    groups = partial(split, table, loss, found.column, found.member, drop, person)
    source = Source(key, uploads.named("both", upload), groups, code, files=(upload.file,), membership=found)
    return confirmed(preview, source)


class _OneGroup(NamedTuple):
    """A file with one group, its column of losses, and whether rows may be left out."""

    upload: Upload
    loss: str
    drop: bool

    def python(self, person: str | None) -> str:
        chosen = f"{self.loss!r}, drop={self.drop}{row_groups.python(person)}"
        return f"one_column({opened('read_table', self.upload)}, {chosen})"

    def losses(self, person: str | None) -> Column:
        return one_column(self.upload.table, self.loss, self.drop, person)


_TWO = {"train": "Losses of the training data", "fresh": "Losses of fresh data, the population"}


def _two_files() -> Source | None:
    preview = upload_places.of_files(_TWO)
    if preview is None:
        return None
    return _two_groups(preview, preview.files)


def _is_wide(preview: Preview, table: LossTable) -> bool:
    """Draw which layout a table has that may have either."""
    if not any(len(column.labels) == 2 for column in table.labels):
        ways, why = [_WIDE], "two columns are named so, and none tells groups"
    elif table.is_membership_clear:
        ways, why = [_LONG, _WIDE], "a column tells the groups"
    else:
        ways, why = [_WIDE, _LONG], "two columns are named so"
    return preview.choice("Groups are", "layout", ways, why) == _WIDE


def _two_groups(preview: Preview, files: Mapping[str, Upload], usual: Sequence[str] = ()) -> Source | None:
    """A column for each group, of a file each or of one; ``usual`` are the likeliest ones."""
    columns = {}
    for place, (slot, file) in enumerate(files.items()):
        names = [one.name for one in file.table.numbers]
        names.sort(key=lambda name: name not in usual[place : place + 1])
        columns[slot] = loss_column(preview, names, slot, _TWO[slot])
    taken = tuple(columns.values())
    person = row_groups.persons(preview, taken)
    is_one = row_groups.are_of_one_model(preview, taken)
    unusable = [file.table.number(columns[slot]) for slot, file in files.items()]
    drops = [preview.leave_out(column, what=slot) for slot, column in zip(columns, unusable, strict=True)]
    if person == UNKNOWN or not is_one:
        preview.confirmed(nothing, row_groups.OPEN)
        return None
    train, fresh = (
        _OneGroup(file, columns[slot], drop) for (slot, file), drop in zip(files.items(), drops, strict=True)
    )
    both = (train, fresh)
    key = ("two", *(str(part) for group in both for part in (group.upload.key, group.loss, group.drop)), str(person))
    lines = ("groups = join(", *(f"    {group.python(person)}," for group in both), ")")
    code = python(("join", "one_column", "read_table", *corrections(train.upload, fresh.upload)), *lines)
    name = " and ".join(uploads.named(slot, file) for slot, file in preview.files.items())
    named = tuple(file.file for file in preview.files.values())
    groups = partial(_joined, train, fresh, person)
    return confirmed(preview, Source(key, name, groups, code, files=named))


def _joined(train: _OneGroup, fresh: _OneGroup, person: str | None) -> Groups:
    return join(train.losses(person), fresh.losses(person))
