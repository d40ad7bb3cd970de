"""What protection costs in training: accuracy, and what an attack reached, against what is permitted."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import plotly.graph_objects as go

from numerics.trade_off import Bound, Floats
from plotting import theme
from plotting.assembly import (
    HEIGHT,
    MARGIN,
    Part,
    assemble,
    axis,
    band,
    compact,
    here,
    label,
    laid_out,
    reference,
    trace,
)

_ON = "top center"
# Where curves that rise and then stay level leave room; their names would lie on each other.
_CORNER = {"x": 1, "y": 0.02, "xanchor": "right", "yanchor": "bottom", "orientation": "v", "font": {"size": 13}}
_FAR = 0.15  # a baseline farther below everything else would only flatten it
_ROOM = 0.03  # of the range: less than from one tick to the next, so that none says more than 100 %
_APART = 0.012  # decades between the bars of strategies that share a level, so that none hides another


@dataclass(frozen=True, eq=False)
class RunsLine:
    """Means of several runs against one attacker along an axis, ascending, with their range, (n,) each.

    Attributes:
        name: of the attacker.
        across: levels of permitted success.
        middle: what is drawn as the line.
        low: lower end of the bars.
        high: upper end of the bars.
        said: what a point says when looked at.
        bound: what kind of promise it rests on; decides the dash.
        color: place of the attacker in the theme's list.
    """

    name: str
    across: Floats
    middle: Floats
    low: Floats
    high: Floats
    said: Sequence[str]
    bound: Bound
    color: int


@dataclass(frozen=True)
class Baseline:
    """What is reached whatever is permitted: a line with its range over the runs."""

    name: str
    middle: float
    low: float
    high: float


def cost_figure(
    strategies: Sequence[RunsLine], baselines: Sequence[Baseline], chosen: float, permitted: str, utility: str
) -> go.Figure:
    """Utility over permitted success, with its range over the runs; ``chosen`` is the level in force.

    Baselines far below everything else are left out.
    """
    lowest = min(line.low.min() for line in strategies)
    near = [baseline for baseline in baselines if baseline.low > lowest - _FAR]
    bottom = min([lowest, *(baseline.low for baseline in near)])
    traces = [trace for baseline in near for trace in _flat(baseline, strategies[0].across)]
    for number, levels in enumerate(strategies):
        traces += _line(levels, _aside(number, len(strategies)))
    up = axis(utility, tickformat=".0%", range=_utility_range(bottom))
    limit = here(chosen, f"at most {chosen:,.4g}")
    layout = laid_out(_permitted_axis(permitted), up, HEIGHT, margin=MARGIN) | {"legend": _CORNER} | limit
    alone: Part = {"showlegend": False} if len(strategies) == 1 else {}  # the figure's title has its name
    return assemble(traces, layout | alone)


@dataclass(frozen=True)
class MeasuredAxis:
    """The vertical axis of what was measured: logarithmic from ``floor``, which stands for all that is not above it."""

    title: str
    floor: float
    most: float
    guessed: float | None = None

    def shown(self, values: Floats) -> Floats:
        """Where values are drawn."""
        return np.clip(values, self.floor, self.most)


def reached_figure(
    strategies: Sequence[RunsLine],
    promise: tuple[Floats, Floats] | None,
    chosen: float,
    permitted: str,
    scale: MeasuredAxis,
) -> go.Figure:
    """What the attack on each model reached over what is permitted; ``promise`` is the line none should pass.

    Both on one logarithmic axis: the promises span decades, and the measurements lie far below most of them.
    """
    traces: list[Part] = []
    if promise is not None:
        traces += _promised(promise[0], scale.shown(promise[1]), scale)
    if scale.guessed is not None:
        ends = [float(strategies[0].across.min()), float(strategies[0].across.max())]
        traces += [
            reference(ends, [scale.guessed] * 2, "blind guessing"),
            label(float(np.sqrt(strategies[0].across[-2:].prod())), scale.guessed, "guessing", theme.NEUTRAL, _ON),
        ]
    for number, levels in enumerate(strategies):
        middle, low, high = map(scale.shown, (levels.middle, levels.low, levels.high))
        drawn = replace(levels, middle=middle, low=low, high=high)
        traces += _line(drawn, _aside(number, len(strategies)), joined=False)
    limit = here(chosen, f"at most {chosen:,.4g}")
    layout = laid_out(_permitted_axis(permitted), _log_axis(scale), HEIGHT, margin=MARGIN, showlegend=False, **limit)
    return assemble(traces, layout)


def _promised(across: Floats, most: Floats, scale: MeasuredAxis) -> list[Part]:
    """The line, and above it the area where only a broken promise could lie: the page says so below."""
    color = theme.attacker(0)
    line = trace(
        across,
        most,
        name="promised: at most",
        line={"color": color, "width": 2.5, "dash": theme.DASH[Bound.LOWER]},
        hovertemplate="promised to anybody: at most %{y:,.4~g}<extra></extra>",
    )
    top = trace(
        across,
        np.full(len(across), scale.most),
        line={"width": 0},
        fill="tonexty",
        fillcolor=theme.shade(theme.NEUTRAL, 0.12),
        hoverinfo="skip",
        showlegend=False,
    )
    return [line, top, label(across[-1], most[-1], "promised: at most", color)]


def _log_axis(scale: MeasuredAxis) -> Part:
    """Powers of ten; the lowest tick says that all below it lies there too."""
    ends = [float(np.log10(scale.floor)), float(np.log10(scale.most))]
    ticks = [10.0**power for power in range(round(ends[0]), int(np.floor(ends[1])) + 1)]
    texts = [f"≤ {ticks[0]:,g}", *(f"{tick:,g}" for tick in ticks[1:])]
    return axis(scale.title, type="log", range=[ends[0] - 0.15, ends[1] + 0.05], tickvals=ticks, ticktext=texts)


def _aside(number: int, count: int) -> float:
    """By what a strategy's points are moved along the axis, so that none hides another's bars."""
    return float(10.0 ** (_APART * (number - 0.5 * (count - 1))))


def _utility_range(bottom: float) -> list[float]:
    """From a little below the lowest to a little above all that there can be."""
    room = _ROOM * (1.0 - bottom)
    return [max(0.0, bottom - room), 1.0 + room]


def _permitted_axis(title: str) -> Part:
    """The axis of what is permitted: 1, 2 and 5 of every decade."""
    return axis(title, type="log", tickformat="~g", dtick="D2")


def _line(levels: RunsLine, shift: float, joined: bool = True) -> list[Part]:
    color = theme.attacker(levels.color)
    line: Part = trace(
        levels.across * shift,
        levels.middle,
        mode="lines+markers" if joined else "markers",
        name=theme.legend_name(levels.name, levels.bound),
        line={"color": color, "width": 2.5, "dash": theme.DASH[levels.bound]},
        marker={"color": color, "size": 8, "symbol": theme.marker(levels.color)},
        error_y={
            "type": "data",
            "symmetric": False,
            "array": compact(levels.high - levels.middle),
            "arrayminus": compact(levels.middle - levels.low),
            "color": color,
            "thickness": 1.5,
            "width": 3,
        },
        text=list(levels.said),
        hovertemplate="%{text}<extra></extra>",
    )
    return [line]


def _flat(baseline: Baseline, permitted: Floats) -> list[Part]:
    """A level line across what is permitted, with its name and how far its runs spread."""
    ends = np.array([permitted.min() / 1.1, permitted.max() * 1.1])
    line = trace(
        ends,
        [baseline.middle, baseline.middle],
        name=baseline.name,
        showlegend=False,
        line={"color": theme.NEUTRAL, "width": 1.5, "dash": "solid" if baseline.high > baseline.low else "dot"},
        hovertemplate=f"{baseline.name}: %{{y:.1%}}<extra></extra>",
    )
    words = label(ends[1], baseline.high, f"{baseline.name} {100.0 * baseline.middle:.1f} %", theme.NEUTRAL)
    if baseline.high == baseline.low:
        return [line, words]
    spread = band(ends, np.full(2, baseline.low), np.full(2, baseline.high), theme.NEUTRAL)
    return [*spread, line, words]
