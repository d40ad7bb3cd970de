"""Cells that cannot be used: refused, unless their rows are to be left out."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from losses.errors import TableError, counted, quoted
from losses.table import AnyColumn, Coded, NumberColumn


def unusable_rows(columns: Sequence[AnyColumn]) -> int:
    """How many rows have a cell, in any of these columns of one table, that is blank or no finite number."""
    return int(np.count_nonzero(~np.logical_and.reduce([column.is_usable for column in columns]))) if columns else 0


def check_faults(column: NumberColumn, drop: bool) -> None:
    """Raise TableError when the column has cells without a finite number, unless they are to be left out."""
    if column.faults.count and not drop:
        more = " …" if column.faults.count > len(column.faults.examples) else ""
        raise TableError(
            f"The column {quoted(column.name)} has {counted(column.faults.count, 'cell')} without a finite number.",
            "Mend them, or leave out the rows that cannot be used.",
            f"{'; '.join(column.faults.examples)}{more}.".capitalize(),
        )


def blank_cells(labels: Coded, drop: bool) -> int:
    """How many cells are blank; raises TableError if there are any, unless they are to be left out."""
    blanks = int(np.count_nonzero(~labels.is_usable))
    if blanks and not drop:
        first = int(np.argmin(labels.is_usable)) + 1
        raise TableError(
            f"The column {quoted(labels.name)} has {blanks:,} blank cells.",
            "Fill them, or leave out the rows that cannot be used.",
            f"The first is in row {first:,}.",
        )
    return blanks


def usable_cells(column: AnyColumn, drop: bool) -> NDArray[np.bool_]:
    """Which rows of a column of any kind can be used; raises TableError unless all, or others are to be left out."""
    if isinstance(column, NumberColumn):
        check_faults(column, drop)
    else:
        blank_cells(column, drop)
    return column.is_usable
