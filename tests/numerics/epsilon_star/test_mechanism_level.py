"""Epsilon-bar of paper 001 Theorems 2 and 4: laws, counts, and the promise that bounds it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from numerics.epsilon_star import Method, estimate
from numerics.epsilon_star.mechanism_level import of_laws, of_losses
from numerics.epsilon_star.simulations import GammaLosses, NormalLosses
from numerics.mechanisms import Gaussian, Laplace

DELTA = 1e-5
PAIRS = st.one_of(
    st.builds(NormalLosses, st.floats(-3.0, 3.0), st.floats(0.5, 2.0)), st.builds(GammaLosses, st.floats(0.0, 3.0))
)


@settings(max_examples=30)
@given(st.lists(PAIRS, min_size=1, max_size=5), st.sampled_from([1e-9, 1e-5, 0.01]))
def test_theorem_2_for_laws(pairs, delta):
    found = of_laws([pair.laws for pair in pairs], delta)
    assert 0.0 <= found.value <= found.log_mean_exp + 1e-9
    assert found.log_mean_exp <= max(found.each) + 1e-12
    if len({*pairs}) == 1:
        assert found.value == pytest.approx(found.log_mean_exp, abs=1e-9)


def test_of_one_normal_model_it_is_the_gaussian_epsilon():
    """Correction 23: N(0, 1) against N(1, 1) has the epsilon of mu = 1 at this delta."""
    found = of_laws([NormalLosses(1.0).laws], DELTA)
    assert found.value == pytest.approx(4.377178095681, abs=1e-6)
    assert found.value == pytest.approx(Gaussian(1.0).epsilon(DELTA).estimate, abs=1e-6)


def test_averaging_the_errors_of_two_models_by_hand():
    """Shifts 1 and 2: the mean of the two powers at each rate, by SciPy's normal law on another grid."""
    found = of_laws([NormalLosses(shift).laws for shift in (1.0, 2.0)], DELTA)
    z = np.linspace(-7.0, 7.0, 200_001)
    t, power = stats.norm.cdf(z), 0.5 * (stats.norm.cdf(z + 1.0) + stats.norm.cdf(z + 2.0))
    miss = 0.5 * (stats.norm.sf(z + 1.0) + stats.norm.sf(z + 2.0))
    by_hand = max(np.log(np.max((power - DELTA) / t)), np.log(np.max((stats.norm.sf(z) - DELTA) / miss)))
    assert found.value == pytest.approx(by_hand, abs=1e-5)
    assert found.each[0] < found.value < found.log_mean_exp < found.each[1]


LOSSES = st.lists(st.floats(-5.0, 5.0), min_size=10, max_size=40).map(np.array)


@settings(max_examples=40)
@given(st.lists(st.tuples(LOSSES, LOSSES), min_size=1, max_size=4))
def test_theorem_2_for_counts(models):
    found = of_losses(models, 0.01)
    assert 0.0 <= found.value <= found.log_mean_exp + 1e-9 or found.log_mean_exp == np.inf


def test_three_losses_by_hand():
    """One rate, 1/2: the second of three fresh losses, so that two of three outsiders and one of three members."""
    found = of_losses([(np.array([1.0, 5.0, 6.0]), np.array([1.0, 2.0, 3.0]))], 0.01, rates=1)
    assert found.false_positive_rate == pytest.approx(2.0 / 3.0)
    assert found.value == pytest.approx(np.log((2.0 / 3.0 - 0.01) * 3.0))


def test_counts_of_one_model_are_those_of_epsilon_star():
    rng = np.random.default_rng(3)
    train, fresh = rng.normal(0.0, 1.0, 2000), rng.normal(1.0, 1.0, 999)
    found = of_losses([(train, fresh)], DELTA, 1e-3)
    one = estimate(train, fresh, DELTA, Method.EMPIRICAL, 1e-3).value
    assert found.value == pytest.approx(one, abs=0.05)
    assert found.value <= one + 1e-12  # fewer thresholds


@pytest.mark.parametrize("noise", [Laplace(1.0), Laplace(2.0), Gaussian(1.5)])
def test_theorem_4_a_private_mechanism_stays_below_its_epsilon(noise):
    """Each model is a noisy sum of a hundred values +-1 that are drawn anew; a record's loss is minus its agreement.

    Values are replaced by +-1: twice the sensitivity, so that the promise is the replace-one one.
    """
    rng, delta = np.random.default_rng(9), 1e-3
    models = []
    for _ in range(300):
        data, others = (np.where(rng.random(size) < 0.5, 1.0, -1.0) for size in (20, 4000))
        draw = rng.laplace if isinstance(noise, Laplace) else rng.normal
        total = float(data.sum() + draw(0.0, noise.noise_multiplier))
        models.append((-data * total + 1e-9 * rng.random(20), -others * total + 1e-9 * rng.random(4000)))
    found = of_losses(models, delta, rates=99)
    promise = type(noise)(0.5 * noise.noise_multiplier).epsilon(delta).estimate
    assert 0.0 < found.value < promise


def test_nothing_is_refused_in_words():
    with pytest.raises(ValueError, match="models must not be empty"):
        of_laws([], DELTA)
    with pytest.raises(ValueError, match="must not be empty"):
        of_losses([(np.empty(0), np.ones(3))], DELTA)
