"""Bars: upright in groups, with their errors and values; and level, the noise that the same attack success takes."""

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from numerics.trade_off import Bound, Floats
from plotting.assembly import Part, assemble, axis, compact, on_axes
from plotting.lines import LineAxis

NOISE = "Noise multiplier that keeps the limit"
_PATTERN = {Bound.ESTIMATE: "/", Bound.UPPER: "x"}  # what is no guarantee is hatched


@dataclass(frozen=True, eq=False)
class Bars:
    """One bar a group, (n,): heights and their errors, in a colour of their own; errors of 0 are not drawn."""

    name: str
    heights: Floats
    errors: Floats
    color: str


def bars_figure(groups: Sequence[str], series: Sequence[Bars], up: LineAxis) -> go.Figure:
    """The bars of every group side by side."""
    traces = list[Part]()
    for one in series:
        errors = {"type": "data", "array": compact(one.errors), "thickness": 2}
        look = {
            "marker": {"color": one.color},
            **({"error_y": errors} if one.errors.any() else {}),
            "text": [f"{height:.3g}" for height in one.heights],
            "textposition": "inside",
            "textfont": {"color": "#ffffff", "size": 14},
            "hovertemplate": f"%{{x}}: %{{y:.3~g}}<extra>{one.name}</extra>",
        }
        traces.append({"type": "bar", "x": list(groups), "y": compact(one.heights), "name": one.name, **look})
    return on_axes(traces, {"type": "category"}, up.settings, bargap=0.35)


@dataclass(frozen=True)
class Bar:
    """The noise an attacker calls for; 0 where none is needed. ``color`` is the attacker's."""

    name: str
    color: str
    noise: float
    text: str
    bound: Bound


def noise_bars_figure(bars: Sequence[Bar]) -> go.Figure:
    """One bar an attacker, named by the attacker and the text."""
    pattern = {"shape": [_PATTERN.get(bar.bound, "") for bar in bars]}
    trace: Part = {
        "type": "bar",
        "orientation": "h",
        "x": [bar.noise for bar in bars],
        # With the text in it, so that the one of a bar without length can be read.
        "y": [f"<b>{bar.name}</b><br>{bar.text}" for bar in bars],
        "marker": {"color": [bar.color for bar in bars], "pattern": pattern},
        "hovertemplate": "%{y}<extra></extra>",
    }
    size = {"height": 70 + 48 * len(bars), "margin": {"t": 8, "b": 54, "r": 12}, "bargap": 0.35, "showlegend": False}
    names = {"autorange": "reversed", "automargin": True}
    return assemble([trace], {"xaxis": axis(NOISE, rangemode="tozero"), "yaxis": names, **size})
