"""Privacy against utility, a point for each strategy: bars of its runs, frontiers, and densities beside the axes.

As paper 001, Fig. 1 and 2. Names come from a stranger's file: they are shown as text, never as Plotly's markup.
"""

from dataclasses import dataclass
from itertools import pairwise, product

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from numerics.kernel_density import kernel_density
from numerics.pareto import Averages, Better, Mask, oriented
from numerics.trade_off import Floats
from plotting import theme
from plotting.assembly import BARE, HEIGHT, LOG, MARGIN, Part, assemble, axis, literal, note, rectangle
from plotting.labels import FreePlaces, Spot, pointer

OTHERS = "other kinds"
NOT_DOMINATED = "not dominated"
# Drawn in this order with each colour: a look of its own for so many kinds.
_SYMBOLS = ("circle", "square", "diamond", "cross", "triangle-up", "x", "star", "triangle-down")
_OPEN = tuple(f"{symbol}-open" for symbol in _SYMBOLS if symbol != "x")
_MARKERS = (*_SYMBOLS, *_OPEN)
_SHADES = len(theme.COLORS)
MOST_KINDS = _SHADES * len(_MARKERS)
_GRID = 256  # points of a density
_ON_A_CURVE = 32  # points of a straight line that a logarithmic axis bends
_LEAST_FOR_DENSITY = 3
_FAINT, _PLAIN = 0.4, 0.85
LISTED = 12
"""Kinds that a legend below the figure names; more are named by their points."""
_ROOM = 0.06  # beyond the data, as a share of their range
_LEAST_ROOM = 1e-9  # as a share of the numbers: the densities' grid needs that much
_DECADES = 3  # of an axis that has room for ticks between them
_BESIDE = 0.84  # where the densities begin
_TAKEN = 0.81  # what they leave to the points
_ROW, _IN_A_ROW = 24, 2  # pixels of a line of the legend, and the kinds in it on a telephone
_PLOT = HEIGHT - MARGIN["t"] - MARGIN["b"]  # pixels between the axes' ends
_TITLED = 58  # pixels of the axis below, with its title
_FOR_DENSITIES = 120  # pixels
_MOST_NAMES, _LONGEST_NAME = 6, 24
_AWAY = ((24, 24), (24, 44), (48, 64), (24, 84))  # pixels from a point, to the side and up or down, the nearest first
_HALF_LINE = 8  # pixels
_SEEN = 500  # points that lie closer along either axis are one
MANY = 1000  # points; beyond, they are drawn by the graphics card


@dataclass(frozen=True, eq=False)
class Goal:
    """An axis: the column's name, which end is wanted, and the strategies' runs on it."""

    name: str
    better: Better
    runs: Averages
    is_log: bool = False

    @property
    def wanted(self) -> Floats:
        """The averages, larger ones better."""
        return oriented(self.runs.mean, self.better)

    @property
    def title(self) -> str:
        """The axis title."""
        return f"{literal(self.name)} — {self.better}"

    def placed(self, values: Floats) -> Floats:
        """Where values lie along the axis."""
        return np.log10(values) if self.is_log else values


@dataclass(frozen=True)
class GoalLimit:
    """A limit on privacy, or else on utility, and what the line there says."""

    value: float
    is_on_privacy: bool
    text: str


@dataclass(frozen=True, eq=False)
class Landscape:
    """What is drawn: m strategies.

    Attributes:
        utility: upwards.
        privacy: to the right.
        kinds: of each strategy, (m,): colours and densities.
        names: what a point says, (m,).
        not_dominated: strategies on that frontier, (m,).
        corners: strategies at corners of the hull, (m,).
        elbow: its place.
        labels: short names, (m,), for those on the frontier.
        frontier: strategies on the frontier in force, (m,), which is drawn before all else and named.
        limit: what one of the goals may be at most, or must be at least.
        chosen: place of the best strategy within the limit.
        has_densities: whether the kinds' densities stand beside the axes.
    """

    utility: Goal
    privacy: Goal
    kinds: tuple[str, ...]
    names: tuple[str, ...]
    not_dominated: Mask
    corners: Mask
    elbow: int | None
    labels: tuple[str, ...]
    frontier: Mask
    limit: GoalLimit | None = None
    chosen: int | None = None
    has_densities: bool = False

    @property
    def are_many(self) -> bool:
        """Whether there are more points than the browser draws smoothly without the graphics card."""
        return len(self.names) > MANY


