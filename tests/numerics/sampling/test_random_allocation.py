"""Random allocation (balls and bins): both laws of the mean of lognormal numbers, and the epochs composed of them."""

import numpy as np
import pytest

from numerics.mechanisms import Adjacency, Gaussian, Laplace, Sampling
from numerics.sampling.random_allocation import AllocationPair
from numerics.trade_off import Bound, Order, alpha_grid
from tests.reference import PRACTICE, Reference, each

ORDERS = {"add": Order.ADD, "remove": Order.REMOVE}
# Relative width of brackets: of one release, of an epoch with little noise, of ten epochs.
NARROW = 5e-3


def allocated(noise: float, batches: int, epochs: int = 1, adjacency: Adjacency = Adjacency.ADD_REMOVE) -> Gaussian:
    return Gaussian(noise, 1.0 / batches, batches * epochs, adjacency, Sampling.RANDOM_ALLOCATION)


def release(row: Reference) -> Gaussian:
    return allocated(row.number("noise_multiplier"), row.count("bins"), int(row.params.get("epochs", "1")))


@each(prefix="bnb_add", file=PRACTICE)
@pytest.mark.parametrize("side", ["lower", "upper"])
def test_add_order(row, side):
    agrees(row, side)


@each(prefix="bnb_remove", file=PRACTICE)
@pytest.mark.parametrize("side", ["lower", "upper"])
def test_remove_order(row, side):
    agrees(row, side)


def agrees(row: Reference, side: str) -> None:
    """The value lies in the bracket; of ten epochs only four digits are known."""
    found = release(row).power(row.number("alpha"), ORDERS[row.text("order")])
    known = 0.5 * 10.0 ** -len(row.value.partition(".")[2]) + 1e-9 * row.expected
    if side == "lower":
        assert row.expected * (1.0 - NARROW) <= found.lower <= row.expected + known
    else:
        assert row.expected - known <= found.upper <= row.expected * (1.0 + NARROW)


@each(prefix="bnb_eps", file=PRACTICE)
def test_epsilon(row):
    found = release(row).epsilon(row.number("delta"))
    assert found.lower <= row.expected <= found.upper
    assert found.upper - found.lower <= NARROW * row.expected


def test_quadrature_of_two_batches():
    """E(L - l)_+ with L = (Y + Y') / 2, over the positions of two releases, at noise without any reference row."""
    noise = 0.8
    x = np.linspace(-9.0 * noise, 9.0 * noise, 2001)
    mass = np.exp(-0.5 * (x / noise) ** 2)
    mass /= mass.sum()
    ratio = np.exp((x - 0.5) / noise**2)
    mean = 0.5 * np.add.outer(ratio, ratio)
    joint = np.multiply.outer(mass, mass)
    mechanism = allocated(noise, 2)
    for epsilon in (0.3, 1.0, 2.0):
        level = np.exp(epsilon)
        both = np.sum(np.maximum(mean - level, 0.0) * joint), np.sum(np.maximum(1.0 - level * mean, 0.0) * joint)
        found = mechanism.delta(epsilon)
        assert found.lower <= max(both) * (1.0 + 1e-5)
        assert max(both) * (1.0 - 1e-5) <= found.upper <= max(both) * (1.0 + NARROW)


def test_monte_carlo_of_several_epochs():
    batches, epochs, noise, samples = 10, 2, 0.9, 200_000
    generator = np.random.default_rng(18)

    def evidence(present: bool) -> np.ndarray:
        x = noise * generator.standard_normal((samples, epochs, batches))
        x[:, :, 0] += float(present)  # whichever batch was picked
        return np.asarray(np.log(np.mean(np.exp((x - 0.5) / noise**2), axis=2)).sum(axis=1))

    null, present = evidence(False), evidence(True)
    for alpha in (0.01, 0.1):
        power = float(np.mean(present > np.quantile(null, 1.0 - alpha)))
        spread = 6.0 * (np.sqrt(power / samples) + np.sqrt(alpha / samples))
        found = allocated(noise, batches, epochs).power(alpha)
        assert found.lower - spread <= power <= found.upper + spread


def test_an_epoch_that_is_broken_off():
    """The record is in one of the r batches seen with chance r/T: dP/dQ = 1 - r/T + (r/T) (mean of r)."""
    begun = Gaussian(0.7, 0.1, 13, sampling=Sampling.RANDOM_ALLOCATION)
    assert [(pair.seen, count) for pair, count in begun.pairs] == [(10, 1), (3, 1)]  # type: ignore[attr-defined]
    assert begun.participation == 1.0
    assert Gaussian(0.7, 0.1, 3, sampling=Sampling.RANDOM_ALLOCATION).participation == pytest.approx(0.3)
    # One batch of ten that is seen: a record that takes part with chance 1/10 in one release.
    one, sampled = Gaussian(0.7, 0.1, 1, sampling=Sampling.RANDOM_ALLOCATION), Gaussian(0.7, 0.1, 1)
    for alpha in (1e-4, 0.01, 0.3):
        found, exact = one.power(alpha), sampled.power(alpha).estimate
        assert found.lower <= exact <= found.upper


