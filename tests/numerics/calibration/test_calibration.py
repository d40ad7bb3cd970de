"""Calibrated noise never misses its target on the unsafe side, whatever the target and the mechanism."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.calibration import (
    LARGEST_NOISE,
    SMALLEST_NOISE,
    AdvantageTarget,
    EpsilonTarget,
    PowerTarget,
    Target,
    UnreachableError,
    noise_for,
)
from numerics.calibration.search import _six_digits
from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace
from numerics.privacy_loss import Precision
from numerics.trade_off import Order
from tests.strategies import log_uniform, single

# Narrower than the bracket that calibration settles on.
FINER = Precision(width=2e-7, relative=1e-4)
# Noise is rounded up to six digits; its guarantee is 1e-6 wide or, where that is out of reach, wider.
DETOUR = 0.02
SIX_DIGITS = 1e-5  # a phase's noise is rounded up by so much at most
PHASES = Composition((Gaussian(2.0, 0.1, 50), Laplace(5.0, 0.2, 10), Gaussian(3.0)))

TARGETS = st.one_of(
    st.builds(EpsilonTarget, log_uniform(0.05, 8.0), log_uniform(1e-7, 1e-2)),
    st.builds(AdvantageTarget, log_uniform(0.01, 0.8)),
    st.builds(
        lambda alpha, gain, order: PowerTarget(alpha + gain * (1.0 - alpha), alpha, order),
        log_uniform(1e-6, 0.3),
        log_uniform(0.02, 0.8),
        st.sampled_from(Order),
    ),
)
MECHANISMS = single(noise=(0.5, 10.0), largest_steps=100, lowest_rate=1e-2)


@settings(max_examples=15)
@given(target=TARGETS, mechanism=st.one_of(MECHANISMS, st.just(PHASES)))
def test_the_target_is_met_and_hardly_overshot(target, mechanism):
    found = noise_for(target, mechanism)
    assert found.met
    assert found.reached.upper <= target.goal
    assert target.measure(found.mechanism, FINER).lower <= target.goal
    assert found.noise_multiplier == found.mechanism.noise_multiplier
    if found.noise_needed:
        less = found.mechanism.with_noise(found.noise_multiplier * (1.0 - DETOUR))
        assert target.measure(less, FINER).upper > target.goal
    else:
        assert found.noise_multiplier == SMALLEST_NOISE


@settings(max_examples=4)
@given(epsilon=log_uniform(0.3, 3.0), factor=log_uniform(1.5, 3.0))
def test_harder_targets_need_more_noise(epsilon, factor):
    mechanism = Gaussian(1.0, 0.02, 300)
    easy, hard = (noise_for(EpsilonTarget(limit, 1e-5), mechanism) for limit in (epsilon * factor, epsilon))
    assert easy.noise_multiplier < hard.noise_multiplier


def test_the_answer_does_not_depend_on_the_noise_asked_with():
    target = PowerTarget(0.02, 0.01)
    found = {noise_for(target, Gaussian(noise, 0.05, 10)).noise_multiplier for noise in (0.4, 5e4)}
    assert max(found) <= min(found) * (1.0 + 1e-4)


def test_phases_keep_their_ratios_and_their_adjacency():
    """Each phase's noise has six digits, as the controls show it, and what is promised is promised of these."""
    answer = noise_for(EpsilonTarget(2.0, 1e-5), PHASES)
    found = answer.mechanism
    assert isinstance(found, Composition)
    assert found.epsilon(1e-5, 2e-5).upper == answer.reached.upper <= 2.0
    for phase, asked in zip(found.phases, PHASES.phases, strict=True):
        assert float(f"{phase.noise_multiplier:.6g}") == phase.noise_multiplier
        assert phase.noise_multiplier / found.noise_multiplier == pytest.approx(
            asked.noise_multiplier / 2.0, rel=SIX_DIGITS
        )
        assert (type(phase), phase.sampling_rate, phase.steps) == (type(asked), asked.sampling_rate, asked.steps)


