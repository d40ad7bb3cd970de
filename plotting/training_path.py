"""How training went on: accuracy over what is certified for the steps so far."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from numerics.trade_off import Bound, Floats
from plotting import theme
from plotting.assembly import Part, assemble, axis, band, laid_out, trace
from plotting.training import Baseline, flat, permitted_axis, utility_range

_SHADES = (0.5, 0.65, 0.8)  # of levels that are not in force: strict to loose


@dataclass(frozen=True, eq=False)
class Path:
    """One level along its training, (n,) each, in the order of the steps.

    Attributes:
        name: of the level.
        promised: what is guaranteed of so many steps.
        middle: what is drawn as the line.
        low: lower end of the band.
        high: upper end of the band.
        said: what a point says when looked at.
        color: of the attacker against whom all levels protect.
        place: of the level among those drawn, which its marker and the shade of its line tell.
        chosen: whether this is the level in force, which is drawn thicker.
    """

    name: str
    promised: Floats
    middle: Floats
    low: Floats
    high: Floats
    said: Sequence[str]
    color: str
    place: int
    chosen: bool


def path_figure(paths: Sequence[Path], baseline: Baseline | None, promised: str, utility: str) -> go.Figure:
    """Utility over what is guaranteed so far, a marker for every checkpoint; what is guaranteed is certified.

    The level in force is drawn over the others, and named where it is among them.
    """
    bottom = min(path.low.min() for path in paths)
    traces: list[Part] = []
    if baseline is not None:
        every = np.concatenate([path.promised for path in paths])
        traces += flat(baseline, every)
        bottom = min(bottom, baseline.low)
    traces += [part for path in paths for part in band(path.promised, path.low, path.high, path.color)]
    lines = [_path_line(path) | {"legendrank": rank} for rank, path in enumerate(paths)]
    traces += sorted(lines, key=lambda line: float(line["line"]["width"]))
    layout = laid_out(permitted_axis(promised), axis(utility, tickformat=".0%", range=utility_range(bottom)), 460)
    return assemble(traces, layout)


def _path_line(path: Path) -> Part:
    color = path.color if path.chosen else theme.shade(path.color, _SHADES[path.place % len(_SHADES)])
    return trace(
        path.promised,
        path.middle,
        mode="lines+markers",
        name=path.name,
        line={"color": color, "width": 4 if path.chosen else 2, "dash": theme.DASH[Bound.CERTIFIED]},
        marker={"color": color, "size": 7, "symbol": theme.marker(path.place)},
        text=list(path.said),
        hovertemplate="%{text}<extra></extra>",
    )
