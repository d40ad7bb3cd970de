"""Exact eta of a small release against the noise scale, between what the bounds promise."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from numerics.trade_off import Bound, Floats
from plotting import theme
from plotting.assembly import LOG, assemble, axis, laid_out, of_kind, reference, trace

SCALE = "Noise scale b — little to much"
ETA = "Accuracy above guessing, η"


@dataclass(frozen=True, eq=False)
class EtaCurves:
    """Eta against the scale of Laplace noise.

    Attributes:
        scale: (n,) ascending.
        exact: (n,) eta by enumeration.
        swap: (n,) the one-swap bound's promise (correction 32).
        paper: (n,) the paper's.
        private: (n,) that of differential privacy.
    """

    scale: Floats
    exact: Floats
    swap: Floats
    paper: Floats
    private: Floats


def exact_eta_figure(curves: EtaCurves, goal: float, marked: Sequence[tuple[str, float]]) -> go.Figure:
    """The curves, the wanted eta, and on it the ``marked`` noise scales (name, b)."""
    lines = (
        (curves.paper, "paper's constants", Bound.LOWER, theme.NEUTRAL, 2.0),
        (curves.private, "differential privacy", Bound.LOWER, theme.KNOWS_ALL, 2.0),
        (curves.swap, "one-swap bound", Bound.LOWER, theme.DRAW_UNKNOWN, 3.0),
        (curves.exact, "all halves tried", Bound.EXACT, theme.DRAW_UNKNOWN, 3.0),
    )
    traces = [reference([float(curves.scale[0]), float(curves.scale[-1])], [goal, goal], "wanted η")]
    for eta, name, bound, color, width in lines:
        said = "at b = %{x:.3~g}, η is" if bound is Bound.EXACT else f"{name}: at b = %{{x:.3~g}}, η at most"
        hover = f"{said} %{{y:.3~g}}<extra></extra>"
        traces.append(of_kind(name, bound, curves.scale, eta, color, width, hovertemplate=hover))
    marks = trace(
        [scale for _, scale in marked],
        [goal] * len(marked),
        text=[name for name, _ in marked],
        mode="markers",
        name="noise for the wanted η",
        marker={"color": theme.NEUTRAL, "size": 9, "symbol": "diamond"},
        hovertemplate="%{text}: b = %{x:.4~g}<extra></extra>",
    )
    up = axis(ETA, range=[float(np.log10(0.1 * min(goal, 0.1))), float(np.log10(0.6))], **LOG)
    return assemble([*traces, marks], laid_out(axis(SCALE, **LOG), up, 430))
