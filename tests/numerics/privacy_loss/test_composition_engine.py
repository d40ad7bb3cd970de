"""Sums of many steps: rounding, windows, blocks and tangents of the certified engine, each against what it must be.

Rounding is measured against plain convolutions and against transforms that are tilted otherwise.
"""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numerics.mechanisms import Gaussian, Laplace
from numerics.mechanisms.gaussian import GaussianNoise
from numerics.mechanisms.laplace import LaplaceNoise
from numerics.privacy_loss.composition import Blocks, Steps, SumLayout, upper_tail
from numerics.privacy_loss.lattice import connect_the_dots, rounded
from numerics.privacy_loss.transform import WINDOW_TAIL, Masses, window
from numerics.privacy_loss.vertices import Half, capped, half, tangents
from numerics.privacy_loss.window_plan import plan, tilts
from numerics.sampling.poisson import SampledPair
from tests.strategies import log_uniform

SUMS = [
    ((SampledPair(LaplaceNoise(1.0), 1.0), 5),),
    ((SampledPair(LaplaceNoise(0.5), 0.2), 40),),
    ((SampledPair(GaussianNoise(1.0), 0.01), 1000),),
    ((SampledPair(GaussianNoise(50.0), 1.0), 2500),),
    ((SampledPair(GaussianNoise(5.0), 0.5), 200),),
    ((SampledPair(GaussianNoise(300.0), 1.0), 100_000),),
    ((SampledPair(GaussianNoise(0.8), 0.3, True), 3),),
    ((SampledPair(LaplaceNoise(2.0), 0.5, True), 20),),
    ((SampledPair(GaussianNoise(2.0), 0.1), 50), (SampledPair(LaplaceNoise(1.0), 0.1), 30)),
]


def laws(phases, points: int, build) -> tuple[Steps, SumLayout]:
    """Single-step laws whose sum takes some ``points``, and a layout for it: untilted, and two tilts far apart."""
    scheme = plan(phases)
    step = (min(scheme.highest, 40.0) - max(scheme.lowest, -40.0)) / points
    steps = []
    for pair, count in phases:
        low, high = np.clip(pair.loss_range(1e-17 / count), -60.0, 60.0)
        steps.append((build(pair, step, int(np.floor(low / step)), max(int(np.ceil(high / step)), 1)), count))
    return steps, SumLayout(tilts(scheme.present, scheme.variance, (0.0, 45.0), 18.0), 2**21, coarsest=0.0)


def apart(layout: SumLayout) -> list[SumLayout]:
    """The same with the untilted transform alone, and with each tilted one alone."""
    return [layout._replace(tilts=(tilt,)) for tilt in layout.tilts]


@pytest.mark.parametrize("build", [connect_the_dots, rounded])
@pytest.mark.parametrize("phases", SUMS, ids=str)
@pytest.mark.parametrize("points", [500, 100_000])
def test_transforms_tilted_differently_agree_within_their_allowances(phases, points, build):
    """They share neither their rounding nor their windows, so what one gets wrong the other does not."""
    steps, layout = laws(phases, points, build)
    plain, tilted = (upper_tail(steps, one) for one in apart(layout)[:: max(len(layout.tilts) - 1, 1)])
    m = min(len(plain.p.mass), len(tilted.p.mass))
    for one, other in ((plain.p, tilted.p), (plain.q, tilted.q)):
        sums = [np.cumsum(blocks.mass[:m][::-1]) for blocks in (one, other)]
        allowed = [blocks.tail[:m][::-1] + np.sqrt(np.cumsum(blocks.noise[:m][::-1] ** 2)) for blocks in (one, other)]
        relative = 2.0**-52 * (plain.roundings + tilted.roundings)
        assert np.all(np.abs(sums[0] - sums[1]) <= allowed[0] + allowed[1] + relative * np.maximum(*sums))
    assert np.sqrt(np.sum(plain.p.noise**2)) < 1e-8


def test_the_allowance_for_rounding_is_as_large_a_share_of_the_rarest_rates():
    """Its squares would underflow there, and nothing be allowed at all."""
    tail = upper_tail(*laws(SUMS[4], 500, rounded))
    rare = replace(tail, q=Blocks(*(1e-200 * values for values in tail.q)))
    assert np.any(tail.q.noise > 0.0)
    for guarantee in (True, False):
        np.testing.assert_allclose(half(rare, guarantee).alpha, 1e-200 * half(tail, guarantee).alpha, rtol=1e-12)


