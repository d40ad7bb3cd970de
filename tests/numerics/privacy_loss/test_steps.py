"""One step of the certified engine: a pair of laws, and its loss on a lattice from either side."""

import numpy as np
import pytest

from numerics import mechanisms
from numerics.mechanisms import Composition, Laplace
from numerics.privacy_loss import Precision
from numerics.trade_off import Order
from tests.numerics import engine_adapter as engine
from tests.numerics import oracle

ROUNDING = 1e-12
NOISES = [
    *map(engine.GaussianNoise, (0.3, 20.0)),
    *map(engine.LaplaceNoise, (0.4, 3.0)),
    engine.LogisticNoise(0.7),
]
PAIRS = [
    engine.SampledPair(noise, rate, opposed)
    for noise in NOISES
    for rate, opposed in ((1.0, False), (0.3, not isinstance(noise, engine.LogisticNoise)), (1e-4, False))
]
DISCRETE = [engine.DiscreteGaussianNoise(1.0, 3), engine.DiscreteLaplaceNoise(0.5, 4)]


def true_deltas(pair, epsilon):
    """P(loss > e) - e^e Q(loss > e), and Q(loss <= -e) - e^e P(loss <= -e): one cut of the released value each."""
    above, below = ([pair.cell_masses(np.array([sign * e])) for e in epsilon] for sign in (1.0, -1.0))
    return (
        np.array([cells.p[1] - np.exp(e) * cells.q[1] for cells, e in zip(above, epsilon, strict=True)]),
        np.array([cells.q[0] - np.exp(e) * cells.p[0] for cells, e in zip(below, epsilon, strict=True)]),
    )


def deltas(law, epsilon):
    """Of a lattice, in both orders."""
    return (
        np.array([oracle.delta((law.p, law.q), e) for e in epsilon]) + law.p_infinite,
        np.array([oracle.delta((law.q, law.p), e) for e in epsilon]) + law.q_infinite,
    )


def has_all_mass(law):
    assert np.sum(law.p) + law.p_infinite == pytest.approx(1.0, abs=ROUNDING)
    assert np.sum(law.q) + law.q_infinite == pytest.approx(1.0, abs=ROUNDING)


@pytest.mark.parametrize("pair", PAIRS, ids=repr)
def test_losses_rise_and_are_inverted(pair):
    reach = 1.2 if isinstance(pair.noise, engine.LaplaceNoise) else 3.0
    x = np.linspace(-reach, reach, 301)
    loss = pair.loss(x)
    assert np.all(np.diff(loss) >= -ROUNDING)
    clear = np.flatnonzero((np.diff(loss)[1:] > 2e-6) & (np.diff(loss)[:-1] > 2e-6)) + 1  # else it is at a limit
    np.testing.assert_allclose(pair.position(loss[clear]), x[clear], atol=1e-9)


@pytest.mark.parametrize("cells", [7.0, 7.5, 60.3])
@pytest.mark.parametrize("pair", PAIRS, ids=repr)
def test_connected_dots_dominate_and_rounding_loses(pair, cells):
    low, high = np.clip(pair.loss_range(1e-20), -60.0, 60.0)
    step = float(max(high, -low) / cells)
    first, last = int(np.floor(low / step)), max(int(np.ceil(high / step)), 1)
    edges = step * np.arange(first, last + 1)
    p, q = pair.cell_masses(edges)
    assert np.all((p >= -1e-17) & (q >= -1e-17))
    assert (p.sum(), q.sum()) == pytest.approx((1.0, 1.0), abs=ROUNDING)
    # P = e^loss Q somewhere between a cell's ends; differences of tails of size 1 carry a rounding of 1e-16 each.
    assert np.all(p[1:-1] <= np.exp(edges[1:]) * (q[1:-1] + 1e-15) * (1.0 + 1e-9) + 1e-15)
    assert np.all(p[1:-1] + 1e-15 >= np.exp(edges[:-1]) * (q[1:-1] - 1e-15) * (1.0 - 1e-9))
    for build, sign in ((engine.connect_the_dots, 1.0), (engine.rounded, -1.0)):
        law = build(pair, step, first - 1, last + 1)
        has_all_mass(law)
        has_all_mass(law.mirrored())
        epsilon = np.unique(np.concatenate((law.loss, law.loss[:-1] + 0.37 * step)))
        found, true = deltas(law, epsilon)[0], true_deltas(pair, epsilon)[0]
        assert np.all(sign * (found - true) >= -ROUNDING)
        if sign > 0:
            np.testing.assert_allclose(law.p, np.exp(law.loss) * law.q, rtol=1e-9)
            on = np.isin(epsilon, law.loss)
            np.testing.assert_allclose(found[on], true[on], rtol=1e-9, atol=ROUNDING)


