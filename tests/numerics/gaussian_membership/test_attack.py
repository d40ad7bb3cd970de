"""Records of different susceptibility, and the attack on gradients (paper 004)."""

import numpy as np
import pytest
from scipy.stats import ncx2

from numerics.audits import Background, log_p_value, statistic
from numerics.gaussian_membership import StepTest, step_mu
from numerics.gaussian_membership.stochastic import NormalTest, StochasticComposition, over_normal_gradients
from numerics.mechanisms.gaussian import GaussianShift
from numerics.trade_off import Bound
from tests.reference import Reference, each

SIGMAS = 4.5  # of a simulation; one in 150,000 runs with another seed would fail


# --- mixtures


@each("stochastic composition of G_mu1")
def test_stochastic_composition(row: Reference):
    share = row.number("w")
    tests = (NormalTest(row.number("mu1")), NormalTest(row.number("mu2")))
    mixture = StochasticComposition(tests, (share, 1.0 - share))
    power = mixture.power(np.array([row.number("alpha")]))[0]
    assert 1.0 - power == pytest.approx(row.expected, rel=1e-10)


def test_the_conjugate_of_a_mixture_is_the_mean_of_conjugates():
    """sup over alpha of power - slope alpha, for the mixture and for its parts."""
    tests, weights, slope = (NormalTest(0.7), NormalTest(2.5)), (0.3, 0.7), 4.0
    alpha = np.geomspace(1e-6, 0.999, 4000)
    mixed = np.max(StochasticComposition(tests, weights).power(alpha) - slope * alpha)
    parts = [np.max(GaussianShift(test.mu).power(alpha) - slope * alpha) for test in tests]
    assert mixed == pytest.approx(np.dot(weights, parts), abs=1e-6)


@pytest.mark.parametrize(
    ("dimension", "size", "typical", "mixed"), [(2, 5.0, 0.99356, 0.98880), (650, 500.0, 0.97445, 0.97432)]
)
def test_typical_susceptibility_is_no_worst_case(dimension, size, typical, mixed):
    """Correction 46, at alpha = .001: records of larger K make the mixture easier to attack than K = d."""
    alpha = np.array([1e-3])
    assert GaussianShift(step_mu(size, dimension)).beta(alpha)[0] == pytest.approx(typical, abs=6e-6)
    found = over_normal_gradients(lambda k: NormalTest(step_mu(size, dimension, k)), dimension).trade_off(alpha)
    assert found.beta[0] == pytest.approx(mixed, abs=6e-6)
    assert found.bound is Bound.ESTIMATE


def test_mixture_by_simulating_both_the_record_and_the_batch():
    """The best attacker on gradients of unknown susceptibility, by its likelihood ratio on 200,000 runs."""
    size, dimension, draws = 5.0, 2, 200_000
    generator = np.random.default_rng(2)
    k = generator.chisquare(dimension, draws)
    member = ncx2.rvs(dimension, (size - 1) * k, random_state=generator) * (size - 1) / size
    outsider = ncx2.rvs(dimension, size * k, random_state=generator)
    log_ratio = [0.5 * k - s / (2 * (size - 1)) for s in (outsider, member)]
    threshold = np.quantile(log_ratio[0], 0.9)
    mixture = over_normal_gradients(lambda k: StepTest(size, dimension, k), dimension)
    expected = mixture.power(np.array([0.1]))[0]
    assert np.mean(log_ratio[1] >= threshold) == pytest.approx(expected, abs=2 * SIGMAS * 0.5 / np.sqrt(draws))


def test_mixture_of_one_is_itself():
    alpha = np.array([0.0, 1e-9, 0.01, 0.5, 1.0])
    step = StepTest(50.0, 20, 15.0)
    assert StochasticComposition((step,), (1.0,)).power(alpha) == pytest.approx(step.power(alpha), rel=1e-9)


@pytest.mark.parametrize("weights", [(0.5,), (0.5, 0.6), (1.0, 0.0)])
def test_weights_must_be_a_distribution(weights):
    with pytest.raises(ValueError, match="weight"):
        StochasticComposition((NormalTest(1.0), NormalTest(2.0)), weights)


# --- the attack


def test_p_value_of_the_printed_statistic_accuses_too_many():
    """With n - 1 for n, 20 % of non-members have a p-value below 5 % (correction 47; d = 50, n = 20)."""
    size, dimension, draws = 20, 50, 10_000
    generator = np.random.default_rng(3)
    target = generator.standard_normal((draws, dimension))
    released = generator.standard_normal((draws, dimension)) / np.sqrt(size)
    k, found = np.sum(target**2, axis=1), statistic(released, target, size)
    right, printed = (
        np.mean(log_p_value(factor * found, dimension, size * k) <= np.log(0.05)) for factor in (1.0, 19 / 20)
    )
    assert right == pytest.approx(0.05, abs=SIGMAS * np.sqrt(0.05 / draws))
    assert printed == pytest.approx(0.2017, abs=0.02)


def test_the_statistic_without_noise_is_the_paper_s():
    generator = np.random.default_rng(4)
    root = generator.standard_normal((3, 3))
    covariance, mean = root @ root.T + np.eye(3), np.array([3.0, -1.0, 2.0])
    released, target = generator.standard_normal((2, 3))
    direct = 7 * (released - target) @ np.linalg.inv(covariance) @ (released - target)
    known = Background(mean, np.linalg.inv(np.linalg.cholesky(covariance)).T)
    found = statistic(known.whitened(released), known.whitened(target), 7)
    assert float(found) == pytest.approx(direct, rel=1e-12)


def test_susceptibility_is_centred_and_whitened():
    known = Background(np.array([3.0, 3.0]), np.diag([0.5, 1.0]))
    found = known.whitened(np.array([[5.0, 3.0], [3.0, 3.0]]))
    assert np.sum(found**2, axis=1) == pytest.approx([1.0, 0.0])
