"""Several sampled steps against an attacker who does not know the record: guarantee, statistics, Monte Carlo."""

import numpy as np
import pytest
from scipy import stats

from numerics import relaxed
from numerics.mechanisms import Composition, Gaussian, Laplace
from numerics.privacy_loss import Precision
from numerics.relaxed import Reading
from numerics.relaxed.statistics import FoldedPair
from numerics.sampling.poisson import sampled_pairs
from numerics.trade_off import Bound, Order, alpha_grid
from tests.reference import each, rows
from tests.relaxed_curves import GRID, beta, once

# The references of the product of folded steps come from an integral of nine digits; ours is certified to 1e-5.
CERTIFIED = 1e-5
# Laws between numerical curves hold up to their stated errors and this much.
SLACK = 1e-8
SAMPLED = [Gaussian(1.0, 0.3, 2), Gaussian(5.0, 0.4, 30), Gaussian(1.0, 0.1, 100), Gaussian(1.0, 1 / 120, 1200)]


@each("RTM SGM N-fold option A")
def test_magnitude_of_the_mean(row):
    found = beta(once(row), row.number("alpha"), reading=Reading.MAGNITUDE)
    assert found == pytest.approx(row.expected, abs=1e-7)  # interpolated between 250 thresholds


@pytest.mark.parametrize("row", rows("RTM option B"), ids=lambda row: row.id)
def test_product_of_folded_steps(row):
    found = beta(once(row), row.number("alpha"), reading=Reading.FOLDED_STEPS)
    assert found == pytest.approx(row.expected, abs=CERTIFIED)


@each("RTM option D")
def test_guarantee_of_two_steps_within_its_stated_error(row):
    curve = relaxed.trade_off(once(row), np.array([row.number("alpha")]))
    assert curve.error < 2e-4
    # Two lattices are extrapolated and all of their change is stated: in the wrong direction two thirds of it remain.
    assert curve.beta[0] == pytest.approx(row.expected, abs=curve.error / 3.0)
    assert curve.bound is Bound.ESTIMATE


@pytest.mark.parametrize("mechanism", SAMPLED, ids=lambda mechanism: mechanism.label)
def test_guarantee_against_simulation(mechanism):
    """The Bayes test itself, by simulated log-likelihood ratios of both sides; within five standard errors."""
    alpha, samples, rng = np.array([0.01, 0.1, 0.5]), 60_000, np.random.default_rng(7)
    curve = relaxed.trade_off(mechanism, alpha)
    ratio = [_log_ratio(mechanism, present, samples, rng) for present in (False, True)]
    critical = np.quantile(ratio[0], 1.0 - alpha)
    power = np.mean(ratio[1][:, None] > critical, axis=0)
    # A quantile's own error, carried over by a slope of at most power / alpha, adds to that of the count.
    error = np.sqrt((power * (1 - power) + (power / alpha) ** 2 * alpha * (1 - alpha)) / samples)
    assert np.all(np.abs(curve.power - power) < 5.0 * error + curve.error)


def _log_ratio(mechanism, present: bool, samples: int, rng) -> np.ndarray:
    mu, total = mechanism.effect_size, np.zeros((2, samples))
    for _ in range(mechanism.steps):
        x = rng.standard_normal(samples)
        x += mu * (rng.random(samples) < mechanism.sampling_rate) * present
        for row, side in enumerate((x, -x)):
            total[row] += np.log1p(mechanism.sampling_rate * np.expm1(mu * side - 0.5 * mu**2))
    return np.asarray(np.logaddexp(*total) - np.log(2.0))


