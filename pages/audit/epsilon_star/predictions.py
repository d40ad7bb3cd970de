"""Losses from uploaded predictions and labels: which columns hold what, and how the labels were understood."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from losses import (
    LOSS,
    Groups,
    Membership,
    Predicted,
    Roles,
    TableError,
    by_column,
    by_column_of_two,
    join,
    one_column,
    read_predictions,
    split,
)
from losses import with_losses as losses_of
from numerics.epsilon_star import LossScale
from pages.audit import row_groups
from pages.audit.epsilon_star import prediction_columns
from pages.audit.epsilon_star.source import Models, Source, confirmed, membership, one_of, read_columns, told_by
from pages.ui import upload_places, uploads
from pages.ui.segmented_control import segmented_control
from pages.ui.upload_look import nothing, refusing
from pages.ui.upload_preview import UNKNOWN, Preview
from pages.ui.upload_reading import Upload
from pages.ui.upload_snippet import corrections, opened, python

KEYS = ("predictions_in",)
_ONE, _TWO = "one file", "two files"
_OPEN = "Say what is still open: the predictions, the right answers, or the label that the predictions are for."
_NO_MEMBERSHIP = TableError(
    "No other column tells members from outsiders.",
    "Add one with two different labels, or choose “two files” and upload each group as a file of its own.",
)
_IMPORTED = ("LOSS", "Naming", "Roles", "Scale", "read_predictions", "with_losses")


def draw_parts() -> str:
    """Draw the choice between one file with a membership column and a file for each group."""
    parts = (_ONE, _TWO)
    return segmented_control("In", parts, default=_ONE, key=KEYS[0])


def draw(parts: str) -> Source | None:
    """Draw uploads and the choice of columns; None while something is missing."""
    return _both_groups() if parts == _ONE else _a_file_each()


def _both_groups() -> Source | None:
    slot = "predictions"
    label = "A file with predictions, the right answer and a membership in every row"
    preview = upload_places.of_file(slot, label, read_predictions)
    found = None if preview is None else _with_losses(preview)
    if preview is None or found is None:
        return None
    (upload,) = preview.files.values()
    roles, (predicted,) = found
    table = predicted.table
    if not table.labels:
        preview.confirmed(refusing(_NO_MEMBERSHIP))
        return None
    groups = membership(preview, table)
    taken = (*roles.scores, roles.label, groups.column if groups else "")
    person = row_groups.persons(preview, taken, [table])
    told, is_one = row_groups.several(preview, (*taken, person or ""), [table])
    drop = preview.leave_out(*read_columns(table, LOSS, groups))
    if groups is None or person == UNKNOWN or not is_one:
        open_ = "Say which column and which label mark the members." if groups is None else row_groups.OPEN
        preview.confirmed(nothing, open_)
        return None
    key = ("predictions", upload.key, str(roles), groups.column, groups.member, str(drop), str(person))
    chosen = f"LOSS, {groups.column!r}, {groups.member!r}, drop={drop}{row_groups.python(person)}"
    if told:
        read = partial(by_column, table, told, LOSS, groups.column, groups.member, drop, person)
        names = (*_IMPORTED, "by_column", *corrections(upload))
        line = f"by_column({_table(upload)}, {told!r}, {chosen})"
        every = told_by(told, key, read, [table], (upload.file,))
        return _of_several(preview, every, (names, [_python(roles)], line), groups, [predicted])
    line = f"groups = split({_table(upload)}, {chosen})"
    code = python((*_IMPORTED, "split", *corrections(upload)), _python(roles), line)
    both = partial(split, table, LOSS, groups.column, groups.member, drop, person)
    cut = predicted.clipped
    name = uploads.named(slot, upload)
    source = Source(key, name, both, code, None, (upload.file,), groups, LossScale.LOG_ODDS, cut)
    return confirmed(preview, source, _understood([predicted]))


_TWO_FILES = {
    "train_predictions": "Predictions for the training data, with the right answers",
    "fresh_predictions": "Predictions for fresh data, the population",
}


def _a_file_each() -> Source | None:
    preview = upload_places.of_files(_TWO_FILES, read_predictions)
    found = None if preview is None else _with_losses(preview)
    if preview is None or found is None:
        return None
    roles, predicted = found
    train, fresh = preview.files.values()
    taken = (*roles.scores, roles.label)
    person = row_groups.persons(preview, taken, [part.table for part in predicted])
    tables = [part.table for part in predicted]
    told, is_one = row_groups.several(preview, (*taken, person or ""), tables)
    drops = [
        preview.leave_out(part.table.number(LOSS), what=slot)
        for slot, part in zip(preview.files, predicted, strict=True)
    ]
    if person == UNKNOWN or not is_one:
        preview.confirmed(nothing, row_groups.OPEN)
        return None
    key = ("predictions", train.key, fresh.key, str(roles), str(drops), str(person))
    if told:
        read = partial(by_column_of_two, tables, told, (LOSS, LOSS), drops, person)
        names = (*_IMPORTED, "by_column_of_two", *corrections(train, fresh))
        both = f"[{_table(train)}, {_table(fresh)}]"
        line = f"by_column_of_two({both}, {told!r}, (LOSS, LOSS), {drops}{row_groups.python(person)})"
        every = told_by(told, key, read, tables, (train.file, fresh.file))
        return _of_several(preview, every, (names, [_python(roles)], line), None, predicted)
    lines = (
        f"    one_column({_table(file)}, LOSS, drop={drop}{row_groups.python(person)}),"
        for file, drop in zip((train, fresh), drops, strict=True)
    )
    code = python(
        (*_IMPORTED, "join", "one_column", *corrections(train, fresh)), _python(roles), "groups = join(", *lines, ")"
    )
    name = " and ".join(uploads.named(slot, file) for slot, file in preview.files.items())
    cut = sum(part.clipped for part in predicted)
    groups = partial(_joined, predicted, drops, person)
    source = Source(key, name, groups, code, None, (train.file, fresh.file), None, LossScale.LOG_ODDS, cut)
    return confirmed(preview, source, _understood(predicted))


def _of_several(
    preview: Preview,
    every: Models,
    code: tuple[Sequence[str], Sequence[str], str],
    found: Membership | None,
    predicted: Sequence[Predicted],
) -> Source | None:
    """The model to look at; all probabilities that were cut count against its fit."""
    one = one_of(preview, every, code, found, _understood(predicted))
    cut = sum(part.clipped for part in predicted)
    return None if one is None else replace(one, scale=LossScale.LOG_ODDS, cut=cut)


def _joined(predicted: Sequence[Predicted], drops: Sequence[bool], person: str | None) -> Groups:
    parts = zip(predicted, drops, strict=True)
    return join(*(one_column(part.table, LOSS, drop, person) for part, drop in parts))


def _table(upload: Upload) -> str:
    return f"with_losses({opened('read_predictions', upload)}, roles).table"


def _python(roles: Roles) -> str:
    naming = None if roles.naming is None else f"Naming.{roles.naming.name}"
    return f"roles = Roles({roles.scores!r}, {roles.label!r}, Scale.{roles.scale.name}, {roles.positive!r}, {naming})"


def _with_losses(preview: Preview) -> tuple[Roles, list[Predicted]] | None:
    """Draw the choice of the columns, which is one for all of the files; the losses, once all is said."""
    try:
        roles = prediction_columns.draw(preview)
        if roles is None:
            preview.confirmed(nothing, _OPEN)
            return None
        with st.spinner("Losses from predictions …", show_time=True):
            return roles, [
                uploads.made(slot, "losses", (file.key, roles), partial(losses_of, file.table, roles))
                for slot, file in preview.files.items()
            ]
    except TableError as problem:
        preview.confirmed(refusing(problem))
        return None


def _understood(found: Sequence[Predicted]) -> tuple[str, str]:
    rows, clipped = sum(part.table.rows for part in found), sum(part.clipped for part in found)
    cut = f"{clipped:,} of {rows:,} rows have a probability closer to 0 or 1 than its digits tell, and were cut there."
    return f"Understood: {found[0].words}.", cut if clipped else "No probability had to be cut."
