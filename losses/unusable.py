"""Cells that cannot be used: refused, unless their rows are to be left out."""

from collections.abc import Sequence

import numpy as np

from losses.errors import TableError, counted, quoted
from losses.table import NO_LABEL, ClusterColumn, LabelColumn, NumberColumn

AnyColumn = NumberColumn | LabelColumn | ClusterColumn


def unusable_rows(columns: Sequence[AnyColumn]) -> int:
    """How many rows have a cell, in any of these columns of one table, that is blank or no finite number."""
    odd = [
        ~np.isfinite(column.values) if isinstance(column, NumberColumn) else column.codes == NO_LABEL
        for column in columns
        if not isinstance(column, NumberColumn) or column.faults.count
    ]
    return int(np.count_nonzero(np.logical_or.reduce(odd))) if odd else 0


def check_faults(column: NumberColumn, drop: bool) -> None:
    """Raise TableError when the column has cells without a finite number, unless they are to be left out."""
    if column.faults.count and not drop:
        more = " …" if column.faults.count > len(column.faults.examples) else ""
        raise TableError(
            f"The column {quoted(column.name)} has {counted(column.faults.count, 'cell')} without a finite number.",
            "Mend them, or leave out the rows that cannot be used.",
            f"{'; '.join(column.faults.examples)}{more}.".capitalize(),
        )


def blank_cells(labels: LabelColumn | ClusterColumn, drop: bool) -> int:
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
