"""A figure on paper: the lines, areas, points and words that a page draws, as an SVG element of an HTML document.

It needs no script and no font of its own, and draws on white. It knows what the figures of sheets and reports consist
of: scatter traces on one pair of axes. What else a figure has, a page alone shows.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape, unescape
from math import ceil, floor, log10
from typing import Any

import numpy as np

from numerics.trade_off import Floats
from plotting import theme
from plotting.assembly import Part

WIDTH = 640.0
_LETTER = 12.0  # pixels
_HALF_ROW = 7.0  # from the middle of two rows to that of one
_LEGEND_LINE = 16.0
_LEFT, _RIGHT, _TOP, _BELOW = 70.0, 18.0, 10.0, 44.0  # around the plot
_NAMES = 190.0  # at the left instead, where places have names
_HEIGHT = 230.0  # of the plot
_MOST_TICKS = 7
_LONGEST = 120  # letters of a text
_TEXT, _GRID = "#10171e", "#d5dbe1"
DASHES = {"dash": "7 4", "dot": "2 3", "dashdot": "7 3 2 3", "longdash": "11 4", "longdashdot": "11 3 2 3"}
_RAISED = str.maketrans("-−0123456789", "⁻⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
_PLAIN = (-3, 4)  # powers of ten that are written out
_AREAS = ("tozeroy", "tonexty", "toself")


def drawing(figure: theme.Figure, alt: str) -> str:
    """The figure; ``alt`` says what it shows. The same figure gives the same element.

    Every text in it may be a stranger's: it stays text, without marks of control and direction.
    """
    layout: Part = figure.layout.to_plotly_json()
    traces = drawn_traces(figure, "scatter")
    legend = [] if layout.get("showlegend") is False else [one for one in traces if _is_named(one)]
    top = 2.0 * _TOP + _LEGEND_LINE * sum(len(_lines(one["name"])) for one in legend)
    title = layout.get("title", {}).get("text", "")
    top += _LEGEND_LINE if title else 0.0
    names = (layout.get("yaxis") or {}).get("ticktext") or ()
    left = _NAMES if any(len(str(name)) > len("1,000,000") for name in names) else _LEFT
    height = max(_HEIGHT, _LEGEND_LINE * len(names))
    across = DrawnAxis.of(layout.get("xaxis") or {}, traces, "x", (left, WIDTH - _RIGHT))
    up = DrawnAxis.of(layout.get("yaxis") or {}, traces, "y", (top + height, top))
    parts = [*_frame(across, up), *_shapes(layout.get("shapes") or (), across, up)]
    parts.append(f'<svg x="{left:g}" y="{top:g}" width="{WIDTH - _RIGHT - left:g}" height="{height:g}" ')
    parts.append(f'viewBox="{left:g} {top:g} {WIDTH - _RIGHT - left:g} {height:g}">')
    parts += [*_traces(traces, across, up), "</svg>"]
    parts += [part for one in traces for part in (*_markers(one, across, up), *_words(one, across, up))]
    parts += _annotations(layout.get("annotations") or (), across, up)
    parts += _legend(legend, left)
    if title:
        parts.append(_text(left, top - 6.0, title, bold=True))
    whole = top + height + _BELOW
    return (
        f'<svg role="img" aria-label="{escape(alt)}" viewBox="0 0 {WIDTH:g} {whole:g}" font-size="{_LETTER:g}" '
        f'font-family="inherit" fill="{_TEXT}">{"".join(parts)}</svg>'
    )


def drawn_traces(figure: theme.Figure, *kinds: str) -> list[Part]:
    """Those of these kinds, but no targets of clicks, which nobody sees, and nothing on further axes."""
    parts: list[Part] = [one.to_plotly_json() for one in figure.data]
    return [
        one
        for one in parts
        if one["type"] in kinds
        and (one.get("xaxis", "x"), one.get("yaxis", "y")) == ("x", "y")
        and (one.get("marker", {}).get("opacity") or 1.0) > 0.1
        and one.get("visible", True) is True
    ]


def _is_named(trace: Part) -> bool:
    return bool(trace.get("name")) and trace.get("showlegend") is not False and trace.get("mode") != "text"


@dataclass(frozen=True)
class DrawnAxis:
    """From values to pixels, which are ``start`` and ``end`` of the plot."""

    settings: Part
    low: float
    high: float
    start: float
    end: float
    is_log: bool

    @classmethod
    def of(cls, settings: Part, traces: Sequence[Part], letter: str, pixels: tuple[float, float]) -> "DrawnAxis":
        """That of a figure's first axis of this letter, which may leave its ends to what is drawn."""
        is_log = settings.get("type") == "log"
        found = np.concatenate([np.zeros(0), *(_numbers(one[letter]) for one in traces)])
        found = found[np.isfinite(found) & ((found > 0.0) | (not is_log))]
        drawn = np.log10(found) if is_log else found
        ends = (float(drawn.min()), float(drawn.max())) if len(drawn) else (0.0, 1.0)
        room = 0.03 * (ends[1] - ends[0]) if letter == "y" else 0.0
        low, high = settings.get("range") or (ends[0] - room, ends[1] + room)
        return cls(settings, float(low), float(high) if high > low else float(low) + 1.0, *pixels, is_log)

    def place(self, values: Any) -> Floats:
        """Where values are; those that a logarithmic axis has no place for are at its beginning."""
        numbers = _numbers(values)
        if self.is_log:
            numbers = np.log10(np.where(numbers > 0.0, numbers, np.where(np.isnan(numbers), np.nan, 10.0**self.low)))
        return np.asarray(self.start + (numbers - self.low) / (self.high - self.low) * (self.end - self.start))

    def at(self, value: float) -> float:
        """Where what a shape or an annotation calls ``value`` is: annotations of logarithmic axes count decades."""
        return float(self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start))

    def holds(self, pixel: float) -> bool:
        """Whether that is a place in the plot, or on its edge."""
        low, high = sorted((self.start, self.end))
        return bool(low - 1.0 <= pixel <= high + 1.0)

    def ticks(self) -> Iterator[tuple[float, str]]:
        """Pixels with what stands there."""
        if self.settings.get("showticklabels") is False:
            return
        if (values := self.settings.get("tickvals")) is not None:
            yield from zip(self.place(values).tolist(), map(str, self.settings["ticktext"]), strict=True)
            return
        if self.is_log:
            decades = range(ceil(self.low - 1e-9), floor(self.high + 1e-9) + 1)
            for power in decades[:: max(ceil(len(decades) / _MOST_TICKS), 1)]:
                plain = f"{10.0**power:,g}" if _PLAIN[0] <= power <= _PLAIN[1] else f"10{str(power).translate(_RAISED)}"
                yield self.at(float(power)), plain
            for power in range(floor(self.low), ceil(self.high)) if len(decades) < 3 else ():
                for times in (2, 5):
                    yield self.at(log10(times) + power), f"{times * 10.0**power:,.4g}"
            return
        rough = (self.high - self.low) / _MOST_TICKS
        unit = 10.0 ** floor(log10(rough))
        step = next(unit * times for times in (1, 2, 5, 10) if unit * times >= rough)
        percent = "%" in (self.settings.get("tickformat") or "")
        for number in range(ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9) + 1):
            said = f"{100.0 * number * step if percent else number * step:.4g}".replace("-", "−")
            yield self.at(number * step), f"{said} %" if percent else said


