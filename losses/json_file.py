"""Tables in JSON: objects in an array or below each other, an object of columns, columns with rows of data.

Objects in an array, or a line each, are read by Arrow where all obey. Everything else goes through Python's own reader,
one row after the other, in three to four times the time: what is wrong can be said with its row.
"""

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain, count, islice
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import json as arrow_json

from losses.columns_file import Columns, ColumnsFile, as_column, as_text
from losses.errors import TableError, listed, quoted
from losses.layout import MOST_COLUMNS, check_width
from losses.table import LARGEST_WHOLE

_STARTS = re.compile(rb'(\xef\xbb\xbf)?\s*(\{|\[\s*([\[{"\]\-\d]|NaN|Infinity|true|false|null))')
_BLANK = re.compile(r"[ \t\r\n]*")
_COLUMNS, _ROWS = "columns", "data"  # of pandas ("split"), and of the tables of Weights & Biases
_HEAD = 1 << 10  # bytes by which a file is told
_ARRAY, _BETWEEN = re.compile(rb"\s*\[\s*\{"), re.compile(rb"\}\s*,\s*\{")
_STRING, _NO_MARKS = re.compile(rb'"[^"]*"'), bytes({*range(256)} - {*b'{}[]"'})
_DEEPEST, _LONGEST_OBJECT = 64, 1 << 18  # levels, and bytes
_AGAIN = "Write it again, for instance from Python: json.dump(rows, file), with a dict for every record."
_OWN_NAME = "Give every column its own name."
_A_ROW = "Write an object for every record, with the same keys, or an object with a list for every column."


def is_json(data: bytes | pa.Buffer) -> bool:
    """Whether text begins like a table in JSON."""
    return _STARTS.match(memoryview(data)[:_HEAD]) is not None


def opened(text: pa.Buffer) -> ColumnsFile:
    """The columns of a table in UTF-8.

    Raises TableError where it is no JSON, or no table; UnicodeDecodeError where it is not UTF-8.
    """
    if (found := _by_arrow(text)) is not None:
        return found
    values = _values(str(text, "utf-8"))
    first, *second = islice(values, 2)
    if second:
        return ColumnsFile.of(_of_rows(chain([first, *second], values)), "JSON, an object a line")
    return _of_object(first) if isinstance(first, dict) else ColumnsFile.of(_of_rows(first), "JSON")


def _by_arrow(text: pa.Buffer) -> ColumnsFile | None:
    """The columns of objects in an array, or below each other; None where there is one object, or anything is odd.

    Whole numbers beyond 64 bits, such as names of persons, would lose digits. Days and times stay as they are written.
    """
    if not _is_shallow(text):  # Arrow ends the process on a type that is nested as deep as its stack
        return None
    lines = _array_in_lines(text)
    form, source, rows = ("JSON, an object a line", text, None) if lines is None else ("JSON", *lines)
    with suppress(pa.ArrowInvalid, pa.ArrowNotImplementedError, UnicodeDecodeError):
        table = arrow_json.read_json(pa.BufferReader(source))
        if days := [(one.name, pa.string()) for one in table.schema if pa.types.is_timestamp(one.type)]:
            names, as_written = table.column_names, arrow_json.ParseOptions(explicit_schema=pa.schema(days))
            table = arrow_json.read_json(pa.BufferReader(source), parse_options=as_written).select(names)
        floats = [one for one in table.columns if pa.types.is_floating(one.type)]
        are_exact = all((pc.max(pc.abs(one)).as_py() or 0.0) < LARGEST_WHOLE for one in floats)
        is_whole = table.num_rows == rows if rows else table.num_rows > 1
        if is_whole and table.num_columns <= MOST_COLUMNS and are_exact:
            table.validate(full=True)
            columns = zip(table.column_names, table.columns, strict=True)
            return ColumnsFile.of({name: column.combine_chunks() for name, column in columns}, form)
    return None


def _is_shallow(text: pa.Buffer) -> bool:
    """Whether nothing in JSON is nested more than some levels deep.

    Without escaped marks, all else but marks, and strings, what is left are brackets: a round takes out the innermost.
    """
    data = text.to_pybytes()
    if b"\\" in data:
        data = data.replace(b"\\\\", b"").replace(b'\\"', b"")
    marks = data.translate(None, _NO_MARKS).replace(b'""', b"")  # which changes nothing of what lies between others
    if b'"' in marks:
        marks = _STRING.sub(b"", marks)
    for _ in range(_DEEPEST):
        if not marks:
            return True
        marks = marks.replace(b"{}", b"").replace(b"[]", b"")
    return False


def _array_in_lines(text: pa.Buffer) -> tuple[pa.Buffer, int] | None:
    """An array of objects as an object a line, and how many there must be; None for anything else.

    What stands between two objects becomes the end of a line. Where it stood within a string or a list, Arrow refuses
    what is left: no string has the end of a line in it, and no list goes on without its comma.
    """
    tail = bytes(memoryview(text)[-_HEAD:])
    end = text.size - len(tail) + len(tail.rstrip()) - 1
    start, between = _ARRAY.match(memoryview(text)), _BETWEEN.search(memoryview(text)[:_LONGEST_OBJECT])
    if start is None or between is None or not tail.rstrip().endswith(b"]"):
        return None
    found, data = between.group(), text.slice(start.end() - 1, end - start.end() + 1).to_pybytes()
    line_end = b"}\n" + b" " * (len(found) - 3) + b"{"  # as long as it was, which is faster to put in its place
    return pa.py_buffer(data.replace(found, line_end)), data.count(found) + 1


