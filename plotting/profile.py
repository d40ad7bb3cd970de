"""The privacy profile: the delta that goes with every epsilon."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from numerics.trade_off import Bound, Bracket, Floats
from plotting import theme
from plotting.assembly import (
    LOG,
    Part,
    assemble,
    axis,
    band,
    gap,
    laid_out,
    of_kind,
    reference,
    spot,
    upright,
    words_at,
)

EPSILON = "Epsilon ε — odds move by at most e^ε, but for δ"
DELTA = "Delta δ — chance the promise fails"
_LEAST = 1e-30  # of a log axis, far below what is shown


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
        sides = (gap if curve.bound is Bound.OPEN else band)(x, np.maximum(low, _LEAST), high, release)
    marks = []
    if np.isfinite(epsilon.upper):
        marks = [
            reference([0.0, epsilon.upper], [delta, delta], f"δ = {said}"),
            spot(epsilon.upper, delta, "ε at this δ"),
        ]
    shown = [(name, value) for name, value in published if value <= curve.epsilon[-1]]
    smallest = np.log10(min(delta, 1e-10)) - 1.0
    layout = laid_out(axis(EPSILON, rangemode="tozero"), axis(DELTA, range=[smallest, 0.0], **LOG), 430)
    return assemble([*sides, own, *marks], layout | _ticks(shown, curve.epsilon[-1]))


def _ticks(published: Sequence[tuple[str, float]], largest: float) -> Part:
    """A thin line up to the name, one name below the other, at each epsilon that others have promised."""
    heights = [1.0 - 0.08 * place for place in range(len(published))]
    marks: Part = {"shapes": [], "annotations": []}
    for (name, value), top in zip(published, heights, strict=True):
        side, shift = ("right", -3) if value > 0.5 * largest else ("left", 3)
        marks["shapes"].append(upright(value, top, width=1, dash="dot"))
        marks["annotations"].append(words_at(value, f"{name}: {value:g}", side, top, xshift=shift, font={"size": 12}))
    return marks
