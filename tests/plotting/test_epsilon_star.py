"""Figures of an audit: what is summarised, what is drawn, and that both come from the same errors."""

from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numerics.epsilon_star import LossScale, Method, estimate
from numerics.epsilon_star.audit_caveats import evidence_of
from numerics.epsilon_star.error_ratios import Term
from numerics.epsilon_star.estimators import fitted, transform_of
from numerics.epsilon_star.loss_scores import Transform
from numerics.epsilon_star.loss_summary import LossSummary, found_at, limit, summarise
from numerics.trade_off import Bound, Floats, TradeOffCurve, alpha_grid
from plotting import theme
from plotting.curves import Axes
from plotting.epsilon_star import CLEARED, FOUND, NOT_CLEARED, WRONGLY_CLEARED, Best, densities_figure, errors_figure
from plotting.trade_off import FALSE_ACCUSED, MISSED

SUMS = 1e-12  # densities add up to one but for rounding
SINGLE = 1e-6  # coordinates are sent in single precision
INTEGRAL = 1e-4  # of a fitted law over the range drawn, a trapezoid of 200 pieces
DELTA = 1e-4
RNG = np.random.default_rng(1)
TRAIN, FRESH = RNG.gamma(2.0, 1.0, 900), RNG.gamma(3.0, 1.0, 700)


def summary_of(train: Floats = TRAIN, fresh: Floats = FRESH) -> LossSummary:
    """With normal laws, as they are fitted on the paper's scale."""
    transform = transform_of(evidence_of(train, fresh), LossScale.PRINTED)
    return summarise(train, fresh, transform, (fitted(train, transform, "train"), fitted(fresh, transform, "fresh")))


def best(term: Term = Term.MEMBERS_BELOW, score: float = 1.0, alpha: float = 0.01) -> Best:
    return Best(term, score, alpha, 0.3)


def curves(term: Term = Term.MEMBERS_BELOW) -> list[TradeOffCurve]:
    summary = summary_of()
    assert summary.of_fits is not None
    return [
        summary.counted.curve(term, Bound.AUDIT, "counted"),
        summary.of_fits.curve(term, Bound.ESTIMATE, "normal fits"),
        limit(2.0, DELTA, alpha_grid(100)),
    ]


def named(figure: go.Figure) -> dict[str, Any]:
    go.Figure(figure.to_dict())  # pages skip Plotly's own check of attributes; here it runs
    traces: Any = figure.data
    return {trace.name: trace for trace in traces}


def test_histograms_hold_everybody() -> None:
    summary = summary_of()
    width = np.diff(summary.edges)
    for group in (summary.train, summary.population):
        assert np.sum(group.density * width) == pytest.approx(1.0, abs=SUMS)
        assert group.fit is not None
        low, high = np.exp(group.fit.logcdf(summary.fit_points[[0, -1]]))
        assert np.trapezoid(group.fit_density, summary.fit_points) == pytest.approx(high - low, abs=INTEGRAL)


def test_no_law_is_drawn_where_none_was_fitted() -> None:
    """Losses that are all equal, or of unknown kind: a law on the paper's scale would be nobody's answer."""
    for train in (np.full(50, 1.0), TRAIN):
        summary = summarise(train, FRESH, transform_of(evidence_of(train, FRESH), LossScale.PRINTED))
        assert (summary.train.fit, summary.population.fit, summary.of_fits) == (None, None, None)
        assert not [name for name in named(densities_figure(summary, best())) if "fit" in name]


@pytest.mark.parametrize("term", Term)
def test_errors_run_from_corner_to_corner(term: Term) -> None:
    for curve in curves(term)[:1]:
        assert (curve.alpha[0], curve.alpha[-1]) == (0.0, 1.0)
        assert curve.power[-1] == 1.0
        assert np.all(np.diff(curve.power) >= 0.0)
        assert np.all(curve.power + curve.beta == pytest.approx(1.0, abs=SUMS))


