"""Privacy against utility, a point for each strategy: bars of its runs, frontiers, and densities beside the axes.

As paper 001, Fig. 1 and 2. Names come from a stranger's file: they are shown as text, never as Plotly's markup.
"""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from numerics.kernel_density import kernel_density
from numerics.pareto import Better, Mask
from numerics.trade_off import Floats
from plotting import theme
from plotting.assembly import Part, assemble
from plotting.landscape_axes import ends, layout
from plotting.landscape_names import names
from plotting.strategies import Goal, Landscape, literal

OTHERS = "other kinds"
NOT_DOMINATED = "not dominated"
# Drawn in this order with each colour: a look of its own for so many kinds.
_SYMBOLS = ("circle", "square", "diamond", "cross", "triangle-up", "x", "star", "triangle-down")
_OPEN = tuple(f"{symbol}-open" for symbol in _SYMBOLS if symbol != "x")
_MARKERS = (*_SYMBOLS, *_OPEN)
_SHADES = len(theme.COLORS)
MOST_KINDS = _SHADES * len(_MARKERS)
_GRID = 256
_ON_A_CURVE = 32  # points of a straight line that a logarithmic axis bends
_LEAST_FOR_DENSITY = 3
_FAINT, _PLAIN = 0.4, 0.85


def landscape_figure(shown: Landscape) -> go.Figure:
    """The points by kinds, their bars, the frontier in force with names, the other one thin, the limit and the choice.

    Every point carries its place among the strategies, for whoever clicks or brushes it.
    """
    kinds = _kinds(shown.kinds)
    dense = [(place, members) for place, (_, members) in enumerate(kinds) if len(members) >= _LEAST_FOR_DENSITY]
    traces = [bars for place, (_, members) in enumerate(kinds) for bars in _bars(shown, place, members)]
    traces += [_step(shown), _hull(shown)]
    traces += [_points(shown, place, name, members) for place, (name, members) in enumerate(kinds)]
    traces += [*_elbow(shown), *_chosen(shown)]
    for goal, upwards in ((shown.privacy, False), (shown.utility, True)) if shown.has_densities else ():
        traces += [_density(goal, upwards, place, members) for place, members in dense]
    drawn = layout(shown, len(kinds), shown.has_densities and bool(dense))
    return assemble(traces, drawn | {"annotations": [*drawn.get("annotations", []), *names(shown)]})


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


def _type(shown: Landscape) -> str:
    return "scattergl" if shown.are_many else "scatter"


def _points(shown: Landscape, place: int, name: str, members: NDArray[np.intp]) -> Part:
    color, marker = _looks(place)
    size = 5 if shown.are_many else 9
    is_on = shown.frontier[members]
    said = f"{literal(shown.utility.name)} %{{y:.4~g}}<br>{literal(shown.privacy.name)} %{{x:.4~g}}"
    return {
        "type": _type(shown),
        "x": shown.privacy.runs.mean[members],
        "y": shown.utility.runs.mean[members],
        "mode": "markers",
        "name": literal(name),
        "legendgroup": str(place),
        "marker": {
            "color": color,
            "symbol": marker,
            "size": np.where(is_on, size + 3, size).tolist(),
            "line": {"width": 0},
            "opacity": _FAINT if shown.are_many else _PLAIN,
        },
        "customdata": members,
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
        "showlegend": False,  # the page says below which is which
    }


def _along(shown: Landscape, mask: Mask) -> tuple[Floats, Floats]:
    """Privacy and utility of strategies, from left to right; a strategy that equals another one counts once."""
    x, index = np.unique(shown.privacy.runs.mean[mask], return_index=True)
    return x, shown.utility.runs.mean[mask][index]


def _step(shown: Landscape) -> Part:
    """Utility that some strategy has at no less privacy: the border of what is dominated."""
    shape = "hv" if shown.privacy.better is Better.LOWER else "vh"
    return _line(shown, *_along(shown, shown.not_dominated), NOT_DOMINATED, shape=shape, **_weight(shown, False))


def _hull(shown: Landscape) -> Part:
    x, y = _along(shown, shown.corners)
    if shown.privacy.is_log and len(x) > 1:
        parts = [np.geomspace(left, right, _ON_A_CURVE) for left, right in pairwise(x)]
        fine = np.concatenate(parts)
        x, y = fine, np.interp(fine, x, y)
    return _line(shown, x, y, "convex hull", **_weight(shown, True))


def _weight(shown: Landscape, is_hull: bool) -> Part:
    """The frontier in force is bold, the other a thin line of dots."""
    in_force = shown.corners if is_hull else shown.not_dominated
    return {"width": 3} if np.array_equal(shown.frontier, in_force) else {"width": 1, "dash": "dot"}


def _elbow(shown: Landscape) -> list[Part]:
    if shown.elbow is None:
        return []
    mark = {"symbol": "circle-open", "size": 22, "color": theme.NEUTRAL, "line": {"width": 1.5}}
    return [_ring(shown, shown.elbow, "elbow", mark)]


def _chosen(shown: Landscape) -> list[Part]:
    if shown.chosen is None:
        return []
    mark = {"symbol": "circle-open", "size": 17, "color": theme.NEUTRAL, "line": {"width": 3.5}}
    return [_ring(shown, shown.chosen, "chosen", mark)]


def _ring(shown: Landscape, place: int, name: str, marker: Part) -> Part:
    return {
        "type": _type(shown),
        "x": [shown.privacy.runs.mean[place]],
        "y": [shown.utility.runs.mean[place]],
        "mode": "markers",
        "name": name,
        "marker": marker,
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _density(goal: Goal, upwards: bool, place: int, members: NDArray[np.intp]) -> Part:
    """How densely a kind's strategies lie along an axis; each kind's area is 1."""
    grid = np.linspace(*ends(replace(goal, ends=(None, None))), _GRID)  # of all, also where the axis shows a part
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
