"""How large a Parquet file becomes when it is decoded, read off its bytes before anything is.

Arrow is not asked: it ends the whole process where a column's summary is damaged in some ways. Nor is the summary
believed: the decoder goes by the headers of the pages. Fields are numbered as in
https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift.
"""

from dataclasses import dataclass

from losses.parquet.thrift import Reader, Struct

MOST_PAGES = 200_000
LARGEST_SUMMARY = 8_000_000  # bytes
_END = b"PAR1"
_GROWING = 7  # DELTA_BYTE_ARRAY: cells share their beginnings, and no page says how long they become


@dataclass(frozen=True)
class Chunk:
    """A column's cells in one group of rows: where its pages lie in the file, and its number of cells."""

    start: int
    length: int
    cells: int
    may_grow: bool


@dataclass(frozen=True)
class Summary:
    """What the end of a file says: rows of every group of rows, and the chunks of every group, by the columns."""

    rows: tuple[int, ...]
    chunks: tuple[tuple[Chunk, ...], ...]


def summary_of(data: memoryview) -> Summary:
    """The summary at the end of a file.

    Raises ValueError where there is none, or one that contradicts itself, or too large a one.
    """
    length = int.from_bytes(data[-8:-4], "little")
    if data[-4:] != _END or not 0 < length <= min(len(data) - 12, LARGEST_SUMMARY):
        raise ValueError("no summary, or one that is too large")
    try:
        fields = Reader(data[-8 - length : -8], 0).struct()
        groups = fields[4]
        rows = tuple(group[3] for group in groups)
        summary = Summary(rows, tuple(tuple(_chunk(column[3]) for column in group[1]) for group in groups))
    except (LookupError, TypeError, AttributeError):
        raise ValueError("a summary that is damaged") from None
    whole = fields.get(3)
    if not isinstance(whole, int) or sum(rows) != whole or any(row < 0 for row in rows):
        raise ValueError("groups of rows that are not all rows")
    return summary


def _chunk(column: Struct) -> Chunk:
    starts = [column[9], *([column[11]] if column.get(11) else [])]
    chunk = Chunk(min(starts), column[7], column[5], _GROWING in column[2])
    if not all(isinstance(number, int) for number in (chunk.start, chunk.length, chunk.cells)):
        raise TypeError("sizes that are no numbers")
    return chunk


def unpacked_sizes(data: memoryview, start: int, length: int, most: int = MOST_PAGES) -> list[int]:
    """Sizes in bytes of the pages between ``start`` and ``start + length``, decoded.

    Raises ValueError where there are no whole pages, or more than ``most``.
    """
    sizes: list[int] = []
    place, end = start, start + length
    if start < 0 or length < 0 or end > len(data):
        raise ValueError("pages outside the file")
    while place < end:
        try:
            reader = Reader(data, place)
            header = reader.struct()
            size, packed = int(header[2]), int(header[3])
        except (LookupError, TypeError):
            raise ValueError("a page header that is damaged") from None
        if size < 0 or packed < 0 or len(sizes) >= most:
            raise ValueError("pages without sizes, or too many of them")
        sizes.append(size)
        place = reader.place + packed
    return sizes
