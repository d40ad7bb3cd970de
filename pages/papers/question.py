"""What a question is: printed figures that answer it, each drawn at every value of one knob.

A drawing is a state of a tool page: its figure, its columns, the sentence and the link are made of the same object.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import NamedTuple

import numpy as np

from numerics import shipped
from numerics.trade_off import Floats
from pages.ui.address import Query, labelled
from pages.ui.catalog import Page
from plotting.bars import Bars, bars_figure
from plotting.lines import Dots, Line, LineAxis, lines_figure
from plotting.theme import Figure
from reports.rounding import nearest

Columns = Mapping[str, Floats | Sequence[str]]
Drawn = Line | Dots
Link = tuple[Page, Query]
"""A tool page and its address there."""


def shipped_columns(table: str, *wanted: str, **where: str | float) -> Floats:
    """Numbers (columns, rows) of the ``wanted`` columns of data/``table``.csv, in rows whose cells are as in ``where``.

    Words are compared as words, and numbers as numbers.
    """
    rows = shipped.rows(table)
    for name, must in where.items():
        rows = tuple(row for row in rows if (row[name] if isinstance(must, str) else float(row[name])) == must)
    return np.array([[float(row[name]) for row in rows] for name in wanted])


@dataclass(frozen=True, eq=False)
class Drawing:
    """A figure at one value of its knob.

    Attributes:
        make: makes the figure, a new one each time.
        columns: its data (n,), of which the sentence is made: under which name, the kind, positions and values.
        opens: the tool page in exactly this state, or why none can show it.
    """

    make: Callable[[], Figure]
    columns: Columns
    opens: Link | str

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
        places = np.arange(len(names)) % len(set(x)) if isinstance(x[0], str) else x
        return np.asarray(places, dtype=float)[drawn], np.asarray(y, dtype=float)[drawn]

    def at(self, name: str, place: float) -> float:
        """The value there, straight between points and level beyond them; of bars, that of a group. As ``series``."""
        return float(np.interp(place, *self.series(name)))

    @classmethod
    def of(
        cls, axes: tuple[LineAxis, LineAxis], parts: Sequence[Drawn], opens: Link | str, blind: Line | None = None
    ) -> "Drawing":
        """Lines and dots over two axes, and their values below each other; ``blind`` is what guessing reaches."""
        lines = [part for part in parts if isinstance(part, Line)]
        dots = [part for part in parts if isinstance(part, Dots)]
        kinds = ["points" if isinstance(part, Dots) else part.bound or "reference" for part in parts]
        columns: dict[str, Floats | Sequence[str]] = {
            "drawn": [part.name for part in parts for _ in part.x],
            "kind": [str(kind) for kind, part in zip(kinds, parts, strict=True) for _ in part.x],
            axes[0].words: np.concatenate([part.x for part in parts]),
            axes[1].words: np.concatenate([part.y for part in parts]),
        }
        return cls(partial(lines_figure, *axes, lines, dots, blind), columns, opens)

    @classmethod
    def of_bars(cls, groups: Sequence[str], series: Sequence[Bars], up: LineAxis, opens: Link | str) -> "Drawing":
        """Bars of every group side by side, and their values below each other."""
        columns: dict[str, Floats | Sequence[str]] = {
            "drawn": [one.name for one in series for _ in groups],
            "kind": ["bars"] * len(groups) * len(series),
            "of": [group for _ in series for group in groups],
            up.words: np.concatenate([one.heights for one in series]),
            "standard deviation": np.concatenate([one.errors for one in series]),
        }
        return cls(partial(bars_figure, groups, series, up), columns, opens)


_BLANK = re.compile(r"\{(?P<rest>1 - )?(?P<name>[^{}]+?) @ (?P<place>[^{}|]+)(?:\|(?P<digits>[^{}]+))?\}")


def said(says: "str | Callable[[Drawing], str]", seen: Drawing) -> str:
    """A sentence whose blanks name what is drawn and where: ``{full knowledge @ 0.1}`` is a value of the drawing.

    It is said as a share of 100 people, or, ``{δ @ 1|3}``, with three significant digits; as a number with four
    decimals, ``{δ @ 1|.4f}``; and ``{1 - measured @ 0.1}`` is the rest of one.
    """

    def value(blank: re.Match[str]) -> str:
        found, digits = seen.at(blank["name"], float(blank["place"])), blank["digits"]
        found = 1.0 - found if blank["rest"] else found
        if digits is None:
            return f"**{100.0 * found:.3g} of 100**"
        return f"**{nearest(found, int(digits)) if digits.isdigit() else format(found, digits)}**"

    return _BLANK.sub(value, says if isinstance(says, str) else says(seen))


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

    @property
    def short(self) -> str:
        """The first two authors and the year: the first alone has two papers here of one year."""
        return f"{', '.join(re.split(', | and ', self.authors)[:2])} et al. {self.year}"


@dataclass(frozen=True)
class Knob:
    """The one quantity that a slider moves, its values, and where it starts.

    ``printed`` is empty where the paper has no value, and says which figure has which where a panel is more than one:
    ``Fig. 1a: 0.6, Fig. 1b: 1.5``.
    """

    words: str
    values: tuple[float, ...]
    start: float
    printed: str = "paper"

    @property
    def label(self) -> str:
        """Its words, and the value in the paper."""
        printed = f"paper: {labelled(self.start)}" if self.printed == "paper" else self.printed
        return f"{self.words} ({printed})" if printed else self.words


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
    """Printed figures that one knob leads through, or one correction: a state of the selector of its question.

    Attributes:
        caption: where it is printed, and what is drawn, without a number that the knob moves: ``Fig. 1a/1b: Laplace
            noise``; ``Correction 2: ...`` is a formula of the print beside one that holds.
        knob: what moves.
        draw: draws it at a value of the knob.
        says: the answer, with blanks for values of the drawing; or it is made of the drawing.
        settings: numbers that it is drawn at and that the knob does not move.
        printed: numbers that the paper prints.
        corrections: numbers of those that touch it.
        ours: what is not as in the paper: data, test or settings.
        is_slow: whether a value takes so long that only the one that is asked for is drawn.
    """

    caption: str
    knob: Knob
    draw: Callable[[float], Drawing]
    says: str | Callable[[Drawing], str]
    settings: str = ""
    printed: tuple[Printed, ...] = ()
    corrections: tuple[int, ...] = ()
    ours: str = ""
    is_slow: bool = False

    @property
    def place(self) -> str:
        """Where it is printed."""
        return self.caption.partition(": ")[0]


@dataclass(frozen=True, eq=False)
class Question:
    """A page of figures.

    Attributes:
        group: the heading under which it is found.
        paper: where its figures are printed.
        key: its word in the address.
        title: the question.
        ours: what is not the paper's, in a few words for the tile.
        finds: further words to search for.
        panels: the figures; the first is the one on the tile.
    """

    group: str
    paper: Paper
    key: str
    title: str
    ours: str = ""
    finds: str = ""
    panels: tuple[Panel, ...] = ()

    def answered_by(self, *panels: Panel) -> "Question":
        """The question with its figures."""
        return replace(self, panels=panels)

    @property
    def named(self) -> str:
        """The key of its selector, with which those of its sliders begin."""
        return f"papers.{self.key.replace('-', '_')}"

    @property
    def figure_key(self) -> str:
        """The key of its figure."""
        return f"papers-figure_{self.key}"

    def knob_key(self, panel: Panel) -> str:
        """The key of a panel's slider."""
        return f"{self.named}_{slug(panel.place).replace('-', '_')}"

    @property
    def printed_in(self) -> str:
        """All places but corrections as one reads them: ``Fig. 1a-d, Def. 3``."""
        found: dict[str, set[str]] = {}
        for panel in self.panels:
            kind, _, numbers = panel.place.partition(",")[0].partition(" ")
            found.setdefault(kind, set()).update(numbers.split("/"))
        found.pop("Correction", None)
        said = []
        for kind, all_numbers in found.items():
            runs = [list(run) for _, run in groupby(sorted(all_numbers), lambda one: one.rstrip("abcdef"))]
            said.append(f"{kind} {', '.join(f'{run[0]}-{run[-1][-1]}' if run[2:] else ', '.join(run) for run in runs)}")
        return ", ".join(said)

    def matches(self, words: str) -> bool:
        """Whether every one of the ``words`` is found in it."""
        own = [self.title, self.group, self.paper.number, self.paper.cited, self.paper.title, self.ours, self.finds]
        panels = [f"{one.caption} {one.knob.label} {one.settings} {one.ours}" for one in self.panels]
        text = " ".join([*own, *panels]).lower()
        return all(word in text for word in words.lower().split())


def slug(text: str) -> str:
    """Words as an address spells them.

    >>> slug("Fig. 7, CIFAR-10")
    'fig-7-cifar-10'
    """
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
