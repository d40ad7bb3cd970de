"""What was read: columns of numbers and columns of labels."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from numerics.trade_off import Floats

NO_LABEL = -1
UNIT = 2.0**-52  # of a float64


class FileLayout(Protocol):
    """How the file was laid out, as far as every kind of file can tell."""

    @property
    def names(self) -> tuple[str, ...]:
        """The columns' names, all different."""

    @property
    def has_header(self) -> bool:
        """Whether the file has names for its columns."""

    @property
    def words(self) -> str:
        """The layout in words."""


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


@dataclass(frozen=True, eq=False)
class NumberColumn:
    """A column of numbers, (n,); cells that are none, or not finite, are NaN or infinite and counted as faults.

    ``unit`` is the spacing next to 1 of the numbers as they were stored or written: 2^-23 for float32.
    """

    name: str
    values: Floats
    faults: Faults
    unit: float = UNIT


@dataclass(frozen=True, eq=False)
class LabelColumn:
    """A column with few different cells: codes (n,) into ``labels``, -1 for a blank cell."""

    name: str
    labels: tuple[str, ...]
    codes: NDArray[np.signedinteger]

    @property
    def counts(self) -> dict[str, int]:
        """How often each label occurs."""
        return {label: int(np.count_nonzero(self.codes == code)) for code, label in enumerate(self.labels)}


@dataclass(frozen=True, eq=False)
class ClusterColumn:
    """Whose each row is: codes (n,) into ``words``, any number of them, -1 for a blank cell; not all different."""

    name: str
    words: tuple[str, ...]
    codes: NDArray[np.signedinteger]


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
    """

    layout: FileLayout
    rows: int
    numbers: tuple[NumberColumn, ...]
    labels: tuple[LabelColumn, ...]
    is_membership_clear: bool
    clusters: tuple[ClusterColumn, ...] = ()

    def number(self, name: str) -> NumberColumn:
        """The column of numbers with this name."""
        return next(column for column in self.numbers if column.name == name)

    def label(self, name: str) -> LabelColumn:
        """The column of labels with this name."""
        return next(column for column in self.labels if column.name == name)

    def cluster(self, name: str) -> ClusterColumn:
        """The column of clusters with this name."""
        return next(column for column in self.clusters if column.name == name)
