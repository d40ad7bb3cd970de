"""Measured trade-off curves beside the theory: who is found against who is wrongly accused, with exact limits."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from numerics.trade_off import Bound, Floats, TradeOffCurve
from plotting import theme
from plotting.assembly import LEGEND, Part, assemble, band, compact, of_kind, spot
from plotting.curves import Axes
from plotting.trade_off import FALSE_ACCUSED, FOUND, MISSED, error_axes, guessing

_NEUTRAL_WORDS = (
    "False positive rate α of either order",
    "False negative rate β of either order",
    "True positive rate 1 − β of either order",
)
_ROOM_BELOW = 2.0  # factor below the smallest rate shown


@dataclass(frozen=True, eq=False)
class Audited:
    """A measured curve with limits, and the theory at the same rates; ``name`` tells pairs of one figure apart.

    ``color`` is that of the attacker whom the theory is about; ``premise`` says what it supposes, if it is a guess.
    """

    measured: TradeOffCurve
    theory: TradeOffCurve
    color: str
    name: str = ""
    premise: str = ""


def audit_figure(audited: Sequence[Audited], stated: float, axes: Axes = Axes.LOG, add_one: bool = True) -> go.Figure:
    """Each pair's theory as a line, and the measured curve as markers with its band.

    Args:
        audited: one pair, or both orders of the test.
        stated: the rate that the sentence beside the figure is about, one of the first measured curve's.
        axes: the members found on log axes, those missed on linear ones.
        add_one: whether positive means suspected membership, in every pair.
    """
    smallest = float(audited[0].measured.alpha[0])
    traces = [guessing(axes, smallest)]
    for number, pair in enumerate(audited):
        traces += _pair(pair, number, axes, smallest / _ROOM_BELOW)
    first = audited[0].measured
    at = int(np.argmin(np.abs(np.log(first.alpha / stated))))
    traces.append(spot(float(first.alpha[at]), float(_shown(first, axes, 0.0)[at]), "the rate in the sentence"))
    titles = (FALSE_ACCUSED, MISSED, FOUND) if add_one else _NEUTRAL_WORDS
    lowest = float(np.log10(smallest)) - float(np.log10(_ROOM_BELOW))
    reach: Part = {"range": [lowest, 0.02]} if axes is Axes.LOG else {}
    layout = error_axes(axes, titles, smallest, **reach)
    return assemble(traces, {**layout, "height": 430 + 24 * len(audited), "legend": LEGEND})


def _shown(curve: TradeOffCurve, axes: Axes, floor: float) -> Floats:
    return np.maximum(curve.power, floor) if axes is Axes.LOG else curve.beta


def _pair(pair: Audited, number: int, axes: Axes, floor: float) -> list[Part]:
    measured, theory, seen = pair.measured, pair.theory, theme.MEASURED
    thinner = 0.5 ** min(number, 1)  # of the second order: a colour says who attacks, or that it was measured
    marker = {"color": seen, "size": 6, "symbol": theme.marker(number + 1)}
    limits = [
        band(one.alpha, _shown(one.lower, axes, floor), _shown(one.upper, axes, floor), color)
        for one, color in ((theory, pair.color), (measured, seen))
        if one.lower is not None and one.upper is not None
    ]
    line = _line(theory, axes, floor, f"theory{pair.name} {pair.premise}".rstrip(), pair.color, 3 * thinner)
    points = _line(measured, axes, floor, f"measured{pair.name}", seen, 1.5 * thinner)
    points["line"]["dash"] = theme.DASH[Bound.AUDIT]
    return [*(part for one in limits for part in one), line, points | {"mode": "lines+markers", "marker": marker}]


def _line(curve: TradeOffCurve, axes: Axes, floor: float, name: str, color: str, width: float) -> Part:
    said = theme.legend_name(name, curve.bound)
    hover = f"At a rate of %{{x:.3~p}},<br>%{{customdata:.3~p}} are found<extra>{said}</extra>"
    look = {"customdata": compact(curve.power), "hovertemplate": hover}
    return of_kind(name, curve.bound, curve.alpha, _shown(curve, axes, floor), color, width, **look)
