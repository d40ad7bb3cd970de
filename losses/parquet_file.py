"""A Parquet file: sizes checked before anything is decoded, then read column by column."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

from losses import cells, odd_cells
from losses.columns import Sketch
from losses.errors import TableError, quoted
from losses.header import MISSING, names_of
from losses.layout import A_ROW_EACH, MOST_COLUMNS
from losses.parquet_pages import unpacked_sizes
from losses.table import UNIT, LabelColumn, NumberColumn

_START, _ENCRYPTED = b"PAR1", b"PARE"
_PROBE = 400  # rows, of the first, the middle and the last group of rows
_MOST_PAGES = 200_000
_TOGETHER = 1 << 25  # bytes; columns decoded at once
_SMALLER = "Keep only the columns with the losses and the membership, or a random sample of the rows."
_AGAIN = "Write or upload it again."
_PLAIN = "Keep only plain columns: write each part as a column of its own."
_GROWING = {"DELTA_BYTE_ARRAY"}  # cells share their beginnings: no page says how long they become
_UNITS = {pa.float16(): 2.0**-10, pa.float32(): 2.0**-23}
_Found = TypeVar("_Found")


@dataclass(frozen=True)
class ParquetLayout:
    """How a Parquet file is laid out: it says so itself."""

    names: tuple[str, ...]
    groups: int
    has_header: bool = True

    @property
    def words(self) -> str:
        """The layout in words."""
        return f"Parquet, {len(self.names):,} columns" if len(self.names) != 1 else "Parquet, one column"


def is_parquet(data: bytes) -> bool:
    """Whether the file begins like one."""
    return data[: len(_START)] in (_START, _ENCRYPTED)


@dataclass(frozen=True, eq=False)
class ParquetFile:
    """A Parquet file whose summary has been checked.

    Attributes:
        data: its bytes.
        file: Arrow's reader.
        layout: names of the columns.
        largest: limit on the bytes of what is read, decoded.
    """

    data: bytes
    file: pq.ParquetFile
    layout: ParquetLayout
    largest: int

    @classmethod
    def of(cls, data: bytes, largest: int) -> "ParquetFile":
        """Read the file's summary.

        Raises TableError where it is damaged or encrypted, has too many rows or columns, or none.
        """
        if data.startswith(_ENCRYPTED):
            raise TableError("The Parquet file is encrypted.", "Write it without encryption.")
        file = _undamaged(lambda: _open(data))
        summary = file.metadata
        names = list(file.schema_arrow.names)
        if len(names) > MOST_COLUMNS:
            what = f"The file has {len(names):,} columns; at most {MOST_COLUMNS:,} are read."
            raise TableError(what, "Keep only the columns with the losses and the membership.")
        if len(set(names)) < len(names):
            again = next(name for place, name in enumerate(names) if name in names[:place])
            raise TableError(f"Two columns have the name {quoted(again)}.", "Give every column its own name.")
        if summary.num_rows <= 0:
            raise TableError("The file holds no rows.", A_ROW_EACH)
        if 8 * summary.num_rows > largest:
            raise TableError(f"The file has {summary.num_rows:,} rows; at most {largest // 8:,} are read.", _SMALLER)
        return cls(data, file, ParquetLayout(names_of(tuple(names)), summary.num_row_groups), largest)

    @cached_property
    def sketches(self) -> tuple[Sketch, ...]:
        """One for every column that can be of use.

        Raises TableError where nested columns are all there is, or one of them is named like the losses.
        """
        usable = {place: field.type for place, field in enumerate(self.file.schema_arrow) if _is_plain(field.type)}
        self._refuse_nested(usable)
        probe = self._probe(list(usable)) if usable else None
        found = []
        for number, (place, kind) in enumerate(usable.items()):
            filled = [] if probe is None else [cell for cell in probe.column(number).to_pylist() if cell is not None]
            found.append(_sketch(place, self.layout.names[place], kind, filled))
        return tuple(found)

    def _refuse_nested(self, usable: dict[int, pa.DataType]) -> None:
        for place, field in enumerate(self.file.schema_arrow):
            is_wanted = not usable or Sketch(place, field.name, 1.0, (), False).likely_losses >= 4
            if pa.types.is_nested(field.type) and is_wanted:
                kind = quoted(str(field.type))
                raise TableError(f"The column {quoted(field.name)} is nested: it holds {kind} in every row.", _PLAIN)

    def _probe(self, places: list[int]) -> pa.Table:
        """Some rows of columns, from the start, the middle and the end."""
        self._check_pages(places, room=0)
        last = self.layout.groups - 1
        names = [self.file.schema_arrow.names[place] for place in places]

        def read() -> pa.Table:
            starts = [
                next(self.file.iter_batches(_PROBE, row_groups=[group], columns=names))
                for group in sorted({0, last // 2, last})
                if self.file.metadata.row_group(group).num_rows
            ]
            return pa.Table.from_batches([_decoded(pa.Table.from_batches([start])).to_batches()[0] for start in starts])

        return _undamaged(read)

    def columns(
        self, numbers: Sequence[Sketch], labels: Sequence[Sketch], most_labels: int
    ) -> tuple[int, list[NumberColumn], list[LabelColumn]]:
        """How many rows there are, and the named columns.

        Raises TableError where they are damaged, or larger than the limit when decoded.
        """
        rows = self.file.metadata.num_rows
        places = [one.place for one in (*numbers, *labels)]
        self._check_pages(places, room=8 * rows * len(places))
        kinds = {one.name: one for one in numbers}
        found: dict[str, NumberColumn | LabelColumn] = {}
        for place, column in self._read(places):
            name = self.layout.names[place]
            if len(column) != rows:
                raise _damaged()
            if name in kinds:
                found[name] = cells.numbers(name, column, kinds[name].unit)
            else:
                found[name] = odd_cells.labels(name, column, most_labels)
        read = [found[one.name] for one in numbers], [found[one.name] for one in labels]
        return rows, *read  # type: ignore[return-value]

    def _read(self, places: list[int]) -> Iterator[tuple[int, pa.ChunkedArray]]:
        """Columns, a few at a time: each is turned into numbers before the next ones are decoded."""
        together = max(1, _TOGETHER // (8 * self.file.metadata.num_rows))
        for start in range(0, len(places), together):
            part = places[start : start + together]
            names = [self.file.schema_arrow.names[place] for place in part]
            table = _undamaged(partial(self._table, names))
            yield from ((place, table.column(name)) for place, name in zip(part, names, strict=True))

    def _table(self, names: list[str]) -> pa.Table:
        return _decoded(self.file.read(names))

    def _check_pages(self, places: list[int], room: int) -> None:
        """Refuse columns whose pages are larger than the limit when decoded; ``room`` is for what is made of them."""
        view, total, pages = memoryview(self.data), 0, 0
        leaves = {self.file.schema.column(leaf).path: leaf for leaf in range(len(self.file.schema))}
        for place in places:
            leaf = leaves[self.file.schema_arrow.names[place]]
            for group in range(self.layout.groups):
                sizes = self._sizes(view, group, leaf, _MOST_PAGES - pages)
                total, pages = total + sum(sizes), pages + len(sizes)
                if max(total, room // 2) > self.largest:
                    limit = f"{self.largest / 1e6:,.0f} MB"
                    raise TableError(f"Decoded, the file's columns are larger than the limit, {limit}.", _SMALLER)

    def _sizes(self, view: memoryview, group: int, leaf: int, most: int) -> list[int]:
        rows = self.file.metadata.row_group(group)
        chunk = rows.column(leaf)
        if _GROWING.intersection(chunk.encodings):
            name = quoted(chunk.path_in_schema)
            raise TableError(f"The column {name} is in an encoding that is not read.", "Write it with plain encoding.")
        if chunk.num_values != rows.num_rows:
            raise _damaged()
        starts = [chunk.data_page_offset]
        if chunk.has_dictionary_page and chunk.dictionary_page_offset:
            starts.append(chunk.dictionary_page_offset)
        try:
            return unpacked_sizes(view, min(starts), chunk.total_compressed_size, most)
        except ValueError:
            raise _damaged() from None


def _open(data: bytes) -> pq.ParquetFile:
    source = pa.BufferReader(data)
    plain = pq.ParquetFile(source, thrift_string_size_limit=1 << 24, thrift_container_size_limit=1 << 20)
    words = [field.name for field in plain.schema_arrow if _is_text(field.type)]
    return pq.ParquetFile(  # a long cell that is written once and meant in every row stays one cell
        source, metadata=plain.metadata, read_dictionary=words, page_checksum_verification=True
    )


def _undamaged(read: Callable[[], _Found]) -> _Found:
    """What is read; Raises TableError instead of Arrow's many ways to say that a file is damaged."""
    try:
        return read()
    except (pa.ArrowException, OSError, ValueError, KeyError, IndexError, OverflowError, StopIteration) as refusal:
        if isinstance(refusal, pa.ArrowNotImplementedError):
            raise TableError("The Parquet file has a form that is not read.", "Write it in a plain form.") from None
        raise _damaged() from None


