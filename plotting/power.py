"""How many members are found at one false positive rate, as the effect of a single record on the release grows."""

from dataclasses import dataclass

import plotly.graph_objects as go

from numerics.trade_off import Bound, Floats
from plotting import theme
from plotting.assembly import LEGEND, Part, assemble, axis, band, compact, reference, spot

EFFECT = "Effect size μ — influence of one record / noise"


@dataclass(frozen=True, eq=False)
class PowerCurve:
    """True positive rate at ``alpha``, a bracket (n,) each, at ascending ``effect_size`` (n,).

    ``lower`` is what an attack reaches, ``upper`` the guarantee; both equal ``power`` where that is exact.
    """

    effect_size: Floats
    lower: Floats
    power: Floats
    upper: Floats
    alpha: float
    bound: Bound
    label: str


def power_figure(curve: PowerCurve, effect_size: float, power: float) -> go.Figure:
    """The curve with its band, guessing, and the release in force at (``effect_size``, ``power``)."""
    ends = [float(curve.effect_size[0]), float(curve.effect_size[-1])]
    guessing = reference(ends, [curve.alpha, curve.alpha], "guessing")
    return assemble([guessing, *_band(curve), _curve(curve), spot(effect_size, power, "this release")], _layout(curve))


def _band(curve: PowerCurve) -> list[Part]:
    if curve.bound is Bound.EXACT:
        return []
    return band(curve.effect_size, curve.lower, curve.upper, theme.color(0))


def _curve(curve: PowerCurve) -> Part:
    few = len(curve.effect_size) < 50
    return {
        "type": "scatter",
        "x": compact(curve.effect_size),
        "y": compact(curve.power),
        "mode": "lines+markers" if few else "lines",
        "marker": {"size": 6},
        "name": theme.legend_name(curve.label, curve.bound),
        "line": {"color": theme.color(0), "width": 3, "dash": theme.DASH[curve.bound]},
        "hovertemplate": "Effect size %{x:.3~g}: %{y:.3~p} of members found<extra></extra>",
    }


def _layout(curve: PowerCurve) -> Part:
    found = f"Members found at α = {curve.alpha:g}"
    return {
        "xaxis": axis(EFFECT, type="log"),
        "yaxis": axis(found, rangemode="tozero"),
        "height": 430,
        "legend": LEGEND,
    }
