"""Figures of sweeps: with every strategy on them, frontiers that hold, names as text, and odd numbers."""

from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from numerics.pareto import Averages, Better, elbow, hull, non_dominated, oriented
from plotting.landscape import MOST_KINDS, landscape_figure
from plotting.landscape_axes import share
from plotting.strategies import MANY, Goal, Landscape, literal
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


@pytest.mark.parametrize("is_log", [False, True])
def test_names_on_the_frontier_hide_no_point_and_no_other_name_the_chosen_one_first(is_log: bool) -> None:
    shown = landscape(40, is_log=is_log)
    size = np.array([230.0, 180.0])  # pixels of the axes on a telephone
    across, up = (share(goal, goal.runs.mean) for goal in (shown.privacy, shown.utility))
    seen = np.column_stack([across, up]) * size
    for chosen in np.flatnonzero(shown.corners):
        notes = drawn(replace(shown, chosen=int(chosen), elbow=None)).layout.annotations
        said = [note for note in notes if note.name == "frontier"]
        assert said[0].text == f"<b>name {chosen}</b>"
        boxes = []
        for note in said:
            place = int(note.text.removeprefix("<b>name ").removesuffix("</b>"))
            wide = 7.0 * len(f"name {place}") * (1.0 if note.xanchor == "left" else -1.0)
            near = seen[place] + np.array([note.ax, -note.ay])
            far, half = near + np.array([wide, 0.0]), np.array([0.0, 8.0])
            boxes.append((np.minimum(near, far) - half, np.maximum(near, far) + half))
        for low, high in boxes[1:]:  # the chosen one is said wherever that hides least
            assert not ((seen > low + 1.0) & (seen < high - 1.0)).all(axis=1).any()
        for (low, high), (other_low, other_high) in combinations(boxes, 2):
            assert (low >= other_high).any() or (other_low >= high).any()


def test_axes_that_are_fixed_stay_whatever_the_data_and_nonsense_does_not_count() -> None:
    for count in (5, 80):
        shown = landscape(count, is_log=True)
        held = replace(
            shown, privacy=replace(shown.privacy, ends=(0.01, 100.0)), utility=replace(shown.utility, ends=(0.0, 2.0))
        )
        layout = drawn(held).layout
        assert [*layout.xaxis.range, *layout.yaxis.range] == pytest.approx([-2.0, 2.0, 0.0, 2.0])
    for ends in ((5.0, 1.0), (-1.0, None), (0.0, 0.0)):
        odd = replace(shown, privacy=replace(shown.privacy, ends=ends))
        assert drawn(odd).layout.xaxis.range == drawn(shown).layout.xaxis.range


def test_densities_hold_every_kind_and_many_points_are_left_to_the_graphics_card() -> None:
    densities = [one for one in drawn(landscape(60, 3)).data if one.fill]
    assert len(densities) == 6
    for one in densities:
        along, height = (one.x, one.y) if one.fill == "tozeroy" else (one.y, one.x)
        assert float(np.sum(height) * (along[1] - along[0])) == pytest.approx(1.0, abs=0.3)  # the rest is cut off
    assert not [one for one in drawn(landscape(4, 2)).data if one.fill]  # too few for any
    assert {one.type for one in points(drawn(landscape(MANY + 1)))} == {"scattergl"}


@pytest.mark.parametrize(
    ("utility", "privacy"),
    [([0.5], [0.0]), ([0.5, 0.5], [1.0, 1.0]), ([1e16, 1e16 + 2], [1e90, -1e90]), ([1e-300, 0], [1, 2])],
)
def test_odd_ranges(utility: list[float], privacy: list[float]) -> None:
    runs = [Averages(*(np.array(values * 2, dtype=float),) * 3) for values in (utility, privacy)]
    goals = runs[0].mean, -runs[1].mean
    nothing, names = ("",) * len(goals[0]), ("name",) * len(goals[0])
    two = Goal("u", Better.HIGHER, runs[0]), Goal("p", Better.LOWER, runs[1])
    corners = hull(*goals)
    figure = drawn(Landscape(*two, nothing, names, non_dominated(*goals), corners, elbow(*goals), names, corners))
    for axis in (figure.layout.xaxis, figure.layout.yaxis):
        assert axis.range[0] < axis.range[1]
    assert all(np.isfinite(one.x).all() for one in figure.data if one.fill)


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
