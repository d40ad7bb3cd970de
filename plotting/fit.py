"""Goodness of fit: p-values by the number of components and the size of the sample (paper 001 Fig. 6)."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from numerics.epsilon_star.mixtures import ACCEPTED, GoodnessOfFit
from plotting.assembly import Part, assemble, axis

COMPONENTS = "Components of the mixture"
SIZES = "Losses it is tested on"
REJECTED = "✗"

# Orange is rejected, blue is not; all so light that dark text stands on them in both themes.
_SCALE = [[0.0, "#f0a36b"], [ACCEPTED, "#fbdcc0"], [ACCEPTED, "#e3eff8"], [1.0, "#86bbe2"]]
_TEXT = "#10171e"


def cell(p_value: float) -> str:
    """A p-value of two digits, with a cross where the fit is rejected: colour is not the only sign."""
    if np.isnan(p_value):
        return "–"
    if p_value < ACCEPTED:
        return f"{REJECTED}.{int(100.0 * p_value):02d}"  # rounded down: none reads as the level itself
    return "1.0" if p_value >= 0.995 else f"{p_value:.2f}"[1:]


def fit_figure(fits: GoodnessOfFit) -> go.Figure:
    """Heat map with the p-value in every cell, one component at the top."""
    values = np.asarray(fits.p_values, dtype=float)
    trace: Part = {
        "type": "heatmap",
        "x": _words(fits.sizes),
        "y": _words(fits.components),
        "z": values,
        "zmin": 0.0,
        "zmax": 1.0,
        "colorscale": _SCALE,
        "showscale": False,
        "text": [[cell(float(p_value)) for p_value in row] for row in values],
        "texttemplate": "%{text}",
        "textfont": {"color": _TEXT, "size": 11},
        "xgap": 1,
        "ygap": 1,
        "hovertemplate": "%{y} components, %{x} losses: p = %{z:.3~g}<extra></extra>",
    }
    layout: Part = {
        "xaxis": axis(SIZES, type="category", showgrid=False, tickangle=0, tickfont={"size": 11}),
        "yaxis": axis(COMPONENTS, type="category", autorange="reversed", showgrid=False, dtick=1),
        "height": 100 + 22 * len(fits.components),
        "margin": {"l": 48, "r": 4, "t": 8, "b": 48},
    }
    return assemble([trace], layout)


def _words(numbers: Sequence[int]) -> list[str]:
    return [str(number) for number in numbers]
