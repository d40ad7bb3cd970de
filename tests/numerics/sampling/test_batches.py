"""Fixed size, shuffled and randomly allocated batches beside steps written out by hand."""

from itertools import product

import numpy as np
import pytest

from numerics.mechanisms import MECHANISMS, Adjacency, Composition, Gaussian, SampledMechanism, Sampling
from numerics.trade_off import Bound, Order, alpha_grid
from tests.numerics import oracle
from tests.strategies import KINDS

ZERO, REPLACE = Adjacency.ZERO_OUT, Adjacency.REPLACE_ONE
FIXED = (REPLACE, Sampling.FIXED_SIZE)
TOLD = 1e-3  # relative: the attack is told a cell and its loss on a lattice, the oracle too
ALPHA = np.array([1e-6, 1e-3, 0.1, 0.7])
SHUFFLED = [kind for kind in MECHANISMS if Sampling.SHUFFLED in kind.samplings and kind.is_sampled]


def shuffled(noise: float, batches: int, epochs: int = 1, adjacency: Adjacency = ZERO) -> Gaussian:
    return Gaussian(noise, 1.0 / batches, batches * epochs, adjacency, Sampling.SHUFFLED)


def allocated(noise: float, batches: int, epochs: int = 1) -> Gaussian:
    return Gaussian(noise, 1.0 / batches, batches * epochs, sampling=Sampling.RANDOM_ALLOCATION)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.name in oracle.CUMULATIVE])
@pytest.mark.parametrize("rate", [0.01, 0.9])
def test_one_step_of_fixed_size_is_the_envelope_of_both_orders_at_twice_the_distance(
    kind: type[SampledMechanism], rate: float
) -> None:
    p, q = oracle.step(kind(0.5, rate))
    alpha = np.union1d(alpha_grid(1001), np.linspace(0.0, 1.0, 1001))
    best = oracle.hull(alpha, np.maximum(oracle.power((p, q), alpha), oracle.power((q, p), alpha)))
    for order in Order:
        safe, _, reached = kind(1.0, rate, 1, *FIXED).certified().trade_off(alpha, order)
        assert np.all(best <= safe.power * (1.0 + 1e-11) + 1e-15)
        assert np.all(reached.power <= best + 1e-4)
        assert np.max(safe.power - reached.power) < 2e-5


def test_of_fixed_size_no_attack_is_claimed_to_reach_the_bound() -> None:
    """Brackets begin with guessing; an attack may look at phases of another kind alone; all records are no batch."""
    alpha, release, known = alpha_grid(41), Gaussian(1.0, 0.1, 20, *FIXED), Gaussian(1.0, 0.1, 20, REPLACE)
    curve = release.trade_off(alpha)
    assert (curve.bound, curve.lower, curve.upper) == (Bound.LOWER, None, None)
    np.testing.assert_array_equal(curve.beta, release.certified().trade_off(alpha, Order.ADD)[0].beta)
    assert (release.power(0.01).lower, release.auc().lower) == (0.01, 0.5)
    assert [found.lower for found in (release.epsilon(1e-5), release.advantage(), release.gaussian_mu())] == [0.0] * 3
    both = Composition((known, release)).trade_off(alpha)
    assert both.bound is Bound.OPEN
    assert both.upper is not None
    np.testing.assert_array_equal(both.upper.beta, known.certified().trade_off(alpha, Order.ADD)[2].beta)
    for kind in MECHANISMS:
        whole, poisson = (kind(2.0, 1.0, 3, REPLACE, each) for each in (Sampling.FIXED_SIZE, Sampling.POISSON))
        np.testing.assert_array_equal(whole.trade_off(ALPHA).beta, poisson.trade_off(ALPHA).beta)


def attack_by_hand(release: SampledMechanism, length: int) -> np.ndarray:
    """Power of who looks at the largest of each epoch's full batches, for epochs of so many steps."""
    rate, absent = release.sampling_rate, 0.0 if release.adjacency is REPLACE else 1.0
    full, (whole, rest) = int(1.0 / rate + 1e-9), divmod(release.steps, length)
    seen = [full] * whole + [min(rest, full)] * (rest > 0)
    laws = [oracle.largest(release.name, release.noise_multiplier, n, min(n * rate, 1.0), absent) for n in seen]
    return oracle.power(oracle.composed(laws, 800), ALPHA)


