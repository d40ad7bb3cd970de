"""Calibrated noise never misses its target on the unsafe side, whatever the target and the mechanism.

Settled values and refusals are rows of ``tests/numerics/engine_table.toml``.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.calibration import SMALLEST_NOISE, AdvantageTarget, EpsilonTarget, PowerTarget, Target, noise_for
from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace, Mechanism, Sampling
from numerics.privacy_loss import Precision
from numerics.trade_off import Order
from tests.strategies import log_uniform, single

REPLACE = Adjacency.REPLACE_ONE
FINER = Precision(width=2e-7, relative=1e-4)  # narrower than the bracket that calibration settles on
DETOUR = 0.02  # noise is rounded up to six digits, and its guarantee is 1e-6 wide or, out of reach, wider
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
DRAWN = single(noise=(0.5, 10.0), largest_steps=100, lowest_rate=1e-2)


def settles(target: Target, release: Mechanism, detour: float = DETOUR) -> bool:
    """The target is met by noise of six digits, less noise misses it. Is any needed?"""
    found = noise_for(target, release)
    assert found.met
    assert found.reached.upper <= target.goal
    assert target.measure(found.mechanism, FINER).lower <= target.goal
    # Phases keep their ratios and all else, each as the controls show it.
    for phase, asked in zip(found.mechanism.phases, release.phases, strict=True):
        assert float(f"{phase.noise_multiplier:.6g}") == phase.noise_multiplier
        scaled = asked.noise_multiplier / release.noise_multiplier * found.noise_multiplier
        assert phase.noise_multiplier == pytest.approx(scaled, rel=1e-5)
        assert phase == asked.with_noise(phase.noise_multiplier)
    less = found.mechanism.with_noise(found.noise_multiplier * (1.0 - detour)) if found.noise_needed else None
    assert target.measure(less, FINER).upper > target.goal if less else found.noise_multiplier == SMALLEST_NOISE
    return found.noise_needed


@settings(max_examples=6)
@given(target=TARGETS, release=st.one_of(DRAWN, st.just(PHASES)))
def test_the_target_is_met_and_hardly_overshot(target: Target, release: Mechanism) -> None:
    settles(target, release)


NEEDED = [
    # bounds of one order were taken for all, and rare rates had no digits
    pytest.param(PowerTarget(1e-11, 1e-12), Gaussian(1.0, 0.01, 100), marks=pytest.mark.nightly),
    (PowerTarget(0.72, 0.5, Order.REMOVE), Gaussian(1.0, 0.4)),
    (PowerTarget(0.05, 0.01), Gaussian(1.0, 0.0402, 1, REPLACE)),
    # of a delta that rates of double precision do not show
    (EpsilonTarget(1.0, 1e-14), Gaussian(1.0, 0.01, 1000)),
    # the search went on until the later phase was refused
    (EpsilonTarget(0.1, 1e-5), Composition((Gaussian(1.0, 0.01, 1000), Gaussian(1e5, 0.01, 1000)))),
]


@pytest.mark.parametrize(("target", "release"), NEEDED)
def test_noise_that_is_needed_comes_close_to_the_target(target: Target, release: Mechanism) -> None:
    assert settles(target, release, 0.1)


@pytest.mark.parametrize(
    ("sampling", "adjacency"),
    [
        (Sampling.POISSON, Adjacency.ADD_REMOVE),
        (Sampling.FIXED_SIZE, REPLACE),
        (Sampling.SHUFFLED, Adjacency.ZERO_OUT),
        (Sampling.RANDOM_ALLOCATION, Adjacency.ADD_REMOVE),
    ],
)
def test_no_noise_is_needed_where_participation_alone_is_within_the_target(
    sampling: Sampling, adjacency: Adjacency
) -> None:
    """Else it is, and what is shown of the answer is as close to the target as less noise would not be."""
    release = Gaussian(1.0, 0.01, 2, adjacency, sampling)
    q = release.inclusion_probability
    for enough in (
        AdvantageTarget(q),
        PowerTarget((1.0 + 1e-9) * (q + 1e-3), 1e-3),
        PowerTarget(q + 1e-3, 1e-3, Order.REMOVE),
        EpsilonTarget(1.0, q * 1.001),
    ):
        assert not settles(enough, release)

    found = noise_for(AdvantageTarget(0.7 * q), release, lambda made: made.advantage())
    assert found.noise_needed
    assert found.reached == found.mechanism.advantage()
    less = release.with_noise(found.noise_multiplier / 1.05).advantage().upper
    assert 0.97 * 0.7 * q <= found.reached.upper <= 0.7 * q < less
