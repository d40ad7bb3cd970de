"""A text table read with Arrow: straight to numbers and yes-or-no where all cells obey, as it is written where not."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import pyarrow as pa
from pyarrow import csv

from losses.errors import TableError, counted, quoted
from losses.layout import MISSING, KnownLayout, Layout, layout_of
from losses.recognise_columns import Sketch, sketches
from losses.unpacking import Text

_BLOCK = 1 << 20
_NULLS = [*MISSING, "nan", "NaN", "NAN"]
_MOST_RAGGED = 1000  # rows of another length that are counted


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

        Raises TableError where there is none, or where a quotation mark is never closed: it swallows rows, silently
        where nobody needs its column. Raises UnicodeDecodeError where the rows looked at are not UTF-8.
        """
        marks = 0
        for start in range(0, text.buffer.size, _BLOCK):
            block = text.buffer.slice(start, min(_BLOCK, text.buffer.size - start)).to_pybytes()
            marks += block.count(b'"') if b'"' in block else 0  # looking for one is far faster than counting none
        if marks % 2:
            raise TableError(
                f"A quotation mark is never closed: the file has an odd number of them, {marks:,}.",
                "Close it, or take out one that stands alone in a cell.",
            )
        layout = replace(layout_of(text.buffer, known), encoding=text.encoding, is_packed=text.is_packed)
        return cls(text.buffer, layout, sketches(layout), marks > 0)

    def read(
        self, numbers: Sequence[Sketch], labels: Sequence[Sketch], clusters: Sequence[Sketch]
    ) -> Iterator[tuple[str, pa.ChunkedArray]]:
        """The columns by name: as numbers and dictionaries if every cell is what the probed rows promise, else as text.

        Raises TableError for rows of another length, UnicodeDecodeError for text that is not UTF-8.
        """
        names = list(dict.fromkeys(one.name for one in (*numbers, *labels, *clusters)))
        table = None
        if not self.layout.grouped:
            types: dict[str, pa.DataType] = {one.name: pa.float64() for one in numbers}
            types |= {one.name: pa.dictionary(pa.int32(), pa.string()) for one in (*labels, *clusters)}
            convert = csv.ConvertOptions(
                column_types=types,
                include_columns=names,
                null_values=_NULLS,
                strings_can_be_null=True,
                decimal_point=self.layout.decimal,
            )
            # Where cells are quoted, line ends may be too: that is slower to read.
            parse = csv.ParseOptions(delimiter=self.layout.delimiter, newlines_in_values=self.is_quoted)
            with suppress(pa.ArrowInvalid):
                table = csv.read_csv(pa.BufferReader(self.text), self._read_options(), parse, convert)
        table = self._as_strings(names) if table is None else table
        yield from ((name, table[name]) for name in names)

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
            return "skip" if len(ragged) < _MOST_RAGGED else "error"

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
        if not ragged:
            return strings
        first, layout = ragged[0], self.layout
        number = f"Row {first.number - layout.skipped - layout.has_header:,}" if first.number else "One row"
        count = f"{len(ragged):,}" if len(ragged) < _MOST_RAGGED else "1,000 or more"
        do = "does" if len(ragged) == 1 else "do"
        raise TableError(
            f"Rows differ in length: {count} of them {do} not have {counted(first.expected_columns, 'cell')}.",
            layout.remedy_for_lengths,
            f"{number} has {first.actual_columns:,}: {quoted(first.text)}.",
        )
