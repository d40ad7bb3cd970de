"""Arrays that NumPy saved, .npy and .npz: numbers, yes or no, and text, never pickled objects.

A header says what follows; it is believed only where the bytes that are there are as many as it says.
"""

import io
import math
import zipfile
from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.lib import format as npy
from numpy.typing import NDArray

from losses.columns_file import ColumnsFile, as_text, too_many_columns
from losses.errors import TableError, quoted
from losses.layout import MOST_COLUMNS
from losses.unpacking import member

ENDING = ".npy"
_LONGEST_HEADER = 1 << 14  # bytes; NumPy itself reads 10,000
Array = NDArray[Any]
_HEADERS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
_PLAIN = "Save plain numbers: a number for every record, or a row of them."
_AGAIN = "Save it again: numpy.savez(file, loss=loss, member=member)."


def opened(data: bytes | bytearray) -> ColumnsFile:
    """The columns of one array.

    Raises TableError where it is damaged, holds objects, or has no rows and columns.
    """
    array = _array(data, "The array")
    if not _is_table(array):
        raise TableError(f"The array has the shape {array.shape}, which is no table.", _PLAIN)
    return ColumnsFile.of(_columns({"": array}), "NumPy array", has_header=array.dtype.names is not None)


def opened_archive(archive: zipfile.ZipFile) -> ColumnsFile:
    """The columns of an archive of arrays; single numbers, and arrays of more dimensions than a table has, are left.

    Raises TableError where it is damaged, or an array holds objects.
    """
    arrays, left = dict[str, Array](), list[str]()
    for info in archive.infolist():
        name = info.filename.removesuffix(ENDING)
        array = _array(member(archive, info), f"The array {quoted(name)}")
        if _is_table(array):
            arrays[name] = array
        else:
            left.append(name)
    return ColumnsFile.of(_columns(arrays), "NumPy archive", left=left)


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
        raise TableError(f"{what} holds Python objects, which are never read.", how)
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


def _columns(arrays: Mapping[str, Array]) -> dict[str, pa.Array]:
    """Columns by name, rows of numbers as lists in one; a field of records is a column by its own name."""
    found: dict[str, pa.Array] = {}
    for name, array in arrays.items():
        for field in array.dtype.names or ("",):
            column = as_text(f"{name} {field}".strip())
            if column in found:
                raise TableError(f"Two arrays would be the column {quoted(column)}.", "Give every array its own name.")
            found[column] = _column(field or name, _plain(array[field] if field else array))
    return found


def _column(name: str, array: Array) -> pa.Array:
    if array.ndim > 2 or array.dtype.kind not in "fiubUS":
        raise TableError(f"The array {quoted(name)} holds {array.dtype}, neither numbers nor text.", _PLAIN)
    if array.dtype.kind in "US":
        return pa.array(_texts(name, array))
    plain = array.astype(array.dtype.newbyteorder("="), copy=False)
    if plain.dtype.kind == "f" and plain.dtype.itemsize > 8:
        plain = plain.astype(np.float64)
    if array.ndim == 1:
        return pa.array(plain)
    if array.shape[1] > MOST_COLUMNS:
        raise too_many_columns(array.shape[1])
    return pa.FixedSizeListArray.from_arrays(pa.array(plain.ravel()), array.shape[1])


def _texts(name: str, array: Array) -> list[str]:
    try:
        if array.ndim == 1:
            cells = array.tolist()
            return [one.decode() if isinstance(one, bytes) else as_text(one) for one in cells]
    except ValueError:
        raise TableError(f"The array {quoted(name)} holds text that is damaged.", _AGAIN) from None
    raise TableError(f"The array {quoted(name)} holds several texts in a row.", _PLAIN)
