"""What was read: columns of numbers and columns of labels."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from sys import getsizeof
from typing import Self, overload

import numpy as np
from numpy.typing import NDArray

from losses.errors import TableError, counted, quoted
from numerics.trade_off import Floats

NO_LABEL = -1
ROW = "row"  # the column of the long form that says which row of a wide table each was
UNIT = 2.0**-52  # of a float64
LARGEST_WHOLE = 2.0**53  # up to it every whole number is a float64
_EXAMPLES = 3
Rows = NDArray[np.intp] | NDArray[np.bool_]


@dataclass(frozen=True)
class FileLayout:
    """How the file was laid out, as far as every kind of file can tell.

    Attributes:
        names: of the columns, all different.
        has_header: whether the file has names for its columns.
        words: the layout in words.
        notes: what was decided to read it as a table, a sentence each.
    """

    names: tuple[str, ...]
    has_header: bool
    words: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Faults:
    """Cells of a column that cannot be used.

    Attributes:
        count: how many.
        examples: the first few in words, such as ``row 17: “n.a.”``; rows are counted below the
            header, without blank lines.
    """

    count: int = 0
    examples: tuple[str, ...] = ()

    @classmethod
    def of(cls, rows: NDArray[np.intp], said: Callable[[int], str]) -> "Faults":
        """Of the cells in some ``rows``; ``said`` puts one in words."""
        return cls(len(rows), tuple(f"row {row + 1:,}: {said(row)}" for row in rows[:_EXAMPLES].tolist()))


@dataclass(frozen=True, eq=False)
class NumberColumn:
    """A column of numbers, (n,); cells that are none, or not finite, are NaN or infinite and counted as faults.

    ``unit`` is the spacing next to 1 of the numbers as they were stored or written: 2^-23 for float32.
    """

    name: str
    values: Floats
    faults: Faults
    unit: float = UNIT

    @property
    def is_usable(self) -> NDArray[np.bool_]:
        """Which cells can be used, (n,)."""
        return np.isfinite(self.values)

    def usable(self, drop: bool) -> NDArray[np.bool_]:
        """Which cells are finite, (n,); raises TableError unless all are, or the rows of others are to be left out."""
        if self.faults.count and not drop:
            more = " …" if self.faults.count > len(self.faults.examples) else ""
            raise TableError(
                f"The column {quoted(self.name)} has {counted(self.faults.count, 'cell')} without a finite number.",
                "Mend them, or leave out the rows that cannot be used.",
                f"{'; '.join(self.faults.examples)}{more}.".capitalize(),
            )
        return self.is_usable

    @property
    def codes(self) -> NDArray[np.signedinteger]:
        """Which of the different numbers each is, (n,); -1 for what is not finite."""
        return np.where(self.is_usable, np.unique(self.values, return_inverse=True)[1], NO_LABEL)

    def cell(self, row: int) -> str:
        """The cell in a row as text, with all of its digits."""
        return number_as_text(float(self.values[row]))

    def at(self, rows: Rows) -> Self:
        """Some of its rows, whose faults keep their numbers."""
        values, faults = self.values[rows], Faults()
        if self.faults.count:
            odd = np.arange(len(self.values))[rows][~np.isfinite(values)]
            faults = Faults.of(odd, lambda row: unusable_cell(self.values[row]))
        return replace(self, values=values, faults=faults)


def number_as_text(value: float) -> str:
    """A number with all of its digits, a whole one without a point."""
    return f"{value:.0f}" if value.is_integer() else repr(value)


def unusable_cell(value: float) -> str:
    """A number that is not finite, in words."""
    return "blank or not a number" if np.isnan(value) else str(value).replace("-", "\u2212")


@dataclass(frozen=True, eq=False)
class Coded:
    """A column of cells that occur several times: codes (n,) into the different ones, -1 for a blank cell."""

    name: str
    codes: NDArray[np.signedinteger]

    @property
    def is_usable(self) -> NDArray[np.bool_]:
        """Which cells are not blank, (n,)."""
        return np.asarray(self.codes != NO_LABEL)

    def usable(self, drop: bool) -> NDArray[np.bool_]:
        """Which cells are not blank, (n,); raises TableError unless none is, or the rows of such are to be left out."""
        found = self.is_usable
        if not drop and not found.all():
            raise TableError(
                f"The column {quoted(self.name)} has {np.count_nonzero(~found):,} blank cells.",
                "Fill them, or leave out the rows that cannot be used.",
                f"The first is in row {np.argmin(found) + 1:,}.",
            )
        return found

    def at(self, rows: Rows) -> Self:
        """Some of its rows."""
        return replace(self, codes=self.codes[rows])


@dataclass(frozen=True, eq=False)
class LabelColumn(Coded):
    """A column with few different cells, its ``labels``."""

    labels: tuple[str, ...]

    def cell(self, row: int) -> str:
        """The cell in a row."""
        code = int(self.codes[row])
        return "" if code == NO_LABEL else self.labels[code]

    @property
    def counts(self) -> dict[str, int]:
        """How often each label occurs."""
        return {label: int(np.count_nonzero(self.codes == code)) for code, label in enumerate(self.labels)}


@dataclass(frozen=True, eq=False)
class DistinctTexts(Sequence[str]):
    """Different texts as two arrays, a tenth of what strings take: in UTF-8 one after the other, and where each ends.

    Whose rows they are may be personal. Arrays can be overwritten when they are freed, and Python's strings cannot.
    """

    data: NDArray[np.uint8]
    ends: NDArray[np.int64]

    @classmethod
    def of(cls, texts: Sequence[str]) -> Self:
        """The same as arrays."""
        encoded = [text.encode() for text in texts]
        return cls(np.frombuffer(b"".join(encoded), np.uint8), np.cumsum([len(one) for one in encoded], dtype=np.int64))

    def __len__(self) -> int:
        return len(self.ends)

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[str, ...]: ...

    def __getitem__(self, place: int | slice) -> str | tuple[str, ...]:
        if isinstance(place, slice):
            return tuple(self[one] for one in range(*place.indices(len(self))))
        return str(self.raw(place), "utf-8")

    def raw(self, place: int) -> memoryview:
        """The bytes of one of them."""
        place = range(len(self))[place]
        start = int(self.ends[place - 1]) if place else 0
        return self.data[start : int(self.ends[place])].data


@dataclass(frozen=True, eq=False)
class ClusterColumn(Coded):
    """Whose each row is: any number of ``words``; not all rows have one of their own."""

    words: DistinctTexts

    def cell(self, row: int) -> str:
        """The cell in a row."""
        code = int(self.codes[row])
        return "" if code == NO_LABEL else self.words[code]


AnyColumn = NumberColumn | LabelColumn | ClusterColumn


def as_clusters(column: AnyColumn) -> ClusterColumn:
    """A column of any kind as whose each row is, by its cells as text; a number has all of its digits."""
    if isinstance(column, ClusterColumn):
        return column
    if isinstance(column, LabelColumn):
        return ClusterColumn(column.name, column.codes, DistinctTexts.of(column.labels))
    words = tuple(map(number_as_text, np.unique(column.values).tolist()))
    return ClusterColumn(column.name, column.codes, DistinctTexts.of(words))


def unusable_rows(columns: Sequence[AnyColumn]) -> int:
    """How many rows have a cell, in any of these columns of one table, that is blank or no finite number."""
    return int(np.count_nonzero(~np.logical_and.reduce([column.is_usable for column in columns]))) if columns else 0


def text_size(texts: Iterable[str]) -> int:
    """How many bytes texts take: one letter beyond Latin-1 doubles all of a text, an emoji doubles that."""
    return sum(getsizeof(text) for text in texts)


@dataclass(frozen=True, eq=False)
class LossTable:
    """A loss table.

    Attributes:
        layout: how the file was laid out.
        rows: number of rows below the header.
        numbers: columns that may hold the losses, the likeliest first.
        labels: columns that may tell members from outsiders, the likeliest first.
        is_membership_clear: whether the first of ``labels`` is named or coded like a membership.
        clusters: columns whose names say that rows belong together, where some do.
        unread: columns that may say so as well, and of which only the first rows were looked at.
        kind: what the table is evidence of, a value of ``recognise_evidence.Kind``; empty where columns tell nothing.
        answers: the one of ``clusters`` with the right answers of predictions, which tells no models; empty where none
            does.
    """

    layout: FileLayout
    rows: int
    numbers: tuple[NumberColumn, ...]
    labels: tuple[LabelColumn, ...]
    is_membership_clear: bool
    clusters: tuple[ClusterColumn, ...] = ()
    unread: tuple[str, ...] = ()
    kind: str = ""
    answers: str = ""

    @property
    def size(self) -> int:
        """How many bytes its arrays and texts take."""
        words = [array for one in self.clusters for array in (one.words.data, one.words.ends, one.codes)]
        arrays = [*(one.values for one in self.numbers), *(one.codes for one in self.labels), *words]
        return sum(array.nbytes for array in arrays) + text_size(self._texts)

    @property
    def _texts(self) -> Iterator[str]:
        yield from (*self.layout.names, self.layout.words, *self.layout.notes)
        for numbers in self.numbers:
            yield from (numbers.name, *numbers.faults.examples)
        for labels in self.labels:
            yield from (labels.name, *labels.labels)
        yield from (one.name for one in self.clusters)
        yield from (*self.unread, self.kind, self.answers)

    @property
    def columns(self) -> tuple[AnyColumn, ...]:
        """All that are kept; one may be there as labels or numbers and again as clusters, which keep every digit."""
        return (*self.numbers, *self.labels, *self.clusters)

    def column(self, name: str) -> AnyColumn:
        """The column with this name; the last of its kinds."""
        return {column.name: column for column in self.columns}[name]

    def number(self, name: str) -> NumberColumn:
        """The column of numbers with this name."""
        return next(column for column in self.numbers if column.name == name)

    def label(self, name: str) -> LabelColumn:
        """The column of labels with this name."""
        return next(column for column in self.labels if column.name == name)

    def at(self, rows: Rows) -> "LossTable":
        """Some of its rows."""
        return replace(
            self,
            rows=len(np.arange(self.rows)[rows]),
            numbers=tuple(one.at(rows) for one in self.numbers),
            labels=tuple(one.at(rows) for one in self.labels),
            clusters=tuple(one.at(rows) for one in self.clusters),
        )

    def cluster(self, name: str) -> ClusterColumn:
        """The column with this name as clusters, of whatever kind it is."""
        return next((column for column in self.clusters if column.name == name), None) or as_clusters(self.column(name))
