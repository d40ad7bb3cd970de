"""Arrays that NumPy saved, .npy and .npz: numbers, yes or no, and text, never pickled objects.

A header says what follows; it is believed only where the bytes that are there are as many as it says.
"""

import io
import math
import zipfile
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.lib import format as npy
from numpy.typing import NDArray

from losses.columns_file import ColumnsFile, as_text
from losses.errors import TableError, quoted
from losses.layout import check_width
from losses.recognise_columns import SAYS_IT, Sketch
from losses.unpacking import member

ENDING = ".npy"
_LONGEST_HEADER = 1 << 14  # bytes; NumPy itself reads 10,000
_NUMBERS, _TEXT = "fiub", "US"  # kinds of cells
Array = NDArray[Any]
_HEADERS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
_PLAIN = "Save plain numbers: a number for every record, or a row of them."
_AGAIN = "Save it again: numpy.savez(file, loss=loss, member=member)."


class OtherCellsError(TableError):
    """An array of what no column holds; an archive may hold others beside it."""


def opened(data: bytes | bytearray) -> ColumnsFile:
    """The columns of one array.

    Raises TableError where it is damaged, holds objects, or has no rows and columns.
    """
    array = _array(data, "The array")
    if not _is_table(array):
        raise TableError(f"The array has the shape {array.shape}, which is no table.", _PLAIN)
    return ColumnsFile.of(_columns("", array), "NumPy array", has_header=array.dtype.names is not None)


def opened_archive(archive: zipfile.ZipFile) -> ColumnsFile:
    """The columns of an archive of arrays.

    Single numbers, arrays of more dimensions than a table has, and of neither numbers nor text are left, and named.

    Raises TableError where it is damaged, or an array that is named like the losses, or every one, is left.
    """
    columns, left, others = dict[str, pa.Array](), list[str](), list[OtherCellsError]()
    for info in archive.infolist():
        name = info.filename.removesuffix(ENDING)
        try:
            array = _array(member(archive, info), f"The array {quoted(name)}")
            found = _columns(name, array) if _is_table(array) else {}
        except OtherCellsError as refusal:
            if Sketch(0, name, 1.0, (), False).likely_losses >= SAYS_IT:
                raise
            others.append(refusal)
            continue
        left += [] if found else [name]
        if again := columns.keys() & found.keys():
            raise TableError(f"Two arrays would be the column {quoted(min(again))}.", "Give every array its own name.")
        columns |= found
    if others and not columns:
        raise others[0]
    return ColumnsFile.of(columns, "NumPy archive", left=left, note=" ".join(one.what for one in others))


def _array(data: bytes | bytearray, what: str) -> Array:
    """An array, whose header was checked first; ``what`` begins a refusal."""
    stream = io.BytesIO(data[:_LONGEST_HEADER])
    try:
        version = npy.read_magic(stream)
        if version not in _HEADERS:
            raise TableError(
                f"{what} is written in a form that is not read, {version}.", "Give its fields plain names."
            )
        shape, by_column, kind = _HEADERS[version](stream)
    except TableError:
        raise
    except Exception:  # Python's own parsers read it, each with errors of its own
        raise TableError(f"{what} is damaged: its header cannot be read.", _AGAIN) from None
    if kind.hasobject:
        how = "Save plain arrays, without pickled objects: numpy.asarray(values, dtype=float)."
        raise OtherCellsError(f"{what} holds Python objects, which are never read.", how)
    start = stream.tell()
    count, held = math.prod(shape), len(data) - start
    if not kind.itemsize or min(shape, default=0) < 0 or count * kind.itemsize != held:
        said = f"The header says {kind.itemsize * count:,} bytes in the shape {shape}, and there are {held:,}."
        raise TableError(f"{what} is damaged.", _AGAIN, said if len(said) < 200 else "")
    try:
        return np.frombuffer(data, kind, count, start).reshape(shape, order="F" if by_column else "C")
    except (ValueError, OverflowError):
        raise TableError(f"{what} has more dimensions, or larger ones, than any array.", _PLAIN) from None


def _plain(array: Array) -> Array:
    """The array without axes of length 1 behind the first."""
    return array.reshape([size for axis, size in enumerate(array.shape) if not axis or size != 1])


def _is_table(array: Array) -> bool:
    shape = _plain(array).shape
    return 0 < len(shape) < 3 and 0 not in shape[1:]


def _columns(name: str, array: Array) -> dict[str, pa.Array]:
    """Columns by name, rows of numbers as lists in one; a field of records is a column by its own name."""
    found: dict[str, pa.Array] = {}
    for field in array.dtype.names or ("",):
        column = as_text(f"{name} {field}".strip())
        found[column] = _column(field or name, _plain(array[field] if field else array))
    return found


def _column(name: str, array: Array) -> pa.Array:
    if array.ndim > 2 or array.dtype.kind not in _NUMBERS + _TEXT:
        what = f"The array {quoted(name)} holds {array.dtype}, which is not read: neither numbers nor text."
        raise OtherCellsError(what, _PLAIN)
    if array.dtype.kind in _TEXT:
        return pa.array(_texts(name, array))
    plain = array.astype(array.dtype.newbyteorder("="), copy=False)
    if plain.dtype.kind == "f" and plain.dtype.itemsize > 8:
        plain = plain.astype(np.float64)
    if array.ndim == 1:
        return pa.array(plain)
    check_width(array.shape[1])
    return pa.FixedSizeListArray.from_arrays(pa.array(plain.ravel()), array.shape[1])


def _texts(name: str, array: Array) -> list[str]:
    try:
        if array.ndim == 1:
            cells = array.tolist()
            return [one.decode() if isinstance(one, bytes) else as_text(one) for one in cells]
    except ValueError:
        raise TableError(f"The array {quoted(name)} holds text that is damaged.", _AGAIN) from None
    raise TableError(f"The array {quoted(name)} holds several texts in a row.", _PLAIN)