def landscape_figure(shown: Landscape) -> go.Figure:
    """The points by kinds, their bars, the frontier in force with names, the other one thin, the limit and the choice.

    Every point carries its place among the strategies, for whoever clicks it.
    """
    kinds = _kinds(shown.kinds)
    dense = [(place, members) for place, (_, members) in enumerate(kinds) if len(members) >= _LEAST_FOR_DENSITY]
    traces = [bars for place, (_, members) in enumerate(kinds) for bars in _bars(shown, place, members)]
    traces += _frontiers(shown)
    traces += [_points(shown, place, name, members) for place, (name, members) in enumerate(kinds)]
    traces += [*_ring(shown, shown.elbow, "elbow", 22, 1.5), *_ring(shown, shown.chosen, "chosen", 17, 3.5)]
    for goal in (shown.privacy, shown.utility) if shown.has_densities else ():
        traces += [_density(shown, goal, place, members) for place, members in dense]
    drawn = _layout(shown, len(kinds), shown.has_densities and bool(dense))
    return assemble(traces, drawn | {"annotations": [*drawn.get("annotations", []), *_names(shown)]})


def _kinds(kinds: tuple[str, ...]) -> list[tuple[str, NDArray[np.intp]]]:
    """The kinds with their members, in the order they come; what is beyond the looks there are, in one."""
    names = list(dict.fromkeys(kinds))
    kept = names if len(names) <= MOST_KINDS else names[: MOST_KINDS - 1]
    codes = {name: code for code, name in enumerate(kept)}
    of = np.array([codes.get(kind, len(kept)) for kind in kinds])
    groups = [(name, np.flatnonzero(of == code)) for code, name in enumerate(kept)]
    if len(kept) < len(names):
        groups.append((f"{len(names) - len(kept):,} {OTHERS}", np.flatnonzero(of == len(kept))))
    return groups