@pytest.mark.parametrize("term", Term)
def test_no_threshold_crosses_the_limit(term: Term) -> None:
    """The line is at epsilon*, so that is what epsilon* means; the largest ratio touches it."""
    found = estimate(TRAIN, FRESH, DELTA, Method.PARAMETRIC, scale=LossScale.PRINTED)
    summary = summary_of()
    assert summary.of_fits is not None
    curve = summary.of_fits.curve(term, Bound.ESTIMATE, "fits")
    line = limit(found.value, DELTA, curve.alpha)
    assert np.all(curve.power <= line.power * (1.0 + 1e-9))
    if term is found.peaks[0].term:
        assert np.max(curve.power / line.power) > 0.98


def test_counted_errors_stay_below_the_limit_too() -> None:
    found = estimate(TRAIN, FRESH, 0.01, Method.EMPIRICAL, 1e-3)
    curve = summary_of().counted.curve(found.peaks[0].term, Bound.AUDIT, "counted")
    inside = (curve.alpha >= 1e-3) & (curve.power <= 1 - 1e-3)
    assert np.all(curve.power[inside] <= limit(found.value, 0.01, curve.alpha).power[inside] + SUMS)


def test_share_found_at_a_rate_of_errors() -> None:
    train, fresh = np.arange(100.0), np.arange(50.0, 150.0)
    assert [found_at(train, fresh, 0.0, term) for term in Term] == [0.5, 0.5, 0.0, 0.0]
    assert [found_at(train, fresh, 0.01, term) for term in Term] == [0.51, 0.51, 0.0, 0.0]
    assert [found_at(train, fresh, 1.0, term) for term in Term] == [1.0] * 4
    assert found_at(np.zeros(50), np.zeros(50), 0.5, Term.MEMBERS_BELOW) == 0.0  # all or nobody


@given(st.lists(st.integers(0, 8), min_size=10, max_size=30), st.lists(st.integers(0, 8), min_size=10, max_size=30))
def test_share_found_is_the_best_of_all_thresholds(members: list[int], outsiders: list[int]) -> None:
    train, fresh = (np.sort(np.array(losses, dtype=float)) for losses in (members, outsiders))
    for alpha in (0.0, 0.1, 0.25):
        options = [tau for tau in np.arange(-1.0, 9.0) if np.mean(fresh <= tau) <= alpha]
        best_one = max(float(np.mean(train <= tau)) for tau in options)
        assert found_at(train, fresh, alpha, Term.MEMBERS_BELOW) == pytest.approx(best_one, abs=SUMS)


def test_limit_is_a_trade_off_function() -> None:
    alpha = alpha_grid(200)
    line = limit(1.5, 0.02, alpha)
    assert np.all((line.beta >= 0.0) & (line.beta <= 1.0 - alpha + SUMS))
    assert line.beta[0] == pytest.approx(0.98)
    assert np.all(limit(900.0, 0.02, alpha).power[1:] == 1.0)


def test_densities_tell_groups_and_kinds_apart() -> None:
    traces = named(densities_figure(summary_of(), best()))
    assert traces["training data"].line.color == theme.MEMBER
    assert traces["fresh data"].line.color == theme.OUTSIDER
    assert traces["training data, fit"].line.dash == theme.DASH[Bound.ESTIMATE]


@pytest.mark.parametrize(
    ("term", "score", "words"),
    [
        (Term.MEMBERS_BELOW, 1.0, "← accused, loss {}"),
        (Term.MEMBERS_ABOVE, 1.0, "accused, loss {} →"),
        (Term.OUTSIDERS_BELOW, 1.0, "← cleared, loss {}"),
        (Term.OUTSIDERS_ABOVE, 99.0, "cleared, loss {} (beyond the data) →"),
        (Term.MEMBERS_BELOW, -99.0, "← accused, loss {} (beyond the data)"),
    ],
)
def test_threshold_says_who_is_named(term: Term, score: float, words: str) -> None:
    summary = summary_of()
    layout = densities_figure(summary, best(term, score)).layout
    loss = f"{summary.transform.loss_at(score):.4g}".replace("-", "−")
    assert layout.annotations[0].text == words.format(loss)
    assert summary.fit_points[0] <= layout.shapes[0].x0 <= summary.fit_points[-1]


