"""The prior and the noise at which reconstruction stays below a limit: inverse to its curve, and on the safe side."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.special import ndtr, ndtri

from numerics.calibration import PowerTarget, noise_for
from numerics.mechanisms import Gaussian, Laplace
from numerics.privacy_loss import Precision
from numerics.reconstruction import ReconstructionTarget, largest_prior
from tests.numerics.reconstruction.test_reconstruction import RELATIVE, ROUNDING
from tests.sides import ANY, CHEAP


@given(mechanism=ANY, limit=st.floats(1e-3, 0.999))
@settings(deadline=None, max_examples=30)
def test_largest_prior_inverts_reconstruction(mechanism, limit):
    prior = largest_prior(mechanism, limit, CHEAP)
    assert 0.0 <= prior.lower <= prior.estimate <= prior.upper <= limit * (1.0 + ROUNDING)
    if prior.lower > 0.0:  # 0 says that no prior is small enough
        assert mechanism.reconstruction(prior.lower, CHEAP).upper <= limit * (1.0 + ROUNDING)
    assume(prior.upper > 0.0 and mechanism.is_reached)  # else no attack is known for any prior
    # The curve is steep where a prior of 1e-300 is enough: its inverse is known to rounding, and so is the limit.
    assert mechanism.reconstruction(min(prior.upper * (1.0 + ROUNDING), 1.0), CHEAP).lower >= limit * (1.0 - 1e-9)


def test_largest_prior_against_the_closed_form():
    # Power Phi(Phi^-1(kappa) + 1) = .05 at kappa = Phi(Phi^-1(.05) - 1).
    assert largest_prior(Gaussian(1.0), 0.05) == pytest.approx((ndtr(ndtri(0.05) - 1.0),) * 3, rel=RELATIVE)
    # Laplace noise of scale 1: e kappa = .05 while kappa is below e^-1 / 2.
    assert largest_prior(Laplace(1.0), 0.05) == pytest.approx((0.05 / np.e,) * 3, rel=RELATIVE)


def test_largest_prior_of_no_privacy_is_zero():
    assert largest_prior(Gaussian(1e-3), 0.5).lower == 0.0


@pytest.mark.parametrize("limit", [1e-12, 2e-12, 3e-12, 5e-12, 7e-12])
def test_largest_prior_of_a_tiny_limit_is_on_the_safe_side(limit):
    # 1 - limit is rounded up for some of these and down for others.
    prior = largest_prior(Laplace(1.0), limit)
    assert prior.lower * np.e <= limit <= prior.upper * np.e
    assert prior.upper / prior.lower - 1.0 < 1e-3


@pytest.mark.parametrize("limit", [0.0, 1.0, -0.1, np.nan])
def test_largest_prior_refuses_a_limit_that_is_none(limit):
    with pytest.raises(ValueError, match="limit must be strictly between 0 and 1"):
        largest_prior(Gaussian(1.0), limit)


def test_noise_for_reconstruction():
    target = ReconstructionTarget(0.05, 1e-3)
    assert target.label == "reconstruction at most 0.05 from a prior guess of 0.001"
    found = noise_for(target, Gaussian(1.0, 0.01, 1_000))
    assert found.mechanism.reconstruction(1e-3, Precision(width=1e-6)).upper <= 0.05
    # One in the sixth digit less would not do.
    less = found.mechanism.with_noise(found.noise_multiplier - 1e-5)
    assert less.reconstruction(1e-3, Precision(width=1e-6)).lower > 0.05
    assert found.noise_multiplier == noise_for(PowerTarget(0.05, 1e-3), Gaussian(1.0, 0.01, 1_000)).noise_multiplier


@pytest.mark.parametrize(
    ("success", "prior", "message"),
    [
        (0.01, 0.01, "success must exceed prior .guessing alone succeeds with probability 0.01., got 0.01"),
        (1.0, 0.01, "success must be strictly between 0 and 1, got 1.0"),
        (0.5, 0.0, "prior must be strictly between 0 and 1, got 0.0"),
        (np.nan, 0.1, "success must be strictly between 0 and 1, got nan"),
    ],
)
def test_reconstruction_target_refuses(success, prior, message):
    with pytest.raises(ValueError, match=message):
        ReconstructionTarget(success, prior)