def _values(text: str) -> Iterator[Any]:
    """The values below each other; raises TableError with the place of what is no JSON."""
    read = json.JSONDecoder(object_pairs_hook=_Objects()).raw_decode
    place = _end_of_blank(text, text.startswith("\ufeff"))
    while place < len(text):
        try:
            value, place = read(text, place)
        except json.JSONDecodeError as refusal:
            where = f"Line {refusal.lineno:,}, character {refusal.colno:,}: {refusal.msg[:1].lower()}{refusal.msg[1:]}."
            raise TableError("The file begins like JSON, and is not valid.", _AGAIN, where) from None
        except RecursionError:
            raise TableError("The file is JSON in which objects are nested too deeply.", _A_ROW) from None
        except TableError:
            raise
        except ValueError:  # of whole numbers with thousands of digits
            raise TableError("A number in the file has more digits than any number needs.", _AGAIN) from None
        yield value
        place = _end_of_blank(text, place)


def _end_of_blank(text: str, start: int) -> int:
    found = _BLANK.match(text, start)
    return start if found is None else found.end()


class _Objects:
    """Makes objects of their keys and values; refuses a key that is there twice, of which the last would be taken."""

    def __init__(self) -> None:
        self._numbers = count(1)

    def __call__(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found, number = dict(pairs), next(self._numbers)
        if len(found) < len(pairs):
            again = _repeated([name for name, _ in pairs])
            raise TableError(f"Object {number:,} has the key {quoted(as_text(again))} twice.", _OWN_NAME)
        return found


def _repeated(names: list[str]) -> str:
    return next(name for place, name in enumerate(names) if name in names[:place])


def _of_object(found: dict[str, Any]) -> ColumnsFile:
    """The table that one object holds: in its columns, in its rows, or in what it has beside other things."""
    lists = {name: one for name, one in found.items() if isinstance(one, list)}
    objects = {name: one for name, one in found.items() if isinstance(one, dict)}
    names = lists.get(_COLUMNS)
    if names is not None and _ROWS in lists and all(isinstance(one, str | int) for one in names):
        return ColumnsFile.of(_of_rows(_named(list(map(str, names)), lists[_ROWS])), "JSON, columns and data")
    rows = [one for one in lists.values() if one and isinstance(one[0], dict)]
    if len(rows) == 1:
        left = [name for name, one in found.items() if one is not rows[0]]
        return ColumnsFile.of(_of_rows(rows[0]), "JSON", left=left)
    if lists:
        left = [name for name in found if name not in lists]
        return ColumnsFile.of(_as_columns(lists), "JSON, an object of columns", left=left)
    if objects and len(objects) == len(found):
        if all(name.isdecimal() for name in objects):
            return ColumnsFile.of(_of_rows(objects.values()), "JSON, an object of rows")
        _refuse_other_rows(objects)
        places = next(iter(objects.values()))
        columns = {name: [one[place] for place in places] for name, one in objects.items()}
        return ColumnsFile.of(_as_columns(columns), "JSON, an object of columns")
    return ColumnsFile.of(_of_rows([found]), "JSON, one object")


def _refuse_other_rows(columns: dict[str, dict[str, Any]]) -> None:
    first = next(iter(columns))
    for name, column in columns.items():
        if column.keys() != columns[first].keys():
            what = f"The columns {quoted(as_text(first))} and {quoted(as_text(name))} do not have the same rows."
            raise TableError(what, _A_ROW)


def _named(names: list[str], rows: list[Any]) -> Iterator[Any]:
    """Rows of data as objects; raises TableError for a row of another length, and for names that are there twice."""
    if len(set(names)) < len(names):
        raise TableError(f"Two columns have the name {quoted(as_text(_repeated(names)))}.", _OWN_NAME)
    for number, row in enumerate(rows, 1):
        if not isinstance(row, list) or len(row) != len(names):
            what = f"The file has {len(names):,} columns, and row {number:,} has other cells."
            raise TableError(what, "Give every row a cell for each column.")
        yield dict(zip(names, row, strict=True))


def _of_rows(rows: Iterable[Any]) -> Columns:
    """The columns of objects, or the one column of plain values; raises TableError for rows that are neither."""
    cells: dict[str, list[Any]] = {}
    number = 0
    for number, row in enumerate(rows, 1):
        if not isinstance(row, dict) and (isinstance(row, list) or (cells and "" not in cells)):
            what = f"The file is JSON, and no table: row {number:,} is {_kind(row)}."
            raise TableError(what, _A_ROW)
        for name, value in (row if isinstance(row, dict) else {"": row}).items():
            column = cells.get(name)
            if column is None:
                column = cells[name] = []
                check_width(len(cells))
            if len(column) < number - 1:
                column.extend([None] * (number - 1 - len(column)))
            column.append(value)
    for column in cells.values():
        column.extend([None] * (number - len(column)))
    return _as_columns(cells)


def _kind(row: object) -> str:
    return "a list" if isinstance(row, list) else f"no object: {listed([as_text(str(row))])}"


def _as_columns(cells: dict[str, list[Any]]) -> Columns:
    found = {as_text(name): as_column(values) for name, values in cells.items()}
    if len(found) < len(cells):
        raise TableError("Two columns have names that cannot be told apart when they are shown.", _OWN_NAME)
    return found
