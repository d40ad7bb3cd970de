"""Sums of many steps inside the certified engine, each against what it must be.

Lattices are added by transforms, which are measured against plain convolutions and against transforms that are tilted
otherwise; sums without a lattice by quadratures, which are measured in 25 digits and against the lattices.
"""

from dataclasses import replace
from itertools import pairwise

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.mechanisms import Composition, Gaussian, Laplace
from numerics.privacy_loss import Precision
from numerics.trade_off import Order, alpha_grid
from tests.numerics import engine_adapter as engine
from tests.numerics.oracle import convolved
from tests.strategies import log_uniform

BUILDS = [engine.connect_the_dots, engine.rounded]
SUMS = [
    ((engine.SampledPair(engine.LaplaceNoise(0.5), 0.2), 40),),
    ((engine.SampledPair(engine.GaussianNoise(1.0), 0.01), 1000),),
    ((engine.SampledPair(engine.GaussianNoise(50.0), 1.0), 2500),),
    ((engine.SampledPair(engine.GaussianNoise(0.8), 0.3, True), 3),),
    ((engine.SampledPair(engine.GaussianNoise(2.0), 0.1), 50), (engine.SampledPair(engine.LaplaceNoise(1.0), 0.1), 30)),
    ((engine.SampledPair(engine.LaplaceNoise(1.0), 1.0), 5),),
]


def laws(phases, points, build):
    """Single-step laws whose sum takes some ``points``, and a layout for it: untilted, and two tilts far apart."""
    scheme = engine.plan(phases)
    step = (min(scheme.highest, 40.0) - max(scheme.lowest, -40.0)) / points
    steps = []
    for pair, count in phases:
        low, high = np.clip(pair.loss_range(1e-17 / count), -60.0, 60.0)
        steps.append((build(pair, step, int(np.floor(low / step)), max(int(np.ceil(high / step)), 1)), count))
    return steps, engine.SumLayout(
        engine.tilts(scheme.present, scheme.variance, (0.0, 45.0), 18.0), 2**21, coarsest=0.0
    )


def apart(layout):
    """The same with the untilted transform alone, and with each tilted one alone."""
    return [layout._replace(tilts=(tilt,)) for tilt in layout.tilts]


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("phases", [SUMS[0], SUMS[3], SUMS[4], SUMS[5]], ids=str)
def test_sums_equal_plain_convolutions_and_windows_hold_them(phases, build):
    steps, layout = laws(phases, 150, build)
    begin = 1 - sum(law.first * count for law, count in steps)
    whole = convolved([(law.p, count) for law, count in steps])[begin:]
    for one in (*apart(layout), layout):
        tail = engine.upper_tail(steps, one)
        above = np.pad(whole, (0, max(len(tail.p.mass) - len(whole), 0)))[: len(tail.p.mass)]
        error = np.abs(np.cumsum(tail.p.mass[::-1]) - np.cumsum(above[::-1]))
        allowed = tail.p.tail[::-1] + np.sqrt(np.cumsum(tail.p.noise[::-1] ** 2))
        assert np.all(error <= allowed + 2.0**-52 * tail.roundings * np.cumsum(above[::-1]))
    for turned in (steps, [(law.mirrored(), count) for law, count in steps]):
        first = sum(law.first * count for law, count in turned)
        for exponent in (0.0, 0.7):
            masses = [engine.Masses(law.p, law, count).tilted(exponent)[0] for law, count in turned]
            mass = convolved([(one.mass, one.steps) for one in masses])
            for reach in (layout.tilts[0].reach, layout.tilts[0].reach[::-1], (0.3, 3.0)):
                low, high = engine.window(masses, reach)
                outside = np.sum(mass[: max(low - first, 0)]) + np.sum(mass[max(high + 1 - first, 0) :])
                assert outside <= 2.0 * engine.WINDOW_TAIL


