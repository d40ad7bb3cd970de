"""How likely a record is reconstructed, against how likely it would have been guessed; estimates' errors below."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import floor, log10

import numpy as np
import plotly.graph_objects as go

from numerics.trade_off import Bound, Floats, TradeOffCurve
from plotting import theme
from plotting.assembly import LEGEND, Part, assemble, axis, compact, note, rectangle, reference, trace
from plotting.curves import (
    SMALLEST_SHOWN,
    Axes,
    Compared,
    EstimatedCurve,
    OperatingPoint,
    Shown,
    curves_with_point,
    estimate_index,
)
from plotting.labels import Frame, FreePlaces
from plotting.people import COUNTED, CROWD

GUESSED = "Right guesses without the release"
RECONSTRUCTED = "Right with it, at most"
RATIO = "Estimate ÷ true"
BLIND, TOO_OFTEN, OWN = "blind guessing", "<b>too often</b>", "with this release"

_HOVER = f"A guess right %{{x:.3~%}} of the time<br>is right {{at_most}}{COUNTED} times with the release"
_HEIGHT, _LEGEND_LINE, _RATIOS = 350, 24, 150  # pixels
_PANEL = 0.22  # of the height, for the errors
_GAP = 0.17  # between the figures, for the axis and its title
_LARGEST_RATIO = 10.0  # shown of an estimate that is off by more
_LEFT, _MIDDLE, _RIGHT = 0.42, 0.5, 0.7  # where names stand, of the way along
_ROOM, _TWO_LINES = 0.12, 0.2  # of the height, for a name above the curve, and for those of a region
_AWAY = 8  # pixels
_WIDE = 0.24  # of the figure: a region that takes its names in
_MOST_TICKS = 5
_RAISED, _LONG = "⁰¹²³⁴⁵⁶⁷⁸⁹", 4
_ONE = 0.5


@dataclass(frozen=True)
class Window:
    """What of the curve is shown: kind of axes, best and worst guess; without ``low``, as the guess needs it."""

    axes: Axes = Axes.LOG
    high: float = 1.0
    low: float | None = None

    def around(self, prior: float) -> "AxisEnds":
        """The window where this guess is looked at."""
        first = 0.0
        if self.axes is Axes.LOG:  # from 1 of 10,000, or a decade below a rarer guess
            decade = floor(log10(max(prior, SMALLEST_SHOWN)) + 1e-9) - 1
            first = min(1.0 / CROWD, max(10.0**decade, SMALLEST_SHOWN))
        return AxisEnds(self.axes, first if self.low is None else self.low, self.high)


@dataclass(frozen=True)
class AxisEnds:
    """Where both axes start and end, and what kind they are."""

    axes: Axes
    low: float
    high: float

    def place(self, value: float) -> float:
        """A coordinate as annotations take it: logarithms on logarithmic axes."""
        return log10(max(value, 1e-300)) if self.axes is Axes.LOG else value

    def along(self, share: float) -> float:
        """The guess at this share of the way from the first to the last."""
        if self.axes is Axes.LOG:
            return float(self.low * (self.high / self.low) ** share)
        return self.low + (self.high - self.low) * share

    @property
    def is_counted(self) -> bool:
        """Whether the axes count of 10,000: rarer guesses would be none."""
        return self.axes is Axes.LOG and self.low * CROWD > _ONE


@dataclass(frozen=True, eq=False)
class Ratio:
    """An estimate over the certified value (n,) at each prior (n,)."""

    label: str
    prior: Floats
    ratio: Floats


@dataclass(frozen=True)
class LimitLine:
    """How often a guess may be right with the release, at most, and what that limit is called."""

    share: float
    name: str


@dataclass(frozen=True)
class ReconstructionMarks:
    """What is marked: the limit, and what the point looked at is called."""

    limit: LimitLine | None = None
    found: str = ""


def reconstruction_figure(
    curve: TradeOffCurve,
    at: OperatingPoint,
    window: Window = Window(),
    others: Sequence[Compared] = (),
    estimates: Sequence[EstimatedCurve] = (),
    ratios: Sequence[Ratio] = (),
    marks: ReconstructionMarks = ReconstructionMarks(),
) -> go.Figure:
    """The curve of the release in force with its band, other curves, estimates, and their ``ratios`` below.

    ``alpha`` of a curve is the prior and ``power`` the reconstruction probability. A click on the curve selects the
    point of the trace ``CLICKED``. What exceeds the limit, for guesses no better than the one looked at, is a region.
    The names of the curve, of guessing and of the region stand on them; other curves have a legend.
    """
    seen = window.around(at.alpha)
    view = Shown(seen.axes, True, _HOVER, seen.high, smallest=seen.low or SMALLEST_SHOWN)
    guessing = reference([seen.low, seen.high], [seen.low, seen.high], BLIND) | {"showlegend": False}
    drawn = curves_with_point(curve, at, view, others, estimates, "this guess", False)
    traces = [guessing, *(part | {"showlegend": False} if _is_named(part, curve) else part for part in drawn)]
    traces += [_ratio(ratio, i, seen.high) for i, ratio in enumerate(ratios)]
    layout = _layout(seen, len(others) + len(estimates), bool(ratios))
    shapes, names = _region(marks.limit, at.alpha, curve, seen)
    layout["shapes"] = [*layout.get("shapes", []), *shapes]
    layout["annotations"] = [*_names(curve, at, seen, marks), *names]
    return assemble(traces, layout)


def _is_named(part: Part, curve: TradeOffCurve) -> bool:
    """Whether the figure names this trace where it is: the release's own, or its point where that is inside."""
    name = str(part.get("name", ""))
    return name.startswith(theme.legend_name(curve.label, curve.bound).split(";")[0]) or name == "this guess"


