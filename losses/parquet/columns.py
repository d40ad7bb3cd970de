"""Columns of a Parquet file: which of Arrow's types are of use, and how they are decoded."""

from collections.abc import Callable

import pyarrow as pa

from losses.columns import Sketch
from losses.header import MISSING
from losses.table import UNIT

_UNITS = {pa.float16(): 2.0**-10, pa.float32(): 2.0**-23}


def is_text(kind: pa.DataType) -> bool:
    """Whether cells are strings, perhaps each written once, or bytes that may be."""
    kind = _of_values(kind)
    return bool(
        pa.types.is_string(kind)
        or pa.types.is_large_string(kind)
        or pa.types.is_binary(kind)
        or pa.types.is_large_binary(kind)
    )


def _of_values(kind: pa.DataType) -> pa.DataType:
    """The type of the cells where a dictionary holds each of them once."""
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_floating(kind) or pa.types.is_integer(kind) or pa.types.is_decimal(kind))


def is_plain(kind: pa.DataType) -> bool:
    """Whether cells are numbers, yes or no, or text: nothing nested, no times."""
    kind = _of_values(kind)
    return bool(_is_number(kind) or pa.types.is_boolean(kind) or is_text(kind))


def decoded(table: pa.Table, text: Callable[[str], Callable[[pa.ChunkedArray], pa.ChunkedArray]]) -> pa.Table:
    """Columns of floats, whole numbers, yes or no, and dictionaries of strings, made by what ``text`` gives by name."""
    names = table.schema.names
    return pa.table({name: _decoded_column(table.column(name), text(name)) for name in names})


def as_text(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Dictionaries of strings; Raises ArrowInvalid where they are not UTF-8."""
    words = column.cast(pa.dictionary(pa.int32(), pa.string()))
    words.validate(full=True)
    return words


def text_or_blank(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """The same, but blank cells where it is not text: pictures, say, that nobody needs."""
    try:
        return as_text(column)
    except pa.ArrowInvalid:
        return pa.chunked_array([pa.nulls(len(column), pa.dictionary(pa.int32(), pa.string()))])


def _decoded_column(column: pa.ChunkedArray, text: Callable[[pa.ChunkedArray], pa.ChunkedArray]) -> pa.ChunkedArray:
    if is_text(column.type):
        return text(column)
    kind = _of_values(column.type)
    column = column.cast(kind)
    return column.cast(pa.float64()) if pa.types.is_decimal(kind) or pa.types.is_float16(kind) else column


def sketch_of(place: int, name: str, kind: pa.DataType, filled: list[object]) -> Sketch:
    """What some ``filled`` cells of the column say about it."""
    kind = _of_values(kind)
    words = [str(cell).strip() for cell in filled]
    different = tuple(dict.fromkeys(word for word in words if word not in MISSING))
    fractions = _is_number(kind) and any(isinstance(cell, float) and cell % 1 for cell in filled)
    known = sum(word not in MISSING for word in words)
    return Sketch(place, name, float(_is_number(kind)), different, fractions, _UNITS.get(kind, UNIT), known)
