"""The first rows of an uploaded table, as they were read; whose rows they are stands there as a number.

What is shown goes to the browser as text, which nobody overwrites in the server's memory: names of persons never do.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import streamlit as st

from losses import LossTable
from losses.table import NO_LABEL, AnyColumn, ClusterColumn, NumberColumn
from pages.ui import csv_tables
from reports.rounding import how_many

_ROWS, _COLUMNS = 5, 8
_UNUSABLE = "not usable"


def first_rows(tables: Sequence[LossTable], roles: Mapping[str, str]) -> None:
    """Draw the first rows of the first of ``tables``; ``roles`` say what a column was taken for."""
    table = tables[0]
    every: list[AnyColumn] = [*table.numbers, *table.labels, *table.clusters]
    columns = {column.name: column for column in every}
    names = sorted((name for name in table.layout.names if name in columns), key=lambda name: name not in roles)
    shown = {f"{name} ({roles[name]})" if name in roles else name: _cells(columns[name]) for name in names[:_COLUMNS]}
    csv_tables.draw(shown, width="stretch", height="content", row_height=28)
    left = len(table.layout.names) - len(shown)
    rows = min(_ROWS, table.rows)
    more = f", without {left:,} more {'column' if left == 1 else 'columns'}" if left else ""
    of = "" if len(tables) == 1 else f" of the first of {len(tables):,} files"
    st.caption(f"The first {rows:,} of {how_many(table.rows, 'row')}{of}{more}")


def _cells(column: AnyColumn) -> list[str]:
    if isinstance(column, NumberColumn):
        return [f"{value:.9g}" if np.isfinite(value) else _UNUSABLE for value in column.values[:_ROWS].tolist()]
    codes = column.codes[:_ROWS].tolist()
    if isinstance(column, ClusterColumn):
        return [_UNUSABLE if code == NO_LABEL else f"no. {code + 1:,}" for code in codes]
    return [_UNUSABLE if code == NO_LABEL else column.labels[code] for code in codes]
