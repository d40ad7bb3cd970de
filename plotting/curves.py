"""Curves of one figure: the one in force with its band, others beside it, estimates, and the point looked at.

Shared by the figures of the trade-off curve and of reconstruction, which differ in what is on the axes and in words.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numerics.trade_off import Bound, Bracket, Floats, TradeOffCurve
from plotting import theme
from plotting.assembly import Part, band, gap, hover, label, spot, trace
from plotting.people import CROWD, counts

CLICKED = "click to look at this point"
ATTACKED = f"a known attack ({Bound.UPPER.value})"
SMALLEST_SHOWN = 1e-9

_TARGETS = 90  # points of the curve that take a click, as many as the slider has values; more are slow to draw
_HIT_SIZE = 6  # pixels; larger ones would compete where they overlap. A click within 20 pixels takes the nearest
_RATE, _SHARE = 0.02, 0.3  # where a gap's name stands: a rate, or on linear axes a share of the axis
_TALL = 0.12  # of the figure: a gap that takes its name in
_HIT_OPACITY = 0.01  # an entirely invisible marker would take none


class Axes(StrEnum):
    """What the figure's axes show."""

    LINEAR = "linear"
    LOG = "log-log"


@dataclass(frozen=True)
class Shown:
    """What of a curve is shown.

    Attributes:
        axes: linear or logarithmic.
        found: whether the height is the power; otherwise the members missed.
        hover: what a point says, with ``%{x}``, and ``{at_most}`` and ``COUNTED`` for the power.
        largest_alpha: where the figure ends.
        crowd: of how many people a point speaks, unless that would be less than one.
        smallest: where logarithmic axes start.
    """

    axes: Axes
    found: bool
    hover: str
    largest_alpha: float = 1.0
    crowd: int = CROWD
    smallest: float = SMALLEST_SHOWN

    @property
    def start(self) -> float | None:
        """Where the axes start if they are logarithmic."""
        return self.smallest if self.axes is Axes.LOG else None


@dataclass(frozen=True, eq=False)
class CurveLine:
    """What is drawn of one curve, (n,) each: positions, and the power of the guarantee, for the hover text."""

    x: Floats
    y: Floats
    found: Floats
    band: tuple[Floats, Floats] | None
    name: str
    bound: Bound


@dataclass(frozen=True, eq=False)
class EstimatedCurve:
    """An estimated curve and, where it is sampled, the standard error of its power (n,)."""

    curve: TradeOffCurve
    error: Floats | None = None

    def line(self, shown: Shown) -> CurveLine:
        """What is drawn of it; the band is two standard errors to either side."""
        drawn = line(self.curve, shown)
        if self.error is None:
            return drawn
        reach = 2.0 * np.interp(drawn.x, self.curve.alpha, self.error)
        smallest = SMALLEST_SHOWN if shown.axes is Axes.LOG else 0.0
        return replace(drawn, band=(np.clip(drawn.y - reach, smallest, 1.0), np.clip(drawn.y + reach, smallest, 1.0)))


@dataclass(frozen=True, eq=False)
class OfAttacker:
    """A curve of one attacker, in the colour that it has everywhere."""

    curve: TradeOffCurve
    color: str


Compared = TradeOffCurve | OfAttacker
"""A curve beside others: an attacker's, or another release's."""


@dataclass(frozen=True)
class OperatingPoint:
    """The false positive rate (or prior) in force, and the power that goes with it."""

    alpha: float
    power: Bracket


def line(curve: TradeOffCurve, shown: Shown) -> CurveLine:
    """The part of ``curve`` that the axes can show."""
    log, found = shown.axes is Axes.LOG, shown.found
    seen = curve.alpha <= shown.largest_alpha
    sides = () if curve.lower is None or curve.upper is None else (curve.lower, curve.upper)
    if log:
        seen &= (curve.alpha > 0.0) & np.logical_and.reduce([side.power > 0.0 for side in (curve, *sides)])
    columns = [(side.power if found else side.beta)[seen] for side in (curve, *sides)]
    most = sides[0].power if sides else curve.power
    limits = (columns[1], columns[2]) if sides else None
    name = theme.legend_name(curve.label, curve.bound).replace("; ", ";<br>")  # a phase a line
    return CurveLine(curve.alpha[seen], columns[0], most[seen], limits, name, curve.bound)


def area(drawn: CurveLine, color: str, shown: Shown) -> list[Part]:
    """The band of a curve that has one; where its sides do not meet, the gap has a name, and the attack is a line."""
    if drawn.band is None:
        return []
    if drawn.bound is not Bound.OPEN:
        return band(drawn.x, *drawn.band, color)
    edge = {"color": color, "width": 2, "dash": theme.DASH[Bound.UPPER]}
    attack = trace(drawn.x, drawn.band[1], name=ATTACKED, line=edge, hoverinfo="skip")
    x, y, side = name_place(drawn.x, drawn.band, shown.start, shown.largest_alpha, shown.found)
    return [*gap(drawn.x, *drawn.band, color), attack, label(x, y, Bound.OPEN.value, color, side)]


