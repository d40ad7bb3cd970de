"""Upright bars in groups, with their errors and their values written on them."""

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from numerics.trade_off import Floats
from plotting.assembly import LEGEND, Part, assemble, compact
from plotting.lines import LineAxis

_HEIGHT = 430


@dataclass(frozen=True, eq=False)
class Bars:
    """One bar a group, (n,): heights and their errors, in a colour of their own; errors of 0 are not drawn."""

    name: str
    heights: Floats
    errors: Floats
    color: str


def bars_figure(groups: Sequence[str], series: Sequence[Bars], up: LineAxis) -> go.Figure:
    """The bars of every group side by side."""
    layout: Part = {
        "xaxis": {"type": "category"},
        "yaxis": up.settings,
        "height": _HEIGHT,
        "legend": LEGEND,
        "bargap": 0.35,
    }
    return assemble([_bars(groups, one) for one in series], layout)


def _bars(groups: Sequence[str], one: Bars) -> Part:
    errors = {"error_y": {"type": "data", "array": compact(one.errors), "thickness": 2}} if one.errors.any() else {}
    return {
        "type": "bar",
        "x": list(groups),
        "y": compact(one.heights),
        "name": one.name,
        "marker": {"color": one.color},
        **errors,
        "text": [f"{height:.3g}" for height in one.heights],
        "textposition": "inside",
        "textfont": {"color": "#ffffff", "size": 14},
        "hovertemplate": f"%{{x}}: %{{y:.3~g}}<extra>{one.name}</extra>",
    }
