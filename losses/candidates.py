"""Candidates and how often each of them occurs: what an attacker who rebuilds a record can guess beforehand."""

import re
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from losses import recognise_columns
from losses.errors import TableError, counted, quoted
from losses.layout import NOTHING, KnownLayout
from losses.reading import read_table
from losses.recognise_columns import ColumnCandidates, Sketch
from losses.table import LossTable
from numerics.shipped import DATA
from numerics.trade_off import Floats

_WEIGHT = re.compile(r"count|freq|prob|weight|share|mass|occurrence|(^|[^a-z])(n|p|records|people)([^a-z]|$)", re.I)
_CLOSE = 1e-6  # relative; closer to 1 than that are sums of printed probabilities, and kappa cannot be far off
_PER_CENT = 100.0
_MOST_TEXTS = 32_000  # different ones in a column of categories
AGES = DATA / "ages.csv"


class RowUnit(StrEnum):
    """What a row of a table stands for; the values are the labels of the choice."""

    CANDIDATES = "a candidate, with how often it occurs"
    RECORDS = "a record: equal ones are counted"


@dataclass(frozen=True, eq=False)
class Candidates:
    """Candidates for a record.

    Attributes:
        weights: how often each occurs, (n,): not negative, on any scale.
        dropped: rows that were left out.
        total: sum of the weights.
        values: a number for each candidate, (n,), where a guess near the record counts as right.
        names: each candidate as it is written, where rows were counted.
    """

    weights: Floats
    dropped: int
    total: float
    values: Floats | None = None
    names: tuple[str, ...] = ()

    def likeliest(self, count: int) -> tuple[tuple[str, float], ...]:
        """The ``count`` likeliest candidates by name, and the share of each."""
        order = np.argsort(-self.weights, kind="stable")[:count]
        return tuple((self.names[place], float(self.weights[place] / self.total)) for place in order)

    @property
    def are_counts(self) -> bool:
        """Whether all weights are whole numbers."""
        return bool((np.floor(self.weights) == self.weights).all())

    @property
    def need_dividing(self) -> bool:
        """Whether they look like probabilities, or per cents, that do not add up: somebody has to say what is meant."""
        adds_up = any(abs(self.total / whole - 1) <= _CLOSE for whole in (1.0, _PER_CENT))
        return not adds_up and not self.are_counts


def read_candidates(data: bytes | bytearray, known: KnownLayout = NOTHING) -> LossTable:
    """Read a table of candidates or of records, as loss tables are read.

    Args:
        data: the file's bytes.
        known: what of a text table's layout need not be found.

    Raises:
        TableError: the file cannot be read as a table.
    """
    return read_table(data, known=known, choose=_chosen, most_labels=_MOST_TEXTS)


def _chosen(found: tuple[Sketch, ...]) -> ColumnCandidates:
    """Columns of numbers, the likeliest weights first, the last column where names say nothing; columns of text.

    Raises TableError where a column that is named like weights is no numbers, and nothing else is: counting its rows
    would be another question.
    """
    numbers = [one for one in found if one.may_be_numbers]
    if not numbers and any(_WEIGHT.search(one.name) for one in found):
        raise TableError(
            "No column holds numbers.",
            "Counts or probabilities must be plain numbers, one in a row, such as 12 or 0.05 in place of 5 %.",
            recognise_columns.first_cells(found),
        )
    numbers.sort(key=lambda one: (not _WEIGHT.search(one.name), -one.place))
    texts = [one for one in found if not one.may_be_numbers]
    return ColumnCandidates(numbers[: recognise_columns.MOST_READ], texts[: recognise_columns.MOST_READ], [])


