"""Figures: what is drawn, how it is told apart, and what the axes say. Every figure is valid Plotly."""

from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest

from numerics.mechanisms import Gaussian
from numerics.trade_off import Bound, Bracket, Floats, Order, TradeOffCurve, alpha_grid
from plotting import theme
from plotting.curves import CLICKED, Axes, EstimatedCurve, OperatingPoint, apart, line
from plotting.power import PowerCurve, power_figure
from plotting.profile import ProfileCurve, profile_figure
from plotting.trade_off import FALSE_ACCUSED, FOUND, MISSED, shown, trade_off_figure

ALPHA = alpha_grid(101)
POINT = OperatingPoint(0.01, Bracket(0.09, 0.1, 0.11))
SINGLE = 1e-6  # coordinates are sent in single precision


def exact_curve(label: str = "exact one") -> TradeOffCurve:
    return TradeOffCurve(ALPHA, 1.0 - np.sqrt(ALPHA), np.sqrt(ALPHA), Bound.EXACT, label)


def certified_curve() -> TradeOffCurve:
    def side(scale: float, bound: Bound) -> TradeOffCurve:
        power = np.minimum(scale * np.sqrt(ALPHA), 1.0)
        return TradeOffCurve(ALPHA, 1.0 - power, power, bound, "certified one")

    middle = side(1.0, Bound.CERTIFIED)
    sides = side(1.01, Bound.LOWER), side(0.99, Bound.UPPER)
    return TradeOffCurve(ALPHA, middle.beta, middle.power, Bound.CERTIFIED, middle.label, (), *sides)


def estimate(error: Floats | None = None) -> EstimatedCurve:
    return EstimatedCurve(TradeOffCurve(ALPHA, 1.0 - ALPHA, ALPHA, Bound.ESTIMATE, "CLT"), error)


def traces(figure: go.Figure) -> dict[str, go.Scatter]:
    return {trace.name: trace for trace in figure.data if trace.name}


def check_validity(figure: go.Figure) -> None:
    """Pages skip Plotly's own check of attributes; here it runs."""
    go.Figure(figure.to_dict())


@pytest.mark.parametrize("axes", Axes)
@pytest.mark.parametrize("largest", [1.0, 0.01])
def test_trade_off_figure_is_valid_and_shows_only_its_window(axes: Axes, largest: float) -> None:
    extra = [exact_curve("pinned")], [estimate(), estimate(np.full(ALPHA.shape, 0.05))]
    figure = trade_off_figure(certified_curve(), POINT, axes, largest, *extra)
    check_validity(figure)
    drawn = [np.asarray(trace.x, dtype=float) for trace in figure.data]
    assert max(float(x.max()) for x in drawn) <= largest * (1 + SINGLE)
    values = np.concatenate([np.asarray(trace.y, dtype=float) for trace in figure.data])
    assert np.all((values >= 0.0) & (values <= 1.0))


def test_linear_axes_show_the_missed_and_log_axes_the_found() -> None:
    linear = trade_off_figure(exact_curve(), POINT, Axes.LINEAR)
    log = trade_off_figure(exact_curve(), POINT, Axes.LOG)
    assert linear.layout.yaxis.title.text == MISSED
    assert log.layout.yaxis.title.text == FOUND
    assert (log.layout.xaxis.type, log.layout.yaxis.type) == ("log", "log")
    spot = traces(linear)["operating point"], traces(log)["operating point"]
    assert (spot[0].y[0], spot[1].y[0]) == pytest.approx((0.89, 0.11))
    assert np.all(np.asarray(traces(log)["exact one (exact)"].x) > 0.0)


