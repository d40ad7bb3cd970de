"""One step: the pair of laws, and its loss on a lattice from either side, against what they must be."""

import numpy as np
import pytest
from hypothesis import assume, given

from numerics.mechanisms import Composition, Laplace
from numerics.mechanisms.gaussian import GaussianNoise
from numerics.mechanisms.laplace import LaplaceNoise
from numerics.mechanisms.noise import Noise, sampled_loss, unsampled_loss
from numerics.privacy_loss import Precision
from numerics.privacy_loss.dominating_pairs import Atom
from numerics.privacy_loss.finite_pair import FinitePair
from numerics.privacy_loss.lattice import connect_the_dots, rounded
from numerics.sampling.poisson import SampledPair
from tests.sides import ANY

ROUNDING = 1e-12
NOISES: list[Noise] = [*map(GaussianNoise, (0.3, 1.0, 20.0)), *map(LaplaceNoise, (0.4, 3.0))]
RATES = [1.0, 0.3, 1e-4]
PAIRS = [SampledPair(noise, rate, opposed) for noise in NOISES for rate in RATES for opposed in (False, True)]


def lattice(pair: SampledPair, cells: int) -> tuple[float, int, int]:
    """Step, first and last index of a lattice over the pair's losses, at most 60 either way."""
    low, high = np.clip(pair.loss_range(1e-20), -60.0, 60.0)
    step = max(high, -low) / cells
    return float(step), int(np.floor(low / step)), max(int(np.ceil(high / step)), 1)


@pytest.mark.parametrize("pair", PAIRS, ids=repr)
def test_position_is_the_inverse_of_loss(pair):
    """And the loss never decreases in the released value."""
    x = np.linspace(-3.0, 3.0, 301) if isinstance(pair.noise, GaussianNoise) else np.linspace(-1.2, 1.2, 301)
    loss = pair.loss(x)
    assert np.all(np.diff(loss) >= -ROUNDING)
    # Only where the loss can be told from its limits can the position be read off it.
    slope = np.diff(loss) / np.diff(x)
    clear = np.flatnonzero((slope[1:] > 1e-4) & (slope[:-1] > 1e-4)) + 1
    np.testing.assert_allclose(pair.position(loss[clear]), x[clear], atol=1e-9)


@pytest.mark.parametrize("pair", PAIRS, ids=repr)
def test_cells_hold_all_mass_at_losses_between_their_ends(pair):
    step, first, last = lattice(pair, 3000)
    edges = step * np.arange(first, last + 1)
    cells = pair.cell_masses(edges)
    for mass in cells:
        assert np.all(mass >= -1e-17)
        assert np.sum(mass) == pytest.approx(1.0, abs=ROUNDING)
    # P = e^loss Q somewhere between the ends; differences of tails of size 1 carry a rounding of 1e-16 each.
    inner_p, inner_q, slack = cells.p[1:-1], cells.q[1:-1], 1e-15
    assert np.all(inner_p <= np.exp(edges[1:]) * (inner_q + slack) * (1.0 + 1e-9) + slack)
    assert np.all(inner_p + slack >= np.exp(edges[:-1]) * (inner_q - slack) * (1.0 - 1e-9))


@given(mechanism=ANY)
def test_symmetric_pairs_are_their_own_mirror_image(mechanism):
    symmetric = [pair for pair, _ in mechanism.pairs if pair.is_symmetric]
    assume(symmetric)
    for pair in symmetric:
        edges = np.linspace(-5.0, 5.0, 301) + 1e-3 / 3.0
        forward, backward = pair.cell_masses(edges), pair.cell_masses(-edges[::-1])
        np.testing.assert_allclose(forward.p, backward.q[::-1], atol=1e-15)


def hockey_stick(p, q, epsilon):
    """Delta of discrete laws at each epsilon."""
    return np.array([np.sum(np.maximum(p - np.exp(e) * q, 0.0)) for e in epsilon])