@pytest.mark.parametrize(
    ("target", "mechanism"),
    [
        # A record that takes part with probability 0.3 is never found more often than that.
        (AdvantageTarget(0.5), Gaussian(1.0, 0.3)),
        (EpsilonTarget(1.0, 0.31), Laplace(1.0, 0.3)),
        (PowerTarget(0.5, 0.01), Gaussian(4.0, 0.1, 2)),
    ],
    ids=str,
)
def test_no_noise_is_needed(target, mechanism):
    found = noise_for(target, mechanism)
    assert not found.noise_needed
    assert found.noise_multiplier == SMALLEST_NOISE
    assert found.met


def test_a_target_at_the_largest_possible_success_is_not_missed_by_rounding():
    """Two steps at rate 0.9 find at most 0.99: the guarantee at the least noise lies above that by its width."""
    found = noise_for(AdvantageTarget(0.99), Gaussian(1.0, 0.9, 2, Adjacency.REPLACE_ONE))
    assert found.met
    assert found.noise_multiplier < 0.3


@pytest.mark.parametrize(
    ("target", "mechanism"),
    [
        (AdvantageTarget(1e-9), Gaussian(1.0)),
        (EpsilonTarget(0.01, 1e-5), Laplace(1.0, steps=1_000_000)),
    ],
    ids=str,
)
def test_unreachable_targets_say_so(target, mechanism):
    with pytest.raises(UnreachableError, match="noise multiplier"):
        noise_for(target, mechanism)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: EpsilonTarget(0.0, 1e-5), r"epsilon must be positive and finite, got 0\.0\."),
        (lambda: EpsilonTarget(np.nan, 1e-5), "epsilon must be positive and finite, got nan"),
        (lambda: EpsilonTarget(1.0, 0.0), "delta must be strictly between 0 and 1"),
        (lambda: AdvantageTarget(1.0), "advantage must be strictly between 0 and 1"),
        (lambda: PowerTarget(0.01, 0.01), r"power must exceed alpha \(guessing alone finds 0\.01 of the members\)"),
        (lambda: PowerTarget(1.5, 0.01), "power must be strictly between 0 and 1"),
        (lambda: PowerTarget(0.5, np.nan), "alpha must be strictly between 0 and 1"),
    ],
)
def test_impossible_targets_are_refused(build, message):
    with pytest.raises(ValueError, match=message):
        build()


@pytest.mark.parametrize("target", [EpsilonTarget(2.0, 1e-5), AdvantageTarget(0.1), PowerTarget(0.1, 0.01)], ids=str)
def test_labels_name_the_goal(target: Target):
    assert f"{target.goal:g}" in target.label
    assert SMALLEST_NOISE < 1.0 < LARGEST_NOISE


def test_noise_is_found_for_a_delta_that_rates_of_double_precision_do_not_show():
    """Unreachable before tails were read from tilted transforms."""
    found = noise_for(EpsilonTarget(1.0, 1e-14), Gaussian(1.0, 0.01, 1000))
    assert found.met
    assert found.reached.lower > 0.999


def test_phases_keep_the_ratio_of_their_noise_within_what_mechanisms_may_have() -> None:
    """The search went on until the later phase was refused: "noise_multiplier must be ..., got 4252108.2"."""
    release = Composition((Gaussian(1.0, 0.01, 1000), Gaussian(1e5, 0.01, 1000)))
    found = noise_for(EpsilonTarget(0.1, 1e-5), release)
    assert found.met
    assert isinstance(found.mechanism, Composition)
    first, second = (phase.noise_multiplier for phase in found.mechanism.phases)
    assert second == pytest.approx(1e5 * first, rel=SIX_DIGITS)
    with pytest.raises(UnreachableError, match=r"up to 9\.98, where that of a later phase is 1e\+06, meets"):
        noise_for(EpsilonTarget(0.01, 1e-5), release)
    with pytest.raises(UnreachableError, match="differs too much to be scaled"):
        noise_for(EpsilonTarget(1.0, 1e-5), Composition((Gaussian(1e6), Gaussian(1e-6))))
    with pytest.raises(ValueError, match=r"20 gives phase 2 2e\+06"):
        release.with_noise(20.0)


@given(noise=log_uniform(SMALLEST_NOISE, LARGEST_NOISE))
def test_noise_is_rounded_up_to_six_digits(noise):
    rounded = _six_digits(Gaussian(noise))
    assert float(f"{rounded:.6g}") == rounded
    assert noise * (1.0 - 1e-11) <= rounded <= noise * (1.0 + SIX_DIGITS)
