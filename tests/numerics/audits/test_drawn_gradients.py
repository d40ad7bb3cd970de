"""GLiR on gradients of other laws and clipped ones (paper 004 Fig. 4), and over several steps (Fig. 2c)."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, special, stats

from numerics.audits import (
    Confidence,
    DrawnGradients,
    GradientLaw,
    Pooling,
    Position,
    SimulatedGradients,
    collected,
    measured_curve,
    positions,
)
from numerics.gaussian_membership import StepTest
from numerics.gaussian_membership.composition import composed
from numerics.gaussian_membership.stochastic import over_normal_gradients
from numerics.trade_off import Bound
from tests.strategies import log_uniform

ALPHA = np.array([0.01, 0.05, 0.1, 0.3, 0.5, 0.9])
SURE = Confidence(1.0 - 1e-5, simultaneous=True)


def measured(attack, rounds=8000, seed=1):
    return measured_curve(collected(attack.rounds(rounds, seed)), ALPHA, SURE)


@pytest.mark.parametrize("law", GradientLaw)
@pytest.mark.parametrize("clip", [np.inf, 1.0, 0.2])
def test_clipped_gradients_keep_their_length_and_variance(law, clip):
    attack = DrawnGradients(20, 50, law, clip)
    drawn = attack.gradients(np.random.default_rng(2), 40_000)
    assert np.all(np.linalg.norm(drawn, axis=1) <= clip * np.sqrt(20) * (1.0 + 1e-12))
    assert np.mean(drawn**2) == pytest.approx(attack.variance, rel=0.01)
    assert np.abs(np.corrcoef(drawn.T) - np.eye(20)).max() < 0.03


@given(st.integers(1, 300), log_uniform(0.05, 5.0))
@settings(max_examples=30)
def test_variance_of_clipped_normal_gradients_by_quadrature(d, clip):
    limit = d * clip**2
    low, high = stats.chi2.ppf(1e-14, d), min(limit, float(stats.chi2.isf(1e-14, d)))
    below = integrate.quad(lambda x: x * stats.chi2.pdf(x, d), low, high, limit=200)[0] if high > low else 0.0
    expected = (below + limit * special.gammaincc(0.5 * d, 0.5 * limit)) / d
    assert DrawnGradients(d, 2, GradientLaw.NORMAL, clip).variance == pytest.approx(expected, rel=1e-6, abs=1e-9)


def test_normal_gradients_reach_the_composition_over_their_susceptibilities():
    """The query is drawn anew each round, so that K is chi-squared; its own p-value is uniform whatever K is."""
    d, n = 5, 12
    attack = DrawnGradients(d, n)
    scores = collected(attack.rounds(20_000, 3))
    assert stats.kstest(np.exp(-scores.null), "uniform").pvalue > 1e-4
    reach = measured_curve(scores, ALPHA, SURE)
    best = over_normal_gradients(lambda k: StepTest(float(n), d, k), d).trade_off(ALPHA)
    assert Position.STRONGER not in positions(reach, best)  # a threshold on p-values is not the best use of many K
    assert np.all(np.abs(reach.power - best.power) < 0.03)


@pytest.mark.parametrize(("law", "clip"), [("normal", 0.2), ("uniform", 0.9)])
def test_p_values_of_clipped_gradients_are_uniform(law, clip):
    scores = collected(DrawnGradients(10, 60, GradientLaw(law), clip).rounds(3000, 5))
    assert stats.kstest(np.exp(-scores.null), "uniform").pvalue > 1e-4


@pytest.mark.parametrize(("law", "clip"), [("uniform", np.inf), ("normal", 0.2), ("uniform", 1.0)])
def test_fig_4_neither_law_nor_clipping_matters(law, clip):
    """The printed claim, at the d = 20 and n = 50 of Fig. 1: within 2 points of Eq. 8 with K = d."""
    theory = StepTest(50.0, 20, 20.0).power(ALPHA)
    reached = measured(DrawnGradients(20, 50, GradientLaw(law), clip)).power
    assert np.all(np.abs(reached - theory) < 0.035)


def test_fig_4_in_batches_of_five_eq_8_holds_and_the_normal_curve_of_cor_5_1_does_not():
    test = StepTest(5.0, 20, 20.0)
    reached = measured(DrawnGradients(20, 5), 20_000)
    assert np.all(np.abs(reached.power - test.power(ALPHA)) < 0.03)
    assert positions(reached, test.normal_limit(ALPHA))[1:4] == (Position.STRONGER,) * 3


def test_fig_2c_five_independent_steps():
    """Printed: mu of a step 1.14, of five 2.54."""
    one = StepTest(500.0, 650, 650.0)
    five = one.repeated(5)
    assert one.mu == pytest.approx(1.14, abs=0.005)
    assert five.mu == pytest.approx(composed((one.mu,) * 5), rel=1e-12)
    assert five.mu == pytest.approx(2.548, abs=5e-4)  # the print truncates to 2.54
    assert five.power(ALPHA) == pytest.approx(stats.norm.cdf(stats.norm.ppf(ALPHA) + five.mu), abs=2e-3)


def test_fig_2c_pooled_statistics_reach_the_theory_and_pooled_p_values_do_not():
    """A tenth of Fig. 2c's gradients and weights: the same level."""
    one, rounds = StepTest(50.0, 65, 65.0), 20_000
    attacks = (SimulatedGradients(65, 50, 65.0, steps=5, pooling=pooling) for pooling in Pooling)
    by_p_values, by_statistics = (measured(attack, rounds) for attack in attacks)
    theory = one.repeated(5).trade_off(ALPHA)
    assert set(positions(by_statistics, theory)) == {Position.INSIDE}
    assert positions(by_p_values, theory)[1:3] == (Position.WEAKER,) * 2
    assert np.all(by_p_values.power[:4] > one.power(ALPHA)[:4] + 0.1)


