"""Ratios of known laws over thresholds, and where the noise of counted ones is (paper 001 Fig. 3)."""

from collections.abc import Sequence
from types import MappingProxyType

import numpy as np
import plotly.graph_objects as go

from numerics.epsilon_star.rates import Term
from numerics.epsilon_star.simulations import RatioCurve
from numerics.trade_off import Bound
from plotting import theme
from plotting.assembly import Part, assemble, axis, laid_out, trace

PLACE = "Threshold, as the mean of t and 1 − η (log-odds)"
LOG_RATIO = "Log of the ratio"
_RATIO = MappingProxyType({Term.MEMBERS_BELOW: "(1 − δ − η) / t", Term.OUTSIDERS_ABOVE: "(1 − δ − t) / η"})


def ratios_figure(laws: Sequence[RatioCurve], counted: Sequence[RatioCurve]) -> go.Figure:
    """The first two ratios over thresholds, of the laws and counted in one sample."""
    traces = [_ratio(curve, "laws", Bound.EXACT, index) for index, curve in enumerate(laws)]
    traces += [_ratio(curve, "counted", Bound.AUDIT, index) for index, curve in enumerate(counted)]
    layout: Part = laid_out(axis(PLACE, **_odds_ticks(laws)), axis(LOG_RATIO, rangemode="tozero"), 400)
    return assemble(traces, layout)


def _odds_ticks(curves: Sequence[RatioCurve]) -> Part:
    """Shares in both tails at their log-odds; few enough for a phone."""
    reach = max(float(np.max(np.abs(curve.log_odds))) for curve in curves)
    decades = reach / np.log(10.0)
    powers = range(1, int(decades) + 1, 1 if decades < 4.0 else 2 if decades < 7.0 else 4)
    places = [float(np.log(10.0**power - 1.0)) for power in powers]
    small = [f"{10.0**-power:.{power}f}" if power < 4 else f"10<sup>−{power}</sup>" for power in powers]
    large = [f"{1.0 - 10.0**-power:.{power}f}" if power < 4 else f"1 − 10<sup>−{power}</sup>" for power in powers]
    return {
        "tickvals": [*(-place for place in places), 0.0, *places],
        "ticktext": [*small, "0.5", *large],
        "range": [-reach, reach],
        "tickangle": 0,
        "tickfont": {"size": 12},
    }


def _ratio(curve: RatioCurve, source: str, bound: Bound, index: int) -> Part:
    counted = bound is Bound.AUDIT
    color = theme.color(index)
    return trace(
        curve.log_odds,
        np.where(curve.log_ratio >= 0.0, curve.log_ratio, np.nan),
        mode="markers" if counted else "lines",
        name=f"{_RATIO[curve.term]}, {source}",
        marker={"color": color, "size": 5, "symbol": theme.marker(index)},
        line={"color": color, "width": 2.5, "dash": theme.DASH[Bound.EXACT if index == 0 else Bound.LOWER]},
        hovertemplate="log of the ratio: %{y:.3~g}<extra></extra>",
    )
