"""Rows of marks: one for every person that an attacker finds, or for as many people as there is room for.

The marks are counted off from the left, those first that blind guessing finds; the limit that somebody accepts is a
line through them. Names and numbers stand beside the rows. A mark is a stroke as long as a share of its place along the
axis, so that marks stay apart on a screen of any width.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

import numpy as np

from numerics.trade_off import Bracket, Order, TradeOffCurve
from plotting import theme
from plotting.assembly import BARE, Part, note, trace, upright
from plotting.curves import SMALLEST_SHOWN, Axes
from plotting.people import people_a_mark, quantity

_MOST_MARKS = 50  # in a row that a telephone shows
_HEIGHT = 7  # pixels
_HALF = 0.31  # of a mark's place, to either side
LEFT = 108  # pixels beside the rows, for names
_CHARACTER = 7.2 / 240  # of the width that telephones have for a row


@dataclass(frozen=True, eq=False)
class AttackerRow:
    """What one attacker achieves.

    Attributes:
        name: of the attacker, in two words.
        color: of its dots and its line.
        count: people found, of the crowd.
        said: the count in words, with what may be claimed of it.
        found: the share of people found.
        curve: the same at every rate of false alarms; None where marks alone are drawn.
    """

    name: str
    color: str
    count: int
    said: str
    found: Bracket
    curve: TradeOffCurve | None = None


@dataclass(frozen=True)
class AttackersFrame:
    """What all attackers of a figure share.

    Attributes:
        alpha: the rate of false alarms.
        limit: the share of people found that is accepted; None where it is not drawn.
        crowd: how many people are counted.
        order: of the test.
        axes: of the curves.
        largest_alpha: where the curves end.
        counts_people: whether logarithmic axes count people, from one of the crowd; otherwise they show rates to 1e-9.
    """

    alpha: float
    limit: float | None
    crowd: int
    order: Order = Order.ADD
    axes: Axes = Axes.LOG
    largest_alpha: float = 1.0
    counts_people: bool = True

    @property
    def people(self) -> str:
        """Whom the attack names."""
        return "outsiders ruled out" if self.order is Order.REMOVE else "people found"

    @property
    def is_inside(self) -> bool:
        """Whether the curves reach the rate of false alarms."""
        return self.alpha <= self.largest_alpha

    @property
    def smallest(self) -> float:
        """The smallest rate on logarithmic axes: one person of the crowd, or less where the attacker is as careful."""
        if not self.counts_people:
            return SMALLEST_SHOWN
        return 10.0 ** min(-round(log10(self.crowd)), floor(log10(self.alpha)))


@dataclass(frozen=True)
class PeopleRows:
    """The rows, with ``unit`` people a mark."""

    seen: Sequence[AttackerRow]
    scene: AttackersFrame
    unit: int

    @classmethod
    def of(cls, seen: Sequence[AttackerRow], scene: AttackersFrame) -> "PeopleRows":
        """Rows with as many people a mark as there must be: 1, 2, 5, 10, ..."""
        return cls(seen, scene, people_a_mark(max(one.count for one in seen), _MOST_MARKS))

    def _marks(self, count: float) -> int:
        return ceil(count / self.unit)

    @property
    def _end(self) -> float:
        """Where the rows end, with room for the longest one's number."""
        marks = max(self._marks(one.count) for one in self.seen)
        return (marks + 1.0) / (1.0 - _CHARACTER * max(len(one.said) for one in self.seen))

    def traces(self, axes: str) -> list[Part]:
        """Marks: grey as many as blind guessing finds, and in the attacker's colour the rest."""
        luck, parts = self._marks(round(self.scene.alpha * self.scene.crowd)), list[Part]()
        for row, one in enumerate(self.seen):
            places = np.arange(1.0, self._marks(one.count) + 1.0)
            guessed, found = (places[:luck], theme.NEUTRAL, "by blind guessing"), (places[luck:], one.color, one.said)
            for part, color, words in (guessed, found):
                ends = np.add.outer(part, [-_HALF, _HALF, np.nan]).ravel()  # a gap after each
                look = {"name": f"{one.name}: {words}", "line": {"width": _HEIGHT, "color": color}, "hoverinfo": "skip"}
                on = {"xaxis": f"x{axes}", "yaxis": f"y{axes}"}
                parts.append(trace(ends, np.full(len(ends), float(row)), **on, **look))
        return parts

    def across(self, **settings: object) -> Part:
        """The axis that marks are counted along: without ticks, for the numbers stand beside the rows."""
        return {"range": [0.0, self._end], "fixedrange": True, "showticklabels": False, **BARE, **settings}

    def names(self, **settings: object) -> Part:
        """The attackers, from above."""
        ticks = {"tickvals": list(range(len(self.seen))), "ticktext": [one.name for one in self.seen]}
        ends = [len(self.seen) - 0.5, -0.5]
        return {"range": ends, **ticks, "fixedrange": True, **BARE, "automargin": False, **settings}

    def labels(self, axes: str) -> list[Part]:
        """The count after each row, what the line is, and what a mark is."""
        scene, above = self.scene, f"y{axes} domain"
        in_rows: Part = {"xref": f"x{axes}", "yref": f"y{axes}"}
        said = [
            note(f"<b>{one.said}</b>", self._marks(one.count) + 0.8, row, "left", font={"color": one.color}, **in_rows)
            for row, one in enumerate(self.seen)
        ]
        luck = round(scene.alpha * scene.crowd)
        key = f"a mark: {self.unit:,} of {scene.crowd:,}" + (f"; grey: guessing, {luck:,}" if luck else "")
        # From the left edge on: to the right are the buttons of a figure on a telephone.
        said.append(note(key, 0.0, 1.0, "left bottom", xref="paper", xshift=-LEFT, font={"size": 13}, yref=above))
        if scene.limit is not None:
            at, beyond = self._limit_at(scene.limit), self._limit_at(scene.limit) > self._end
            name = f"my limit, {quantity(scene.limit * scene.crowd, 4)}{' →' if beyond else ''}"
            place = (self._end, 0.0, "right top") if beyond else (at, 0.0, "center top")
            said.append(note(name, *place, xref=f"x{axes}", yref=above))
        return said

    def _limit_at(self, limit: float) -> float:
        """Between the last mark within the limit and the first beyond it."""
        return floor(limit * self.scene.crowd / self.unit * (1.0 + 1e-12)) + 0.5

    def shapes(self, axes: str) -> list[Part]:
        """The limit."""
        limit = self.scene.limit
        if limit is None or self._limit_at(limit) > self._end:
            return []
        return [upright(self._limit_at(limit)) | {"xref": f"x{axes}", "yref": f"y{axes} domain"}]
