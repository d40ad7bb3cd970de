"""A record that takes part with chance q gives no attack more, whatever is drawn: laws over all that is offered."""

from collections.abc import Iterator
from itertools import pairwise, product

import numpy as np
import pytest
from scipy.special import ndtri

from numerics import membership
from numerics.calibration import AdvantageTarget, PowerTarget, Target, noise_for
from numerics.mechanisms import MECHANISMS, Adjacency, Composition, Gaussian, SampledMechanism, Sampling
from numerics.membership.advantage import Game
from numerics.not_offered import NotOfferedError
from numerics.trade_off import Order, alpha_grid
from tests.sides import CHEAP, ROUNDING

ALPHA, SMALL = alpha_grid(31), 1e-6
EPSILONS = (0.0, 0.5, 5.0, 60.0, 1e3, np.inf)
RATE, STEPS = 0.01, 3  # three of a hundred batches, or a record in each of three batches by chance
INDEPENDENT = (Sampling.POISSON, Sampling.FIXED_SIZE)


def releases() -> Iterator[SampledMechanism]:
    """Three steps of every kind, with little noise, for all neighbours, ways to draw and units that are offered."""
    for kind, adjacency, sampling, records in product(MECHANISMS, Adjacency, Sampling, (1, 3)):
        if adjacency is Adjacency.ZERO_OUT and sampling is Sampling.POISSON:
            continue  # the laws of a record that is added
        try:
            yield kind(0.1, RATE, STEPS, adjacency, sampling, records)
        except (NotOfferedError, ValueError):
            continue


def chance(release: SampledMechanism) -> float:
    """That any record of a person takes part: independent draws, or one draw of an epoch's batches."""
    if release.sampling in INDEPENDENT:
        return 1.0 - (1.0 - RATE) ** (STEPS * release.records_per_person)
    return STEPS * RATE


def most(release: SampledMechanism, order: Order, q: float) -> np.ndarray:
    """Of the power: q more than alpha; less where the release without the record is what there is where it is out."""
    is_alone = release.adjacency is not Adjacency.REPLACE_ONE and release.sampling is not Sampling.SHUFFLED
    if is_alone and order is Order.ADD:
        return q + (1.0 - q) * ALPHA
    if is_alone and order is Order.REMOVE:
        return np.minimum(ALPHA / (1.0 - q), 1.0)
    return np.minimum(ALPHA + q, 1.0)


ALL = list(releases())


def named(release: SampledMechanism) -> str:
    return f"{release.label}, {release.adjacency}, {release.sampling}"


def test_all_samplings_neighbours_and_units_are_among_them():
    assert {release.sampling for release in ALL} == set(Sampling)
    assert {release.adjacency for release in ALL} == set(Adjacency)
    assert {release.records_per_person for release in ALL} == {1, 3}
    assert {type(release) for release in ALL} == {kind for kind in MECHANISMS if kind.is_sampled}


@pytest.mark.parametrize("release", ALL, ids=named)
def test_no_curve_exceeds_participation(release):
    q = chance(release)
    assert release.participation == pytest.approx(q, rel=1e-12)
    for order in Order:
        limit = most(release, order, q)
        curve = release.trade_off(ALPHA, order, CHEAP)
        for side in (curve, curve.lower or curve, curve.upper or curve):
            assert np.all(side.power <= limit * (1.0 + 1e-12))
            assert np.all(side.beta >= (1.0 - limit) * (1.0 - 1e-12) - ROUNDING * ALPHA)
        for place in (3, 20):
            for found in (
                release.power(ALPHA[place], order, CHEAP),
                release.narrow_power(ALPHA[place], order, CHEAP),
            ):
                assert found.lower <= found.estimate <= found.upper <= limit[place] * (1.0 + 1e-12)


@pytest.mark.parametrize("release", ALL, ids=named)
def test_no_number_exceeds_participation(release):
    """Delta never rises with epsilon, and ends at what no epsilon removes."""
    q = chance(release)
    within = q * (1.0 + 1e-12)
    for found in (release.advantage(CHEAP), release.narrow_advantage(CHEAP)):
        assert 0.0 <= found.lower <= found.estimate <= found.upper <= within
    assert release.auc(CHEAP).upper <= 0.5 + q - 0.5 * q**2 + ROUNDING
    assert release.reconstruction(0.1, CHEAP).upper <= (0.1 + q) * (1.0 + 1e-12)
    if release.adjacency is Adjacency.REPLACE_ONE and release.records_per_person == 1:
        assert membership.eta(release, Game.HALVES, CHEAP).upper <= 0.5 * within
    assert release.epsilon(q * (1.0 + 1e-9), precision=CHEAP).upper == 0.0
    deltas = [release.delta(epsilon, CHEAP) for epsilon in EPSILONS]
    for one, later in pairwise(deltas):
        assert later.upper <= one.upper
        assert later.lower <= one.upper
    for one in deltas:
        assert 0.0 <= one.lower <= one.estimate <= one.upper <= within
    assert release.gaussian_mu(SMALL, CHEAP).upper <= (ndtri(SMALL + q) - ndtri(SMALL)) * (1.0 + 1e-9)


