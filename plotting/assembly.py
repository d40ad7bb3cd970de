"""Putting a figure together from plain parts.

Plotly checks every attribute when a figure is built from Python, which takes longer than anything else a figure costs
(4 ms against 0.2 ms). Here that check is left to the tests, which rebuild every figure with it.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
import plotly.io as pio

from numerics.trade_off import Bound, Floats
from plotting import theme

Part = dict[str, Any]
"""A trace, an axis, a shape or a layout, as Plotly's JSON spells it."""


def assemble(traces: Sequence[Part], layout: Part) -> go.Figure:
    """A figure of ``traces`` in the light template."""
    parts = {"data": list(traces), "layout": {"template": pio.templates[theme.template()], **layout}}
    return go.Figure(parts, _validate=False)


def compact(values: Floats) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Coordinates as they are sent to the browser: single precision is finer than any screen."""
    return np.asarray(values, dtype=np.float32)


def axis(title: str, **settings: Any) -> Part:
    """An axis with its title in words, small enough for a phone."""
    return {"title": {"text": title, "font": {"size": 13}, "standoff": 8}, **settings}


def band(x: Floats, low: Floats, high: Floats, color: str) -> list[Part]:
    """The area between two lines of no width: where a certified curve is known to run."""
    edge: Part = {"type": "scatter", "x": compact(x), "mode": "lines", "line": {"width": 0}}
    quiet = {**edge, "hoverinfo": "skip", "showlegend": False}
    return [
        {**quiet, "y": compact(low)},
        {**quiet, "y": compact(high), "fill": "tonexty", "fillcolor": theme.shade(color, 0.4)},
    ]


_QUALIFIER = {Bound.ESTIMATE: "about ", Bound.CERTIFIED: "at most ", Bound.LOWER: "at most "}


def hover(words: str, bound: Bound) -> str:
    """What a point says, with ``{at_most}`` replaced by what may be claimed of the kind of bound."""
    return words.replace("{at_most}", _QUALIFIER.get(bound, ""))


def spot(x: float, y: float, name: str) -> Part:
    """The one point the page is about."""
    return {
        "type": "scatter",
        "x": [x],
        "y": [y],
        "mode": "markers",
        "name": name,
        "marker": {"color": theme.MEMBER, "size": 13, "line": {"color": theme.NEUTRAL, "width": 2}},
        "cliponaxis": False,
        "hoverinfo": "skip",
    }


def reference(x: list[float], y: list[float], name: str) -> Part:
    """A thin line to compare with, such as guessing."""
    return {
        "type": "scatter",
        "x": x,
        "y": y,
        "mode": "lines",
        "name": name,
        "line": {"color": theme.NEUTRAL, "width": 1.5, "dash": "dash"},
        "hoverinfo": "skip",
    }


# Plotly would turn the legend upside down where areas are filled.
LEGEND = {"traceorder": "normal", "font": {"size": 13}}
