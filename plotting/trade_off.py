"""The trade-off curve: who is missed or found, against who is wrongly accused, with the operating point on it.

On linear axes the figure shows the trade-off function itself, the members missed. On log axes it shows the members
found, because only there the corner of few false accusations can be seen. In the remove-one order the attack clears
instead of accusing, so there the figure speaks of outsiders ruled out against members wrongly cleared.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import plotly.graph_objects as go

from numerics.trade_off import Order
from plotting.assembly import LEGEND, LOG, Part, assemble, axis, reference
from plotting.curves import (
    SMALLEST_SHOWN,
    Axes,
    Compared,
    EstimatedCurve,
    OfAttacker,
    OperatingPoint,
    Shown,
    curves_with_point,
)
from plotting.limit import LimitRegion
from plotting.people import COUNTED

FALSE_ACCUSED = "Outsiders wrongly accused — false positive rate α"
MISSED = "Members missed — false negative rate β"
FOUND = "Members found — true positive rate 1 − β"


@dataclass(frozen=True)
class TradeOffWords:
    """What is on the axes; ``point`` says what the figure shows at a place, with ``%{x}`` and ``COUNTED``."""

    across: str
    missed: str
    found: str
    point: str


_ACCUSING = TradeOffWords(
    FALSE_ACCUSED,
    MISSED,
    FOUND,
    f"Wrongly accusing a share of %{{x:.3~g}} of outsiders,<br>the attacker finds {{at_most}}{COUNTED} members",
)
_CLEARING = TradeOffWords(
    "Members wrongly cleared — false negative rate α",
    "Outsiders not ruled out — false positive rate β",
    "Outsiders ruled out — true negative rate 1 − β",
    f"Wrongly clearing a share of %{{x:.3~g}} of members,<br>the attacker rules out {{at_most}}{COUNTED} outsiders",
)


def words(order: Order) -> TradeOffWords:
    """What the figure of this order speaks of. That of both orders speaks of accusing: it bounds either."""
    return _CLEARING if order is Order.REMOVE else _ACCUSING


def shown(axes: Axes, largest_alpha: float = 1.0, order: Order = Order.ADD) -> Shown:
    """What the figure shows of every curve."""
    return Shown(axes, axes is Axes.LOG, words(order).point, largest_alpha)


def trade_off_figure(
    curve: Compared,
    at: OperatingPoint,
    axes: Axes = Axes.LINEAR,
    largest_alpha: float = 1.0,
    compared: Sequence[Compared] = (),
    estimates: Sequence[EstimatedCurve] = (),
    order: Order = Order.ADD,
    limit: LimitRegion | None = None,
) -> go.Figure:
    """The curve with its band, the operating point, compared curves and estimates of it; all of one ``order``.

    With a ``limit``, also the region of too many, as it stands beside a picture of people. A click on the curve selects
    the point of the trace ``CLICKED``.
    """
    view = shown(axes, largest_alpha, order)
    if limit is not None and limit.crowd:
        view = replace(view, crowd=limit.crowd, smallest=1.0 / limit.crowd)
    own = curves_with_point(curve, at, view, compared, estimates)
    traces = [guessing(axes, SMALLEST_SHOWN, largest_alpha), *own]
    others = len(compared) + len(estimates)
    said = words(order)
    missed = said.missed if limit is None else f"{said.missed.partition(' — ')[0]}, β"  # beside people it is low
    drawn = error_axes(axes, (said.across, missed, said.found), SMALLEST_SHOWN, largest_alpha)
    layout = {**drawn, "height": 430 + 24 * others, "legend": LEGEND}
    if limit is None:
        return assemble(traces, layout)
    layout |= limit.layout(curve.curve if isinstance(curve, OfAttacker) else curve, at, view, others, order)
    return assemble([*limit.region(at, axes), *traces], layout)


def guessing(axes: Axes, smallest: float, largest: float = 1.0, name: str = "guessing") -> Part:
    """Accusing at random: members are found as often as outsiders are accused."""
    ends = [smallest if axes is Axes.LOG else 0.0, largest]
    return reference(ends, ends if axes is Axes.LOG else [1.0 - end for end in ends], name)


def error_axes(axes: Axes, titles: tuple[str, str, str], smallest: float, largest: float = 1.0, **up: Any) -> Part:
    """Both axes, from ``smallest`` on where they are logarithmic.

    ``titles`` are of one error, of the other, which linear axes show, and of its complement; ``up`` adds to the
    vertical axis.
    """
    across, missed, found = titles
    if axes is Axes.LINEAR:
        whole = {"range": [0.0, 1.02]} if largest == 1.0 else {}
        return {"xaxis": axis(across, range=[0.0, largest]), "yaxis": axis(missed, **whole, **up)}
    ends = [float(np.log10(smallest)), float(np.log10(largest))]
    return {"xaxis": axis(across, range=ends, **LOG), "yaxis": axis(found, **LOG, **up)}
