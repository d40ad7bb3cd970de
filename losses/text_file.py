"""A text table read with Arrow: straight to numbers and yes-or-no where all cells obey, as it is written where not."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from losses import cells
from losses.columns import Sketch, sketches
from losses.errors import TableError, counted, quoted
from losses.layout import MISSING, KnownLayout, Layout, layout_of
from losses.table import ClusterColumn, LabelColumn, NumberColumn
from losses.unpacking import Text

_BLOCK = 1 << 20
_NULLS = [*MISSING, "nan", "NaN", "NAN"]


@dataclass(frozen=True, eq=False)
class TextFile:
    """A text table whose layout is known.

    Attributes:
        text: in UTF-8.
        layout: how it is laid out.
        sketches: of its columns.
        is_quoted: whether it has quotation marks, between which lines may end.
    """

    text: pa.Buffer
    layout: Layout
    sketches: tuple[Sketch, ...]
    is_quoted: bool

    @classmethod
    def of(cls, text: Text, known: KnownLayout) -> "TextFile":
        """Find its layout.

        Raises TableError where there is none, UnicodeDecodeError where the rows looked at are not UTF-8.
        """
        is_quoted = _quotation_marks(text.buffer) > 0
        found = layout_of(text.buffer, known)
        layout = replace(found, encoding=text.encoding, is_packed=text.is_packed)
        return cls(text.buffer, layout, sketches(layout), is_quoted)

    def columns(
        self, numbers: Sequence[Sketch], labels: Sequence[Sketch], clusters: Sequence[Sketch], most_labels: int
    ) -> tuple[int, list[NumberColumn], list[LabelColumn], list[ClusterColumn]]:
        """How many rows there are, and the named columns.

        Raises TableError for rows of another length, UnicodeDecodeError for text that is not UTF-8.
        """
        table = self._strictly(numbers, [*labels, *clusters])
        if table is not None:
            found = [cells.numbers(one.name, table[one.name], one.unit) for one in numbers]
            marks = [cells.labels(one.name, table[one.name], most_labels) for one in labels]
            return table.num_rows, found, marks, _clusters(table, clusters)
        strings = self._as_strings(list(dict.fromkeys(one.name for one in (*numbers, *labels, *clusters))))
        found = [cells.written_numbers(one.name, strings[one.name], self.layout, one.unit) for one in numbers]
        marks = [cells.labels(one.name, strings[one.name], most_labels) for one in labels]
        return strings.num_rows, found, marks, _clusters(strings, clusters)

    def as_written(self) -> pa.Table:
        """All columns as text, blank cells null; numbers that are not written plainly as numbers.

        Raises TableError for rows of another length, UnicodeDecodeError for text that is not UTF-8.
        """
        table = self._as_strings(list(self.layout.names))
        is_odd = self.layout.grouped or self.layout.decimal == ","
        found = {}
        for one in self.sketches:
            column = table[one.name]
            if is_odd and one.may_be_numbers:
                values = pa.array(cells.written_numbers(one.name, column, self.layout).values, from_pandas=True)
                found[one.name] = pa.chunked_array([values if one.has_fractions else _whole(values)])
            else:
                blank = pc.is_in(pc.utf8_trim_whitespace(column), value_set=pa.array(MISSING))
                found[one.name] = pc.if_else(blank, pa.scalar(None, pa.string()), column)
        return pa.table(found)

    def _strictly(self, numbers: Sequence[Sketch], labels: Sequence[Sketch]) -> pa.Table | None:
        """The table if every cell is what the probed rows promise; None otherwise.

        Where cells are quoted, line ends may be too: that is slower to read.
        """
        types: dict[str, pa.DataType] = {one.name: pa.float64() for one in numbers}
        types |= {one.name: pa.dictionary(pa.int32(), pa.string()) for one in labels}
        if self.layout.grouped:
            return None
        convert = csv.ConvertOptions(
            column_types=types,
            include_columns=list(types),
            null_values=_NULLS,
            strings_can_be_null=True,
            decimal_point=self.layout.decimal,
        )
        parse = csv.ParseOptions(delimiter=self.layout.delimiter, newlines_in_values=self.is_quoted)
        try:
            return csv.read_csv(pa.BufferReader(self.text), self._read_options(), parse, convert)
        except pa.ArrowInvalid:
            return None

    def _read_options(self, use_threads: bool = True) -> csv.ReadOptions:
        return csv.ReadOptions(
            use_threads=use_threads,
            block_size=_BLOCK,
            column_names=list(self.layout.names),
            skip_rows=self.layout.skipped,
            skip_rows_after_names=int(self.layout.has_header),
        )

    def _as_strings(self, names: list[str]) -> pa.Table:
        """The table as it is written.

        Raises TableError for rows of another length, UnicodeDecodeError for text that is not UTF-8.
        """
        ragged: list[csv.InvalidRow] = []

        def note(row: csv.InvalidRow) -> str:
            ragged.append(row)
            return "skip" if len(ragged) < 1000 else "error"

        parse = csv.ParseOptions(delimiter=self.layout.delimiter, newlines_in_values=True, invalid_row_handler=note)
        types = dict.fromkeys(names, pa.string())
        convert = csv.ConvertOptions(column_types=types, include_columns=names, strings_can_be_null=False)
        try:
            strings = csv.read_csv(pa.BufferReader(self.text), self._read_options(False), parse, convert)
        except pa.ArrowInvalid as refusal:
            if "UTF8" in str(refusal):
                raise UnicodeDecodeError("utf-8", b"", 0, 1, "not UTF-8") from None
            if not ragged:
                raise TableError(
                    "The file cannot be read as rows of cells; perhaps a quotation mark is never closed.",
                    "Save it again as CSV.",
                ) from None
            strings = None
        if ragged:
            raise _ragged_error(ragged, self.layout)
        return strings


def _whole(values: pa.Array) -> pa.Array:
    """The same as whole numbers, where all of them are."""
    try:
        return values.cast(pa.int64())
    except pa.ArrowInvalid:
        return values


def _clusters(table: pa.Table, wanted: Sequence[Sketch]) -> list[ClusterColumn]:
    """Those in which rows belong together."""
    found = (cells.clusters(one.name, table[one.name]) for one in wanted)
    return [column for column in found if column is not None]


def _quotation_marks(text: pa.Buffer) -> int:
    """How many there are.

    Raises TableError for an odd number: one that is never closed swallows rows, silently where nobody needs its column.
    """
    blocks = (text.slice(start, min(_BLOCK, text.size - start)) for start in range(0, text.size, _BLOCK))
    count: int = sum(_marks_in(block.to_pybytes()) for block in blocks)
    if count % 2:
        raise TableError(
            f"A quotation mark is never closed: the file has an odd number of them, {count:,}.",
            "Close it, or take out one that stands alone in a cell.",
        )
    return count


def _marks_in(block: bytes) -> int:
    return block.count(b'"') if b'"' in block else 0  # looking for one is far faster than counting none


def _ragged_error(ragged: list[csv.InvalidRow], layout: Layout) -> TableError:
    first = ragged[0]
    number = f"Row {first.number - layout.skipped - layout.has_header:,}" if first.number else "One row"
    count = f"{len(ragged):,}" if len(ragged) < 1000 else "1,000 or more"
    do = "does" if len(ragged) == 1 else "do"
    return TableError(
        f"Rows differ in length: {count} of them {do} not have {counted(first.expected_columns, 'cell')}.",
        layout.remedy_for_lengths,
        f"{number} has {first.actual_columns:,}: {quoted(first.text)}.",
    )
