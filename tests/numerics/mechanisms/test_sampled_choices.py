"""Choices from a Poisson sample: the curve of one against all scores, several between a guarantee and an attack."""

import mpmath
import numpy as np
import pytest
from scipy.stats import binom

from numerics.mechanisms import Adjacency, Composition, Gaussian, Sampling
from numerics.mechanisms.exponential_mechanism import ExponentialMechanism
from numerics.not_offered import NotOfferedError
from numerics.trade_off import Bound, Order

REPLACED = Adjacency.REPLACE_ONE
ALPHA = np.array([1e-4, 0.01, 0.1, 0.5, 0.9])
EPSILON = 2.0


def best(p, q, alpha):
    """Power of the best test between laws (n,), by the definition: outcomes by likelihood ratio, joined by chords."""
    order = np.argsort(-p / q)
    return np.interp(alpha, np.append(0.0, np.cumsum(q[order])), np.append(0.0, np.cumsum(p[order])))


def chosen(scores):
    weights = np.exp(0.5 * EPSILON * np.asarray(scores))
    return weights / weights.sum()


def laws(scores, change, rate, adjacency):
    """Of the choice with the record and without it (or with one that does the opposite), mixed over the sample."""
    absent, present, other = chosen(scores), chosen(scores + change), chosen(scores - change)
    p, q = (1.0 - rate) * absent + rate * present, (1.0 - rate) * absent + rate * other
    return p, q if adjacency is REPLACED else absent


@pytest.mark.parametrize("rate", [0.02, 0.4])
@pytest.mark.parametrize("adjacency", Adjacency)
def test_two_candidates_reach_the_curve_of_one_choice_and_none_pass_it(rate, adjacency):
    release = ExponentialMechanism(1.0 / EPSILON, rate, 1, adjacency)
    assert release.bound is Bound.EXACT
    for gap in (-8.0, -3.0, -1.0, 0.0, 0.5, 4.0):
        p, q = laws(np.array([gap, 0.0]), np.array([1.0, -1.0]), rate, adjacency)
        found = release.power(q[0])
        assert found.lower == found.upper == pytest.approx(p[0], rel=1e-12)
    power = np.array([release.power(alpha).upper for alpha in ALPHA])
    generator = np.random.default_rng(7)
    for _ in range(300):
        scores, change = generator.uniform(-3.0, 3.0, 4), generator.uniform(-1.0, 1.0, 4).round(1)
        p, q = laws(scores, change, rate, adjacency)
        assert np.all(best(p, q, ALPHA) <= power * (1.0 + 1e-9))


@pytest.mark.parametrize("rate", [1e-6, 0.02, 0.4, 0.97, 1.0 - 1e-9])
@pytest.mark.parametrize("epsilon", [1e-4, 1.0, 6.0, 60.0])
def test_one_choice_with_a_replaced_record_in_fifty_digits(epsilon, rate):
    """Both error rates, each by its definition at chances m from either end; the most that an epsilon leaves."""
    release = ExponentialMechanism(1.0 / epsilon, rate, 1, REPLACED)
    form = release.closed_form
    assert form is not None
    with mpmath.workdps(50):
        odds = mpmath.exp(mpmath.mpf(1.0 / (1.0 / epsilon)))
        chances = [mpmath.mpf(10) ** -k for k in (30, 9, 3, 1)] + [mpmath.mpf(1) / 2, 1 - mpmath.mpf(10) ** -3]
        rates = [[(1 - rate) * m + rate * m * by / (m * by + 1 - m) for by in (1 / odds, odds)] for m in chances]
        alpha, beta = (
            np.array([float(each) for each in side]) for side in ([a for a, _ in rates], [1 - p for _, p in rates])
        )
        power = np.array([float(p) for _, p in rates])
        slope = mpmath.mpf(0.5 * release.pure_epsilon)
        most = max(p - mpmath.exp(slope) * a for a, p in rates)
    for order in Order:
        found = form.trade_off(alpha, order)
        np.testing.assert_allclose(found.power, power, rtol=1e-12)
        np.testing.assert_allclose(found.beta, beta, rtol=1e-11 if rate > 0.5 else 1e-12)
    if epsilon < 60.0:  # there a power next to the rate says little of alpha
        np.testing.assert_allclose(form.shift.alpha_for(power[:4]), alpha[:4], rtol=1e-12)
    assert form.shift.delta(float(slope)) >= float(most) * (1.0 - 1e-9)
    assert form.shift.delta(0.0) == pytest.approx(rate * np.tanh(0.5 * epsilon), rel=1e-13, abs=0.0)
    assert release.delta(release.pure_epsilon).upper == form.shift.delta(release.pure_epsilon * (1.0 + 1e-12)) == 0.0
    assert release.epsilon(1e-9).upper <= release.pure_epsilon


def test_of_one_choice_with_a_replaced_record_all_numbers_lie_in_the_bracket_of_its_pair():
    release = ExponentialMechanism(0.5, 0.3, 1, REPLACED)
    certified, form = release.certified(), release.closed_form
    assert form is not None
    for found, bracket in (
        (release.advantage(), certified.delta(0.0)),
        (release.delta(0.4), certified.delta(0.4)),
        (release.epsilon(0.01), certified.epsilon(0.01)),
        (release.gaussian_mu(), certified.gaussian_mu(1e-9)),
    ):
        assert bracket.lower <= found.upper <= bracket.upper
    area = release.auc()
    assert area.lower < area.upper == certified.auc().upper
    assert form.area() == pytest.approx(area.upper, abs=1e-5)


@pytest.mark.parametrize("adjacency", [Adjacency.ADD_REMOVE, REPLACED])
def test_several_choices_have_the_binomial_attack_and_a_guarantee_above(adjacency):
    release, steps = ExponentialMechanism(1.0 / EPSILON, 0.1, 30, adjacency), 30
    assert release.bound is Bound.OPEN
    gap = 0.0 if adjacency is REPLACED else -1.0
    p, q = laws(np.array([gap, 0.0]), np.array([1.0, -1.0]), 0.1, adjacency)
    counts = np.arange(steps + 1)
    attack = best(binom.pmf(counts, steps, p[0]), binom.pmf(counts, steps, q[0]), ALPHA)
    for alpha, reached in zip(ALPHA, attack, strict=True):
        found = release.power(float(alpha))
        assert found.lower == pytest.approx(reached, rel=1e-4)
        assert found.lower <= reached * (1.0 + 1e-9)
        assert found.upper >= reached


def test_a_sample_protects_and_everybody_is_a_sample_of_rate_one():
    power = [ExponentialMechanism(0.5, rate, 5).power(0.01).upper for rate in (0.01, 0.3, 0.999999, 1.0)]
    assert power == sorted(power)
    assert power[2] == pytest.approx(power[3], rel=1e-3)
    both = Composition((ExponentialMechanism(0.5, 0.1, 5), Gaussian(1.0, 0.1, 5)))
    assert both.power(0.01).upper > max(phase.power(0.01).upper for phase in both.phases)


@pytest.mark.parametrize("sampling", [one for one in Sampling if one is not Sampling.POISSON])
def test_other_samples_are_refused_by_name(sampling):
    adjacency = sampling.batches.adjacencies[-1]
    with pytest.raises(NotOfferedError, match=f"sampling must be Poisson for Exponential mechanism, got {sampling}"):
        ExponentialMechanism(1.0, 0.1, 1, adjacency, sampling)
    assert ExponentialMechanism(1.0, 1.0, 1, adjacency, sampling).power(0.01).upper < 1.0
