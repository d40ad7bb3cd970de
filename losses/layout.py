"""How a table is laid out: delimiter, header, decimal mark. Found from a few hundred rows."""

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import pyarrow as pa

from losses.errors import TableError, quoted, visible

# Numbers as people write them: decimal marks, marks between thousands, and which of them a table has.


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
    may_be_grouped, may_be_decimal = _GROUPED[mark].fullmatch, (_COMMA_DECIMAL if mark == "," else NUMBER).fullmatch
    cells = [cell.strip() for row in rows for cell in row if mark in cell]
    marked = [cell for cell in cells if may_be_grouped(cell) or may_be_decimal(cell)]
    if grouped or not marked or not all(map(may_be_grouped, marked)):
        return
    for place in range(max(map(len, rows))):
        column = [row[place].strip() for row in rows if place < len(row)]
        if any(map(may_be_grouped, column)) and (mark == "," or any(map(_UP_TO_THREE.fullmatch, column))):
            raise TableError(
                f"Numbers such as {quoted(marked[0])} can mean two things: the "
                f"{'comma' if mark == ',' else 'point'} may stand before decimals or between thousands.",
                "Write whole numbers without marks between thousands, and all others with a decimal point.",
                f"They are in column {place + 1:,}.",
            )


# The first row of a table: names of columns, or a row like the others.


MISSING = ("", "NA", "N/A", "n/a", "#N/A", "NULL", "null", "None", "-", "?")
_WHOLE = re.compile(r"[+-]?\d+")
_A_DIGIT = re.compile(r"\d+")

Cells = tuple[str, ...]


def holds_names(first: Cells, rest: Sequence[Cells], is_number: Callable[[str], bool]) -> bool:
    """Whether the first row is a header: no numbers in it, or words above a column of numbers, or pandas' counting.

    Pandas writes 0, 1, ... above its columns, with a blank name for the index; one of these has no whole number then.
    """
    if not any(map(is_number, first)):
        return True
    named = [place for place in range(len(first)) if first[place] != "" or place > 0]
    if len(rest) > 1 and [first[place] for place in named] == [str(count) for count in range(len(named))]:
        columns = [[row[place].strip() for row in rest if len(row) == len(first)] for place in named]
        if any(cells and not any(map(_WHOLE.fullmatch, cells)) for cells in columns):
            return True
    words = [place for place, cell in enumerate(first) if cell.strip() not in MISSING and not is_number(cell)]
    return any(2 * sum(place < len(row) and is_number(row[place]) for row in rest) > len(rest) for place in words)


def may_be_split_numbers(rows: Sequence[Cells]) -> bool:
    """Whether commas may be decimal marks: digits only, but for a last cell with few labels, after two or more."""
    has_labels = len({row[-1].strip() for row in rows}) <= 2
    before = [[cell.strip() for cell in (row[:-1] if has_labels else row)] for row in rows]
    return min(map(len, before)) > 1 and all(
        _WHOLE.fullmatch(first) and all(map(_A_DIGIT.fullmatch, others)) for first, *others in before
    )


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


# What a person says of a table's layout where it was found wrongly.


DELIMITERS = {"\t": "tab", ";": "semicolon", "|": "bar", ",": "comma", " ": "space"}  # the surest first
DECIMALS = {".": "point", ",": "comma"}
ENCODINGS = {
    "utf-8": "UTF-8",
    "utf-16": "UTF-16",
    "utf-16-le": "UTF-16 (little-endian)",
    "utf-16-be": "UTF-16 (big-endian)",
    "utf-32": "UTF-32",
    "cp1252": "Windows-1252 (Western Europe)",
    "latin-1": "Latin-1",
    "cp1250": "Windows-1250 (Central Europe)",
    "cp1251": "Windows-1251 (Cyrillic)",
    "mac-roman": "Mac Roman",
    "shift-jis": "Shift JIS",
    "gb18030": "GB 18030",
}


@dataclass(frozen=True)
class KnownLayout:
    """What is known about a table and need not be found; None for what is to be found.

    Attributes:
        delimiter: one of ``DELIMITERS``.
        decimal: one of ``DECIMALS``.
        encoding: one of ``ENCODINGS``.
        has_header: whether the first row of cells holds names.
        columns: those that somebody named, which are read whatever they are called.
        evidence: what the table is, a value of ``recognise_evidence.Kind``.

    Raises ValueError for anything else.
    """

    delimiter: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    has_header: bool | None = None
    columns: tuple[str, ...] = ()
    evidence: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", tuple(self.columns))
        for name, allowed in (("delimiter", DELIMITERS), ("decimal", DECIMALS), ("encoding", ENCODINGS)):
            value = getattr(self, name)
            if value is not None and value not in allowed:
                raise ValueError(f"{name} must be one of {', '.join(map(repr, allowed))}, got {value!r}.")


