"""Epsilon* against delta: the estimate and the lower bound, with the delta in force and one person marked."""

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from numerics.trade_off import Bound, Floats
from plotting import theme
from plotting.assembly import LEGEND, Part, assemble, axis, compact

DELTA = "δ, the share left out — small to large"
VALUE = "ε*"


@dataclass(frozen=True, eq=False)
class DeltaSweep:
    """Epsilon* at many deltas.

    Attributes:
        deltas: (n,) ascending.
        estimate: (n,), infinite ones are not drawn; None where the method is the bound itself.
        bound: (n,) the lower confidence bound.
        method: what the estimate is called.
        level: the confidence of the bound, at each delta by itself.
        train_size: number of training losses.
    """

    deltas: Floats
    estimate: Floats | None
    bound: Floats
    method: str
    level: float
    train_size: int

    @property
    def bound_name(self) -> str:
        """What the bound is called."""
        return f"lower bound, {100.0 * self.level:g} %"


def delta_sweep_figure(sweep: DeltaSweep, delta: float) -> go.Figure:
    """Both lines over log delta, with ``delta``, the one in force, and one person of the training data marked."""
    traces = [_line(sweep.deltas, sweep.bound, sweep.bound_name, Bound.AUDIT, 0, "ε* at least")]
    if sweep.estimate is not None:
        traces.insert(0, _line(sweep.deltas, sweep.estimate, sweep.method, Bound.ESTIMATE, 1, "ε*"))
    return assemble(traces, _layout(sweep, delta, 1.0 / sweep.train_size))


def _line(x: Floats, y: Floats, name: str, bound: Bound, index: int, words: str) -> Part:
    return {
        "type": "scatter",
        "x": compact(x),
        "y": compact(np.where(np.isfinite(y), y, np.nan)),
        "mode": "lines+markers",
        "name": theme.legend_name(name, bound),
        "line": {"color": theme.color(index), "width": 3, "dash": theme.DASH[bound]},
        "marker": {"color": theme.color(index), "size": 5, "symbol": theme.marker(index)},
        "hovertemplate": f"at δ = %{{x:.2~g}}, {words} %{{y:.4~g}}<extra></extra>",
    }


def _layout(sweep: DeltaSweep, delta: float, person: float) -> Part:
    ends = [float(np.log10(sweep.deltas[0])), float(np.log10(sweep.deltas[-1]))]
    left_first = delta <= person
    return {
        "xaxis": axis(DELTA, type="log", exponentformat="power", range=ends),
        "yaxis": axis(VALUE, rangemode="tozero"),
        "shapes": [_mark(delta, "solid"), _mark(person, "dash")],
        "annotations": [
            _words(delta, "δ in force", "right" if left_first else "left", 1.0),
            _words(person, "1/n", "left" if left_first else "right", 0.92),
        ],
        "height": 400,
        "legend": LEGEND,
    }


def _mark(x: float, dash: str) -> Part:
    line = {"color": theme.NEUTRAL, "width": 2, "dash": dash}
    return {"type": "line", "x0": x, "x1": x, "yref": "paper", "y0": 0.0, "y1": 1.0, "line": line}


def _words(x: float, text: str, xanchor: str, y: float) -> Part:
    place = float(np.log10(x))  # annotations, unlike shapes, are placed by the exponent
    return {"x": place, "yref": "paper", "y": y, "yanchor": "top", "text": text, "xanchor": xanchor}
