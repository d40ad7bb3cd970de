"""Calibrated noise never misses its target on the unsafe side, whatever the target and the mechanism.

Settled values and refusals are rows of ``tests/numerics/engine_table.toml``.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.calibration import SMALLEST_NOISE, AdvantageTarget, EpsilonTarget, PowerTarget, Target, noise_for
from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace, Mechanism
from numerics.privacy_loss import Precision
from numerics.trade_off import Order
from tests.strategies import log_uniform, single

REPLACE = Adjacency.REPLACE_ONE
FINER = Precision(width=2e-7, relative=1e-4)  # narrower than the bracket that calibration settles on
DETOUR = 0.02  # noise is rounded up to six digits, and its guarantee is 1e-6 wide or, out of reach, wider
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


def has_six_digits(mechanism: Mechanism) -> bool:
    return all(float(f"{phase.noise_multiplier:.6g}") == phase.noise_multiplier for phase in mechanism.phases)


@settings(max_examples=6)
@given(target=TARGETS, mechanism=st.one_of(MECHANISMS, st.just(PHASES)))
def test_the_target_is_met_and_hardly_overshot(target: Target, mechanism: Mechanism) -> None:
    found = noise_for(target, mechanism)
    assert found.met
    assert found.target is target
    assert found.reached.upper <= target.goal
    assert target.measure(found.mechanism, FINER).lower <= target.goal
    assert found.noise_multiplier == found.mechanism.noise_multiplier
    assert has_six_digits(found.mechanism)
    if found.noise_needed:
        less = found.mechanism.with_noise(found.noise_multiplier * (1.0 - DETOUR))
        assert target.measure(less, FINER).upper > target.goal
    else:
        assert found.noise_multiplier == SMALLEST_NOISE


def test_harder_targets_need_more_noise_and_the_noise_asked_with_does_not_matter() -> None:
    noise = [
        noise_for(EpsilonTarget(limit, 1e-5), Gaussian(1.0, 0.02, 300)).noise_multiplier for limit in (3.0, 1.2, 0.4)
    ]
    assert noise == sorted(set(noise))
    found = {noise_for(PowerTarget(0.02, 0.01), Gaussian(start, 0.05, 10)).noise_multiplier for start in (0.4, 5e4)}
    assert max(found) <= min(found) * (1.0 + 1e-4)


@pytest.mark.parametrize(
    ("release", "target"),
    [
        (PHASES, EpsilonTarget(2.0, 1e-5)),
        (Composition((Gaussian(1.0, steps=9), Gaussian(3.0, steps=81))), AdvantageTarget(0.382924922548026)),
        # the search went on until the later phase was refused
        (Composition((Gaussian(1.0, 0.01, 1000), Gaussian(1e5, 0.01, 1000))), EpsilonTarget(0.1, 1e-5)),
    ],
    ids=str,
)
def test_phases_keep_their_ratios_and_all_else(release: Composition, target: Target) -> None:
    """Each phase's noise has six digits, as the controls show it, and what is promised is promised of these."""
    answer = noise_for(target, release)
    assert answer.met
    assert has_six_digits(answer.mechanism)
    for phase, asked in zip(answer.mechanism.phases, release.phases, strict=True):
        ratio = phase.noise_multiplier / answer.noise_multiplier
        assert ratio == pytest.approx(asked.noise_multiplier / release.noise_multiplier, rel=SIX_DIGITS)
        assert phase == asked.with_noise(phase.noise_multiplier)


NO_NOISE = [
    # a record that takes part with probability 0.3 is never found more often than that
    (AdvantageTarget(0.5), Gaussian(1.0, 0.3)),
    (EpsilonTarget(1.0, 0.31), Laplace(1.0, 0.3)),
    (PowerTarget(0.5, 0.01), Gaussian(4.0, 0.1, 2)),
    (EpsilonTarget(1.0, 1e-2), Gaussian(1.0, 1e-6, 1000)),
    (PowerTarget(0.2, 0.1), Gaussian(1.0, 1e-3, 100)),
]
LITTLE = [
    (PowerTarget(1e-11, 1e-12), Gaussian(1.0, 0.01, 1000)),
    (PowerTarget(0.72, 0.5, Order.REMOVE), Gaussian(1.0, 0.4)),
    (PowerTarget(0.72, 0.5), Gaussian(1.0, 0.4, 1, REPLACE)),
    (PowerTarget(0.05, 0.01), Gaussian(1.0, 0.0402, 1, REPLACE)),
    # of a delta that rates of double precision do not show
    (EpsilonTarget(1.0, 1e-14), Gaussian(1.0, 0.01, 1000)),
]


@pytest.mark.parametrize(("target", "mechanism"), NO_NOISE, ids=str)
def test_no_noise_is_needed(target: Target, mechanism: Mechanism) -> None:
    found = noise_for(target, mechanism)
    assert found.met
    assert not found.noise_needed
    assert found.noise_multiplier == SMALLEST_NOISE


@pytest.mark.parametrize(("target", "mechanism"), LITTLE, ids=str)
def test_rare_events_are_calibrated(target: Target, mechanism: Gaussian) -> None:
    """Less noise would be too little: bounds of one order were taken for all, and rare rates had no digits."""
    found = noise_for(target, mechanism)
    assert found.met
    assert found.noise_needed
    assert target.measure(mechanism.with_noise(SMALLEST_NOISE), FINER).lower > target.goal
    assert found.reached.lower >= 0.97 * target.goal


def test_a_target_at_the_largest_possible_success_is_not_missed_by_rounding() -> None:
    """Two steps at rate 0.9 find at most 0.99: the guarantee at the least noise lies above that by its width."""
    found = noise_for(AdvantageTarget(0.99), Gaussian(1.0, 0.9, 2, REPLACE))
    assert found.met
    assert found.noise_multiplier < 0.3


@pytest.mark.parametrize("target", [EpsilonTarget(2.0, 1e-5), AdvantageTarget(0.1), PowerTarget(0.1, 0.01)], ids=str)
def test_labels_name_the_goal(target: Target) -> None:
    assert f"{target.goal:g}" in target.label
