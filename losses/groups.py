"""Two groups of losses: those of training data and those of fresh data."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from losses.errors import TableError, counted, quoted
from losses.sorting import sort
from losses.table import NO_LABEL, LabelColumn, LossTable, NumberColumn
from numerics.epsilon_star import SMALLEST_GROUP
from numerics.trade_off import Floats

_RECODE = "Mark members with one label and outsiders with another, or leave the other rows out."


class Column(NamedTuple):
    """The losses of one file, in its order, and how many cells were left out."""

    losses: Floats
    dropped: int = 0


@dataclass(frozen=True, eq=False)
class Groups:
    """Losses of training data (n,) and of fresh data (m,), both ascending, and how many rows were left out."""

    train: Floats
    population: Floats
    dropped: int = 0


def one_column(table: LossTable, name: str, drop: bool = False) -> Column:
    """The losses of a file that holds one group.

    Args:
        table: the file.
        name: the column with the losses.
        drop: leave out the cells that cannot be used, instead of stopping there.

    Raises:
        TableError: there are such cells and ``drop`` is False.
    """
    column = table.number(name)
    check_faults(column, drop)
    losses = column.values[np.isfinite(column.values)] if column.faults.count else column.values
    return Column(losses, column.faults.count)


def join(train: Column, population: Column) -> Groups:
    """Two files, one a group.

    Raises TableError when a group is too small.
    """
    groups = _ascending([train.losses.copy, population.losses.copy])
    return _checked(Groups(groups[0], groups[1], train.dropped + population.dropped))


def split(table: LossTable, name: str, membership: str, member: str, drop: bool = False) -> Groups:
    """The losses of a file that holds both groups.

    Args:
        table: the file.
        name: the column with the losses.
        membership: the column that tells members from outsiders.
        member: the label that means a member.
        drop: leave out rows without a usable loss or without a label, instead of stopping there.

    Raises:
        TableError: the membership has more or fewer than two labels, rows cannot be used, or a group is too small.
    """
    losses, labels = table.number(name), table.label(membership)
    _check_labels(labels, member)
    check_faults(losses, drop)
    blank_cells(labels, drop)
    code = labels.labels.index(member)
    usable = None if losses.faults.count == 0 else np.isfinite(losses.values)
    groups = _ascending([partial(_picked, losses.values, labels.codes, place, usable) for place in (code, 1 - code)])
    return _checked(Groups(groups[0], groups[1], table.rows - len(groups[0]) - len(groups[1])))


def blank_cells(labels: LabelColumn, drop: bool) -> int:
    """How many cells are blank; raises TableError if there are any, unless they are to be left out."""
    blanks = int(np.count_nonzero(labels.codes == NO_LABEL))
    if blanks and not drop:
        first = int(np.argmax(labels.codes == NO_LABEL)) + 1
        raise TableError(
            f"The column {quoted(labels.name)} has {blanks:,} blank cells.",
            "Fill them, or leave out the rows that cannot be used.",
            f"The first is in row {first:,}.",
        )
    return blanks


def _ascending(groups: list[Callable[[], Floats]]) -> list[Floats]:
    """The groups, taken and sorted at once: that takes longer than all the rest, and lets others run."""
    with ThreadPoolExecutor(len(groups)) as pool:
        return list(pool.map(_sorted, groups))


def _sorted(take: Callable[[], Floats]) -> Floats:
    losses = take()
    sort(losses)
    return losses


def _picked(values: Floats, codes: NDArray[np.signedinteger], code: int, usable: NDArray[np.bool_] | None) -> Floats:
    chosen = codes == code
    if usable is not None:
        chosen &= usable
    picked: Floats = values[chosen]
    return picked


def check_faults(column: NumberColumn, drop: bool) -> None:
    """Raise TableError when the column has cells without a finite number, unless they are to be left out."""
    if column.faults.count and not drop:
        more = " …" if column.faults.count > len(column.faults.examples) else ""
        raise TableError(
            f"The column {quoted(column.name)} has {counted(column.faults.count, 'cell')} without a finite number.",
            "Mend them, or leave out the rows that cannot be used.",
            f"{'; '.join(column.faults.examples)}{more}.".capitalize(),
        )


def _check_labels(column: LabelColumn, member: str) -> None:
    counts = column.counts
    if len(counts) == 1:
        raise TableError(
            f"One group is missing: the column {quoted(column.name)} says {quoted(next(iter(counts)))} in every row.",
            "Add the losses of the other group, or upload each group as a file of its own.",
        )
    if len(counts) != 2:
        common = sorted(counts, key=lambda label: -counts[label])[:5]
        shown = ", ".join(f"{quoted(label)} {counts[label]:,} times" for label in common)
        more = f" and {len(counts) - len(common):,} more" if len(counts) > len(common) else ""
        raise TableError(
            f"The column {quoted(column.name)} has {len(counts):,} different labels; two are needed.",
            _RECODE,
            f"They are {shown}{more}." if counts else "",
        )
    if member not in counts:
        raise TableError(f"The column {quoted(column.name)} has no label {quoted(member)}.", _RECODE)


def _checked(groups: Groups) -> Groups:
    sizes = {"Training data": len(groups.train), "Fresh data": len(groups.population)}
    for name, size in sizes.items():
        if size < SMALLEST_GROUP:
            raise TableError(
                f"{name}: {size:,} usable losses, at least {SMALLEST_GROUP} are needed, and thousands to see anything.",
                "Upload more rows of this group.",
            )
    return groups
