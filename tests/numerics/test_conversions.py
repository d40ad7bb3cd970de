"""Conversions: each limit is kept and reached by a release that has just this guarantee."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numerics import conversions
from numerics.mechanisms import Adjacency, Gaussian, Laplace
from numerics.mechanisms.gaussian import GaussianShift
from numerics.membership import eta_of_epsilon

ROUNDING = 1e-9
EPSILONS = st.floats(0.01, 8.0)
DELTAS = st.sampled_from([0.0, 1e-9, 1e-5, 0.1, 0.9])
RATES = st.floats(1e-6, 1.0 - 1e-6)


def limit_curve(epsilon: float, delta: float, alpha: np.ndarray) -> np.ndarray:
    """1 - f for f = max(0, 1 - delta - e^eps alpha, e^-eps (1 - delta - alpha)), the trade-off function as printed."""
    beta = np.maximum(1.0 - delta - np.exp(epsilon) * alpha, np.exp(-epsilon) * (1.0 - delta - alpha))
    return np.asarray(1.0 - np.maximum(beta, 0.0))


@given(EPSILONS, DELTAS, RATES)
def test_power_is_one_minus_the_trade_off_function(epsilon: float, delta: float, alpha: float) -> None:
    (expected,) = limit_curve(epsilon, delta, np.array([alpha]))
    assert conversions.power_limit(epsilon, delta, alpha) == pytest.approx(expected, abs=ROUNDING)


@given(EPSILONS, DELTAS)
def test_twice_eta_is_the_largest_gap_of_the_limit(epsilon: float, delta: float) -> None:
    corner = (1.0 - delta) / (1.0 + np.exp(epsilon))
    alpha = np.append(np.linspace(0.0, 1.0, 101), corner)
    gap = np.max(limit_curve(epsilon, delta, alpha) - alpha)
    assert 2.0 * eta_of_epsilon(epsilon, delta, Adjacency.REPLACE_ONE) == pytest.approx(gap, abs=ROUNDING)


@given(EPSILONS)
def test_mu_is_the_least_whose_curve_lies_below(epsilon: float) -> None:
    mu = conversions.mu_limit(epsilon)
    alpha = np.append(np.geomspace(1e-9, 1.0, 300), 1.0 / (1.0 + np.exp(epsilon)))
    allowed = limit_curve(epsilon, 0.0, alpha)
    assert np.all(GaussianShift(mu).power(alpha) >= allowed - ROUNDING)
    assert np.any(GaussianShift(0.999 * mu).power(alpha) < allowed)


@given(st.floats(0.5, 20.0), RATES)
def test_releases_keep_the_limits_of_their_own_guarantees(noise: float, alpha: float) -> None:
    for release, delta in ((Laplace(noise), 0.0), (Gaussian(noise), 1e-5)):
        power = release.power(alpha).estimate
        epsilon = release.epsilon(delta).estimate if delta else release.pure_epsilon
        assert power <= conversions.power_limit(epsilon, delta, alpha) + ROUNDING


@given(st.floats(0.1, 5.0), st.floats(1e-6, 0.5))
def test_an_attack_proves_no_more_than_the_release_has(mu: float, alpha: float) -> None:
    release = Gaussian(1.0 / mu)
    power = min(release.power(alpha).estimate, 1.0 - 1e-12)
    assert conversions.mu_reached(alpha, power) <= mu + 1e-3  # 1 - power has lost digits where power is nearly 1
    assert conversions.epsilon_reached(alpha, power, 1e-5) <= release.epsilon(1e-5).estimate + 1e-3
    assert conversions.advantage_reached(alpha, power) <= release.advantage().estimate + ROUNDING
    assert conversions.advantage_of_power_limit(alpha, power) >= release.advantage().estimate - ROUNDING


@pytest.mark.parametrize(("at", "most"), [(0.001, 0.05), (0.5, 0.9)])
def test_power_limit_at_one_rate_is_reached_by_a_curve_of_chords(at: float, most: float) -> None:
    """The largest concave power with ``most`` at ``at``: chords from (0, 0) beyond it, and to (1, 1) before it."""
    alpha = np.linspace(0.0, 1.0, 100_001)
    before, beyond = 1.0 - (1.0 - most) * (1.0 - alpha) / (1.0 - at), np.minimum(alpha * most / at, 1.0)
    gap = np.max(np.where(alpha < at, before, beyond) - alpha)
    assert conversions.advantage_of_power_limit(at, most) == pytest.approx(gap, abs=1e-4)


@given(RATES, RATES, DELTAS)
def test_an_attack_and_its_opposite_prove_the_same(alpha: float, power: float, delta: float) -> None:
    both = [conversions.epsilon_reached(a, p, delta) for a, p in ((alpha, power), (1.0 - alpha, 1.0 - power))]
    assert both[0] == pytest.approx(both[1], rel=1e-6, abs=ROUNDING)  # 1 - x of a rate of 1e-6 has ten digits
    mus = [conversions.mu_reached(a, p) for a, p in ((alpha, power), (1.0 - alpha, 1.0 - power))]
    assert mus[0] == pytest.approx(mus[1], rel=1e-6, abs=ROUNDING)


@given(EPSILONS, DELTAS)
def test_two_steps_are_a_removal_and_an_addition(epsilon: float, delta: float) -> None:
    corner = (1.0 - delta) / (1.0 + np.exp(epsilon))
    alpha = np.union1d(np.append(np.linspace(0.0, 1.0, 4001), corner), np.geomspace(1e-12, 1.0, 4001))
    gap = np.max(limit_curve(epsilon, delta, limit_curve(epsilon, delta, alpha)) - alpha)
    found = conversions.replaced_advantage_limit(epsilon, delta)
    assert found == pytest.approx(gap, abs=ROUNDING)
    assert found <= 2.0 * eta_of_epsilon(epsilon, delta, Adjacency.ADD_REMOVE) + ROUNDING


@given(EPSILONS)
def test_two_steps_of_pure_epsilon_are_reached_by_laplace_noise(epsilon: float) -> None:
    replaced = Laplace(1.0 / epsilon, adjacency=Adjacency.REPLACE_ONE)
    found = conversions.replaced_advantage_limit(epsilon, 0.0)
    assert found == pytest.approx(replaced.advantage().estimate, abs=ROUNDING)
    assert found == pytest.approx(-np.expm1(-epsilon), abs=ROUNDING)