@given(st.integers(1, 12), st.integers(1, 40), log_uniform(1.5, 500.0), log_uniform(0.01, 100.0))
def test_repeated_steps_are_the_product_of_the_tests(steps, dimension, size, susceptibility):
    one = StepTest(size, dimension, susceptibility)
    all_of_them = one.repeated(steps)
    assert all_of_them.mu == pytest.approx(composed((one.mu,) * steps), rel=1e-9)
    assert all_of_them.advantage() >= one.advantage() - 1e-9
    if steps == 1:
        assert all_of_them == one


def test_two_steps_against_the_sum_of_both_log_likelihood_ratios():
    one, alpha, draws = StepTest(4.0, 3, 2.0), np.array([0.05, 0.3]), 400_000
    rng = np.random.default_rng(8)
    null = rng.noncentral_chisquare(3, 8.0, (draws, 2))
    present = rng.noncentral_chisquare(3, 6.0, (draws, 2)) * 0.75

    def log_ratio(s):  # n = 4: the densities themselves
        return stats.ncx2.logpdf(s / 0.75, 3, 6.0) - np.log(0.75) - stats.ncx2.logpdf(s, 3, 8.0)

    critical = np.quantile(log_ratio(null).sum(axis=1), 1.0 - alpha)
    counted = np.mean(log_ratio(present).sum(axis=1)[:, None] > critical, axis=0)
    assert one.repeated(2).power(alpha) == pytest.approx(counted, abs=0.006)


def test_fig_1_eq_8_tends_to_the_normal_limit_of_cor_5_1():
    """At a fixed ratio of weights to records, hence a fixed mu; the largest distance falls like 1 / sqrt(d)."""
    distances = []
    for d in (2, 20, 200, 2000):
        test = StepTest(2.5 * d, d, float(d))
        limit = test.normal_limit(ALPHA)
        assert limit.bound is Bound.ESTIMATE
        assert limit.power == pytest.approx(stats.norm.cdf(stats.norm.ppf(ALPHA) + test.mu), rel=1e-12)
        assert limit.power + limit.beta == pytest.approx(np.ones(len(ALPHA)), abs=1e-12)
        distances.append(np.max(np.abs(test.power(ALPHA) - limit.power)))
    assert np.all(np.array(distances[1:]) < 0.45 * np.array(distances[:-1]))
