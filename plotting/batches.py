"""Epsilon against the noise, for batches drawn in several ways: what is promised, what an attack shows, what holds."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from numerics.trade_off import Bound, Floats
from plotting import theme
from plotting.assembly import LOG, Part, assemble, axis, gap, laid_out, of_kind, reference
from plotting.curves import ATTACKED

NOISE = "Noise multiplier — noise / influence of one record"
EPSILON = "Epsilon ε at δ = {delta}"
_OPEN = theme.MEMBER


@dataclass(frozen=True, eq=False)
class OverNoise:
    """Epsilon (n,) at ascending ``noise`` (n,) for batches of one kind: an attack shows, and no attack exceeds."""

    name: str
    noise: Floats
    lower: Floats
    upper: Floats
    bound: Bound


def batches_figure(curves: Sequence[OverNoise], noise: float, delta: str) -> go.Figure:
    """All ``curves`` on logarithmic axes; where the sides do not meet, both with the gap between them named."""
    traces: list[Part] = []
    for curve in (one for one in curves if one.bound is Bound.OPEN):
        seen = _shown(curve.upper) & _shown(curve.lower)
        traces += gap(curve.noise[seen], curve.lower[seen], curve.upper[seen], _OPEN)
        traces.append(_line(curve, curve.upper, 0, Bound.LOWER, "", _OPEN))
        traces.append(_line(curve, curve.lower, 0, Bound.UPPER, ATTACKED.partition(" (")[0], _OPEN))
    closed = [one for one in curves if one.bound is not Bound.OPEN]
    traces += [_line(one, one.upper, place, one.bound) for place, one in enumerate(closed)]
    heights = np.concatenate([values[_shown(values)] for one in curves for values in (one.lower, one.upper)])
    if len(heights):
        ends = [float(np.min(heights)), float(np.max(heights))]
        traces.insert(0, reference([noise, noise], ends, "this release"))
    up = axis(EPSILON.format(delta=delta), **LOG, dtick="D2")
    return assemble(traces, laid_out(axis(NOISE, **LOG), up, 430))


def _shown(values: Floats) -> NDArray[np.bool_]:
    """What a logarithmic axis can show."""
    return np.isfinite(values) & (values > 0.0)


def _line(curve: OverNoise, values: Floats, place: int, bound: Bound, said: str = "", color: str = "") -> Part:
    name, seen = f"{curve.name}: {said}" if said else curve.name, _shown(values)
    color = color or theme.compared(place)
    marker = {"color": color, "size": 7, "symbol": theme.marker(place if color != _OPEN else 3)}
    hover = f"Noise %{{x:.3~g}}: ε %{{y:.4~g}}<extra>{theme.legend_name(name, bound)}</extra>"
    look: Part = {"mode": "lines+markers", "marker": marker, "hovertemplate": hover}
    return of_kind(name, bound, curve.noise[seen], values[seen], color, **look)
