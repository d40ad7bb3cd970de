"""What the first lines of a table tell: delimiter, decimal mark, header."""

import csv
import re
from dataclasses import dataclass

from losses.problem import TableError

MOST_COLUMNS = 1000
_HEAD = 2**16  # bytes looked at
_LINES = 20
_DELIMITERS = (",", "\t", ";", "|")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?(nan|inf|infinity)", re.IGNORECASE)
_COMMA_NUMBER = re.compile(r"[+-]?\d+,\d+([eE][+-]?\d+)?")


@dataclass(frozen=True)
class Layout:
    """How a table is written.

    Attributes:
        delimiter: between cells.
        decimal_mark: "." or ",".
        names: of the columns, made up where there is no header and made different where two agree.
        header: whether the first line holds names.
        encoding: of the text.
    """

    delimiter: str
    decimal_mark: str
    names: tuple[str, ...]
    header: bool
    encoding: str


def layout_of(text: bytes) -> Layout:
    """Read the layout off the first lines.

    Raises TableError when there is only a header, or more columns than a table of losses can have.
    """
    encoding = "utf-8" if _is_utf8(text[:_HEAD]) else "latin-1"
    head = text[:_HEAD].decode(encoding, errors="ignore")
    lines = [line for line in head.splitlines() if line.strip()][: _LINES + 1]
    lines = lines[:-1] if len(text) > _HEAD and len(lines) > 1 else lines
    delimiter = _delimiter(lines)
    if lines[0].count(delimiter) >= MOST_COLUMNS:
        message = f"The table has more than {MOST_COLUMNS} columns. Keep the column of losses (and membership) only."
        raise TableError(message)
    rows = [_cells(line, delimiter) for line in lines]
    header = not any(_is_number(cell) for cell in rows[0])
    if header and len(rows) == 1 and len(text) <= _HEAD:
        raise TableError("The table has a header but no rows. Choose a file with at least ten losses.")
    mark = "," if delimiter != "," and _has_decimal_commas(rows[header:]) else "."
    return Layout(delimiter, mark, _names(rows[0], header), header, encoding)


def _is_utf8(head: bytes) -> bool:
    try:
        head.decode()
    except UnicodeDecodeError as error:
        return error.start >= len(head) - 3  # a character cut by the end of the piece
    return True


def _delimiter(lines: list[str]) -> str:
    """The delimiter that cuts most lines into the same number of cells, more cells going first."""

    def merit(delimiter: str) -> tuple[float, int]:
        counts = [line.count(delimiter) for line in lines]
        common = max(set(counts), key=counts.count)
        return (counts.count(common) / len(counts) if common else 0.0), common

    if all(_COMMA_NUMBER.fullmatch(line.strip()) for line in lines[1:]) and len(lines) > 1:
        return ";"  # one column with decimal commas
    return max(_DELIMITERS, key=merit)


def _cells(line: str, delimiter: str) -> list[str]:
    return [cell.strip() for cell in next(csv.reader([line], delimiter=delimiter), [""])]


def _is_number(cell: str) -> bool:
    return bool(_NUMBER.fullmatch(cell) or _COMMA_NUMBER.fullmatch(cell))


def _has_decimal_commas(rows: list[list[str]]) -> bool:
    return any(_COMMA_NUMBER.fullmatch(cell) for row in rows for cell in row)


def _names(cells: list[str], header: bool) -> tuple[str, ...]:
    """Names of the columns: all there, all different."""
    names: list[str] = []
    for number, cell in enumerate(cells, 1):
        name = cell if header and cell else f"column {number}"
        names.append(name if name not in names else f"{name} ({number})")
    return tuple(names)
