"""The trade-off curve: who is missed or found, against who is wrongly accused, with the operating point on it.

On linear axes the figure shows the trade-off function itself, the members missed. On log axes it shows the members
found, because only there the corner of few false accusations can be seen.
"""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from numerics.trade_off import TradeOffCurve
from plotting.assembly import LEGEND, Part, assemble, axis, reference
from plotting.curves import SMALLEST_SHOWN, Axes, Estimated, OperatingPoint, Shown, curves_with_point

FALSE_ACCUSED = "Outsiders wrongly accused — false positive rate α"
MISSED = "Members missed — false negative rate β"
FOUND = "Members found — true positive rate 1 − β"

_HOVER = "Wrongly accusing %{x:.3~p} of outsiders,<br>the attacker finds {at_most}%{customdata:.3~p} of members"


def shown(axes: Axes, largest_alpha: float = 1.0) -> Shown:
    """What the figure shows of every curve."""
    return Shown(axes, axes is Axes.LOG, _HOVER, largest_alpha)


def trade_off_figure(
    curve: TradeOffCurve,
    at: OperatingPoint,
    axes: Axes = Axes.LINEAR,
    largest_alpha: float = 1.0,
    pinned: Sequence[TradeOffCurve] = (),
    estimates: Sequence[Estimated] = (),
) -> go.Figure:
    """The curve with its band, the operating point, pinned curves and estimates of the first one.

    A click on the curve selects the point of the trace ``CLICKED``.
    """
    view = shown(axes, largest_alpha)
    traces = [_guessing(axes, largest_alpha), *curves_with_point(curve, at, view, pinned, estimates)]
    return assemble(traces, _layout(axes, largest_alpha, len(pinned) + len(estimates)))


def _guessing(axes: Axes, largest_alpha: float) -> Part:
    """Accusing at random: members are found as often as outsiders are accused."""
    ends = [SMALLEST_SHOWN if axes is Axes.LOG else 0.0, largest_alpha]
    return reference(ends, ends if axes is Axes.LOG else [1.0 - end for end in ends], "guessing")


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
    ends = [np.log10(SMALLEST_SHOWN), np.log10(largest_alpha)]
    return {
        "xaxis": axis(FALSE_ACCUSED, range=ends, **decades),
        "yaxis": axis(FOUND, **decades),
        **room,
    }
