"""Fixed size, shuffled and randomly allocated batches; attacks and steps by hand are rows of ``engine_table.toml``."""

import numpy as np
import pytest

from numerics.mechanisms import MECHANISMS, Adjacency, Composition, Gaussian, SampledMechanism, Sampling
from numerics.trade_off import Bound, Order, alpha_grid
from tests.numerics import oracle
from tests.strategies import KINDS

ZERO, REPLACE = Adjacency.ZERO_OUT, Adjacency.REPLACE_ONE
FIXED = (REPLACE, Sampling.FIXED_SIZE)
ALPHA = np.array([1e-6, 1e-3, 0.1, 0.7])


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
    np.testing.assert_array_equal((both.upper or curve).beta, known.certified().trade_off(alpha, Order.ADD)[2].beta)
    for kind in MECHANISMS:
        whole, poisson = (kind(2.0, 1.0, 3, REPLACE, each) for each in (Sampling.FIXED_SIZE, Sampling.POISSON))
        np.testing.assert_array_equal(whole.trade_off(ALPHA).beta, poisson.trade_off(ALPHA).beta)


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
    np.testing.assert_array_equal(curve.power, curve.lower and curve.lower.power)
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
