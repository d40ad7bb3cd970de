"""The error that noise adds to a released statistic, against what the attack may reach, or the number of people."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from numerics.trade_off import Bound, Floats
from plotting import theme
from plotting.assembly import LOG, Part, assemble, axis, laid_out, reference, trace

_MARKED = 8  # symbols on a line that shares its colour with another


@dataclass(frozen=True, eq=False)
class ErrorLine:
    """The ``error`` (n,) from noise at ``across`` (n,); 0 where no noise is needed.

    Attributes:
        label: what the attacker knows.
        across: attack success, or a number of people, ascending.
        error: in the statistic's own unit.
        bound: kind of the line.
        color: index of its colour.
        variant: 0 for the first line of its colour; the others carry symbols.
    """

    label: str
    across: Floats
    error: Floats
    bound: Bound
    color: int
    variant: int = 0


@dataclass(frozen=True)
class Words:
    """What is on the axes; ``point`` says what a place of the figure means, with ``%{x}`` and ``%{y}``."""

    across: str
    up: str
    point: str


@dataclass(frozen=True)
class Mark:
    """A place of its own: what it says, where it is, and the colour of its line."""

    text: str
    across: float
    error: float
    color: int


def noise_frontier_figure(
    lines: Sequence[ErrorLine], sampling: ErrorLine, marks: Sequence[Mark], marked: str, words: Words, log: bool
) -> go.Figure:
    """All lines over a logarithmic horizontal axis, the sampling error thin, ``marks`` under the name ``marked``."""
    first = reference(sampling.across.tolist(), sampling.error.tolist(), sampling.label)
    traces = [first, *(_line(line, words, log) for line in lines), _marks(marks, marked, log)]
    up = LOG if log else {"rangemode": "tozero"}
    layout: Part = laid_out(axis(words.across, **LOG), axis(words.up, **up), 430 + 22 * len(lines))
    return assemble(traces, layout)


def _line(line: ErrorLine, words: Words, log: bool) -> Part:
    name = theme.legend_name(line.label, line.bound)
    color = theme.color(line.color)
    drawn: Part = trace(
        line.across,
        _shown(line.error, log),
        name=name,
        line={"color": color, "width": 1.5 if line.variant else 3, "dash": theme.DASH[line.bound]},
        hovertemplate=f"{words.point}<extra>{name}</extra>",
    )
    look = line.variant or line.color
    if not look:
        return drawn
    marker = {"symbol": theme.marker(look), "size": 7, "color": color, "maxdisplayed": _MARKED}
    return drawn | {"mode": "lines+markers", "marker": marker}


def _marks(marks: Sequence[Mark], name: str, log: bool) -> Part:
    seen = [mark for mark in marks if mark.error > 0.0 or not log]
    return trace(
        [mark.across for mark in seen],
        [mark.error for mark in seen],
        text=[mark.text for mark in seen],
        mode="markers",
        name=name,
        marker={
            "color": [theme.color(mark.color) for mark in seen],
            "size": 12,
            "symbol": "diamond",
            "line": {"color": theme.NEUTRAL, "width": 2},
        },
        cliponaxis=False,
        hovertemplate="%{text}<extra></extra>",
    )


def _shown(error: Floats, log: bool) -> Floats:
    """A gap where a logarithmic axis has no place: no error at all."""
    return np.where(error > 0.0, error, np.nan) if log else error
