"""Who is accused rightly against who is accused wrongly, on logarithmic axes: measured, and what a promise allows."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from numerics.trade_off import Floats
from plotting import theme
from plotting.assembly import AUDIT_HEIGHT, LOG, MARGIN, Part, assemble, axis, band, label, reference, trace

SMALLEST = 1e-4
"""Rate at which both axes begin."""


@dataclass(frozen=True, eq=False)
class MeasuredRoc:
    """An attack's curve, with the region that contains it.

    Attributes:
        alpha: false positive rates, (k,) ascending.
        power: true positive rates of these scores, (k,).
        low: what the true rate is at least, (k,).
        high: what it is at most, (k,).
    """

    alpha: Floats
    power: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True)
class RocAxes:
    """What the axes count."""

    wrongly: str
    rightly: str


def roc_figure(
    measured: MeasuredRoc, axes: RocAxes, promised: Floats | None = None, marks: Sequence[tuple[float, float]] = ()
) -> go.Figure:
    """The measured curve in its region.

    Args:
        measured: the curve.
        axes: what is accused.
        promised: the largest true positive rates that a promise allows, (k,).
        marks: false and true positive rates to be marked.
    """
    shown = measured.alpha >= SMALLEST
    alpha, power = measured.alpha[shown], np.maximum(measured.power[shown], SMALLEST)
    low, high = (np.maximum(rates[shown], SMALLEST) for rates in (measured.low, measured.high))
    hover = "%{x:.3~g} accused wrongly, %{y:.3~g} rightly<extra></extra>"
    parts = [
        reference([SMALLEST, 1.0], [SMALLEST, 1.0], "guessing"),
        *band(alpha, low, high, theme.MEASURED),
        trace(alpha, power, line={"color": theme.MEASURED, "width": 2}, name="measured", hovertemplate=hover),
        label(0.2, SMALLEST * 2.0, "measured", theme.MEASURED, "top left"),
    ]
    if promised is not None:
        parts += [
            trace(alpha, promised[shown], line={"color": theme.KNOWS_ALL, "width": 3}, name="promised at most"),
            label(0.2, SMALLEST * 6.0, "promised at most", theme.KNOWS_ALL, "top left"),
        ]
    look = {"color": theme.MEASURED, "size": 11, "line": {"color": theme.NEUTRAL, "width": 2}}
    for wrong, right in marks:
        if right > 0.0:
            at = [max(wrong, SMALLEST)], [max(right, SMALLEST)]
            parts.append(trace(*at, mode="markers", marker=look, name="cut", showlegend=False, cliponaxis=False))
    layout: Part = {
        "xaxis": axis(axes.wrongly, **LOG),
        "yaxis": axis(axes.rightly, **LOG),
        "height": AUDIT_HEIGHT,
        "margin": MARGIN,
        "showlegend": False,
    }
    return assemble(parts, layout)
