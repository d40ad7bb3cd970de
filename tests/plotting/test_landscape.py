"""Figures of sweeps: with every strategy on them, frontiers that hold, and names as text."""

from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from numerics.pareto import Better, oriented
from plotting.landscape import MOST_KINDS, landscape_figure
from plotting.strategies import MANY, Landscape, literal
from tests.plotting.figures import landscape

MARKUP = "<b>n</b> %{x} &lt; $y$"


def drawn(shown: Landscape) -> Any:
    figure = landscape_figure(shown)
    go.Figure(figure.to_dict())  # pages skip Plotly's own check of attributes; here it runs
    return figure


def points(figure: Any) -> list[Any]:
    return [one for one in figure.data if one.customdata is not None]


def named(figure: Any, name: str) -> Any:
    (found,) = (one for one in figure.data if one.name == name)
    return found


@pytest.mark.parametrize("kinds", [1, 5, 40, MOST_KINDS + 8])
def test_every_strategy_is_a_point_of_its_kind_with_a_look_of_its_own(kinds: int) -> None:
    shown = landscape(80, kinds)
    groups = points(drawn(shown))
    assert len(groups) == min(kinds, MOST_KINDS)
    assert sorted(np.concatenate([one.customdata for one in groups])) == list(range(80))
    assert len({(one.marker.color, one.marker.symbol) for one in groups}) == len(groups)
    for one in groups[: MOST_KINDS - 1]:
        members = [place for place, kind in enumerate(shown.kinds) if kind == one.name]
        assert one.x.tolist() == shown.privacy.runs.mean[members].tolist()
        assert one.y.tolist() == shown.utility.runs.mean[members].tolist()
    assert {one.type for one in points(drawn(landscape(MANY + 1)))} == {"scattergl"}  # of the graphics card
    assert drawn(landscape(60, kinds)).layout.showlegend is (kinds == 5)  # names of few kinds


@pytest.mark.parametrize("is_log", [False, True])
@pytest.mark.parametrize("better", list(Better))
def test_frontiers_claim_what_some_strategy_has(better: Better, is_log: bool) -> None:
    shown = landscape(40, better=better, is_log=is_log)
    step, straight, ring = (named(drawn(shown), name) for name in ("not dominated", "convex hull", "elbow"))
    assert step.line.shape == ("hv" if better is Better.LOWER else "vh")
    privacy, utility = oriented(shown.privacy.runs.mean, better), shown.utility.runs.mean
    for level, height in zip(step.x, step.y, strict=True):
        assert height == utility[privacy >= oriented(np.array([level]), better)[0]].max()
    order = np.argsort(shown.privacy.runs.mean[shown.corners])  # a logarithmic axis bends the hull
    corners = shown.privacy.runs.mean[shown.corners][order], utility[shown.corners][order]
    along = np.argsort(straight.x)
    assert straight.y[along] == pytest.approx(np.interp(straight.x[along], *corners), rel=1e-12)
    assert shown.elbow is not None
    assert list(ring.x) == [shown.privacy.runs.mean[shown.elbow]]


def test_names_are_text() -> None:
    """Plotly reads markup, entities and templates; none of a stranger's may be left."""
    figure = drawn(landscape(6, 1, utility=MARKUP, privacy=MARKUP, kind=MARKUP, name=MARKUP))
    spelled = literal(MARKUP)
    assert spelled == "&lt;b&gt;n&lt;/b&gt; %&#123;x} &amp;lt; $y$"
    (one,) = points(figure)
    assert one.name == literal(f"{MARKUP} 0")
    assert one.text[0].startswith(spelled)
    assert one.hovertemplate.count(spelled) == 2
    assert figure.layout.xaxis.title.text == f"{spelled} — lower is better"
    assert all(spelled in note.text for note in figure.layout.annotations if note.name == "frontier")