def _numbers(values: Any) -> Floats:
    """Coordinates as numbers: names take the places 0, 1, 2 ..."""
    found = [] if values is None else list(values)
    if any(isinstance(value, str) for value in found):
        return np.arange(float(len(found)))
    return np.array([np.nan if value is None else float(value) for value in found])


def _frame(across: DrawnAxis, up: DrawnAxis) -> Iterator[str]:
    """Grid, ticks and titles."""
    middle = 0.5 * (across.start + across.end)
    below, beside = (str((axis.settings.get("title") or {}).get("text") or "") for axis in (across, up))
    for at, said in across.ticks():
        if across.start - 1.0 <= at <= across.end + 1.0:
            yield f'<path d="M{at:.1f} {up.start:g}V{up.end:g}" stroke="{_GRID}"/>'
            yield _text(at, up.start + 15.0, said, "middle")
    for at, said in up.ticks():
        if up.end - 1.0 <= at <= up.start + 1.0:
            yield f'<path d="M{across.start:g} {at:.1f}H{across.end:g}" stroke="{_GRID}"/>'
            yield _text(across.start - 6.0, at + 4.0, said, "end")
    yield _text(middle, up.start + 36.0, below, "middle")
    if beside:
        where = f"12 {0.5 * (up.start + up.end):.1f}"
        yield f'<g transform="translate({where}) rotate(-90)">{_text(0.0, 0.0, beside, "middle")}</g>'
    yield f'<path d="M{across.start:g} {up.end:g}V{up.start:g}H{across.end:g}" fill="none" stroke="{_TEXT}"/>'


