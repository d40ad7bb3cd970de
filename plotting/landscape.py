"""Privacy against utility, a point for each strategy: bars of its runs, frontiers, and densities beside the axes.

As paper 001, Fig. 1 and 2. Names come from a stranger's file: they are shown as text, never as Plotly's markup.
"""

from itertools import pairwise

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from numerics.kernel_density import kernel_density
from numerics.pareto import Better, Mask
from numerics.trade_off import Floats
from plotting import theme
from plotting.assembly import LEGEND, Part, assemble, axis
from plotting.strategies import Goal, Landscape, literal

MOST_KINDS = 12
OTHERS = "other kinds"
_GRID = 256
_ROOM = 0.06  # beyond the data, as a share of their range
_LEAST_ROOM = 1e-9  # as a share of the numbers: the densities' grid needs that much
_ON_A_CURVE = 32  # points of a straight line that a logarithmic axis bends
_DECADES = 3  # of an axis that has room for ticks between them
_LEAST_FOR_DENSITY = 3
_SHADES = len(theme.COLORS)
_BESIDE = 0.84  # where the densities begin
_TAKEN = 0.81  # what they leave to the points


def landscape_figure(shown: Landscape) -> go.Figure:
    """The points by kinds, their bars, both frontiers, the elbow, and the kinds' densities above and beside them."""
    kinds = _kinds(shown.kinds)
    dense = [(place, members) for place, (_, members) in enumerate(kinds) if len(members) >= _LEAST_FOR_DENSITY]
    traces = [bars for place, (_, members) in enumerate(kinds) for bars in _bars(shown, place, members)]
    traces += [_points(shown, place, name, members) for place, (name, members) in enumerate(kinds)]
    traces += [_step(shown), _hull(shown), *_elbow(shown)]
    for goal, upwards in ((shown.privacy, False), (shown.utility, True)):
        traces += [_density(goal, upwards, place, members) for place, members in dense]
    return assemble(traces, _layout(shown, len(kinds), bool(dense)))


def _kinds(kinds: tuple[str, ...]) -> list[tuple[str, NDArray[np.intp]]]:
    """The most frequent kinds with their members; the rest in one."""
    different, codes, counts = np.unique(np.array(kinds, dtype=object), return_inverse=True, return_counts=True)
    order = np.argsort(-counts, kind="stable")
    kept = order if len(order) <= MOST_KINDS else order[: MOST_KINDS - 1]
    groups = [(str(different[code]), np.flatnonzero(codes == code)) for code in kept]
    if len(kept) < len(order):
        groups.append((f"{len(order) - len(kept):,} {OTHERS}", np.flatnonzero(~np.isin(codes, kept))))
    return groups


