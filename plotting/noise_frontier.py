"""The error that noise adds to a released statistic, against what the attack may reach, or the number of people."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from numerics.trade_off import Bound, Floats
from plotting import theme
from plotting.assembly import (
    HEIGHT,
    MARGIN,
    Part,
    axis,
    band,
    here,
    label,
    log_axis,
    of_kind,
    on_axes,
    reference,
    trace,
)

_SAME = 1e-9  # relative: lines that coincide
_DECADES = 100.0  # from end to end of an axis that has room for more ticks than powers of ten
_MARKED = 8  # symbols on a line that shares its colour with another
_WIDE, _CLEAR = 0.34, 0.015  # of the axis: what a name takes on a telephone, and the room beside a line across


@dataclass(frozen=True, eq=False)
class ErrorLine:
    """The ``error`` (n,) from noise at ``across`` (n,); 0 where no noise is needed.

    Attributes:
        label: what the attacker knows.
        across: attack success, or a number of people, ascending.
        error: in the statistic's own unit.
        bound: kind of the line.
        color: place of its attacker in the theme's list.
    """

    label: str
    across: Floats
    error: Floats
    bound: Bound
    color: int


@dataclass(frozen=True)
class FrontierWords:
    """What is on the axes; ``point`` says what a place of the figure means, with ``%{x}`` and ``%{y}``.

    ``are_powers``: whether numbers on the horizontal axis are spelled as powers of ten.
    """

    across: str
    up: str
    point: str
    are_powers: bool = False


@dataclass(frozen=True)
class Mark:
    """A place of its own: what it says, where it is, and the colour of its line."""

    text: str
    across: float
    error: float
    color: int


@dataclass(frozen=True)
class Here:
    """Where the visitor is on the horizontal axis, and what the line there says."""

    across: float
    text: str


def noise_frontier_figure(
    lines: Sequence[ErrorLine],
    sampling: ErrorLine,
    free: float,
    marks: Sequence[Mark],
    place: Here,
    words: FrontierWords,
) -> go.Figure:
    """All lines on logarithmic axes, the sampling error thin, with ``marks``.

    Below the share ``free`` of the sampling error noise is practically free: that area is shaded.
    """
    low, high = _ends(lines, sampling, free)
    first = reference(sampling.across.tolist(), sampling.error.tolist(), sampling.label)
    traces = [*_free(sampling, free, low), first, *(_line(line, words) for line in lines)]
    traces += [label(sampling.across[-1], sampling.error[-1], sampling.label, theme.NEUTRAL, "bottom left")]
    traces += [*_labels(lines, place.across), _marks(marks)]
    ends = [float(np.log10(end)) for end in (low, high)]
    up = log_axis(words.up, range=ends, dtick=1 if high > _DECADES * low else "D2")
    powers = log_axis(words.across, dtick=1)
    across = powers if words.are_powers else axis(words.across, type="log", dtick=1, tickformat="~g")
    limit = here(place.across, place.text)
    return on_axes(traces, across, up, HEIGHT, margin=MARGIN, showlegend=False, **limit)


def _ends(lines: Sequence[ErrorLine], sampling: ErrorLine, free: float) -> tuple[float, float]:
    """The vertical axis: around everything there is."""
    drawn = np.concatenate([sampling.error, free * sampling.error, *(line.error for line in lines)])
    positive = drawn[drawn > 0.0]
    return 0.5 * float(positive.min()), 2.0 * float(positive.max())


def _free(sampling: ErrorLine, free: float, low: float) -> list[Part]:
    """The area where noise is practically free, with its name."""
    top, bottom = free * sampling.error, np.full(len(sampling.error), low)
    edge, area = band(sampling.across, bottom, top, theme.NEUTRAL, 0.15)
    words = label(sampling.across[-1], top[-1], "practically free", theme.NEUTRAL, "bottom left")
    return [edge, area | {"name": "practically free"}, words]


def _labels(lines: Sequence[ErrorLine], here: float) -> list[Part]:
    """Names on the lines: above all but the lowest, which has its below; lines that coincide share one."""
    groups: list[list[ErrorLine]] = []
    for line in sorted(lines, key=lambda one: -float(np.median(one.error))):
        if groups and np.allclose(groups[-1][0].error, line.error, rtol=_SAME):
            groups[-1].append(line)
        else:
            groups.append([line])
    return [_named(group, place, len(groups), here) for place, group in enumerate(groups)]


def _named(group: list[ErrorLine], place: int, count: int, here: float) -> Part:
    """The name of some lines, as far along them as there are others above, and beside the line at ``here``."""
    first = group[0]
    seen = np.flatnonzero(first.error > 0.0)
    is_below = place == count - 1 and place > 0
    left, reach = np.log(first.across[0]), np.log(first.across[-1] / first.across[0])
    along, line = (np.log(first.across[seen]) - left) / reach, float((np.log(here) - left) / reach)
    at = int(seen[_along(along, place / max(1, count - 1), line, is_below)]) if len(seen) else 0
    where = "bottom left" if is_below else "top right"
    text = "<br>= ".join(line.label for line in sorted(group, key=lambda one: one.color))
    return label(first.across[at], first.error[at] if len(seen) else np.nan, text, theme.ATTACKERS[first.color], where)


def _along(places: Floats, share: float, here: float, leftwards: bool) -> int:
    """Which of the places along the axis a name starts at, on to the right or ``leftwards``, not to reach ``here``."""
    low, high = (places - _WIDE, places) if leftwards else (places, places + _WIDE)
    crossed = (low - _CLEAR < here) & (here < high + _CLEAR)
    outside = (low < 0.0) | (high > 1.0)
    return int(np.argmin(np.abs(places - 0.3 - 0.3 * share) + 10.0 * crossed + outside))


def _line(line: ErrorLine, words: FrontierWords) -> Part:
    """The line, with a gap where no noise is needed: no error at all has no place on the axis."""
    color, error = theme.ATTACKERS[line.color], np.where(line.error > 0.0, line.error, np.nan)
    hover = f"{words.point}<extra>{theme.legend_name(line.label, line.bound)}</extra>"
    drawn = of_kind(line.label, line.bound, line.across, error, color, hovertemplate=hover)
    if not line.color:
        return drawn
    marker = {"symbol": theme.marker(line.color), "size": 7, "color": color, "maxdisplayed": _MARKED}
    return drawn | {"mode": "lines+markers", "marker": marker}


def _marks(marks: Sequence[Mark]) -> Part:
    seen = [mark for mark in marks if mark.error > 0.0]
    color = [theme.ATTACKERS[mark.color] for mark in seen]
    look = {"color": color, "size": 12, "symbol": "diamond", "line": {"color": theme.NEUTRAL, "width": 2}}
    return trace(
        [mark.across for mark in seen],
        [mark.error for mark in seen],
        text=[mark.text for mark in seen],
        mode="markers",
        name="marks",
        marker=look,
        cliponaxis=False,
        hovertemplate="%{text}<extra></extra>",
    )
