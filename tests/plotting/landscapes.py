"""Landscapes of strategies to draw, and what is found in their figures."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from numerics.pareto import Averages, Better, elbow, hull, non_dominated, oriented
from plotting.landscape import landscape_figure
from plotting.strategies import Goal, Landscape


def landscape(
    count: int, kinds: int = 2, is_log: bool = False, better: Better = Better.LOWER, **names: str
) -> Landscape:
    rng = np.random.default_rng(5)
    utility, privacy = rng.random(count), 0.1 + rng.random(count)
    goals = utility, oriented(privacy, better)
    corners = hull(*goals)
    said = tuple(f"{names.get('name', 'name')} {place}" for place in range(count))
    return Landscape(
        Goal(names.get("utility", "accuracy"), Better.HIGHER, Averages(utility, utility - 0.05, utility + 0.05)),
        Goal(names.get("privacy", "epsilon"), better, Averages(privacy, privacy, privacy), is_log),
        tuple(f"{names.get('kind', 'kind')} {place % kinds}" for place in range(count)),
        said,
        non_dominated(*goals),
        corners,
        elbow(*goals),
        said,
        corners,
        has_densities=True,
    )


def drawn(shown: Landscape) -> tuple[go.Figure, list[Any]]:
    figure = landscape_figure(shown)
    go.Figure(figure.to_dict())  # pages skip Plotly's own check of attributes; here it runs
    return figure, list(figure.data)


def points(traces: list[Any]) -> list[Any]:
    return [trace for trace in traces if trace.customdata is not None]


def names(figure: go.Figure) -> list[Any]:
    layout: Any = figure.layout
    return [one for one in layout.annotations if one.name == "frontier"]


def line(traces: list[Any], name: str) -> Any:
    (found,) = (trace for trace in traces if trace.name == name)
    return found