@pytest.mark.parametrize("axes", Axes)
def test_where_the_attack_clears_people_the_figure_speaks_of_clearing(axes: Axes) -> None:
    figure = trade_off_figure(exact_curve(), POINT, axes, pinned=[exact_curve("pinned")], order=Order.REMOVE)
    across, up = str(figure.layout.xaxis.title.text), str(figure.layout.yaxis.title.text)
    assert across.startswith("Members wrongly cleared")
    assert up.startswith("Outsiders ruled out" if axes is Axes.LOG else "Outsiders not ruled out")
    assert str(traces(figure)["pinned (exact)"].hovertemplate).startswith("Wrongly clearing")
    assert trade_off_figure(exact_curve(), POINT, axes, order=Order.SYMMETRIC).layout.xaxis.title.text == FALSE_ACCUSED


def test_legend_gives_every_phase_a_line() -> None:
    figure = trade_off_figure(exact_curve("Gaussian, noise 1; then Gaussian, noise 2"), POINT)
    assert "Gaussian, noise 1;<br>then Gaussian, noise 2 (exact)" in traces(figure)


def test_operating_point_stands_at_the_guarantee() -> None:
    (found,) = traces(trade_off_figure(certified_curve(), POINT, Axes.LOG))["operating point"].y
    assert found == POINT.power.upper


def test_kind_of_bound_decides_dash_and_legend() -> None:
    drawn = traces(trade_off_figure(certified_curve(), POINT, Axes.LOG, 1.0, [exact_curve("A")], [estimate()]))
    assert drawn["certified one (certified)"].line.dash == theme.DASH[Bound.CERTIFIED] == "solid"
    assert drawn["A (exact)"].line.dash == "solid"
    assert drawn["CLT (estimate)"].line.dash == theme.DASH[Bound.ESTIMATE] == "dot"


def test_certified_band_is_filled_between_both_sides() -> None:
    figure = trade_off_figure(certified_curve(), POINT, Axes.LINEAR)
    low, high = (trace for trace in figure.data if trace.line.width == 0)
    assert high.fill == "tonexty"
    assert np.all(np.asarray(low.y) <= np.asarray(high.y) + SINGLE)
    assert not [trace for trace in trade_off_figure(exact_curve(), POINT).data if trace.fill]


def test_curves_of_one_figure_differ_in_colour_and_marker() -> None:
    pinned = [exact_curve(letter) for letter in "ABC"]
    drawn = traces(trade_off_figure(certified_curve(), POINT, Axes.LOG, 1.0, pinned))
    looks = {(drawn[f"{letter} (exact)"].line.color, drawn[f"{letter} (exact)"].marker.symbol) for letter in "ABC"}
    assert len(looks) == 3
    assert drawn["certified one (certified)"].line.color not in {color for color, _ in looks}


@pytest.mark.parametrize("axes", Axes)
def test_clicks_are_taken_by_markers_that_cannot_be_seen(axes: Axes) -> None:
    curve = Gaussian(1.0).trade_off(alpha_grid())  # as fine as on the pages
    target = traces(trade_off_figure(curve, POINT, axes))[CLICKED]
    assert target.mode == "markers"
    assert target.marker.opacity == target.unselected.marker.opacity == 0.01
    assert target.marker.maxdisplayed == 1  # all take clicks, drawn or not: test_mechanism.py in the browser
    assert len(target.x) > 80


@pytest.mark.parametrize("axes", Axes)
def test_click_targets_do_not_pile_up(axes: Axes) -> None:
    alpha = np.sort(np.concatenate([alpha_grid(2001)[1:], np.full(500, 0.5)]))
    kept = alpha[apart(alpha, axes)]
    steps = np.diff(np.log10(kept)) / 9.0 if axes is Axes.LOG else np.diff(kept)
    assert len(kept) <= 122
    assert np.median(steps) > 1 / 200


def test_hover_never_understates_what_is_found() -> None:
    curve = certified_curve()
    target = traces(trade_off_figure(curve, POINT, Axes.LOG))[CLICKED]
    drawn = line(curve, shown(Axes.LOG))
    kept = apart(drawn.x, Axes.LOG)
    count, crowd = np.asarray(target.customdata).T
    assert np.all(count / crowd >= drawn.found[kept] * (1 - SINGLE))
    assert set(crowd[drawn.found[kept] >= 1e-3]) <= {10_000.0, 100_000.0}  # as the sentence above the figure counts
    assert "at most" in target.hovertemplate
    assert "about" in traces(trade_off_figure(curve, POINT, estimates=[estimate()]))["CLT (estimate)"].hovertemplate


