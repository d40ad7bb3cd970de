"""The trade-off curve: who is missed or found, against who is wrongly accused, with the operating point on it.

On linear axes the figure shows the trade-off function itself, the members missed. On log axes it shows the members
found, because only there the corner of few false accusations can be seen.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from numerics.trade_off import Bound, Bracket, Floats, TradeOffCurve
from plotting import theme
from plotting.assembly import LEGEND, Part, assemble, axis, band, compact, reference, spot

FALSE_ACCUSED = "Outsiders wrongly accused — false positive rate α"
MISSED = "Members missed — false negative rate β"
FOUND = "Members found — true positive rate 1 − β"

CLICKED = "click to look at this point"

_SMALLEST_SHOWN = 1e-9
_TARGETS = 120  # points of the curve that take a click
_HIT_SIZE = 6  # pixels; larger ones would compete where they overlap. A click within 20 pixels takes the nearest
_HIT_OPACITY = 0.01  # an entirely invisible marker would take none


class Axes(StrEnum):
    """What the figure's axes show."""

    LINEAR = "linear"
    LOG = "log-log"


@dataclass(frozen=True, eq=False)
class Line:
    """What is drawn of one curve, (n,) each: positions, and the most members found, for the hover text."""

    x: Floats
    y: Floats
    found: Floats
    band: tuple[Floats, Floats] | None
    name: str
    bound: Bound


@dataclass(frozen=True, eq=False)
class Estimated:
    """An estimated curve and, where it is sampled, the standard error of its power (n,)."""

    curve: TradeOffCurve
    error: Floats | None = None

    def line(self, axes: Axes, largest_alpha: float) -> Line:
        """What is drawn of it; the band is two standard errors to either side."""
        drawn = line(self.curve, axes, largest_alpha)
        if self.error is None:
            return drawn
        reach = 2.0 * np.interp(drawn.x, self.curve.alpha, self.error)
        smallest = _SMALLEST_SHOWN if axes is Axes.LOG else 0.0
        return replace(drawn, band=(np.clip(drawn.y - reach, smallest, 1.0), np.clip(drawn.y + reach, smallest, 1.0)))


@dataclass(frozen=True)
class OperatingPoint:
    """The false positive rate in force, and the true positive rate that goes with it."""

    alpha: float
    power: Bracket


def line(curve: TradeOffCurve, axes: Axes, largest_alpha: float = 1.0) -> Line:
    """The part of ``curve`` with alpha up to ``largest_alpha`` that the axes can show."""
    log = axes is Axes.LOG
    shown = curve.alpha <= largest_alpha
    sides = () if curve.lower is None or curve.upper is None else (curve.lower, curve.upper)
    if log:
        shown &= (curve.alpha > 0.0) & np.logical_and.reduce([side.power > 0.0 for side in (curve, *sides)])
    columns = [(side.power if log else side.beta)[shown] for side in (curve, *sides)]
    found = sides[0].power if sides else curve.power
    band = (columns[1], columns[2]) if sides else None
    name = theme.legend_name(curve.label, curve.bound).replace("; ", ";<br>")  # a phase a line
    return Line(curve.alpha[shown], columns[0], found[shown], band, name, curve.bound)


def trade_off_figure(
    curve: TradeOffCurve,
    point: OperatingPoint,
    axes: Axes = Axes.LINEAR,
    largest_alpha: float = 1.0,
    pinned: Sequence[TradeOffCurve] = (),
    estimates: Sequence[Estimated] = (),
) -> go.Figure:
    """The curve with its band, the operating point, pinned curves and estimates of the first one.

    A click on the curve selects the point of the trace ``CLICKED``.
    """
    own = line(curve, axes, largest_alpha)
    others = [line(other, axes, largest_alpha) for other in pinned]
    guesses = [guess.line(axes, largest_alpha) for guess in estimates]
    traces = [_guessing(axes, largest_alpha), *_band(own, theme.color(0)), _curve(own, theme.color(0))]
    traces += [_marked(other, theme.color(i), i) for i, other in enumerate(others, 1)]
    for i, guess in enumerate(guesses, 1):
        traces += [*_band(guess, theme.color(-i)), _marked(guess, theme.color(-i), -i)]
    traces += [_spot(point, axes, largest_alpha), _targets(own, axes)]
    return assemble(traces, _layout(axes, largest_alpha, len(others) + len(guesses)))