def _looks(place: int) -> tuple[str, str]:
    """Colour and marker of a kind: all pairs before one comes again."""
    return theme.color(place), theme.marker(place + place // _SHADES)


def _type(shown: Landscape) -> str:
    return "scattergl" if shown.are_many else "scatter"


def _points(shown: Landscape, place: int, name: str, members: NDArray[np.intp]) -> Part:
    color, marker = _looks(place)
    size = 5 if shown.are_many else 9
    said = f"{literal(shown.utility.name)} %{{y:.4~g}}<br>{literal(shown.privacy.name)} %{{x:.4~g}}"
    return {
        "type": _type(shown),
        "x": shown.privacy.runs.mean[members],
        "y": shown.utility.runs.mean[members],
        "mode": "markers",
        "name": literal(name),
        "legendgroup": str(place),
        "marker": {"color": color, "symbol": marker, "size": size, "opacity": 0.85},
        "text": [literal(shown.names[member]) for member in members],
        "hovertemplate": f"%{{text}}<br>{said}<extra></extra>",
        "showlegend": bool(name),
    }


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
    across = _gapped(x.low[wide], x.high[wide]), _gapped(y.mean[wide], y.mean[wide])
    upwards = _gapped(x.mean[tall], x.mean[tall]), _gapped(y.low[tall], y.high[tall])
    line = {"color": theme.shade(_looks(place)[0], 0.45), "width": 1}
    return [
        {
            "type": _type(shown),
            "x": np.concatenate((across[0], upwards[0])),
            "y": np.concatenate((across[1], upwards[1])),
            "mode": "lines",
            "line": line,
            "legendgroup": str(place),
            "showlegend": False,
            "hoverinfo": "skip",
        }
    ]


def _gapped(start: Floats, end: Floats) -> Floats:
    """Lines from start to end, with a gap after each."""
    return np.column_stack((start, end, np.full(len(start), np.nan))).ravel()


def _line(shown: Landscape, x: Floats, y: Floats, name: str, **line: object) -> Part:
    return {
        "type": _type(shown),
        "x": x,
        "y": y,
        "mode": "lines",
        "name": name,
        "line": {"color": theme.NEUTRAL, **line},
        "hoverinfo": "skip",
    }


def _along(shown: Landscape, mask: Mask) -> tuple[Floats, Floats]:
    """Privacy and utility of strategies, from left to right; a strategy that equals another one counts once."""
    x, index = np.unique(shown.privacy.runs.mean[mask], return_index=True)
    return x, shown.utility.runs.mean[mask][index]


def _step(shown: Landscape) -> Part:
    """Utility that some strategy has at no less privacy: the border of what is dominated."""
    shape = "hv" if shown.privacy.better is Better.LOWER else "vh"
    return _line(shown, *_along(shown, shown.not_dominated), "not dominated", width=1.5, dash="dot", shape=shape)


def _hull(shown: Landscape) -> Part:
    x, y = _along(shown, shown.corners)
    if shown.privacy.is_log and len(x) > 1:
        parts = [np.geomspace(left, right, _ON_A_CURVE) for left, right in pairwise(x)]
        fine = np.concatenate(parts)
        x, y = fine, np.interp(fine, x, y)
    return _line(shown, x, y, "convex hull", width=2.5)


def _elbow(shown: Landscape) -> list[Part]:
    if shown.elbow is None:
        return []
    mark = {"symbol": "circle-open", "size": 20, "color": theme.NEUTRAL, "line": {"width": 2.5}}
    place = {"x": [shown.privacy.runs.mean[shown.elbow]], "y": [shown.utility.runs.mean[shown.elbow]]}
    # On the side where the dominated strategies are, away from both frontiers.
    side = "right" if shown.privacy.better is Better.LOWER else "left"
    words = {
        "text": ["elbow"],
        "textposition": f"{'bottom' if shown.utility.better is Better.HIGHER else 'top'} {side}",
    }
    traced: Part = {"type": _type(shown), "mode": "markers+text", "name": "elbow", "marker": mark, "hoverinfo": "skip"}
    return [traced | place | words]


def _range(goal: Goal) -> tuple[float, float]:
    """Ends of the axis, where it places them."""
    low, high = goal.placed(goal.runs.low).min(), goal.placed(goal.runs.high).max()
    size = max(abs(low), abs(high))
    room = max(_ROOM * (high - low), _LEAST_ROOM * size) if low < high else 0.5 * size or 1.0
    return float(low - room), float(high + room)


def _density(goal: Goal, upwards: bool, place: int, members: NDArray[np.intp]) -> Part:
    """How densely a kind's strategies lie along an axis; each kind's area is 1."""
    grid = np.linspace(*_range(goal), _GRID)
    density = kernel_density(goal.placed(goal.runs.mean[members]), grid)
    along = 10.0**grid if goal.is_log else grid
    color = _looks(place)[0]
    return {
        "type": "scatter",
        "x": density if upwards else along,
        "y": along if upwards else density,
        "xaxis": "x2" if upwards else "x",
        "yaxis": "y" if upwards else "y2",
        "mode": "lines",
        "line": {"color": color, "width": 1.5},
        "fill": "tozerox" if upwards else "tozeroy",
        "fillcolor": theme.shade(color, 0.2),
        "legendgroup": str(place),
        "showlegend": False,
        "hoverinfo": "skip",
    }


def _layout(shown: Landscape, kinds: int, has_densities: bool) -> Part:
    points = {"domain": [0.0, _TAKEN if has_densities else 1.0], "zeroline": False}
    bare = {"showticklabels": False, "ticks": "", "showgrid": False, "zeroline": False, "showline": False}
    ends = _range(shown.privacy)
    scale: Part = {"type": "log", "exponentformat": "power"} if shown.privacy.is_log else {}
    if scale and ends[1] - ends[0] < _DECADES:
        scale["dtick"] = "D2"  # at 1, 2, 5
    below = axis(shown.privacy.title, range=list(ends), **points, **scale)
    left = axis(shown.utility.title, range=list(_range(shown.utility)), **points)
    beside = [_BESIDE, 1.0]
    return {
        "xaxis": below,
        "yaxis": left,
        "xaxis2": {**bare, "domain": beside, "anchor": "y", "rangemode": "tozero", "fixedrange": True},
        "yaxis2": {**bare, "domain": beside, "anchor": "x", "rangemode": "tozero", "fixedrange": True},
        "height": 540 + 8 * kinds,
        "legend": LEGEND,
    }
