"""The generalised likelihood ratio test of noise that is not symmetric: simulation, brute force, its limit, laws."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from numerics import relaxed
from numerics.mechanisms import Gaussian
from numerics.relaxed import GeneralisedRatioTest, LogGammaNoise, RatioStatistic
from numerics.relaxed.generalised_ratio import LARGEST_SHAPE
from tests.strategies import log_uniform

NOISES = st.builds(LogGammaNoise, log_uniform(0.2, 1e6))
TESTS = st.builds(GeneralisedRatioTest, NOISES, log_uniform(0.05, 6.0), st.sampled_from(RatioStatistic))
LEVELS = st.lists(st.floats(1e-9, 1.0 - 1e-9), min_size=1, max_size=3).map(lambda each: np.sort(np.array(each)))


@pytest.mark.parametrize("statistic", RatioStatistic)
def test_error_rates_are_those_of_a_simulation_that_ranks_the_statistic(statistic):
    shape, effect, draws, alpha = 1.0, 1.0, 50_000, np.array([0.01, 0.05, 0.3, 0.5])
    test = GeneralisedRatioTest(LogGammaNoise(shape), effect, statistic)
    noise = np.sqrt(shape) * np.log(np.random.default_rng(7).gamma(shape, size=(3, draws)) / shape)
    critical = np.quantile(test.value(noise[0]), 1.0 - alpha)
    for row, influence in ((1, effect), (2, -effect)):
        counted = np.mean(test.value(noise[row] + influence)[:, None] > critical, axis=0)
        # the critical value is drawn too, and the statistic's slope doubles its error at most threefold
        assert test.errors(alpha, influence).power == pytest.approx(counted, abs=6.0 * np.sqrt(0.5 / draws))


@pytest.mark.parametrize(("shape", "effect"), [(1.0, 1.0), (4.0, 2.5), (200.0, 0.4)])
def test_the_likelihood_is_maximised_over_the_influence(shape, effect):
    """Restricted: paper 000 Lemma 5 by definition. The pair and the even mixture: of both likelihood ratios."""
    release, root = np.linspace(-6.0, 4.0, 41), np.sqrt(shape)
    law = stats.loggamma(shape, loc=-root * np.log(shape), scale=root)

    def ratio(influence):
        return law.logpdf(release[:, None] - influence) - law.logpdf(release)[:, None]

    both = ratio(np.array([effect, -effect]))
    expected = {
        RatioStatistic.RESTRICTED: ratio(np.linspace(-effect, effect, 16_001)).max(axis=1),
        RatioStatistic.UNRESTRICTED: ratio(np.linspace(-8.0, 8.0, 16_001)).max(axis=1),
        RatioStatistic.PAIR: both.max(axis=1),
        RatioStatistic.EVEN: np.log(np.exp(both).mean(axis=1)),
    }
    for statistic in RatioStatistic:
        found = GeneralisedRatioTest(LogGammaNoise(shape), effect, statistic).value(release)
        assert found == pytest.approx(expected[statistic], abs=1e-5)


@pytest.mark.parametrize("statistic", RatioStatistic)
def test_of_normal_noise_every_statistic_is_the_distance(statistic):
    alpha = np.array([1e-6, 1e-3, 0.05, 0.3, 0.9])
    test, curve = (
        GeneralisedRatioTest(LogGammaNoise(LARGEST_SHAPE), 1.5, statistic),
        relaxed.trade_off(Gaussian(1.0 / 1.5), alpha),
    )
    up, down = (test.errors(alpha, influence) for influence in (1.5, -1.5))
    # the skewness left, 1e-3, cancels between both sides; its square does not
    assert 0.5 * (up.power + down.power) == pytest.approx(curve.power, rel=5e-4)
    assert 0.5 * (up.beta + down.beta) == pytest.approx(curve.beta, rel=5e-4)


@settings(max_examples=10)
@given(TESTS, LEVELS, st.floats(0.0, 1.0))
def test_laws(test, alpha, share):
    """Level, equal values at both ends, errors that add up, and no more mean power than the even mixture has."""
    low, high = test.accepted(alpha)
    assert test.errors(alpha, 0.0).power == pytest.approx(alpha, rel=1e-9)
    assert np.all(low <= high)
    two_sided = np.isfinite(low)
    assert test.value(low[two_sided]) == pytest.approx(test.value(high[two_sided]), rel=1e-6, abs=1e-6)
    beta, power = test.errors(alpha, share * test.effect)
    assert beta + power == pytest.approx(np.ones(len(alpha)), abs=1e-9)

    def mean_power(statistic):
        one = GeneralisedRatioTest(test.noise, test.effect, statistic)
        return 0.5 * (one.errors(alpha, test.effect).power + one.errors(alpha, -test.effect).power)

    assert np.all(mean_power(test.statistic) <= mean_power(RatioStatistic.EVEN) * (1.0 + 1e-9))
