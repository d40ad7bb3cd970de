"""A Parquet file, read column by column with Arrow.

What it says about its own size is checked before anything is decoded, and may be false; Arrow ends the whole process
where some parts of a file are damaged. An untrusted file is therefore read by ``losses.isolation``.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

from losses.columns_file import NOT_PLAIN, UNITS
from losses.errors import TableError, quoted
from losses.layout import A_ROW_EACH, MISSING, check_width, names_of
from losses.recognise_columns import SAYS_IT, Sketch
from losses.table import UNIT, FileLayout

_TEXT = (
    pa.types.is_string,
    pa.types.is_large_string,
    pa.types.is_binary,
    pa.types.is_large_binary,
)  # bytes may be text
_NUMBERS = (pa.types.is_floating, pa.types.is_integer, pa.types.is_decimal)
_WORDS = pa.dictionary(pa.int32(), pa.string())


def _is(kind: pa.DataType, *kinds: Callable[[pa.DataType], bool]) -> bool:
    return any(is_so(_of_values(kind)) for is_so in kinds)


def _of_values(kind: pa.DataType) -> pa.DataType:
    """The type of the cells where a dictionary holds each of them once."""
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _decoded(column: pa.ChunkedArray, is_needed: bool) -> pa.ChunkedArray:
    """A column of floats, whole numbers, yes or no, or dictionaries of strings.

    Raises ArrowInvalid where bytes are not UTF-8; cells are blank instead if they are not needed: pictures, say.
    """
    if _is(column.type, *_TEXT):
        try:
            words = column.cast(_WORDS)
            words.validate(full=True)
        except pa.ArrowInvalid:
            if is_needed:
                raise
            return pa.chunked_array([pa.nulls(len(column), _WORDS)])
        return words
    kind = _of_values(column.type)
    column = column.cast(kind)
    return column.cast(pa.float64()) if pa.types.is_decimal(kind) or pa.types.is_float16(kind) else column


_START, _ENCRYPTED = b"PAR1", b"PARE"
_PROBE = 400  # rows, of the first, the middle and the last group of rows
_TOGETHER = 1 << 25  # bytes; columns decoded at once
_SMALLER = "Keep only the columns with the losses and the membership, or a random sample of the rows."
_AGAIN = "Write or upload it again."
_Found = TypeVar("_Found")


def is_parquet(data: bytes | bytearray) -> bool:
    """Whether the file begins like one."""
    return data[: len(_START)] in (_START, _ENCRYPTED)


@dataclass(frozen=True, eq=False)
class ParquetFile:
    """A Parquet file whose summary has been checked.

    Attributes:
        file: Arrow's reader.
        rows: how many there are.
        layout: names of the columns, fit to be shown.
        stored: their names as they are stored.
        largest: limit on the bytes of what is read, decoded.
    """

    file: pq.ParquetFile
    rows: int
    layout: FileLayout
    stored: tuple[str, ...]
    largest: int

    @classmethod
    def of(cls, data: bytes | bytearray, largest: int) -> "ParquetFile":
        """Read the file's summary.

        Raises TableError where it is damaged or encrypted, has too many rows or columns, or none.
        """
        if data.startswith(_ENCRYPTED):
            raise TableError("The Parquet file is encrypted.", "Write it without encryption.")
        file = _undamaged(lambda: _open(data))
        names = tuple(file.schema_arrow.names)
        check_width(len(names))
        if len(set(names)) < len(names):
            again = next(name for place, name in enumerate(names) if name in names[:place])
            raise TableError(f"Two columns have the name {quoted(again)}.", "Give every column its own name.")
        rows = file.metadata.num_rows
        if rows <= 0:
            raise TableError("The file holds no rows.", A_ROW_EACH)
        if 8 * rows > largest:
            raise TableError(f"The file has {rows:,} rows; at most {largest // 8:,} are read.", _SMALLER)
        words = f"Parquet, {len(names):,} columns" if len(names) != 1 else "Parquet, one column"
        return cls(file, rows, FileLayout(names_of(names), True, words), names, largest)

    @property
    def sketches(self) -> tuple[Sketch, ...]:
        """One for every column that can be of use.

        Raises TableError where nested columns are all there is, or one of them is named like the losses.
        """
        fields = dict(enumerate(self.file.schema_arrow))
        plain = [place for place, one in fields.items() if _is(one.type, *_NUMBERS, *_TEXT, pa.types.is_boolean)]
        for place, field in fields.items():
            is_wanted = not plain or Sketch(place, field.name, 1.0, (), False).likely_losses >= SAYS_IT
            if pa.types.is_nested(field.type) and is_wanted:
                kind = quoted(str(field.type))
                raise TableError(f"The column {quoted(field.name)} is nested: it holds {kind} in every row.", NOT_PLAIN)
        probe = self._probe(plain) if plain else None
        found = []
        for number, place in enumerate(plain):
            filled = [] if probe is None else [cell for cell in probe.column(number).to_pylist() if cell is not None]
            words, kind = [str(cell).strip() for cell in filled], _of_values(fields[place].type)
            known = [word for word in words if word not in MISSING]
            is_number = _is(kind, *_NUMBERS)
            fractions = is_number and any(isinstance(cell, float) and cell % 1 for cell in filled)
            different, unit = tuple(dict.fromkeys(known)), UNITS.get(kind, UNIT)
            name = self.layout.names[place]
            found.append(Sketch(place, name, float(is_number), different, fractions, unit, len(known)))
        return tuple(found)

    def _probe(self, places: list[int]) -> pa.Table:
        """Some rows of columns, from the start, the middle and the end."""
        self._check_sizes(places, room=0)
        names = [self.stored[place] for place in places]

        def read() -> pa.Table:
            filled = [place for place, group in enumerate(self._groups()) if group.num_rows]
            parts = []
            for group in sorted({filled[0], filled[len(filled) // 2], filled[-1]}):
                start = next(self.file.iter_batches(_PROBE, row_groups=[group], columns=names))
                table = pa.Table.from_batches([start])
                parts.append(pa.table({name: _decoded(table.column(name), False) for name in names}))
            return pa.concat_tables(parts)

        return _undamaged(read)

    def read(
        self, numbers: Sequence[Sketch], labels: Sequence[Sketch], clusters: Sequence[Sketch]
    ) -> Iterator[tuple[str, pa.ChunkedArray]]:
        """The columns by name, a few at a time: each is turned into numbers before the next ones are decoded.

        Of clusters alone cells may be no text, and are blank then. Raises TableError where columns are damaged, or
        larger than the limit when decoded.
        """
        places = list(dict.fromkeys(one.place for one in (*numbers, *labels, *clusters)))
        self._check_sizes(places, room=8 * self.rows * len(places))
        needed = {one.place for one in (*numbers, *labels)}
        together = max(1, _TOGETHER // (8 * self.rows))

        def decoded(part: list[int]) -> list[pa.ChunkedArray]:
            table = self.file.read([self.stored[place] for place in part])
            return [_decoded(table.column(self.stored[place]), place in needed) for place in part]

        for start in range(0, len(places), together):
            part = places[start : start + together]
            for place, column in zip(part, _undamaged(partial(decoded, part)), strict=True):
                if len(column) != self.rows:
                    raise _damaged()
                yield self.layout.names[place], column

    def _groups(self) -> Iterator[pq.RowGroupMetaData]:
        """What the summary says about each group of rows."""
        return (self.file.metadata.row_group(place) for place in range(self.file.num_row_groups))

    def _check_sizes(self, places: list[int], room: int) -> None:
        """Refuse columns that say they are larger than the limit when decoded; ``room`` is for what is made of them."""

        def said() -> int:
            leaf_of = {self.file.schema.column(leaf).path: leaf for leaf in range(len(self.file.schema))}
            leaves = [leaf_of[self.stored[place]] for place in places]
            return sum(group.column(leaf).total_uncompressed_size for group in self._groups() for leaf in leaves)

        total = _undamaged(said)
        if max(total, room // 2) > self.largest:
            limit = f"{self.largest / 1e6:,.0f} MB"
            raise TableError(f"Decoded, the file's columns are larger than the limit, {limit}.", _SMALLER)


def _open(data: bytes | bytearray) -> pq.ParquetFile:
    source = pa.BufferReader(data)
    plain = pq.ParquetFile(source, thrift_string_size_limit=1 << 24, thrift_container_size_limit=1 << 20)
    groups = (plain.metadata.row_group(place) for place in range(plain.num_row_groups))
    chunks = (group.column(place) for group in groups for place in range(group.num_columns))
    others = {chunk.path_in_schema for chunk in chunks if any("DELTA" in encoding for encoding in chunk.encodings)}
    words = [field.name for field in plain.schema_arrow if _is(field.type, *_TEXT) and field.name not in others]
    return pq.ParquetFile(  # a long cell that is written once and meant in every row stays one cell
        source, metadata=plain.metadata, read_dictionary=words, page_checksum_verification=True
    )


def _undamaged(read: Callable[[], _Found]) -> _Found:
    """What is read; Raises TableError instead of Arrow's many ways to say that a file is damaged."""
    try:
        return read()
    except (TableError, MemoryError):
        raise
    except (pa.ArrowException, OSError, ValueError, KeyError, IndexError, OverflowError, StopIteration) as refusal:
        if isinstance(refusal, pa.ArrowNotImplementedError):
            raise TableError("The Parquet file has a form that is not read.", "Write it in a plain form.") from None
        raise _damaged() from None


def _damaged() -> TableError:
    return TableError("The Parquet file is damaged.", _AGAIN)
