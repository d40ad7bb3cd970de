"""The reconstruction figure: what is drawn, how it is told apart, and what the axes say."""

from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from numerics.trade_off import Bound, Bracket, TradeOffCurve
from plotting import theme
from plotting.curves import CLICKED, Axes, EstimatedCurve, OperatingPoint
from plotting.reconstruction import (
    BLIND,
    GUESSED,
    OWN,
    RATIO,
    RECONSTRUCTED,
    TOO_OFTEN,
    LimitLine,
    Ratio,
    ReconstructionMarks,
    reconstruction_figure,
)
from plotting.reconstruction_axes import Window

PRIOR = np.geomspace(1e-9, 1.0, 91)
POINT = OperatingPoint(1e-3, Bracket(0.03, 0.031, 0.032))
SIDES = ((np.minimum(5.0 * PRIOR**0.3, 1.0), Bound.LOWER), (np.minimum(PRIOR**0.6, 1.0), Bound.UPPER))
SINGLE = 1e-6  # coordinates are sent in single precision


def curve(bound: Bound, label: str, scale: float = 1.0) -> TradeOffCurve:
    power = np.minimum(scale * np.sqrt(PRIOR), 1.0)
    return TradeOffCurve(PRIOR, 1.0 - power, power, bound, label)


def figure(axes: Axes = Axes.LOG, largest: float = 1.0, ratio: float = 0.23) -> go.Figure:
    guess = EstimatedCurve(curve(Bound.ESTIMATE, "CLT", 0.5))
    ratios = [Ratio("CLT", PRIOR, np.full(PRIOR.shape, ratio))]
    others = [curve(Bound.LOWER, "from ε and δ")]
    seen, marks = Window(axes, largest), ReconstructionMarks(LimitLine(2e-3, "my limit, 20"), "320")
    return reconstruction_figure(curve(Bound.CERTIFIED, "own"), POINT, seen, others, [guess], ratios, marks)


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
    assert list(drawn[BLIND].y) == list(drawn[BLIND].x)
    assert (drawn["this guess"].x[0], drawn["this guess"].y[0]) == (POINT.alpha, POINT.power.upper)


@pytest.mark.parametrize(("prior", "axes"), [(1e-12, Axes.LOG), (0.2, Axes.LOG), (0.2, Axes.LINEAR)])
def test_a_guess_outside_is_named_and_not_drawn(prior: float, axes: Axes) -> None:
    outside = OperatingPoint(prior, Bracket(prior, prior, prior))
    drawn = traces(reconstruction_figure(curve(Bound.EXACT, "own"), outside, Window(axes, 0.1)))
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
    titles = (drawn.layout.xaxis.title.text, drawn.layout.yaxis.title.text)
    assert titles == (f"{GUESSED}, of 10,000", f"{RECONSTRUCTED}, of 10,000")


def labels(drawn: go.Figure) -> dict[str, Any]:
    return {str(note.text): note for note in list(drawn.layout.annotations)}


def test_names_stand_on_the_lines_and_not_in_a_legend() -> None:
    drawn = figure()
    assert {BLIND, OWN, "<b>320</b>"} <= set(labels(drawn))
    shown = {trace.name for trace in parts(drawn) if trace.showlegend is not False and trace.name}
    assert shown == {"from ε and δ (guarantee)", "CLT (estimate)"}
    at = labels(drawn)["<b>320</b>"]
    assert (10.0**at.x, 10.0**at.y) == pytest.approx((POINT.alpha, POINT.power.upper))
    own, blind = labels(drawn)[OWN], labels(drawn)[BLIND]
    assert 10.0**own.y == pytest.approx(np.sqrt(10.0**own.x), rel=1e-2)  # between the samples of the curve
    assert blind.y == blind.x


