"""Sums of many steps: rounding, windows, blocks and tangents of the certified engine, each against what it must be.

Rounding is measured against the same sums in long double where that is longer; where it is not, both agree exactly.
"""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numerics.mechanisms import Gaussian, Laplace
from numerics.privacy_loss.additive_noise import GaussianNoise, LaplaceNoise
from numerics.privacy_loss.composition import WINDOW_TAIL, Layout, Steps, upper_tail, window
from numerics.privacy_loss.dominating_pairs import SampledPair
from numerics.privacy_loss.lattice import connect_the_dots, rounded
from numerics.privacy_loss.vertices import Half, tangents
from numerics.privacy_loss.window_plan import plan
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


def laws(phases, points: int, build) -> tuple[Steps, Layout]:
    """Single-step laws whose sum takes some ``points``, and a layout for it."""
    scheme = plan(phases)
    step = (min(scheme.highest, 40.0) - max(scheme.lowest, -40.0)) / points
    steps = []
    for pair, count in phases:
        low, high = np.clip(pair.loss_range(1e-17 / count), -60.0, 60.0)
        steps.append((build(pair, step, int(np.floor(low / step)), max(int(np.ceil(high / step)), 1)), count))
    return steps, Layout(scheme.tilts_present, 2**21, coarsest=0.0)


@pytest.mark.parametrize("build", [connect_the_dots, rounded])
@pytest.mark.parametrize("phases", SUMS, ids=str)
@pytest.mark.parametrize("points", [500, 200_000])
def test_the_rounding_of_sums_is_within_its_allowance(phases, points, build):
    steps, layout = laws(phases, points, build)
    plain, long = upper_tail(steps, layout), upper_tail(steps, layout._replace(extended=True))
    assert plain.first == long.first
    # A bound that is nearly reached here would be passed by longer sums.
    assert np.linalg.norm(plain.p - long.p) <= 0.5 * plain.p_noise + long.p_noise
    grown = np.exp(plain.step * (np.arange(len(plain.q)) + 1.0))
    kept = plain.step * np.arange(len(plain.q)) < 300.0
    assert np.linalg.norm(((plain.q - long.q) * grown)[kept]) <= 0.5 * plain.q_noise + long.q_noise
    assert plain.p_noise < 1e-9


SHORT_SUMS = [SUMS[0], SUMS[1], SUMS[6], SUMS[7], ((SampledPair(GaussianNoise(2.0), 0.1), 20), *SUMS[1])]


@pytest.mark.parametrize("build", [connect_the_dots, rounded])
@pytest.mark.parametrize("phases", SHORT_SUMS, ids=str)
def test_windows_hold_the_mass(phases, build):
    """Against sums convolved without any window, whose terms are positive: tails keep their digits."""
    steps, layout = laws(phases, 150, build)
    for turned in (steps, [(law.mirrored(), count) for law, count in steps]):
        raised = [np.where(law.q > 0.0, law.q * np.exp(law.loss), 0.0) for law, _ in turned]
        first = sum(law.first * count for law, count in turned)
        sums = [convolved(turned, [law.p for law, _ in turned]), convolved(turned, raised)]
        for tilts in (layout.tilts, layout.tilts[::-1], (0.3, 3.0)):
            low, high = window(turned, raised, layout._replace(tilts=tilts))
            for mass in sums:
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
@pytest.mark.parametrize("extended", [False, True])
@pytest.mark.parametrize("phases", SHORT_SUMS, ids=str)
def test_sums_equal_plain_convolutions(phases, extended, build):
    """The transform in long double as well, up to the rounding of its result to double."""
    steps, layout = laws(phases, 150, build)
    tail = upper_tail(steps, layout._replace(extended=extended))
    whole = convolved(steps, [law.p.astype(np.longdouble) for law, _ in steps])
    above = whole[1 - sum(law.first * count for law, count in steps) :][: len(tail.p)]
    error = np.linalg.norm((tail.p[: len(above)] - above).astype(np.float64))
    assert error <= tail.p_noise + 2.0**-53 * np.linalg.norm(tail.p)


@pytest.mark.parametrize("build", [connect_the_dots, rounded])
@pytest.mark.parametrize("phases", SUMS, ids=str)
def test_reading_in_blocks_is_adding_up(phases, build):
    steps, layout = laws(phases, 20_000, build)
    single, blocks = upper_tail(steps, layout), upper_tail(steps, layout._replace(coarsest=np.inf))
    noise = single.p_noise + blocks.p_noise, single.q_noise + blocks.q_noise
    for j in (0, 1, len(blocks.p) // 3, len(blocks.p) // 2):
        rows = slice(j * blocks.block, (j + 1) * blocks.block)
        assert blocks.p[j] == pytest.approx(np.sum(single.p[rows]), abs=noise[0] * blocks.block)
        assert blocks.q[j] == pytest.approx(np.sum(single.q[rows]), abs=noise[1] * blocks.block)


def test_some_sums_are_read_in_blocks():
    """Or the test above would say nothing."""
    steps, layout = laws(SUMS[3], 20_000, rounded)
    assert upper_tail(steps, layout._replace(coarsest=np.inf)).block > 8


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
            alphas.append(tail.certain + float(np.sum(tail.p)) - float(np.sum(tail.q)))
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
