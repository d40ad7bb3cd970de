"""The names of curves, written beside them where they hide no line and no other name."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import log10

import numpy as np

from numerics.trade_off import Bound, TradeOffCurve
from plotting.assembly import Part
from plotting.curves import Axes, CurveLine, Shown, line, name_place
from plotting.free_places import Frame, FreePlaces, Spot

_OUTER, _INNER = (0.66, 0.8, 0.8, 0.74), (0.5, 0.5, 0.42, 0.34)  # along the axis, by the curve's number
_ELSEWHERE = (0.42, 0.34, 0.58, 0.26, 0.74, 0.18)  # where the first choice hides something
_AWAY, _FAR, _HALF_LINE = 24, 64, 8  # pixels
_FLAT = 0.9  # of all people: above such a curve there is no room
_GAP_NAME = {"middle center": (-16, -8), "top left": (-4, 4), "bottom left": (-4, -4)}  # pixels from its point
_LEAST = 1e-4  # on logarithmic axes: labels stand in the part that telephones show well


@dataclass(frozen=True, eq=False)
class Named:
    """A curve with its name and colour; ``outer`` names stand away from guessing, as that of who finds most."""

    curve: TradeOffCurve
    name: str
    color: str
    outer: bool


def labels(named: Sequence[Named], frame: Frame, shown: Shown, free: FreePlaces) -> list[Part]:
    """The annotations that name the curves, with a thin line to each; ``free`` are the places beside them."""
    lines = [line(one.curve, shown) for one in named]
    parts = []
    for place, (one, drawn) in enumerate(zip(named, lines, strict=True)):
        choices = _choices(one, drawn, place, shown)
        spots = [_spot(choice, frame) for choice in choices]
        best = free.best(one.name, spots)
        free = free.with_words(best, one.name)
        parts.append(_annotation(one, choices[spots.index(best)], frame.log))
    return parts


def beside_curves(curves: Sequence[TradeOffCurve], frame: Frame, shown: Shown) -> FreePlaces:
    """What is free beside the curves, guessing, and the names of gaps."""
    lines = [line(one, shown) for one in curves]
    edges = [(one.x, height) for one in lines for height in (one.y, *(one.band or ()))]
    across = np.array(frame.across)
    guessing = across, across if shown.found else 1.0 - across
    free = FreePlaces.beside(frame.shares(*one) for one in (guessing, *edges))
    for one in lines:
        if one.bound is Bound.OPEN and one.band is not None:
            x, y, side = name_place(one.x, one.band, shown.start, shown.largest_alpha, shown.found)
            free = free.with_words(frame.spot(x, y, *_GAP_NAME[side]), Bound.OPEN.value)
    return free


@dataclass(frozen=True)
class _Choice:
    """A point of a curve, the side of it at which the name stands, and how many pixels higher or lower that is."""

    x: float
    y: float
    left: bool
    up: bool
    away: int = _AWAY


def _choices(one: Named, drawn: CurveLine, place: int, shown: Shown) -> list[_Choice]:
    """Where the name may stand, the best place first."""
    outer = one.outer
    if drawn.bound is Bound.OPEN and drawn.band is not None:  # the gap has a name of its own: below it is room
        drawn, outer = replace(drawn, y=drawn.band[1]), False
    x = np.log10(np.maximum(drawn.x, _LEAST)) if shown.axes is Axes.LOG else drawn.x
    first = (_OUTER if outer else _INNER)[place % len(_OUTER)]
    found = []
    for side in (outer, not outer) if drawn.bound is not Bound.OPEN else (outer,):
        for along in (first, *_ELSEWHERE):
            nearest = int(np.argmin(np.abs(x - (x[0] + along * (x[-1] - x[0])))))
            found.append(_choice(float(drawn.x[nearest]), float(drawn.y[nearest]), side, shown))
    # Beyond a line that is too near for the name to stand before it.
    return [*found, *(replace(choice, away=_FAR) for choice in found)]


def _choice(x: float, height: float, outer: bool, shown: Shown) -> _Choice:
    # Away from guessing is to the upper left where people found are drawn, and to the lower left for those missed.
    return _Choice(x, height, outer, outer is shown.found and not (shown.axes is Axes.LOG and height > _FLAT))


def _spot(choice: _Choice, frame: Frame) -> Spot:
    up = choice.away - _HALF_LINE
    return frame.spot(choice.x, choice.y, -_AWAY if choice.left else _AWAY, up if choice.up else -up)


def _annotation(one: Named, choice: _Choice, log: bool) -> Part:
    return {
        "text": one.name,
        "x": log10(choice.x) if log else choice.x,
        "y": log10(choice.y) if log else choice.y,
        "ax": -_AWAY if choice.left else _AWAY,
        "ay": -choice.away if choice.up else choice.away,
        "xanchor": "right" if choice.left else "left",
        "showarrow": True,
        "arrowhead": 0,
        "arrowwidth": 1,
        "arrowcolor": one.color,
        "font": {"color": one.color},
    }
