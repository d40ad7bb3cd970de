"""Closed forms far outside the usual parameters: an answer, in a blink, and the same from both directions."""

import pytest

from numerics.mechanisms import Gaussian, Laplace

INVERSE = 1e-6  # delta moves by a factor e^700 for a change of epsilon by 0.1 %; brentq ends at 1e-14


@pytest.mark.parametrize(("noise", "rate"), [(1e-3, 1.0), (1e-3, 0.01), (1e-2, 0.5), (0.05, 0.3)])
def test_epsilon_beyond_the_range_of_exp_is_the_inverse_of_delta(noise: float, rate: float) -> None:
    """Gaussian noise of 0.001 needs epsilon = 504,264; e^epsilon is a float up to 709 only."""
    mechanism = Gaussian(noise, rate)
    epsilon = mechanism.epsilon(1e-5).upper
    assert mechanism.delta(epsilon).upper == pytest.approx(1e-5, rel=INVERSE)


def test_delta_is_continuous_where_the_formula_changes() -> None:
    mechanism = Gaussian(0.02, 0.3)
    assert mechanism.delta(600.0).upper == pytest.approx(mechanism.delta(600.0 - 1e-9).upper, rel=INVERSE)


def test_rate_below_delta_needs_no_epsilon() -> None:
    assert Gaussian(1e-3, 1e-7).epsilon(1e-5).upper == 0.0
    assert Gaussian(1e-3, 1e-7).delta(599.9).upper == pytest.approx(1e-7, rel=INVERSE)


def test_laplace_epsilon_is_at_most_its_pure_one() -> None:
    assert 999.0 < Laplace(1e-3).epsilon(1e-5).upper < 1000.0