def _traces(traces: Sequence[Part], across: DrawnAxis, up: DrawnAxis) -> Iterator[str]:
    """Areas and lines, which the plot cuts off at its edges."""
    before = ""
    for one in traces:
        x, y = across.place(one["x"]), up.place(one["y"])
        line = one.get("line") or {}
        path = path_through(x, y, is_stepped=line.get("shape") == "hv")
        fill = one.get("fill")
        if fill in _AREAS and path:
            floor_ = f"L{x[-1]:.2f} {up.at(0.0):.1f}L{x[0]:.2f} {up.at(0.0):.1f}" if fill == "tozeroy" else ""
            back = f"L{_reversed(before)}" if fill == "tonexty" and before else ""
            color = one.get("fillcolor") or theme.shade(color_of(one), 0.2)
            yield f'<path d="{path}{back}{floor_}Z" fill="{color}" stroke="none"/>'
        if "lines" in (one.get("mode") or "lines") and line.get("width", 2) and path:
            yield f'<path d="{path}" fill="none" {_stroke(one)}/>'
        before = path


def path_through(x: Floats, y: Floats, *, is_stepped: bool) -> str:
    """Through the points, broken where there is a gap."""
    if is_stepped:
        x, y = np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]
    made, is_open = [], False
    for across, up in zip(x.tolist(), y.tolist(), strict=True):
        if np.isfinite(across) and np.isfinite(up):
            made.append(f"{'L' if is_open else 'M'}{across:.2f} {min(max(up, -9e3), 9e3):.2f}")
        is_open = bool(np.isfinite(across) and np.isfinite(up))
    return "".join(made)


def _reversed(path: str) -> str:
    return "L".join(reversed(re.split("[ML]", path)[1:]))


def color_of(trace: Part) -> str:
    """That of its line, or of its points."""
    found = [(trace.get(part) or {}).get("color") for part in ("line", "marker")]
    return next((one for one in found if isinstance(one, str)), theme.NEUTRAL)


def _stroke(part: Part) -> str:
    line = part.get("line") or {}
    dash = DASHES.get(line.get("dash") or "")
    return f'stroke="{color_of(part)}" stroke-width="{line.get("width", 2):g}"' + (
        f' stroke-dasharray="{dash}"' if dash else ""
    )


def _markers(trace: Part, across: DrawnAxis, up: DrawnAxis) -> Iterator[str]:
    """Points as dots or crosses, with bars of their errors."""
    marker = trace.get("marker") or {}
    if "markers" not in (trace.get("mode") or ""):
        return
    x, y = across.place(trace["x"]), up.place(trace["y"])
    errors = trace.get("error_y") or {}
    if errors.get("array") is not None:
        values, above = _numbers(trace["y"]), _numbers(errors["array"])
        below = above if errors.get("arrayminus") is None else _numbers(errors["arrayminus"])
        for at, low, high in zip(x, up.place(values - below), up.place(values + above), strict=True):
            yield f'<path d="M{at:.1f} {low:.1f}V{high:.1f}" stroke="{color_of(trace)}" stroke-width="1.5"/>'
    every = max(ceil(len(x) / (marker.get("maxdisplayed") or len(x) or 1)), 1)
    size = marker.get("size", 6)
    radius = 0.5 * float(size if isinstance(size, int | float) else 6)
    color = marker.get("color") if isinstance(marker.get("color"), str) else color_of(trace)
    is_cross = str(marker.get("symbol") or "").startswith(("x", "cross"))
    for at, high in zip(x[::every].tolist(), y[::every].tolist(), strict=True):
        if across.holds(at) and up.holds(high):
            edge = f'stroke="{_TEXT}"' if marker.get("line") else 'stroke="none"'
            arm = f"l{2 * radius:g} {2 * radius:g}m0 {-2 * radius:g}l{-2 * radius:g} {2 * radius:g}"
            yield (
                f'<path d="M{at - radius:.1f} {high - radius:.1f}{arm}" stroke="{color}" stroke-width="3"/>'
                if is_cross
                else f'<circle cx="{at:.1f}" cy="{high:.1f}" r="{radius:g}" fill="{color}" {edge}/>'
            )