@pytest.mark.parametrize("pair", PAIRS, ids=repr)
@pytest.mark.parametrize("cells", [7, 60])
def test_connecting_the_dots_keeps_masses_and_dominates(pair, cells):
    step, first, last = lattice(pair, cells)
    law = connect_the_dots(pair, step, first, last)
    assert np.sum(law.p) + law.p_infinite == pytest.approx(1.0, abs=ROUNDING)
    assert np.sum(law.q) + law.q_infinite == pytest.approx(1.0, abs=ROUNDING)
    np.testing.assert_allclose(law.p, np.exp(law.loss) * law.q, rtol=1e-9)
    epsilon = np.unique(np.concatenate((law.loss[:: max(1, len(law.loss) // 40)], law.loss[:-1] + 0.37 * step)))
    coarse = hockey_stick(law.p, law.q, epsilon) + law.p_infinite
    fine = true_delta(pair, epsilon)
    assert np.all(coarse >= fine - ROUNDING)
    inside = epsilon[np.isin(epsilon, law.loss)]
    np.testing.assert_allclose(coarse[np.isin(epsilon, law.loss)], true_delta(pair, inside), rtol=1e-9, atol=ROUNDING)


@pytest.mark.parametrize("pair", PAIRS, ids=repr)
@pytest.mark.parametrize("cells", [7, 60])
def test_what_lies_beyond_the_lattice_is_counted_on_the_safe_side(pair, cells):
    """It begins above the smallest losses and ends below the largest: all masses stay, and delta is no less."""
    step, first, last = lattice(pair, cells)
    law = connect_the_dots(pair, step, first // 2, last // 2)
    assert np.sum(law.p) + law.p_infinite == pytest.approx(1.0, abs=ROUNDING)
    assert np.sum(law.q) + law.q_infinite == pytest.approx(1.0, abs=ROUNDING)
    np.testing.assert_allclose(law.p, np.exp(law.loss) * law.q, rtol=1e-9)
    epsilon = np.concatenate((law.loss, law.loss + 0.37 * step))
    assert np.all(hockey_stick(law.p, law.q, epsilon) + law.p_infinite >= true_delta(pair, epsilon) - ROUNDING)
    below = true_delta_removed(pair, epsilon)
    assert np.all(hockey_stick(law.q, law.p, epsilon) + law.q_infinite >= below - ROUNDING)
    exact = np.isin(-epsilon, law.loss)
    np.testing.assert_allclose(
        hockey_stick(law.q, law.p, epsilon[exact]) + law.q_infinite, below[exact], rtol=1e-9, atol=ROUNDING
    )


def test_rounding_below_the_lattice_makes_no_mass_under_q():
    """P's mass there is a little more than the first point's ratio allows: only as much of it stands for Q's as Q has.

    Mass under Q that is not there would be false alarms that nobody raises: a guarantee too good to be true.
    """
    under_p = 0.3 * np.exp(-1.0) * (1.0 + 1e-6)
    atoms = Atom(-1.0, under_p, 0.3), Atom(float(np.log((1.0 - under_p) / 0.7)), 1.0 - under_p, 0.7)
    law = connect_the_dots(FinitePair(atoms, "a pair"), 0.5, -2, 3)  # whose first point is the smallest loss
    assert np.sum(law.q) + law.q_infinite <= 1.0 + ROUNDING


@pytest.mark.parametrize("pair", PAIRS, ids=repr)
@pytest.mark.parametrize("cells", [7.0, 7.5, 60.3])
def test_rounding_loses_information(pair, cells):
    """Delta never exceeds the true one, not even with an atom halfway between lattice points; all mass stays."""
    step, first, last = lattice(pair, 1)
    step /= cells
    law = rounded(pair, step, int(first * cells) - 1, int(last * cells) + 1)
    assert np.sum(law.p) == pytest.approx(1.0, abs=ROUNDING)
    assert np.sum(law.q) == pytest.approx(1.0, abs=ROUNDING)
    epsilon = law.loss[:: max(1, len(law.loss) // 40)]
    assert np.all(hockey_stick(law.p, law.q, epsilon) <= true_delta(pair, epsilon) + ROUNDING)


def true_delta(pair: SampledPair, epsilon):
    """P(loss > epsilon) - e^epsilon Q(loss > epsilon): one cut of the released value."""
    above = [pair.cell_masses(np.array([e])) for e in epsilon]
    return np.array([cells.p[1] - np.exp(e) * cells.q[1] for cells, e in zip(above, epsilon, strict=True)])


def true_delta_removed(pair: SampledPair, epsilon):
    """Q(loss <= -epsilon) - e^epsilon P(loss <= -epsilon)."""
    below = [pair.cell_masses(np.array([-e])) for e in epsilon]
    return np.array([cells.q[0] - np.exp(e) * cells.p[0] for cells, e in zip(below, epsilon, strict=True)])


def test_an_atom_halfway_between_lattice_points_is_counted_once():
    """Steps of 1/n that suit the first phase put the atoms of the second at n/2."""
    pair = SampledPair(LaplaceNoise(2.0), 1.0)
    for cells in (7, 31, 131):
        for law in (rounded(pair, 1.0 / cells, -cells, cells), rounded(pair, 1.0 / cells * (1 + 1e-13), -cells, cells)):
            assert np.sum(law.p) == pytest.approx(1.0, abs=ROUNDING)
    phases = Composition((Laplace(1.0, steps=7), Laplace(2.0)))
    coarse, fine = (phases.certified(Precision(width=width)).delta(0.3) for width in (1e-3, 1e-6))
    assert coarse.lower <= fine.upper
    assert fine.lower <= coarse.upper


@pytest.mark.parametrize("absent", [1e-3, 1e-9, 2.0**-40, 2.0**-52])
def test_the_unsampled_loss_of_small_losses_is_the_inverse_down_to_the_floor(absent):
    floor = np.log(absent)
    unsampled = np.concatenate((np.linspace(0.9 * floor, -1e-3, 50), [-1.0, floor + 3.0]))
    found = unsampled_loss(sampled_loss(unsampled, 1.0 - absent), 1.0 - absent)
    np.testing.assert_allclose(found, unsampled, rtol=1e-12)
    assert np.all(unsampled_loss(np.array([floor - 1e-3, -800.0]), 1.0 - absent) == -np.inf)


@pytest.mark.parametrize("rate", [0.01, 0.5, 0.99])
def test_the_unsampled_loss_of_large_losses_is_the_inverse(rate):
    unsampled = np.array([1.0, 19.0, 20.1, 22.0, 30.0, 800.0])
    np.testing.assert_allclose(unsampled_loss(sampled_loss(unsampled, rate), rate), unsampled, rtol=1e-13)
