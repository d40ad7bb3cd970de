"""What is known of epsilon* on one line each: the bound, the ceiling of such samples, the estimates and their nulls."""

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from plotting import theme
from plotting.assembly import Part, assemble, label, note, rectangle, trace, upright

_REACH = 1.6  # of the ceiling, where the axis ends: models of which as many losses are known share their axis
_ROW = 26  # pixels
_AROUND = {"l": 126, "r": 12, "t": 24, "b": 26}
_LEFT = 0.5  # of the axis: from here on words stand before their mark, clear of the ceiling
_CLEAR = 0.25  # of the axis: as much as the bound's words take on a telephone; before it nothing else is on its line


@dataclass(frozen=True)
class CertainBound:
    """What holds with confidence.

    Attributes:
        name: of its line.
        bound: epsilon* is at least that.
        said: of it.
        ceiling: the largest bound that samples of these sizes can show.
        ceiling_name: what is said of it.
    """

    name: str
    bound: float
    said: str
    ceiling: float
    ceiling_name: str


@dataclass(frozen=True)
class EstimateMark:
    """One estimate.

    Attributes:
        name: of its line.
        value: None where there is none.
        said: of it, where it stands.
        reason: what it is worth, or why there is none.
        is_grey: whether it says nothing about these losses.
        null: what one in twenty shuffles exceeds; None where that is not known.
    """

    name: str
    value: float | None
    said: str
    reason: str = ""
    is_grey: bool = False
    null: float | None = None


def estimates_figure(known: CertainBound, estimates: Sequence[EstimateMark]) -> go.Figure:
    """The bound with all that it leaves open, and below it the estimates; beyond the axis they are at its end."""
    end = _REACH * known.ceiling
    traces = _bound(known, end)
    for row, one in enumerate(estimates, 1):
        traces += _estimate(one, -float(row), end)
    return assemble(traces, _layout(known, [f"<b>{known.name}</b>", *(one.name for one in estimates)], end))


def _bound(known: CertainBound, end: float) -> list[Part]:
    color = theme.MEASURED
    line = {"color": theme.shade(color, 0.3), "width": 9}
    open_to = trace([known.bound, known.ceiling], [0.0, 0.0], line=line, hoverinfo="skip", showlegend=False)
    marker = {"size": 15, "color": color, "symbol": "triangle-right"}
    mark = _mark(known.bound, 0.0, marker, known.said, known.bound > _CLEAR * end)
    return [open_to, mark | {"textfont": {"color": color, "size": 16}, "hoverinfo": "skip"}]


def _estimate(one: EstimateMark, row: float, end: float) -> list[Part]:
    parts = []
    if one.null is not None:
        parts.append(_null(min(one.null, end), row))
    if one.value is None:
        return [*parts, label(0.0, row, one.said, theme.NEUTRAL, "middle right")]
    is_beyond = one.value > end
    at, color = min(one.value, end), theme.NEUTRAL if one.is_grey else theme.MEASURED
    symbol = "triangle-right" if is_beyond else "circle"
    symbol = f"{symbol}-open" if one.is_grey else symbol
    marker = {"size": 12, "color": color, "symbol": symbol, "line": {"width": 2, "color": color}}
    mark = _mark(at, row, marker, one.said, at > _LEFT * end)
    return [*parts, mark | {"name": one.name, "hovertemplate": f"{one.name}: {one.reason}<extra></extra>"}]


def _mark(at: float, row: float, marker: Part, said: str, before: bool) -> Part:
    """A mark and its words, in one trace: browsers then keep both apart, however narrow the axis is."""
    words = label(at, row, said, marker["color"], "middle left" if before else "middle right")
    return {**words, "mode": "markers+text", "marker": marker, "hoverinfo": "text"}


def _null(upper: float, row: float) -> Part:
    return trace(
        [0.0, upper],
        [row, row],
        line={"color": theme.shade(theme.NEUTRAL, 0.35), "width": 9},
        name="where labels are shuffled",
        showlegend=False,
        hovertemplate="Where labels are shuffled, one estimate in twenty is above %{x:.3g}<extra></extra>",
    )


def _layout(known: CertainBound, names: Sequence[str], end: float) -> Part:
    beyond = rectangle((known.ceiling, end), (0.0, 1.0), theme.shade(theme.NEUTRAL, 0.14), yref="paper")
    rows = {"tickvals": [-row for row in range(len(names))], "ticktext": list(names), "range": [0.5 - len(names), 0.6]}
    return {
        "xaxis": {"range": [0.0, end], "zeroline": False, "fixedrange": True},
        "yaxis": {**rows, "showgrid": False, "zeroline": False},
        "height": _ROW * len(names) + _AROUND["t"] + _AROUND["b"],
        "margin": _AROUND,
        "showlegend": False,
        "shapes": [beyond, upright(known.ceiling)],
        "annotations": [note(known.ceiling_name, 1.0, 1.0, "right bottom", xref="paper", yref="paper")],
    }