@pytest.mark.parametrize("phases", SUMS, ids=str)
def test_tilts_and_blocks_agree_within_their_allowances(phases):
    """Tilts share neither rounding nor windows, so what one gets wrong the other does not."""
    steps, layout = laws(phases, 20_000, engine.rounded)
    plain, tilted = (engine.upper_tail(steps, one) for one in apart(layout)[:: max(len(layout.tilts) - 1, 1)])
    m = min(len(plain.p.mass), len(tilted.p.mass))
    for one, other in ((plain.p, tilted.p), (plain.q, tilted.q)):
        sums = [np.cumsum(blocks.mass[:m][::-1]) for blocks in (one, other)]
        allowed = sum(b.tail[:m][::-1] + np.sqrt(np.cumsum(b.noise[:m][::-1] ** 2)) for b in (one, other))
        relative = 2.0**-52 * (plain.roundings + tilted.roundings)
        assert np.all(np.abs(sums[0] - sums[1]) <= allowed + relative * np.maximum(*sums))
    assert np.sqrt(np.sum(plain.p.noise**2)) < 1e-8
    single, blocks = engine.upper_tail(steps, layout), engine.upper_tail(steps, layout._replace(coarsest=np.inf))
    for few, many in ((blocks.p, single.p), (blocks.q, single.q)):
        for j in (0, 1, len(few.mass) // 2):
            rows = slice(j * blocks.block, (j + 1) * blocks.block)
            noise = few.noise[j] + np.sum(many.noise[rows]) + few.tail[j] + many.tail[rows][0]
            assert few.mass[j] == pytest.approx(np.sum(many.mass[rows]), abs=noise, rel=1e-9)
    rare = replace(single, q=engine.Blocks(*(1e-200 * values for values in single.q)))  # squares would underflow
    for guarantee in (True, False):
        rarest, usual = engine.half(rare, guarantee).alpha, 1e-200 * engine.half(single, guarantee).alpha
        np.testing.assert_allclose(rarest, usual, rtol=1e-12, atol=2e-300)  # below it stands for 0


@pytest.mark.parametrize("mechanism", [Gaussian(1.0, 0.1, 50), Laplace(2.0, 0.3, 20)], ids=str)
def test_width_shrinks_like_the_square_of_the_step(mechanism):
    """Both sides err by second order: halving the step quarters the width, within the unevenness of a lattice."""
    widths = []
    for points in (500, 1000, 2000, 4000):
        tails = [engine.upper_tail(*laws(mechanism.pairs, points, build)) for build in BUILDS]
        safe, reached = (tail.certain + float(np.sum(tail.p.mass) - np.sum(tail.q.mass)) for tail in tails)
        widths.append(safe - reached)
    assert all(2.5 < before / after < 6.5 for before, after in pairwise(widths))


@settings(max_examples=60)
@given(seed=st.integers(0, 10**6), noise=log_uniform(1e-13, 1e-3))
def test_tangents_stay_above_the_curve_however_its_corners_are_moved(seed, noise):
    """Corners moved outwards by uneven errors, as rounding does: the polygon still lies above the true curve."""
    generator = np.random.default_rng(seed)
    step, loss = 0.1, 0.1 * np.arange(30, 0, -1)
    q = generator.exponential(size=30) * np.exp(-0.3 * loss**2 - loss) * (generator.random(30) < 0.7)
    p = q * np.exp(loss)
    alpha, power = (np.concatenate(([0.0], np.cumsum(mass))) / (1.01 * np.sum(p)) for mass in (q, p))
    more, less = np.sort(generator.random((2, 31)) * noise) * generator.random((2, 1))
    polygon = engine.tangents(engine.Half(np.clip(alpha - less, 0.0, 1.0), power + more), step)
    outer = np.minimum.accumulate(polygon.alpha[::-1])[::-1], np.maximum.accumulate(polygon.power)
    inside = np.union1d(alpha, np.linspace(0.0, alpha[-1], 500))
    inside = inside[inside <= outer[0][-1]]
    assert np.all(np.interp(inside, *outer) >= np.interp(inside, alpha, power) - 1e-15)


def test_a_capped_polygon_lies_below_its_cap_and_nowhere_else_lower():
    alpha, power, inside = np.array([0.0, 0.01, 0.1, 0.3]), np.array([0.2, 0.4, 0.6, 0.82]), np.linspace(0.0, 0.3, 200)
    cut = engine.capped(engine.Half(alpha, power), 0.45, 1.0)
    reached = inside <= cut.alpha[-1]
    expected = np.minimum(np.interp(inside, alpha, power), 0.45 + inside)
    assert np.interp(inside, *cut)[reached] == pytest.approx(expected[reached], rel=1e-14)
    assert np.all(engine.capped(engine.Half(alpha, power), 0.6, 1.0).power == power)


def exact(loss: engine.NormalLoss, z: complex, present: bool):
    """E[e^{z loss}] by another quadrature, in 25 digits."""
    with mpmath.workdps(25):
        s, p = mpmath.mpf(loss.scale), mpmath.mpf(loss.rate)

        def value(x):
            ratio = 1 - p + p * mpmath.exp((x - 0.5) / s**2)
            return mpmath.npdf(x, 0, s) * mpmath.exp((z + present) * mpmath.log(ratio))

        ends = [*(s * k for k in range(-12, 0, 3)), 0, 0.5, 1, *(1 + s * k for k in range(3, 15, 3))]
        return mpmath.quad(value, ends)


@pytest.mark.parametrize("loss", [engine.NormalLoss(1.0, 0.01), engine.NormalLoss(0.3, 0.2)], ids=str)
def test_quadrature_spectrum_bounds_and_moments_of_the_normal_loss(loss):
    nodes, found = loss.nodes(60.0), engine.smooth_sums([(loss, 1000)])
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
        assert np.all(bound <= 1.0 + 1e-12)
        for t in (frequency, np.append(np.sqrt(frequency[1:] * frequency[:-1]), 1.9 * frequency[-1])):
            size = np.abs(np.exp(1j * np.multiply.outer(t, nodes.loss)) @ mass)
            assert np.all(size <= bound + 1e-12)
            assert np.all(np.log(size + 1e-300) + np.log(t) <= bounds.log_variation)


def test_a_characteristic_function_that_is_0_somewhere_is_known_to_be_small_there():
    """Its logarithm was infinite there, and the bracket no number."""
    sides = np.array([0.5, 0.5])
    two, t = (
        engine.Nodes(np.array([-1.0, 1.0]), sides, sides, 1e-19, 1e-16, 1e-16),
        0.25 * np.pi * np.arange(4.0),
    )  # cos t
    logs, errors = engine.log_characteristic([two], [3], t)
    for log, error in zip(logs, errors, strict=True):
        size = np.exp(log.real)
        assert np.all(np.isfinite(log) & np.isfinite(error))
        assert np.all(np.abs(np.exp(log) - np.cos(t) ** 3) <= size * np.expm1(error))
        assert size[2] * np.exp(error[2]) < 1e-15


SMOOTH = [
    Gaussian(1.0, 0.01, 1000),
    Composition((Gaussian(1.0, 0.01, 500), Gaussian(2.0, 0.05, 200))),
    Gaussian(3.0, 0.9, 300),
]


@pytest.mark.parametrize("release", SMOOTH, ids=str)
def test_brackets_without_a_lattice_meet_those_with_one(release, monkeypatch):
    """No guarantee of either lies above an attack of the other, in any order and at any rate."""
    alpha, precision = alpha_grid(200), Precision(width=1e-4)
    assert engine.smooth_sums([(pair.smooth_loss, steps) for pair, steps in release.pairs]) is not None

    def asked():
        engine.forget()
        return [release.trade_off(alpha, order, precision) for order in Order], release.epsilon(1e-7, 1e-4)

    (curves, epsilon), _ = asked(), monkeypatch.setattr(engine.lattices, "smooth_sums", lambda losses: None)
    others, other = asked()
    engine.forget()
    for mine, theirs in zip(curves, others, strict=True):
        for one, two in ((mine, theirs), (theirs, mine)):
            assert np.all(one.lower.beta <= two.upper.beta + 1e-15)
            assert np.all(one.lower.power >= two.upper.power * (1.0 - 1e-12) - 1e-15)
    assert max(epsilon.lower, other.lower) <= min(epsilon.upper, other.upper)
    assert epsilon.width <= max(1e-4, other.width)
