"""The paper's simulations: estimates beside the truth (001 Fig. 4, 5), and where their noise is (Fig. 3)."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
import plotly.graph_objects as go

from numerics.epsilon_star.rates import Term
from numerics.epsilon_star.simulations import RatioCurve, SampleEstimate, Truth
from numerics.trade_off import Bound, Floats
from plotting import theme
from plotting.assembly import Part, assemble, axis, compact, laid_out, trace

SIZE = "Losses in each group"
VALUE = "ε*"
PLACE = "Threshold, as the mean of t and 1 − η (log-odds)"
LOG_RATIO = "Log of the ratio"
EXACT, CUT_AT_DELTA, CUT = "truth, exact", "truth, cut at δ", "truth, cut at 0.001"

_STEP = 0.17  # between the estimates of one size
_KIND = MappingProxyType({SampleEstimate.BOUND: Bound.AUDIT})
_LINES = MappingProxyType({EXACT: (3, "solid"), CUT_AT_DELTA: (2, "dash"), CUT: (2, "dot")})


def simulations_figure(found: Mapping[int, Mapping[SampleEstimate, Floats]], truth: Truth) -> go.Figure:
    """Every run as a dot, means with standard deviations, and the truth as lines.

    Args:
        found: values (runs,) of each estimate by sample size.
        truth: of the laws.
    """
    ends = [-0.5, len(found) - 0.5]
    lines = [_truth(ends, value, name) for value, name in zip(truth, (EXACT, CUT_AT_DELTA, CUT), strict=True)]
    estimates = [part for index, kind in enumerate(SampleEstimate) for part in _estimate(found, kind, index)]
    ticks = {"tickvals": list(range(len(found))), "ticktext": [f"{size:,}" for size in found], "range": ends}
    layout: Part = laid_out(axis(SIZE, showgrid=False, **ticks), axis(VALUE, rangemode="tozero"), 470)
    return assemble([*lines, *estimates], layout)


def _truth(ends: list[float], value: float, name: str) -> Part:
    width, dash = _LINES[name]
    return trace(
        ends,
        [value, value],
        name=name,
        line={"color": theme.NEUTRAL, "width": width, "dash": dash},
        hovertemplate=f"{name}: {value:.4g}<extra></extra>",
    )


def _estimate(found: Mapping[int, Mapping[SampleEstimate, Floats]], kind: SampleEstimate, index: int) -> list[Part]:
    middle = np.arange(len(found), dtype=np.float64) + _STEP * (index - 0.5 * (len(SampleEstimate) - 1))
    values = [sample[kind] for sample in found.values()]
    color, name = theme.color(index), theme.legend_name(kind.value, _KIND.get(kind, Bound.ESTIMATE))
    runs: Part = trace(
        np.repeat(middle, [len(one) for one in values]),
        np.concatenate(values),
        mode="markers",
        marker={"color": color, "size": 4, "opacity": 0.5},
        showlegend=False,
        hoverinfo="skip",
    )
    means: Part = trace(
        middle,
        np.array([one.mean() for one in values]),
        error_y={"type": "data", "array": compact(np.array([one.std() for one in values])), "color": color},
        mode="markers",
        marker={"color": color, "size": 10, "symbol": theme.marker(index)},
        name=name,
        hovertemplate=f"{kind.value}: %{{y:.3~f}} ± %{{error_y.array:.2~g}}<extra></extra>",
    )
    return [runs, means]


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
