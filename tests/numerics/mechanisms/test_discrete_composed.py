"""Compositions of whole-number noise, answers and choices, against every combination of outcomes."""

import numpy as np
import pytest

from numerics.mechanisms import SampledMechanism
from numerics.mechanisms.discrete_gaussian import DiscreteGaussian, DiscreteGaussianNoise
from numerics.mechanisms.discrete_laplace import DiscreteLaplace, DiscreteLaplaceNoise
from numerics.mechanisms.exponential_mechanism import ExponentialMechanism
from numerics.mechanisms.logistic import LogisticNoise
from numerics.mechanisms.randomised_response import RandomisedResponse
from numerics.mechanisms.truncated_laplace import TruncatedLaplace
from numerics.mechanisms.whole_numbers import LatticeNoise
from numerics.sampling.poisson import SampledPair
from numerics.trade_off import Order
from tests.numerics.mechanisms.test_discrete_mechanisms import ALPHA, EXACT, REPLACED, composed

ONCE: list[SampledMechanism] = [
    DiscreteGaussian(0.4),
    DiscreteGaussian(1.3, adjacency=REPLACED),
    DiscreteGaussian(0.7, 0.1, sensitivity=3),
    DiscreteLaplace(1.0),
    DiscreteLaplace(0.5, adjacency=REPLACED, sensitivity=3),
    DiscreteLaplace(2.0, 0.3, sensitivity=4),
    RandomisedResponse(0.7),
    RandomisedResponse(1.0, categories=2),
    ExponentialMechanism(0.5),
    TruncatedLaplace(1.0),
    TruncatedLaplace(2.0, adjacency=REPLACED, truncation_delta=1e-9),
    TruncatedLaplace(10.0, adjacency=REPLACED, truncation_delta=0.1),
]


def contains(release: SampledMechanism, power, order: Order = Order.ADD, width: float = 1e-5) -> None:
    """The certified bracket of the guarantee contains an exact curve at ``ALPHA``."""
    safe, _, reached = release.certified().trade_off(ALPHA, order)
    assert np.all(safe.power >= power * (1.0 - EXACT))
    assert np.all(reached.power <= power * (1.0 + EXACT))
    assert np.max(safe.power - reached.power) < 1.5 * width


def normal_weights(scale: float, points: int):
    x = np.arange(-60, 61)
    weight = np.exp(-0.5 * (x / (scale * points)) ** 2)
    return weight / weight.sum()


@pytest.mark.parametrize("release", ONCE, ids=lambda release: f"{release.label}, {release.adjacency}")
@pytest.mark.parametrize("order", Order)
def test_the_bracket_of_one_release_contains_its_closed_form(release, order):
    form = release.closed_form
    if form is None:
        assert release.sampling_rate < 1.0  # two shifted laws
        return
    contains(release, form.trade_off(ALPHA, order).power, order)
    assert release.delta(0.3).upper == pytest.approx(release.certified().delta(0.3).upper, abs=1e-5)
    assert release.auc().upper == pytest.approx(release.certified().auc().upper, abs=1e-5)
    curve = form.shift.power(ALPHA)
    inner = (curve < 1.0 - 1e-9) & (ALPHA > 1e-9)
    np.testing.assert_allclose(form.shift.alpha_for(curve)[inner], ALPHA[inner], rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("steps", [2, 3])
def test_compositions_contain_every_combination_of_outcomes(steps):
    rare = 1.0 / (np.e + 3.0)
    p, q = np.array([np.e * rare, rare, rare, rare]), np.array([rare, np.e * rare, rare, rare])
    contains(RandomisedResponse(1.0, steps=steps), composed(p, q, steps))
    for shift in (1, 3):
        ratio = np.exp(-1.0 / (0.8 * shift))
        tails = np.array([1.0, ratio**shift]) / (1.0 + ratio)  # at 0 and below, at the shift and above
        q = np.array([tails[0], *((1.0 - ratio) / (1.0 + ratio) * ratio ** np.arange(1, shift)), tails[1]])
        contains(DiscreteLaplace(0.8, steps=steps, sensitivity=shift), composed(q[::-1], q, steps))
    centre = slice(45, 76)
    law = normal_weights(1.0, 1)
    contains(DiscreteGaussian(1.0, steps=2), composed(np.roll(law, 1)[centre], law[centre], 2))


def test_sampled_steps_contain_the_mixture():
    law = normal_weights(0.8, 2)[44:77]
    present = 0.8 * law + 0.2 * np.roll(law, 2)
    contains(DiscreteGaussian(0.8, 0.2, 2, sensitivity=2), composed(present, law, 2))
    replaced = 0.8 * law + 0.2 * np.roll(law, -2)
    contains(DiscreteGaussian(0.8, 0.2, 2, REPLACED, sensitivity=2), composed(present, replaced, 2))


def test_infinite_losses_are_atoms_of_the_composition():
    """On a fine histogram of the noise, whose outcomes of one centre alone stay as they are."""
    release = TruncatedLaplace(1.0, steps=2, truncation_delta=0.02)
    ((pair, _),) = release.pairs
    p, q = pair.cell_masses(np.linspace(-0.999, 0.999, 300))
    atoms = {atom.loss: atom for atom in pair.atoms}
    p, q = np.append(p, atoms[np.inf].p), np.append(q, atoms[-np.inf].q)  # the outermost cells hold them too
    p[-2] -= p[-1]
    q[0] -= q[-1]
    exact = composed(np.append(p, 0.0), np.append(np.append(q[:-1], 0.0), q[-1]), 2)
    safe, _, reached = release.certified().trade_off(ALPHA, Order.ADD)
    assert np.all(exact <= safe.power * (1.0 + EXACT))  # who sees a cell alone sees less
    certain = 1.0 - 0.98**2
    assert safe.power[0] == pytest.approx(certain, rel=1e-9)
    assert reached.power[0] == pytest.approx(certain, rel=1e-9)
    assert np.max(safe.power - exact) < 5e-3
    assert release.epsilon(0.03).upper == np.inf
    assert release.epsilon(0.05).upper < np.inf


@pytest.mark.parametrize("rate", [1e-6, 0.03, 1.0])
@pytest.mark.parametrize(
    "noise",
    [DiscreteGaussianNoise(0.1), DiscreteGaussianNoise(1.0, 3), DiscreteLaplaceNoise(0.5, 4), LogisticNoise(0.2)],
)
def test_positions_of_a_replaced_record_are_where_its_loss_is(noise: LatticeNoise | LogisticNoise, rate: float) -> None:
    pair, x = SampledPair(noise, rate, replace_one=True), np.arange(-12.0, 13.0) / 12.0
    x = x if isinstance(noise, LogisticNoise) else np.unique(np.round(x * noise.points) / noise.points)
    loss = pair.loss(x)
    found = pair.position(0.5 * (loss[1:] + loss[:-1]))
    assert np.all((x[:-1] <= found) & (found < x[1:]))
    assert np.all(pair.position(np.array([-1e4, 1e4])) * np.array([-1.0, 1.0]) > 1.0)
