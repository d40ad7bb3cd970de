"""Curves of an attacker who does not know the record, against what shares no code with them.

Cells of what is released, sums over how often a record takes part, simulation, SciPy's laws, and the closed forms that
numerical curves tend to.
"""

import numpy as np
import pytest
from scipy import stats
from scipy.special import ndtr, ndtri

from numerics import relaxed
from numerics.mechanisms import Composition, Gaussian, Laplace, SampledMechanism
from numerics.mechanisms.logistic import Logistic
from numerics.relaxed import Reading
from numerics.trade_off import Bound, Order, alpha_grid
from tests.numerics.relaxed.oracles import power_by_cells, power_of_mean, simulated
from tests.numerics.relaxed.relaxed_adapter import found_before_bounds

ALPHA = np.array([1e-6, 1e-3, 0.01, 0.1, 0.5, 0.9, 0.99])
GRID = alpha_grid(101)
STATED = 1e-6  # largest error stated for many steps of much noise
CLOSED_FORM = 2e-8  # the spline between 160 thresholds, and the blur
CELLS = 1e-4  # what 800 cells tell less than the value itself
ROUNDED_SUM = 1e-12  # of the binomial sum
FIVE_ERRORS = 5.0  # of a simulation with a fixed seed


@pytest.mark.parametrize(
    "release",
    [
        Laplace(4.05745, 0.3, 2),
        Laplace(3.44605, 0.9, 2),
        Gaussian(0.7, 0.3, 2),
        Gaussian(0.3, 0.05, 2),
        Logistic(0.5, 0.4, 2),
    ],
    ids=lambda release: release.label,
)
@pytest.mark.parametrize("order", [Order.ADD, Order.REMOVE])
def test_two_steps_against_the_best_test_on_cells(release, order):
    """The error of a lattice comes and goes with alpha: it has to be stated."""
    alpha = np.array([0.01, 0.1, 0.8])
    reached, found = power_by_cells(release, alpha, order), relaxed.trade_off(release, alpha, order=order)
    assert np.all((found.least.power - CELLS <= reached) & (reached <= found.most.power))
    assert np.all(np.abs(found.power - reached) <= CELLS + found.most.power - found.least.power)


@pytest.mark.parametrize(
    "release",
    [Gaussian(noise, rate, steps) for noise in (10.0, 50.0) for rate in (0.7, 0.98) for steps in (300, 3000)]
    + [Gaussian(3.35, 0.957, 6), Gaussian(1000.0, 0.5, 1_000_000), Gaussian(1.0, 1e-7, 1000), Gaussian(1e6, 1e-12, 2)],
    ids=lambda release: release.label,
)
def test_guarantee_allows_the_exact_sum_over_participations(release):
    """It lay below the magnitude of the mean by up to 43 times its stated error, towards rate 1."""
    curve, sums = relaxed.trade_off(release, ALPHA), power_of_mean(release, ALPHA)
    assert np.all(curve.most.power >= sums - ROUNDED_SUM)
    assert np.all(curve.power >= sums - curve.error - ROUNDED_SUM)
    assert np.all(curve.most.power <= ALPHA + release.participation)
    assert curve.error < (STATED if release.steps > 6 else 1e-3)
    magnitude = relaxed.trade_off(release, ALPHA, reading=Reading.MAGNITUDE)
    np.testing.assert_allclose(magnitude.power, sums, rtol=1e-4)  # interpolated between 250 thresholds


@pytest.mark.parametrize("release", [Gaussian(1.0, 0.3, 2), Gaussian(5.0, 0.4, 30), Gaussian(0.8, 0.05, 900)])
def test_the_magnitude_of_the_mean_in_several_dimensions(release):
    found = relaxed.trade_off(release, ALPHA, dimension=7, reading=Reading.MAGNITUDE)
    np.testing.assert_allclose(found.power, power_of_mean(release, ALPHA, 7), rtol=1e-4)
    assert found.bound is Bound.UPPER


SIMULATED = [
    Gaussian(50.0, 0.98, 300),
    Gaussian(1.0, 0.3, 2),
    Gaussian(5.0, 0.4, 30),
    Gaussian(1.5, 0.9999, 8),
    Gaussian(1.0, 0.1, 100),
    Laplace(4.0, 0.9999, 30),
    Laplace(2.0, 0.75, 5),
    Laplace(6.0, 0.3, 60),
]


