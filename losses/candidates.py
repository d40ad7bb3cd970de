"""Candidates and how often each of them occurs: what an attacker who rebuilds a record can guess beforehand."""

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from losses import columns
from losses.columns import Sketch
from losses.errors import TableError, counted, quoted
from losses.groups import check_faults
from losses.reading import read_table
from losses.table import LossTable
from numerics.trade_off import Floats

_WEIGHT = re.compile(r"count|freq|prob|weight|share|mass|occurrence|(^|[^a-z])(n|p|records|people)([^a-z]|$)", re.I)
_CLOSE = 1e-6  # relative; closer to 1 than that are sums of printed probabilities, and kappa cannot be far off
_PER_CENT = 100.0
_MEND = "Mend them, or leave out the rows that cannot be used."
AGES = Path(__file__).parents[1] / "data" / "ages.csv"


@dataclass(frozen=True, eq=False)
class Candidates:
    """Candidates for a record.

    Attributes:
        weights: how often each occurs, (n,): not negative, on any scale.
        dropped: rows that were left out.
        total: sum of the weights.
        values: a number for each candidate, (n,), where a guess near the record counts as right.
    """

    weights: Floats
    dropped: int
    total: float
    values: Floats | None = None

    @property
    def are_counts(self) -> bool:
        """Whether all weights are whole numbers."""
        return bool((np.floor(self.weights) == self.weights).all())

    @property
    def need_dividing(self) -> bool:
        """Whether they look like probabilities, or per cents, that do not add up: somebody has to say what is meant."""
        adds_up = any(abs(self.total / whole - 1) <= _CLOSE for whole in (1.0, _PER_CENT))
        return not adds_up and not self.are_counts


def read_candidates(data: bytes) -> LossTable:
    """Read a table of candidates as loss tables are read; any column of numbers may hold the weights.

    Args:
        data: the file's bytes.

    Raises:
        TableError: the file cannot be read as a table with a column of numbers.
    """
    return read_table(data, choose=_chosen)


def _chosen(found: tuple[Sketch, ...]) -> tuple[list[Sketch], list[Sketch]]:
    """Columns of numbers, the likeliest weights first, and no others; the last column where names say nothing."""
    numbers = [one for one in found if one.may_be_numbers]
    if not numbers:
        raise TableError(
            "No column holds numbers.",
            "Counts or probabilities must be plain numbers, one in a row, such as 12 or 0.05 in place of 5 %.",
            columns.first_cells(found),
        )
    numbers.sort(key=lambda one: (not _WEIGHT.search(one.name), -one.place))
    return numbers[: columns.MOST_READ], []


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
        usable &= np.isfinite(table.number(values).values)
    dropped = int(np.count_nonzero(~usable))
    if dropped and not drop:
        _refuse(table, column, values)
    kept = cells[usable] if dropped else cells
    at = None if values is None else table.number(values).values[usable]
    return Candidates(kept, dropped, _total(kept, column), at)


def _refuse(table: LossTable, column: str, values: str | None) -> None:
    """Say which cells cannot be used."""
    for name in (column, *([] if values is None else [values])):
        check_faults(table.number(name), drop=False)
    cells = table.number(column).values
    negative: NDArray[np.intp] = np.flatnonzero(cells < 0)
    raise TableError(
        f"The column {quoted(column)} has {counted(len(negative), 'negative cell')}: neither counts nor probabilities "
        "can be.",
        _MEND,
        f"The first is in row {negative[0] + 1:,}: {quoted(f'{cells[negative[0]]:g}')}.",
    )


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