@pytest.mark.parametrize("mechanism", [*SAMPLED, Laplace(1.0, 0.3, 2), Laplace(2.0, 0.1, 60)], ids=lambda m: m.label)
@pytest.mark.parametrize("order", Order)
def test_guarantee_lies_between_full_knowledge_and_single_statistics(mechanism, order):
    curve = relaxed.trade_off(mechanism, GRID, order=order)
    full = mechanism.trade_off(GRID, order)
    assert np.all((full.lower or full).beta <= curve.beta + curve.error + SLACK)
    readings = [Reading.FOLDED_STEPS] + [Reading.MAGNITUDE] * isinstance(mechanism, Gaussian)
    for reading in readings:
        single = relaxed.trade_off(mechanism, GRID, order=order, reading=reading)
        assert single.bound is Bound.UPPER
        assert np.all(curve.beta <= single.beta + curve.error + CERTIFIED)


def test_readings_agree_for_one_step():
    mechanism = Gaussian(0.8, 0.3)
    curves = [relaxed.trade_off(mechanism, GRID, reading=reading).beta for reading in Reading]
    np.testing.assert_array_equal(curves[0], curves[1])
    np.testing.assert_array_equal(curves[0], curves[2])


@pytest.mark.parametrize("kind", [Gaussian, Laplace])
def test_numerical_guarantee_tends_to_the_closed_form(kind):
    """Two steps of which the second says next to nothing are one step."""
    both = Composition((kind(0.8, 0.5), kind(1e4, 0.5)))
    curve, one = relaxed.trade_off(both, GRID), relaxed.trade_off(kind(0.8, 0.5), GRID)
    np.testing.assert_allclose(curve.beta, one.beta, atol=curve.error + 1e-4)


@pytest.mark.parametrize("order", Order)
def test_hypotheses_too_far_apart_for_the_grid_are_enclosed(order):
    """One statistic tells them apart but for 4e-7: the guarantee, taken for certain exposure, does not deny that."""
    mechanism, alpha = Laplace(1.46279, 1.0, 1323), np.array([1e-9, 1e-6])
    curve = relaxed.trade_off(mechanism, alpha, order=order)
    reached = relaxed.trade_off(mechanism, alpha, order=order, reading=Reading.FOLDED_STEPS)
    assert np.all(curve.power >= reached.power)
    assert np.all(curve.power - curve.error <= reached.power + SLACK)
    assert curve.error < 1e-4


def test_steps_too_informative_for_the_lattice_are_enclosed():
    """Every participation is certain exposure: the power is 1 - 0.9^100."""
    curve = relaxed.trade_off(Gaussian(0.05, 0.1, 100), np.array([1e-6]))
    assert curve.error < 1e-4
    assert curve.power[0] == pytest.approx(1 - 0.9**100, abs=curve.error + 1e-6)


@pytest.mark.parametrize(
    ("mechanism", "order"),
    [
        (Gaussian(0.2, 1e-4, 50), Order.ADD),
        (Gaussian(0.15, 1e-3, 10), Order.REMOVE),
        (Gaussian(0.2, 1e-3, 10), Order.SYMMETRIC),
        (Gaussian(0.7, 0.01, 30), Order.REMOVE),
        (Composition((Gaussian(0.5, 0.01, 100), Laplace(1.0, 0.1, 10))), Order.ADD),
    ],
    ids=str,
)
def test_guarantee_of_little_noise_at_low_rates_stays_between_its_bounds(mechanism, order):
    """Few steps that say much, seldom: there the lattice alone errs by more than it says."""
    alpha = alpha_grid(61)
    page = Precision(width=1e-4, relative=5e-3)
    found, full = relaxed.trade_off(mechanism, alpha, order=order), mechanism.trade_off(alpha, order, page)
    reached = relaxed.trade_off(mechanism, alpha, order=order, reading=Reading.FOLDED_STEPS)
    assert np.all(found.power <= full.lower.power * (1.0 + 1e-9) + 1e-12)
    # Both brackets of the steps' product: that of the enclosure is wider.
    assert np.all(found.power >= reached.power * (1.0 - 0.02) - 1e-4)
    assert np.all((found.power >= reached.power * (1.0 - 0.02))[alpha <= 1e-3])


