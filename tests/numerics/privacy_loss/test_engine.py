"""Inside the certified engine: lattices, their sums, and sums without a lattice, each against what it must be."""

from dataclasses import replace

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace, Sampling
from numerics.mechanisms.discrete_gaussian import DiscreteGaussianNoise
from numerics.mechanisms.discrete_laplace import DiscreteLaplaceNoise
from numerics.mechanisms.folded_distance import FoldedDistance
from numerics.mechanisms.gaussian import FoldedNormal, GaussianNoise
from numerics.mechanisms.laplace import LaplaceNoise
from numerics.mechanisms.logistic import FoldedLogistic, LogisticNoise
from numerics.mechanisms.noise import sampled_loss, unsampled_loss
from numerics.mechanisms.normal_loss import NormalLoss
from numerics.mechanisms.truncated_laplace import TruncatedLaplace
from numerics.privacy_loss import Precision, lattices
from numerics.privacy_loss.certify import certify_number, forget
from numerics.privacy_loss.composition import Blocks, SumLayout, upper_tail
from numerics.privacy_loss.dominating_pairs import Atom
from numerics.privacy_loss.finite_pair import FinitePair
from numerics.privacy_loss.lattice import connect_the_dots, rounded
from numerics.privacy_loss.moments import epsilon_reach
from numerics.privacy_loss.questions import EpsilonAt
from numerics.privacy_loss.smooth_sum import smooth_sums
from numerics.privacy_loss.transform import WINDOW_TAIL, Masses, window
from numerics.privacy_loss.vertices import Half, capped, half, tangents
from numerics.privacy_loss.window_plan import plan, tilts
from numerics.relaxed.envelope import envelope
from numerics.relaxed.folded import FoldedOnce
from numerics.sampling.poisson import SampledPair
from numerics.trade_off import Order, alpha_grid
from tests.numerics.oracle import convolved, ratios
from tests.strategies import log_uniform

ROUNDING = 1e-12
BUILDS = [connect_the_dots, rounded]
NOISES = [GaussianNoise(0.3), GaussianNoise(20.0), LaplaceNoise(0.4), LaplaceNoise(3.0), LogisticNoise(0.7)]
PAIRS = [
    SampledPair(noise, rate, opposed)
    for noise in NOISES
    for rate, opposed in ((1.0, False), (0.3, not isinstance(noise, LogisticNoise)), (1e-4, False))
]
DISCRETE = [DiscreteGaussianNoise(1.0, 3), DiscreteLaplaceNoise(0.5, 4)]


def true_delta(pair, epsilon):
    """P(loss > epsilon) - e^epsilon Q(loss > epsilon): one cut of the released value."""
    above = [pair.cell_masses(np.array([e])) for e in epsilon]
    return np.array([cells.p[1] - np.exp(e) * cells.q[1] for cells, e in zip(above, epsilon, strict=True)])


@pytest.mark.parametrize("pair", PAIRS, ids=repr)
def test_one_step_and_its_lattices(pair):
    """Losses rise and are inverted; cells hold all mass; connected dots dominate, rounding loses."""
    reach = 1.2 if isinstance(pair.noise, LaplaceNoise) else 3.0
    x = np.linspace(-reach, reach, 301)
    loss = pair.loss(x)
    assert np.all(np.diff(loss) >= -ROUNDING)
    clear = np.flatnonzero((np.diff(loss)[1:] > 2e-6) & (np.diff(loss)[:-1] > 2e-6)) + 1
    np.testing.assert_allclose(pair.position(loss[clear]), x[clear], atol=1e-9)
    low, high = np.clip(pair.loss_range(1e-20), -60.0, 60.0)
    for cells in (7.0, 60.3):
        step = float(max(high, -low) / cells)
        first, last = int(np.floor(low / step)), max(int(np.ceil(high / step)), 1)
        edges = step * np.arange(first, last + 1)
        for mass in pair.cell_masses(edges):
            assert np.all(mass >= -1e-17)
            assert np.sum(mass) == pytest.approx(1.0, abs=ROUNDING)
        for build, sign in ((connect_the_dots, 1.0), (rounded, -1.0)):
            law = build(pair, step, first - 1, last + 1)
            assert np.sum(law.p) + law.p_infinite == pytest.approx(1.0, abs=ROUNDING)
            assert np.sum(law.q) + law.q_infinite == pytest.approx(1.0, abs=ROUNDING)
            epsilon = np.unique(np.concatenate((law.loss, law.loss[:-1] + 0.37 * step)))
            found = np.array([np.sum(np.maximum(law.p - np.exp(e) * law.q, 0)) for e in epsilon]) + law.p_infinite
            assert np.all(sign * (found - true_delta(pair, epsilon)) >= -ROUNDING)
            if sign > 0:
                np.testing.assert_allclose(law.p, np.exp(law.loss) * law.q, rtol=1e-9)
                on = np.isin(epsilon, law.loss)
                np.testing.assert_allclose(found[on], true_delta(pair, epsilon[on]), rtol=1e-9, atol=ROUNDING)