def test_point_outside_the_window_is_named_and_not_drawn() -> None:
    drawn = traces(trade_off_figure(exact_curve(), OperatingPoint(0.5, Bracket.exact(0.7)), Axes.LINEAR, 0.1))
    (name,) = (name for name in drawn if name.startswith("operating point"))
    assert "outside" in name
    assert np.isnan(drawn[name].x[0])


def power_curve(bound: Bound) -> PowerCurve:
    effect = np.linspace(0.1, 2.0, 12)
    middle = 0.2 * effect
    return PowerCurve(effect, middle - 0.01, middle, middle + 0.02, 0.01, bound, "others")


def test_power_figure_claims_certainty_only_at_computed_points() -> None:
    certified = traces(power_figure(power_curve(Bound.CERTIFIED), 1.0, 0.2))["others (certified at the dots)"]
    assert certified.mode == "lines+markers"
    assert np.asarray(certified.error_y.array) == pytest.approx(0.02, abs=SINGLE)
    exact = power_figure(power_curve(Bound.EXACT), 1.0, 0.2)
    check_validity(exact)
    assert traces(exact)["others (exact)"].mode == "lines"
    assert list(traces(exact)["this release"].x) == [1.0]
    assert "0.01" in exact.layout.yaxis.title.text


def test_what_the_hover_of_the_power_figure_calls_the_most_is_rounded_up() -> None:
    curve = power_curve(Bound.CERTIFIED)
    most = replace(curve, upper=np.full(len(curve.upper), 0.13125))
    drawn = traces(power_figure(most, 1.0, 0.2))["others (certified at the dots)"]
    np.testing.assert_array_equal(drawn.customdata, [[1313, 10_000]] * len(curve.upper))


def test_profile_figure_marks_the_users_delta_and_leaves_out_what_a_log_axis_cannot_show() -> None:
    epsilon = np.linspace(0.0, 4.0, 9)
    delta = np.maximum(np.exp(-4.0 * epsilon) - 1e-6, 0.0)
    curve = ProfileCurve(epsilon, 0.9 * delta, delta, 1.1 * delta, Bound.CERTIFIED)
    figure = profile_figure(curve, 1e-5, "10⁻⁵", Bracket(2.8, 2.9, 3.0))
    check_validity(figure)
    drawn = traces(figure)
    assert np.all(np.asarray(drawn["this release (certified)"].y) > 0.0)
    assert "δ = 10⁻⁵" in drawn
    assert (drawn["ε at this δ"].x[0], drawn["ε at this δ"].y[0]) == (3.0, 1e-5)
    assert not any(
        name.startswith("ε") for name in traces(profile_figure(curve, 1e-5, "10⁻⁵", Bracket(2.0, np.inf, np.inf)))
    )


def test_profile_figure_shows_published_promises_that_lie_on_it() -> None:
    epsilon = np.linspace(0.0, 4.0, 9)
    delta = np.exp(-epsilon)
    curve = ProfileCurve(epsilon, delta, delta, delta, Bound.EXACT)
    figure = profile_figure(curve, 1e-5, "10⁻⁵", Bracket(3.0, 3.0, 3.0), [("one", 1.68), ("another", 16.0)])
    check_validity(figure)
    assert [shape.x0 for shape in figure.layout.shapes] == [1.68]
    assert [words.text for words in figure.layout.annotations] == ["one: 1.68"]


def test_coordinates_are_sent_in_single_precision() -> None:
    figure = trade_off_figure(certified_curve(), POINT, Axes.LOG)
    assert {np.asarray(trace.x).dtype for trace in figure.data if len(trace.x) > 2} == {np.dtype(np.float32)}
