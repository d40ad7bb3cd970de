"""Many right guesses at several counts: the walk beside sums of binomial laws, where laws are cut off and where not."""

import numpy as np
import pytest
import scipy.stats

from numerics.audits import ReleaseClaim
from numerics.audits.one_run import Canaries, epsilon_at_threshold
from numerics.audits.one_run.walk import Walk
from numerics.mechanisms import Gaussian

CUT_OFF = 1e-30  # of a law, which counts as crossing
ROUNDING = 1e-9  # relative: a convolution beside a sum of products


def crossing(counts: tuple[int, ...], correct: tuple[int, ...], q: float) -> float:
    """P(at least so many of the first are right, or of all), by the law of total probability."""
    first, more = scipy.stats.binom(counts[0], q), scipy.stats.binom(counts[1] - counts[0], q)
    below = np.arange(correct[0])
    stays = np.sum(first.pmf(below) * more.sf(correct[1] - 1 - below))
    return float(first.sf(correct[0] - 1) + stays)


@pytest.mark.parametrize("counts", [(10, 30), (20_000, 50_000), (300, 100_000)])
@pytest.mark.parametrize("epsilon", [0.0, 1.0])
@pytest.mark.parametrize("deviations", [-2.0, 1.0, 4.0])
def test_walk_is_the_probability_of_the_union(counts, epsilon, deviations):
    """With thousands of guesses a law starts far above 0; the walk has to count from there."""
    q = 1.0 / (1.0 + np.exp(-epsilon))
    correct = tuple(int(n * q + deviations * np.sqrt(n * q * (1.0 - q))) for n in counts)
    walked = Walk(counts, epsilon).crosses(correct)
    assert walked == pytest.approx(crossing(counts, correct, q), rel=ROUNDING, abs=CUT_OFF)


def test_walk_that_surely_crosses_has_probability_1():
    assert Walk([20, 100_000], 0.0).crosses([0, 0]) == 1.0
    assert Walk([20, 100_000], 0.0).crosses([21, 100_001]) <= CUT_OFF


def test_scores_at_the_threshold_are_not_above_it():
    """Scores are 0 or 1, as the coins: a threshold of 0 tells them apart, one of 1 has nobody above it."""
    coins = np.arange(200) % 2 == 0
    scores = np.where(coins, 1.0, 0.0)
    canaries = Canaries(scores, coins)
    assert epsilon_at_threshold(canaries, 0.5, 0.0) > 2.0
    assert epsilon_at_threshold(canaries, 0.0, 0.0) == epsilon_at_threshold(canaries, 0.5, 0.0)
    assert epsilon_at_threshold(canaries, 1.0, 0.0) == 0.0


def test_the_false_alarm_rate_that_allows_a_power_is_the_smallest_that_does():
    """With so little noise every member may be found at any rate: none is needed."""
    claim = ReleaseClaim(Gaussian(0.2, 0.9, 20))
    assert claim.power(np.array([1e-9]))[0] == 1.0
    assert claim.alpha_for(np.array([1.0]))[0] <= 1e-9
