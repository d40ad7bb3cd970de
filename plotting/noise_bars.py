"""How much noise the same attack success takes, for attackers who know less and less."""

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from numerics.trade_off import Bound
from plotting.assembly import Part, assemble, axis

NOISE = "Noise multiplier that keeps the limit"
_PATTERN = {Bound.ESTIMATE: "/", Bound.UPPER: "x"}  # what is no guarantee is hatched


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
    marker = {
        "color": [bar.color for bar in bars],
        "pattern": {"shape": [_PATTERN.get(bar.bound, "") for bar in bars]},
    }
    trace: Part = {
        "type": "bar",
        "orientation": "h",
        "x": [bar.noise for bar in bars],
        # With the text in it, so that the one of a bar without length can be read.
        "y": [f"<b>{bar.name}</b><br>{bar.text}" for bar in bars],
        "marker": marker,
        "hovertemplate": "%{y}<extra></extra>",
    }
    layout: Part = {
        "xaxis": axis(NOISE, rangemode="tozero"),
        "yaxis": {"autorange": "reversed", "automargin": True},
        "height": 70 + 48 * len(bars),
        "margin": {"t": 8, "b": 54, "r": 12},
        "bargap": 0.35,
        "showlegend": False,
    }
    return assemble([trace], layout)
