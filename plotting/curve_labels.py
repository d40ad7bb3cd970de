"""The name of a curve, written beside it where it hides no other one."""

from dataclasses import dataclass, replace
from math import log10

import numpy as np

from numerics.trade_off import Bound, TradeOffCurve
from plotting.assembly import Part
from plotting.curves import Axes, Shown, line

_OUTER, _INNER = (0.66, 0.8, 0.8, 0.74), (0.5, 0.5, 0.42, 0.34)  # along the axis, by the curve's number
_AWAY = 24  # pixels
_FLAT = 0.9  # of all people: above such a curve there is no room
_LEAST = 1e-4  # on logarithmic axes: labels stand in the part that telephones show well


@dataclass(frozen=True)
class Place:
    """Where a label goes.

    Attributes:
        outer: away from guessing, as for the curve that finds most; otherwise on the side of guessing.
        number: of the curve, so that no two labels stand at one place.
    """

    outer: bool
    number: int


def label(curve: TradeOffCurve, name: str, color: str, place: Place, shown: Shown) -> Part:
    """The annotation that names a curve, with a thin line to it."""
    drawn, log = line(curve, shown), shown.axes is Axes.LOG
    if drawn.bound is Bound.OPEN and drawn.band is not None:  # the gap has a name of its own: below it is room
        drawn, place = replace(drawn, y=drawn.band[1]), replace(place, outer=False)
    x = np.log10(np.maximum(drawn.x, _LEAST)) if log else drawn.x
    choices = _OUTER if place.outer else _INNER
    along = x[0] + choices[place.number % len(choices)] * (x[-1] - x[0])
    nearest = int(np.argmin(np.abs(x - along)))
    # Away from guessing is to the upper left where people found are drawn, and to the lower left for those missed.
    left, up = place.outer, place.outer is shown.found and not (log and drawn.y[nearest] > _FLAT)
    return {
        "text": name,
        "x": float(x[nearest]),
        "y": log10(drawn.y[nearest]) if log else float(drawn.y[nearest]),
        "ax": -_AWAY if left else _AWAY,
        "ay": -_AWAY if up else _AWAY,
        "xanchor": "right" if left else "left",
        "showarrow": True,
        "arrowhead": 0,
        "arrowwidth": 1,
        "arrowcolor": color,
        "font": {"color": color},
    }