@pytest.mark.parametrize("order", Order)
@pytest.mark.parametrize("noise", [0.02, 0.03])
@pytest.mark.parametrize("rate", [1e-3, 0.5])
def test_one_sampled_step_of_little_noise_in_many_dimensions(noise, rate, order):
    curve = relaxed.trade_off(Gaussian(noise, rate), GRID, dimension=2, order=order)
    assert np.all((curve.power >= GRID * (1.0 - 1e-9)) & (curve.power <= 1.0))
    assert np.all(np.diff(curve.power) >= -1e-12)


def test_assumptions_of_several_phases_hold_for_all_of_them() -> None:
    phases = (Gaussian(1.0, 0.01, 10), Gaussian(2.0, 0.1, 5), Gaussian(1.5, 0.02, 3))
    *own, adversary = Composition(phases).assumptions
    assert adversary == phases[0].assumptions[-1]
    curve = relaxed.trade_off(Composition(phases), np.array([1e-3]))
    assert set(own) == {text for phase in phases for text in phase.assumptions[:-1]}
    assert set(own) < set(curve.assumptions)
    assert adversary not in curve.assumptions  # who knows the record is another attacker


SATURATED = [(3.8068, 1.0, 6, 1e-3), (1.25242, 0.014368, 2, 1e-2)]


@pytest.mark.parametrize(("noise", "rate", "steps", "alpha"), SATURATED)
def test_bounded_losses_are_found_no_better_than_their_largest_likelihood_ratio(noise, rate, steps, alpha):
    """Every release beyond the centre on one side has a chance of its own, above these alpha: there power is exact."""
    pull = np.array([1.0, -1.0]) / noise
    truth = alpha * 0.5 * float(np.sum((1.0 + rate * np.expm1(pull)) ** steps))
    found = relaxed.power(Laplace(noise, rate, steps), alpha)
    assert found.lower <= truth * (1.0 + 1e-12)
    assert truth <= found.upper * (1.0 + 1e-12)
    assert found.width <= 1e-5 * alpha


@pytest.mark.parametrize("rate", [0.1, 1.0])
def test_a_folded_step_is_told_by_its_distance_alone(rate):
    pair, x = FoldedPair(sampled_pairs(Gaussian(0.7).pairs)[0][0].noise, rate), np.array([0.0, 0.3, 1.0, 2.5])
    ratios = [stats.norm.pdf(x, side, 0.7) / stats.norm.pdf(x, 0.0, 0.7) for side in (-1.0, 1.0)]
    expected = np.log(1.0 - rate + rate * 0.5 * (ratios[0] + ratios[1]))
    np.testing.assert_allclose([pair.loss(x), pair.loss(-x)], [expected, expected], atol=1e-12)


@pytest.mark.parametrize(
    ("noise", "rate", "order", "alpha"),
    [(4.05745, 0.3, Order.REMOVE, 0.1), (3.44605, 0.3, Order.ADD, 0.8), (4.76256, 0.9, Order.ADD, 0.8)],
)
def test_no_attack_on_two_steps_exceeds_the_stated_error(noise, rate, order, alpha):
    """The best test of who is told in which of 602 cells each release lies: the error of a lattice comes and goes."""
    edges = np.linspace(-1.0, 1.0, 601)
    ends = (np.concatenate(([0.0], stats.laplace.cdf(edges, centre, noise), [1.0])) for centre in (0.0, 1.0, -1.0))
    absent, *sides = (np.diff(masses) for masses in ends)
    sides = [(1.0 - rate) * absent + rate * side for side in sides]
    upwards, downwards = (np.outer(side, side).ravel() for side in sides)
    q, p = np.outer(absent, absent).ravel(), 0.5 * (upwards + downwards)
    q, p = (p, q) if order is Order.REMOVE else (q, p)
    best = np.argsort(-p / q)
    reached = np.interp(alpha, np.cumsum(q[best]), np.cumsum(p[best]))
    found = relaxed.power(Laplace(noise, rate, 2), alpha, order=order)
    assert found.upper >= reached
    assert found.width < 1e-4