def agrees_with_a_simulation(release: SampledMechanism, draws: int) -> None:
    alpha = np.array([1e-3, 0.01, 0.1, 0.5])
    drawn, before = simulated(release, alpha, draws), found_before_bounds(release, alpha, Order.ADD)
    curve = relaxed.trade_off(release, alpha)
    for low, found, high in (
        (before.power - before.error, before.power, before.power + before.error),
        (curve.least.power, curve.power, curve.most.power),
    ):
        room = FIVE_ERRORS * drawn.error + 1e-4 * drawn.power  # the threshold is sought to this
        assert np.all((low - room <= drawn.power) & (drawn.power <= high + room))
        assert np.all(np.abs(found - drawn.power) <= 0.3 * drawn.power)  # where little is stated to be known


@pytest.mark.parametrize("release", SIMULATED, ids=lambda release: release.label)
def test_the_best_test_against_a_simulation(release):
    agrees_with_a_simulation(release, 10_000)


@pytest.mark.nightly
@pytest.mark.parametrize("release", [*SIMULATED, Gaussian(1.0, 1 / 120, 1200)], ids=lambda release: release.label)
def test_the_best_test_against_many_draws(release):
    agrees_with_a_simulation(release, 400_000)


@pytest.mark.parametrize(("noise", "steps"), [(20.0, 3000), (1e4, 50), (300.0, 1_000_000)])
def test_the_numerical_test_at_rate_1_is_the_closed_form(noise, steps):
    """One of its two sums is a constant there, and only its blur is left of it."""
    release = Gaussian(noise, 1.0, steps)
    for order in (Order.ADD, Order.REMOVE):
        found, exact = found_before_bounds(release, ALPHA, order), relaxed.trade_off(release, ALPHA, order=order)
        room = np.maximum(found.error, CLOSED_FORM)
        assert np.all(np.abs(found.power - exact.power) <= room)
        assert np.all(np.abs(found.beta - exact.beta) <= room)
        assert np.all(found.error < STATED)


@pytest.mark.parametrize("kind", [Gaussian, Laplace, Logistic])
def test_a_second_step_that_says_next_to_nothing_changes_nothing(kind):
    both = Composition((kind(0.8, 0.5), kind(1e4, 0.5)))
    curve, one = relaxed.trade_off(both, GRID), relaxed.trade_off(kind(0.8, 0.5), GRID)
    np.testing.assert_allclose(curve.beta, one.beta, atol=curve.error + 1e-4)


@pytest.mark.parametrize(("noise", "rate", "steps", "alpha"), [(3.8068, 1.0, 6, 1e-3), (1.25242, 0.014368, 2, 1e-2)])
def test_bounded_losses_are_found_no_better_than_their_largest_likelihood_ratio(noise, rate, steps, alpha):
    """Every release beyond the centre on one side has a chance of its own, above these alpha: there power is exact."""
    pull = np.array([1.0, -1.0]) / noise
    truth = alpha * 0.5 * float(np.sum((1.0 + rate * np.expm1(pull)) ** steps))
    found = relaxed.power(Laplace(noise, rate, steps), alpha)
    assert found.lower <= truth * (1.0 + 1e-12)
    assert truth <= found.upper * (1.0 + 1e-12)
    assert found.width <= 1e-5 * alpha


@pytest.mark.parametrize("order", Order)
def test_hypotheses_too_far_apart_for_the_grid_are_enclosed(order):
    """One statistic tells them apart but for 4e-7: the guarantee, taken for certain exposure, does not deny that."""
    mechanism, alpha = Laplace(1.46279, 1.0, 1323), np.array([1e-9, 1e-6])
    curve = relaxed.trade_off(mechanism, alpha, order=order)
    reached = relaxed.trade_off(mechanism, alpha, order=order, reading=Reading.FOLDED_STEPS)
    assert np.all(curve.power >= reached.power)
    assert np.all(curve.power - curve.error <= reached.power + 1e-8)
    assert curve.error < 1e-4
    assert np.all(found_before_bounds(mechanism, alpha, Order.ADD).error == 1.0)


LITTLE_NOISE = [
    (Gaussian(0.7, 0.01, 30), Order.REMOVE),
    (Gaussian(0.15, 1e-3, 10), Order.REMOVE),
    (Composition((Gaussian(0.5, 0.01, 100), Laplace(1.0, 0.1, 10))), Order.ADD),
    pytest.param(Gaussian(0.2, 1e-4, 50), Order.ADD, marks=pytest.mark.nightly),
    pytest.param(Gaussian(0.2, 1e-3, 10), Order.SYMMETRIC, marks=pytest.mark.nightly),
    pytest.param(Gaussian(0.7, 1e-7, 1_000_000), Order.ADD, marks=pytest.mark.nightly),
]


