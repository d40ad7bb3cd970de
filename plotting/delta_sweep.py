"""Epsilon* against delta: the estimate and the lower bound, with the delta in force and one person marked."""

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from numerics.trade_off import Bound, Floats
from plotting import theme
from plotting.assembly import LOG, Part, assemble, axis, laid_out, trace, upright, words_at

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
    return trace(
        x,
        np.where(np.isfinite(y), y, np.nan),
        mode="lines+markers",
        name=theme.legend_name(name, bound),
        line={"color": theme.color(index), "width": 3, "dash": theme.DASH[bound]},
        marker={"color": theme.color(index), "size": 5, "symbol": theme.marker(index)},
        hovertemplate=f"at δ = %{{x:.2~g}}, {words} %{{y:.4~g}}<extra></extra>",
    )


def _layout(sweep: DeltaSweep, delta: float, person: float) -> Part:
    ends = [float(np.log10(sweep.deltas[0])), float(np.log10(sweep.deltas[-1]))]
    left_first = delta <= person
    return laid_out(
        axis(DELTA, range=ends, **LOG),
        axis(VALUE, rangemode="tozero"),
        400,
        shapes=[upright(delta, dash="solid"), upright(person, dash="dash")],
        annotations=[
            words_at(float(np.log10(delta)), "δ in force", "right" if left_first else "left"),
            words_at(float(np.log10(person)), "1/n", "left" if left_first else "right", 0.92),
        ],
    )