@pytest.mark.parametrize("cells", [7, 60])
@pytest.mark.parametrize("pair", PAIRS, ids=repr)
def test_what_lies_beyond_the_lattice_is_counted_on_the_safe_side(pair, cells):
    """It begins above the smallest losses and ends below the largest: all masses stay, and delta is no less."""
    low, high = np.clip(pair.loss_range(1e-20), -60.0, 60.0)
    step = float(max(high, -low) / cells)
    law = engine.connect_the_dots(pair, step, int(np.floor(low / step)) // 2, max(int(np.ceil(high / step)), 1) // 2)
    has_all_mass(law)
    np.testing.assert_allclose(law.p, np.exp(law.loss) * law.q, rtol=1e-9)
    epsilon = np.concatenate((law.loss, law.loss + 0.37 * step))
    for found, true in zip(deltas(law, epsilon), true_deltas(pair, epsilon), strict=True):
        assert np.all(found >= true - ROUNDING)
    on = np.isin(-epsilon, law.loss)
    np.testing.assert_allclose(deltas(law, epsilon[on])[1], true_deltas(pair, epsilon[on])[1], rtol=1e-9, atol=ROUNDING)


def test_rounding_below_the_lattice_makes_no_mass_under_q():
    """P's mass there is a little more than the first point's ratio allows: no more of it stands for Q's than Q has.

    Mass under Q that is not there would be false alarms that nobody raises: a guarantee too good to be true.
    """
    under_p = 0.3 * np.exp(-1.0) * (1.0 + 1e-6)
    atoms = engine.Atom(-1.0, under_p, 0.3), engine.Atom(float(np.log((1.0 - under_p) / 0.7)), 1.0 - under_p, 0.7)
    law = engine.connect_the_dots(engine.FinitePair(atoms, "a pair"), 0.5, -2, 3)
    assert np.sum(law.q) + law.q_infinite <= 1.0 + ROUNDING


def test_an_atom_halfway_between_lattice_points_is_counted_once():
    """Steps of 1/n that suit the first phase put the atoms of the second at n/2."""
    for cells in (7, 31):
        for step in (1.0 / cells, 1.0 / cells * (1 + 1e-13)):
            has_all_mass(engine.rounded(engine.SampledPair(engine.LaplaceNoise(2.0), 1.0), step, -cells, cells))
    phases = Composition((Laplace(1.0, steps=7), Laplace(2.0)))
    coarse, fine = (phases.certified(Precision(width=width)).delta(0.3) for width in (1e-3, 1e-6))
    assert coarse.lower <= fine.upper
    assert fine.lower <= coarse.upper


def truncated(*arguments, **own):
    return mechanisms.TruncatedLaplace(*arguments, **own)  # type: ignore[attr-defined]


@pytest.mark.parametrize("steps", [1, 2, 4])
@pytest.mark.parametrize("noise", [0.1, 1.0, 30.0])
def test_what_is_given_away_for_certain_stays(steps, noise):
    """The chance that one of the releases lies where no other data set's could, at any epsilon: 1 - (1 - delta)^n."""
    release, certain = truncated(noise, steps=steps, truncation_delta=0.02), 1.0 - 0.98**steps
    safe, _, reached = release.certified().trade_off(np.array([0.0]), Order.ADD)
    assert (safe.power[0], reached.power[0]) == pytest.approx((certain, certain), rel=1e-9)
    found = release.delta(np.inf)
    assert (found.lower, found.upper) == pytest.approx((certain, certain), rel=1e-12)
    assert release.epsilon(1.01 * certain).upper < release.epsilon(0.99 * certain).lower == np.inf
    if steps == 1 and noise >= 1.0:  # the smallest epsilon, not any of all that have this delta
        assert release.epsilon(found.upper).upper == pytest.approx(1.0 / noise, rel=1e-9)


@pytest.mark.parametrize("rate", [1e-6, 0.03, 1.0])
@pytest.mark.parametrize("noise", DISCRETE, ids=repr)
def test_whole_numbers_are_placed_and_cut_alike_for_every_centre(noise, rate):
    """Else a cell would have a point under one law and not under the other, and tell of an attack that is none."""
    pair, x = engine.SampledPair(noise, rate, replace_one=True), np.arange(-12.0, 13.0) / noise.points
    loss = pair.loss(x)
    found = pair.position(0.5 * (loss[1:] + loss[:-1]))
    assert np.all(((x[:-1] <= found) & (found < x[1:]))[np.diff(loss) > 1e-9])
    assert np.all(pair.position(np.array([-1e4, 1e4])) * np.array([-1.0, 1.0]) > 1.0)
    edges, points = np.linspace(-1.0, 3.0, 600), np.arange(-40.0, 80.0)
    at = np.searchsorted(points / noise.points, edges + 1e-12, side="right")
    for centre in (1.0, 2.0):
        whole = noise.cells((points + 0.5) / noise.points, centre)
        expected = np.diff(np.append(0.0, np.cumsum(whole))[:-1][at])
        np.testing.assert_allclose(noise.cells(edges, centre)[1:-1], expected, rtol=0, atol=1e-14)


@pytest.mark.parametrize("scale", [0.05, 2.0, 63.9, 64.1, 5000.0])
def test_cells_of_the_discrete_gaussian_are_sums_of_its_weights(scale):
    reach = int(6 * scale) + 4
    x = np.arange(-12 * reach, 12 * reach + 1)
    weight = np.exp(-0.5 * (x / scale) ** 2)
    edges = np.arange(-reach, reach + 1.0, max(reach // 50, 1)) + 0.5
    above = np.array([weight[x > edge].sum() for edge in edges]) / weight.sum()
    found = np.cumsum(engine.DiscreteGaussianNoise(scale).cells(edges, 0.0)[::-1])[::-1][1:]
    np.testing.assert_allclose(found, above, rtol=1e-11, atol=1e-300)


@pytest.mark.parametrize("rate", [1.0 - 2.0**-52, 1.0 - 2.0**-40, 0.999, 0.5, 0.01])
def test_the_unsampled_loss_is_the_inverse_down_to_its_floor(rate):
    floor = np.log1p(-rate)
    unsampled = np.concatenate((np.linspace(0.9 * floor, -1e-3, 20), [1.0, 19.0, 20.1, 30.0, 800.0]))
    np.testing.assert_allclose(engine.unsampled_loss(engine.sampled_loss(unsampled, rate), rate), unsampled, rtol=1e-12)
    assert np.all(engine.unsampled_loss(np.array([floor - 1e-3, -800.0]), rate) == -np.inf)


def test_draws_follow_the_cells():
    """Of every noise that says how it is drawn: the share below a position, within five of its standard errors."""
    for noise in (engine.GaussianNoise(1.0), engine.LaplaceNoise(1.0), engine.LogisticNoise(1.0)):
        assert noise.standard is not None
        draws = noise.standard.draw(np.random.default_rng(0), 200_000)
        for x in (-3.0, -0.5, 0.0, 1.0, 4.0):
            share = noise.cells(np.array([x]), 0.0)[0]
            assert np.mean(draws <= x) == pytest.approx(share, abs=5.0 * np.sqrt(share * (1.0 - share) / len(draws)))
            width = 1e-4
            inside = noise.cells(np.array([x, x + width]), 0.0)[1] / width
            density = noise.standard.log_density(np.array([x + 0.5 * width]))[0]
            assert np.exp(density) == pytest.approx(inside, rel=1e-6)
