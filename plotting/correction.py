"""A formula that does not hold beside the one that does: the first is dotted with crosses."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import plotly.graph_objects as go

from numerics.trade_off import Bound, Floats
from plotting import theme
from plotting.assembly import LOG, Part, assemble, axis, laid_out, trace

DOES_NOT_HOLD = "does not hold"

_CROSSES = 12
_HEIGHT = 320


@dataclass(frozen=True)
class CorrectionAxis:
    """One axis: its title in words, and whether it counts powers of ten."""

    words: str
    log: bool = False
    decimals: Literal[".3~g", ".3~p"] = ".3~g"


@dataclass(frozen=True, eq=False)
class DrawnLine:
    """Values (n,) of one formula; ``bound`` is None where it is not what holds, and its name then says so."""

    name: str
    values: Floats
    bound: Bound | None


@dataclass(frozen=True)
class Deciding:
    """A value from elsewhere that tells the formulas apart, with its standard error, 0 where it is exact."""

    x: float
    value: float
    error: float
    name: str


def correction_figure(
    across: CorrectionAxis,
    height: CorrectionAxis,
    x: Floats,
    lines: Sequence[DrawnLine],
    deciding: Sequence[Deciding] = (),
) -> go.Figure:
    """All ``lines`` over ``x`` (n,), and the values that decide between them."""
    right = [line for line in lines if line.bound is not None]
    order = {id(line): index for index, line in enumerate(right)}
    traces = [_line(across, height, x, line, order.get(id(line), 0)) for line in lines]
    traces += [_point(point) for point in deciding]
    layout = laid_out(axis(across.words, **_kind(across)), axis(height.words, **_kind(height)), _HEIGHT)
    return assemble(traces, layout)


def _kind(scale: CorrectionAxis) -> Part:
    return {**LOG, "dtick": 1} if scale.log else {}


def _line(across: CorrectionAxis, height: CorrectionAxis, x: Floats, line: DrawnLine, index: int) -> Part:
    doubted = line.bound is None
    color = theme.NOT_VALID if doubted else theme.color((0, 2, 3)[index % 3])
    drawn = np.where(line.values > 0.0, line.values, np.nan) if height.log else line.values
    name = line.name if line.bound is None else theme.legend_name(line.name, line.bound)
    part = trace(
        x,
        drawn,
        name=name,
        mode="lines+markers" if doubted else "lines",
        line={"color": color, "width": 2.5 if doubted else 3, "dash": _dash(line)},
        hovertemplate=f"%{{x:{across.decimals}}}: %{{y:.4~g}}<extra>{name}</extra>",
    )
    if doubted:
        part["marker"] = {"color": color, "size": 8, "symbol": "x", "maxdisplayed": _CROSSES}
    return part


def _dash(line: DrawnLine) -> str:
    return theme.NOT_VALID_DASH if line.bound is None else theme.DASH[line.bound]


def _point(point: Deciding) -> Part:
    part = trace(
        [point.x],
        [point.value],
        name=point.name,
        mode="markers",
        marker={"color": theme.NEUTRAL, "size": 12, "symbol": "diamond-open", "line": {"width": 3}},
        hovertemplate=f"%{{x:.4~g}}: %{{y:.5~g}}<extra>{point.name}</extra>",
    )
    if point.error:
        part["error_y"] = {"type": "constant", "value": 2.0 * point.error, "color": theme.NEUTRAL, "thickness": 2}
    return part
