"""The reconstruction figure: what is drawn, how it is told apart, and what the axes say."""

from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from numerics.trade_off import Bound, Bracket, TradeOffCurve
from plotting import theme
from plotting.curves import CLICKED, Axes, Estimated, OperatingPoint
from plotting.reconstruction import GUESSED, RATIO, RECONSTRUCTED, Ratio, reconstruction_figure

PRIOR = np.geomspace(1e-9, 1.0, 91)
POINT = OperatingPoint(1e-3, Bracket(0.03, 0.031, 0.032))
SINGLE = 1e-6  # coordinates are sent in single precision


def curve(bound: Bound, label: str, scale: float = 1.0) -> TradeOffCurve:
    power = np.minimum(scale * np.sqrt(PRIOR), 1.0)
    return TradeOffCurve(PRIOR, 1.0 - power, power, bound, label)


def figure(axes: Axes = Axes.LOG, largest: float = 1.0, ratio: float = 0.23) -> go.Figure:
    guess = Estimated(curve(Bound.ESTIMATE, "CLT", 0.5))
    ratios = [Ratio("CLT", PRIOR, np.full(PRIOR.shape, ratio))]
    others = [curve(Bound.LOWER, "from ε and δ")]
    return reconstruction_figure(curve(Bound.CERTIFIED, "own"), POINT, axes, largest, others, [guess], ratios)


def parts(drawn: go.Figure) -> list[Any]:
    return list(drawn.data)


def traces(drawn: go.Figure) -> dict[str, Any]:
    return {f"{trace.name}{trace.yaxis or ''}": trace for trace in parts(drawn) if trace.name}


@pytest.mark.parametrize("axes", Axes)
@pytest.mark.parametrize("largest", [1.0, 1e-3])
def test_figure_is_valid_and_shows_only_its_window(axes: Axes, largest: float) -> None:
    drawn = figure(axes, largest)
    go.Figure(drawn.to_dict())  # Plotly's own check of attributes
    ends = [np.asarray(trace.x, dtype=float) for trace in parts(drawn)]
    assert max(float(np.nanmax(end, initial=0.0)) for end in ends) <= largest * (1 + SINGLE)
    assert drawn.layout.xaxis.type == ("log" if axes is Axes.LOG else None)


def test_heights_are_the_power_on_either_kind_of_axes() -> None:
    for axes in Axes:
        own = traces(figure(axes))["own (certified)"]
        np.testing.assert_allclose(own.y, np.sqrt(np.asarray(own.x, dtype=float)), rtol=10 * SINGLE)


def test_chance_is_the_diagonal_and_the_point_is_the_guarantee() -> None:
    drawn = traces(figure())
    assert list(drawn["no better than guessing"].y) == list(drawn["no better than guessing"].x)
    assert (drawn["this guess"].x[0], drawn["this guess"].y[0]) == (POINT.alpha, POINT.power.upper)


@pytest.mark.parametrize(("prior", "axes"), [(1e-12, Axes.LOG), (0.2, Axes.LOG), (0.2, Axes.LINEAR)])
def test_a_guess_outside_is_named_and_not_drawn(prior: float, axes: Axes) -> None:
    outside = OperatingPoint(prior, Bracket(prior, prior, prior))
    drawn = traces(reconstruction_figure(curve(Bound.EXACT, "own"), outside, axes, 0.1))
    (name,) = (name for name in drawn if name.startswith("this guess"))
    assert name == f"this guess (outside, at {prior:.3g})"
    assert np.isnan(drawn[name].x[0])


def test_dash_tells_bounds_from_estimates() -> None:
    drawn = traces(figure())
    assert drawn["own (certified)"].line.dash == theme.DASH[Bound.CERTIFIED]
    assert drawn["from ε and δ (guarantee)"].line.dash == theme.DASH[Bound.LOWER]
    assert drawn["CLT (estimate)"].line.dash == theme.DASH[Bound.ESTIMATE]


def test_errors_are_below_in_the_colour_of_their_estimate() -> None:
    drawn = traces(figure())
    error = drawn["CLTy2"]
    assert error.line.color == drawn["CLT (estimate)"].line.color
    np.testing.assert_allclose(error.y, 0.23, rtol=SINGLE)
    np.testing.assert_allclose(error.customdata, -0.77, rtol=SINGLE)
    assert figure().layout.yaxis2.title.text == RATIO
    assert max(traces(figure(ratio=1e4))["CLTy2"].y) == 10.0


def test_without_estimates_there_is_no_second_panel() -> None:
    drawn = reconstruction_figure(curve(Bound.EXACT, "own"), POINT)
    assert "yaxis2" not in drawn.layout.to_plotly_json()
    assert (drawn.layout.xaxis.title.text, drawn.layout.yaxis.title.text) == (GUESSED, RECONSTRUCTED)


def test_clicks_are_taken_on_the_curve() -> None:
    target = traces(figure())[CLICKED]
    np.testing.assert_allclose(target.y, np.sqrt(np.asarray(target.x, dtype=float)), rtol=10 * SINGLE)
    assert "at most" in target.hovertemplate
