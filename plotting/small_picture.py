"""Small pictures as SVG, which need no script, so that a page of them opens at once: of any figure, and for doors."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from numerics.trade_off import Floats
from plotting import theme
from plotting.assembly import Part, evenly
from plotting.printed import DASHES, DrawnAxis, color_of, drawn_traces, path_through

_WIDTH, _HEIGHT, _MARGIN = 132.0, 92.0, 5.0  # pixels
_POINTS = 60  # of a line: more cannot be seen
_DOTS = 40
_BEYOND = 2.0  # pixels that what lies beyond an axis is drawn beyond it


def small_picture(figure: go.Figure) -> str:
    """SVG of the lines, dots and bars on the first axes of ``figure``, without words."""
    layout: Part = figure.layout.to_plotly_json()
    traces = [one for one in drawn_traces(figure, "scatter", "bar") if one.get("mode") != "text" and len(one["x"])]
    bars = [one for one in traces if one["type"] == "bar"]
    ends = {"range": [-0.5, len(bars[0]["x"]) - 0.5]} if bars else {}
    across = DrawnAxis.of(layout.get("xaxis", {}) | ends, traces, "x", (_MARGIN, _WIDTH - _MARGIN))
    up = DrawnAxis.of(layout.get("yaxis", {}), traces, "y", (_HEIGHT - _MARGIN, _MARGIN))
    drawn = "".join(_bars(one, place, len(bars), across, up) for place, one in enumerate(bars))
    drawn += "".join(_points(one, across, up) for one in traces if one["type"] == "scatter")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH:g}" height="{_HEIGHT:g}" '
        f'viewBox="0 0 {_WIDTH:g} {_HEIGHT:g}">{drawn}</svg>\n'
    )


def _points(trace: Part, across: DrawnAxis, up: DrawnAxis) -> str:
    """A line through points that lie evenly along it, or some of the dots."""
    mode, look, color = trace.get("mode", "lines"), trace.get("line") or {}, color_of(trace)
    x = np.clip(across.place(trace["x"]), _MARGIN - _BEYOND, _WIDTH - _MARGIN + _BEYOND)
    y = np.clip(up.place(trace["y"]), _MARGIN - _BEYOND, _HEIGHT - _MARGIN + _BEYOND)
    seen = np.isfinite(x) & np.isfinite(y)
    x, y = x[seen], y[seen]
    if "lines" not in mode:
        kept = np.unique(np.linspace(0, len(x) - 1, min(len(x), _DOTS)).astype(int))
        dots = "".join(f"M{at:.1f} {high:.1f}h0" for at, high in zip(x[kept], y[kept], strict=True))
        return f'<path d="{dots}" stroke="{color}" stroke-width="5" stroke-linecap="round"/>'
    if not look.get("width", 2) or not len(x):  # the border of a band
        return ""
    kept = evenly(x, y, _POINTS)
    dash = f' stroke-dasharray="{DASHES[look["dash"]]}"' if look.get("dash") in DASHES else ""
    width = 2.5 if look.get("width", 2) > 2 else 1.5
    path = path_through(x[kept], y[kept], is_stepped=False)
    return f'<path d="{path}" fill="none" stroke="{color}" stroke-width="{width}"{dash}/>'


def _bars(trace: Part, place: int, count: int, across: DrawnAxis, up: DrawnAxis) -> str:
    """The bars that are at this ``place`` of ``count`` in their groups."""
    middle, top, floor = across.place(trace["x"]), up.place(trace["y"]), _HEIGHT - _MARGIN
    width = 0.7 * (_WIDTH - 2.0 * _MARGIN) / len(middle) / count
    left = middle + (place - count / 2) * width
    return "".join(
        f'<rect x="{one:.1f}" y="{high:.1f}" width="{0.9 * width:.1f}" height="{max(floor - high, 0.0):.1f}" '
        f'fill="{color_of(trace)}"/>'
        for one, high in zip(left, top, strict=True)
    )


# A door's picture fills the width that it is given: its curves lie in the unit square, their strokes keep their width.
_DOOR = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="360" height="110" viewBox="0 0 360 110">'
    '<svg x="4" y="4" width="352" height="102" viewBox="0 0 1 1" preserveAspectRatio="none">{}</svg></svg>'
)
_STROKE = 'fill="none" vector-effect="non-scaling-stroke" stroke-linecap="round"'


def door_of_curves(
    x: Floats, curves: Sequence[Floats], colors: Sequence[str] = theme.ATTACKERS, *, rising: bool = False
) -> str:
    """Curves over ``x`` beside the chance line, which falls, or is ``rising``; the area to the first is shaded."""
    paths = [_unit_path(x, curve) for curve in curves]
    chance = f'<path d="{"M0 1L1 0" if rising else "M0 0L1 1"}" {_STROKE} stroke="{theme.NEUTRAL}" '
    area = f'<path d="{paths[0]}Z" fill="{colors[0]}" opacity="0.18"/>'
    lines = "".join(
        f'<path d="{path}" {_STROKE} stroke="{color}" stroke-width="3"/>'
        for path, color in zip(paths, colors, strict=False)
    )
    return _DOOR.format(f'{chance}stroke-width="1.5" stroke-dasharray="4 4"/>{area}{lines}')


def door_of_hills(x: Floats, hills: Sequence[Floats]) -> str:
    """Two densities over ``x``, everything scaled to [0, 1]: the first of outsiders, the second of members."""
    shapes = "".join(
        f'<path d="{_unit_path(x, hill)}" fill="{color}" fill-opacity="0.25" vector-effect="non-scaling-stroke" '
        f'stroke="{color}" stroke-width="2.5"/>'
        for color, hill in zip((theme.OUTSIDER, theme.MEMBER), hills, strict=True)
    )
    return _DOOR.format(shapes)


def _unit_path(x: Floats, heights: Floats) -> str:
    return "M" + "L".join(f"{across:.4f} {1.0 - up:.4f}" for across, up in zip(x, heights, strict=True))