def _damaged() -> TableError:
    return TableError("The Parquet file is damaged.", _AGAIN)


def _is_text(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return bool(
        pa.types.is_string(kind)
        or pa.types.is_large_string(kind)
        or pa.types.is_binary(kind)
        or pa.types.is_large_binary(kind)
    )


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_floating(kind) or pa.types.is_integer(kind) or pa.types.is_decimal(kind))


def _is_plain(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return bool(_is_number(kind) or pa.types.is_boolean(kind) or _is_text(kind))


def _decoded(table: pa.Table) -> pa.Table:
    """Columns of floats, whole numbers, yes or no, and dictionaries of strings."""
    return pa.table({field.name: _decoded_column(table.column(field.name)) for field in table.schema})


def _decoded_column(column: pa.ChunkedArray) -> pa.ChunkedArray:
    kind = column.type
    if _is_text(kind):
        return column.cast(pa.dictionary(pa.int32(), pa.string()))
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
        column = column.cast(kind)
    return column.cast(pa.float64()) if pa.types.is_decimal(kind) or pa.types.is_float16(kind) else column


def _sketch(place: int, name: str, kind: pa.DataType, filled: list[object]) -> Sketch:
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    words = [str(cell).strip() for cell in filled]
    different = tuple(dict.fromkeys(word for word in words if word not in MISSING))
    fractions = _is_number(kind) and any(isinstance(cell, float) and cell % 1 for cell in filled)
    return Sketch(place, name, float(_is_number(kind)), different, fractions, _UNITS.get(kind, UNIT))
