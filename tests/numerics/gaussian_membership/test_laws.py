"""Gaussian membership inference privacy (paper 004): laws of steps, mixtures and runs, and simulated attacks."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from numerics.audits import Background, log_p_value, statistic
from numerics.calibration import AdvantageTarget, PowerTarget
from numerics.gaussian_membership import GradientRelease, StepTest, composition, level
from numerics.gaussian_membership.calibration import MuTarget, noise_for, success_at, target_mu
from numerics.gaussian_membership.stochastic import NormalTest, StochasticComposition, over_normal_gradients
from numerics.mechanisms.gaussian import GaussianShift
from numerics.trade_off import Bound, alpha_grid
from tests.strategies import log_uniform

SIGMAS = 4.5  # of a simulation; one in 150,000 runs with another seed would fail
STEPS = st.builds(StepTest, log_uniform(1.5, 1e4), log_uniform(1.0, 1e4).map(round), log_uniform(1e-2, 1e3))


@settings(max_examples=20)
@given(STEPS, st.floats(1.01, 10.0), log_uniform(1e-9, 0.9), st.floats(-3.0, 10.0))
def test_a_step_is_a_trade_off_function(step, factor, rate, log_ratio):
    """Falling, convex, below guessing; its slope is the likelihood ratio; more exposed with K, hidden by the batch."""
    curve = step.trade_off(alpha_grid(60))
    assert curve.bound is Bound.EXACT
    assert np.all(np.diff(curve.beta) <= 0.0)
    assert np.all((curve.beta >= 0.0) & (curve.beta <= 1.0 - curve.alpha + 1e-9))
    assert np.allclose(curve.beta + curve.power, 1.0, rtol=0.0, atol=1e-9)
    inside = (curve.alpha > 1e-7) & (curve.alpha < 1.0 - 1e-7)
    slopes = np.diff(curve.power[inside]) / np.diff(curve.alpha[inside])
    assert np.all(np.diff(slopes) <= 1e-6 * slopes[:-1])
    gap = np.max(curve.power - curve.alpha)
    assert gap - 1e-9 <= step.advantage() <= gap + 0.05  # 60 points
    at = np.array([rate])
    exposed = StepTest(step.effective_size, step.dimension, factor * step.susceptibility)
    hidden = StepTest(factor * step.effective_size, step.dimension, step.susceptibility)
    assert hidden.power(at)[0] * (1.0 - 1e-9) <= step.power(at)[0] <= exposed.power(at)[0] * (1.0 + 1e-9)
    alpha, power = step.rates(np.array([log_ratio]))
    assume(1e-12 < alpha[0] < 1.0 - 1e-3)
    assert step.power(alpha)[0] == pytest.approx(power[0], rel=1e-8)
    near = step.trade_off(alpha * np.array([1.0 - 1e-4, 1.0 + 1e-4]))
    gain = np.diff(near.power) if power[0] < 0.5 else -np.diff(near.beta)  # the smaller of the two keeps its digits
    assert np.log(gain / np.diff(near.alpha))[0] == pytest.approx(log_ratio, abs=1e-3)


@pytest.mark.parametrize(
    ("size", "dimension", "susceptibility"), [(500.0, 650, 650.0), (1e4, 10**6, 1e6), (2.0, 10**6, 1e6), (1e6, 1, 1e3)]
)
def test_large_batches_and_dimensions(size, dimension, susceptibility):
    """The ends are exact, nothing warns, and the normal approximation is good; for small batches it is poor."""
    step, alpha = StepTest(size, dimension, susceptibility), np.array([0.0, 1e-9, 1e-3, 0.5, 1.0 - 1e-9, 1.0])
    power, beta = step.power(alpha), step.beta(alpha)
    assert (power[0], power[-1], beta[0], beta[-1]) == (0.0, 1.0, 1.0, 0.0)
    limit = step.normal_limit(alpha)
    assert power[2:4] == pytest.approx(limit.power[2:4], rel=0.05)
    assert limit.power == pytest.approx(GaussianShift(step.mu).power(alpha), rel=1e-12)
    small = StepTest(5.0, 2, 2.0)  # correction 44
    assert abs(small.beta(np.array([0.01])) - small.normal_limit(np.array([0.01])).beta)[0] > 0.01


def test_eq_8_by_simulating_gradients():
    """Mean of 50 normal gradients in 20 dimensions with noise, with and without the gradient looked for; and two means
    of which the record is in both.
    """
    size, dimension, noise, draws, alpha = 50, 20, 2.5, 40_000, 0.05
    generator, target = np.random.default_rng(1), np.full(dimension, np.sqrt(15.0 / dimension))

    def released(present):
        others = np.sqrt(size - present) * generator.standard_normal((draws, dimension))
        return (others + present * target + noise * generator.standard_normal((draws, dimension))) / size

    effective = size + noise**2
    step = StepTest(effective, dimension, 15.0)
    outside, inside = ([statistic(released(present), target, size, noise) for _ in range(2)] for present in (0, 1))
    for test, found, false in (
        (step, inside[0], outside[0]),
        (step.repeated(2), inside[0] + inside[1], outside[0] + outside[1]),
    ):
        for values, expected in ((false, alpha), (found, test.power(np.array([alpha]))[0])):
            p_values = log_p_value(values, test.dimension, test.susceptibility * effective)
            rate = np.mean(p_values <= np.log(alpha))
            assert rate == pytest.approx(expected, abs=SIGMAS * np.sqrt(expected / draws))


# --- mixtures, and the attack


def test_the_conjugate_of_a_mixture_is_the_mean_of_conjugates():
    """sup over alpha of power - slope alpha, for the mixture and for its parts."""
    tests, weights, slope = (NormalTest(0.7), NormalTest(2.5)), (0.3, 0.7), 4.0
    alpha = np.geomspace(1e-6, 0.999, 4000)
    mixed = np.max(StochasticComposition(tests, weights).power(alpha) - slope * alpha)
    parts = [np.max(GaussianShift(test.mu).power(alpha) - slope * alpha) for test in tests]
    assert mixed == pytest.approx(np.dot(weights, parts), abs=1e-6)
    ends, step = np.array([0.0, 1e-9, 0.01, 0.5, 1.0]), StepTest(50.0, 20, 15.0)
    assert StochasticComposition((step,), (1.0,)).power(ends) == pytest.approx(step.power(ends), rel=1e-9)


def test_mixture_by_simulating_both_the_record_and_the_batch():
    """The best attacker on gradients of unknown susceptibility, by its likelihood ratio."""
    size, dimension, draws = 5.0, 2, 100_000
    generator = np.random.default_rng(2)
    k = generator.chisquare(dimension, draws)
    member = stats.ncx2.rvs(dimension, (size - 1) * k, random_state=generator) * (size - 1) / size
    outsider = stats.ncx2.rvs(dimension, size * k, random_state=generator)
    log_ratio = [0.5 * k - s / (2 * (size - 1)) for s in (outsider, member)]
    threshold = np.quantile(log_ratio[0], 0.9)
    mixture = over_normal_gradients(lambda k: StepTest(size, dimension, k), dimension).trade_off(np.array([0.1]))
    assert mixture.bound is Bound.ESTIMATE
    assert np.mean(log_ratio[1] >= threshold) == pytest.approx(mixture.power[0], abs=SIGMAS / np.sqrt(draws))


def test_p_value_of_the_printed_statistic_accuses_too_many():
    """With n - 1 for n, 20 % of non-members have a p-value below 5 % (correction 47; d = 50, n = 20)."""
    size, dimension, draws = 20, 50, 10_000
    generator = np.random.default_rng(3)
    target, released = generator.standard_normal((2, draws, dimension))
    k, found = np.sum(target**2, axis=1), statistic(released / np.sqrt(size), target, size)
    levels = (log_p_value(factor * found, dimension, size * k) <= np.log(0.05) for factor in (1.0, 19 / 20))
    right, printed = map(np.mean, levels)
    assert right == pytest.approx(0.05, abs=SIGMAS * np.sqrt(0.05 / draws))
    assert printed == pytest.approx(0.2017, abs=0.02)


def test_susceptibility_is_centred_and_whitened():
    """And the statistic without noise is the paper's."""
    generator, mean = np.random.default_rng(4), np.array([3.0, -1.0, 2.0])
    root = generator.standard_normal((3, 3))
    covariance = root @ root.T + np.eye(3)
    released, target = generator.standard_normal((2, 3))
    known = Background(mean, np.linalg.inv(np.linalg.cholesky(covariance)).T)
    assert known.whitened(mean + 0.0) == pytest.approx(np.zeros(3))
    found = statistic(known.whitened(released), known.whitened(target), 7)
    direct = 7 * (released - target) @ np.linalg.inv(covariance) @ (released - target)
    assert float(found) == pytest.approx(direct, rel=1e-12)