def test_one_batch_is_a_release_without_sampling():
    alpha = np.array([1e-6, 1e-3, 0.1, 0.7])
    exact = Gaussian(1.3).trade_off(alpha).power
    curve = allocated(1.3, 1).trade_off(alpha)  # the rate is 1: exact
    assert curve.bound is Bound.EXACT
    almost = Gaussian(1.3, 0.9, 1, sampling=Sampling.RANDOM_ALLOCATION).trade_off(alpha)  # all are in the one batch
    assert almost.lower is not None
    assert almost.upper is not None
    assert np.all(almost.upper.power <= exact)
    assert np.all(exact <= almost.lower.power)
    np.testing.assert_allclose(almost.lower.power, almost.upper.power, rtol=2e-3)


def test_the_laws_are_ordered_and_keep_mass_and_mean():
    for batches in (1, 2, 7, 64):
        larger, smaller = (
            AllocationPair(Gaussian(0.6).noise(), batches, batches, side).table for side in (True, False)
        )
        for law in (larger, smaller):
            assert np.sum(law.p) == pytest.approx(1.0, abs=1e-12)
            assert np.sum(law.q) == pytest.approx(1.0, abs=1e-12)
        for level in (0.2, 1.0, 3.0, 20.0):
            gains = [np.sum(np.maximum(law.p - level * law.q, 0.0)) for law in (smaller, larger)]
            assert gains[0] <= gains[1] <= gains[0] * (1.0 + 0.02) + 1e-12


def test_more_noise_more_batches_and_fewer_epochs_are_safer():
    alpha = alpha_grid(61)
    base = allocated(0.8, 20, 3).trade_off(alpha)
    assert base.bound is Bound.CERTIFIED
    for safer in (allocated(1.0, 20, 3), allocated(0.8, 30, 3), allocated(0.8, 20, 2)):
        curve = safer.trade_off(alpha)
        assert curve.upper is not None
        assert base.lower is not None
        assert np.all(curve.upper.power <= base.lower.power + 1e-12)


@pytest.mark.parametrize("noise", [0.05, 0.08, 0.12])
def test_where_the_sides_lie_far_apart_the_guarantee_is_shown(noise):
    """Nothing between an attack and a guarantee of many times as much is an estimate of either."""
    release = allocated(noise, 100)
    wide = 0
    found = [release.delta(epsilon) for epsilon in (1.0, 30.0, 100.0, 300.0)] + [release.power(1e-9, Order.REMOVE)]
    for one in found:
        if one.lower < 0.5 * one.upper:
            assert one.estimate == one.upper
            wide += 1
        else:
            assert one.lower <= one.estimate <= one.lower + 0.5 * (one.upper - one.lower)
    assert wide


def test_it_is_added_removed_or_zeroed_out_and_its_noise_is_normal():
    assert allocated(1.0, 10, 1, Adjacency.ZERO_OUT).epsilon(1e-5) == allocated(1.0, 10).epsilon(1e-5)
    with pytest.raises(ValueError, match="random allocation need add/remove or zero-out adjacency, got replace-one"):
        allocated(1.0, 10, 1, Adjacency.REPLACE_ONE)
    with pytest.raises(ValueError, match="random allocation are not offered for Laplace noise"):
        Laplace(1.0, 0.1, 10, sampling=Sampling.RANDOM_ALLOCATION)


@pytest.mark.parametrize("noise", [0.012, 0.02, 0.027, 0.031, 0.05, 0.5])
def test_one_of_four_batches_with_hardly_any_noise_is_a_poisson_step(noise):
    """Whose epsilon is known: of losses beyond e^650 the guarantee must not lose any, nor have more than there are."""
    release = Gaussian(noise, 0.25, 1, sampling=Sampling.RANDOM_ALLOCATION)
    exact, found = Gaussian(noise, 0.25).epsilon(1e-5).estimate, release.epsilon(1e-5)
    assert found.lower <= exact <= found.upper
    assert release.delta(exact - 1.0).upper >= 1e-5
    law = release.statistic()
    assert law.null.sum() == pytest.approx(1.0, abs=1e-5)
    assert law.alternative.sum() == pytest.approx(1.0, abs=1e-5)
