"""A table of losses: read once, asked for its columns."""

import re
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from losses.content import LARGEST, plain_text
from losses.layout import Layout, layout_of
from losses.problem import TableError
from numerics.trade_off import Floats

OnInvalid = Literal["stop", "drop"]
_SHOWN_ROWS = 5
_MOST_LABELS = 20
_LOSS_NAMES = re.compile(r"loss|nll|cross.?entropy|score|error", re.IGNORECASE)
_MEMBERSHIP_NAMES = re.compile(r"member|train|split|group|label|set|^in$", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class Numbers:
    """Finite values (n,) of a column, and which cells were left out.

    ``kept`` (rows,) marks the rows they come from; ``first_dropped`` are line numbers as an editor shows them.
    """

    values: Floats
    dropped: int
    first_dropped: tuple[int, ...]
    kept: np.ndarray[tuple[int], np.dtype[np.bool_]] | None = None


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of an uploaded table. Names are the user's text: never to be rendered as markup."""

    names: tuple[str, ...]
    layout: Layout
    cells: pa.Table

    @property
    def rows(self) -> int:
        """Number of rows below the header."""
        return int(self.cells.num_rows)

    def guess_losses(self) -> str:
        """The column that most likely holds losses: a number column named like one, else the first of numbers."""
        numeric = [name for name in self.names if _is_number_type(self._column(name).type)]
        named = [name for name in numeric or self.names if _LOSS_NAMES.search(name)]
        return (named or numeric or list(self.names))[0]

    def guess_membership(self) -> str | None:
        """The column that most likely says who was trained on; None where none has two values."""
        others = [name for name in self.names if name != self.guess_losses() and len(self.values_of(name)) == 2]
        named = [name for name in others if _MEMBERSHIP_NAMES.search(name)]
        return next(iter(named or others), None)

    def values_of(self, column: str) -> tuple[str, ...]:
        """Distinct values of a column as text, sorted; at most a few more than can matter."""
        distinct = pc.unique(self._column(column)).slice(0, _MOST_LABELS)
        return tuple(sorted(str(value) for value in distinct.to_pylist() if value is not None))

    def rows_with(self, column: str, value: str) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Rows (n,) whose cell reads ``value``."""
        cells = self._column(column)
        match = next((each for each in pc.unique(cells).slice(0, _MOST_LABELS).to_pylist() if str(each) == value), None)
        if match is None:
            raise TableError(
                f"Column “{column}” has no value “{value}”. Choose one of: {', '.join(self.values_of(column))}."
            )
        same = pc.fill_null(pc.equal(cells, pa.scalar(match, cells.type)), False)
        return np.asarray(same.to_numpy(zero_copy_only=False) if isinstance(same, pa.Array) else same.to_numpy())

    def numbers(self, column: str, on_invalid: OnInvalid = "stop") -> Numbers:
        """The numbers of a column.

        Raises TableError when a cell is no finite number and ``on_invalid`` is "stop".
        """
        values = _as_floats(self._column(column), self.layout.decimal_mark)
        finite = np.isfinite(values)
        if finite.all():
            return Numbers(values, 0, ())
        bad = np.flatnonzero(~finite)
        lines = tuple(int(row) + 1 + self.layout.header for row in bad[:_SHOWN_ROWS])
        if on_invalid == "stop" or len(bad) == len(values):
            raise TableError(_invalid_cells(column, len(bad), len(values), lines))
        return Numbers(values[finite], len(bad), lines, finite)

    def _column(self, name: str) -> pa.ChunkedArray:
        if name not in self.names:
            raise TableError(f"There is no column “{name}”. The table has: {', '.join(self.names[:_MOST_LABELS])}.")
        return self.cells.column(self.names.index(name))


def _invalid_cells(column: str, bad: int, total: int, lines: tuple[int, ...]) -> str:
    if bad == total:
        return f"Column “{column}” holds no numbers. Choose the column with the losses, or check the delimiter."
    where = ", ".join(f"{line:,}" for line in lines) + (", …" if bad > len(lines) else "")
    return (
        f"Column “{column}” has {bad:,} of {total:,} cells that are no finite number (text, blank, NaN or infinite), "
        f"first in line {where}. Correct them, or choose to leave these rows out."
    )


def _is_number_type(kind: pa.DataType) -> bool:
    return bool(pa.types.is_floating(kind) or pa.types.is_integer(kind))


def _as_floats(cells: pa.ChunkedArray, decimal_mark: str) -> Floats:
    """Cells as floats, NaN where they are none."""
    if _is_number_type(cells.type):
        return np.asarray(cells.to_numpy(), dtype=np.float64)
    if not (pa.types.is_string(cells.type) or pa.types.is_large_string(cells.type)):
        return np.full(len(cells), np.nan)
    text = cells.to_pandas()
    text = text.str.replace(decimal_mark, ".", regex=False) if decimal_mark != "." else text
    return np.asarray(pd.to_numeric(text, errors="coerce"), dtype=np.float64)


def read_table(data: bytes, name: str = "the file", largest: int = LARGEST) -> Table:
    """Read a table from the bytes of a CSV, TSV, semicolon-separated or gzip-compressed file called ``name``.

    Raises TableError, with a message that begins with the file's name, for anything that is no such table.
    """
    try:
        text = plain_text(data, largest)
        layout = layout_of(text)
        cells = _parsed(text, layout)
    except TableError as problem:
        raise TableError(f"{name}: {problem}") from problem
    return Table(layout.names, layout, cells)


def _parsed(text: bytes, layout: Layout) -> pa.Table:
    """Typed columns where every cell of a column fits its type, else that table as text."""
    try:
        return _read(text, layout, {})
    except pa.ArrowInvalid as error:
        if "conversion error" not in str(error):
            raise TableError(_torn_row(str(error))) from error
    try:
        return _read(text, layout, dict.fromkeys(layout.names, pa.string()))
    except pa.ArrowInvalid as error:
        raise TableError(_torn_row(str(error))) from error


def _read(text: bytes, layout: Layout, types: dict[str, pa.DataType]) -> pa.Table:
    return pyarrow.csv.read_csv(
        pa.BufferReader(text),
        pyarrow.csv.ReadOptions(
            column_names=list(layout.names), skip_rows=int(layout.header), encoding=layout.encoding
        ),
        pyarrow.csv.ParseOptions(delimiter=layout.delimiter),
        pyarrow.csv.ConvertOptions(
            column_types=types, decimal_point=layout.decimal_mark, strings_can_be_null=True, check_utf8=bool(types)
        ),
    )


def _torn_row(error: str) -> str:
    """Arrow's complaint about a row, in words for the table's owner; without the row's content."""
    found = re.search(r"Row #(\d+): Expected (\d+) columns, got (\d+)", error)
    if found:
        row, wanted, got = found.groups()
        return f"Line {row} has {got} cells instead of {wanted}. Check the delimiter and quotes there."
    return "The rows cannot be told apart: check the delimiter and the quotes."