def _words(trace: Part, across: DrawnAxis, up: DrawnAxis) -> Iterator[str]:
    """Names that stand on lines."""
    if "text" not in (trace.get("mode") or ""):
        return
    where = str(trace.get("textposition") or "top left")
    anchor = "end" if "left" in where else "start" if "right" in where else "middle"
    color = (trace.get("textfont") or {}).get("color") or _TEXT
    for at, high, said in zip(across.place(trace["x"]), up.place(trace["y"]), trace["text"], strict=True):
        if np.isfinite(at) and np.isfinite(high):
            yield _text(float(at), float(high) - (4.0 if "top" in where else -13.0), said, anchor, color)


def _shapes(shapes: Iterable[Part], across: DrawnAxis, up: DrawnAxis) -> Iterator[str]:
    """Lines across the plot; those of logarithmic axes are told in values."""
    for one in shapes:
        if one.get("type") != "line":
            continue
        x, y = (
            [_of_paper(one[name], axis) if one.get(of) == "paper" else axis.place([one[name]])[0] for name in ends]
            for of, axis, ends in (("xref", across, ("x0", "x1")), ("yref", up, ("y0", "y1")))
        )
        yield f'<path d="M{x[0]:.1f} {y[0]:.1f}L{x[1]:.1f} {y[1]:.1f}" {_stroke(one)}/>'


def _of_paper(share: float, axis: DrawnAxis) -> float:
    return axis.start + share * (axis.end - axis.start)


def _annotations(notes: Iterable[Part], across: DrawnAxis, up: DrawnAxis) -> Iterator[str]:
    anchors = {"left": "start", "right": "end"}
    for one in notes:
        x = _of_paper(one["x"], across) if one.get("xref") == "paper" else across.at(one["x"])
        y = _of_paper(one["y"], up) if one.get("yref") == "paper" else up.at(one["y"])
        x, y = x + (one.get("xshift") or 0.0), y - (one.get("yshift") or 0.0)
        color = (one.get("font") or {}).get("color") or _TEXT
        if one.get("showarrow") is not False and one.get("ax") is not None:  # words beside it, and a line to it
            yield f'<path d="M{x:.1f} {y:.1f}l{one["ax"]:g} {one["ay"]:g}" stroke="{color}" stroke-width="1"/>'
            x, y = x + one["ax"], y + one["ay"] - _HALF_ROW * (len(_lines(one["text"])) - 1)
        y += {"top": _LETTER, "bottom": -4.0}.get(one.get("yanchor") or "", 4.0)
        yield _text(x, y, one["text"], anchors.get(one.get("xanchor") or "", "middle"), color)


def _legend(named: Sequence[Part], left: float) -> Iterator[str]:
    """A sample of each line with its name, below each other above the plot."""
    y = _TOP + 4.0
    for one in named:
        if "lines" in (one.get("mode") or "lines"):
            yield f'<path d="M{left:g} {y - 4.0:g}h28" fill="none" {_stroke(one)}/>'
        else:
            yield f'<circle cx="{left + 14.0:g}" cy="{y - 4.0:g}" r="4" fill="{color_of(one)}"/>'
        for line in _lines(one["name"]):
            yield _text(left + 36.0, y, line)
            y += _LEGEND_LINE


def _lines(marked: str) -> list[str]:
    return re.split(r"<br\s*/?>", marked)


def _text(x: float, y: float, marked: str, anchor: str = "start", color: str = _TEXT, *, bold: bool = False) -> str:
    """Words with Plotly's few marks, which become words: ``<b>`` is bold, ``<sup>`` is raised."""
    lines = []
    for line in _lines(marked):
        raised = re.sub(r"<sup>([-−0-9]*)</sup>", lambda found: found[1].translate(_RAISED), line)
        plain = _UNSEEN.sub("", unescape(re.sub(r"</?(b|i|sub|sup)>", "", raised))).strip()
        lines.append(escape(plain if len(plain) <= _LONGEST else f"{plain[: _LONGEST - 1]}…"))
    weight = ' font-weight="600"' if bold or marked.lstrip("&nbsp;").startswith("<b>") else ""
    start = "" if anchor == "start" else f' text-anchor="{anchor}"'
    tint = "" if color == _TEXT else f' fill="{color}"'
    spans = "".join(
        f'<tspan x="{x:.1f}" dy="{14.0 * bool(place):g}">{line}</tspan>' for place, line in enumerate(lines)
    )
    return f'<text x="{x:.1f}" y="{y:.1f}"{start}{weight}{tint}>{spans if len(lines) > 1 else lines[0]}</text>'
