"""Losses of a table with predictions and labels, as one more column of it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from losses.cells import MOST_LABELS
from losses.classes import Naming, as_labels, places_of, positive_label
from losses.errors import TableError, listed, quoted
from losses.recognise_columns import Sketch
from losses.table import Faults, LabelColumn, LossTable, NumberColumn, as_clusters, unusable_cell
from numerics.epsilon_star.scores import (
    Clipped,
    binary_losses,
    binary_losses_from_logits,
    class_losses,
    class_losses_from_logits,
    smallest_told,
)
from numerics.trade_off import Floats

LOSS = "loss from predictions"
_BLOCK = 1 << 20  # cells of a block of rows
_LOOSEST = 0.1
_SIX_DIGITS = 5e-6  # the most by which probabilities of six significant digits, as %g writes them, miss a sum of 1
_TRY_LOGITS = "If the columns hold logits, say so; else scale every row to probabilities."
_MANY_NEGATIVE = 0.25  # of rows: of logits about half or more, of faulty probabilities a few


class PredictionScale(StrEnum):
    """What the predictions are."""

    PROBABILITIES = "probabilities"
    LOGITS = "logits"


@dataclass(frozen=True)
class Roles:
    """Which columns hold what.

    Attributes:
        scores: one column for two classes, or a column for each class.
        label: the column with the right answers.
        scale: what the scores are.
        positive: with one column of scores, the label of the class it is for; None to take the word for yes.
        naming: with several, how a label names its column; None to take the first way that fits.
    """

    scores: tuple[str, ...]
    label: str
    scale: PredictionScale = PredictionScale.PROBABILITIES
    positive: str | None = None
    naming: Naming | None = None


class Predicted(NamedTuple):
    """The table with the losses, how many rows had a probability that had to be cut, and how labels were understood."""

    table: LossTable
    clipped: int
    words: str

    @property
    def notes(self) -> tuple[str, ...]:
        """How labels were understood, and how many rows were cut, in sentences."""
        rows = f"in {self.clipped:,} of {self.table.rows:,} rows"
        cut = f"Probabilities closer to 0 or 1 than their digits tell were cut there, {rows}."
        return (self.words, *([cut] if self.clipped else []))


def seen_scale(table: LossTable, scores: Sequence[str]) -> PredictionScale:
    """What the columns of predictions hold, by their numbers: logits where many rows have a negative one.

    A few such rows are faults of probabilities, and numbers above 1 may be percentages: ``with_losses`` refuses both.
    """
    negative = np.any([table.number(name).values < 0.0 for name in scores], axis=0)
    return PredictionScale.LOGITS if np.mean(negative) > _MANY_NEGATIVE else PredictionScale.PROBABILITIES


def with_losses(table: LossTable, roles: Roles) -> Predicted:
    """The table with the losses (column ``LOSS``) instead of its numbers; its other columns are there as labels.

    The right answers are there as clusters. Rows without a usable score or label have NaN for a loss, and are counted
    as its faults.

    Raises:
        TableError: the labels do not name classes, or a probability is none, or those of a row do not sum to 1.
    """
    labels = as_labels(table, roles.label)
    columns = [table.number(name) for name in roles.scores]
    unit = min(column.unit for column in columns)  # their decimals' where all columns have as many, else the finest
    places, words = _places(labels, roles)
    known = labels.is_usable
    classes = np.append(np.array(places, dtype=np.intp), 0)[labels.codes]
    losses, clipped = np.full(table.rows, np.nan), 0
    step = max(1, _BLOCK // len(columns))
    for start in range(0, table.rows, step):
        rows = slice(start, min(start + step, table.rows))
        scores = np.column_stack([column.values[rows] for column in columns])
        usable = known[rows] & ~np.isnan(scores).any(axis=1)
        if roles.scale is PredictionScale.PROBABILITIES:
            _refuse_no_probabilities(scores, usable, roles.scores, unit, start)
        found = _losses(scores[usable], classes[rows][usable], roles.scale, unit)
        losses[rows][usable] = found.losses
        clipped += found.rows
    losses[~np.isfinite(losses)] = np.nan

    def fault(row: int) -> str:
        if not known[row]:
            return "no label"
        odd = next((column for column in columns if not np.isfinite(column.values[row])), None)
        return f"{quoted(odd.name)} is {unusable_cell(odd.values[row])}" if odd else "its loss is not finite"

    column = NumberColumn(LOSS, losses, Faults.of(np.flatnonzero(np.isnan(losses)), fault), unit)
    return Predicted(_with(table, column, roles), clipped, words)


def _places(labels: LabelColumn, roles: Roles) -> tuple[list[int], str]:
    """The class of every label: 0 or 1 for one column of scores, else the column's place."""
    words = labels.labels
    if len(roles.scores) > 1:
        for naming in Naming if roles.naming is None else [roles.naming]:
            places = places_of(roles.scores, words, naming)
            if places is not None:
                return places, f"Labels name columns {naming}."
        raise TableError(
            f"The labels do not name the {len(roles.scores):,} columns of predictions.",
            "Name the columns like the labels, or number the labels in the columns' order, from 0 or from 1.",
            f"The labels are {listed(list(words))}, the columns {listed(list(roles.scores))}.",
        )
    if len(words) > 2 or not words:
        raise TableError(
            f"The column {quoted(labels.name)} has {len(words):,} different labels; one column of predictions tells "
            "two classes apart.",
            "Choose a column of predictions for every class, or another column with the labels.",
        )
    positive = roles.positive or positive_label(words)
    if positive is None or (roles.positive is not None and positive not in words and len(words) == 2):
        raise TableError(
            f"Which label of {quoted(labels.name)} the predictions are for is not clear.",
            "Say it, or write 1 for that class and 0 for the other.",
            f"The labels are {' and '.join(map(quoted, words))}.",
        )
    return [int(word == positive) for word in words], f"Predictions are for the label {quoted(positive)}."


