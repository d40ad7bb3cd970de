"""Two groups of one run, for canaries that do not interact: the tests of many runs, and when they are refused."""

import numpy as np
import pytest
from scipy import stats

from numerics import Gaussian
from numerics.audits import GdpClaim, ReleaseClaim, Scores, claim_test, largest_refuted
from numerics.audits.one_run import Canaries, epsilon_at_threshold, if_independent, p_value, parameter_refuted
from numerics.sampling import Adjacency


def canaries(mu: float, size: int = 1000, adjacency: Adjacency = Adjacency.ADD_REMOVE) -> Canaries:
    rng = np.random.default_rng(11)
    coins = rng.random(size) < 0.5
    return Canaries(rng.standard_normal(size) + mu * coins, coins, adjacency)


def test_it_is_the_test_of_many_runs_and_shows_more_than_one_run_does() -> None:
    found, claim = canaries(1.5), GdpClaim(1.0)
    groups = Scores(found.score[~found.included], found.score[found.included])
    answer = if_independent(found, claim)
    assert answer.assumption == "if canaries do not interact"
    assert answer.test == claim_test(groups, claim)
    assert answer.refuted == largest_refuted(groups, claim)
    assert answer.test.p_value < p_value(found.guesses(), claim)
    assert answer.refuted is not None
    assert answer.refuted > (parameter_refuted(found.guesses(), claim) or 0.0)
    assert answer.refuted < 1.5


def test_a_threshold_fixed_before() -> None:
    found = canaries(2.0)
    inside, outside = found.score[found.included] > 1.0, found.score[~found.included] > 1.0
    high = stats.binomtest(int(outside.sum()), len(outside)).proportion_ci(0.95, "exact").high
    low = stats.binomtest(int(inside.sum()), len(inside)).proportion_ci(0.95, "exact").low
    assert epsilon_at_threshold(found, 1.0, 1e-5) == pytest.approx(np.log((low - 1e-5) / high), rel=1e-9)
    assert epsilon_at_threshold(canaries(0.0), 1.0, 1e-5) == 0.0


def test_refusals() -> None:
    claim = ReleaseClaim(Gaussian(1.0, 0.01, 1000))
    with pytest.raises(ValueError, match="claim must be about replace-one neighbours"):
        if_independent(canaries(1.0, adjacency=Adjacency.REPLACE_ONE), claim)
    found = canaries(1.0)
    guessed = Canaries(found.score, found.included, guess=np.ones(found.size, np.int64))
    with pytest.raises(ValueError, match="guess must be left out where scores are compared"):
        if_independent(guessed, claim)
