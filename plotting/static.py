"""A figure of lines and points as inline SVG: for reports, which must need neither script nor network, and print.

It draws what is in the Plotly figure, so a report never disagrees with the page. Understood are scatter traces (lines,
steps, markers, areas down to zero), linear and log axes, vertical lines and annotations.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from textwrap import wrap
from typing import Any

import numpy as np

from plotting import theme
from plotting.static_marks import TEXT, Scale, drawn, marker, stroke

_LEFT, _RIGHT, _TOP, _BELOW = 64, 16, 12, 50
_LINE = 15  # pixels from a line of words to the next
_LEGEND_ROW, _LEGEND_COLUMN, _LEGEND_KEY = 16, 310, 38
_LETTER = 6.6  # pixels, about: letters are 12 high, and which font there is nobody knows
_PAUSE = " — "  # where the name of an axis is broken
_GRID = "#d5dbe1"
_BREAK = "<br>"  # of a line, as Plotly spells it


@dataclass(frozen=True)
class _Frame:
    """Where the plot lies in the drawing, in pixels, and the names of its axes, in lines."""

    width: int
    height: int
    under: Sequence[str]
    beside: Sequence[str]

    @classmethod
    def of(cls, layout: Any, width: int, height: int) -> "_Frame":
        """For a drawing of ``width`` and a plot of ``height``."""
        beside = _broken(layout.yaxis.title.text or "", height + 2 * _TOP)
        under = _broken(layout.xaxis.title.text or "", width - _LEFT - _LINE * len(beside))
        return cls(width, height, under, beside)

    @property
    def left(self) -> int:
        """Left side of the plot."""
        return _LEFT + _LINE * (len(self.beside) - 1)

    @property
    def right(self) -> int:
        """Its right side."""
        return self.width - _RIGHT

    @property
    def bottom(self) -> int:
        """Its lower side."""
        return _TOP + self.height

    @property
    def end(self) -> int:
        """Where the names under the plot end."""
        return self.bottom + _BELOW + _LINE * (len(self.under) - 1)


def _broken(name: str, room: float) -> list[str]:
    """The name of an axis in as many lines as it needs."""
    if len(name) * _LETTER <= room:
        return [name]
    return [line for part in name.split(_PAUSE) for line in wrap(part, int(room / _LETTER))]


@dataclass(frozen=True)
class _Legend:
    """The legend as drawn, and how many pixels it takes."""

    drawn: str
    height: int


def drawing(figure: theme.Figure, alt: str, width: int = 680, plot_height: int = 300) -> str:
    """The figure as an SVG element on white; ``alt`` says what it shows.

    Letters are 12 of its ``width``, so what is narrow has large letters once it is printed. Words that would not fit
    are broken into lines.
    """
    traces: list[Any] = list(figure.data)
    layout: Any = figure.layout
    frame = _Frame.of(layout, width, plot_height)
    legend = _legend([trace for trace in traces if trace.name and trace.showlegend is not False], frame)
    across = _scale(layout.xaxis, [trace.x for trace in traces], 0.0, float(frame.right - frame.left))
    up = _scale(layout.yaxis, [trace.y for trace in traces], float(plot_height), 0.0)
    inside = "".join(drawn(trace, across, up) for trace in traces) + _marks(layout, across, plot_height)
    place = f'x="{frame.left}" y="{_TOP}" width="{frame.right - frame.left}" height="{plot_height}"'
    height = frame.end + legend.height
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="{escape(alt)}" font-family="sans-serif" font-size="12" fill="{TEXT}">'
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>'
        f"{_ticks(across, up, frame)}{_names(frame)}"
        f'<svg {place} overflow="hidden">{inside}</svg>'
        f'<rect {place} fill="none" stroke="{TEXT}"/>'
        f"{legend.drawn}</svg>"
    )


def _scale(axis: Any, columns: Sequence[Any], start: float, end: float) -> Scale:
    log = axis.type == "log"
    if axis.range is not None:
        low, high = (float(limit) for limit in axis.range)
        return Scale(low, high, start, end, log)
    values = np.concatenate([np.asarray(column, dtype=float) for column in columns])
    values = values[np.isfinite(values) & (values > 0.0 if log else True)]
    values = np.log10(values) if log else values
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
    room = 0.05 * (high - low) or 0.5
    return Scale(0.0 if axis.rangemode == "tozero" and low >= 0.0 else low - room, high + room, start, end, log)


def _marks(layout: Any, across: Scale, height: int) -> str:
    """Vertical lines over the whole height, and the words at their upper ends."""
    parts = []
    for shape in layout.shapes:
        (left,) = across.place(np.array([shape.x0]))
        parts.append(f'<path d="M{left:.1f} 0V{height}" {stroke(shape.line)}/>')
    for note in layout.annotations:
        (left,) = across.place(np.array([10.0**note.x if across.log else note.x]))
        side, gap = ("end", -6) if note.xanchor == "right" else ("start", 6)
        parts.append(f'<text x="{left + gap:.1f}" y="15" text-anchor="{side}">{escape(note.text)}</text>')
    return "".join(parts)


def _ticks(across: Scale, up: Scale, frame: _Frame) -> str:
    parts = []
    for value, words in across.ticks():
        left = frame.left + float(across.place(np.array([value]))[0])
        parts.append(f'<path d="M{left:.1f} {_TOP}V{frame.bottom}" stroke="{_GRID}"/>')
        parts.append(f'<text x="{left:.1f}" y="{frame.bottom + 17}" text-anchor="middle">{words}</text>')
    for value, words in up.ticks():
        top = _TOP + float(up.place(np.array([value]))[0])
        parts.append(f'<path d="M{frame.left} {top:.1f}H{frame.right}" stroke="{_GRID}"/>')
        parts.append(f'<text x="{frame.left - 6}" y="{top + 4:.1f}" text-anchor="end">{words}</text>')
    return "".join(parts)


def _names(frame: _Frame) -> str:
    """What the axes show."""
    parts, middle = [], (frame.left + frame.right) / 2
    for number, line in enumerate(frame.under):
        top = frame.bottom + 38 + _LINE * number
        parts.append(f'<text x="{middle}" y="{top}" text-anchor="middle">{escape(line)}</text>')
    for number, line in enumerate(frame.beside):
        turned = f'transform="translate({14 + _LINE * number} {_TOP + frame.height / 2}) rotate(-90)"'
        parts.append(f'<text {turned} text-anchor="middle">{escape(line)}</text>')
    return "".join(parts)


def _legend(traces: Sequence[Any], frame: _Frame) -> _Legend:
    """Columns below the figure: each name, on as many lines as it needs, with a piece of the line or the point."""
    columns = max(frame.width // _LEGEND_COLUMN, 1)
    start, room = (frame.left, _LEGEND_COLUMN) if columns > 1 else (_RIGHT, frame.width - _RIGHT)
    parts, row = [], 0
    for first in range(0, len(traces), columns):
        named = [(trace, _lines(trace.name, room - _LEGEND_KEY)) for trace in traces[first : first + columns]]
        for column, (trace, lines) in enumerate(named):
            parts.append(_entry(trace, lines, start + _LEGEND_COLUMN * column, frame.end + _LEGEND_ROW * row + 8))
        row += max(len(lines) for _, lines in named)
    return _Legend("".join(parts), _LEGEND_ROW * row)


def _lines(name: str, room: float) -> list[str]:
    return [line for part in name.split(_BREAK) for line in wrap(part, int(room / _LETTER)) or [""]]


def _entry(trace: Any, lines: Sequence[str], left: int, top: int) -> str:
    mode, parts = trace.mode or "lines", []
    if "lines" in mode:
        parts.append(f'<path d="M{left} {top}h30" {stroke(trace.line)}/>')
    if "markers" in mode:
        parts.append(marker(trace, left + 15, top))
    for number, line in enumerate(lines):
        parts.append(f'<text x="{left + _LEGEND_KEY}" y="{top + 4 + _LEGEND_ROW * number}">{escape(line)}</text>')
    return "".join(parts)
