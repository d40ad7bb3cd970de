"""Audits of attacks and of promises: the measured curve in its region, slices of it, right guesses, and their power."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from numerics.trade_off import Floats
from plotting import theme
from plotting.assembly import (
    AUDIT_HEIGHT,
    MARGIN,
    Part,
    assemble,
    axis,
    band,
    here,
    label,
    literal,
    log_axis,
    on_axes,
    reference,
    trace,
    upright,
)

_SMALLEST_RATE, _SMALLEST_SHARE = 1e-4, 1e-3  # where axes begin: the same for all files, so that two of them compare
_PART = 22  # pixels
_AROUND_PARTS = {"l": 12, "r": 18, "t": 8, "b": 52}
_LONGEST = 24  # letters of a name


@dataclass(frozen=True, eq=False)
class MeasuredRoc:
    """An attack's curve, with the region that contains it.

    Attributes:
        alpha: false positive rates, (k,) ascending.
        power: true positive rates of these scores, (k,).
        low: what the true rate is at least, (k,).
        high: what it is at most, (k,).
    """

    alpha: Floats
    power: Floats
    low: Floats
    high: Floats


def roc_figure(
    measured: MeasuredRoc,
    wrongly: str,
    rightly: str,
    promised: Floats | None = None,
    marks: Sequence[tuple[float, float]] = (),
) -> go.Figure:
    """The measured curve in its region, on logarithmic axes of those accused ``wrongly`` and ``rightly``.

    Args:
        measured: the curve.
        wrongly: what the axis across counts.
        rightly: what the axis upwards counts.
        promised: the largest true positive rates that a promise allows, (k,).
        marks: false and true positive rates to be marked.
    """
    shown = measured.alpha >= _SMALLEST_RATE
    alpha, power = measured.alpha[shown], np.maximum(measured.power[shown], _SMALLEST_RATE)
    low, high = (np.maximum(rates[shown], _SMALLEST_RATE) for rates in (measured.low, measured.high))
    said = "%{x:.3~g} accused wrongly, %{y:.3~g} rightly<extra></extra>"
    parts = [
        reference([_SMALLEST_RATE, 1.0], [_SMALLEST_RATE, 1.0], "guessing"),
        *band(alpha, low, high, theme.MEASURED),
        trace(alpha, power, line={"color": theme.MEASURED, "width": 2}, name="measured", hovertemplate=said),
        label(0.2, _SMALLEST_RATE * 2.0, "measured", theme.MEASURED, "top left"),
    ]
    if promised is not None:
        parts += [
            trace(alpha, promised[shown], line={"color": theme.KNOWS_ALL, "width": 3}, name="promised at most"),
            label(0.2, _SMALLEST_RATE * 6.0, "promised at most", theme.KNOWS_ALL, "top left"),
        ]
    look = {"color": theme.MEASURED, "size": 11, "line": {"color": theme.NEUTRAL, "width": 2}}
    for wrong, right in marks:
        if right > 0.0:
            at = [max(wrong, _SMALLEST_RATE)], [max(right, _SMALLEST_RATE)]
            parts.append(trace(*at, mode="markers", marker=look, name="cut", showlegend=False, cliponaxis=False))
    return assemble(parts, _layout(log_axis(wrongly), log_axis(rightly)))


def _layout(across: Part, up: Part, **rest: Any) -> Part:
    return {"xaxis": across, "yaxis": up, "height": AUDIT_HEIGHT, "margin": MARGIN, "showlegend": False, **rest}


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
    ends = [[max(one.low or 0.0, _SMALLEST_SHARE), max(one.high, _SMALLEST_SHARE)] for one in parts]
    limits = [trace(two, [row, row], line=thick, hoverinfo="skip") for two, row in zip(ends, rows, strict=True)]
    marker = {"color": theme.MEASURED, "size": 9, "line": {"color": theme.NEUTRAL, "width": 1}}
    found = [max(one.value, _SMALLEST_SHARE) for one in parts]
    names = [literal(one.name) for one in parts]
    short = [name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…" for name in (one.name for one in parts)]
    hover = "%{text}: %{x:.3~g} found<extra></extra>"
    dots = trace(found, rows, mode="markers", marker=marker, text=names, hovertemplate=hover, cliponaxis=False)
    ticks = {"tickvals": rows, "ticktext": [literal(name) for name in short], "range": [0.6 - len(parts), 0.6]}
    across = log_axis(f"Members found at {100.0 * guessing:g} % false alarms — share", range=[-3.0, 0.02])
    up = {**ticks, "automargin": True, "showgrid": False, "zeroline": False}
    size: Part = {"height": _PART * len(parts) + _AROUND_PARTS["t"] + _AROUND_PARTS["b"], "margin": _AROUND_PARTS}
    line = upright(guessing, dash="dash", width=1.5)
    return assemble([*limits, dots], _layout(across, up, **size, shapes=[line]))


def power_figure(sizes: Floats, power: Floats, needed: float | None, of: str) -> go.Figure:
    """How likely an audit refutes, by its size; ``needed`` is where that is 4 in 5."""
    look = {"line": {"color": theme.MEASURED, "width": 3}, "hovertemplate": "%{x:,}: %{y:.0%}<extra></extra>"}
    wanted = reference([float(sizes[0]), float(sizes[-1])], [0.8, 0.8], "4 in 5")
    up = axis("Refuted — share of such audits", range=[0.0, 1.05], tickformat=".0%")
    marked = {} if needed is None else here(needed, f"{needed:,.0f}")
    return assemble([wanted, trace(sizes, power, **look)], _layout(log_axis(of), up, **marked))


def guesses_figure(counts: Sequence[int], correct: Sequence[int], critical: Sequence[int | None]) -> go.Figure:
    """Shares of right guesses at every number of guesses, with the share from which on the promise is refuted."""
    shares = [right / count for right, count in zip(correct, counts, strict=True)]
    limits = [None if least is None else least / count for least, count in zip(critical, counts, strict=True)]
    places, ends = [float(place) for place in range(len(counts))], [-0.5, len(counts) - 0.5]
    cross, dot = {"symbol": "x", "size": 13, "color": theme.NEUTRAL}, {"size": 13, "color": theme.MEASURED}
    needed = {
        "marker": cross,
        "name": "refuted from here on",
        "hovertemplate": "refuted from %{y:.1%} on<extra></extra>",
    }
    found = {"marker": dot, "name": "right guesses", "hovertemplate": "%{y:.1%} right<extra></extra>"}
    drawn = [(place, limit) for place, limit in zip(places, limits, strict=True) if limit is not None]
    crosses = trace([place for place, _ in drawn], [limit for _, limit in drawn], mode="markers", **needed)
    dots = trace(places, shares, mode="markers", **found)
    across = axis("Guesses", tickvals=places, ticktext=[f"{count:,} surest" for count in counts], range=ends)
    up = axis("Right — share of the guesses", range=[0.0, 1.05], tickformat=".0%")
    above = {"legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom"}, "margin": {**MARGIN, "t": 36}}
    traces = [reference(ends, [0.5, 0.5], "by chance"), crosses, dots]
    return on_axes(traces, across, up, AUDIT_HEIGHT, **above)