def _names(curve: TradeOffCurve, at: OperatingPoint, seen: AxisEnds, marks: ReconstructionMarks) -> list[Part]:
    """The curve's and guessing's names on their lines, and the point's beside it."""
    right, clear = seen.along(_RIGHT), seen.along(_LEFT if at.alpha >= seen.along(_MIDDLE) else _RIGHT)
    names = [_note(BLIND, (right, right), seen, "below"), *_own_name(curve, clear, seen)]  # clear of the point
    if not marks.found or not seen.low <= at.alpha <= seen.high:
        return names
    # What the point looked at is called, on no line where there is such a place.
    frame = Frame((seen.low, seen.high), (seen.low, 1.0), log=seen.axes is Axes.LOG)
    ends = np.array([seen.low, seen.high])
    free = FreePlaces.beside([frame.shares(ends, ends), frame.shares(curve.alpha, curve.power)])
    point = frame.spot(at.alpha, at.power.upper)
    if marks.limit is not None:
        level = frame.spot(at.alpha, marks.limit.share).y
        free = free.with_line(np.array([0.0, point.x, point.x]), np.array([level, level, 1.0]))
    place = free.beside_point(marks.found, point, _AWAY)
    sides = {"xanchor": "left" if place.right > 0.0 else "right", "yanchor": "bottom" if place.up > 0.0 else "top"}
    shifts = {"xshift": place.right, "yshift": np.sign(place.up) * _AWAY / 2.0}
    return [*names, _note(f"<b>{marks.found}</b>", (at.alpha, at.power.upper), seen, "below", **sides, **shifts)]


def _own_name(curve: TradeOffCurve, prior: float, seen: AxisEnds) -> list[Part]:
    """Above the curve, or below where there is no room: below the attack where one is drawn, in the middle."""
    height = float(np.interp(prior, curve.alpha, curve.power))
    if height <= 0.0:
        return []
    has_room = _room(height, seen) > _ROOM
    if not has_room and curve.bound is Bound.OPEN and curve.upper is not None:
        prior = seen.along(_MIDDLE)
        height = float(np.interp(prior, curve.upper.alpha, curve.upper.power))
    return [_note(OWN, (prior, height), seen, "above" if has_room else "below")]


def _room(height: float, seen: AxisEnds) -> float:
    """What is left above a height, as a share of the figure's."""
    return (seen.place(1.0) - seen.place(height)) / (seen.place(1.0) - seen.place(seen.low))


