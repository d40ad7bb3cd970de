"""What protection costs in training: accuracy, and what an attack reached, against what is permitted."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import plotly.graph_objects as go

from numerics.trade_off import Bound, Floats
from plotting import theme
from plotting.assembly import HEIGHT, MARGIN, Part, axis, band, compact, here, label, of_kind, on_axes, reference, trace
from plotting.people import CROWD

_ON = "top center"
_LEAST = 1.0  # of those who were found, as an axis shows them
# Where curves that rise and then stay level leave room; their names would lie on each other.
_CORNER = {"x": 1, "y": 0.02, "xanchor": "right", "yanchor": "bottom", "orientation": "v", "font": {"size": 13}}
_FAR = 0.15  # a baseline farther below everything else would only flatten it
_ROOM = 0.03  # of the range: less than from one tick to the next, so that none says more than 100 %
_LEVELS: Part = {"type": "log", "tickformat": "~g", "dtick": "D2"}  # of an axis: 1, 2 and 5 of every decade
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
        traces.append(_line(levels, _aside(number, len(strategies))))
    room = _ROOM * (1.0 - bottom)
    up = axis(utility, tickformat=".0%", range=[max(0.0, bottom - room), 1.0 + room])
    look: Part = {"legend": _CORNER, **here(chosen, f"my limit, {chosen:,.4g}")}
    if len(strategies) == 1:  # the figure's title has its name
        look["showlegend"] = False
    return on_axes(traces, axis(permitted, **_LEVELS), up, HEIGHT, margin=MARGIN, **look)


def reached_figure(
    strategies: Sequence[RunsLine], promise: tuple[Floats, Floats], chosen: float, permitted: str, guessed: float
) -> go.Figure:
    """How many the attack on each model found over what is permitted; ``promise`` is the line none should pass.

    Both on one logarithmic axis, whose lowest tick stands for all below it: the promises span decades, and the
    measurements lie far below most of them. Blind guessing finds ``guessed``.
    """
    middle = float(np.sqrt(strategies[0].across[-2:].prod()))
    ends = [float(end(strategies[0].across)) for end in (np.min, np.max)]
    traces = [
        *_promised(promise[0], np.clip(promise[1], _LEAST, CROWD)),
        reference(ends, [guessed] * 2, "blind guessing"),
        label(middle, guessed, "guessing", theme.NEUTRAL, _ON),
    ]
    for number, levels in enumerate(strategies):
        seen = {name: np.clip(getattr(levels, name), _LEAST, CROWD) for name in ("middle", "low", "high")}
        traces.append(_line(replace(levels, **seen), _aside(number, len(strategies)), joined=False))
    powers = range(round(np.log10(CROWD)) + 1)
    ticks: Part = {"tickvals": [10.0**power for power in powers]}
    ticks["ticktext"] = [f"≤ {_LEAST:g}", *(f"{10**power:,}" for power in powers[1:])]
    up = axis(f"Members found, of {CROWD:,}", type="log", range=[-0.15, powers[-1] + 0.05], **ticks)
    limit = here(chosen, f"my limit, {chosen:,.4g}")
    return on_axes(traces, axis(permitted, **_LEVELS), up, HEIGHT, margin=MARGIN, showlegend=False, **limit)


def _promised(across: Floats, most: Floats) -> list[Part]:
    """The line, and above it the area where only a broken promise could lie: the page says so below."""
    color = theme.ATTACKERS[0]
    look = {"color": color, "width": 2.5, "dash": theme.DASH[Bound.LOWER]}
    hover = "promised to anybody: at most %{y:,.4~g}<extra></extra>"
    line = trace(across, most, name="promised: at most", line=look, hovertemplate=hover)
    _, above = band(across, most, np.full(len(across), float(CROWD)), theme.NEUTRAL, 0.12)
    return [line, above, label(across[-1], most[-1], "promised: at most", color)]


def _aside(number: int, count: int) -> float:
    """By what a strategy's points are moved along the axis, so that none hides another's bars."""
    return float(10.0 ** (_APART * (number - 0.5 * (count - 1))))


def _line(levels: RunsLine, shift: float, joined: bool = True) -> Part:
    color = theme.ATTACKERS[levels.color]
    ends = {"array": compact(levels.high - levels.middle), "arrayminus": compact(levels.middle - levels.low)}
    return of_kind(
        levels.name,
        levels.bound,
        levels.across * shift,
        levels.middle,
        color,
        width=2.5,
        mode="lines+markers" if joined else "markers",
        marker={"color": color, "size": 8, "symbol": theme.marker(levels.color)},
        error_y={"type": "data", "symmetric": False, **ends, "color": color, "thickness": 1.5, "width": 3},
        text=list(levels.said),
        hovertemplate="%{text}<extra></extra>",
    )


def _flat(baseline: Baseline, permitted: Floats) -> list[Part]:
    """A level line across what is permitted, with its name and how far its runs spread."""
    ends, is_spread = np.array([permitted.min() / 1.1, permitted.max() * 1.1]), baseline.high > baseline.low
    look = {"color": theme.NEUTRAL, "width": 1.5, "dash": "solid" if is_spread else "dot"}
    said = {"showlegend": False, "hovertemplate": f"{baseline.name}: %{{y:.1%}}<extra></extra>"}
    line = trace(ends, [baseline.middle, baseline.middle], name=baseline.name, line=look, **said)
    words = label(ends[1], baseline.high, f"{baseline.name} {100.0 * baseline.middle:.1f} %", theme.NEUTRAL)
    spread = band(ends, np.full(2, baseline.low), np.full(2, baseline.high), theme.NEUTRAL) if is_spread else []
    return [*spread, line, words]
