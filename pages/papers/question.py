"""What a question is: the printed figures that answer it, each with one knob and a sentence made of what is drawn."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from numerics.trade_off import Floats
from pages.ui.address import Query
from pages.ui.catalog import Page
from plotting.bars import Bars, bars_figure
from plotting.lines import Dots, Line, LineAxis, lines_figure
from plotting.theme import Figure

Columns = Mapping[str, Floats | Sequence[str]]
Link = tuple[Page, Query]
"""A tool page and its address there."""


@dataclass(frozen=True, eq=False)
class Drawing:
    """A figure at one value of its knob, and its data as columns (n,): the sentence is made of the same columns."""

    figure: Figure
    columns: Columns

    @property
    def names(self) -> tuple[str, ...]:
        """Of what is drawn, in the order of the legend."""
        names, *_ = self.columns.values()
        return tuple(dict.fromkeys(map(str, names)))

    def series(self, name: str) -> tuple[Floats, Floats]:
        """Positions and values (n,) of the lines, dots or bars drawn under this ``name``.

        Raises:
            ValueError: nothing is drawn under it.
        """
        names, _, x, y, *_ = self.columns.values()
        drawn = np.array(names) == name
        if not drawn.any():
            raise ValueError(f"nothing is drawn under the name {name!r}, but under {', '.join(self.names)}.")
        places = np.arange(len(names)) if isinstance(x[0], str) else x
        return np.asarray(places, dtype=float)[drawn], np.asarray(y, dtype=float)[drawn]

    def at(self, name: str, place: float) -> float:
        """The value there, straight between points and level beyond them. Raises as ``series``."""
        return float(np.interp(place, *self.series(name)))

    @classmethod
    def of(
        cls,
        axes: tuple[LineAxis, LineAxis],
        lines: Sequence[Line],
        dots: Sequence[Dots] = (),
        blind: Line | None = None,
    ) -> "Drawing":
        """Lines and dots over two axes, and their values below each other; ``blind`` is what guessing reaches."""
        parts: list[Line | Dots] = [*lines, *dots]
        columns: dict[str, Floats | Sequence[str]] = {
            "drawn": [part.name for part in parts for _ in part.x],
            "kind": [_kind(part) for part in parts for _ in part.x],
            axes[0].words: np.concatenate([part.x for part in parts]),
            axes[1].words: np.concatenate([part.y for part in parts]),
        }
        return cls(lines_figure(*axes, lines, dots, blind), columns)

    @classmethod
    def of_bars(cls, groups: Sequence[str], series: Sequence[Bars], up: LineAxis) -> "Drawing":
        """Bars of every group side by side, and their values below each other."""
        columns: dict[str, Floats | Sequence[str]] = {
            "drawn": [one.name for one in series for _ in groups],
            "kind": ["bars"] * len(groups) * len(series),
            "of": [group for _ in series for group in groups],
            up.words: np.concatenate([one.heights for one in series]),
            "standard deviation": np.concatenate([one.errors for one in series]),
        }
        return cls(bars_figure(groups, series, up), columns)


def _kind(part: Line | Dots) -> str:
    if isinstance(part, Dots):
        return "points"
    return part.bound.value if part.bound else "reference"


def of_100(share: float) -> str:
    """A share of people as it is said.

    >>> of_100(0.0864)
    '8.64 of 100'
    """
    return f"{100.0 * share:.3g} of 100"


def reads(
    text: str, *values: tuple[str, float] | Callable[[Drawing], float], of: Callable[[float], str] = of_100
) -> Callable[[Drawing], str]:
    """A sentence with blanks for values: what is drawn under a name at a place, or computed of the drawing."""

    def said(seen: Drawing) -> str:
        found = (value(seen) if callable(value) else seen.at(*value) for value in values)
        return text.format(*(f"**{of(value)}**" for value in found))

    return said


def bar(name: str, place: int) -> Callable[[Drawing], float]:
    """The height of a bar: of the series under this name, that of the group at this place."""
    return lambda seen: float(seen.series(name)[1][place])


def found(name: str, place: float) -> Callable[[Drawing], float]:
    """The members found, of a line or dots of the members missed."""
    return lambda seen: 1.0 - seen.at(name, place)


@dataclass(frozen=True)
class Paper:
    """A paper as it is cited, and as it is found; ``number`` is what corrections call it."""

    number: str
    authors: str
    year: str
    title: str

    @property
    def cited(self) -> str:
        """Authors and year."""
        return f"{self.authors} {self.year}"


@dataclass(frozen=True)
class Knob:
    """The one quantity that a slider moves, its values, and where it starts: as printed, if ``is_printed``."""

    words: str
    values: tuple[float, ...]
    start: float
    is_printed: bool = True


class Printed(NamedTuple):
    """A number that the paper prints, and the same recomputed: ``within`` half a unit of the last digit, or ``why``."""

    words: str
    place: str
    value: float
    recomputed: Callable[[], float]
    within: float = 0.005
    why: str = ""


@dataclass(frozen=True, eq=False)
class Panel:
    """One printed figure, or one correction: a state of the selector on the page of its question.

    Attributes:
        place: where it is printed: ``Fig. 1a``; ``Correction 2`` is a formula of the print beside the one that holds.
        words: what is drawn, without a number that the knob moves.
        knob: what moves.
        draw: draws it at a value of the knob.
        says: the answer; every number in it is one of the drawing's columns, or stays.
        opens: the tool page that shows the same at a value of the knob, in exactly that state.
        settings: numbers that it is drawn at and that the knob does not move.
        printed: numbers that the paper prints.
        corrections: numbers of those that touch it.
        ours: what is not as in the paper: data, test or settings.
    """

    place: str
    words: str
    knob: Knob
    draw: Callable[[float], Drawing]
    says: str | Callable[[Drawing], str]
    opens: Callable[[float], Link] | None = None
    settings: str = ""
    printed: tuple[Printed, ...] = ()
    corrections: tuple[int, ...] = ()
    ours: str = ""

    def said(self, drawing: Drawing) -> str:
        """The answer, of a drawing of it."""
        return self.says if isinstance(self.says, str) else self.says(drawing)


@dataclass(frozen=True, eq=False)
class Question:
    """A page of figures.

    Attributes:
        group: the heading under which it is found.
        paper: where its figures are printed.
        key: its word in the address.
        title: the question.
        panels: the figures; the first is the one on the tile.
        ours: what is not the paper's, in a few words for the tile.
        finds: further words to search for.
    """

    group: str
    paper: Paper
    key: str
    title: str
    panels: tuple[Panel, ...]
    ours: str = ""
    finds: str = ""

    @property
    def named(self) -> str:
        """The key of its selector, with which those of its sliders begin."""
        return f"papers.{self.key.replace('-', '_')}"

    def knob_key(self, panel: Panel) -> str:
        """The key of a panel's slider."""
        return f"{self.named}_{slug(panel.place).replace('-', '_')}"

    @property
    def printed_in(self) -> str:
        """All places as one reads them: ``Fig. 1a, 1b, Def. 3``; of corrections, that there are some."""
        places = dict.fromkeys(one.place.partition(",")[0] for one in self.panels)
        corrections = [one for one in places if one.startswith("Correction")]
        kinds, said = "", []
        for kind, _, number in (one.partition(" ") for one in places if one not in corrections):
            said.append(number if kind == kinds else f"{kind} {number}")
            kinds = kind
        if corrections:
            said.append(f"{len(corrections)} correction{'s' * (len(corrections) > 1)}")
        return ", ".join(said)

    def matches(self, words: str) -> bool:
        """Whether every one of the ``words`` is found in it."""
        own = [self.title, self.group, self.paper.number, self.paper.cited, self.paper.title, self.ours, self.finds]
        panels = [f"{one.place} {one.words} {one.knob.words} {one.settings} {one.ours}" for one in self.panels]
        text = " ".join([*own, *panels]).lower()
        return all(word in text for word in words.lower().split())


def slug(text: str) -> str:
    """Words as an address spells them.

    >>> slug("Fig. 7, CIFAR-10")
    'fig-7-cifar-10'
    """
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