def _note(text: str, place: tuple[float, float], seen: AxisEnds, side: str, **more: object) -> Part:
    """Words to the left ``above`` a place or to the right ``below`` it: on either side of a line that rises."""
    corner, shift = ("left top", (_AWAY, -_AWAY // 2)) if side == "below" else ("right bottom", (-_AWAY, _AWAY // 2))
    shifts = {"xshift": shift[0], "yshift": shift[1], "font": {"size": 13}}
    return note(text, seen.place(place[0]), seen.place(place[1]), corner, **(shifts | more))


def _region(
    limit: LimitLine | None, prior: float, curve: TradeOffCurve, seen: AxisEnds
) -> tuple[list[Part], list[Part]]:
    """Where guesses no better than ``prior`` are right more often than the limit allows; its border is the limit."""
    right = min(prior, seen.high)
    if limit is None or not (seen.low < right and seen.low < limit.share < 1.0):
        return [], []
    # Shapes take the values themselves on logarithmic axes, where annotations take their logarithms.
    corners = {"x0": seen.low, "x1": right, "y0": limit.share, "y1": 1.0}
    line = {"type": "line", "layer": "below", "line": {"color": theme.NEUTRAL, "width": 2}}
    area = rectangle((seen.low, right), (limit.share, 1.0), theme.shade(theme.MEMBER, 0.1))
    shapes = [area, line | corners | {"y1": limit.share}, line | corners | {"x0": right}]
    above, words = f"{TOO_OFTEN}: above {limit.name}", f"{TOO_OFTEN}<br>{limit.name}"
    inside = {"align": "left", "xshift": 4}
    half_way = float(np.interp((seen.low * right) ** 0.5, curve.alpha, curve.power))
    if seen.place(right) - seen.place(seen.low) < _WIDE * (seen.place(seen.high) - seen.place(seen.low)):
        name = _note(above, (right, 1.0), seen, "below")
    elif _room(limit.share, seen) < _TWO_LINES:  # too flat for its names: below it
        name = _note(above, (seen.low, limit.share), seen, "below", **inside)
    elif _room(half_way, seen) > _TWO_LINES:  # on top, unless the curve crosses them there
        name = _note(words, (seen.low, 1.0), seen, "below", **inside)
    else:
        name = _note(words, (seen.low, limit.share), seen, "above", **inside, xanchor="left")
    return shapes, [name]


def _ratio(ratio: Ratio, place: int, largest_prior: float) -> Part:
    """An estimate's error, in its colour, on the lower axes."""
    seen = (ratio.prior <= largest_prior) & (ratio.ratio > 0.0)
    kept = np.clip(ratio.ratio[seen], 1.0 / _LARGEST_RATIO, _LARGEST_RATIO)
    return trace(
        ratio.prior[seen],
        kept,
        customdata=compact(ratio.ratio[seen] - 1.0),
        yaxis="y2",
        name=ratio.label,
        showlegend=False,
        line={"color": theme.compared(estimate_index(place)), "width": 2, "dash": "dot"},
        hovertemplate="At a prior of %{x:.3~p}: %{customdata:+.3~p} off the certified value<extra>"
        f"{ratio.label}</extra>",
    )


def _layout(seen: AxisEnds, extra_curves: int, with_ratios: bool) -> Part:
    unit = f", of {CROWD:,}" if seen.is_counted else ""
    up = _scale(replace(seen, high=1.0))
    if seen.axes is Axes.LINEAR and seen.high < 1.0:
        del up["range"]
    across, height = axis(f"{GUESSED}{unit}", **_scale(seen)), _HEIGHT + _LEGEND_LINE * extra_curves
    layout: Part = {"xaxis": across, "yaxis": axis(f"{RECONSTRUCTED}{unit}", **up), "height": height}
    layout |= {"legend": LEGEND, "margin": {"t": 26, "b": 54}}
    if not with_ratios:
        return layout
    reach, ticks = float(np.log10(_LARGEST_RATIO)), [0.1, 0.3, 1, 3, 10]
    below = axis(RATIO, type="log", range=[-reach, reach], domain=[0.0, _PANEL], tickvals=ticks)
    ends = {"xref": "paper", "x0": 0, "x1": 1, "yref": "y2", "y0": 1, "y1": 1}
    layout["yaxis"]["domain"], layout["xaxis"]["anchor"] = [_PANEL + _GAP, 1.0], "y"  # one axis between the figures
    no_error = {"type": "line", **ends, "line": {"dash": "dash"}}
    return layout | {"yaxis2": below, "shapes": [no_error], "height": height + _RATIOS}


def _scale(seen: AxisEnds) -> Part:
    """Both axes: counted of 10,000, or as "1 in" where rarer guesses are shown; linear ones in percent."""
    if seen.axes is Axes.LINEAR:
        return {"tickformat": ".4~%", "range": [seen.low, seen.high]}
    first, last = round(log10(seen.low)), floor(log10(seen.high) + 1e-9)
    stride = -(-(last - first + 1) // _MOST_TICKS)
    decades = list(range(last, first - 1, -stride))[::-1]
    names = [f"{10.0**decade * CROWD:,.0f}" if seen.is_counted else _one_in(-decade) for decade in decades]
    ends = [log10(seen.low), log10(seen.high)]
    return {"type": "log", "range": ends, "tickvals": [10.0**decade for decade in decades], "ticktext": names}


def _one_in(digits: int) -> str:
    if digits == 0:
        return "always"
    raised = "".join(_RAISED[int(digit)] for digit in str(digits))
    return f"1 in {10**digits:,}" if digits < _LONG else f"1 in 10{raised}"
