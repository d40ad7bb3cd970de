"""A sheet of an Excel workbook (.xlsx): the first one that has cells, with its formulas' values as they were saved."""

import io
import re
from collections.abc import Sequence
from typing import Any

from python_calamine import CalamineError, CalamineWorkbook

from losses.columns_file import ColumnsFile, as_column, as_text
from losses.errors import TableError, quoted
from losses.layout import MISSING, NUMBER, check_width, holds_names, names_of
from losses.table import LARGEST_WHOLE

_AGAIN = "Save it again, or as CSV UTF-8."
_PROBED, _LONGEST_TITLE = 400, 20  # rows
_VALUE = re.compile(r"\s*([-+−]?[.,]?\d|#)")  # how a number begins, with a comma or a unit too, and an error


def opened(data: bytes | bytearray) -> ColumnsFile:
    """The columns of the first sheet with cells; which one that is, is said.

    Raises TableError where the workbook is damaged or has no such sheet.
    """
    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
        for name in book.sheet_names:
            sheet = book.get_sheet_by_name(name)
            check_width(sheet.width)
            if sheet.height:
                count = len(book.sheet_names)
                note = f"Of {count:,} sheets, {quoted(as_text(name))} was read: the first with cells."
                return _of_rows(sheet.to_python(), note if count > 1 else "")
    except (CalamineError, ValueError, OSError) as refusal:
        if isinstance(refusal, TableError):
            raise
        raise TableError("The Excel workbook is damaged.", _AGAIN) from None
    raise TableError("The Excel workbook has no sheet with cells.", "Put the table into its first sheet.")


def _of_rows(rows: Sequence[Sequence[Any]], note: str) -> ColumnsFile:
    """The columns of rows of cells, below their names if the first row has them, and below a title."""
    start = _start(rows)
    if title := [quoted(_text(cell)) for row in rows[:start] for cell in row if cell != ""]:
        note = " ".join(filter(None, (note, f"Above the table stands {', '.join(title)}: it was left out.")))
    rows = rows[start:]
    first, *rest = (tuple(map(_text, row)) for row in rows[: _PROBED + 1])
    has_header = holds_names(first, rest, lambda cell: NUMBER.fullmatch(cell) is not None)
    names = names_of(first if has_header else ("",) * len(first))
    columns = zip(*rows[has_header:], strict=True) if rows[has_header:] else ((),) * len(first)
    found = {name: as_column(_values(column)) for name, column in zip(names, columns, strict=True)}
    return ColumnsFile.of(found, "Excel workbook", has_header, note=note)


def _start(rows: Sequence[Sequence[Any]]) -> int:
    """How many of the first rows are blank, or a title: of words in one cell, or of several cells above names."""
    for place, row in enumerate(rows[:_LONGEST_TITLE]):
        filled = _filled(row)
        if len(filled) > 1:
            return place + _titled(rows[place:_LONGEST_TITLE])
        if not all(isinstance(cell, str) for cell in filled):
            break
    return 0


def _titled(rows: Sequence[Sequence[Any]]) -> int:
    """How many rows stand above the columns' names where the first is a title in several cells, such as with its date.

    It is one if the next row with several cells is words alone, which no row of numbers is, and has more cells or
    comes after a blank row. Right below and as wide, it may be a row whose number is an error, which has to be said;
    and names over a column of row numbers begin with a blank cell.
    """
    width, has_gap = len(_filled(rows[0])), False
    if rows[0][0] == "":
        return 0
    for place, row in enumerate(rows[1:], 1):
        filled = _filled(row)
        if len(filled) > 1:
            are_words = all(isinstance(cell, str) and cell.strip() not in MISSING for cell in filled)
            are_names = are_words and not any(map(_VALUE.match, filled))
            return place if are_names and (len(filled) > width or (has_gap and len(filled) == width)) else 0
        has_gap = has_gap or not filled
    return 0


def _filled(row: Sequence[Any]) -> list[Any]:
    return [cell for cell in row if cell != ""]


def _text(cell: object) -> str:
    return as_text(f"{cell:.15g}" if isinstance(cell, float) else str(cell))


def _values(cells: Sequence[Any]) -> list[Any]:
    """The cells of a column: blank ones None, dates as text, whole numbers as such, which a workbook does not tell."""
    values = [None if one == "" else one if isinstance(one, bool | int | float) else str(one) for one in cells]
    if all(one is None or (isinstance(one, float) and one.is_integer() and abs(one) < LARGEST_WHOLE) for one in values):
        return [None if one is None else int(one) for one in values]
    return values
