"""A figure of lines and points as inline SVG: for reports, which must need neither script nor network, and print.

It draws what is in the Plotly figure, so a report never disagrees with the page. Understood are scatter traces (lines,
steps, markers, areas down to zero), linear and log axes, vertical lines and annotations.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10
from types import MappingProxyType
from typing import Any

import numpy as np

from numerics.trade_off import Floats
from plotting import theme

_PLOT_HEIGHT = 300
_LEFT, _RIGHT, _TOP, _BELOW = 64, 16, 12, 50
_LEGEND_ROW, _LEGEND_COLUMN = 18, 310
_TEXT, _GRID = "#10171e", "#d5dbe1"
_DASHES = {"dash": "9 5", "dashdot": "9 4 2 4", "dot": "2 4", "longdash": "14 6"}
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_MOST_TICKS = 8
_MARKER = 6  # pixels
_BREAK = "<br>"  # of a line, as Plotly spells it
_FAINTEST = 0.05  # fainter marks are there to be clicked, not to be seen
_SHAPES = MappingProxyType(
    {
        "square": "M-1 -1H1V1H-1Z",
        "diamond": "M0 -1.3L1.3 0L0 1.3L-1.3 0Z",
        "cross": "M-.4 -1.2H.4V-.4H1.2V.4H.4V1.2H-.4V.4H-1.2V-.4H-.4Z",
    }
)
"""Outlines of markers other than circles, of radius 1."""


@dataclass(frozen=True)
class _Legend:
    """The legend as drawn, and how many rows it takes."""

    drawn: str
    rows: int


@dataclass(frozen=True)
class _Scale:
    """An axis: its ends (as exponents of 10 if ``log``), and the pixels they lie at."""

    low: float
    high: float
    start: float
    end: float
    log: bool

    def place(self, values: Floats) -> Floats:
        """Pixels of values (n,); nan for what a log axis cannot show."""
        values = np.asarray(values, dtype=float)
        if self.log:
            values = np.log10(np.where(values > 0.0, values, np.nan))
        return self.start + (values - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self) -> list[tuple[float, str]]:
        """Round values inside, with their words."""
        if not self.log:
            step = _round_step((self.high - self.low) / (_MOST_TICKS - 2))
            ranks = range(ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9) + 1)
            return [(rank * step, f"{rank * step:.6g}") for rank in ranks]
        every = max(1, ceil((self.high - self.low) / _MOST_TICKS))
        powers = range(ceil(self.low - 1e-9), floor(self.high + 1e-9) + 1)
        found = [(10.0**power, _power(power)) for power in powers if power % every == 0]
        if len(found) > 2:
            return found
        steps = (1, 2, 5) if self.high - self.low > 1.0 else range(1, 10)
        digits = [digit * 10.0**power for power in range(floor(self.low), ceil(self.high) + 1) for digit in steps]
        return [(value, f"{value:.3g}") for value in digits if self.low <= log10(value) <= self.high]


def _round_step(least: float) -> float:
    power = 10.0 ** floor(log10(least))
    return float(next(digit * power for digit in (1.0, 2.0, 5.0, 10.0) if digit * power >= least * (1.0 - 1e-9)))


def _power(power: int) -> str:
    return "1" if power == 0 else "10" + str(power).translate(_SUPERSCRIPTS)


def drawing(figure: theme.Figure, alt: str, width: int = 680) -> str:
    """The figure as an SVG element on white (letters are 12 of its ``width``); ``alt`` says what it shows."""
    traces: list[Any] = list(figure.data)
    layout: Any = figure.layout
    legend = _legend([trace for trace in traces if trace.name and trace.showlegend is not False], width)
    height = _TOP + _PLOT_HEIGHT + _BELOW + _LEGEND_ROW * legend.rows
    across = _scale(layout.xaxis, [trace.x for trace in traces], 0.0, float(width - _LEFT - _RIGHT))
    up = _scale(layout.yaxis, [trace.y for trace in traces], float(_PLOT_HEIGHT), 0.0)
    inside = "".join(_trace(trace, across, up) for trace in traces) + _marks(layout, across)
    frame = f'x="{_LEFT}" y="{_TOP}" width="{width - _LEFT - _RIGHT}" height="{_PLOT_HEIGHT}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="{escape(alt)}" font-family="sans-serif" font-size="12" fill="{_TEXT}">'
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>'
        f"{_axes(across, up, layout, width)}"
        f'<svg {frame} overflow="hidden">{inside}</svg>'
        f'<rect {frame} fill="none" stroke="{_TEXT}"/>'
        f"{legend.drawn}</svg>"
    )


def _scale(axis: Any, columns: Sequence[Any], start: float, end: float) -> _Scale:
    log = axis.type == "log"
    if axis.range is not None:
        low, high = (float(limit) for limit in axis.range)
        return _Scale(low, high, start, end, log)
    values = np.concatenate([np.asarray(column, dtype=float) for column in columns])
    values = values[np.isfinite(values) & (values > 0.0 if log else True)]
    values = np.log10(values) if log else values
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
    room = 0.05 * (high - low) or 0.5
    return _Scale(0.0 if axis.rangemode == "tozero" and low >= 0.0 else low - room, high + room, start, end, log)


def _trace(trace: Any, across: _Scale, up: _Scale) -> str:
    x, y = across.place(trace.x), up.place(trace.y)
    if trace.line.shape == "hv":
        x, y = np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]
    parts = []
    if trace.fill == "tozeroy":
        area = f"{_path(x, y)}L{x[-1]:.1f} {up.start}L{x[0]:.1f} {up.start}Z"
        parts.append(f'<path d="{area}" fill="{trace.fillcolor}"/>')
    if "lines" in (trace.mode or "lines"):
        parts.append(f'<path d="{_path(x, y)}" {_stroke(trace.line)}/>')
    if "markers" in (trace.mode or ""):
        parts += [_marker(trace, float(x[index]), float(y[index])) for index in _marked(trace, x, y, across.end)]
    return "".join(parts)


def _marked(trace: Any, x: Floats, y: Floats, width: float) -> Sequence[int]:
    """Indices of the points with a marker: all that can be seen, or evenly as many as are to be displayed."""
    if (1.0 if trace.marker.opacity is None else trace.marker.opacity) < _FAINTEST:
        return ()
    (seen,) = np.nonzero(np.isfinite(x) & np.isfinite(y) & (x >= 0.0) & (x <= width))
    most = trace.marker.maxdisplayed or 0
    if most and len(seen) > most:
        places = np.linspace(x[seen[0]], x[seen[-1]], most)
        return [int(seen[np.argmin(np.abs(x[seen] - place))]) for place in places]
    return [int(index) for index in seen]


def _path(x: Floats, y: Floats) -> str:
    """Path through the points; broken where one cannot be shown."""
    steps, pen = [], "M"
    for left, top in zip(x, y, strict=True):
        if not (np.isfinite(left) and np.isfinite(top)):
            pen = "M"
            continue
        steps.append(f"{pen}{left:.1f} {top:.1f}")
        pen = "L"
    return "".join(steps) or "M0 0"


def _stroke(line: Any) -> str:
    dash = _DASHES.get(line.dash or "", "")
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return f'fill="none" stroke="{line.color or _TEXT}" stroke-width="{line.width or 2}"{dashes}'


def _marker(trace: Any, left: float, top: float) -> str:
    marker = trace.marker
    edge = f' stroke="{theme.NEUTRAL}" stroke-width="2"' if (marker.line.width or 0) else ""
    radius = (marker.size or _MARKER) / 2
    outline = _SHAPES.get(marker.symbol or "circle")
    if outline is None:
        return f'<circle cx="{left:.1f}" cy="{top:.1f}" r="{radius:g}" fill="{marker.color}"{edge}/>'
    place = f'transform="translate({left:.1f} {top:.1f}) scale({radius:g})"'
    return f'<path d="{outline}" {place} fill="{marker.color}"/>'


def _marks(layout: Any, across: _Scale) -> str:
    """Vertical lines over the whole height, and the words at their upper ends."""
    parts = []
    for shape in layout.shapes:
        (left,) = across.place(np.array([shape.x0]))
        parts.append(f'<path d="M{left:.1f} 0V{_PLOT_HEIGHT}" {_stroke(shape.line)}/>')
    for note in layout.annotations:
        (left,) = across.place(np.array([10.0**note.x if across.log else note.x]))
        side, gap = ("end", -6) if note.xanchor == "right" else ("start", 6)
        parts.append(f'<text x="{left + gap:.1f}" y="15" text-anchor="{side}">{escape(note.text)}</text>')
    return "".join(parts)


def _axes(across: _Scale, up: _Scale, layout: Any, width: int) -> str:
    parts, bottom = [], _TOP + _PLOT_HEIGHT
    for value, words in across.ticks():
        left = _LEFT + float(across.place(np.array([value]))[0])
        parts.append(f'<path d="M{left:.1f} {_TOP}V{bottom}" stroke="{_GRID}"/>')
        parts.append(f'<text x="{left:.1f}" y="{bottom + 17}" text-anchor="middle">{words}</text>')
    for value, words in up.ticks():
        top = _TOP + float(up.place(np.array([value]))[0])
        parts.append(f'<path d="M{_LEFT} {top:.1f}H{width - _RIGHT}" stroke="{_GRID}"/>')
        parts.append(f'<text x="{_LEFT - 6}" y="{top + 4:.1f}" text-anchor="end">{words}</text>')
    middle, height = (_LEFT + width - _RIGHT) / 2, _TOP + _PLOT_HEIGHT / 2
    under, beside = (escape(axis.title.text or "") for axis in (layout.xaxis, layout.yaxis))
    parts.append(f'<text x="{middle}" y="{bottom + 38}" text-anchor="middle">{under}</text>')
    turned = f'transform="translate(14 {height}) rotate(-90)"'
    return "".join([*parts, f'<text {turned} text-anchor="middle">{beside}</text>'])


def _legend(traces: Sequence[Any], width: int) -> _Legend:
    """Columns below the figure: each name, on several lines if it has them, with a piece of the line or the point."""
    parts, row, columns = [], 0, max(width // _LEGEND_COLUMN, 1)
    for first in range(0, len(traces), columns):
        side_by_side = traces[first : first + columns]
        for column, trace in enumerate(side_by_side):
            top = _TOP + _PLOT_HEIGHT + _BELOW + _LEGEND_ROW * row + 8
            parts.append(_entry(trace, _LEFT + _LEGEND_COLUMN * column, top))
        row += max(len(trace.name.split(_BREAK)) for trace in side_by_side)
    return _Legend("".join(parts), row)


def _entry(trace: Any, left: int, top: int) -> str:
    mode, parts = trace.mode or "lines", []
    if "lines" in mode:
        parts.append(f'<path d="M{left} {top}h30" {_stroke(trace.line)}/>')
    if "markers" in mode:
        parts.append(_marker(trace, left + 15, top))
    for number, line in enumerate(trace.name.split(_BREAK)):
        parts.append(f'<text x="{left + 38}" y="{top + 4 + _LEGEND_ROW * number}">{escape(line)}</text>')
    return "".join(parts)
