"""Figures of sweeps: valid, with every strategy on them, names as text, and many points for the graphics card."""

from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from numerics.pareto import Averages, Better, elbow, hull, non_dominated, oriented
from plotting.landscape import MOST_KINDS
from plotting.landscape_axes import share
from plotting.strategies import MANY, Goal, GoalLimit, Landscape, literal
from tests.plotting.landscapes import drawn, landscape, line, names, points

MARKUP = "<b>n</b> %{x} &lt; $y$"


@pytest.mark.parametrize("kinds", [1, 2, 5, 40, MOST_KINDS, MOST_KINDS + 8])
def test_every_strategy_is_a_point_of_its_kind_with_a_look_of_its_own(kinds: int) -> None:
    shown = landscape(80, kinds)
    groups = points(drawn(shown)[1])
    assert len(groups) == min(kinds, MOST_KINDS)
    assert sorted(np.concatenate([trace.customdata for trace in groups])) == list(range(80))
    looks = {(trace.marker.color, trace.marker.symbol) for trace in groups}
    assert len(looks) == len(groups)
    for trace in groups[: MOST_KINDS - 1]:
        members = [place for place, kind in enumerate(shown.kinds) if kind == trace.name]
        assert trace.x.tolist() == shown.privacy.runs.mean[members].tolist()
        assert trace.y.tolist() == shown.utility.runs.mean[members].tolist()


def test_looks_follow_the_order_in_which_names_come_and_not_how_many_there_are() -> None:
    shown = landscape(60, 3)
    before = {trace.name: (trace.marker.color, trace.marker.symbol) for trace in points(drawn(shown)[1])}
    assert list(before) == ["kind 0", "kind 1", "kind 2"]
    fewer = replace(
        shown,
        kinds=tuple("kind 2" if kind == "kind 1" and place > 10 else kind for place, kind in enumerate(shown.kinds)),
    )
    after = {trace.name: (trace.marker.color, trace.marker.symbol) for trace in points(drawn(fewer)[1])}
    assert after == before


@pytest.mark.parametrize("is_hull", [True, False])
def test_the_frontier_in_force_is_drawn_bold_and_its_points_larger(is_hull: bool) -> None:
    shown = landscape(40)
    mask = shown.corners if is_hull else shown.not_dominated
    traces = drawn(replace(shown, frontier=mask))[1]
    widths = {name: line(traces, name).line.width for name in ("convex hull", "not dominated")}
    assert max(widths, key=lambda name: float(widths[name])) == ("convex hull" if is_hull else "not dominated")
    for trace in points(traces):
        large = np.asarray(trace.marker.size) > min(trace.marker.size)
        assert set(trace.customdata[large]) <= set(np.flatnonzero(mask))


@pytest.mark.parametrize("is_log", [False, True])
def test_names_on_the_frontier_hide_no_point_and_no_other_name_the_chosen_one_first(is_log: bool) -> None:
    shown = landscape(40, is_log=is_log)
    size = np.array([230.0, 180.0])  # pixels of the axes on a telephone
    across, up = (share(goal, goal.runs.mean) for goal in (shown.privacy, shown.utility))
    for chosen in np.flatnonzero(shown.corners):
        figure, traces = drawn(replace(shown, chosen=int(chosen), elbow=None))
        said = names(figure)
        assert said[0].text == f"<b>name {chosen}</b>"
        assert len({one.text for one in said}) == len(said) <= 6
        boxes = []
        for one in said:
            place = int(one.text.removeprefix("<b>name ").removesuffix("</b>"))
            assert [one.x, one.y] == [float(g.placed(g.runs.mean)[place]) for g in (shown.privacy, shown.utility)]
            wide = 7.0 * len(f"name {place}") * (1.0 if one.xanchor == "left" else -1.0)
            near = np.array([across[place], up[place]]) * size + np.array([one.ax, -one.ay])
            far = near + np.array([wide, 0.0])
            half = np.array([0.0, 8.0])
            boxes.append((np.minimum(near, far) - half, np.maximum(near, far) + half))
        for low, high in boxes[1:]:  # the chosen one is said wherever that hides least
            seen = np.column_stack([across, up]) * size
            assert not ((seen > low + 1.0) & (seen < high - 1.0)).all(axis=1).any()
        for (low, high), (other_low, other_high) in combinations(boxes, 2):
            assert (low >= other_high).any() or (other_low >= high).any()
        assert list(line(traces, "chosen").x) == [shown.privacy.runs.mean[chosen]]