@pytest.mark.parametrize("axes", Axes)
@pytest.mark.parametrize(("prior", "limit"), [(1e-3, 2e-3), (0.3, 0.4), (1e-3, 0.5)])
def test_too_often_is_what_guesses_no_better_exceed_the_limit_by(axes: Axes, prior: float, limit: float) -> None:
    """Shapes take values on logarithmic axes, where annotations take decades."""
    at, name = OperatingPoint(prior, Bracket(prior, prior, prior)), "my limit"
    drawn = reconstruction_figure(
        curve(Bound.EXACT, "own"), at, Window(axes), marks=ReconstructionMarks(LimitLine(limit, name))
    )
    go.Figure(drawn.to_dict())
    area, across, up = list(drawn.layout.shapes)
    low = 1e-4 if axes is Axes.LOG else 0.0
    assert (area.x0, area.x1, area.y0, area.y1) == (low, prior, limit, 1.0)
    assert (across.y0, across.y1, up.x0, up.x1) == (limit, limit, prior, prior)
    notes = labels(drawn)
    inside = f"{TOO_OFTEN}<br>{name}"  # on top of the region: its curve is below
    if inside in notes:
        assert (notes[inside].y, notes[inside].yanchor) == (0.0 if axes is Axes.LOG else 1.0, "top")
    else:  # too narrow for words inside
        assert notes[f"{TOO_OFTEN}: above {name}"].x == pytest.approx(np.log10(prior) if axes is Axes.LOG else prior)


@pytest.mark.parametrize("limit", [None, LimitLine(1.0, "x"), LimitLine(1e-6, "x")])
def test_no_limit_or_one_outside_is_not_drawn(limit: LimitLine | None) -> None:
    drawn = reconstruction_figure(curve(Bound.EXACT, "own"), POINT, marks=ReconstructionMarks(limit))
    assert not list(drawn.layout.shapes)
    assert not [text for text in labels(drawn) if TOO_OFTEN in text]


@pytest.mark.parametrize(
    ("prior", "ticks"),
    [
        (1e-3, ["1", "10", "100", "1,000", "10,000"]),
        (1e-4, ["1 in 10⁵", "1 in 10⁴", "1 in 1,000", "1 in 100", "1 in 10", "always"][1:]),
        (3e-6, ["1 in 10⁶", "1 in 10⁴", "1 in 100", "always"]),
        (1e-12, ["1 in 10⁸", "1 in 10⁶", "1 in 10⁴", "1 in 100", "always"]),
    ],
)
def test_axes_count_of_10000_or_say_one_in(prior: float, ticks: list[str]) -> None:
    at = OperatingPoint(prior, Bracket(prior, prior, prior))
    drawn = reconstruction_figure(curve(Bound.EXACT, "own"), at)
    assert len(drawn.layout.xaxis.ticktext) <= 5
    if prior == 1e-4:  # a decade below the guess
        assert 10.0 ** drawn.layout.xaxis.range[0] == pytest.approx(1e-5)
        ticks = ["1 in 10⁴", "1 in 100", "always"]
    assert list(drawn.layout.xaxis.ticktext) == ticks
    for value, text in zip(drawn.layout.xaxis.tickvals, drawn.layout.xaxis.ticktext, strict=True):
        if text.replace(",", "").isdigit():
            assert float(text.replace(",", "")) == pytest.approx(1e4 * value)


def test_a_yes_or_no_starts_at_even() -> None:
    half = OperatingPoint(0.5, Bracket(0.6, 0.6, 0.6))
    drawn = reconstruction_figure(curve(Bound.EXACT, "own"), half, Window(Axes.LINEAR, low=0.5))
    assert list(drawn.layout.xaxis.range) == list(drawn.layout.yaxis.range) == [0.5, 1.0]


def test_clicks_are_taken_on_the_curve() -> None:
    target = traces(figure())[CLICKED]
    np.testing.assert_allclose(target.y, np.sqrt(np.asarray(target.x, dtype=float)), rtol=10 * SINGLE)
    assert "at most" in target.hovertemplate


def test_names_keep_clear_of_both_sides_of_an_open_curve() -> None:
    guarantee, attack = (TradeOffCurve(PRIOR, 1.0 - up, up, kind, "own") for up, kind in SIDES)
    own = TradeOffCurve(PRIOR, guarantee.beta, guarantee.power, Bound.OPEN, "own", lower=guarantee, upper=attack)
    drawn = reconstruction_figure(
        own, POINT, Window(), marks=ReconstructionMarks(LimitLine(2e-3, "my limit, 20"), "320")
    )
    name, region = labels(drawn)[OWN], labels(drawn)[f"{TOO_OFTEN}<br>my limit, 20"]
    reached = float(np.interp(10.0 ** float(name.x), PRIOR, attack.power))
    assert (name.y, name.yanchor) == (pytest.approx(np.log10(reached)), "top")
    assert (region.y, region.yanchor) == (pytest.approx(np.log10(2e-3)), "bottom")  # the guarantee crosses the top
