"""Losses from uploaded predictions and labels: which columns hold what, and how the labels were understood."""

from collections.abc import Sequence
from functools import partial
from hashlib import sha256

import numpy as np
import streamlit as st

from losses import (
    LOSS,
    Groups,
    Naming,
    Predicted,
    Roles,
    Scale,
    TableError,
    guess,
    join,
    one_column,
    read_predictions,
    split,
)
from losses import with_losses as losses_of
from losses.classes import as_labels, places_of, positive_label
from numerics.epsilon_star import LossScale
from pages.audit import row_groups
from pages.audit.epsilon_star.source import Source, confirmed, membership, read_columns
from pages.ui import upload_places, uploads
from pages.ui.segmented_control import segmented_control
from pages.ui.upload_look import nothing, refusing
from pages.ui.upload_preview import UNKNOWN, Preview
from pages.ui.upload_reading import Upload
from pages.ui.upload_snippet import corrections, opened, python

KEYS = ("predictions_in",)
_ONE, _TWO = "one file", "two files"
_MANY = 20  # columns; more are chosen together
_PROBED = 1000  # rows
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
    is_one = row_groups.are_of_one_model(preview, taken)
    drop = preview.leave_out(*read_columns(table, LOSS, groups))
    if groups is None or person == UNKNOWN or not is_one:
        open_ = "Say which column and which label mark the members." if groups is None else row_groups.OPEN
        preview.confirmed(nothing, open_)
        return None
    key = ("predictions", upload.key, str(roles), groups.column, groups.member, str(drop), str(person))
    chosen = f"LOSS, {groups.column!r}, {groups.member!r}, drop={drop}{row_groups.python(person)}"
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
    is_one = row_groups.are_of_one_model(preview, taken)
    drops = [
        preview.leave_out(part.table.number(LOSS), what=slot)
        for slot, part in zip(preview.files, predicted, strict=True)
    ]
    if person == UNKNOWN or not is_one:
        preview.confirmed(nothing, row_groups.OPEN)
        return None
    lines = (
        f"    one_column({_table(file)}, LOSS, drop={drop}{row_groups.python(person)}),"
        for file, drop in zip((train, fresh), drops, strict=True)
    )
    code = python(
        (*_IMPORTED, "join", "one_column", *corrections(train, fresh)), _python(roles), "groups = join(", *lines, ")"
    )
    key = ("predictions", train.key, fresh.key, str(roles), str(drops), str(person))
    name = " and ".join(uploads.named(slot, file) for slot, file in preview.files.items())
    cut = sum(part.clipped for part in predicted)
    groups = partial(_joined, predicted, drops, person)
    source = Source(key, name, groups, code, None, (train.file, fresh.file), None, LossScale.LOG_ODDS, cut)
    return confirmed(preview, source, _understood(predicted))


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
        roles = _roles(preview)
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


def _roles(preview: Preview) -> Roles | None:
    files = list(preview.files.values())
    slot, keys = preview.slot, tuple(file.key for file in files)
    numbers, readable = _names(files)
    guessed = uploads.made(slot, "guess", keys, lambda: guess(files[0].table))
    usual = [name for name in guessed.scores if name in numbers] if guessed else []
    scores = _scores(preview, numbers, usual)
    others = [name for name in readable if name not in scores]
    first = guessed.label if guessed and guessed.label in others else UNKNOWN
    labels = [first, *(name for name in others if name != first)]
    label = preview.column("Right answers", "label", labels, "its name says so")
    if not scores or label == UNKNOWN:
        return None
    mark = sha256(repr((scores, label)).encode()).hexdigest()[:8]
    words = uploads.made(slot, "words", (keys, label), lambda: _words(files, label))
    scale = _scale(preview, mark, files, scores)
    if len(scores) == 1:
        positive = _positive(preview, mark, words)
        return None if positive == UNKNOWN else Roles(scores, label, scale, positive)
    ways = [way for way in Naming if places_of(scores, words, way) is not None]
    naming = preview.choice("Labels name columns", f"naming_{mark}", list(map(str, ways))) if ways[1:] else None
    return Roles(scores, label, scale, naming=Naming(naming or ways[0]) if ways else None)


def _names(files: Sequence[Upload]) -> tuple[list[str], list[str]]:
    """Columns of numbers, and columns that may be labels, which all of ``files`` have, in the first one's order."""
    numbers = set.intersection(*({column.name for column in file.table.numbers} for file in files))
    labels = set.intersection(*({column.name for column in file.table.labels} | numbers for file in files))
    names = files[0].table.layout.names
    if not numbers:
        raise TableError("The files have no column of numbers in common.", "Give their columns the same names.")
    return [name for name in names if name in numbers], [name for name in names if name in labels]


def _scores(preview: Preview, numbers: list[str], usual: list[str]) -> tuple[str, ...]:
    """The columns of predictions; so many that nobody would pick them one by one are offered together."""
    if len(usual) > _MANY:
        together = f"{usual[0]} … {usual[-1]}, {len(usual):,} columns"
        if preview.choice("Predictions", "together", [together, "other columns"], "their names say so") == together:
            return tuple(usual)
        usual = []
    chosen = set(preview.columns("Predictions", "scores", numbers, usual))
    return tuple(name for name in numbers if name in chosen)


def _words(files: Sequence[Upload], label: str) -> list[str]:
    """The labels of all of ``files``: one group may lack some."""
    return list(dict.fromkeys(word for file in files for word in as_labels(file.table, label).labels))


def _scale(preview: Preview, mark: str, files: Sequence[Upload], scores: tuple[str, ...]) -> Scale:
    """Probabilities, unless the first rows have a negative number: above 1 may be a probability gone wrong."""
    starts = np.concatenate([file.table.number(name).values[:_PROBED] for file in files for name in scores])
    known = starts[np.isfinite(starts)]
    are_logits = bool(np.any(known < 0.0))
    order = sorted(Scale, key=lambda scale: (scale is Scale.LOGITS) is not are_logits)
    why = "some are negative" if are_logits else "none of the first is negative"
    return Scale(preview.choice("They are", f"scale_{mark}", list(map(str, order)), why))


def _positive(preview: Preview, mark: str, words: list[str]) -> str | None:
    """The label a single column of predictions is for; None where there are not two, which is refused later."""
    if len(words) != 2:
        return None
    first = positive_label(words) or UNKNOWN
    order = [first, *(word for word in words if word != first)]
    return preview.choice("They are for the label", f"positive_{mark}", order, "it means yes")