@pytest.mark.parametrize("adjacency", [ZERO, REPLACE])
@pytest.mark.parametrize("kind", [kind for kind in SHUFFLED if kind.name in oracle.CUMULATIVE])
@pytest.mark.parametrize(("batches", "steps"), [(20, 20), (10, 1), (10, 11)])
def test_the_attack_on_shuffled_batches(
    kind: type[SampledMechanism], batches: int, steps: int, adjacency: Adjacency
) -> None:
    release = kind(0.8, 1.0 / batches, steps, adjacency, Sampling.SHUFFLED)
    for alpha, expected in zip(ALPHA, attack_by_hand(release, batches), strict=True):
        found = release.power(float(alpha))
        # The laws of rare cells are cut.
        assert found.lower == pytest.approx(expected, rel=TOLD if alpha > 1e-4 else 0.05)
        assert found.lower <= found.upper * (1.0 + 1e-12)


@pytest.mark.parametrize("steps", [3, 4, 5, 8])
def test_a_begun_epoch_counts_where_batches_do_not_fit(steps: int) -> None:
    """Three batches of 3/10: the fourth step may be a small batch or begin the next epoch; the attack allows both."""
    release = Gaussian(1.0, 0.3, steps, ZERO, Sampling.SHUFFLED)
    kept, dropped = (attack_by_hand(release, length)[2] for length in (4, 3))
    assert release.power(0.1).lower == pytest.approx(min(kept, dropped), rel=TOLD)


def test_the_guarantee_for_shuffled_batches_is_one_unsampled_release_an_epoch() -> None:
    """Begun epochs count by the chance to be in what is seen, on the safe side where batches do not fit."""
    for epochs, adjacency in product((1, 3), (ZERO, REPLACE)):
        whole = Gaussian(1.0, 1.0, epochs, adjacency).epsilon(1e-5)
        assert shuffled(1.0, 50, epochs, adjacency).epsilon(1e-5).upper == pytest.approx(whole.upper, abs=1e-6)
    begun, none = Gaussian(1.0, 0.01, 150, ZERO, Sampling.SHUFFLED), shuffled(1.0, 100)
    assert none.power(0.01).upper < begun.power(0.01).upper < shuffled(1.0, 100, 2).power(0.01).upper
    assert Gaussian(1.0, 0.01, 30, ZERO, Sampling.SHUFFLED).participation == pytest.approx(0.3)
    assert begun.participation == 1.0
    odd = Gaussian(1.0, 256 / 60_000, 470, ZERO, Sampling.SHUFFLED)  # 234.4 batches: two epochs of 234, and one begun
    assert Gaussian(1.0, 1.0, 2).power(0.01).upper < odd.power(0.01).upper
    assert odd.power(0.01).upper <= Gaussian(1.0, 1.0, 3).power(0.01).upper + 1e-5
    assert "234 batches" in " ".join(odd.assumptions)


@pytest.mark.parametrize("adjacency", [ZERO, REPLACE])
@pytest.mark.parametrize("kind", SHUFFLED)
def test_one_batch_an_epoch_leaves_nothing_to_shuffle(kind: type[SampledMechanism], adjacency: Adjacency) -> None:
    exact = kind(1.3, 1.0, 1, adjacency).trade_off(ALPHA).power
    almost = kind(1.3, 1.0 - 1e-12, 1, adjacency, Sampling.SHUFFLED).trade_off(ALPHA)
    assert almost.lower is not None
    assert almost.upper is not None
    assert np.all(almost.lower.power >= exact * (1.0 - 1e-12))
    np.testing.assert_allclose(almost.lower.power, exact, rtol=2e-3)
    np.testing.assert_allclose(almost.upper.power, exact, rtol=5e-3)


