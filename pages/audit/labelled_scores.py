"""A file with a number and a two-valued label in every row: attack scores, canaries, runs with and without a record."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from losses import LossTable, Membership, labelled, read_scores
from losses.columns import why_number
from losses.groups import check_two_groups
from losses.scores import Labelled, small_means_in
from losses.table import AnyColumn
from numerics.audits import Scores
from numerics.epsilon_star import SMALLEST_GROUP
from numerics.trade_off import Floats
from pages.audit.epsilon_star.source import membership, read_columns
from pages.ui import upload_places, uploads
from pages.ui.upload_look import Look, look_at, nothing
from pages.ui.upload_preview import Preview
from pages.ui.upload_snippet import corrections, opened, python
from reports.audit_report import Data
from reports.scores_file import notes_on_scores

_LARGE, _SMALL = "large numbers", "small numbers"


@dataclass(frozen=True)
class Words:
    """What a view calls things.

    Attributes:
        place: the label of the place for the file.
        number: the column of numbers.
        label: the column of two values.
        member: asked of the value that counts as in.
        groups: who is in, and who is out.
        fewest: rows that each group needs.
        button: accepts the file as it is read.
    """

    place: str
    number: str = "Scores"
    label: str = "Membership"
    member: str = "Members are"
    groups: tuple[str, str] = ("members", "outsiders")
    fewest: int = SMALLEST_GROUP
    button: str = "Measure"


@dataclass(frozen=True, eq=False)
class LabelledScores:
    """Scores and who was in, in the file's order.

    Attributes:
        key: tells them from all others, by the bytes of the file and by the choices made.
        name: for titles and exports.
        values: (n,); large ones speak for "in".
        is_in: (n,).
        columns: the other columns of the same rows, by name.
        files: names and SHA-256 of the files that hold them.
        membership: which label counts as in, and why.
        negated: whether small numbers spoke for "in" in the file.
        dropped: rows that cannot be used and were left out.
        python: what reads ``values`` and ``is_in`` in Python, imports included.
    """

    key: tuple[str, ...]
    name: str
    values: Floats
    is_in: NDArray[np.bool_]
    columns: Mapping[str, AnyColumn]
    files: tuple[tuple[str, str], ...]
    membership: Membership
    negated: bool
    dropped: int
    python: str

    @property
    def scores(self) -> Scores:
        """The scores without the record, and with it."""
        return Scores(self.values[~self.is_in], self.values[self.is_in])

    def data(self, further: str = "") -> Data:
        """What was read, for a report; ``further`` lines of Python go on from ``values`` and ``is_in``."""
        notes = notes_on_scores(self.membership, self.negated, self.dropped)
        return Data(self.name, self.files, "\n".join(filter(None, (self.python, further))), notes)


def draw(slot: str, words: Words) -> LabelledScores | None:
    """Draw the place for a file and how it is read; None while a file, a choice or the confirmation is missing."""
    check = partial(check_two_groups, fewest=words.fewest)
    preview = upload_places.of_file(slot, words.place, read_scores, check, words.button)
    if preview is None:
        return None
    (upload,) = preview.files.values()
    table, names = upload.table, [column.name for column in upload.table.numbers]
    name = preview.column(words.number, "number", names, lambda name: why_number(name, names, "score"))
    found = membership(preview, table, words.label, words.member)
    negate = _small_is_in(preview, name)
    drop = preview.leave_out(*read_columns(table, name, found))
    if found is None:
        preview.confirmed(nothing, f"Say which column and which label mark those who are {words.groups[0]}.")
        return None
    key = ("scores", upload.key, name, found.column, found.member, str(drop), str(negate))

    def read() -> Labelled:
        return uploads.made(slot, "scores", key, partial(_read, table, name, found, drop, negate))

    if not preview.confirmed(lambda: _look(read(), words, name)):
        return None
    rows = read()
    chosen = f"{name!r}, {found.column!r}, {found.member!r}, drop={drop}, negate={negate}"
    lines = (
        f"found = labelled({opened('read_scores', upload)}, {chosen})",
        "values, is_in = found.values, found.is_in",
    )
    code = python(("labelled", "read_scores", *corrections(upload)), *lines)
    title = uploads.named(slot, upload)
    return LabelledScores(
        key, title, rows.values, rows.is_in, rows.columns, (upload.file,), found, negate, rows.dropped, code
    )


def _small_is_in(preview: Preview, name: str) -> bool:
    """Draw whether small numbers speak for "in", which the column's name may say."""
    ends = [_SMALL, _LARGE] if small_means_in(name) else [_LARGE, _SMALL]
    why = "as of losses" if small_means_in(name) else "as of scores: check it"
    return preview.choice("They suspect", f"end_{name}", ends, why) == _SMALL


def _look(found: Labelled, words: Words, name: str) -> Look:
    groups = dict(zip(words.groups, (found.values[found.is_in], found.values[~found.is_in]), strict=True))
    return look_at(groups, found.dropped, name)


def _read(table: LossTable, name: str, found: Membership, drop: bool, negate: bool) -> Labelled:
    return labelled(table, name, found.column, found.member, drop, negate)
