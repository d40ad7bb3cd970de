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
from pages.audit.epsilon_star import row_groups
from pages.audit.epsilon_star.source import UNKNOWN, Source, membership
from pages.ui import file_layout, upload_choices, uploads
from pages.ui.segmented_control import segmented_control
from pages.ui.upload_reading import Upload
from pages.ui.upload_snippet import corrections, opened, python

KEYS = ("predictions_in",)
_ONE, _TWO = "one file", "two files"
_MANY = 20  # columns; more are chosen together
_PROBED = 1000  # rows
_OPEN = "Say what is still open: the predictions, the right answers, or the label that the predictions are for."
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
    upload = file_layout.upload(
        slot, "A file with predictions, the right answer and a membership in every row", read_predictions
    )
    if upload is None:
        return None
    found = _with_losses({slot: upload})
    if found is None:
        return None
    roles, (predicted,) = found
    if not predicted.table.labels:
        st.error(
            "**No other column tells members from outsiders.** Add one with two different labels, or choose “two "
            "files” and upload each group as a file of its own.",
            icon=":material/error:",
        )
        return None
    with st.container(horizontal=True, vertical_alignment="bottom"):
        groups = membership(predicted.table, slot)
        taken = (*roles.scores, roles.label, groups.column if groups else "")
        person = row_groups.persons([predicted.table], upload_choices.memory(slot, "person"), taken)
        is_one = row_groups.are_of_one_model([upload.table], upload.key, upload_choices.memory(slot, "model"), taken)
        drop = upload_choices.leave_out(slot)
    if person == UNKNOWN or not is_one:
        row_groups.ask()
        return None
    if groups is None:
        st.info("Say which column and which label mark the members.", icon=":material/help:")
        return None
    key = ("predictions", upload.key, str(roles), groups.column, groups.member, str(drop), str(person))
    chosen = f"LOSS, {groups.column!r}, {groups.member!r}, drop={drop}{row_groups.python(person)}"
    line = f"groups = split({_table(upload)}, {chosen})"
    code = python((*_IMPORTED, "split", *corrections(upload)), _python(roles), line)
    both = partial(split, predicted.table, LOSS, groups.column, groups.member, drop, person)
    cut = predicted.clipped
    name = uploads.named(slot, upload)
    return Source(key, name, both, code, None, (upload.file,), groups, LossScale.LOG_ODDS, cut)


def _a_file_each() -> Source | None:
    left, right = st.columns(2)
    slots = ("train_predictions", "fresh_predictions")
    with left:
        train = file_layout.upload(
            slots[0], "Predictions for the training data, with the right answers", read_predictions
        )
    with right:
        fresh = file_layout.upload(slots[1], "Predictions for fresh data, the population", read_predictions)
    if train is None or fresh is None:
        return None
    files = (train, fresh)
    found = _with_losses(dict(zip(slots, files, strict=True)))
    if found is None:
        return None
    roles, predicted = found
    tables, both = [part.table for part in predicted], "_".join(file.digest[:16] for file in files)
    taken = (*roles.scores, roles.label)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        person = row_groups.persons(tables, f"two_predictions_person_{both}", taken)
        is_one = row_groups.are_of_one_model([file.table for file in files], both, f"two_predictions_{both}", taken)
        drop = upload_choices.tick("Leave out unusable rows", slots[0], f"drop_{fresh.digest[:16]}")
    if person == UNKNOWN or not is_one:
        row_groups.ask()
        return None
    lines = (f"    one_column({_table(file)}, LOSS, drop={drop}{row_groups.python(person)})," for file in files)
    code = python(
        (*_IMPORTED, "join", "one_column", *corrections(*files)), _python(roles), "groups = join(", *lines, ")"
    )
    key = ("predictions", train.key, fresh.key, str(roles), str(drop), str(person))
    name = " and ".join(uploads.named(slot, file) for slot, file in zip(slots, files, strict=True))
    named = tuple(file.file for file in files)
    cut = sum(part.clipped for part in predicted)
    groups = partial(_joined, predicted, drop, person)
    return Source(key, name, groups, code, None, named, None, LossScale.LOG_ODDS, cut)


def _joined(predicted: Sequence[Predicted], drop: bool, person: str | None) -> Groups:
    return join(*(one_column(part.table, LOSS, drop, person) for part in predicted))


def _table(upload: Upload) -> str:
    return f"with_losses({opened('read_predictions', upload)}, roles).table"


def _python(roles: Roles) -> str:
    naming = None if roles.naming is None else f"Naming.{roles.naming.name}"
    return f"roles = Roles({roles.scores!r}, {roles.label!r}, Scale.{roles.scale.name}, {roles.positive!r}, {naming})"


