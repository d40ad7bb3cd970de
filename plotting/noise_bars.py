"""How much noise the same attack success takes, for attackers who know less and less."""

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from numerics.trade_off import Bound
from plotting import theme
from plotting.assembly import Part, assemble, axis

NOISE = "Noise multiplier that keeps the limit"
_PATTERN = {Bound.ESTIMATE: "/", Bound.UPPER: "x"}  # what is no guarantee is hatched


@dataclass(frozen=True)
class Bar:
    """The noise an attacker calls for; 0 where none is needed."""

    name: str
    noise: float
    text: str
    bound: Bound


def noise_bars_figure(bars: Sequence[Bar]) -> go.Figure:
    """One bar an attacker, its text beside it."""
    marker = {
        "color": [theme.color(index) for index in range(len(bars))],
        "pattern": {"shape": [_PATTERN.get(bar.bound, "") for bar in bars]},
    }
    trace: Part = {
        "type": "bar",
        "orientation": "h",
        "x": [bar.noise for bar in bars],
        "y": [bar.name for bar in bars],
        "text": [bar.text for bar in bars],
        "textposition": "auto",
        "cliponaxis": False,
        "marker": marker,
        "hovertemplate": "%{y}: %{x:.4~g}<extra></extra>",
    }
    layout: Part = {
        "xaxis": axis(NOISE, rangemode="tozero"),
        "yaxis": {"autorange": "reversed", "automargin": True},
        "height": 90 + 52 * len(bars),
        "showlegend": False,
    }
    return assemble([trace], layout)