@pytest.mark.parametrize("pair", [*PAIRS, SampledPair(GaussianNoise(0.3), 1.0, True)], ids=repr)
def test_what_lies_beyond_the_lattice_is_counted_on_the_safe_side(pair):
    """It begins above the smallest losses and ends below the largest: all masses stay, and delta is no less."""
    low, high = np.clip(pair.loss_range(1e-20), -60.0, 60.0)
    step = float(max(high, -low) / 7.0)
    law = connect_the_dots(pair, step, int(np.floor(low / step)) // 2, max(int(np.ceil(high / step)), 1) // 2)
    assert np.sum(law.p) + law.p_infinite == pytest.approx(1.0, abs=ROUNDING)
    assert np.sum(law.q) + law.q_infinite == pytest.approx(1.0, abs=ROUNDING)
    np.testing.assert_allclose(law.p, np.exp(law.loss) * law.q, rtol=1e-9)
    epsilon = np.concatenate((law.loss, law.loss + 0.37 * step))
    found = np.array([np.sum(np.maximum(law.p - np.exp(e) * law.q, 0)) for e in epsilon]) + law.p_infinite
    assert np.all(found >= true_delta(pair, epsilon) - ROUNDING)
    below = [pair.cell_masses(np.array([-e])) for e in epsilon]
    removed = np.array([cells.q[0] - np.exp(e) * cells.p[0] for cells, e in zip(below, epsilon, strict=True)])
    found = np.array([np.sum(np.maximum(law.q - np.exp(e) * law.p, 0)) for e in epsilon]) + law.q_infinite
    assert np.all(found >= removed - ROUNDING)
    exact = np.isin(-epsilon, law.loss)
    np.testing.assert_allclose(found[exact], removed[exact], rtol=1e-9, atol=ROUNDING)


def test_rounding_below_the_lattice_makes_no_mass_under_q():
    """P's mass there is a little more than the first point's ratio allows: only as much of it stands for Q's as Q has.

    Mass under Q that is not there would be false alarms that nobody raises: a guarantee too good to be true.
    """
    under_p = 0.3 * np.exp(-1.0) * (1.0 + 1e-6)
    atoms = Atom(-1.0, under_p, 0.3), Atom(float(np.log((1.0 - under_p) / 0.7)), 1.0 - under_p, 0.7)
    law = connect_the_dots(FinitePair(atoms, "a pair"), 0.5, -2, 3)  # whose first point is the smallest loss
    assert np.sum(law.q) + law.q_infinite <= 1.0 + ROUNDING


@pytest.mark.parametrize("rate", [1e-6, 0.03, 1.0])
@pytest.mark.parametrize("noise", DISCRETE, ids=repr)
def test_whole_numbers_are_placed_and_cut_alike_for_every_centre(noise, rate):
    pair, x = SampledPair(noise, rate, replace_one=True), np.arange(-12.0, 13.0) / noise.points
    loss = pair.loss(x)
    found = pair.position(0.5 * (loss[1:] + loss[:-1]))
    rises = np.diff(loss) > 1e-9
    assert np.all(((x[:-1] <= found) & (found < x[1:]))[rises])
    edges = np.linspace(-1.0, 3.0, 600)
    at = np.searchsorted(np.arange(-40, 80) / noise.points, edges + 1e-12, side="right")
    whole = noise.cells((np.arange(-40.0, 80.0) + 0.5) / noise.points, 1.0)
    np.testing.assert_allclose(
        noise.cells(edges, 1.0)[1:-1], np.diff(np.append(0.0, np.cumsum(whole))[:-1][at]), rtol=0, atol=1e-14
    )


@pytest.mark.parametrize("scale", [0.05, 2.0, 63.9, 64.1, 5000.0])
def test_cells_of_the_discrete_gaussian_are_sums_of_its_weights(scale):
    reach = int(6 * scale) + 4
    x = np.arange(-12 * reach, 12 * reach + 1)
    weight = np.exp(-0.5 * (x / scale) ** 2)
    edges = np.arange(-reach, reach + 1.0, max(reach // 50, 1)) + 0.5
    above = np.array([weight[x > edge].sum() for edge in edges]) / weight.sum()
    found = np.cumsum(DiscreteGaussianNoise(scale).cells(edges, 0.0)[::-1])[::-1][1:]
    np.testing.assert_allclose(found, above, rtol=1e-11, atol=1e-300)


@pytest.mark.parametrize("rate", [1.0 - 2.0**-40, 0.999, 0.5, 0.01])
def test_the_unsampled_loss_is_the_inverse(rate):
    floor = np.log1p(-rate)
    unsampled = np.concatenate((np.linspace(0.9 * floor, -1e-3, 20), [1.0, 19.0, 20.1, 30.0, 800.0]))
    np.testing.assert_allclose(unsampled_loss(sampled_loss(unsampled, rate), rate), unsampled, rtol=1e-9)
    assert unsampled_loss(np.array([floor - 1e-3]), rate)[0] == -np.inf


def test_an_atom_halfway_between_lattice_points_is_counted_once_and_infinite_ones_stay():
    for cells in (7, 31):
        law = rounded(SampledPair(LaplaceNoise(2.0), 1.0), 1.0 / cells, -cells, cells)
        assert np.sum(law.p) == pytest.approx(1.0, abs=ROUNDING)
    release = TruncatedLaplace(1.0, steps=2, truncation_delta=0.02)
    safe, _, reached = release.certified().trade_off(np.array([0.0]), Order.ADD)
    assert safe.power[0] == pytest.approx(1.0 - 0.98**2, rel=1e-9)
    assert reached.power[0] == pytest.approx(1.0 - 0.98**2, rel=1e-9)
    assert release.epsilon(0.05).upper < release.epsilon(0.03).upper == np.inf


SUMS = [
    ((SampledPair(LaplaceNoise(0.5), 0.2), 40),),
    ((SampledPair(GaussianNoise(1.0), 0.01), 1000),),
    ((SampledPair(GaussianNoise(50.0), 1.0), 2500),),
    ((SampledPair(GaussianNoise(0.8), 0.3, True), 3),),
    ((SampledPair(GaussianNoise(2.0), 0.1), 50), (SampledPair(LaplaceNoise(1.0), 0.1), 30)),
]


def laws(phases, points, build):
    """Single-step laws whose sum takes some ``points``, and a layout for it: untilted, and two tilts far apart."""
    scheme = plan(phases)
    step = (min(scheme.highest, 40.0) - max(scheme.lowest, -40.0)) / points
    steps = []
    for pair, count in phases:
        low, high = np.clip(pair.loss_range(1e-17 / count), -60.0, 60.0)
        steps.append((build(pair, step, int(np.floor(low / step)), max(int(np.ceil(high / step)), 1)), count))
    return steps, SumLayout(tilts(scheme.present, scheme.variance, (0.0, 45.0), 18.0), 2**21, coarsest=0.0)


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("phases", [SUMS[0], SUMS[3], SUMS[4]], ids=str)
def test_sums_equal_plain_convolutions_and_windows_hold_them(phases, build):
    steps, layout = laws(phases, 150, build)
    begin = 1 - sum(law.first * count for law, count in steps)
    whole = convolved([(law.p, count) for law, count in steps])[begin:]
    for one in (*(layout._replace(tilts=(tilt,)) for tilt in layout.tilts), layout):
        tail = upper_tail(steps, one)
        above = np.pad(whole, (0, max(len(tail.p.mass) - len(whole), 0)))[: len(tail.p.mass)]
        error = np.abs(np.cumsum(tail.p.mass[::-1]) - np.cumsum(above[::-1]))
        allowed = tail.p.tail[::-1] + np.sqrt(np.cumsum(tail.p.noise[::-1] ** 2))
        assert np.all(error <= allowed + 2.0**-52 * tail.roundings * np.cumsum(above[::-1]))
    for turned in (steps, [(law.mirrored(), count) for law, count in steps]):
        first = sum(law.first * count for law, count in turned)
        for exponent in (0.0, 0.7):
            masses = [Masses(law.p, law, count).tilted(exponent)[0] for law, count in turned]
            mass = convolved([(one.mass, one.steps) for one in masses])
            low, high = window(masses, layout.tilts[0].reach)
            assert np.sum(mass[: max(low - first, 0)]) + np.sum(mass[max(high + 1 - first, 0) :]) <= 2.0 * WINDOW_TAIL


@pytest.mark.parametrize("phases", SUMS, ids=str)
def test_tilts_and_blocks_agree_within_their_allowances(phases):
    steps, layout = laws(phases, 20_000, rounded)
    plain, tilted = (upper_tail(steps, layout._replace(tilts=(tilt,))) for tilt in (layout.tilts[0], layout.tilts[-1]))
    m = min(len(plain.p.mass), len(tilted.p.mass))
    for one, other in ((plain.p, tilted.p), (plain.q, tilted.q)):
        sums = [np.cumsum(blocks.mass[:m][::-1]) for blocks in (one, other)]
        allowed = sum(b.tail[:m][::-1] + np.sqrt(np.cumsum(b.noise[:m][::-1] ** 2)) for b in (one, other))
        assert np.all(
            np.abs(sums[0] - sums[1]) <= allowed + 2.0**-52 * (plain.roundings + tilted.roundings) * np.maximum(*sums)
        )
    assert np.sqrt(np.sum(plain.p.noise**2)) < 1e-8
    single, blocks = upper_tail(steps, layout), upper_tail(steps, layout._replace(coarsest=np.inf))
    for few, many in ((blocks.p, single.p), (blocks.q, single.q)):
        for j in (0, 1, len(few.mass) // 2):
            rows = slice(j * blocks.block, (j + 1) * blocks.block)
            noise = few.noise[j] + np.sum(many.noise[rows]) + few.tail[j] + many.tail[rows][0]
            assert few.mass[j] == pytest.approx(np.sum(many.mass[rows]), abs=noise, rel=1e-9)
    rare = replace(single, q=Blocks(*(1e-200 * values for values in single.q)))
    np.testing.assert_allclose(half(rare, True).alpha, 1e-200 * half(single, True).alpha, rtol=1e-12, atol=1e-305)


@pytest.mark.parametrize("mechanism", [Gaussian(1.0, 0.1, 50), Laplace(2.0, 0.3, 20)], ids=str)
def test_width_shrinks_like_the_square_of_the_step(mechanism):
    widths = []
    for points in (500, 1000, 2000, 4000):
        tails = [upper_tail(*laws(mechanism.pairs, points, build)) for build in BUILDS]
        safe, reached = (tail.certain + float(np.sum(tail.p.mass) - np.sum(tail.q.mass)) for tail in tails)
        widths.append(safe - reached)
    assert all(2.5 < ratio < 6.5 for ratio in ratios(widths))


@settings(max_examples=40)
@given(seed=st.integers(0, 10**6), noise=log_uniform(1e-13, 1e-3))
def test_tangents_stay_above_the_curve_however_its_corners_are_moved(seed, noise):
    generator = np.random.default_rng(seed)
    step, loss = 0.1, 0.1 * np.arange(30, 0, -1)
    q = generator.exponential(size=30) * np.exp(-0.3 * loss**2 - loss) * (generator.random(30) < 0.7)
    p = q * np.exp(loss)
    alpha, power = (np.concatenate(([0.0], np.cumsum(mass))) / (1.01 * np.sum(p)) for mass in (q, p))
    more, less = np.sort(generator.random((2, 31)) * noise) * generator.random((2, 1))
    polygon = tangents(Half(np.clip(alpha - less, 0.0, 1.0), power + more), step)
    outer = np.minimum.accumulate(polygon.alpha[::-1])[::-1], np.maximum.accumulate(polygon.power)
    inside = np.union1d(alpha, np.linspace(0.0, alpha[-1], 500))
    inside = inside[inside <= outer[0][-1]]
    assert np.all(np.interp(inside, *outer) >= np.interp(inside, alpha, power) - 1e-15)


def test_a_capped_polygon_lies_below_its_cap_and_nowhere_else_lower():
    alpha, power, inside = np.array([0.0, 0.01, 0.1, 0.3]), np.array([0.2, 0.4, 0.6, 0.82]), np.linspace(0.0, 0.3, 200)
    cut = capped(Half(alpha, power), 0.45, 1.0)
    reached = inside <= cut.alpha[-1]
    expected = np.minimum(np.interp(inside, alpha, power), 0.45 + inside)
    assert np.interp(inside, *cut)[reached] == pytest.approx(expected[reached], rel=1e-14)


def exact(loss: NormalLoss, z: complex, present: bool):
    """E[e^{z loss}] by another quadrature, in 25 digits."""
    with mpmath.workdps(25):
        s, p = mpmath.mpf(loss.scale), mpmath.mpf(loss.rate)

        def value(x):
            return mpmath.npdf(x, 0, s) * mpmath.exp(
                (z + present) * mpmath.log(1 - p + p * mpmath.exp((x - 0.5) / s**2))
            )

        return mpmath.quad(
            value, [*(s * k for k in range(-12, 0, 3)), 0, 0.5, 1, *(1 + s * k for k in range(3, 15, 3))]
        )


@pytest.mark.parametrize("loss", [NormalLoss(1.0, 0.01), NormalLoss(0.3, 0.2)], ids=str)
def test_quadrature_spectrum_bounds_and_moments_of_the_normal_loss(loss):
    nodes, found = loss.nodes(60.0), smooth_sums([(loss, 1000)])
    rounding = 2.0**-53 * len(nodes.loss)
    for mass, present in ((nodes.q, False), (nodes.p, True)):
        value = complex(np.exp(7j * nodes.loss) @ mass)
        assert abs(value - complex(exact(loss, 7j, present))) <= nodes.error + rounding * 8.0
        assert np.sum(mass) == pytest.approx(1.0, abs=rounding)
    for total, sign, present in zip(found or (), (-1.0, 1.0), (True, False), strict=False):
        truth = exact(loss, sign * 14j * np.pi / total.period, present) ** 1000
        assert abs(complex(truth - complex(total.spectrum[7]))) <= total.error[7] < 1e-11
    for exponent, bound in zip((-20.0, -0.3, 3.0), loss.log_moments(np.array([-20.0, -0.3, 3.0])), strict=True):
        truth = float(mpmath.log(exact(loss, exponent, False).real))
        assert truth <= bound <= truth + 1e-9 + 1e-3 * abs(truth) or np.isinf(bound)
    frequency = np.geomspace(0.05, 120.0, 24)
    bounds, nodes = loss.fading(frequency), loss.nodes(2.0 * frequency[-1])
    for bound, mass in ((bounds.p, nodes.p), (bounds.q, nodes.q)):
        for t in (frequency, np.append(np.sqrt(frequency[1:] * frequency[:-1]), 1.9 * frequency[-1])):
            size = np.abs(np.exp(1j * np.multiply.outer(t, nodes.loss)) @ mass)
            assert np.all(size <= bound + 1e-12)
            assert np.all(np.log(size + 1e-300) + np.log(t) <= bounds.log_variation)


@pytest.mark.parametrize("steps", [(NormalLoss(1.0, 0.01), 1000), (NormalLoss(10.5, 0.08), 1000)], ids=str)
def test_smooth_masses_do_not_depend_on_how_they_are_cut(steps):
    totals = smooth_sums([steps])
    assert totals is not None
    for total in totals:
        for level in (0.0, 1.3):
            fine, coarse = total.upper_tail(8192, level), total.upper_tail(1024, level)
            for one, other in ((fine.p, coarse.p), (fine.q, coarse.q)):
                sums = [np.cumsum(blocks.mass[::-1])[::-1] for blocks in (one, other)]
                shared = min(len(sums[0][::8]), len(sums[1]))
                scale = one.tail[::8][:shared] / one.tail[0]
                allowed = 2.0 * (one.tail[0] + np.hypot.reduce(one.noise)) * scale + 1e-12 * sums[1][:shared]
                assert np.all(np.abs(sums[0][::8][:shared] - sums[1][:shared]) <= allowed)
            assert float(np.sum(fine.law)) == pytest.approx(1.0, abs=1e-11)
        assert not np.any(total.upper_tail(8192, 50.0).p.mass)


RELEASES = [
    Gaussian(1.0, 0.01, 1000),
    Composition((Gaussian(1.0, 0.01, 500), Gaussian(2.0, 0.05, 200))),
    Gaussian(3.0, 0.9, 300),
]


@pytest.mark.parametrize("release", RELEASES, ids=str)
def test_brackets_without_a_lattice_meet_those_with_one(release, monkeypatch):
    alpha, precision = alpha_grid(200), Precision(width=1e-4)
    assert smooth_sums([(pair.smooth_loss, steps) for pair, steps in release.pairs]) is not None

    def asked():
        forget()
        return [release.trade_off(alpha, order, precision) for order in Order], release.epsilon(1e-7, 1e-4)

    (curves, epsilon), _ = asked(), monkeypatch.setattr(lattices, "smooth_sums", lambda losses: None)
    others, other = asked()
    forget()
    for mine, theirs in zip(curves, others, strict=True):
        for one, two in ((mine, theirs), (theirs, mine)):
            assert np.all(one.lower.beta <= two.upper.beta + 1e-15)
            assert np.all(one.lower.power >= two.upper.power * (1.0 - 1e-12) - 1e-15)
    assert max(epsilon.lower, other.lower) <= min(epsilon.upper, other.upper)
    assert epsilon.width <= max(1e-4, other.width)


ONCE = [kind(noise, rate) for kind in (Gaussian, Laplace) for noise in (0.01, 20.0) for rate in (1e-3, 1.0)]


@pytest.mark.parametrize("release", [Gaussian(0.05, 1.0, 1000), *ONCE], ids=str)
@pytest.mark.parametrize("delta", [0.1, 1e-12])
def test_moments_alone_bracket_epsilon(release, delta):
    truth, found = release.closed_form.epsilon(delta), epsilon_reach(release.pairs, delta)
    assert found.lower <= truth * (1.0 + 1e-12)
    assert truth <= found.upper * (1.0 + 1e-12) <= found.top * (1.0 + 2e-12)
    assert release.closed_form.delta(found.top) <= 1e-8 * delta


REPLACE = Adjacency.REPLACE_ONE
FAR = [
    (Gaussian(0.0032, 0.067, 52794), 4.3e-10),
    (Gaussian(0.012, 5.2e-5, 2, REPLACE), 9.6e-5),
    (Gaussian(0.0082, 2.48e-6, 392, REPLACE, Sampling.FIXED_SIZE), 4.3e-7),
]


@pytest.mark.parametrize(("release", "delta"), FAR, ids=str)
def test_little_noise_has_two_finite_limits_without_any_lattice(release, delta):
    found = certify_number(release.pairs, EpsilonAt(delta), 1e-4)
    assert 700.0 < found.lower <= found.upper < np.inf


@pytest.mark.parametrize("delta", [1e-9, 1e-13])
def test_numbers_bracket_the_closed_form_far_out(delta):
    release = Gaussian(np.sqrt(10.0) / 3.0, 1.0, 10)
    exact = release.closed_form
    assert exact is not None
    found, truth = certify_number(release.pairs, EpsilonAt(delta), 1e-5), exact.epsilon(delta)
    assert found.lower <= truth * (1.0 + 1e-12) <= found.upper * (1.0 + 2e-12)
    assert found.width <= 1e-4
    alpha = np.array([1e-13, 1e-10])
    safe, _, reached = release.certified(Precision(smallest_alpha=1e-13)).trade_off(alpha, Order.ADD)
    exact_power = exact.trade_off(alpha, Order.ADD).power
    assert np.all((reached.power <= exact_power * (1 + 1e-9)) & (exact_power <= safe.power * (1 + 1e-9)))
    assert np.all(safe.power - reached.power <= 1.1e-3 * exact_power)


@pytest.mark.parametrize("release", [Gaussian(0.2355, 8.87e-6, 221)], ids=str)
def test_rare_records_lie_between_guessing_and_the_chance_to_take_part(release):
    alpha = alpha_grid(60, 1e-9)
    safe, _, reached = release.certified(Precision(width=1e-4, relative=5e-3)).trade_off(alpha, Order.ADD)
    assert np.all(safe.power <= (alpha + release.participation) * (1.0 + 1e-6))
    assert np.all((reached.power >= alpha * (1.0 - 1e-12)) & (reached.power <= safe.power * (1.0 + 1e-12)))
    assert release.epsilon(release.participation * 1.1).upper == 0.0


@pytest.mark.parametrize("mu", [0.01, 1.0, 5.0, 30.0])
def test_folded_laws_keep_their_digits_and_are_their_own_inverse(mu):
    """Normal against 40 digits; logistic with losses inverted, its orders beside an envelope; distance with d = 1."""
    z = np.sort(np.concatenate((np.geomspace(1e-12, 0.5, 6), np.array([0.9, 1.001, 2.0]) / (1.0 + mu), [3.0])))[::-1]
    with mpmath.workdps(40):
        rest = [float(mpmath.erf(mpmath.mpf(each) / mpmath.sqrt(2))) for each in z]
        cuts = [mpmath.sqrt(2) * mpmath.erfinv(mpmath.mpf(each)) for each in rest]
        within = [mpmath.ncdf(each - mu) - mpmath.ncdf(-each - mu) for each in cuts]
        beta, power = ([float(each) for each in side] for side in (within, [1 - each for each in within]))
        alpha = np.array([float(1 - mpmath.mpf(each)) for each in rest])
    for once in (FoldedNormal(mu), FoldedDistance(mu, 1.0)):
        found = once.errors(alpha, np.array(rest))
        loose = 1e-10 if isinstance(once, FoldedNormal) else 1e-7
        np.testing.assert_allclose(found.power, power, rtol=loose)
        np.testing.assert_allclose(found.beta, beta, rtol=loose)
    for law in (FoldedNormal(mu), FoldedLogistic(mu), FoldedDistance(mu, 2.0), FoldedDistance(mu, 50.0)):
        grid = np.array([1e-6, 0.01, 0.2, 0.5, 0.9])
        for rate in (1.0, 0.3):
            errors = law.sampled_errors(grid, 1.0 - grid, rate)
            kept = (errors.beta > 1e-9) & (errors.beta < 1 - 1e-6)
            if np.any(kept):
                inverse = law.sampled_inverse(errors.beta[kept], errors.power[kept], rate)
                np.testing.assert_allclose(inverse.beta, grid[kept], rtol=1e-6)
        best = law.errors(np.array([law.balanced]), np.array([1.0 - law.balanced])).power[0] - law.balanced
        assert best >= np.max(law.errors(grid, 1.0 - grid).power - grid) - 1e-9
    noise, points = LogisticNoise(1.0 / mu), np.linspace(0.0, 1.0 + 8.0 / mu, 301)
    loss = np.logaddexp(noise.shift_loss(points), noise.shift_loss(-points)) - np.log(2.0)
    back = noise.folded_position(loss)
    again = np.logaddexp(noise.shift_loss(back), noise.shift_loss(-back)) - np.log(2.0)
    np.testing.assert_allclose(again, loss, rtol=0.0, atol=1e-15 * (10.0 + mu))
    grid, folded = alpha_grid(51, 1e-9), FoldedOnce(FoldedLogistic(mu))
    general = envelope(lambda x: folded.trade_off(x, Order.ADD), lambda x: folded.trade_off(x, Order.REMOVE), grid)
    np.testing.assert_allclose(folded.trade_off(grid, Order.SYMMETRIC).beta, general.beta, rtol=1e-9, atol=1e-12)