SHORT_SUMS = [SUMS[0], SUMS[1], SUMS[6], SUMS[7], ((SampledPair(GaussianNoise(2.0), 0.1), 20), *SUMS[1])]


@pytest.mark.parametrize("build", [connect_the_dots, rounded])
@pytest.mark.parametrize("phases", SHORT_SUMS, ids=str)
def test_windows_hold_the_mass(phases, build):
    """Against sums convolved without any window, whose terms are positive: tails keep their digits."""
    steps, layout = laws(phases, 150, build)
    for turned in (steps, [(law.mirrored(), count) for law, count in steps]):
        first = sum(law.first * count for law, count in turned)
        for exponent in (0.0, 0.7):
            masses = [Masses(law.p, law, count).tilted(exponent)[0] for law, count in turned]
            mass = convolved([(one.law, one.steps) for one in masses], [one.mass for one in masses])
            for reach in (layout.tilts[0].reach, layout.tilts[0].reach[::-1], (0.3, 3.0)):
                low, high = window(masses, reach)
                outside = np.sum(mass[: max(low - first, 0)]) + np.sum(mass[max(high + 1 - first, 0) :])
                assert outside <= 2.0 * WINDOW_TAIL


def convolved(steps: Steps, masses: list[np.ndarray]) -> np.ndarray:
    """Law of the sum, by repeated squaring of plain convolutions."""
    total = np.ones(1, masses[0].dtype)
    for (_, count), mass in zip(steps, masses, strict=True):
        square, left = mass, count
        while left:
            total = np.convolve(total, square) if left & 1 else total
            left >>= 1
            square = np.convolve(square, square) if left else square
    return total


@pytest.mark.parametrize("build", [connect_the_dots, rounded])
@pytest.mark.parametrize("phases", SHORT_SUMS, ids=str)
def test_sums_equal_plain_convolutions(phases, build):
    """Of positive terms, which keep the digits of every mass: each transform alone, and the best of all."""
    steps, layout = laws(phases, 150, build)
    begin = 1 - sum(law.first * count for law, count in steps)
    whole = convolved(steps, [law.p for law, _ in steps])[begin:]
    for one in (*apart(layout), layout):
        tail = upper_tail(steps, one)
        above = np.pad(whole, (0, max(len(tail.p.mass) - len(whole), 0)))[: len(tail.p.mass)]
        error = np.abs(np.cumsum(tail.p.mass[::-1]) - np.cumsum(above[::-1]))
        allowed = tail.p.tail[::-1] + np.sqrt(np.cumsum(tail.p.noise[::-1] ** 2))
        assert np.all(error <= allowed + 2.0**-52 * tail.roundings * np.cumsum(above[::-1]))


def test_a_tilted_transform_keeps_the_digits_of_a_far_tail():
    """A thousand steps of sampled Gaussian noise: mass of 1e-18 has digits there, and none in the untilted one."""
    steps, layout = laws(SUMS[2], 5_000, connect_the_dots)
    plain, tilted = (upper_tail(steps, one) for one in (apart(layout)[0], layout))
    place = int(np.searchsorted(-np.cumsum(tilted.p.mass[::-1])[::-1], -1e-18))
    for tail, resolved in ((plain, False), (tilted, True)):
        start = min(place, len(tail.p.mass) - 1)
        error = tail.p.tail[start] + np.sqrt(np.sum(tail.p.noise[start:] ** 2))
        assert bool(error < 1e-20) is resolved


