"""The error that noise adds to a released statistic, against what the attack may reach, or the number of people."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from numerics.trade_off import Bound, Floats
from plotting import theme
from plotting.assembly import HEIGHT, MARGIN, Part, axis, band, here, log_axis, note, of_kind, on_axes, reference, trace
from plotting.labels import PHONE, Frame, FreePlaces, pointer

_SAME = 1e-9  # relative: lines that coincide
_DECADES = 100.0  # from end to end of an axis that has room for more ticks than powers of ten
_MARKED = 8  # symbols on a line that shares its colour with another
_FREE = "practically free"
_FEW = 60  # points of a line that tell whether a name lies on it
_CORNERS = ((-1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))
_ALONG = (0.35, 0.55, 0.85, 0.2, 0.7, 0.9)  # of a line: where its name may stand, the best place first
_ABREAST = (390.0, 230.0)  # pixels that the axes take where two figures stand beside each other
_BESIDE, _AWAY = 14, (10, 30, 60)  # pixels to the side of it, and above or below


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
    edge, area = band(sampling.across, np.full(len(sampling.error), low), free * sampling.error, theme.NEUTRAL, 0.15)
    traces = [edge, area | {"name": _FREE}, first, *(_line(line, words) for line in lines), _marks(marks)]
    ends = [float(np.log10(end)) for end in (low, high)]
    up = log_axis(words.up, range=ends, dtick=1 if high > _DECADES * low else "D2")
    powers = log_axis(words.across, dtick=1)
    across = powers if words.are_powers else axis(words.across, type="log", dtick=1, tickformat="~g")
    drawn = here(place.across, place.text)
    drawn["annotations"] += _names(lines, sampling, free, place.across, (low, high))
    return on_axes(traces, across, up, HEIGHT, margin=MARGIN, showlegend=False, **drawn)


def _ends(lines: Sequence[ErrorLine], sampling: ErrorLine, free: float) -> tuple[float, float]:
    """The vertical axis: around everything there is."""
    drawn = np.concatenate([sampling.error, free * sampling.error, *(line.error for line in lines)])
    positive = drawn[drawn > 0.0]
    return 0.5 * float(positive.min()), 2.0 * float(positive.max())


def _names(
    lines: Sequence[ErrorLine], sampling: ErrorLine, free: float, here: float, ends: tuple[float, float]
) -> list[Part]:
    """Names beside what they name, on no line and on no other words; lines that coincide share one."""
    groups: list[list[ErrorLine]] = []
    for line in sorted(lines, key=lambda one: -float(np.median(one.error))):
        if groups and np.allclose(groups[-1][0].error, line.error, rtol=_SAME):
            groups[-1].append(line)
        else:
            groups.append([line])
    frame = Frame((float(sampling.across[0]), float(sampling.across[-1])), ends, log=True)
    # Few points of each line, as the slider asks for many such figures.
    along = np.geomspace(sampling.across[0], sampling.across[-1], _FEW)
    errors = np.exp(np.interp(np.log(along), np.log(sampling.across), np.log(sampling.error)))
    drawn = [(line.across, line.error) for line in lines] + [(along, errors)]
    drawn.append((np.full(_FEW, here), np.geomspace(*ends, _FEW)))
    points = np.concatenate([np.column_stack(frame.shares(*one)) for one in drawn])
    places = FreePlaces(points[np.isfinite(points).all(axis=1)], sizes=(PHONE, _ABREAST))
    names: list[Part] = []
    for share, text, corners in ((1.0, sampling.label, _CORNERS), (free, _FREE, _CORNERS[:1])):
        last = len(sampling.across) - 1
        spots = {
            frame.spot(sampling.across[point], share * sampling.error[point], right, up): point
            for point in (last, int(0.7 * last), last // 2)
            for right, up in corners
        }
        best = places.best(text, list(spots))
        places, point = places.with_words(best, text), spots[best]
        corner = f"{'left' if best.right > 0.0 else 'right'} {'bottom' if best.up > 0.0 else 'top'}"
        x, y = (float(np.log10(value)) for value in (sampling.across[point], share * sampling.error[point]))
        names.append(note(f"<b>{text}</b>", x, y, corner, font={"color": theme.NEUTRAL, "size": 13}))
    for number, group in enumerate(groups):
        seen = np.flatnonzero(group[0].error > 0.0)
        if not len(seen):
            continue
        first, text = group[0], "<br>= ".join(line.label for line in sorted(group, key=lambda one: one.color))
        # The lowest has its name below, the others above, if there is room; one that is farther has a longer pointer.
        first_side = -1 if number == len(groups) - 1 and number else 1
        stops = [seen[int(share * (len(seen) - 1))] for share in _ALONG]
        at = {
            frame.spot(first.across[place], first.error[place], up * _BESIDE, up * away): place
            for away in _AWAY
            for up in (first_side, -first_side)
            for place in stops
        }
        best = places.best(text, list(at))
        places = places.with_words(best, text)
        x, y = (float(np.log10(values[at[best]])) for values in (first.across, first.error))
        color = theme.ATTACKERS[first.color]
        names.append(pointer(text, (x, y), best, color) | {"font": {"color": color, "size": 13}})
    return names


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
    return trace(
        [mark.across for mark in seen],
        [mark.error for mark in seen],
        text=[mark.text for mark in seen],
        mode="markers",
        name="marks",
        marker={
            "color": [theme.ATTACKERS[mark.color] for mark in seen],
            "size": 12,
            "symbol": "diamond",
            "line": {"color": theme.NEUTRAL, "width": 2},
        },
        cliponaxis=False,
        hovertemplate="%{text}<extra></extra>",
    )
