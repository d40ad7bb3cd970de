"""Choices among candidates: one against all scores by the definition, several between an attack and a guarantee.

What a search over adaptive choices finds, and how groups and phases are counted, is in rows of ``engine_table.toml``.
"""

import numpy as np
import pytest
from scipy.stats import binom

from numerics import renyi
from numerics.mechanisms import Adjacency
from numerics.mechanisms.exponential_mechanism import ExponentialMechanism
from numerics.trade_off import Bound, Floats
from tests.numerics import oracle

ADD, REPLACE = Adjacency.ADD_REMOVE, Adjacency.REPLACE_ONE
ALPHA = np.array([1e-4, 0.01, 0.1, 0.5, 0.9])
PULLED = np.array([1.0, -1.0])  # by a record, of the scores of two candidates


def laws(scores: Floats, change: Floats, rate: float, adjacency: Adjacency, epsilon: float = 2.0) -> oracle.Laws:
    """Of the choice with the record, and without it or with one that does the opposite, mixed over the sample."""
    weights = [np.exp(0.5 * epsilon * (scores + sign * change)) for sign in (0, 1, -1)]
    absent, present, other = (weight / weight.sum() for weight in weights)
    p, q = (1.0 - rate) * absent + rate * present, (1.0 - rate) * absent + rate * other
    return p, q if adjacency is REPLACE else absent


@pytest.mark.parametrize("rate", [1e-6, 0.4, 1.0])
@pytest.mark.parametrize("adjacency", [ADD, REPLACE])
def test_two_candidates_reach_the_curve_of_one_choice_and_none_pass_it(rate: float, adjacency: Adjacency) -> None:
    release, generator = ExponentialMechanism(0.5, rate, 1, adjacency), np.random.default_rng(7)
    assert release.bound is Bound.EXACT
    for gap in (-8.0, -1.0, 0.0, 4.0):
        p, q = laws(np.array([gap, 0.0]), PULLED, rate, adjacency)
        assert rate == 1.0 or release.power(q[0]) == pytest.approx((p[0],) * 3, rel=1e-11)
    power = np.array([release.power(each).upper for each in ALPHA])
    for _ in range(100):
        scores, change = generator.uniform(-3, 3, 4), generator.uniform(-1, 1, 4).round(1)
        assert np.all(oracle.power(laws(scores, change, rate, adjacency), ALPHA) <= power * (1.0 + 1e-9))
        divergence = {order: oracle.divergence(laws(scores, change, rate, adjacency), order) for order in (2, 6, 20)}
        if adjacency is ADD:
            assert all(most <= renyi.divergence(release, order) * (1 + 1e-12) for order, most in divergence.items())
        assert all(most <= renyi.zcdp(release) * order * (1 + 1e-12) for order, most in divergence.items())


@pytest.mark.parametrize("adjacency", [ADD, REPLACE])
def test_several_choices_have_the_binomial_attack_and_a_guarantee_above(adjacency: Adjacency) -> None:
    release, counts = ExponentialMechanism(0.5, 0.1, 30, adjacency), np.arange(31)
    assert release.bound is Bound.OPEN
    p, q = laws(np.array([0.0 if adjacency is REPLACE else -1.0, 0.0]), PULLED, 0.1, adjacency)
    attack = oracle.power((binom.pmf(counts, 30, p[0]), binom.pmf(counts, 30, q[0])), ALPHA)
    for alpha, reached in zip(ALPHA, attack, strict=True):
        found = release.power(float(alpha))
        assert reached * (1.0 - 1e-4) <= found.lower <= reached * (1.0 + 1e-9)
        assert found.upper >= reached
