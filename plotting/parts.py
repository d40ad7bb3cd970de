"""Slices of the people, models or epochs below each other: what is found of each, with limits that hold together."""

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from plotting import theme
from plotting.assembly import LOG, Part, assemble, axis, literal, trace, upright

SMALLEST = 1e-3
"""Where the axis begins: the same for all files, so that two of them compare."""
_ROW = 22  # pixels
_AROUND = {"l": 12, "r": 18, "t": 8, "b": 52}
_LONGEST = 24  # letters of a name


@dataclass(frozen=True)
class PartShare:
    """One part: its name, the share of its members that was found, and limits of the true share; None without."""

    name: str
    value: float
    low: float | None
    high: float


def parts_figure(parts: Sequence[PartShare], guessing: float) -> go.Figure:
    """The parts from top to bottom; ``guessing`` finds as many by chance, and is a line."""
    rows = [-float(row) for row in range(len(parts))]
    thick = {"color": theme.shade(theme.MEASURED, 0.4), "width": 8}
    ends = [[max(one.low or 0.0, SMALLEST), max(one.high, SMALLEST)] for one in parts]
    limits = [trace(two, [row, row], line=thick, hoverinfo="skip") for two, row in zip(ends, rows, strict=True)]
    marker = {"color": theme.MEASURED, "size": 9, "line": {"color": theme.NEUTRAL, "width": 1}}
    found = [max(one.value, SMALLEST) for one in parts]
    names = [literal(one.name) for one in parts]
    short = [name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…" for name in (one.name for one in parts)]
    hover = "%{text}: %{x:.3~g} found<extra></extra>"
    dots = trace(found, rows, mode="markers", marker=marker, text=names, hovertemplate=hover, cliponaxis=False)
    ticks = {
        "tickvals": rows,
        "ticktext": [literal(name) for name in short],
        "range": [0.6 - len(parts), 0.6],
        "automargin": True,
        "showgrid": False,
        "zeroline": False,
    }
    words = f"Members found at {100.0 * guessing:g} % false alarms — share"
    layout: Part = {
        "xaxis": axis(words, **LOG, range=[-3.0, 0.02]),
        "yaxis": ticks,
        "height": _ROW * len(parts) + _AROUND["t"] + _AROUND["b"],
        "margin": _AROUND,
        "showlegend": False,
        "shapes": [upright(guessing, dash="dash", width=1.5)],
    }
    return assemble([*limits, dots], layout)
