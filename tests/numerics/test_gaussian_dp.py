"""The mu of Gaussian DP and its regret: reference rows, and the definition itself over fine grids."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtr, ndtri

from numerics.conversions import mu_limit
from numerics.gaussian_dp import regret_of_corners
from numerics.mechanisms import Gaussian, Laplace
from numerics.privacy_loss import Precision
from numerics.trade_off import Order
from tests.reference import PRACTICE, each
from tests.sides import ANY, CHEAP

ROUNDING = 1e-12  # of a closed form that is bracketed to 1e-13
FINE = Precision(width=1e-6)


def pure_corners(epsilon: float) -> tuple[np.ndarray, np.ndarray]:
    at = 1.0 / (1.0 + np.exp(epsilon))
    return np.array([0.0, at, 1.0]), np.array([1.0, at, 0.0])


@each(prefix="gdp_mu_rr", file=PRACTICE)
def test_mu_of_pure_epsilon(row):
    assert mu_limit(row.number("epsilon")) == pytest.approx(row.expected, rel=ROUNDING)


@each(prefix="gdp_mu_lap", file=PRACTICE)
def test_mu_of_one_laplace_release(row):
    found = Laplace(1.0 / row.number("effect_size")).gaussian_mu()
    assert found == pytest.approx((row.expected,) * 3, rel=ROUNDING)


@each(prefix="gdp_mu_sgm", file=PRACTICE)
def test_mu_of_sampled_steps_from_a_floor_on(row):
    release = Gaussian(row.number("noise_multiplier"), row.number("sampling_rate"), row.count("steps"))
    found = release.gaussian_mu(row.number("smallest_alpha"), FINE)
    assert found.lower - 1e-9 <= row.expected <= found.upper + 1e-9
    assert found.width < 2e-5
    assert release.gaussian_mu(1e-12, FINE).lower > found.upper  # so the floor is part of the answer


@each(prefix="regret_rr", file=PRACTICE)
def test_regret_of_a_curve_with_a_kink(row):
    epsilon = row.number("epsilon")
    found = regret_of_corners(*pure_corners(epsilon), mu_limit(epsilon))
    assert found == pytest.approx(row.expected, rel=ROUNDING)


@each(prefix="regret_lap", file=PRACTICE)
def test_regret_of_one_laplace_release(row):
    release = Laplace(1.0 / row.number("effect_size"))
    assert release.gaussian_regret() == pytest.approx((row.expected,) * 3, rel=1e-10)


@each(prefix="regret_sgm", file=PRACTICE)
def test_regret_of_sampled_steps(row):
    release = Gaussian(row.number("noise_multiplier"), row.number("sampling_rate"), row.count("steps"))
    found = release.gaussian_regret(row.number("smallest_alpha"), FINE)
    assert row.expected <= found.lower <= 0.00102319 + 1e-6  # the guarantee of the row is wider, the print cut off
    assert found.upper <= 0.00102389 + 1e-6


@pytest.mark.parametrize("steps", [1, 10])
def test_gaussian_releases_have_no_regret(steps):
    assert Gaussian(2.0, steps=steps).gaussian_regret() == (0.0, 0.0, 0.0)


@given(st.floats(0.05, 6.0), st.floats(0.0, 0.1), st.floats(0.05, 5.0))
@settings(max_examples=60, deadline=None)
def test_regret_is_the_least_shift_that_keeps_the_curve_below(epsilon, delta, mu):
    """The definition at 20,001 rates, about which a grid of the same size knows 5e-5."""
    alpha = np.array([0.0, (1.0 - delta) / (1.0 + np.exp(epsilon)), 1.0 - delta, 1.0])
    beta = np.array([1.0 - delta, alpha[1], 0.0, 0.0])
    found = regret_of_corners(alpha, beta, mu)
    grid = np.linspace(0.0, 1.0, 20_001)
    level = ndtr(-mu - ndtri(grid))

    def exceeds(shift):
        return np.max(np.interp(grid + shift, alpha, beta, right=0.0) - shift - level)

    assert exceeds(found) <= ROUNDING
    if found > 1e-3:
        assert exceeds(found - 1e-3) > 0.0


def test_regret_of_a_curve_that_is_not_convex():
    """Its farthest point is a corner, which no edge has inside."""
    alpha, beta = np.array([0.0, 0.3, 0.6, 1.0]), np.array([0.7, 0.65, 0.1, 0.0])
    found = regret_of_corners(alpha, beta, 1.0)
    grid = np.linspace(0.0, 1.0, 100_001)
    level = ndtr(-1.0 - ndtri(grid))
    excess = [np.max(np.interp(grid + at, alpha, beta) - at - level) for at in (found, found - 1e-3)]
    assert excess[0] <= 1e-9 < excess[1]


def test_regret_of_no_finite_mu_is_where_the_curve_meets_the_diagonal():
    assert regret_of_corners(*pure_corners(1.0), np.inf) == pytest.approx(1.0 / (1.0 + np.e), rel=ROUNDING)


@given(mechanism=ANY)
@settings(max_examples=25, deadline=None)
def test_the_curve_lies_no_farther_above_the_reported_one_than_the_regret(mechanism):
    floor = 1e-6
    mu, found = mechanism.gaussian_mu(floor, CHEAP).upper, mechanism.gaussian_regret(floor, CHEAP)
    assert 0.0 <= found.lower <= found.estimate <= found.upper <= 0.5
    if not np.isfinite(mu):
        return
    at = np.linspace(0.0, 1.0, 501)
    shifted = np.minimum(at + found.upper + 1e-9, 1.0)
    safe, _, reached = mechanism.certified(CHEAP).trade_off(shifted, Order.SYMMETRIC)
    level = ndtr(-mu - ndtri(at))
    if mechanism.closed_form is None:
        assert np.all(reached.beta - found.upper <= level + 1e-9)
    assert np.all(safe.beta - found.upper <= level + 1e-9)
