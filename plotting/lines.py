"""Lines and dots over two plain axes: what a paper's figure shows, whatever its quantities are."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
import plotly.graph_objects as go

from numerics.trade_off import Bound, Floats, TradeOffCurve
from plotting import theme
from plotting.assembly import LEGEND, LOG, Part, assemble, axis, band, evenly, label, reference, trace
from plotting.labels import FreePlaces, Spot

_HEIGHT = 430
_MOST_TICKS = 5  # of a logarithmic axis, on a telephone
_MARKS = 9  # on a line that has them
_POINTS = 200  # of a line: more cannot be seen
_ALONG = (0.5, 0.35, 0.65, 0.2, 0.8)  # where the name of guessing may stand, the best place first
_CORNERS = {
    f"{side} {end}": (4.0 * right, 4.0 * up)
    for side, up in (("top", 1), ("bottom", -1))
    for end, right in (("right", 1), ("left", -1))
}  # pixels


@dataclass(frozen=True)
class LineAxis:
    """One axis: its title, whether it is logarithmic, and where it ends and has its ticks, if not left to the lines."""

    words: str
    log: bool = False
    ends: tuple[float, float] | None = None
    ticks: tuple[float, ...] | None = None

    def shares(self, parts: Sequence[Floats]) -> list[Floats]:
        """Where parts (n,) that are seen together lie along the axis, from 0 to 1; not finite where it shows none."""
        with np.errstate(divide="ignore", invalid="ignore"):
            seen = [np.asarray(np.log10(values) if self.log else values) for values in parts]
        together = np.concatenate(seen)
        finite = together[np.isfinite(together)]
        ends = self.exponents or [float(edge(finite, initial=0.0)) for edge in (np.min, np.max)]
        return [(one - ends[0]) / (ends[1] - ends[0] or 1.0) for one in seen]

    def between(self, ends: Floats, share: float) -> float:
        """So far between the first and the last of ``ends`` as it is seen."""
        first, last = (float(np.log10(end) if self.log else end) for end in ends[[0, -1]])
        place = first + share * (last - first)
        return 10.0**place if self.log else place

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
        if self.ticks is not None:
            settings |= {"tickvals": list(self.ticks), "ticktext": [f"{tick:g}" for tick in self.ticks]}
        return axis(self.words, **settings)


@dataclass(frozen=True, eq=False)
class Line:
    """Values ``y`` (n,) at ``x`` (n,).

    Attributes:
        name: in the legend, before the kind of bound.
        x: positions.
        y: values.
        color: of what it is about.
        bound: how it relates to the truth; it decides the dash. None where the line is none of ours; one with crosses
            does not hold.
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

    @classmethod
    def of_power(cls, name: str, curve: TradeOffCurve, color: str, symbol: str = "") -> "Line":
        """Its true positive rate, with the bracket of a certified one."""
        band = None
        if curve.lower is not None and curve.upper is not None:
            band = curve.upper.power, curve.lower.power
        return cls(name, curve.alpha, curve.power, color, curve.bound, symbol, band)

    @classmethod
    def guessing(cls, ends: tuple[float, float], *, falls: bool = False) -> "Line":
        """What guessing reaches: as much as it was before, or of errors the rest of one."""
        x = np.array(ends)
        return cls("guessing", x, 1.0 - x if falls else x, theme.NEUTRAL, None)


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
    across: LineAxis, up: LineAxis, lines: Sequence[Line], dots: Sequence[Dots] = (), blind: Line | None = None
) -> go.Figure:
    """All ``lines`` and ``dots``; ``blind`` is what guessing reaches, a thin line to compare with."""
    traces = _blind(blind, across, up, [*lines, *dots]) if blind else []
    for line in lines:
        traces += _drawn(line, across, up)
    traces += [_dotted(one) for one in dots]
    return assemble(traces, {"xaxis": across.settings, "yaxis": up.settings, "height": _HEIGHT, "legend": LEGEND})


def _blind(blind: Line, across: LineAxis, up: LineAxis, others: Sequence[Line | Dots]) -> list[Part]:
    """A thin line with its name on it: an entry of the legend would be a row on a telephone."""
    parts = (blind, *others)
    own, *drawn = zip(across.shares([one.x for one in parts]), up.shares([one.y for one in parts]), strict=True)
    lines, dots = (
        [place for place, one in zip(drawn, others, strict=True) if isinstance(one, kind)] for kind in (Line, Dots)
    )
    sides = ("top", "bottom") if blind.y[-1] < blind.y[0] else ("bottom", "top")  # errors lie below it, hits above
    spots: dict[Spot, tuple[float, str]] = {}
    for corner in (f"{side} {end}" for side in sides for end in ("right", "left")):
        for share in _ALONG:
            x, y = (float(np.interp(share, (0.0, 1.0), ends[[0, -1]])) for ends in own)
            spots[Spot(x, y, *_CORNERS[corner])] = share, corner
    share, corner = spots[FreePlaces.beside([own, *lines], dots).best(blind.name, list(spots))]
    x, y = across.between(blind.x, share), up.between(blind.y, share)
    return [
        reference(blind.x.tolist(), blind.y.tolist(), blind.name) | {"showlegend": False},
        label(x, y, blind.name, theme.NEUTRAL, corner),
    ]


def _drawn(line: Line, across: LineAxis, up: LineAxis) -> list[Part]:
    said = line.name if line.bound is None else theme.legend_name(line.name, line.bound)
    dash = theme.DASH[line.bound] if line.bound else theme.NOT_VALID_DASH if line.symbol == "x" else "dash"
    x, y = across.shares([line.x])[0], up.shares([line.y])[0]
    kept = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
    if len(kept) > _POINTS:  # as it is seen, so that its marks lie evenly
        kept = kept[evenly(x[kept], y[kept], _POINTS)]
    own = trace(
        line.x[kept],
        line.y[kept],
        name=line.name if line.bound is Bound.EXACT else said,
        line={"color": line.color, "width": 2 if line.symbol else 4, "dash": dash},
        hovertemplate=f"%{{x:.4~g}}: %{{y:.4~g}}<extra>{said}</extra>",
    )
    if line.symbol:
        marker = {"color": line.color, "size": 9, "symbol": line.symbol, "maxdisplayed": _MARKS}
        own |= {"mode": "lines+markers", "marker": marker}
    return [own] if line.band is None else [*band(line.x, *line.band, line.color), own]


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