def _looks(place: int) -> tuple[str, str]:
    """Colour and marker of a kind: all pairs before one comes again."""
    return theme.color(place), _MARKERS[(place % _SHADES + place // _SHADES) % len(_MARKERS)]


def _drawn(shown: Landscape, x: Floats, y: Floats, **look: object) -> Part:
    """Points (n,) as they are: numbers of a file may be larger than single precision has."""
    quiet = {"hoverinfo": "skip", "showlegend": False}  # the page says below which is which
    return {"type": "scattergl" if shown.are_many else "scatter", "x": x, "y": y, **quiet, **look}


def _points(shown: Landscape, place: int, name: str, members: NDArray[np.intp]) -> Part:
    color, marker = _looks(place)
    size = 5 if shown.are_many else 9
    said = f"{literal(shown.utility.name)} %{{y:.4~g}}<br>{literal(shown.privacy.name)} %{{x:.4~g}}"
    return _drawn(
        shown,
        shown.privacy.runs.mean[members],
        shown.utility.runs.mean[members],
        mode="markers",
        name=literal(name),
        legendgroup=str(place),
        marker={
            "color": color,
            "symbol": marker,
            "size": np.where(shown.frontier[members], size + 3, size).tolist(),
            "line": {"width": 0},
            "opacity": _FAINT if shown.are_many else _PLAIN,
        },
        customdata=members,
        text=[literal(shown.names[member]) for member in members],
        hoverinfo="all",
        hovertemplate=f"%{{text}}<br>{said}<extra></extra>",
        showlegend=bool(name),
    )


def _bars(shown: Landscape, place: int, members: NDArray[np.intp]) -> list[Part]:
    """From the smallest to the largest run, along both axes; strategies whose runs agree have none.

    Of many strategies only those that are not dominated have bars: all of them would hide the points.
    """
    if shown.are_many:
        members = members[shown.not_dominated[members]]
    x, y = shown.privacy.runs, shown.utility.runs
    wide, tall = members[x.low[members] < x.high[members]], members[y.low[members] < y.high[members]]
    if not len(wide) and not len(tall):
        return []
    across = np.append(_gapped(x.low[wide], x.high[wide]), _gapped(x.mean[tall], x.mean[tall]))
    upwards = np.append(_gapped(y.mean[wide], y.mean[wide]), _gapped(y.low[tall], y.high[tall]))
    line = {"color": theme.shade(_looks(place)[0], 0.45), "width": 1}
    return [_drawn(shown, across, upwards, mode="lines", line=line, legendgroup=str(place))]


def _gapped(start: Floats, end: Floats) -> Floats:
    """Lines from start to end, with a gap after each."""
    return np.column_stack((start, end, np.full(len(start), np.nan))).ravel()


def _frontiers(shown: Landscape) -> list[Part]:
    """The border of what is dominated, and the hull: the one in force bold, the other a thin line of dots."""
    shape = "hv" if shown.privacy.better is Better.LOWER else "vh"
    parts = []
    for mask, name, line in (
        (shown.not_dominated, NOT_DOMINATED, {"shape": shape}),
        (shown.corners, "convex hull", {}),
    ):
        x, index = np.unique(shown.privacy.runs.mean[mask], return_index=True)
        y = shown.utility.runs.mean[mask][index]  # a strategy that equals another one counts once
        if mask is shown.corners and shown.privacy.is_log and len(x) > 1:
            fine = np.concatenate([np.geomspace(left, right, _ON_A_CURVE) for left, right in pairwise(x)])
            x, y = fine, np.interp(fine, x, y)
        weight = {"width": 3} if np.array_equal(shown.frontier, mask) else {"width": 1, "dash": "dot"}
        parts.append(_drawn(shown, x, y, mode="lines", name=name, line={"color": theme.NEUTRAL, **line, **weight}))
    return parts


def _ring(shown: Landscape, place: int | None, name: str, size: int, width: float) -> list[Part]:
    """A ring around a strategy; nothing where there is none."""
    here = slice(place, None if place is None else place + 1)
    marker = {"symbol": "circle-open", "size": size, "color": theme.NEUTRAL, "line": {"width": width}}
    x, y = shown.privacy.runs.mean[here], shown.utility.runs.mean[here]
    return [] if place is None else [_drawn(shown, x, y, mode="markers", name=name, marker=marker)]


def _density(shown: Landscape, goal: Goal, place: int, members: NDArray[np.intp]) -> Part:
    """How densely a kind's strategies lie along an axis; each kind's area is 1."""
    grid = np.linspace(*ends(goal), _GRID)
    density = kernel_density(goal.placed(goal.runs.mean[members]), grid)
    along, color = 10.0**grid if goal.is_log else grid, _looks(place)[0]
    upwards = goal is shown.utility
    look = {"line": {"color": color, "width": 1.5}, "fillcolor": theme.shade(color, 0.2), "legendgroup": str(place)}
    axes = (
        {"xaxis": "x2", "yaxis": "y", "fill": "tozerox"}
        if upwards
        else {"xaxis": "x", "yaxis": "y2", "fill": "tozeroy"}
    )
    x, y = (density, along) if upwards else (along, density)
    return _drawn(shown, x, y, type="scatter", mode="lines", **axes, **look)


def ends(goal: Goal) -> tuple[float, float]:
    """Ends of the axis, where it places them: around all that there is."""
    low, high = goal.placed(goal.runs.low).min(), goal.placed(goal.runs.high).max()
    size = max(abs(low), abs(high))
    room = max(_ROOM * (high - low), _LEAST_ROOM * size) if low < high else 0.5 * size or 1.0
    return float(low - room), float(high + room)


def _share(goal: Goal, values: Floats) -> Floats:
    """How far along the axis values lie, from 0 to 1; what lies a whole axis beyond it, or farther, lies so far."""
    low, high = ends(goal)
    width = high - low
    return (np.clip(goal.placed(values), low - width, high + width) - low) / width


def _layout(shown: Landscape, kinds: int, has_densities: bool) -> Part:
    """Both axes, with room for the kinds' densities and a legend of them below."""
    points = {"domain": [0.0, _TAKEN if has_densities else 1.0], "zeroline": False}
    reach = ends(shown.privacy)
    scale: Part = dict(LOG) if shown.privacy.is_log else {}
    if scale and reach[1] - reach[0] < _DECADES:
        scale["dtick"] = "D2"  # at 1, 2, 5
    below = axis(shown.privacy.title, range=list(reach), **points, **scale)
    left = axis(shown.utility.title, range=list(ends(shown.utility)), **points)
    bare = {"showticklabels": False, **BARE}
    beside = {"domain": [_BESIDE, 1.0], "rangemode": "tozero", "fixedrange": True}
    densities = {
        "xaxis2": {**bare, **beside, "anchor": "y"},
        "yaxis2": {**bare, **beside, "anchor": "x"},
    }
    is_listed = 1 < kinds <= LISTED
    rows = -(-kinds // _IN_A_ROW) * is_listed
    plot = _PLOT + _FOR_DENSITIES * has_densities
    legend = {"orientation": "h", "x": 0, "y": -_TITLED / plot, "yanchor": "top", "font": {"size": 13}}
    height = HEIGHT + _ROW * rows + _FOR_DENSITIES * has_densities
    margin = MARGIN | {"b": MARGIN["b"] + _ROW * rows}
    axes: Part = {"xaxis": below, "yaxis": left, **(densities if has_densities else {})}
    return axes | {"height": height, "margin": margin, "showlegend": is_listed, "legend": legend} | _limit(shown)


def _limit(shown: Landscape) -> Part:
    """The limit across the figure, beyond which the grey area is too much."""
    if shown.limit is None:
        return {}
    goal = shown.privacy if shown.limit.is_on_privacy else shown.utility
    low, high = ends(goal)
    at = float(goal.placed(np.array([shown.limit.value]))[0]) if not goal.is_log or shown.limit.value > 0.0 else low
    if not low <= at <= high:
        return {}
    is_x, whole = shown.limit.is_on_privacy, (0.0, 1.0)
    first, last, mark = (10.0**end if goal.is_log else end for end in (low, high, at))
    bad = (mark, last) if goal.better is Better.LOWER else (first, mark)
    (x, y), line = ((one, whole) if is_x else (whole, one) for one in (bad, (mark, mark)))
    of_paper: Part = {"yref" if is_x else "xref": "paper"}
    area = rectangle(x, y, theme.shade(theme.NEUTRAL, 0.12), **of_paper)
    look = {"color": theme.NEUTRAL, "width": 2, "dash": "dash"}
    (x0, x1), (y0, y1) = line
    across = {"type": "line", "x0": x0, "x1": x1, "y0": y0, "y1": y1, **of_paper, "line": look}
    place = (at, 1.0, "center bottom") if is_x else (1.0, at, "right top")
    return {"shapes": [area, across], "annotations": [note(shown.limit.text, *place, **of_paper)]}


def _names(shown: Landscape) -> list[Part]:
    """Annotations with the name of the chosen strategy, and those on the frontier in force that find a free place."""
    chosen = np.arange(len(shown.names)) == (-1 if shown.chosen is None else shown.chosen)
    places = np.flatnonzero(shown.frontier | chosen).tolist()
    free, parts, said = _beside_points(shown), list[Part](), set[str]()
    x, y = (_share(goal, goal.runs.mean) for goal in (shown.privacy, shown.utility))
    across, up = (goal.placed(goal.runs.mean) for goal in (shown.privacy, shown.utility))  # as annotations count
    for place in sorted(places, key=lambda at: (at != shown.chosen, at != shown.elbow, at)):
        label, rest = shown.labels[place], " (elbow)" if place == shown.elbow else ""
        if len(parts) == _MOST_NAMES or label in said:
            continue
        short = label if len(label) <= _LONGEST_NAME else f"{label[: _LONGEST_NAME - 1]}…"
        spots = [
            Spot(float(x[place]), float(y[place]), side * right, way * (height - _HALF_LINE))
            for (right, height), way, side in product(_AWAY, (-1, 1), (1, -1))
        ]
        spot = free.best(f"{short}{rest}", spots)
        if place != shown.chosen and free.hidden(f"{short}{rest}", spot):
            continue
        free = free.with_words(spot, f"{short}{rest}")
        said.add(label)
        here = float(across[place]), float(up[place])
        words = pointer(f"<b>{literal(short)}</b>{rest}", here, spot, theme.NEUTRAL)
        parts.append(words | {"font": {"size": 12}, "name": "frontier"})
    return parts


def _beside_points(shown: Landscape) -> FreePlaces:
    """What is free beside all points, both frontiers and the limit."""
    x, y = _share(shown.privacy, shown.privacy.runs.mean), _share(shown.utility, shown.utility.runs.mean)
    points = np.unique(np.round(_SEEN * np.column_stack([x, y])), axis=0) / _SEEN
    lines = []
    for mask in (shown.not_dominated, shown.corners):
        order = np.argsort(x[mask])
        lines.append((x[mask][order], y[mask][order]))
    if shown.limit is not None:
        goal = shown.privacy if shown.limit.is_on_privacy else shown.utility
        with np.errstate(divide="ignore", invalid="ignore"):  # a limit of 0 is at no place of a logarithmic axis
            at, whole = _share(goal, np.full(2, shown.limit.value)), np.array([0.0, 1.0])
        lines.append((at, whole) if shown.limit.is_on_privacy else (whole, at))
    return FreePlaces.beside(lines, [(points[:, 0], points[:, 1])])
