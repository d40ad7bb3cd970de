"""The final model alone: reference rows, the recursion they come from, simulated quadratics, and what is refused."""

from math import inf, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.final_model import ConvexLoss, bounded_mu, composed_mu, cyclic_mu, power, strongly_convex_mu
from numerics.mechanisms import Gaussian
from tests.reference import PRACTICE, each

RELATIVE = 1e-11
LOSSES = st.builds(
    lambda smoothness, share, step: ConvexLoss(step / smoothness, smoothness, share * smoothness),
    st.floats(0.1, 10.0),
    st.floats(0.01, 1.0),
    st.floats(0.01, 1.95),
)


def loss_of(c: float) -> ConvexLoss:
    """A step brings two models nearer by this factor."""
    return ConvexLoss(1.0, 1.0, 1.0 - c)


@each(prefix="final_gd_sc", file=PRACTICE)
def test_strongly_convex(row):
    found = strongly_convex_mu(row.number("L_over_n_sigma"), row.count("steps"), loss_of(row.number("c")))
    assert found == pytest.approx((row.expected,) * 3, rel=RELATIVE)


@each(prefix="final_gd_cvx", file=PRACTICE)
def test_convex_on_a_bounded_set(row):
    pull, steps, eta = row.number("L_over_n"), row.count("steps"), row.number("eta")
    found = bounded_mu(pull / row.number("sigma"), steps, ConvexLoss(eta, 1.0), row.number("D"), pull)
    assert found == pytest.approx(row.expected, rel=RELATIVE)
    k = np.arange(1.0, steps + 1.0)
    by_search = np.min((row.number("D") + k * eta * pull) / (eta * row.number("sigma") * np.sqrt(k)))
    assert found == pytest.approx(min(by_search, composed_mu(pull / row.number("sigma"), steps)), rel=RELATIVE)


@each(prefix="final_cgd", file=PRACTICE)
def test_cyclic_batches(row):
    effect = row.number("L_over_b_sigma")
    found = cyclic_mu(effect, row.count("batches"), row.count("epochs"), loss_of(row.number("c")))
    assert found.upper == pytest.approx(row.expected, rel=RELATIVE)
    assert found.lower == pytest.approx(1.04919572993, rel=1e-9)


@given(LOSSES, st.integers(1, 200), st.floats(0.01, 2.0))
@settings(max_examples=40, deadline=None)
def test_a_quadratic_loss_reaches_the_bound_and_no_schedule_of_shifts_is_better(loss, steps, effect):
    """The final model of m x^2 / 2: shifts and noise of every step, faded; and Cauchy-Schwarz for the recursion."""
    c = 1.0 - loss.approach
    faded = (1.0 - loss.step_size * loss.strong_convexity) ** np.arange(steps)
    quadratic = effect * abs(np.sum(faded)) / np.sqrt(np.sum(faded**2))
    found = strongly_convex_mu(effect, steps, loss)
    assert found.lower == pytest.approx(quadratic, rel=1e-9)
    assert found.lower <= found.upper <= composed_mu(effect, steps)
    if loss.step_size * (loss.strong_convexity + loss.smoothness) <= 2.0:
        assert found.lower == found.upper
    assert found.upper <= effect * sqrt((1.0 + c) / (1.0 - c)) * (1.0 + 1e-12)


@given(LOSSES, st.integers(1, 30), st.integers(1, 40), st.floats(0.01, 2.0))
@settings(max_examples=30, deadline=None)
def test_cyclic_brackets_and_limits(loss, batches, epochs, effect):
    found = cyclic_mu(effect, batches, epochs, loss)
    assert 0.0 < found.lower <= found.upper <= composed_mu(effect, epochs) * (1.0 + 1e-12)
    r = 1.0 - loss.step_size * loss.strong_convexity
    shifts = abs(np.sum(r ** (batches * np.arange(epochs))))
    noise = np.sqrt(np.sum(r ** (2.0 * np.arange(batches * epochs))))
    assert found.lower == pytest.approx(min(effect * shifts / noise, found.upper), rel=1e-8)
    if batches == 1:
        assert found.upper >= strongly_convex_mu(effect, epochs, loss).upper * (1.0 - 1e-9)  # valid, not the sharpest
    if epochs == 1:
        assert found.upper == pytest.approx(effect, rel=1e-12)


def test_a_step_that_overshoots_is_a_bracket():
    """c is that of the steepest direction, whose sign changes: no attack there adds up."""
    found = strongly_convex_mu(0.5, 100, ConvexLoss(1.9, 1.0, 0.5))
    assert found.lower < found.upper
    assert found.lower == pytest.approx(0.5 * sqrt((1.0 + 0.05) / (1.0 - 0.05)), rel=1e-9)
    assert found.upper == pytest.approx(0.5 * sqrt((1.0 + 0.9) / (1.0 - 0.9)), rel=1e-3)


def test_who_sees_all_models_is_the_release_of_all_steps():
    release = Gaussian(2.0, steps=9)
    mu = composed_mu(release.effect_size, 9)
    assert mu == release.gaussian_mu().upper
    assert power(mu, 1e-3) == pytest.approx(release.power(1e-3).upper, rel=1e-13)
    assert strongly_convex_mu(0.5, 1, loss_of(0.3)).upper == pytest.approx(0.5, rel=1e-12)
    assert strongly_convex_mu(0.5, 10**9, ConvexLoss(1.0, 1.0, 1.0)).upper == 0.5  # c = 0: only the last step counts


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ConvexLoss(0.3, 10.0, 1.0), "step_size must be at most 2 / smoothness, got 0.3"),
        (lambda: ConvexLoss(0.1, 1.0, 2.0), "strong_convexity must be at most the smoothness, got 2.0"),
        (lambda: ConvexLoss(inf, 1.0), "step_size must be positive and finite"),
        (lambda: strongly_convex_mu(1.0, 5, ConvexLoss(0.1, 1.0)), "strong_convexity must be positive"),
        (lambda: strongly_convex_mu(1.0, 5, ConvexLoss(2.0, 1.0, 1.0)), "below 2 / smoothness"),
        (lambda: cyclic_mu(1.0, 3, 5, ConvexLoss(0.1, 1.0)), "strong_convexity must be positive"),
        (lambda: bounded_mu(1.0, 5, ConvexLoss(0.1, 1.0), 0.0, 1.0), "diameter must be positive"),
        (lambda: strongly_convex_mu(1.0, 0, loss_of(0.5)), "steps must be between 1 and"),
    ],
)
def test_conditions_are_checked(make, message):
    with pytest.raises(ValueError, match=message):
        make()