# --- runs


@settings(max_examples=50)
@given(log_uniform(1e-3, 100.0), log_uniform(1e-3, 10.0), log_uniform(1e-5, 20.0), st.floats(1.001, 2.0))
def test_sampling_limit_grows_and_has_an_inverse(total, sampling, mu, factor):
    step = composition.step_mu_for(total, sampling)
    assert composition.sampling_limit(step, sampling) == pytest.approx(total, rel=1e-7)
    assert composition.sampling_limit(factor * mu, 0.1) > composition.sampling_limit(mu, 0.1)


@settings(max_examples=50)
@given(log_uniform(0.05, 20.0), st.integers(1, 10_000), st.integers(1, 10_000))
def test_relaxed_and_private_mu_are_inverses(mu, size, dimension):
    own = composition.relaxed_mu(mu, size, dimension).own
    cancelled = 1e-15 * size * mu**2 / 4  # digits lost in d/mu^2 - n
    assert composition.private_mu(own, size, dimension) == pytest.approx(mu, rel=1e-9 + 10 * cancelled)


@settings(max_examples=40)
@given(log_uniform(0.05, 3.0), st.one_of(st.none(), log_uniform(1.0, 1e4)), st.booleans(), st.floats(1.01, 5.0))
def test_calibrated_noise_meets_the_target(mu, susceptibility, sampled, factor):
    release = GradientRelease(4000 if sampled else 400, 400, 50, 650)
    found = noise_for(MuTarget(mu), release, susceptibility)
    reached = level(found.release, susceptibility)
    if found.noise_needed:
        assert reached.mu == pytest.approx(mu, rel=1e-6)
        assert reached.set_by_privacy == found.set_by_privacy
        more = found.release.with_noise(factor * found.noise_multiplier)
        assert level(more, susceptibility).mu < reached.mu
    else:
        assert reached.own <= mu * (1.0 + 1e-9)
    assert (composition.SAMPLING_LIMIT in reached.assumptions) == sampled
    assert (composition.PLUG_IN in reached.assumptions) == (susceptibility is None)
    assert reached.trade_off(np.array([0.1])).power == pytest.approx(GaussianShift(reached.mu).power(np.array([0.1])))


@settings(max_examples=40)
@given(log_uniform(0.01, 5.0), log_uniform(1e-9, 0.3))
def test_targets_translate_to_mu(mu, alpha):
    shift = GaussianShift(mu)
    power = float(shift.power(np.array([alpha]))[0])
    assert target_mu(AdvantageTarget(shift.delta(0.0))) == pytest.approx(mu, rel=1e-6)
    assert target_mu(PowerTarget(power, alpha)) == pytest.approx(mu, abs=1e-6)
    for target in (MuTarget(mu), AdvantageTarget(shift.delta(0.0)), PowerTarget(power, alpha)):
        assert success_at(target, mu) == pytest.approx(target.goal if target != MuTarget(mu) else mu, rel=1e-9)
