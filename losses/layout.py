"""How a table is laid out: delimiter, header, decimal mark. Found from a few hundred rows."""

import csv
import io
import re
from collections import Counter
from dataclasses import dataclass, replace

import pyarrow as pa

from losses.errors import TableError, quoted
from losses.header import holds_names, may_be_split_numbers, names_of
from losses.known_layout import DELIMITERS, ENCODINGS, NOTHING, KnownLayout
from losses.number_marks import NUMBER, marks_of, refuse_ambiguous

MOST_COLUMNS = 4000
A_ROW_EACH = "Choose a file with a row for every record."
_HEAD = 1 << 18  # bytes
_PROBE = 1 << 15
_LOOKED_AT = 400  # rows of the head
_BETWEEN = re.compile(r"\d,\d+ [\d.]")  # a number with a decimal comma, and a space before the next
_DIGITS = re.compile(r"-?\d+")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$")  # as Arrow does; splitlines() has more line ends
csv.field_size_limit(_HEAD)  # a line without delimiters is one cell, and is refused as such
_BLANK = "".join(DELIMITERS) + '"\r\n'

Row = list[str]


@dataclass(frozen=True)
class Layout:
    """How to read a table.

    Attributes:
        delimiter: between the cells of a row.
        decimal: the decimal mark.
        grouped: whether numbers have marks between thousands.
        names: the columns' names, all different; made up where the file has none.
        skipped: lines to leave out before the first row of cells.
        has_header: whether the first row of cells holds the names.
        probe: some rows of cells, from the start, the middle and the end of the file.
        encoding: of the bytes, a key of ``ENCODINGS``.
        is_packed: whether they were packed with gzip.
    """

    delimiter: str
    decimal: str
    grouped: bool
    names: tuple[str, ...]
    skipped: int
    has_header: bool
    probe: tuple[tuple[str, ...], ...]
    encoding: str = "utf-8"
    is_packed: bool = False

    def is_number(self, cell: str) -> bool:
        """Whether a cell can be read as a number, infinities and NaN included."""
        return NUMBER.fullmatch(self.plain(cell)) is not None

    def plain(self, cell: str) -> str:
        """The cell with a point as decimal mark and nothing between thousands."""
        cell = cell.strip().replace("\u2212", "-")
        if self.grouped:
            cell = re.sub(r"(?<=\d)['\u00a0 .,](?=\d{3}(\D|$))", lambda mark: self._kept(mark.group()), cell)
        return cell.replace(",", ".") if self.decimal == "," else cell

    def _kept(self, mark: str) -> str:
        return mark if mark == self.decimal else ""

    @property
    def remedy_for_lengths(self) -> str:
        """What to do where rows differ in length."""
        if self.delimiter == ",":
            return "If numbers have a decimal comma, save with semicolons between the cells, or with decimal points."
        return "Give every row the same number of cells."

    @property
    def words(self) -> str:
        """The layout in words."""
        found = {
            "decimal comma": self.decimal == ",",
            "marks between thousands": self.grouped,
            "no header": not self.has_header,
            ENCODINGS[self.encoding]: self.encoding != "utf-8",
            "packed with gzip": self.is_packed,
        }
        cells = f"{DELIMITERS[self.delimiter]}-separated" if len(self.names) > 1 else "one column"
        return ", ".join([cells, *(words for words, holds in found.items() if holds)])


def layout_of(text: pa.Buffer, known: KnownLayout = NOTHING) -> Layout:
    """Find the layout of a table in UTF-8, but for what is ``known``.

    Raises TableError where no layout fits, and UnicodeDecodeError where the rows looked at are not UTF-8.
    """
    head = _head(text)
    skipped, body = _without_preamble(head)
    delimiter, width = _delimiter(body, known.delimiter)
    rows = _cells(body, delimiter)
    is_sure = known.delimiter is not None
    if not is_sure and len(rows[0]) == 1 and width == 2 and delimiter == "," and _are_decimals(rows[1:]):
        delimiter, width = ";", 1  # a single column of numbers with a decimal comma
        rows = _cells(body, delimiter)
    if width > MOST_COLUMNS:
        raise TableError(
            f"The file has {width:,} columns; at most {MOST_COLUMNS:,} are read.",
            "Keep only the columns that are needed.",
        )
    probe = rows + [row for part in _later_parts(text) for row in _cells(part, delimiter) if len(row) == width]
    decimal, grouped = marks_of([cell for row in probe for cell in row], known.decimal)
    if known.decimal is None:
        refuse_ambiguous(probe, decimal, grouped)
    return _with_header(Layout(delimiter, decimal, grouped, (), skipped, False, tuple(map(tuple, probe))), width, known)