@pytest.mark.parametrize("is_log", [False, True])
@pytest.mark.parametrize("better", list(Better))
def test_the_limit_shades_what_is_beyond_it(is_log: bool, better: Better) -> None:
    shown = replace(landscape(40, is_log=is_log, better=better), limit=GoalLimit(0.5, True, "my limit, 0.5"))
    figure, _ = drawn(shown)
    area, mark = figure.layout.shapes
    assert mark.x0 == mark.x1 == pytest.approx(0.5)
    low, high = (10.0**end if is_log else end for end in figure.layout.xaxis.range)
    beyond = (0.5, high) if better is Better.LOWER else (low, 0.5)
    assert (area.x0, area.x1) == pytest.approx(beyond)
    assert figure.layout.annotations[0].text == "my limit, 0.5"
    outside = replace(shown, limit=GoalLimit(99.0, True, ""))
    assert not drawn(outside)[0].layout.shapes


def test_axes_that_are_fixed_stay_whatever_the_data_and_nonsense_does_not_count() -> None:
    for count in (5, 80):
        shown = landscape(count, is_log=True)
        held = replace(
            shown, privacy=replace(shown.privacy, ends=(0.01, 100.0)), utility=replace(shown.utility, ends=(0.0, 2.0))
        )
        figure = drawn(held)[0]
        assert list(figure.layout.xaxis.range) == pytest.approx([-2.0, 2.0])
        assert list(figure.layout.yaxis.range) == [0.0, 2.0]
    usual = list(drawn(shown)[0].layout.xaxis.range)
    for ends in ((5.0, 1.0), (-1.0, None), (0.0, 0.0)):
        odd = replace(shown, privacy=replace(shown.privacy, ends=ends))
        assert list(drawn(odd)[0].layout.xaxis.range) == usual


def test_a_legend_names_few_kinds_and_stands_below() -> None:
    few: Any = drawn(landscape(60, 12))[0].layout
    many: Any = drawn(landscape(60, 13))[0].layout
    assert (few.showlegend, many.showlegend) == (True, False)
    assert few.legend.y < 0.0
    below = few.height - few.margin.t - few.margin.b  # pixels of the plot, as the legend's place counts them
    room = few.margin.b + below * few.legend.y
    assert room >= 24 * 12 / 2 - 8  # two kinds in a row on a telephone, and nothing has to give way
    listed: Any = drawn(landscape(60, 12))[0].data
    assert not [one.name for one in listed if one.name == "convex hull" and one.showlegend]


@pytest.mark.parametrize("better", list(Better))
def test_frontiers_and_elbow(better: Better) -> None:
    shown = landscape(40, better=better)
    traces = drawn(shown)[1]
    step, straight, ring = (line(traces, name) for name in ("not dominated", "convex hull", "elbow"))
    assert sorted(step.x) == sorted(shown.privacy.runs.mean[shown.not_dominated])
    assert sorted(straight.y) == sorted(shown.utility.runs.mean[shown.corners])
    assert step.line.shape == ("hv" if better is Better.LOWER else "vh")
    assert shown.elbow is not None
    assert list(ring.x) == [shown.privacy.runs.mean[shown.elbow]]
    # What the step says is what some strategy has: nobody lies above it.
    privacy, utility = oriented(shown.privacy.runs.mean, better), shown.utility.runs.mean
    for level, height in zip(step.x, step.y, strict=True):
        assert height == utility[privacy >= oriented(np.array([level]), better)[0]].max()


