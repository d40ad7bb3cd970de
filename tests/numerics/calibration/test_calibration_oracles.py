"""Calibrated noise against settled values; the result meets its target on the safe side and hardly overshoots."""

import pytest

from numerics.calibration import AdvantageTarget, EpsilonTarget, PowerTarget, noise_for
from numerics.mechanisms import Composition, Gaussian, Laplace
from numerics.privacy_loss import Precision
from tests.reference import each

# Noise is rounded up to six digits, and settled on the guarantee of a bracket some 1e-6 wide.
SAFE_SIDE = 2e-5
SIX_DIGITS = 1e-5  # the noise of each phase is rounded up by so much at most
# The noise values known to five and four digits.
FIVE_DIGITS, FOUR_DIGITS = 5e-6, 5e-5

RUN = Gaussian(1.0, 0.01, 1000)


def test_noise_for_epsilon_of_a_training_run():
    found = noise_for(EpsilonTarget(1.0, 1e-5), RUN)
    # A bracket at discretization 2e-5 has 0.9999875 for 1.414631, so the least noise is 1.41462; a peer says 1.41463.
    assert found.noise_multiplier == pytest.approx(1.41462, abs=FIVE_DIGITS + SAFE_SIDE)
    assert found.noise_multiplier >= 1.41462 - FIVE_DIGITS
    assert found.reached.upper <= 1.0
    # The attack that the bracket proves comes within the bracket's width of the target.
    assert found.mechanism.epsilon(1e-5).lower >= 1.0 - 1e-3


def test_noise_for_power_of_a_training_run():
    found = noise_for(PowerTarget(1e-3, 1e-5), RUN)
    assert found.noise_multiplier == pytest.approx(0.6481, abs=FOUR_DIGITS + SAFE_SIDE)
    assert found.reached.upper <= 1e-3
    # A peer's answer for this target leaves a true positive rate of .0799, 80 times as much.
    assert found.mechanism.power(1e-5, precision=Precision(width=1e-7)).upper <= 1e-3


@each("sigma for (4,1e-5)-DP, SGM N=1")
def test_noise_for_epsilon_of_one_sampled_step(row):
    target = EpsilonTarget(row.number("eps"), row.number("delta"))
    found = noise_for(target, Gaussian(1.0, row.number("p"), row.count("N")))
    assert row.expected <= found.noise_multiplier <= row.expected * (1.0 + SAFE_SIDE)


@each("GM eps(delta)")
def test_noise_for_epsilon_of_gaussian_steps(row):
    found = noise_for(EpsilonTarget(row.expected, row.number("delta")), Gaussian(1.0, steps=25))
    exact = 5.0 / row.number("mu")
    assert exact * (1.0 - 1e-12) <= found.noise_multiplier <= exact * (1.0 + SAFE_SIDE)


@each("GM total variation")
def test_noise_for_advantage_of_gaussian_noise(row):
    found = noise_for(AdvantageTarget(row.expected), Gaussian(1.0))
    exact = 1.0 / row.number("mu")
    assert exact * (1.0 - 1e-12) <= found.noise_multiplier <= exact * (1.0 + SAFE_SIDE)


@each("ReRo SLM N=1")
def test_noise_for_power_of_one_sampled_laplace_step(row):
    target = PowerTarget(row.expected, row.number("kappa"))
    found = noise_for(target, Laplace(1.0, row.number("p")))
    exact = 1.0 / row.number("mu1")
    assert exact * (1.0 - 1e-12) <= found.noise_multiplier <= exact * (1.0 + SAFE_SIDE)


def test_noise_of_phases_keeps_its_ratios():
    phases = Composition((Gaussian(1.0, steps=9), Gaussian(3.0, steps=81)))
    # mu = sqrt(9 + 9) / noise of the first phase, 0.3829... = 2 Phi(mu/2) - 1 at mu = 1.
    found = noise_for(AdvantageTarget(0.382924922548026), phases)
    assert found.noise_multiplier == pytest.approx(18.0**0.5, rel=SAFE_SIDE)
    assert isinstance(found.mechanism, Composition)
    first, second = found.mechanism.phases
    assert second.noise_multiplier == pytest.approx(3.0 * first.noise_multiplier, rel=SIX_DIGITS)
    assert first.noise_multiplier >= 18.0**0.5
    assert second.noise_multiplier >= 3.0 * 18.0**0.5
    assert found.reached.upper <= 0.382924922548026