def readings(table: LossTable) -> tuple[RowUnit, ...]:
    """What a row of ``table`` may stand for. Two readings are for somebody to choose from: no name decides it.

    A number in a row is how often a candidate occurs, or the record's own value: 5,000 postcodes look like 5,000
    counts, and a column called ``visits`` may be either. Only numbers that add up to 1, or to 100, are none but
    probabilities.
    """
    if not table.numbers:
        return (RowUnit.RECORDS,)
    for column in table.numbers:
        cells = column.values[column.is_usable]
        with np.errstate(over="ignore"):
            found = Candidates(cells, 0, float(cells.sum()))
        if len(cells) and not found.are_counts and float(cells.min()) >= 0.0 and not found.need_dividing:
            return (RowUnit.CANDIDATES,)
    return (RowUnit.CANDIDATES, RowUnit.RECORDS)


def counted_rows(table: LossTable, column: str, drop: bool = False) -> Candidates:
    """Every different cell of a column as a candidate that occurs as often as the rows have it.

    Args:
        table: what ``read_candidates`` found, a row a record.
        column: the column with what is to be guessed, numbers or text.
        drop: leave out the rows that cannot be used, instead of stopping there.

    Raises:
        TableError: cells are blank or no finite numbers and ``drop`` is False, none is left, or a column of text has
            more different ones than can be told apart.
    """
    if any(column == one.name for one in table.numbers):
        numbers = table.number(column)
        values, counts = np.unique(numbers.values[numbers.usable(drop)], return_counts=True)
        weights_, names = counts.astype(np.float64), tuple(f"{value:.17g}" for value in values)
        return Candidates(weights_, numbers.faults.count, _total(weights_, column), values, names)
    texts = table.label(column)
    if len(texts.labels) > _MOST_TEXTS:
        raise TableError(
            f"The column {quoted(column)} has more than {_MOST_TEXTS:,} different texts.",
            "Count them yourself, and upload a row for every one with its count.",
        )
    used = texts.codes[texts.usable(drop)]
    weights_ = np.bincount(used, minlength=len(texts.labels)).astype(np.float64)
    return Candidates(weights_, len(texts.codes) - len(used), _total(weights_, column), None, texts.labels)


def weights(table: LossTable, column: str, drop: bool = False, values: str | None = None) -> Candidates:
    """The candidates of a table, one in a row.

    Args:
        table: what ``read_candidates`` found.
        column: the column with counts or probabilities.
        drop: leave out the rows that cannot be used, instead of stopping there.
        values: a column with a number for each candidate, such as an age.

    Raises:
        TableError: weights are negative or no finite numbers and ``drop`` is False, or they do not add up to something.
    """
    cells = table.number(column).values
    usable = np.isfinite(cells) & (cells >= 0)
    if values is not None:
        usable &= table.number(values).is_usable
    dropped = int(np.count_nonzero(~usable))
    if dropped and not drop:
        for name in (column, *([] if values is None else [values])):
            table.number(name).usable(drop=False)
        negative = np.flatnonzero(cells < 0)
        raise TableError(
            f"The column {quoted(column)} has {counted(len(negative), 'negative cell')}: neither counts nor "
            "probabilities can be.",
            "Mend them, or leave out the rows that cannot be used.",
            f"The first is in row {negative[0] + 1:,}: {quoted(f'{cells[negative[0]]:g}')}.",
        )
    kept = cells[usable] if dropped else cells
    at = None if values is None else table.number(values).values[usable]
    return Candidates(kept, dropped, _total(kept, column), at)


def _total(kept: Floats, column: str) -> float:
    """What the weights add up to.

    Raises TableError where that is nothing, or beyond all numbers.
    """
    if not len(kept):
        raise TableError("No row is left that can be used.", "Choose a column of counts or probabilities.")
    with np.errstate(over="ignore"):
        total = float(kept.sum())
    if total == 0.0:
        raise TableError(
            f"The column {quoted(column)} is 0 in all of its {len(kept):,} rows.",
            "At least one candidate must be possible.",
        )
    if not np.isfinite(total):
        raise TableError(
            f"The numbers in column {quoted(column)} are too large to be added up.",
            "Divide all of them by the largest.",
        )
    return total
