"""Lines and dots over two plain axes: what a paper's figure shows, whatever its quantities are."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from numerics.trade_off import Bound, Floats, TradeOffCurve
from plotting import theme
from plotting.assembly import LEGEND, LOG, Part, assemble, axis, band, label, reference, trace

_HEIGHT = 430
_MOST_TICKS = 5  # of a logarithmic axis, on a telephone
_MARKS = 9  # on a line that has them
_POINTS = 200  # of a line: more cannot be seen


@dataclass(frozen=True)
class Side:
    """One axis: its title, whether it is logarithmic, and where it ends, if that is not left to the lines."""

    words: str
    log: bool = False
    ends: tuple[float, float] | None = None

    def place(self, values: Floats) -> Floats:
        """Where values (n,) are seen, as shares of the axis; not finite where it cannot show them."""
        with np.errstate(divide="ignore", invalid="ignore"):
            seen = np.log10(values) if self.log else values
        ends = self.exponents or [float(edge(seen[np.isfinite(seen)], initial=0.0)) for edge in (np.min, np.max)]
        return np.asarray((seen - ends[0]) / (ends[1] - ends[0] or 1.0))

    def middle(self, values: Floats) -> float:
        """Half way between values (n,) as it is seen."""
        return float(10.0 ** np.mean(np.log10(values)) if self.log else np.mean(values))

    @property
    def exponents(self) -> list[float] | None:
        """Its ends; on a logarithmic axis, their exponents."""
        return self.ends and [float(np.log10(end)) if self.log else end for end in self.ends]

    @property
    def settings(self) -> Part:
        """As Plotly spells it."""
        ends = self.exponents
        settings: Part = {**(LOG if self.log else {}), **({"range": ends} if ends else {})}
        if self.log and ends and ends[1] - ends[0] > 1.0:
            settings["dtick"] = ceil((ends[1] - ends[0]) / _MOST_TICKS)  # powers of ten alone
        return axis(self.words, **settings)


@dataclass(frozen=True, eq=False)
class Line:
    """Values ``y`` (n,) at ``x`` (n,).

    Attributes:
        name: in the legend, before the kind of bound.
        x: positions.
        y: values.
        color: of what it is about.
        bound: how it relates to the truth; it decides the dash. None where the line is none of ours.
        symbol: of marks along it, where lines of one colour are to be told apart.
        band: what lies between these two (n,) is shaded.
    """

    name: str
    x: Floats
    y: Floats
    color: str
    bound: Bound | None = Bound.EXACT
    symbol: str = ""
    band: tuple[Floats, Floats] | None = None

    @classmethod
    def of_errors(cls, name: str, curve: TradeOffCurve, color: str, symbol: str = "") -> "Line":
        """A trade-off curve: false negative rate over false positive rate."""
        return cls(name, curve.alpha, curve.beta, color, curve.bound, symbol)


@dataclass(frozen=True, eq=False)
class Dots:
    """Points (n,) with their standard errors or half widths (n,): what was measured, or what is printed."""

    name: str
    x: Floats
    y: Floats
    color: str = theme.NEUTRAL
    error: Floats | None = None
    symbol: str = "diamond-open"


def lines_figure(
    across: Side, up: Side, lines: Sequence[Line], dots: Sequence[Dots] = (), blind: Line | None = None
) -> go.Figure:
    """All ``lines`` and ``dots``; ``blind`` is what guessing reaches, a thin line to compare with."""
    traces = _blind(blind, across, up) if blind else []
    for line in lines:
        traces += _drawn(line, across, up)
    traces += [_dotted(one) for one in dots]
    return assemble(traces, {"xaxis": across.settings, "yaxis": up.settings, "height": _HEIGHT, "legend": LEGEND})


def _blind(blind: Line, *sides: Side) -> list[Part]:
    """A thin line with its name on it: an entry of the legend would be a row on a telephone."""
    ends = blind.x.tolist(), blind.y.tolist()
    middle = [side.middle(values) for side, values in zip(sides, (blind.x, blind.y), strict=True)]
    free = "top right" if blind.y[-1] < blind.y[0] else "bottom right"  # errors lie below guessing, hits above it
    return [
        reference(*ends, blind.name) | {"showlegend": False},
        label(middle[0], middle[1], blind.name, theme.NEUTRAL, free),
    ]


def _drawn(line: Line, across: Side, up: Side) -> list[Part]:
    said = line.name if line.bound is None else theme.legend_name(line.name, line.bound)
    kept = _along(line, across, up)
    own = trace(
        line.x[kept],
        line.y[kept],
        name=line.name if line.bound is Bound.EXACT else said,
        line={
            "color": line.color,
            "width": 2 if line.symbol else 4,
            "dash": theme.DASH[line.bound] if line.bound else "dash",
        },
        hovertemplate=f"%{{x:.4~g}}: %{{y:.4~g}}<extra>{said}</extra>",
    )
    if line.symbol:
        own |= {
            "mode": "lines+markers",
            "marker": {"color": line.color, "size": 9, "symbol": line.symbol, "maxdisplayed": _MARKS},
        }
    return [own] if line.band is None else [*band(line.x, *line.band, line.color), own]


def _along(line: Line, across: Side, up: Side) -> NDArray[np.intp]:
    """Indices of points that lie evenly along the line as it is seen, so that its marks do; all, if there are few."""
    x, y = across.place(line.x), up.place(line.y)
    seen = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
    if len(seen) <= _POINTS:
        return seen
    length = np.concatenate(([0.0], np.cumsum(np.hypot(np.diff(x[seen]), np.diff(y[seen])))))
    return seen[np.unique(np.searchsorted(length, np.linspace(0.0, length[-1], _POINTS)))]


def _dotted(dots: Dots) -> Part:
    marker = {"color": dots.color, "size": 11, "symbol": dots.symbol, "line": {"width": 2}}
    drawn = trace(
        dots.x,
        dots.y,
        name=dots.name,
        mode="markers",
        marker=marker,
        cliponaxis=False,
        hovertemplate=f"%{{x:.4~g}}: %{{y:.4~g}}<extra>{dots.name}</extra>",
    )
    if dots.error is not None:
        drawn["error_y"] = {"type": "data", "array": np.asarray(dots.error, dtype=np.float32), "color": dots.color}
    return drawn
