"""Small pictures as SVG, which need no script, so that a page of them opens at once: of any figure, and for doors."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from numerics.trade_off import Floats
from plotting import theme
from plotting.assembly import Part

_WIDTH, _HEIGHT, _MARGIN = 132, 92, 5  # pixels
_POINTS = 60  # of a line: more cannot be seen
_DOTS = 40
_DASHES = {"dot": "2 4", "dash": "6 4", "dashdot": "6 3 2 3", "longdash": "9 4", "longdashdot": "9 3 2 3"}


def small_picture(figure: go.Figure) -> str:
    """SVG of the first axes of ``figure``."""
    layout: Part = figure.layout.to_plotly_json()
    traces: list[Part] = [trace.to_plotly_json() for trace in figure.data]
    traces = [one for one in traces if one.get("xaxis", "x") == "x" and one.get("yaxis", "y") == "y"]
    traces = [one for one in traces if one.get("x") is not None and len(one["x"]) and _is_seen(one)]
    across, up = (_Scale.of(layout, traces, letter) for letter in "xy")
    bars = [one for one in traces if one["type"] == "bar"]
    drawn = "".join(_bars(one, place, len(bars), across, up) for place, one in enumerate(bars))
    drawn += "".join(_drawn(one, across, up) for one in traces if one["type"] != "bar")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}" '
        f'viewBox="0 0 {_WIDTH} {_HEIGHT}">{drawn}</svg>\n'
    )


def _is_seen(trace: Part) -> bool:
    """No targets of clicks, words, or borders of bands."""
    return (trace.get("marker") or {}).get("opacity", 1.0) > 0.1 and trace.get("mode") != "text"


class _Scale:
    """From an axis' values to pixels."""

    def __init__(self, low: float, high: float, start: float, end: float, *, is_log: bool) -> None:
        self._ends, self._pixels, self._is_log = (low, high if high > low else low + 1.0), (start, end), is_log

    @classmethod
    def of(cls, layout: Part, traces: Iterable[Part], letter: str) -> "_Scale":
        """That of the first axis of this letter, which may leave its ends to what is drawn."""
        settings = layout.get(f"{letter}axis", {})
        is_log = settings.get("type") == "log"
        values = np.concatenate([_numbers(one[letter]) for one in traces])
        values = values[np.isfinite(values) & ((values > 0.0) | (not is_log))]
        seen = np.log10(values) if is_log else values
        low, high = settings.get("range") or (float(seen.min()), float(seen.max()))
        if letter == "x" and any(one["type"] == "bar" for one in traces):
            low, high = low - 0.5, high + 0.5
        ends = (_MARGIN, _WIDTH - _MARGIN) if letter == "x" else (_HEIGHT - _MARGIN, _MARGIN)
        return cls(low, high, *ends, is_log=is_log)

    def __call__(self, values: Any) -> Floats:
        numbers = _numbers(values)
        with np.errstate(divide="ignore", invalid="ignore"):
            seen = np.log10(numbers) if self._is_log else numbers
        share = np.clip((seen - self._ends[0]) / (self._ends[1] - self._ends[0]), -0.02, 1.02)
        return np.asarray(self._pixels[0] + share * (self._pixels[1] - self._pixels[0]))


def _numbers(values: Any) -> Floats:
    """Coordinates as numbers: names take the places 0, 1, 2 ..."""
    found = np.asarray(list(values), dtype=object)
    if any(isinstance(value, str) for value in found):
        return np.arange(len(found), dtype=float)
    return np.array([np.nan if value is None else float(value) for value in found])


def _drawn(trace: Part, across: _Scale, up: _Scale) -> str:
    if trace["type"] == "heatmap":
        return _cells(trace)
    mode, color = trace.get("mode", "lines"), _color(trace)
    x, y = across(trace["x"]), up(trace["y"])
    seen = np.isfinite(x) & np.isfinite(y)
    x, y = x[seen], y[seen]
    if not len(x):
        return ""
    dots = _dots(x, y, color) if "markers" in mode and "lines" not in mode else ""
    return dots + (_line(x, y, trace, color) if "lines" in mode else "")


def _color(trace: Part) -> str:
    colors = [(trace.get(part) or {}).get("color") for part in ("line", "marker")]
    return next((one for one in colors if isinstance(one, str)), theme.NEUTRAL)


def _line(x: Floats, y: Floats, trace: Part, color: str) -> str:
    look = trace.get("line") or {}
    if not look.get("width", 2):  # the border of a band
        return ""
    along = np.concatenate(([0.0], np.cumsum(np.hypot(np.diff(x), np.diff(y)))))
    kept = np.unique(np.searchsorted(along, np.linspace(0.0, along[-1], _POINTS)))  # evenly along the line
    path = _path(x[kept], y[kept], 1)
    dash = f' stroke-dasharray="{_DASHES[look["dash"]]}"' if look.get("dash") in _DASHES else ""
    width = 2.5 if look.get("width", 2) > 2 else 1.5
    return f'<path d="{path}" fill="none" stroke="{color}" stroke-width="{width}"{dash}/>'


def _dots(x: Floats, y: Floats, color: str) -> str:
    kept = np.unique(np.linspace(0, len(x) - 1, min(len(x), _DOTS)).astype(int))
    path = "".join(f"M{across:.1f} {up:.1f}h0" for across, up in zip(x[kept], y[kept], strict=True))
    return f'<path d="{path}" stroke="{color}" stroke-width="5" stroke-linecap="round"/>'


def _bars(trace: Part, place: int, count: int, across: _Scale, up: _Scale) -> str:
    """The bars that are at this ``place`` of ``count`` in their groups."""
    middle, top, floor = across(trace["x"]), up(trace["y"]), _HEIGHT - _MARGIN
    width = 0.7 * (_WIDTH - 2 * _MARGIN) / len(middle) / count
    left = middle + (place - count / 2) * width
    return "".join(
        f'<rect x="{one:.1f}" y="{high:.1f}" width="{0.9 * width:.1f}" height="{max(floor - high, 0.0):.1f}" '
        f'fill="{_color(trace)}"/>'
        for one, high in zip(left, top, strict=True)
    )


def _path(x: Floats, y: Floats, digits: int) -> str:
    return "M" + "L".join(f"{across:.{digits}f} {up:.{digits}f}" for across, up in zip(x, y, strict=True))


def _cells(trace: Part) -> str:
    """A map: the higher a value, the darker."""
    rows = np.asarray(trace["z"], dtype=float)
    low, high = np.nanmin(rows), np.nanmax(rows)
    height, width = (_HEIGHT - 2 * _MARGIN) / rows.shape[0], (_WIDTH - 2 * _MARGIN) / rows.shape[1]
    return "".join(
        f'<rect x="{_MARGIN + column * width:.1f}" y="{_HEIGHT - _MARGIN - (row + 1) * height:.1f}" '
        f'width="{width:.1f}" height="{height:.1f}" fill="{theme.OUTSIDER}" '
        f'opacity="{0.1 + 0.9 * (value - low) / (high - low or 1.0):.2f}"/>'
        for row, values in enumerate(rows)
        for column, value in enumerate(values)
        if np.isfinite(value)
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
    paths = [_path(x, 1.0 - curve, 4) for curve in curves]
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
        f'<path d="{_path(x, 1.0 - hill, 4)}" fill="{color}" fill-opacity="0.25" vector-effect="non-scaling-stroke" '
        f'stroke="{color}" stroke-width="2.5"/>'
        for color, hill in zip((theme.OUTSIDER, theme.MEMBER), hills, strict=True)
    )
    return _DOOR.format(shapes)
