"""What is promised, against what it depends on: delta on epsilon, and epsilon on the noise."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from numerics.trade_off import Bound, Bracket, Floats
from plotting import theme
from plotting.assembly import (
    Part,
    axis,
    band,
    gap,
    log_axis,
    of_kind,
    on_axes,
    reference,
    spot,
    upright,
    words_at,
)
from plotting.curves import ATTACKED

_EPSILON = "Epsilon ε — odds move by at most e^ε, but for δ"
_DELTA = "Delta δ — chance the promise fails"
_LEAST_DELTA = 1e-30  # of a log axis, far below what is shown
_NOISE = "Noise multiplier — noise / influence of one record"
_AT_DELTA = "Epsilon ε at δ = {delta}"
_OPEN = theme.MEMBER


@dataclass(frozen=True, eq=False)
class ProfileCurve:
    """delta at ascending ``epsilon`` (n,): demonstrated by an attack, estimated, and guaranteed, (n,) each."""

    epsilon: Floats
    lower: Floats
    delta: Floats
    upper: Floats
    bound: Bound


def profile_figure(
    curve: ProfileCurve, delta: float, said: str, epsilon: Bracket, published: Sequence[tuple[str, float]] = ()
) -> go.Figure:
    """The profile on a log axis of delta, with the user's ``delta``, ``said`` in words, and its ``epsilon`` marked.

    ``published`` are names and epsilons to compare with; those beyond the curve are left out.
    """
    seen, release = curve.delta > 0.0, theme.MEMBER  # a log axis can show it
    x, low, delta_there, high = (values[seen] for values in (curve.epsilon, curve.lower, curve.delta, curve.upper))
    hover = "The release is (%{x:.3~g}, %{y:.2~e})-differentially private<extra></extra>"
    own = of_kind("this release", curve.bound, x, delta_there, release, hovertemplate=hover)
    sides: list[Part] = []
    if curve.bound not in (Bound.EXACT, Bound.LOWER):
        sides = (gap if curve.bound is Bound.OPEN else band)(x, np.maximum(low, _LEAST_DELTA), high, release)
    marks = []
    if np.isfinite(epsilon.upper):
        marks = [
            reference([0.0, epsilon.upper], [delta, delta], f"δ = {said}"),
            spot(epsilon.upper, delta, "ε at this δ"),
        ]
    shown = [(name, value) for name, value in published if value <= curve.epsilon[-1]]
    smallest = np.log10(min(delta, 1e-10)) - 1.0
    across, up = axis(_EPSILON, rangemode="tozero"), log_axis(_DELTA, range=[smallest, 0.0])
    return on_axes([*sides, own, *marks], across, up, **_published(shown, curve.epsilon[-1]))


def _published(published: Sequence[tuple[str, float]], largest: float) -> Part:
    """A thin line up to the name, one name below the other, at each epsilon that others have promised."""
    heights = [1.0 - 0.08 * place for place in range(len(published))]
    marks: Part = {"shapes": [], "annotations": []}
    for (name, value), top in zip(published, heights, strict=True):
        side, shift = ("right", -3) if value > 0.5 * largest else ("left", 3)
        marks["shapes"].append(upright(value, top, width=1, dash="dot"))
        marks["annotations"].append(words_at(value, f"{name}: {value:g}", side, top, xshift=shift, font={"size": 12}))
    return marks


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
        seen = _on_logs(curve.upper) & _on_logs(curve.lower)
        traces += gap(curve.noise[seen], curve.lower[seen], curve.upper[seen], _OPEN)
        traces.append(_over_noise(curve, curve.upper, 0, Bound.LOWER, "", _OPEN))
        traces.append(_over_noise(curve, curve.lower, 0, Bound.UPPER, ATTACKED.partition(" (")[0], _OPEN))
    closed = [one for one in curves if one.bound is not Bound.OPEN]
    traces += [_over_noise(one, one.upper, place, one.bound) for place, one in enumerate(closed)]
    heights = np.concatenate([values[_on_logs(values)] for one in curves for values in (one.lower, one.upper)])
    if len(heights):
        ends = [float(np.min(heights)), float(np.max(heights))]
        traces.insert(0, reference([noise, noise], ends, "this release"))
    return on_axes(traces, log_axis(_NOISE), log_axis(_AT_DELTA.format(delta=delta), dtick="D2"))


def _on_logs(values: Floats) -> NDArray[np.bool_]:
    """What a logarithmic axis can show."""
    return np.isfinite(values) & (values > 0.0)


def _over_noise(curve: OverNoise, values: Floats, place: int, bound: Bound, said: str = "", color: str = "") -> Part:
    name, seen = f"{curve.name}: {said}" if said else curve.name, _on_logs(values)
    color = color or theme.compared(place)
    marker = {"color": color, "size": 7, "symbol": theme.marker(place if color != _OPEN else 3)}
    hover = f"Noise %{{x:.3~g}}: ε %{{y:.4~g}}<extra>{theme.legend_name(name, bound)}</extra>"
    look: Part = {"mode": "lines+markers", "marker": marker, "hovertemplate": hover}
    return of_kind(name, bound, curve.noise[seen], values[seen], color, **look)