def _refuse_no_probabilities(
    scores: Floats, usable: NDArray[np.bool_], names: Sequence[str], unit: float, start: int
) -> None:
    """Raise TableError for probabilities that are none; ``start`` is the number of rows before these."""
    outside = ((scores < 0.0) | (scores > 1.0)) & usable[:, None]
    if outside.any():
        row, place = (int(index) for index in np.argwhere(outside)[0])
        raise TableError(
            f"The column {quoted(names[place])} does not hold probabilities, which lie between 0 and 1.",
            _TRY_LOGITS,
            f"Row {start + row + 1:,} has {scores[row, place]:.6g}.",
        )
    if len(names) == 1:
        return
    sums, decimal = scores.sum(axis=1), 0.0
    for digits in range(2, 6):  # rounded scores are multiples of .01 to 1e-5, with zeros at their ends or without
        if np.array_equal(np.round(scores[usable], digits), scores[usable]):
            decimal = 10.0**-digits
            break
    rounded = 0.5 * len(names) * max(unit, decimal)
    off = usable & (np.abs(sums - 1.0) > _SIX_DIGITS + min(rounded, _LOOSEST))
    if off.any():
        row = int(np.argmax(off))
        raise TableError(
            f"The probabilities of the {len(names):,} classes do not sum to 1.",
            f"Choose the columns of all classes and no others. {_TRY_LOGITS}",
            f"In row {start + row + 1:,} they sum to {sums[row]:.9g}.",
        )


def _losses(scores: Floats, classes: NDArray[np.intp], scale: PredictionScale, unit: float) -> Clipped:
    is_binary = scores.shape[1] == 1
    if scale is PredictionScale.LOGITS:
        if is_binary:
            return Clipped(binary_losses_from_logits(scores[:, 0], classes == 1), 0)
        return Clipped(class_losses_from_logits(scores, classes), 0)
    if is_binary:
        return binary_losses(scores[:, 0], classes == 1, unit)
    return class_losses(scores, classes, smallest_told(unit))


def _with(table: LossTable, losses: NumberColumn, roles: Roles) -> LossTable:
    """The table for the losses: columns that may tell members from outsiders, or instances, are labels.

    The right answers are kept as clusters, for slices: they tell no members from outsiders.
    """
    taken = {*roles.scores, roles.label}
    words = [column for column in table.labels if column.name not in taken]
    few = [
        column.name
        for column in table.numbers
        if column.name not in taken
        and all(len(np.unique(column.values[rows])) <= MOST_LABELS for rows in (slice(1000), slice(None)))
    ]
    labels = [*words, *(as_labels(table, name) for name in few)]
    likely = {column.name: Sketch(0, column.name, 0.0, column.labels, False).likely_membership for column in labels}
    labels.sort(key=lambda column: -likely[column.name])
    is_clear = bool(labels) and likely[labels[0].name] > 0
    clusters = tuple(column for column in table.clusters if column.name not in taken)
    clusters += (as_clusters(as_labels(table, roles.label)),)
    kept = {*taken, *few, *(column.name for column in (*words, *clusters))}
    counted = (one for one in table.numbers if one.name not in kept and not np.any(one.values[one.is_usable] % 1.0))
    clusters += tuple(one for one in map(as_clusters, counted) if len(one.words) < table.rows)
    return replace(
        table,
        numbers=(losses,),
        labels=tuple(labels),
        is_membership_clear=is_clear,
        clusters=clusters,
        answers=roles.label,
    )
