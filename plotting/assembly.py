"""Putting a figure together from plain parts.

Plotly checks every attribute when a figure is built from Python, which takes longer than anything else a figure costs
(4 ms against 0.2 ms). Here that check is left to the tests, which rebuild every figure with it.
"""

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go
import plotly.io as pio
from numpy.typing import NDArray

from numerics.trade_off import Bound, Floats
from plotting import theme

Part = dict[str, Any]
"""A trace, an axis, a shape or a layout, as Plotly's JSON spells it."""

# Plotly would turn the legend upside down where areas are filled.
LEGEND = {"traceorder": "normal", "font": {"size": 13}}
LOG = {"type": "log", "exponentformat": "power"}  # an axis

BARE = {"ticks": "", "showgrid": False, "zeroline": False, "showline": False}  # an axis that is there for its names

HEIGHT = 316
AUDIT_HEIGHT = 280  # as high as a phone has room for below the choices and the verdict
"""Pixels of a figure that is seen with its answer and its slider on a small laptop."""
MARGIN = {"l": 62, "r": 16, "t": 22, "b": 50}
"""Around it, where names are on the lines and no legend needs room."""


GAP = "between them: other attacks may find more"


def assemble(traces: Sequence[Part], layout: Part) -> go.Figure:
    """A figure of ``traces`` in the project's template."""
    parts = {"data": list(traces), "layout": {"template": pio.templates[theme.TEMPLATE], **layout}}
    return go.Figure(parts, _validate=False)


def compact(values: Floats) -> NDArray[np.float32]:
    """Coordinates as they are sent to the browser: single precision is finer than any screen."""
    return np.asarray(values, dtype=np.float32)


def evenly(x: Floats, y: Floats, count: int) -> NDArray[np.intp]:
    """Indices of at most ``count`` points that lie evenly along a line (n,)."""
    length = np.concatenate(([0.0], np.cumsum(np.hypot(np.diff(x), np.diff(y)))))
    return np.unique(np.searchsorted(length, np.linspace(0.0, length[-1], count)))


def axis(title: str, **settings: Any) -> Part:
    """An axis with its title in words, small enough for a phone."""
    return {"title": {"text": title, "font": {"size": 13}, "standoff": 8}, **settings}


def log_axis(title: str, **settings: Any) -> Part:
    """A logarithmic one."""
    return axis(title, **LOG, **settings)


def trace(x: Sequence[float | None] | Floats, y: Sequence[float] | Floats, **look: Any) -> Part:
    """Points (n,) each, joined by lines unless ``look`` has another ``mode``; arrays are made compact."""
    across, up = (compact(values) if isinstance(values, np.ndarray) else values for values in (x, y))
    return {"type": "scatter", "x": across, "y": up, "mode": "lines", **look}


def of_kind(label: str, bound: Bound, x: Floats, y: Floats, color: str, width: float = 3.0, **look: Any) -> Part:
    """A line (n,) of what is exact, promised or estimated: its name and its dash say which."""
    line = {"color": color, "width": width, "dash": theme.DASH[bound]}
    return trace(x, y, name=theme.legend_name(label, bound), line=line, **look)


def on_axes(traces: Sequence[Part], across: Part, up: Part, height: int = 430, **rest: Any) -> go.Figure:
    """A figure of ``traces`` over these axes, with a legend above."""
    return assemble(traces, {"xaxis": across, "yaxis": up, "height": height, "legend": LEGEND, **rest})


def band(x: Floats, low: Floats, high: Floats, color: str, opacity: float = 0.4) -> list[Part]:
    """The area between two lines of no width: where a certified curve is known to run."""
    quiet = {"line": {"width": 0}, "hoverinfo": "skip", "showlegend": False}
    return [trace(x, low, **quiet), trace(x, high, **quiet, fill="tonexty", fillcolor=theme.shade(color, opacity))]


