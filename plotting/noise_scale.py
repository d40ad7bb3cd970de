"""Noise scale against the wanted eta, for data on which differential privacy needs very much (paper 002 Fig. 1)."""

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from numerics.trade_off import Bound, Floats
from plotting import theme
from plotting.assembly import LEGEND, LOG, Part, assemble, axis, trace

WANTED = "Wanted η — accuracy above guessing"
SCALE = "Noise scale b"


@dataclass(frozen=True, eq=False)
class ScaleCurve:
    """Noise ``scale`` (n,) that is enough for ``eta`` (n,), ascending; ``private`` where it is differential privacy."""

    label: str
    eta: Floats
    scale: Floats
    private: bool


@dataclass(frozen=True)
class Crossing:
    """Where the paper's line for a ``spread`` (its label) meets that of differential privacy for ``records``."""

    records: int
    spread: str
    eta: float
    scale: float


def noise_scale_figure(curves: Sequence[ScaleCurve], crossings: Sequence[Crossing]) -> go.Figure:
    """All curves on logarithmic axes, with their crossings marked."""
    private = [curve for curve in curves if curve.private]
    others = [curve for curve in curves if not curve.private]
    traces = [_private(curve, index) for index, curve in enumerate(private)]
    traces += [_membership(curve, index) for index, curve in enumerate(others)]
    traces.append(_crossings(crossings))
    room = {"height": 540, "legend": LEGEND}
    return assemble(traces, {"xaxis": axis(WANTED, **LOG), "yaxis": axis(SCALE, **LOG), **room})


def _line(curve: ScaleCurve, color: str, width: float) -> Part:
    return trace(
        curve.eta,
        curve.scale,
        name=curve.label,
        line={"color": color, "width": width, "dash": theme.DASH[Bound.LOWER]},
        hovertemplate=f"{curve.label}: η = %{{x:.3~g}} takes b = %{{y:.4~g}}<extra></extra>",
    )


def _private(curve: ScaleCurve, index: int) -> Part:
    """One hue for all of them, told apart by their markers."""
    color = theme.KNOWS_ALL
    return _line(curve, color, 1.5) | {
        "mode": "lines+markers",
        "line": {"color": color, "width": 1.5, "dash": theme.DASH[Bound.EXACT]},
        "marker": {"symbol": theme.marker(index), "size": 7, "maxdisplayed": 8},
    }


def _membership(curve: ScaleCurve, index: int) -> Part:
    """One hue again: by each guarantee's dash."""
    dashes = ("dash", "longdash", "dashdot")
    line = {"color": theme.DRAW_UNKNOWN, "width": 3.0, "dash": dashes[index % len(dashes)]}
    return _line(curve, theme.DRAW_UNKNOWN, 3.0) | {"line": line}


def _crossings(crossings: Sequence[Crossing]) -> Part:
    return trace(
        [crossing.eta for crossing in crossings],
        [crossing.scale for crossing in crossings],
        text=[f"n = {crossing.records}, {crossing.spread}" for crossing in crossings],
        mode="markers",
        name="crossing",
        marker={"size": 9, "symbol": "x-thin", "line": {"width": 2.5, "color": theme.NEUTRAL}},
        hovertemplate="%{text}: η = %{x:.4~g}<extra></extra>",
    )