def _guessing(axes: Axes, largest_alpha: float) -> Part:
    """Accusing at random: members are found as often as outsiders are accused."""
    ends = [_SMALLEST_SHOWN if axes is Axes.LOG else 0.0, largest_alpha]
    return reference(ends, ends if axes is Axes.LOG else [1.0 - end for end in ends], "guessing")


def _band(drawn: Line, color: str) -> list[Part]:
    return [] if drawn.band is None else band(drawn.x, *drawn.band, color)


def _curve(drawn: Line, color: str) -> Part:
    return {**_trace(drawn, color, width=3), "mode": "lines", "hoverinfo": "skip"}


def apart(alpha: Floats, axes: Axes) -> NDArray[np.int64]:
    """Indices of points that are a few pixels apart: many faint markers on one spot would show."""
    logs = np.log10(np.maximum(alpha, _SMALLEST_SHOWN))
    along = logs / (logs[-1] - logs[0]) if axes is Axes.LOG else alpha / alpha[-1]
    return np.unique(np.round(_TARGETS * along), return_index=True)[1]


def _targets(drawn: Line, axes: Axes) -> Part:
    """Markers on the curve that cannot be seen but take the clicks, and say what the point means."""
    spread = apart(drawn.x, axes)
    unchanged = {"marker": {"opacity": _HIT_OPACITY}}
    return {
        "type": "scatter",
        "x": compact(drawn.x[spread]),
        "y": compact(drawn.y[spread]),
        "customdata": compact(_rounded_up(drawn.found[spread])),
        "mode": "markers",
        "name": CLICKED,
        "showlegend": False,
        "marker": {"color": theme.color(0), "size": _HIT_SIZE, "opacity": _HIT_OPACITY},
        "selected": unchanged,
        "unselected": unchanged,
        "hovertemplate": _hover(drawn),
    }


def _marked(drawn: Line, color: str, index: int) -> Part:
    """Another curve, told apart by marker as well as by colour."""
    return {
        **_trace(drawn, color, width=2),
        "customdata": compact(_rounded_up(drawn.found)),
        "mode": "lines+markers",
        "marker": {"color": color, "size": 7, "symbol": theme.marker(index), "maxdisplayed": 12},
        "hovertemplate": _hover(drawn),
    }


def _trace(drawn: Line, color: str, width: int) -> Part:
    return {
        "type": "scatter",
        "x": compact(drawn.x),
        "y": compact(drawn.y),
        "name": drawn.name,
        "line": {"color": color, "width": width, "dash": theme.DASH[drawn.bound]},
    }


def _hover(drawn: Line) -> str:
    qualifier = {Bound.ESTIMATE: "about ", Bound.CERTIFIED: "at most "}.get(drawn.bound, "")
    return (
        "Wrongly accusing %{x:.3~p} of outsiders,<br>"
        f"the attacker finds {qualifier}%{{customdata:.3~p}} of members<extra>{drawn.name}</extra>"
    )


def _rounded_up(values: Floats) -> Floats:
    """Three digits, rounded up: what is said to be the most must not be less."""
    unit = 10.0 ** (np.floor(np.log10(np.maximum(values, 1e-300))) - 2)
    return np.minimum(np.ceil(values / unit * (1.0 - 1e-9)) * unit, 1.0)


def _spot(point: OperatingPoint, axes: Axes, largest_alpha: float) -> Part:
    """The operating point; where the window leaves it out, nothing is drawn but the legend says so."""
    found = point.power.upper
    if point.alpha > largest_alpha:
        return spot(np.nan, np.nan, f"operating point (outside, at α = {point.alpha:g})")
    return spot(point.alpha, found if axes is Axes.LOG else 1.0 - found, "operating point")


def _layout(axes: Axes, largest_alpha: float, extra_curves: int) -> Part:
    room = {"height": 430 + 24 * extra_curves, "legend": LEGEND}
    if axes is Axes.LINEAR:
        whole = {"range": [0.0, 1.02]} if largest_alpha == 1.0 else {}
        return {
            "xaxis": axis(FALSE_ACCUSED, range=[0.0, largest_alpha]),
            "yaxis": axis(MISSED, **whole),
            **room,
        }
    decades = {"type": "log", "exponentformat": "power"}
    ends = [np.log10(_SMALLEST_SHOWN), np.log10(largest_alpha)]
    return {
        "xaxis": axis(FALSE_ACCUSED, range=ends, **decades),
        "yaxis": axis(FOUND, **decades),
        **room,
    }