@pytest.mark.parametrize(
    ("noise", "batches", "seen", "cells"), [(0.8, 2, 2, 1000), (0.5, 7, 2, 1000), (0.7, 10, 1, 4000)]
)
def test_random_allocation_of_few_batches(noise: float, batches: int, seen: int, cells: int) -> None:
    """Whole epochs and begun ones, in both orders: outcomes of two releases as a table."""
    release = Gaussian(noise, 1.0 / batches, seen, sampling=Sampling.RANDOM_ALLOCATION)
    p, q = oracle.allocated(noise, batches, seen, cells)
    assert release.participation == pytest.approx(seen / batches)
    for order, laws in {Order.ADD: (p, q), Order.REMOVE: (q, p)}.items():
        for alpha, best in zip(ALPHA, oracle.power(laws, ALPHA), strict=True):
            found = release.power(float(alpha), order)
            assert found.lower * (1.0 - 2e-4) <= best <= found.upper * (1.0 + 1e-12)
            assert found.width <= 5e-3 * best
    for epsilon in (0.1, 0.3, 1.0):
        best, found = max(oracle.delta((p, q), epsilon), oracle.delta((q, p), epsilon)), release.delta(epsilon)
        assert found.lower * (1.0 - 1e-3) - 1e-9 <= best <= found.upper * (1.0 + 1e-9)


@pytest.mark.parametrize("noise", [0.012, 0.02, 0.05, 0.5])
def test_one_of_four_batches_with_hardly_any_noise_is_a_poisson_step(noise: float) -> None:
    """Whose epsilon is known: of losses beyond e^650 the guarantee must not lose any, nor have more than there are."""
    release = Gaussian(noise, 0.25, 1, sampling=Sampling.RANDOM_ALLOCATION)
    exact, found = Gaussian(noise, 0.25).epsilon(1e-5).estimate, release.epsilon(1e-5)
    assert found.lower <= exact <= found.upper
    assert release.delta(exact - 1.0).upper >= 1e-5
    law = release.statistic()
    assert (law.null.sum(), law.alternative.sum()) == pytest.approx((1.0, 1.0), abs=1e-5)


def test_where_the_sides_lie_far_apart_the_guarantee_is_shown() -> None:
    """Nothing between an attack and a guarantee of many times as much is an estimate of either."""
    release, wide = allocated(0.05, 100), 0
    for one in [*(release.delta(epsilon) for epsilon in (1.0, 100.0, 300.0)), release.power(1e-9, Order.REMOVE)]:
        is_wide = one.lower < 0.5 * one.upper
        wide += is_wide
        assert one.lower <= one.estimate <= (one.upper if is_wide else one.lower + 0.5 * (one.upper - one.lower))
        assert not is_wide or one.estimate == one.upper
    assert wide
    curve, found = shuffled(1.0, 100, 10).trade_off(ALPHA), shuffled(1.0, 100, 10).power(0.01)
    assert curve.bound is Bound.OPEN
    assert curve.lower is not None
    np.testing.assert_array_equal(curve.power, curve.lower.power)
    assert found.upper - found.estimate < 1e-4 < found.estimate - found.lower


@pytest.mark.parametrize("build", [shuffled, allocated])
def test_more_noise_more_batches_and_fewer_epochs_are_safer(build) -> None:
    """Guarantees are in order, and attacks but for the lattices that each has of its own."""
    alpha, base = alpha_grid(61), build(0.8, 20, 3).trade_off(alpha_grid(61))
    for safer in (build(1.0, 20, 3), build(0.8, 40, 3), build(0.8, 20, 2)):
        curve = safer.trade_off(alpha)
        assert np.all(curve.lower.power <= base.lower.power + 1e-12)
        assert np.all(curve.upper.power <= base.upper.power * (1.0 + 1e-3) + 1e-12)
        assert np.all(curve.upper.power <= curve.lower.power)
    assert build(1.3, 1).trade_off(alpha).bound is Bound.EXACT  # the rate is 1: nothing is drawn
    assert allocated(0.8, 20).with_neighbours(ZERO).epsilon(1e-5) == allocated(0.8, 20).epsilon(1e-5)
