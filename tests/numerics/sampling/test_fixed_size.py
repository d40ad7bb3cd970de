"""Batches of fixed size under replace-one adjacency: another mechanism than Poisson sampling, with its own bound."""

import numpy as np
import pytest

from numerics.approximations import clt
from numerics.mechanisms import MECHANISMS, Adjacency, Composition, Gaussian, Laplace, Sampling
from numerics.mechanisms.sampled_once import SampledOnce
from numerics.trade_off import Bound, Order, alpha_grid

FIXED = (Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE)
# Digits printed in correction 55's example of one release under every convention.
PRINTED = 5e-6


@pytest.mark.parametrize(("noise", "advantage"), [(1.0, 0.66717), (2.0, 2 * 0.09558)])
def test_advantage_of_the_example_release(noise, advantage):
    """48,000 records, batches of 400, 1,200 steps: C_p(G_{2/s}) composed."""
    found = Gaussian(noise, 400 / 48_000, 1200, *FIXED).advantage()
    assert found.lower - 2 * PRINTED <= advantage <= found.upper + 2 * PRINTED


SAMPLED = [kind for kind in MECHANISMS if Sampling.FIXED_SIZE in kind.samplings and kind.is_sampled]


@pytest.mark.parametrize("kind", SAMPLED)
@pytest.mark.parametrize("rate", [0.01, 0.3, 0.9])
@pytest.mark.parametrize("order", Order)
def test_one_step_is_the_envelope_of_both_orders_at_the_replaced_distance(kind, rate, order):
    alpha = alpha_grid(81)
    envelope = SampledOnce(kind(1.0).shift(2.0), rate).trade_off(alpha, Order.SYMMETRIC)
    safe, _, reached = kind(1.0, rate, 1, *FIXED).certified().trade_off(alpha, order)
    assert np.all(safe.beta <= envelope.beta * (1 + 1e-12))
    assert np.all(envelope.beta <= reached.beta * (1 + 1e-12))
    assert np.max(reached.beta - safe.beta) < 1e-5


def test_no_attack_is_claimed_to_reach_the_bound():
    alpha = alpha_grid(41)
    release = Gaussian(1.0, 0.1, 20, *FIXED)
    curve = release.trade_off(alpha)
    assert (curve.bound, curve.lower, curve.upper) == (Bound.LOWER, None, None)
    np.testing.assert_array_equal(curve.beta, release.certified().trade_off(alpha, Order.ADD)[0].beta)
    known = Gaussian(1.0, 0.1, 20, Adjacency.REPLACE_ONE)
    both = Composition((known, release)).trade_off(alpha)
    assert known.bound is Bound.CERTIFIED
    assert both.bound is Bound.OPEN  # an attack may look at the first phase alone
    assert both.upper is not None
    np.testing.assert_array_equal(both.upper.beta, known.certified().trade_off(alpha, Order.ADD)[2].beta)


def test_brackets_begin_with_guessing_where_no_attack_is_known():
    release = Gaussian(1.0, 0.1, 20, *FIXED)
    assert (release.power(0.01).lower, release.auc().lower) == (0.01, 0.5)
    assert [found.lower for found in (release.epsilon(1e-5), release.advantage(), release.gaussian_mu())] == [0.0] * 3
    assert Gaussian(1.0, 1.0, 20, *FIXED).bound is Bound.EXACT  # no batches


@pytest.mark.parametrize("kind", SAMPLED)
def test_the_orders_agree(kind):
    """The bound is symmetric: replacing one record by another is its own reverse."""
    mechanism = kind(1.5, 0.1, 20, *FIXED)
    for alpha in (1e-9, 1e-4, 0.1):
        add, remove = (mechanism.certified().power(alpha, order) for order in (Order.ADD, Order.REMOVE))
        assert add.lower <= remove.upper
        assert remove.lower <= add.upper


def test_unsampled_steps_know_no_batches():
    alpha = alpha_grid(41)
    for kind in MECHANISMS:
        drawn = Sampling.FIXED_SIZE, Sampling.POISSON
        whole, poisson = (kind(2.0, 1.0, 3, Adjacency.REPLACE_ONE, sampling) for sampling in drawn)
        np.testing.assert_array_equal(whole.trade_off(alpha).beta, poisson.trade_off(alpha).beta)


def test_pure_epsilon_of_laplace_steps():
    assert Laplace(2.0, 0.2, 30, *FIXED).pure_epsilon == pytest.approx(30 * np.log(0.8 + 0.2 * np.e), rel=1e-12)


def test_fixed_size_needs_neighbours_of_equal_size():
    with pytest.raises(ValueError, match="need replace-one adjacency, got add/remove"):
        Gaussian(1.0, 0.1, 1, Adjacency.ADD_REMOVE, Sampling.FIXED_SIZE)


def test_estimates_made_for_poisson_sampling_are_refused():
    with pytest.raises(ValueError, match="computed for Poisson sampling only"):
        clt(Gaussian(1.0, 0.1, 10, *FIXED), alpha_grid(11))
