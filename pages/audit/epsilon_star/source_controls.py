"""Whose losses are looked at: a shipped sample, uploaded losses or predictions, one model's or those of several."""

from enum import StrEnum
from functools import partial
from typing import NamedTuple

import streamlit as st

from losses import SAMPLES, Column, Groups, by_column_of_two, join, one_column
from numerics.epsilon_star import LossScale
from pages.audit import row_groups
from pages.audit.epsilon_star import model_files, one_file, predictions
from pages.audit.epsilon_star.source import Models, Source, confirmed, loss_column, one_of, told_by
from pages.ui import upload_places, uploads
from pages.ui.segmented_control import segmented_control
from pages.ui.upload_look import nothing
from pages.ui.upload_preview import UNKNOWN, Preview
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
    return one_file.draw() if kind == Kind.ONE_FILE else _two_files()


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
    files = preview.files
    columns = {
        slot: loss_column(preview, [one.name for one in file.table.numbers], slot, _TWO[slot])
        for slot, file in files.items()
    }
    taken = tuple(columns.values())
    person = row_groups.persons(preview, taken)
    tables = [file.table for file in files.values()]
    told, is_one = row_groups.several(preview, (*taken, person or ""), tables)
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
    if told:
        return _several_of_two(preview, told, both, person, key)
    lines = ("groups = join(", *(f"    {group.python(person)}," for group in both), ")")
    code = python(("join", "one_column", "read_table", *corrections(train.upload, fresh.upload)), *lines)
    name = " and ".join(uploads.named(slot, file) for slot, file in preview.files.items())
    named = tuple(file.file for file in preview.files.values())
    groups = partial(_joined, train, fresh, person)
    return confirmed(preview, Source(key, name, groups, code, files=named))


def _several_of_two(
    preview: Preview, told: tuple[str, ...], both: tuple[_OneGroup, _OneGroup], person: str | None, key: tuple[str, ...]
) -> Source | None:
    uploads_ = [group.upload for group in both]
    tables, files = [one.table for one in uploads_], tuple(one.file for one in uploads_)
    names, drops = tuple(group.loss for group in both), tuple(group.drop for group in both)
    every = told_by(told, key, lambda: by_column_of_two(tables, told, names, drops, person), tables, files)
    read = ", ".join(opened("read_table", one) for one in uploads_)
    line = f"by_column_of_two([{read}], {told!r}, {names!r}, {drops!r}{row_groups.python(person)})"
    return one_of(preview, every, (("by_column_of_two", "read_table", *corrections(*uploads_)), (), line))


def _joined(train: _OneGroup, fresh: _OneGroup, person: str | None) -> Groups:
    return join(train.losses(person), fresh.losses(person))
