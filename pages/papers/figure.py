"""What a figure of a paper is here: all that the page of one figure shows, in one frozen entry."""

import re
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, Self

import numpy as np

from numerics.shipped import DATA
from numerics.trade_off import Floats
from pages.ui.address import Query
from pages.ui.catalog import Page
from pages.ui.preset_buttons import Preset
from plotting.lines import Dots, Line, LineAxis, lines_figure
from plotting.theme import Figure
from reports.rounding import as_entered

PICTURES = DATA / "thumbnails"
"""Small pictures of the figures as the papers have them; see make_thumbnails.py there."""

Columns = Mapping[str, Floats | Sequence[str]]
Notice = str | Callable[["Drawing"], str]
"""What to notice: words without a number that the slider moves, or words made of what is drawn."""


@dataclass(frozen=True, eq=False)
class Drawing:
    """A figure at one value of its parameter, the same in words, and its data as columns (n,)."""

    figure: Figure
    alt: str
    columns: Columns

    @property
    def names(self) -> tuple[str, ...]:
        """Of what is drawn, in the order of the legend."""
        names, *_ = self.columns.values()
        return tuple(dict.fromkeys(map(str, names)))

    def series(self, name: str) -> tuple[Floats, Floats]:
        """Positions and values (n,) of the lines or dots drawn under this ``name``.

        Raises:
            ValueError: nothing is drawn under it.
        """
        names, _, *axes = self.columns.values()
        drawn = np.array(names) == name
        if not drawn.any():
            raise ValueError(f"nothing is drawn under the name {name!r}, but under {', '.join(self.names)}.")
        x, y = (np.asarray(axis, dtype=float)[drawn] for axis in axes)
        return x, y

    def at(self, name: str, place: float) -> float:
        """The value there, straight between points and level beyond them. Raises as ``series``."""
        return float(np.interp(place, *self.series(name)))

    @classmethod
    def of(
        cls,
        alt: str,
        axes: tuple[LineAxis, LineAxis],
        lines: Sequence[Line],
        dots: Sequence[Dots] = (),
        blind: Line | None = None,
    ) -> "Drawing":
        """Lines and dots over two axes, and their values below each other."""
        parts: list[Line | Dots] = [*lines, *dots]
        columns: dict[str, Floats | Sequence[str]] = {
            "drawn": [part.name for part in parts for _ in part.x],
            "kind": [_kind(part) for part in parts for _ in part.x],
            axes[0].words: np.concatenate([part.x for part in parts]),
            axes[1].words: np.concatenate([part.y for part in parts]),
        }
        return cls(lines_figure(*axes, lines, dots, blind), alt, columns)


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


class FigurePreset(Preset, Protocol):
    """The settings of a tool page that draw a figure."""

    @property
    def query(self) -> Query:
        """The address there."""


@dataclass(frozen=True)
class Thumbnail:
    """A small picture and what it shows, for who does not see it."""

    svg: str
    alt: str

    @property
    def markdown(self) -> str:
        """As Markdown. Streamlit's own element of a picture brings a button that enlarges it: a stop of the Tab key."""
        return f"![{self.alt}](data:image/svg+xml;base64,{b64encode(self.svg.encode()).decode()})"


@dataclass(frozen=True)
class MovingParameter:
    """The one quantity that moves: what it is, its values, and the paper's, where it starts.

    ``is_printed`` is False where the paper has no such quantity, and the start is ours.
    """

    words: str
    values: tuple[float, ...]
    printed: float
    is_printed: bool = True


@dataclass(frozen=True)
class Printed:
    """A number that the paper prints, and the same recomputed.

    Attributes:
        words: what it is.
        place: where it is printed.
        value: as printed.
        recomputed: computes it.
        within: how far the two may be apart: half a unit of the last digit printed.
        why: what explains a larger difference; only where there is one.
        other: the data that stand in for the paper's, where what is computed is no recomputation of what is printed.
    """

    words: str
    place: str
    value: float
    recomputed: Callable[[], float]
    within: float
    why: str = ""
    other: str = ""


@dataclass(frozen=True, eq=False)
class PaperFigure:
    """A figure of a paper.

    Attributes:
        name: as it is cited: the paper's number, and the figure's there.
        words: what the paper shows, in one sentence without a number.
        settings: numbers that the figure is drawn at and that nothing on its page moves.
        page: the tool page that computes the same.
        query: its address there, with the paper's settings.
        case: tells figures of one name apart.
        draw: draws it at a value of the parameter.
        parameter: what moves; None where nothing does.
        notice: what to notice, in two sentences; every number in them is one of the drawing's columns, or stays.
        printed: numbers that the paper prints.
        corrections: numbers of those that touch it.
        source: where data come from that are not computed on arrival, or what differs from the paper.
    """

    name: str
    words: str
    page: Page
    query: Query
    draw: Callable[[float], Drawing]
    settings: str = ""
    case: str = ""
    parameter: MovingParameter | None = None
    notice: Notice = ""
    printed: tuple[Printed, ...] = ()
    corrections: tuple[int, ...] = ()
    source: str = ""
    label: str = field(init=False)
    slug: str = field(init=False)

    def __post_init__(self) -> None:
        label = f"**{self.name}** · {self.case}" if self.case else f"**{self.name}**"
        object.__setattr__(self, "label", label)
        object.__setattr__(self, "slug", slug(f"{self.name} {self.case}"))

    @classmethod
    def of_preset(cls, preset: FigurePreset, page: Page, words: str, **rest: Any) -> Self:
        """The figure that a preset of a tool page draws: its name up to the comma is the paper's."""
        name, _, case = preset.name.partition(", ")
        return cls(name, words, page, preset.query, case=case, **rest)

    @property
    def start(self) -> float:
        """The paper's value of the parameter; 0 where nothing moves."""
        return self.parameter.printed if self.parameter else 0.0

    def said(self, drawing: Drawing) -> str:
        """What to notice in a drawing of it."""
        return self.notice if isinstance(self.notice, str) else self.notice(drawing)

    @property
    def pictured(self) -> str:
        """What its small picture shows, with the numbers that it is drawn at."""
        start = [f"{self.parameter.words} {as_entered(self.start)}"] if self.parameter else []
        numbers = "; ".join([*start, *([self.settings] if self.settings else [])])
        return f"{self.words} {numbers}." if numbers else self.words

    @property
    def picture(self) -> Thumbnail:
        """Its small picture."""
        words = re.sub(r"[()\[\]]", "", self.pictured)  # they would end the words of a picture in Markdown
        return Thumbnail((PICTURES / f"{self.slug}.svg").read_text(encoding="utf-8"), words)

    def matches(self, words: str) -> bool:
        """Whether every one of the ``words`` is found in it."""
        text = f"{self.name} {self.case} {self.pictured} {self.source}".lower()
        return all(word in text for word in words.lower().split())


def slug(text: str) -> str:
    """Words as an address spells them.

    >>> slug("000 Fig. 7, CIFAR-10")
    '000-fig-7-cifar-10'
    """
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
