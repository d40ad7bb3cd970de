"""Closed forms far outside the usual parameters: an answer, in a blink, and the same from both directions."""

import mpmath
import numpy as np
import pytest

from numerics.mechanisms import Gaussian, Laplace
from numerics.mechanisms.gaussian import FoldedNormal

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


def laplace_delta(epsilon: float, mu: float) -> mpmath.mpf:
    """1 - e^((epsilon - mu) / 2), and 0 beyond mu (paper 003 Sec. 4.3)."""
    return 1 - mpmath.exp((epsilon - mu) / 2) if epsilon < mu else mpmath.mpf(0)


def gaussian_delta(epsilon: float, mu: float) -> mpmath.mpf:
    """Phi(-eps/mu + mu/2) - e^eps Phi(-eps/mu - mu/2) (correction 41)."""
    return mpmath.ncdf(-epsilon / mu + mu / 2) - mpmath.exp(epsilon) * mpmath.ncdf(-epsilon / mu - mu / 2)


@pytest.mark.parametrize("rate", [0.5, 0.01, 1e-7])
@pytest.mark.parametrize("epsilon", [599.0, 601.0, 700.0, 1200.0])
@pytest.mark.parametrize(
    ("kind", "own_delta"), [(Laplace, laplace_delta), (Gaussian, gaussian_delta)], ids=["Laplace", "Gaussian"]
)
def test_delta_of_a_sampled_step_at_large_epsilon(kind, own_delta, epsilon: float, rate: float) -> None:
    """Rate times the unsampled delta at log(1 + (e^epsilon - 1) / rate), in 600 digits; remove-one adds nothing here.

    The noise is such that this delta changes by a large part if that epsilon moves by 1.
    """
    with mpmath.workdps(600):
        inner = mpmath.log(1 + mpmath.expm1(epsilon) / rate)
        mu = float(inner) + 1.0 if kind is Laplace else float(mpmath.sqrt(2 * inner))
        expected = float(rate * own_delta(inner, 1 / mpmath.mpf(1.0 / mu)))
    assert kind(1.0 / mu, rate).delta(epsilon).upper == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("mu", [0.01, 1.0, 5.0, 30.0])
def test_a_folded_normal_law_keeps_its_digits_near_its_centre(mu: float) -> None:
    """P(|Z + mu| < z) at thresholds on both sides of where the quadrature gives way to a difference of two tails."""
    z = np.concatenate(
        (np.geomspace(1e-12, 0.5, 12), np.array([0.5, 0.9, 0.999, 1.001, 1.1, 2.0]) / (1.0 + mu), [3.0, 7.0])
    )
    with mpmath.workdps(60):
        rest = [float(mpmath.erf(mpmath.mpf(each) / mpmath.sqrt(2))) for each in np.sort(z)[::-1]]
        thresholds = [mpmath.sqrt(2) * mpmath.erfinv(mpmath.mpf(each)) for each in rest]
        within = [mpmath.ncdf(each - mu) - mpmath.ncdf(-each - mu) for each in thresholds]
        beta, power = ([float(each) for each in side] for side in (within, [1 - each for each in within]))
        alpha = np.array([float(1 - mpmath.mpf(each)) for each in rest])
    found = FoldedNormal(mu).errors(alpha, np.array(rest))
    np.testing.assert_allclose(found.beta, beta, rtol=1e-10)
    np.testing.assert_allclose(found.power, power, rtol=1e-10)


def test_rate_below_delta_needs_no_epsilon() -> None:
    assert Gaussian(1e-3, 1e-7).epsilon(1e-5).upper == 0.0
    assert Gaussian(1e-3, 1e-7).delta(599.9).upper == pytest.approx(1e-7, rel=INVERSE)


def test_laplace_epsilon_is_at_most_its_pure_one() -> None:
    assert 999.0 < Laplace(1e-3).epsilon(1e-5).upper < 1000.0