def name_place(
    x: Floats, sides: tuple[Floats, Floats], start: float | None, end: float, found: bool
) -> tuple[float, float, str]:
    """A point and the side of it at which the name stands: in the gap, or beside a narrow one, away from guessing.

    Args:
        x: positions (n,).
        sides: heights (n,) of the guarantee and of the attack.
        start: where logarithmic axes start; None for linear ones.
        end: where the axes end.
        found: whether heights are people found, above guessing; otherwise those missed, below it.
    """
    place = min(int(np.searchsorted(x, _SHARE * end if start is None else _RATE)), len(x) - 1)
    at, guarantee, attack = (float(values[place]) for values in (x, *sides))
    tall = attack - guarantee if start is None else np.log(attack / guarantee) / np.log(start)
    if abs(tall) < _TALL:
        return at, guarantee, "top left" if found else "bottom left"
    return at, (guarantee + attack) / 2.0 if start is None else (guarantee * attack) ** 0.5, "middle center"


def in_force(drawn: CurveLine, color: str) -> Part:
    """The curve that the page is about."""
    return _trace(drawn, color, width=3, hoverinfo="skip")


def labelled(drawn: CurveLine, color: str, shown: Shown, **look: Any) -> Part:
    """Another curve; its name is written on it, so that no legend has to tell it apart."""
    said = {"customdata": counts(drawn.found, shown.crowd), "hovertemplate": _hover(drawn, shown.hover)}
    return _trace(drawn, color, width=2, **said, showlegend=False) | look


def beside(drawn: CurveLine, index: int, shown: Shown, color: str = "") -> Part:
    """Another curve, told apart by marker as well as by colour: that of its attacker, or of what is compared."""
    color = color or theme.compared(index)
    marker = {"color": color, "size": 7, "symbol": theme.marker(index + 2), "maxdisplayed": 12}
    return labelled(drawn, color, shown, mode="lines+markers", marker=marker, showlegend=True)


def _trace(drawn: CurveLine, color: str, width: int, **look: Any) -> Part:
    line = {"color": color, "width": width, "dash": theme.DASH[drawn.bound]}
    return trace(drawn.x, drawn.y, name=drawn.name, line=line, **look)


def apart(alpha: Floats, axes: Axes) -> NDArray[np.int64]:
    """Indices of points that are a few pixels apart: many faint markers on one spot would show."""
    logs = np.log10(np.maximum(alpha, SMALLEST_SHOWN))
    along = logs / (logs[-1] - logs[0]) if axes is Axes.LOG else alpha / alpha[-1]
    return np.unique(np.round(_TARGETS * along), return_index=True)[1]


def targets(drawn: CurveLine, shown: Shown) -> Part:
    """Markers on the curve that cannot be seen but take the clicks, and say what the point means.

    One is put on the page: browsers find the nearest point by its place, and to draw the others was a quarter of what a
    new figure costs.
    """
    spread = apart(drawn.x, shown.axes)
    unchanged = {"marker": {"opacity": _HIT_OPACITY}}
    return trace(
        drawn.x[spread],
        drawn.y[spread],
        customdata=counts(drawn.found[spread], shown.crowd),
        mode="markers",
        name=CLICKED,
        showlegend=False,
        marker={"color": theme.NEUTRAL, "size": _HIT_SIZE, "opacity": _HIT_OPACITY, "maxdisplayed": 1},
        selected=unchanged,
        unselected=unchanged,
        hovertemplate=_hover(drawn, shown.hover),
    )


def _hover(drawn: CurveLine, words: str) -> str:
    return f"{hover(words, drawn.bound)}<extra>{drawn.name}</extra>"


def curves_with_point(
    curve: Compared,
    at: OperatingPoint,
    view: Shown,
    others: Sequence[Compared],
    estimates: Sequence[EstimatedCurve],
    name: str = "operating point",
    marks_estimates: bool = True,
) -> list[Part]:
    """The curve with its band, others, estimates (where curves with markers are drawn too, none), and the named point.

    A click on the curve selects the point of the trace ``CLICKED``. A curve of no attacker is of what the
    release gives away.
    """
    plain, color = _painted(curve, theme.MEMBER)
    own = line(plain, view)
    traces = [*area(own, color, view), in_force(own, color)]
    for i, other in enumerate(others):
        plain, color = _painted(other, theme.compared(i))
        traces.append(beside(line(plain, view), i, view, color))
    for i, guess in enumerate(estimates):
        drawn, index = guess.line(view), estimate_index(i)
        own_dots = labelled(drawn, theme.compared(index), view, showlegend=True)
        traces += [
            *area(drawn, theme.compared(index), view),
            beside(drawn, index, view) if marks_estimates else own_dots,
        ]
    return [*traces, point(at, view, name), targets(own, view)]


def _painted(one: Compared, otherwise: str) -> tuple[TradeOffCurve, str]:
    return (one.curve, one.color) if isinstance(one, OfAttacker) else (one, otherwise)


def estimate_index(place: int) -> int:
    """Which of the colours and markers of what is compared the estimate at this place has: the last ones first."""
    return -1 - place


def point(at: OperatingPoint, shown: Shown, name: str) -> Part:
    """The operating point; where the axes leave it out, nothing is drawn but the legend says so."""
    most = at.power.upper
    smallest = SMALLEST_SHOWN if shown.axes is Axes.LOG else 0.0
    if not smallest <= at.alpha <= shown.largest_alpha:
        return spot(np.nan, np.nan, f"{name} (outside, at {at.alpha:.3g})")
    return spot(at.alpha, most if shown.found else 1.0 - most, name)
