"""The axes of a landscape of strategies: where they end, what lies along them, the limit and the legend."""

import numpy as np

from numerics.pareto import Better
from numerics.trade_off import Floats
from plotting import theme
from plotting.assembly import HEIGHT, LOG, MARGIN, Part, axis, laid_out
from plotting.strategies import Goal, Landscape

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


def ends(goal: Goal) -> tuple[float, float]:
    """Ends of the axis, where it places them: the fixed ones if they bound a range, else those that fit."""
    low, high = goal.placed(goal.runs.low).min(), goal.placed(goal.runs.high).max()
    size = max(abs(low), abs(high))
    room = max(_ROOM * (high - low), _LEAST_ROOM * size) if low < high else 0.5 * size or 1.0
    found = float(low - room), float(high + room)
    fixed = [_fixed(goal, end, usual) for end, usual in zip(goal.ends, found, strict=True)]
    return (fixed[0], fixed[1]) if _LEAST_ROOM * max(map(abs, fixed)) < fixed[1] - fixed[0] < np.inf else found


def is_as_fixed(goal: Goal) -> bool:
    """Whether the axis ends where somebody fixed it."""
    return all(_fixed(goal, end, np.nan) in ends(goal) for end in goal.ends if end is not None)


def _fixed(goal: Goal, end: float | None, usual: float) -> float:
    """An end that somebody fixed, where the axis has a place for it."""
    if end is None or (goal.is_log and end <= 0.0):
        return usual
    return float(goal.placed(np.array([end]))[0])


def share(goal: Goal, values: Floats) -> Floats:
    """How far along the axis values lie, from 0 to 1; what lies a whole axis beyond it, or farther, lies so far."""
    low, high = ends(goal)
    width = high - low
    return (np.clip(goal.placed(values), low - width, high + width) - low) / width


def layout(shown: Landscape, kinds: int, has_densities: bool) -> Part:
    """Both axes, with room for the kinds' densities and a legend of them below."""
    points = {"domain": [0.0, _TAKEN if has_densities else 1.0], "zeroline": False}
    bare = {"showticklabels": False, "ticks": "", "showgrid": False, "zeroline": False, "showline": False}
    reach = ends(shown.privacy)
    scale: Part = dict(LOG) if shown.privacy.is_log else {}
    if scale and reach[1] - reach[0] < _DECADES:
        scale["dtick"] = "D2"  # at 1, 2, 5
    below = axis(shown.privacy.title, range=list(reach), **points, **scale)
    left = axis(shown.utility.title, range=list(ends(shown.utility)), **points)
    beside = {"domain": [_BESIDE, 1.0], "rangemode": "tozero", "fixedrange": True}
    densities = {"xaxis2": {**bare, **beside, "anchor": "y"}, "yaxis2": {**bare, **beside, "anchor": "x"}}
    is_listed = 1 < kinds <= LISTED
    rows = -(-kinds // _IN_A_ROW) * is_listed
    plot = _PLOT + _FOR_DENSITIES * has_densities
    legend = {"orientation": "h", "x": 0, "y": -_TITLED / plot, "yanchor": "top", "font": {"size": 13}}
    height = HEIGHT + _ROW * rows + _FOR_DENSITIES * has_densities
    margin = MARGIN | {"b": MARGIN["b"] + _ROW * rows}
    drawn = laid_out(below, left, height, margin=margin, showlegend=is_listed, **_limit(shown))
    return drawn | {"legend": legend} | (densities if has_densities else {})


def _limit(shown: Landscape) -> Part:
    """The limit across the figure, beyond which the grey area is too much."""
    if shown.limit is None:
        return {}
    goal = shown.privacy if shown.limit.is_on_privacy else shown.utility
    low, high = ends(goal)
    at = float(goal.placed(np.array([shown.limit.value]))[0]) if not goal.is_log or shown.limit.value > 0.0 else low
    if not low <= at <= high:
        return {}
    along, across = ("x", "y") if shown.limit.is_on_privacy else ("y", "x")
    bad = (at, high) if goal.better is Better.LOWER else (low, at)
    real = [10.0**end if goal.is_log else end for end in (*bad, at)]
    whole = {f"{across}ref": "paper", f"{across}0": 0.0, f"{across}1": 1.0}
    area = {"type": "rect", f"{along}0": real[0], f"{along}1": real[1], **whole, "line": {"width": 0}, "layer": "below"}
    line = {"color": theme.NEUTRAL, "width": 2, "dash": "dash"}
    mark = {"type": "line", f"{along}0": real[2], f"{along}1": real[2], **whole, "line": line}
    words = {along: at, across: 1.0, f"{across}ref": "paper", "text": shown.limit.text, "showarrow": False}
    sides = {"xanchor": "center", "yanchor": "bottom"} if along == "x" else {"xanchor": "right", "yanchor": "top"}
    shade = {"fillcolor": theme.shade(theme.NEUTRAL, 0.12)}
    return {"shapes": [area | shade, mark], "annotations": [words | sides]}
