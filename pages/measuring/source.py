"""Whose losses are looked at: a shipped sample, uploaded losses or predictions, one model's or those of several."""

from enum import StrEnum
from functools import partial
from typing import NamedTuple

import streamlit as st

from losses import SAMPLES, Column, join, one_column, split
from pages.measuring import models, predictions
from pages.measuring.chosen import Models, Source, membership
from pages.shared import corrected, uploads
from pages.shared.one_of import one_of
from pages.shared.opened import corrections, opened, python
from pages.shared.uploads import Upload

__all__ = ["KEYS", "Kind", "Models", "Source", "draw"]

KEYS = ("source", "sample", *predictions.KEYS, *models.KEYS)


class Kind(StrEnum):
    """Where losses come from; the values are the labels, and the values in the URL."""

    SAMPLE = "a sample"
    ONE_FILE = "one file"
    TWO_FILES = "two files"
    PREDICTIONS = "predictions"
    SEVERAL = "several models"


def draw() -> Source | None:
    """Draw the choice of the source; None while a file or a choice is missing."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        kind = one_of("Losses from", list(Kind), default=Kind.SAMPLE, key="source")
        if kind is Kind.SAMPLE:
            return _sample()
        if kind == Kind.PREDICTIONS:
            parts = predictions.draw_parts()
        elif kind == Kind.SEVERAL:
            way = models.draw_way()
    if kind == Kind.PREDICTIONS:
        return predictions.draw(parts)
    if kind == Kind.SEVERAL:
        return models.draw(way)
    return _one_file() if kind == Kind.ONE_FILE else _two_files()


def _sample() -> Source:
    names = [sample.name for sample in SAMPLES]
    name = one_of("Sample", names, default=names[0], key="sample")
    sample = SAMPLES[names.index(name)]
    st.caption(sample.description)
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
    )


def _one_file() -> Source | None:
    upload = corrected.upload("both", "A file with a loss and a membership in every row")
    if upload is None:
        return None
    table = upload.table
    if not table.labels:
        st.error(
            "**The file has no column that tells members from outsiders.** Add one with two different labels, or "
            "choose “two files” and upload each group as a file of its own.",
            icon=":material/error:",
        )
        return None
    with st.container(horizontal=True, vertical_alignment="bottom"):
        loss = uploads.column("Losses", "both", "loss", [column.name for column in table.numbers])
        found = membership(table, "both")
        drop = uploads.leave_out("both")
    if found is None:
        st.info("Say which column and which label mark the members.", icon=":material/help:")
        return None
    key = ("one", upload.key, loss, found.column, found.member, str(drop))
    line = f"groups = split({opened('read_table', upload)}, {loss!r}, {found.column!r}, {found.member!r}, drop={drop})"
    code = python(("read_table", "split", *corrections(upload)), line)
    groups = partial(split, table, loss, found.column, found.member, drop)
    return Source(key, upload.shown, groups, code, files=(upload.file,), membership=found)


class _OneGroup(NamedTuple):
    """A file with one group, its column of losses, and whether rows may be left out."""

    upload: Upload
    loss: str
    drop: bool

    @property
    def python(self) -> str:
        return f"one_column({opened('read_table', self.upload)}, {self.loss!r}, drop={self.drop})"

    def losses(self) -> Column:
        return one_column(self.upload.table, self.loss, self.drop)


def _two_files() -> Source | None:
    left, right = st.columns(2)
    with left:
        train = _one_group("train", "Losses of the training data")
    with right:
        fresh = _one_group("fresh", "Losses of fresh data, the population")
    if train is None or fresh is None:
        return None
    both = (train, fresh)
    key = ("two", *(str(part) for group in both for part in (group.upload.key, group.loss, group.drop)))
    lines = ("groups = join(", *(f"    {group.python}," for group in both), ")")
    code = python(("join", "one_column", "read_table", *corrections(train.upload, fresh.upload)), *lines)
    name = " and ".join(group.upload.shown for group in both)
    files = tuple(group.upload.file for group in both)
    return Source(key, name, lambda: join(train.losses(), fresh.losses()), code, files=files)


def _one_group(slot: str, label: str) -> _OneGroup | None:
    upload = corrected.upload(slot, label)
    if upload is None:
        return None
    with st.container(horizontal=True, vertical_alignment="bottom"):
        names = [column.name for column in upload.table.numbers]
        return _OneGroup(upload, uploads.column("Losses", slot, "loss", names), uploads.leave_out(slot))
