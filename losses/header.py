"""The first row of a table: names of columns, or a row like the others."""

import re
from collections.abc import Callable, Sequence

from losses.errors import visible

MISSING = ("", "NA", "N/A", "n/a", "#N/A", "NULL", "null", "None", "-", "?")
_WHOLE = re.compile(r"[+-]?\d+")
_DIGITS = re.compile(r"\d+")

Cells = tuple[str, ...]


def holds_names(first: Cells, rest: Sequence[Cells], is_number: Callable[[str], bool]) -> bool:
    """Whether the first row is a header: no numbers in it, or words above a column of numbers, or pandas' counting."""
    if not any(map(is_number, first)) or _counts_columns(first, rest):
        return True
    numeric = [
        place
        for place in range(len(first))
        if 2 * sum(place < len(row) and is_number(row[place]) for row in rest) > len(rest)
    ]
    return any(first[place].strip() not in MISSING and not is_number(first[place]) for place in numeric)


def _counts_columns(first: Cells, rest: Sequence[Cells]) -> bool:
    """Names 0, 1, ... as pandas writes them, above a column without any whole number."""
    named = [place for place in range(len(first)) if first[place] != "" or place > 0]  # the index has a blank name
    if [first[place] for place in named] != [str(count) for count in range(len(named))] or len(rest) < 2:
        return False
    columns = ([row[place].strip() for row in rest if len(row) == len(first)] for place in named)
    return any(cells and not any(map(_WHOLE.fullmatch, cells)) for cells in columns)


def may_be_split_numbers(rows: Sequence[Cells]) -> bool:
    """Whether commas may be decimal marks: digits only, but for a last cell with few labels, after two or more."""
    lasts = {row[-1].strip() for row in rows}
    before = [row[:-1] for row in rows] if len(lasts) <= 2 else rows
    return min(map(len, before)) > 1 and all(map(_are_halves, before))


def _are_halves(row: Cells) -> bool:
    cells = [cell.strip() for cell in row]
    return _WHOLE.fullmatch(cells[0]) is not None and all(map(_DIGITS.fullmatch, cells[1:]))


def names_of(cells: Cells) -> Cells:
    """Visible, different names: numbers for blank ones, a count after repeated ones."""
    names: dict[str, None] = {}  # a list takes long to search for thousands of names
    for place, cell in enumerate(cells, start=1):
        wanted = visible(cell, 60) or f"column {place}"
        name, copy = wanted, 2
        while name in names:
            name, copy = f"{wanted} ({copy})", copy + 1
        names[name] = None
    return tuple(names)
