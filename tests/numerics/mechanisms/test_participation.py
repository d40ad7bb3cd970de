"""A record that takes part with chance q gives no attack more, whatever is drawn: laws over all that is offered."""

from itertools import pairwise, product

import numpy as np
import pytest
from scipy.special import ndtri

from numerics import membership
from numerics.mechanisms import MECHANISMS, Adjacency, SampledMechanism, Sampling
from numerics.mechanisms.truncated_laplace import TruncatedLaplace
from numerics.membership.advantage import Game
from numerics.trade_off import Order, alpha_grid
from numerics.unsupported import UnsupportedError
from tests.sides import CHEAP, ROUNDING

ALPHA, SMALL = alpha_grid(31), 1e-6
EPSILONS = (0.0, 0.5, 5.0, 60.0, 1e3, np.inf)
RATE, STEPS = 0.01, 2  # two of a hundred batches, or a record in each of two batches by chance


def releases() -> list[SampledMechanism]:
    """Two steps of every kind, with little noise, for all neighbours, ways to draw and units that are offered."""
    found = []
    for kind, adjacency, sampling, records in product(MECHANISMS, Adjacency, Sampling, (1, 3)):
        if adjacency is Adjacency.ZERO_OUT and sampling is Sampling.POISSON:
            continue  # the laws of a record that is added
        try:
            # Whole numbers with hardly any noise have the widest laws, and the slowest.
            found.append(kind(0.3 if "Discrete" in kind.name else 0.1, RATE, STEPS, adjacency, sampling, records))
        except (UnsupportedError, ValueError):
            continue
    return found


def most(release: SampledMechanism, order: Order, q: float) -> np.ndarray:
    """Of the power: q more than alpha; less where the release without the record is what there is where it is out."""
    is_alone = release.adjacency is not Adjacency.REPLACE_ONE and release.sampling is not Sampling.SHUFFLED
    if is_alone and order is Order.ADD:
        return q + (1.0 - q) * ALPHA
    if is_alone and order is Order.REMOVE:
        return np.minimum(ALPHA / (1.0 - q), 1.0)
    return np.minimum(ALPHA + q, 1.0)


@pytest.mark.parametrize("release", releases(), ids=lambda made: f"{made.label}, {made.adjacency}, {made.sampling}")
def test_no_curve_and_no_number_exceeds_participation(release: SampledMechanism) -> None:
    """Delta never rises with epsilon, and ends at what no epsilon removes."""
    independent = release.sampling in (Sampling.POISSON, Sampling.FIXED_SIZE)  # or one draw of an epoch's batches
    q = 1.0 - (1.0 - RATE) ** (STEPS * release.records_per_person) if independent else STEPS * RATE
    within = q * (1.0 + 1e-12)
    assert release.inclusion_probability == pytest.approx(q, rel=1e-12)
    for order in Order:
        limit = most(release, order, q)
        curve = release.trade_off(ALPHA, order, CHEAP)
        for side in (curve, curve.lower or curve, curve.upper or curve):
            assert np.all(side.power <= limit * (1.0 + 1e-12))
            least = (1.0 - limit) * (1.0 - 1e-12)
            assert np.all(side.beta >= least - ROUNDING * ALPHA)
        for found in (release.power(ALPHA[3], order, CHEAP), release.narrow_power(ALPHA[3], order, CHEAP)):
            assert found.lower <= found.estimate <= found.upper <= limit[3] * (1.0 + 1e-12)
    deltas = [release.delta(epsilon, CHEAP) for epsilon in EPSILONS]
    for found in (release.advantage(CHEAP), release.narrow_advantage(CHEAP), *deltas):
        assert 0.0 <= found.lower <= found.estimate <= found.upper <= within
    assert all(later.lower <= later.upper <= one.upper for one, later in pairwise(deltas))
    assert release.auc(CHEAP).upper <= 0.5 + q - 0.5 * q**2 + ROUNDING
    assert release.reconstruction(0.1, CHEAP).upper <= (0.1 + q) * (1.0 + 1e-12)
    if release.adjacency is Adjacency.REPLACE_ONE and release.records_per_person == 1:
        assert membership.eta(release, Game.HALVES, CHEAP).upper <= 0.5 * within
    assert release.epsilon(q * (1.0 + 1e-9), precision=CHEAP).upper == 0.0
    assert release.gaussian_mu(SMALL, CHEAP).upper <= (ndtri(SMALL + q) - ndtri(SMALL)) * (1.0 + 1e-9)


@pytest.mark.parametrize("steps", [1, 4])
def test_only_truncated_noise_gives_something_away_for_certain(steps: int) -> None:
    """The chance that one of the releases lies where no other data set's could, at any epsilon: 1 - (1 - delta)^n."""
    for kind in MECHANISMS:
        if kind is not TruncatedLaplace:
            assert kind(1.0, 1.0, steps, kind.adjacencies[0]).delta(np.inf, CHEAP) == (0.0, 0.0, 0.0)
    for noise in (0.1, 30.0):
        release, certain = TruncatedLaplace(noise, steps=steps, truncation_delta=0.02), 1.0 - 0.98**steps
        safe, _, reached = release.certified().trade_off(np.array([0.0]), Order.ADD)
        assert (safe.power[0], reached.power[0]) == pytest.approx((certain, certain), rel=1e-9)
        assert release.delta(np.inf) == pytest.approx((certain,) * 3, rel=1e-12)
        assert release.epsilon(1.01 * certain).upper < release.epsilon(0.99 * certain).lower == np.inf