def test_a_logarithmic_axis_bends_the_hull() -> None:
    shown = landscape(40, is_log=True)
    figure, traces = drawn(shown)
    straight = line(traces, "convex hull")
    order = np.argsort(shown.privacy.runs.mean[shown.corners])
    corners = shown.privacy.runs.mean[shown.corners][order], shown.utility.runs.mean[shown.corners][order]
    assert straight.y == pytest.approx(np.interp(straight.x, *corners), rel=1e-12)
    assert len(straight.x) > len(order)
    assert figure.layout.xaxis.type == "log"


def test_bars_go_from_the_smallest_to_the_largest_run() -> None:
    shown = landscape(3, 1)
    (bars,) = (
        trace for trace in drawn(shown)[1] if trace.hoverinfo == "skip" and trace.line.width == 1 and not trace.name
    )
    assert bars.y.reshape(-1, 3)[:, 0] == pytest.approx(shown.utility.runs.low)
    assert bars.y.reshape(-1, 3)[:, 1] == pytest.approx(shown.utility.runs.high)
    assert np.isnan(bars.y[2::3]).all()


def test_each_kind_has_a_density_beside_both_axes() -> None:
    densities = [trace for trace in drawn(landscape(60, 3))[1] if trace.fill]
    assert len(densities) == 6
    for trace in densities:
        along, height = (trace.x, trace.y) if trace.fill == "tozeroy" else (trace.y, trace.x)
        assert float(np.sum(height) * (along[1] - along[0])) == pytest.approx(1.0, abs=0.3)  # the rest is cut off
        assert (height >= 0.0).all()
    assert not [trace for trace in drawn(landscape(4, 2))[1] if trace.fill]  # too few for any
    assert not [trace for trace in drawn(replace(landscape(60, 3), has_densities=False))[1] if trace.fill]


def test_many_points_are_left_to_the_graphics_card() -> None:
    shown = landscape(MANY + 1)
    traces = drawn(shown)[1]
    assert {trace.type for trace in points(traces)} == {"scattergl"}
    bars = [trace for trace in traces if trace.hoverinfo == "skip" and trace.line.width == 1 and not trace.name]
    assert sum(len(trace.x) for trace in bars) == 3 * int(shown.not_dominated.sum())


@pytest.mark.parametrize(
    ("utility", "privacy"),
    [
        ([0.5], [0.0]),
        ([0.0], [0.0]),
        ([0.5, 0.5], [1.0, 1.0]),
        ([1e16, 1e16 + 2], [1e90, -1e90]),
        ([1e-300, 0], [1, 2]),
    ],
)
def test_odd_ranges(utility: list[float], privacy: list[float]) -> None:
    runs = [Averages(*(np.array(values * 2, dtype=float),) * 3) for values in (utility, privacy)]
    goals = runs[0].mean, -runs[1].mean
    nothing, named = ("",) * len(goals[0]), ("name",) * len(goals[0])
    two = Goal("u", Better.HIGHER, runs[0]), Goal("p", Better.LOWER, runs[1])
    corners = hull(*goals)
    shown = Landscape(*two, nothing, named, non_dominated(*goals), corners, elbow(*goals), named, corners)
    figure, traces = drawn(shown)
    for axis in (figure.layout.xaxis, figure.layout.yaxis):
        assert axis.range[0] < axis.range[1]
    assert all(np.isfinite(trace.x).all() for trace in traces if trace.fill)


def test_names_are_text() -> None:
    """Plotly reads markup, entities and templates; none of a stranger's may be left."""
    figure, traces = drawn(landscape(6, 1, utility=MARKUP, privacy=MARKUP, kind=MARKUP, name=MARKUP))
    spelled = literal(MARKUP)
    assert spelled == "&lt;b&gt;n&lt;/b&gt; %&#123;x} &amp;lt; $y$"
    (trace,) = points(traces)
    assert trace.name == literal(f"{MARKUP} 0")
    assert trace.text[0].startswith(spelled)
    assert trace.hovertemplate.count(spelled) == 2
    assert figure.layout.xaxis.title.text == f"{spelled} — lower is better"
    assert names(figure)
    assert all(spelled in one.text for one in names(figure))