def _head(text: pa.Buffer) -> str:
    """The first complete lines."""
    start = text.slice(0, min(_HEAD, text.size)).to_pybytes()
    if text.size > _HEAD:
        end = max(start.rfind(b"\n"), start.rfind(b"\r"))
        if end < 0:
            cells = max(map(start.count, (b",", b";", b"\t")))
            raise TableError(
                f"The first line is longer than {_HEAD:,} bytes and has more than {cells:,} cells.",
                "A table has a row for every record: turn it, or keep only the columns that are needed.",
            )
        start = start[: end + 1]
    return str(start, "utf-8")


def _later_parts(text: pa.Buffer) -> list[str]:
    """Complete lines from the middle and from the end, where the file is long enough to have some."""
    parts = []
    for start in (text.size // 2, text.size - _PROBE):
        if start > _HEAD:
            part = text.slice(start, min(_PROBE, text.size - start)).to_pybytes()
            parts.append(part[part.find(b"\n") + 1 : part.rfind(b"\n") + 1].decode())
    return parts


def _without_preamble(head: str) -> tuple[int, str]:
    """Leave out remarks, lines of blank cells and Excel's that names the delimiter; say how many there were."""
    for skipped, found in enumerate(_LINE.finditer(head)):
        line = found.group()
        if line.strip(_BLANK) and not line.startswith("#") and not re.match(r"sep=.\s*$", line, re.IGNORECASE):
            return skipped, head[found.start() :]
    raise TableError("The file holds no rows, only remarks or blank lines.", A_ROW_EACH)


def _cells(text: str, delimiter: str) -> list[Row]:
    try:
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=delimiter == " ")
        return [row for row, _ in zip(rows, range(_LOOKED_AT), strict=False) if any(map(str.strip, row))]
    except csv.Error as refusal:
        raise TableError(f"The file cannot be read as rows of cells: {refusal}.", "Save it again as CSV.") from None


def _delimiter(body: str, known: str | None) -> tuple[str, int]:
    """The delimiter whose rows are most alike, and how many cells they have; comma and 1 for a single column."""
    best, agreement, found = known or ",", 0.5, 1
    for delimiter in DELIMITERS if known is None else known:
        rows = _cells(body, delimiter)[-100:]
        if not rows:
            raise TableError("The file holds nothing but blank cells.", A_ROW_EACH)
        width, count = Counter(map(len, rows)).most_common(1)[0]
        if known is not None:
            return known, width
        share = count / len(rows)
        # Rows of one cell are no sign of a delimiter; the search, through the whole head, takes milliseconds.
        if width > 1 and (share > agreement or (delimiter == " " and share == agreement and _BETWEEN.search(body))):
            best, agreement, found = delimiter, share, width
    return best, found


def _are_decimals(rows: list[Row]) -> bool:
    return bool(rows) and all(len(row) == 2 and all(_DIGITS.fullmatch(cell.strip()) for cell in row) for row in rows)


def _with_header(layout: Layout, width: int, known: KnownLayout) -> Layout:
    """Decide whether the first row holds names, check its width, and name the columns."""
    first, rest = layout.probe[0], layout.probe[1:]
    has_header = holds_names(first, rest, layout.is_number) if known.has_header is None else known.has_header
    if has_header and not rest:
        raise TableError("The file has a header and no rows below it.", A_ROW_EACH)
    if len(first) != width:
        _refuse_width(layout, first, rest, width)
    may_be_decimal = known.delimiter is None and not has_header and layout.delimiter == ","
    if may_be_decimal and may_be_split_numbers(layout.probe):
        raise TableError(
            "All cells are whole numbers: the commas may be decimal marks or stand between columns.",
            "Add a row with the columns' names, or use semicolons between the cells.",
        )
    names = names_of(first if has_header else ("",) * width)
    probe = rest if has_header else layout.probe
    return replace(layout, names=names, has_header=has_header, probe=probe)


def _refuse_width(layout: Layout, first: tuple[str, ...], rest: tuple[tuple[str, ...], ...], width: int) -> None:
    examples = [layout.delimiter.join(row) for row in rest if len(row) == width]
    if not examples:
        raise TableError("Rows differ in length: most of them share no number of cells.", layout.remedy_for_lengths)
    what = f"The first row has {len(first):,} cells, most others have {width:,}."
    raise TableError(what, layout.remedy_for_lengths, f"One of them is {quoted(examples[0])}.")