NOTHING = KnownLayout()


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
        form: what the file is, where it is no rows of cells between delimiters.
        notes: what was decided to read it as a table, a sentence each.
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
    form: str = ""
    notes: tuple[str, ...] = ()

    def is_number(self, cell: str) -> bool:
        """Whether a cell can be read as a number, infinities and NaN included."""
        return NUMBER.fullmatch(self.plain(cell)) is not None

    def plain(self, cell: str) -> str:
        """The cell with a point as decimal mark and nothing between thousands."""
        cell = cell.strip().replace("\u2212", "-")
        if self.grouped:
            marks = re.compile(r"(?<=\d)['\u00a0 .,](?=\d{3}(\D|$))")
            cell = marks.sub(lambda mark: mark.group() if mark.group() == self.decimal else "", cell)
        return cell.replace(",", ".") if self.decimal == "," else cell

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
        return ", ".join([self.form or cells, *(words for words, holds in found.items() if holds)])


def check_width(count: int) -> None:
    """Raise TableError for more columns than are read: ``count``, or more."""
    if count > MOST_COLUMNS:
        what = f"The file has {count:,} columns; at most {MOST_COLUMNS:,} are read."
        raise TableError(what, "Keep only the columns that are needed: a row for every record.")


def layout_of(text: pa.Buffer, known: KnownLayout = NOTHING) -> Layout:
    """Find the layout of a table in UTF-8, but for what is ``known``.

    Raises TableError where no layout fits, and UnicodeDecodeError where the rows looked at are not UTF-8.
    """
    skipped, body = _without_preamble(_head(text))
    delimiter, width = _delimiter(body, known.delimiter)
    rows = _cells(body, delimiter)
    if known.delimiter is None and len(rows[0]) == 1 and width == 2 and delimiter == "," and len(rows) > 1:
        pairs = [[cell.strip() for cell in row] for row in rows[1:]]
        if all(len(row) == 2 and all(map(_DIGITS.fullmatch, row)) for row in pairs):
            delimiter, width = ";", 1  # a single column of numbers with a decimal comma
            rows = _cells(body, delimiter)
    check_width(width)
    later = []
    for start in (text.size // 2, text.size - _PROBE):  # complete lines, where the file is long enough to have some
        if start > _HEAD:
            part = text.slice(start, min(_PROBE, text.size - start)).to_pybytes()
            later += _cells(part[part.find(b"\n") + 1 : part.rfind(b"\n") + 1].decode(), delimiter)
    probe = rows + [row for row in later if len(row) == width]
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


def _without_preamble(head: str) -> tuple[int, str]:
    """Leave out remarks, lines of blank cells and Excel's that names the delimiter; say how many there were."""
    for skipped, found in enumerate(_LINE.finditer(head)):
        line = found.group()
        if line.strip(_BLANK) and not line.startswith("#") and not re.match(r"sep=.\s*$", line, re.IGNORECASE):
            return skipped, head[found.start() :]
    raise TableError("The file holds no rows, only remarks or blank lines.", A_ROW_EACH)


def _cells(text: str, delimiter: str) -> list[list[str]]:
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


def _with_header(layout: Layout, width: int, known: KnownLayout) -> Layout:
    """Decide whether the first row holds names, check its width, and name the columns."""
    first, rest = layout.probe[0], layout.probe[1:]
    has_header = holds_names(first, rest, layout.is_number) if known.has_header is None else known.has_header
    if has_header and not rest:
        raise TableError("The file has a header and no rows below it.", A_ROW_EACH)
    if len(first) != width:
        examples = [layout.delimiter.join(row) for row in rest if len(row) == width]
        if not examples:
            what = "Rows differ in length: most of them share no number of cells."
            raise TableError(what, layout.remedy_for_lengths)
        what = f"The first row has {len(first):,} cell{'s'[: len(first) > 1]}, most others have {width:,}."
        remedy = f"Remove what stands above the columns' names. {layout.remedy_for_lengths}"
        raise TableError(what, remedy, f"One of these is {quoted(examples[0])}.")
    may_be_decimal = known.delimiter is None and not has_header and layout.delimiter == ","
    if may_be_decimal and may_be_split_numbers(layout.probe):
        raise TableError(
            "All cells are whole numbers: the commas may be decimal marks or stand between columns.",
            "Add a row with the columns' names, or use semicolons between the cells.",
        )
    names = names_of(first if has_header else ("",) * width)
    return replace(layout, names=names, has_header=has_header, probe=rest if has_header else layout.probe)
