"""Monte Carlo: within its own standard error of exact and certified curves, and an error that is honest."""

import numpy as np
import pytest

from numerics.approximations import affordable_samples, monte_carlo
from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace
from numerics.trade_off import Bound, alpha_grid

# One comparison in 15,000 exceeds 4 standard errors by chance; the seed is fixed, so a pass stays one.
STANDARD_ERRORS = 4.0

SIMULATED = [
    Gaussian(1.0, 0.3),
    Gaussian(0.5, 0.01),
    Gaussian(2.0, 1.0, 16),
    Laplace(0.7),
    Laplace(1.5, 0.2),
    Gaussian(1.0, 1.0, 1, Adjacency.REPLACE_ONE),
    Composition((Gaussian(2.0, 1.0, 4), Gaussian(3.0, 1.0, 9))),
    Gaussian(1.0, 0.1, 100),
    Gaussian(1.0, 0.1, 100, Adjacency.REPLACE_ONE),
    Laplace(1.0, 0.1, 100),
]


@pytest.mark.parametrize("mechanism", SIMULATED, ids=lambda mechanism: f"{mechanism.label}, {mechanism.adjacency}")
def test_monte_carlo_agrees_within_its_standard_error(mechanism):
    alpha = np.array([1e-6, 1e-4, 1e-3, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99])
    sampled_curve, error = monte_carlo(mechanism, alpha, samples=20_000, seed=5)
    exact = mechanism.trade_off(alpha)
    difference = np.abs(sampled_curve.beta - exact.beta)
    assert np.all(difference <= STANDARD_ERRORS * error)
    # An average of numbers in [0, 1] has at most this standard error.
    assert np.all(error <= 0.51 / np.sqrt(20_000))


def test_monte_carlo_standard_error_is_that_of_repetition():
    alpha = np.array([0.01, 0.1, 0.3, 0.8])
    runs = [monte_carlo(Gaussian(1.0, 0.2, 5), alpha, samples=2_000, seed=seed) for seed in range(60)]
    spread = np.std([run.curve.beta for run in runs], axis=0, ddof=1)
    stated = np.mean([run.standard_error for run in runs], axis=0)
    # A standard deviation of 60 runs is known to 9 %; three such errors.
    np.testing.assert_allclose(spread, stated, rtol=0.3)


def test_monte_carlo_repeats_itself_with_the_same_seed_only():
    alpha = np.array([0.1])
    first, again, other = (monte_carlo(Gaussian(1.0), alpha, 1000, seed).curve.beta[0] for seed in (1, 1, 2))
    assert first == again != other


def test_monte_carlo_is_a_trade_off_curve_and_an_estimate():
    curve, error = monte_carlo(Laplace(1.0, 0.3, 10), alpha_grid(60, 1e-3), samples=5_000, seed=3)
    assert curve.bound is Bound.ESTIMATE
    assert curve.label == "Monte Carlo estimate, 5,000 samples"
    assert np.all(np.diff(curve.beta) <= 0.0)
    assert np.all((curve.beta >= 0.0) & (curve.beta <= 1.0))
    assert error.shape == curve.alpha.shape


def test_monte_carlo_says_what_it_can_afford():
    mechanism = Gaussian(1.0, 0.01, 1_000_000)
    assert affordable_samples(mechanism) == 100
    with pytest.raises(ValueError, match="samples must be at most 100 for this many steps"):
        monte_carlo(mechanism, np.array([0.1]), samples=101)
    with pytest.raises(ValueError, match="samples must be between 1"):
        monte_carlo(mechanism, np.array([0.1]), samples=0)