@pytest.mark.parametrize("build", [connect_the_dots, rounded])
@pytest.mark.parametrize("phases", SUMS, ids=str)
def test_reading_in_blocks_is_adding_up(phases, build):
    steps, layout = laws(phases, 20_000, build)
    single, blocks = upper_tail(steps, layout), upper_tail(steps, layout._replace(coarsest=np.inf))
    for few, many in ((blocks.p, single.p), (blocks.q, single.q)):
        for j in (0, 1, len(few.mass) // 3, len(few.mass) // 2):
            rows = slice(j * blocks.block, (j + 1) * blocks.block)
            noise = few.noise[j] + np.sum(many.noise[rows]) + few.tail[j] + many.tail[rows][0]
            assert few.mass[j] == pytest.approx(np.sum(many.mass[rows]), abs=noise, rel=1e-9)


def test_some_sums_are_read_in_blocks():
    """Or the test above would say nothing."""
    steps, layout = laws(SUMS[3], 20_000, rounded)
    assert upper_tail(steps, layout._replace(coarsest=np.inf)).block > 8


def test_a_lattice_coarser_than_the_smallest_loss_is_shifted_onto_it():
    """Nearly all mass sits there: split between two points of the lattice it spreads."""
    mechanism = Gaussian(0.5, 1e-4, 100)
    ((pair, count),) = mechanism.pairs
    truth, step, found = mechanism.advantage(), 1e-3, []
    for offset in (pair.loss_range(1e-17)[0], 0.0, 0.3 * step):
        law = connect_the_dots(pair, step, -60, 9_000, offset)
        tail = upper_tail(
            [(law, count)], SumLayout(tilts(plan(mechanism.pairs).present, 1.0, (0.0, 45.0), 0.0), 2**21, 0.0)
        )
        assert law.loss[0] == pytest.approx(offset - 60 * step)
        assert 0.0 < tail.origin + step <= step * (1.0 + 1e-9)
        found.append(tail.certain + float(np.sum(tail.p.mass) - np.sum(tail.q.mass)))
    assert all(guaranteed >= truth.lower for guaranteed in found)
    assert found[0] - truth.estimate < 0.6 * (min(found[1:]) - truth.estimate)


WIDTHS = [Gaussian(1.0, 0.1, 50), Gaussian(2.0, 0.5, 30), Laplace(2.0, 0.3, 20)]


@pytest.mark.parametrize("mechanism", WIDTHS, ids=lambda mechanism: mechanism.label)
def test_width_shrinks_like_the_square_of_the_step(mechanism):
    """Both sides err by second order: halving the step quarters the width, within the unevenness of a lattice."""
    widths = []
    for points in (500, 1000, 2000, 4000):
        alphas = []
        for build in (connect_the_dots, rounded):
            steps, layout = laws(mechanism.pairs, points, build)
            tail = upper_tail(steps, layout)
            alphas.append(tail.certain + float(np.sum(tail.p.mass)) - float(np.sum(tail.q.mass)))
        widths.append(alphas[0] - alphas[1])
    ratios = [coarse / fine for coarse, fine in pairwise(widths)]
    assert all(2.5 < ratio < 6.5 for ratio in ratios), ratios


@given(seed=st.integers(0, 10**6), noise=log_uniform(1e-13, 1e-3))
def test_tangents_stay_above_the_curve_however_its_corners_are_moved(seed, noise):
    """Corners moved outwards by uneven errors, as rounding does: the polygon still lies above the true curve."""
    generator = np.random.default_rng(seed)
    step, loss = 0.1, 0.1 * np.arange(30, 0, -1)
    q = generator.exponential(size=30) * np.exp(-0.3 * loss**2 - loss) * (generator.random(30) < 0.7)
    p = q * np.exp(loss)
    alpha, power = (np.concatenate(([0.0], np.cumsum(mass))) / (1.01 * np.sum(p)) for mass in (q, p))
    more, less = np.sort(generator.random((2, 31)) * noise) * generator.random((2, 1))
    polygon = tangents(Half(np.clip(alpha - less, 0.0, 1.0), power + more), step)
    # As in ``corners``.
    outer = np.minimum.accumulate(polygon.alpha[::-1])[::-1], np.maximum.accumulate(polygon.power)
    inside = np.union1d(alpha, np.linspace(0.0, alpha[-1], 500))
    inside = inside[inside <= outer[0][-1]]
    assert np.all(np.interp(inside, *outer) >= np.interp(inside, alpha, power) - 1e-15)


def test_a_capped_polygon_lies_below_its_cap_and_nowhere_else_lower():
    alpha, power = np.array([0.0, 0.01, 0.1, 0.3]), np.array([0.2, 0.4, 0.6, 0.82])
    cut = capped(Half(alpha, power), 0.45, 1.0)
    inside = np.linspace(0.0, 0.3, 200)
    expected = np.minimum(np.interp(inside, alpha, power), 0.45 + inside)
    reached = inside <= cut.alpha[-1]
    assert np.interp(inside, *cut)[reached] == pytest.approx(expected[reached], rel=1e-14)
    assert np.all(capped(Half(alpha, power), 0.6, 1.0).power == power)