@pytest.mark.parametrize("scale", [LossScale.PRINTED, LossScale.NATS, LossScale.BITS])
def test_the_axis_of_densities_is_marked_with_losses(scale: LossScale) -> None:
    """As which a sentence gives the threshold, whatever scale laws are fitted on."""
    rng = np.random.default_rng(3)
    train, fresh = np.sort(rng.exponential(1.0, 300)), np.sort(rng.exponential(2.0, 300))
    summary = summarise(train, fresh, Transform(scale, 0.0, float(max(train[-1], fresh[-1]))))
    ticks = densities_figure(summary, best(score=float(summary.transform.scores(np.array([1.184]))[0]))).layout
    places = summary.transform.scores(np.array([float(text.replace("−", "-")) for text in ticks.xaxis.ticktext[1:]]))
    span = float(summary.edges[-1] - summary.edges[0])
    np.testing.assert_allclose(places, ticks.xaxis.tickvals[1:], atol=0.01 * span)  # labels have three digits
    assert "loss 1.184" in str(ticks.annotations[0].text)


@pytest.mark.parametrize(
    ("term", "axes", "x", "y"),
    [
        (Term.MEMBERS_BELOW, Axes.LINEAR, FALSE_ACCUSED, MISSED),
        (Term.MEMBERS_ABOVE, Axes.LOG, FALSE_ACCUSED, FOUND),
        (Term.OUTSIDERS_ABOVE, Axes.LINEAR, WRONGLY_CLEARED, NOT_CLEARED),
        (Term.OUTSIDERS_BELOW, Axes.LOG, WRONGLY_CLEARED, CLEARED),
    ],
)
def test_axes_say_whose_errors_they_show(term: Term, axes: Axes, x: str, y: str) -> None:
    layout = errors_figure(curves(term), best(term), axes, 1e-5).layout
    assert (layout.xaxis.title.text, layout.yaxis.title.text) == (x, y)


@pytest.mark.parametrize("axes", Axes)
def test_errors_are_drawn_within_the_window_with_their_kind(axes: Axes) -> None:
    traces = named(errors_figure(curves(), best(), axes, 1e-5))
    kinds = {"counted (audit)": Bound.AUDIT, "normal fits (estimate)": Bound.ESTIMATE}
    assert {name: traces[name].line.dash for name in kinds} == {name: theme.DASH[kind] for name, kind in kinds.items()}
    assert "limit at ε* = 2, δ = 0.0001" in traces
    for trace in traces.values():
        x, y = (np.asarray(values, dtype=float) for values in (trace.x, trace.y))
        assert np.all((x >= (1e-5 * (1 - SINGLE) if axes is Axes.LOG else 0.0)) & (x <= 1.0 + SINGLE))
        assert np.all((y >= 0.0) & (y <= 1.0 + SINGLE))


def test_optimum_stands_on_its_place() -> None:
    spot = named(errors_figure(curves(), best(), Axes.LOG, 1e-5))["where the ratio is largest"]
    assert (spot.x[0], spot.y[0]) == (0.01, 0.3)
    linear = named(errors_figure(curves(), best(), Axes.LINEAR, 1e-5))["where the ratio is largest"]
    assert (linear.x[0], linear.y[0]) == (0.01, 0.7)
    beyond = named(errors_figure(curves(), best(alpha=0.0), Axes.LOG, 1e-5))["where the ratio is largest, at 0"]
    assert (beyond.x[0], beyond.y[0], beyond.marker.symbol) == (1e-5, 0.3, "triangle-left")
    assert beyond.hovertemplate.startswith("0,")
