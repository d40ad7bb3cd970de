"""The generalised likelihood ratio test of noise that is not symmetric: brute force and laws."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from numerics.relaxed import GeneralisedRatioTest, LogGammaNoise, RatioStatistic
from tests.strategies import log_uniform

NOISES = st.builds(LogGammaNoise, log_uniform(0.2, 1e6))
TESTS = st.builds(GeneralisedRatioTest, NOISES, log_uniform(0.05, 6.0), st.sampled_from(RatioStatistic))
LEVELS = st.lists(st.floats(1e-9, 1.0 - 1e-9), min_size=1, max_size=3).map(lambda each: np.sort(np.array(each)))


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


@settings(max_examples=10)
@given(TESTS, LEVELS, st.floats(0.0, 1.0))
def test_laws(test, alpha, share):
    """Level, equal values at both ends, errors that add up, and no more mean power than the even mixture has."""
    low, high = test.accepted(alpha)
    assert test.errors(alpha, 0.0).power == pytest.approx(alpha, rel=1e-9)
    assert np.all(low <= high)
    two_sided = np.isfinite(low)
    assert test.value(low[two_sided]) == pytest.approx(test.value(high[two_sided]), rel=1e-6, abs=1e-6)
    _, beta, power = test.errors(alpha, share * test.effect)
    assert beta + power == pytest.approx(np.ones(len(alpha)), abs=1e-9)
    own, even = (
        sum(
            GeneralisedRatioTest(test.noise, test.effect, each).errors(alpha, s * test.effect).power
            for s in (1.0, -1.0)
        )
        for each in (test.statistic, RatioStatistic.EVEN)
    )
    assert np.all(own <= even * (1.0 + 1e-9))