def _with_losses(files: dict[str, Upload]) -> tuple[Roles, list[Predicted]] | None:
    """Draw the choice of the columns, which is one for all of ``files`` by their slots, and say what was understood."""
    try:
        with st.container(horizontal=True, vertical_alignment="bottom"):
            roles = _roles(next(iter(files)), list(files.values()))
        if roles is None:
            st.info(_OPEN, icon=":material/help:")
            return None
        with st.spinner("Losses from predictions …", show_time=True):
            found = [
                uploads.made(slot, "losses", (file.key, roles), partial(losses_of, file.table, roles))
                for slot, file in files.items()
            ]
    except TableError as problem:
        uploads.complain(problem)
        return None
    _say(found)
    return roles, found


def _say(found: Sequence[Predicted]) -> None:
    rows, clipped = sum(part.table.rows for part in found), sum(part.clipped for part in found)
    cut = f"{clipped:,} of {rows:,} rows have a probability closer to 0 or 1 than its digits tell, and were cut there"
    st.caption(f"Understood: {uploads.literal(found[0].words)}. {cut if clipped else 'No probability had to be cut'}.")


def _roles(slot: str, files: Sequence[Upload]) -> Roles | None:
    keys = tuple(file.key for file in files)
    numbers, readable = _names(files)
    guessed = uploads.made(slot, "guess", keys, lambda: guess(files[0].table))
    usual = [name for name in guessed.scores if name in numbers] if guessed else []
    scores = _scores(slot, numbers, usual)
    others = [name for name in readable if name not in scores]
    first = guessed.label if guessed and guessed.label in others else UNKNOWN
    label = upload_choices.column("Right answers", slot, "label", [first, *(name for name in others if name != first)])
    if not scores or label == UNKNOWN:
        return None
    mark = sha256(repr((scores, label)).encode()).hexdigest()[:8]
    words = uploads.made(slot, "words", (keys, label), lambda: _words(files, label))
    scale = _scale(slot, mark, files, scores)
    if len(scores) == 1:
        positive = _positive(slot, mark, words)
        return None if positive == UNKNOWN else Roles(scores, label, scale, positive)
    ways = [way for way in Naming if places_of(scores, words, way) is not None]
    naming = (
        upload_choices.column("Labels name columns", slot, f"naming_{mark}", list(map(str, ways))) if ways[1:] else None
    )
    return Roles(scores, label, scale, naming=Naming(naming or ways[0]) if ways else None)


def _names(files: Sequence[Upload]) -> tuple[list[str], list[str]]:
    """Columns of numbers, and columns that may be labels, which all of ``files`` have, in the first one's order."""
    numbers = set.intersection(*({column.name for column in file.table.numbers} for file in files))
    labels = set.intersection(*({column.name for column in file.table.labels} | numbers for file in files))
    names = files[0].table.layout.names
    if not numbers:
        raise TableError("The files have no column of numbers in common.", "Give their columns the same names.")
    return [name for name in names if name in numbers], [name for name in names if name in labels]


def _scores(slot: str, numbers: list[str], usual: list[str]) -> tuple[str, ...]:
    """The columns of predictions; so many that nobody would pick them one by one are offered together."""
    if len(usual) > _MANY:
        together = f"{usual[0]} … {usual[-1]}, {len(usual):,} columns"
        if upload_choices.column("Predictions", slot, "together", [together, "other columns"]) == together:
            return tuple(usual)
        usual = []
    chosen = set(upload_choices.columns("Predictions", slot, "scores", numbers, usual))
    return tuple(name for name in numbers if name in chosen)


def _words(files: Sequence[Upload], label: str) -> list[str]:
    """The labels of all of ``files``: one group may lack some."""
    return list(dict.fromkeys(word for file in files for word in as_labels(file.table, label).labels))


def _scale(slot: str, mark: str, files: Sequence[Upload], scores: tuple[str, ...]) -> Scale:
    """Probabilities, unless the first rows have a negative number: above 1 may be a probability gone wrong."""
    starts = np.concatenate([file.table.number(name).values[:_PROBED] for file in files for name in scores])
    known = starts[np.isfinite(starts)]
    are_logits = bool(np.any(known < 0.0))
    order = sorted(Scale, key=lambda scale: (scale is Scale.LOGITS) is not are_logits)
    return Scale(upload_choices.column("They are", slot, f"scale_{mark}", list(map(str, order))))


def _positive(slot: str, mark: str, words: list[str]) -> str | None:
    """The label a single column of predictions is for; None where there are not two, which is refused later."""
    if len(words) != 2:
        return None
    first = positive_label(words) or UNKNOWN
    order = [first, *(word for word in words if word != first)]
    return upload_choices.column("They are for the label", slot, f"positive_{mark}", order)