PARTS = [
    Gaussian(1.0, RATE, 2, adjacency, sampling)
    for sampling, adjacency in (
        (Sampling.POISSON, Adjacency.ADD_REMOVE),
        (Sampling.FIXED_SIZE, Adjacency.REPLACE_ONE),
        (Sampling.SHUFFLED, Adjacency.ZERO_OUT),
        (Sampling.RANDOM_ALLOCATION, Adjacency.ADD_REMOVE),
    )
]
SHOWN = {
    "advantage": lambda release: release.advantage(),
    "power": lambda release: release.power(1e-3),
    "power to clear": lambda release: release.power(1e-3, Order.REMOVE),
}


def target(what: str, value: float) -> Target:
    if what == "advantage":
        return AdvantageTarget(value)
    return PowerTarget(value, 1e-3, Order.REMOVE if "clear" in what else Order.ADD)


@pytest.mark.parametrize("what", SHOWN)
@pytest.mark.parametrize("release", PARTS, ids=named)
def test_no_noise_is_needed_where_participation_alone_is_within_the_target(release, what):
    """And what is shown of the answer is within it, too."""
    q = release.participation
    enough = {"advantage": q, "power": (1.0 + 1e-9) * (q + 1e-3), "power to clear": q + 1e-3}[what]
    found = noise_for(target(what, enough), release)
    assert not found.noise_needed
    assert found.met
    assert SHOWN[what](found.mechanism).upper <= enough


@pytest.mark.parametrize("what", ["advantage", "power"])
@pytest.mark.parametrize("release", PARTS, ids=named)
def test_noise_that_is_needed_comes_close_to_the_target(release, what):
    """As it is shown: less noise would miss it."""
    shown, wanted = SHOWN[what], 0.7 * release.participation
    found = noise_for(target(what, wanted), release, shown)
    assert found.noise_needed
    assert found.met
    assert found.reached == shown(found.mechanism)
    assert 0.97 * wanted <= found.reached.upper <= wanted
    assert shown(release.with_noise(found.noise_multiplier / 1.05)).upper > wanted


@pytest.mark.parametrize("release", [PARTS[0], PARTS[-1]], ids=named)
def test_noise_for_clearing_comes_close_to_the_target(release):
    """Of members who are cleared alpha / (1 - q) is all there is to gain: half of what that is above guessing."""
    alpha = 1e-3
    wanted = alpha + 0.5 * (alpha / (1.0 - release.participation) - alpha)
    found = noise_for(PowerTarget(wanted, alpha, Order.REMOVE), release)
    assert found.noise_needed
    assert alpha + 0.9 * (wanted - alpha) <= found.reached.upper <= wanted


def test_phases_take_part_together():
    """What is whole in one phase takes part for sure; parts of several epochs add up, but for taking part in both."""
    few = Gaussian(0.05, RATE, 1, Adjacency.ZERO_OUT, Sampling.SHUFFLED)
    both = Composition((few, Gaussian(0.05, RATE, 5, Adjacency.ZERO_OUT)))
    q = 1.0 - (1.0 - RATE) ** 6
    assert both.participation == pytest.approx(q, rel=1e-12)
    assert both.advantage(CHEAP).upper <= q * (1.0 + 1e-12)
    assert both.power(1e-3, Order.REMOVE, CHEAP).upper <= (q + 1e-3) * (1.0 + 1e-12)
    whole = Composition((few, Gaussian(0.05, RATE, 100, Adjacency.ZERO_OUT, Sampling.SHUFFLED)))
    assert whole.participation == 1.0
    assert whole.advantage(CHEAP).upper > 0.999


def test_where_others_take_the_place_of_the_record_only_the_wider_limit_holds():
    """One of four batches is released, hardly any noise, and all other records pull by -1.

    The record's batch sums to 1 more than one of others alone if the record is zeroed out, and to 2 more if it pulls by
    +1. Who accuses unless the sum is 1 more errs with 3/4 and finds everybody: more than q + (1 - q) alpha.
    """
    release = Gaussian(0.01, 0.25, 1, Adjacency.ZERO_OUT, Sampling.SHUFFLED)
    q, alpha = 0.25, 0.75
    assert q + (1.0 - q) * alpha < 0.82
    assert release.power(alpha).lower > 1.0 - 1e-9


@pytest.mark.parametrize("kind", [kind for kind in MECHANISMS if kind.name != "Truncated Laplace"])
@pytest.mark.parametrize("steps", [1, 3])
def test_no_other_noise_gives_anything_away_for_certain(kind, steps):
    assert kind(1.0, 1.0, steps, kind.adjacencies[0]).delta(np.inf, CHEAP) == (0.0, 0.0, 0.0)
