"""Lines and markers of a figure as SVG, and the axes that put them in their places."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from types import MappingProxyType
from typing import Any

import numpy as np

from numerics.trade_off import Floats
from plotting import theme

TEXT = "#10171e"
"""Colour of words, and of lines that have none."""
_DASHES = {"dash": "9 5", "dashdot": "9 4 2 4", "dot": "2 4", "longdash": "14 6"}
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_MOST_TICKS = 8
_MARKER = 6  # pixels
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
class Scale:
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


def drawn(trace: Any, across: Scale, up: Scale) -> str:
    """What a scatter trace shows: an area down to zero, a line or steps, markers."""
    x, y = across.place(trace.x), up.place(trace.y)
    if trace.line.shape == "hv":
        x, y = np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]
    parts = []
    if trace.fill == "tozeroy":
        area = f"{_path(x, y)}L{x[-1]:.1f} {up.start}L{x[0]:.1f} {up.start}Z"
        parts.append(f'<path d="{area}" fill="{trace.fillcolor}"/>')
    if "lines" in (trace.mode or "lines"):
        parts.append(f'<path d="{_path(x, y)}" {stroke(trace.line)}/>')
    if "markers" in (trace.mode or ""):
        parts += [marker(trace, float(x[index]), float(y[index])) for index in _marked(trace, x, y, across.end)]
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


def stroke(line: Any) -> str:
    """Attributes of a path that looks like Plotly's ``line``."""
    dash = _DASHES.get(line.dash or "", "")
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return f'fill="none" stroke="{line.color or TEXT}" stroke-width="{line.width or 2}"{dashes}'


def marker(trace: Any, left: float, top: float) -> str:
    """A marker of ``trace`` at a place in pixels."""
    look = trace.marker
    edge = f' stroke="{theme.NEUTRAL}" stroke-width="2"' if (look.line.width or 0) else ""
    radius = (look.size or _MARKER) / 2
    outline = _SHAPES.get(look.symbol or "circle")
    if outline is None:
        return f'<circle cx="{left:.1f}" cy="{top:.1f}" r="{radius:g}" fill="{look.color}"{edge}/>'
    place = f'transform="translate({left:.1f} {top:.1f}) scale({radius:g})"'
    return f'<path d="{outline}" {place} fill="{look.color}"/>'