def gap(x: Floats, low: Floats, high: Floats, color: str) -> list[Part]:
    """The same between a guarantee and a known attack that do not meet: faint, and named."""
    edge, area = band(x, low, high, color, 0.15)
    return [edge, area | {"name": GAP, "showlegend": True}]


def steps(edges: Floats, heights: Floats, color: str, name: str) -> Part:
    """A histogram: ``heights`` (n,) between ``edges`` (n + 1,), as one line over its area."""
    return trace(
        edges,
        np.append(heights, heights[-1]),
        name=name,
        line={"color": color, "width": 1.5, "shape": "hv"},
        fill="tozeroy",
        fillcolor=theme.shade(color, 0.25),
        hoverinfo="skip",
    )


# Counts are rounded up, also of what is exact.
_QUALIFIER = {
    Bound.ESTIMATE: "about ",
    **dict.fromkeys((Bound.EXACT, Bound.CERTIFIED, Bound.LOWER, Bound.OPEN), "at most "),
}


def hover(words: str, bound: Bound) -> str:
    """What a point says, with ``{at_most}`` replaced by what may be claimed of the kind of bound."""
    return words.replace("{at_most}", _QUALIFIER.get(bound, ""))


def spot(x: float, y: float, name: str) -> Part:
    """The one point the page is about."""
    marker = {"color": theme.MEMBER, "size": 13, "line": {"color": theme.NEUTRAL, "width": 2}}
    return trace([x], [y], mode="markers", name=name, marker=marker, cliponaxis=False, hoverinfo="skip")


def upright(x: float, height: float = 1.0, **line: Any) -> Part:
    """A line up from ``x`` to ``height``, a share of the figure's."""
    line = {"color": theme.NEUTRAL, "width": 2, **line}
    return {"type": "line", "x0": x, "x1": x, "yref": "paper", "y0": 0.0, "y1": height, "line": line}


def rectangle(x: tuple[float, float], y: tuple[float, float], fill: str, **more: Any) -> Part:
    """A region below all else."""
    ends = {"x0": x[0], "x1": x[1], "y0": y[0], "y1": y[1]}
    return {"type": "rect", **ends, "fillcolor": fill, "layer": "below", "line": {"width": 0}, **more}


def note(text: str, x: float, y: float, corner: str, **more: Any) -> Part:
    """Words whose ``corner`` ("left top", or a side alone) is at a place; a log axis counts in decades."""
    anchors = dict(zip(("xanchor", "yanchor"), corner.split(), strict=False))
    return {"text": text, "x": x, "y": y, **anchors, **more}


def words_at(x: float, text: str, side: str, height: float = 1.0, **more: Any) -> Part:
    """What an ``upright`` says; ``side`` is that of the text at which the line is."""
    return note(text, x, height, f"{side} top", yref="paper", **more)


def here(x: float, text: str) -> Part:
    """Part of a layout: a dashed line across the figure at ``x`` of a logarithmic axis, with ``text`` above it."""
    words = note(text, float(np.log10(x)), 1.0, "center bottom", yref="paper")
    return {"shapes": [upright(x, dash="dash")], "annotations": [words]}


def label(x: float, y: float, text: str, color: str, where: str = "top left") -> Part:
    """Words on a line in place of an entry in the legend, at a point of it; ``where`` they stand from there."""
    return trace(
        [x],
        [y],
        mode="text",
        text=[f"&nbsp;<b>{text.replace('<br>', '&nbsp;<br>&nbsp;')}</b>&nbsp;"],  # every line stands off
        textposition=where,
        textfont={"color": color, "size": 13},
        cliponaxis=False,
        hoverinfo="skip",
        showlegend=False,
    )


def reference(x: list[float], y: list[float], name: str) -> Part:
    """A thin line to compare with, such as guessing."""
    line = {"color": theme.NEUTRAL, "width": 1.5, "dash": "dash"}
    return trace(x, y, name=name, line=line, hoverinfo="skip")


def literal(text: str) -> str:
    """Text that Plotly shows as it is: its signs for markup and for templates are spelled as entities."""
    return escape(text, quote=False).replace("{", "&#123;")
