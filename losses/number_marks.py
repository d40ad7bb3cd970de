"""Numbers as people write them: decimal marks, marks between thousands, and which of them a table has."""

import re

from losses.errors import TableError, quoted

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?(inf|infinity|nan)", re.IGNORECASE)
_COMMA_DECIMAL = re.compile(r"[+-]?\d*,\d+([eE][+-]?\d+)?")
_EUROPEAN = re.compile(r"[+-]?\d{1,3}([.' \u00a0]\d{3})+,\d+")
_THOUSANDS = re.compile(r"[+-]?\d{1,3}([,' \u00a0]\d{3})+\.\d+")
_GROUPED = {mark: re.compile(rf"[+-]?[1-9]\d{{0,2}}([{mark}]\d{{3}})+") for mark in ",."}  # perhaps whole numbers
_UP_TO_THREE = re.compile(r"[+-]?\d{1,3}")
_MARKS = frozenset(",.' \u00a0")


def marks_of(cells: list[str], known: str | None) -> tuple[str, bool]:
    """The decimal mark that most cells have, or the ``known`` one, and whether there are marks between thousands."""
    stripped = [cell.strip() for cell in cells if _MARKS.intersection(cell)]
    if known is not None:
        other = _GROUPED["." if known == "," else ","]
        grouped = _EUROPEAN if known == "," else _THOUSANDS
        return known, any(grouped.fullmatch(cell) or other.fullmatch(cell) for cell in stripped)
    european = sum(_EUROPEAN.fullmatch(cell) is not None for cell in stripped)
    english = sum(_THOUSANDS.fullmatch(cell) is not None for cell in stripped)
    commas = sum("," in cell and _COMMA_DECIMAL.fullmatch(cell) is not None for cell in stripped) + european
    points = sum("." in cell and NUMBER.fullmatch(cell) is not None for cell in stripped) + english
    decimal = "," if commas > points else "."
    return decimal, bool(european if decimal == "," else english)


def refuse_ambiguous(rows: list[list[str]], mark: str, grouped: bool) -> None:
    """Raise TableError for a ``mark`` that may stand before decimals or between thousands.

    One number that can only be a decimal, such as 1.5 or 0.500, settles it. A point is taken for a decimal mark unless
    whole numbers of up to three digits stand in the same column.
    """
    marked = [cell.strip() for row in rows for cell in row if mark in cell and _is_marked(cell.strip(), mark)]
    if grouped or not marked or not all(map(_GROUPED[mark].fullmatch, marked)):
        return
    width = max(map(len, rows))
    columns = [[row[place].strip() for row in rows if place < len(row)] for place in range(width)]
    suspicious = [place for place, cells in enumerate(columns) if _may_be_grouped(cells, mark)]
    if suspicious:
        name = {",": "comma", ".": "point"}[mark]
        raise TableError(
            f"Numbers such as {quoted(marked[0])} can mean two things: the {name} may stand before decimals or between "
            "thousands.",
            "Write whole numbers without marks between thousands, and all others with a decimal point.",
            f"They are in column {suspicious[0] + 1:,}.",
        )


def _is_marked(cell: str, mark: str) -> bool:
    return bool(_GROUPED[mark].fullmatch(cell) or (_COMMA_DECIMAL if mark == "," else NUMBER).fullmatch(cell))


def _may_be_grouped(cells: list[str], mark: str) -> bool:
    if not any(map(_GROUPED[mark].fullmatch, cells)):
        return False
    return mark == "," or any(map(_UP_TO_THREE.fullmatch, cells))