@pytest.mark.parametrize(("mechanism", "order"), LITTLE_NOISE, ids=str)
def test_little_noise_at_low_rates_stays_between_its_bounds(mechanism, order):
    """Few steps that say much, seldom: there the lattice alone errs by more than it says."""
    alpha = alpha_grid(61)
    found, full = relaxed.trade_off(mechanism, alpha, order=order), mechanism.trade_off(alpha, order)
    reached = relaxed.trade_off(mechanism, alpha, order=order, reading=Reading.FOLDED_STEPS)
    assert np.all(found.power <= full.lower.power * (1.0 + 1e-9) + 1e-12)
    # Both brackets of the steps' product: that of the enclosure is wider.
    assert np.all(found.power >= reached.power * (1.0 - 0.02) - 1e-4)
    assert np.all((found.power >= reached.power * (1.0 - 0.02))[alpha <= 1e-3])


# --- closed forms


@pytest.mark.parametrize(("mu", "d"), [(1.0, 2), (1.5, 300), (30.0, 10**6), (0.5, 1)])
def test_tails_against_boost(mu, d):
    """Down to alpha = 1e-9 in either error, by another method: SciPy's noncentral chi-squared."""
    alpha = np.array([1e-9, 1e-4, 0.3, 1 - 1e-6])
    critical = stats.chi2.isf(alpha, d)
    curve = relaxed.trade_off(Gaussian(1.0 / mu), alpha, dimension=d)
    np.testing.assert_allclose(curve.power, stats.ncx2.sf(critical, d, mu**2), rtol=1e-9)
    np.testing.assert_allclose(curve.beta, stats.ncx2.cdf(critical, d, mu**2), rtol=1e-7)


@pytest.mark.parametrize("mechanism", [Gaussian(1.0), Laplace(1.0), Laplace(0.7, 0.4), Gaussian(0.5, 0.3)])
def test_symmetric_curve_is_the_envelope_by_brute_force(mechanism):
    """Largest convex function below both: the largest supporting line over a fine set of slopes."""
    fine, at = alpha_grid(20_001), np.linspace(0.02, 0.98, 25)
    lowest = np.minimum(*(relaxed.trade_off(mechanism, fine, order=o).beta for o in (Order.ADD, Order.REMOVE)))
    slopes = -np.geomspace(1e-3, 1e3, 4001)
    intercepts = np.array([np.min(lowest - slope * fine) for slope in slopes])
    envelope = np.max(intercepts[:, None] + slopes[:, None] * at, axis=0)
    np.testing.assert_allclose(relaxed.trade_off(mechanism, at, order=Order.SYMMETRIC).beta, envelope, atol=1e-5)


@pytest.mark.parametrize("mu", [33.5, 39.8, 45.0])
@pytest.mark.parametrize("dimension", [1, 10])
def test_hypotheses_far_apart_are_told_apart(mu, dimension):
    """Where beta underflows before alpha reaches 1; at that distance both sides are one, and beta is 2 P(Z > c)."""
    for order in Order:
        curve = relaxed.trade_off(Gaussian(1.0 / mu), GRID, dimension=dimension, order=order)
        assert np.all(curve.power[1:] == pytest.approx(1.0))
        assert np.all(np.diff(curve.beta) <= 0.0)
    if dimension == 1:
        alpha = np.array([1e-9, 1e-6])
        found = relaxed.trade_off(Gaussian(1.0 / mu), alpha, order=Order.REMOVE).beta
        assert found == pytest.approx(2.0 * ndtr(-mu - ndtri(alpha)), rel=1e-6)


@pytest.mark.parametrize("order", Order)
@pytest.mark.parametrize(("noise", "rate"), [(0.02, 1e-3), (0.03, 0.5)])
def test_one_sampled_step_of_little_noise_in_many_dimensions(noise, rate, order):
    curve = relaxed.trade_off(Gaussian(noise, rate), GRID, dimension=2, order=order)
    assert np.all((curve.power >= GRID * (1.0 - 1e-9)) & (curve.power <= 1.0))
    assert np.all(np.diff(curve.power) >= -1e-12)
