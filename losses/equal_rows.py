"""Rows that are equal in all columns of a table: copies, or people whom the columns do not tell apart."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from losses.errors import counted
from losses.table import ROW, AnyColumn, NumberColumn
from numerics.trade_off import Floats

_FEW_OUTPUTS = 3  # times that a row is there on average: then columns and losses tell few people apart
_DEPENDENT = 4  # times as many equal rows as there were if losses had nothing to do with other cells
_DEVIATIONS = 4
_CHANCE = 2  # equal rows; more are no chance
_MIX = np.uint64(0x9E3779B97F4A7C15)
Codes = NDArray[np.uint64]


class EqualRows(NamedTuple):
    """What is equal among the rows of a group.

    Attributes:
        rows: how many there are.
        different: of them, in all columns.
        others: of them, in all columns but the losses.
        loss_pairs, other_pairs: pairs of rows that are equal in the losses, or in all else.
    """

    rows: int
    different: int
    others: int
    loss_pairs: float
    other_pairs: float

    @property
    def copied(self) -> int:
        """Rows that equal an earlier one, where that has to be asked about; else 0.

        People whose other cells are equal are one person to a table, unless their losses differ; and a few equal
        losses and cells meet by chance. Rows of which every one is there often are of few kinds, which tie rightly.
        """
        equal, alike = self.rows - self.different, self.rows - self.others
        chance = _DEPENDENT * self.loss_pairs * self.other_pairs / max(0.5 * self.rows * (self.rows - 1.0), 1.0)
        is_chance = equal <= chance + _DEVIATIONS * np.sqrt(chance) + _CHANCE
        if is_chance or 2 * equal < alike or _FEW_OUTPUTS * self.different < self.rows:
            return 0
        return equal


def words(group: str, rows: int, copied: int) -> str:
    """What is noticed of a group some of whose ``rows`` are ``copied``; empty for none."""
    if not copied:
        return ""
    equal = "equals" if copied == 1 else "equal"
    return f"{copied:,} of the {counted(rows, 'row')} of the {group} {equal} another one in all columns."


def codes_of_rows(columns: Iterable[AnyColumn]) -> Codes | None:
    """A number for the cells that a row has in these columns, (n,); None without a column that the file has."""
    found: Codes | None = None
    for column in columns:
        if column.name.startswith(ROW):
            continue
        cells = column.values + 0.0 if isinstance(column, NumberColumn) else column.codes.astype(np.float64)
        mixed = _mixed(np.ascontiguousarray(cells).view(np.uint64))
        found = mixed if found is None else _mixed(found * np.uint64(3) + mixed)
    return found


def _mixed(codes: Codes) -> Codes:
    """Different numbers, whose digits all depend on those of the code."""
    codes = (codes ^ (codes >> np.uint64(30))) * _MIX
    return np.asarray(codes ^ (codes >> np.uint64(27)))


def first_of_each(losses: Floats, others: Codes | None) -> NDArray[np.bool_] | None:
    """Which rows of a group are left if equal ones count once, (n,); None where nothing has to be asked."""
    if others is None or not len(losses):
        return None
    both = _mixed(_mixed((losses + 0.0).view(np.uint64)) + others)
    _, first = np.unique(both, return_index=True)
    if len(first) == len(losses):
        return None
    sizes = (np.unique(one, return_counts=True)[1] for one in (losses, others))
    loss, other = ((len(size), float(np.sum(0.5 * size * (size - 1.0)))) for size in sizes)
    if not EqualRows(len(losses), len(first), other[0], loss[1], other[1]).copied:
        return None
    kept = np.zeros(len(losses), bool)
    kept[first] = True
    return kept
