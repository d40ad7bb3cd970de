"""The picture of a release at every noise of its slider: safe counts, advice that is kept, hills that agree."""

import re
from itertools import cycle, pairwise

import numpy as np
import pytest

from numerics.calibration import PowerTarget
from numerics.mechanisms import MECHANISMS, Adjacency, Composition, Gaussian, Laplace, Mechanism, Sampling
from numerics.privacy_loss import Precision
from numerics.trade_off import Order
from pages.ui import cached, noise_levels, people_scene
from pages.ui.noise_levels import at_noise, unit
from pages.ui.release_in_force import ReleaseChoice
from pages.ui.remedies import advised
from people_view import HEIGHT, PLACES, Hill
from plotting.evidence import PIXELS

PIXEL = PLACES / PIXELS
FINE = Precision(width=1e-6, relative=1e-4, smallest_alpha=1e-4)
ROUNDED = 2e-4  # of a share: whole heights and places, and what either end of a law leaves out
TWO_PHASES = Composition((Gaussian(1.0, 0.01, 500), Gaussian(2.0, 0.05, 100)))
RELEASES: list[Mechanism] = [
    *(kind(1.0, 0.01, 1000) if kind.is_sampled else kind(10.0, steps=20) for kind in MECHANISMS),
    Gaussian(1.0, 0.01, 300, Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE),
    Laplace(2.0, 0.02, 200, Adjacency.REPLACE_ONE),
    TWO_PHASES,
    Composition(tuple(Gaussian(noise, 0.01, 300) for noise in (0.3, 0.3, 0.3, 0.3, 0.7))),
]
OF_PHASES = [
    Composition(tuple(kind(noise, *((0.01, 300) if kind.is_sampled else (1.0, 2))) for noise in (1.0, 0.3)))
    for kind in MECHANISMS
]


# All kinds, and five phases, at night.
@pytest.mark.parametrize(
    ("release", "order"),
    [
        pytest.param(one, order, marks=[pytest.mark.nightly] if place % 4 and one is not TWO_PHASES else [])
        for place, (one, order) in enumerate(zip(RELEASES, cycle(Order)))
    ],
    ids=str,
)
def test_counts_are_upper_ends_that_fall_with_the_noise_and_the_advice_is_kept(
    release: Mechanism, order: Order
) -> None:
    asked = ReleaseChoice(release, 1e-3, order, 1e-5, 2e-3)
    advice = advised(asked)
    assert isinstance(advice, float)
    first = noise_levels.levels(asked, advice)
    rest = noise_levels.completed(asked, [level.noise for level in first if level.found is None])
    found = {one.noise: one.found for one in [*first, *rest] if one.found is not None}
    assert len(found) == len(first) > 20
    assert all(found[more] <= found[less] for less, more in pairwise(sorted(found)))
    for noise in list(found)[::8]:
        assert found[noise] >= at_noise(release, noise).power(1e-3, order, FINE).lower * (1.0 - 1e-12)
    for noise in (release.noise_multiplier, advice):
        assert found[noise] == cached.power(at_noise(release, noise), 1e-3, order).upper
    assert found[advice] <= asked.limit
    solved = cached.noise_for(PowerTarget(asked.limit, asked.alpha, order), release.with_noise(1.0))
    assert advice <= noise_levels.round_up_noise(release, solved.noise_multiplier, 3), "“Solve for” has less"
    factor = advice / unit(release)
    assert factor == pytest.approx(float(f"{factor:.3g}"), rel=5e-6)  # of a noise of six digits
    last = unit(release) * 10.0 ** (np.floor(np.log10(factor)) - 2)
    assert cached.power(at_noise(release, float(f"{advice - last:.6g}")), 1e-3, order).upper > asked.limit


def beyond(hill: Hill, at: float, threshold: int, clears: bool) -> float:
    """Share of a hill that lies on the verdict's side of a place: the area of its outline there, and its lines."""
    lines, shares = np.array(hill.lines, dtype=float), np.array(hill.shares) / HEIGHT
    weights = np.where(lines < at if clears else lines > at, 1.0, 0.0)
    if at == threshold:
        weights = np.where(lines == threshold, hill.lot, weights)
    outlined = 0.0
    if hill.places:
        edges = np.linspace(hill.places[0], hill.places[-1], 20_001)
        heights = np.interp(edges, hill.places, hill.heights)
        outlined = float(heights[edges < at if clears else edges > at].sum() / heights.sum())
    return outlined * max(1.0 - float(shares.sum()), 0.0) + float(weights @ shares)


DRAWN: list[Mechanism] = [
    *(kind(noise) for kind in MECHANISMS for noise in (0.02, 1.0, 100.0)),
    *(kind(noise, 0.01 if kind.is_sampled else 1.0, 100) for kind in MECHANISMS[::2] for noise in (0.05, 1.0)),
    Composition((Gaussian(1.0, 0.01, 300), Gaussian(0.3, 0.01, 300))),
]


# Three questions in turn, so that noises next to each other are asked different ones.
@pytest.mark.parametrize(
    ("release", "order", "alpha"),
    [
        (release, *asked)
        for release, asked in zip(DRAWN, cycle([(Order.ADD, 1e-3), (Order.REMOVE, 0.02), (Order.ADD, 0.02)]))
    ],
    ids=str,
)
def test_what_lies_beyond_the_threshold_is_what_is_stated_within_a_pixel(
    release: Mechanism, order: Order, alpha: float
) -> None:
    """Both laws are seen, and the threshold is between the ends."""
    clears = order is Order.REMOVE
    level = noise_levels.level(release, alpha, order, is_fine=False)
    hills, found = people_scene.drawn(level, ReleaseChoice(release, alpha, order, 1e-5)).hills, level.found
    assert hills is not None
    assert found is not None
    wrongly, rightly = (hills.members, hills.outsiders) if clears else (hills.outsiders, hills.members)
    for hill, stated in ((wrongly, alpha), (rightly, found)):
        sides = [beyond(hill, hills.threshold + way * PIXEL, hills.threshold, clears) for way in (-1.0, 0.0, 1.0)]
        assert min(sides) - ROUNDED <= stated <= max(sides) + ROUNDED
        assert max(*hill.heights, *hill.shares, 0) > 0.03 * HEIGHT  # as high as several pixels
        assert len(hill.places) + len(hill.lines) < 300  # which is sent for every noise
    assert 0 < hills.threshold < PLACES


@pytest.mark.parametrize("release", [*OF_PHASES[::3], RELEASES[-1]], ids=str)
def test_a_remedy_of_several_phases_names_them_all_and_is_enough(release: Composition) -> None:
    scene = people_scene.scene(ReleaseChoice(release, 1e-3, Order.ADD, 1e-5), "x")
    assert scene.advised is not None
    sentence = people_scene.sentence(scene)
    said = re.findall(r"phase (\d+): ([\d.e+-]*\d)", sentence)
    assert [int(number) for number, _ in said] == list(range(1, len(release.phases) + 1))
    made = zip(release.phases, said, strict=True)
    taken = Composition(tuple(phase.with_noise(float(noise)) for phase, (_, noise) in made))
    assert cached.power(taken, 1e-3, Order.ADD).upper <= 0.002
    assert taken == at_noise(release, scene.advised), "what the button does"
    (factor,) = re.findall(r"All noise times ([\d.]+)", sentence)
    assert scene.words.use == f"Multiply all noise by {factor}"
    for phase, after in zip(release.phases, taken.phases, strict=True):
        assert after.noise_multiplier == pytest.approx(float(factor) * phase.noise_multiplier, rel=1e-5)
    for level in scene.levels:
        noises = noise_levels.noises(at_noise(release, level.noise))
        assert level.named.removesuffix(", …") == ", ".join(f"{noise:g}" for noise in noises[:3])


@pytest.mark.usefixtures("all_noises")
def test_other_noises_are_those_of_the_slider_whatever_noise_is_in_force() -> None:
    found = []
    for noise in (1.0, 1.2):
        choice = ReleaseChoice(Gaussian(noise, 0.01, 1000), 1e-3, Order.ADD, 1e-5)
        found.append(people_scene.rest(choice, people_scene.scene(choice, "x")))
    assert found[0] == found[1]
    assert len([level for level in found[0].levels if level.noise == 1.0 and (level.found or 0) >= 41]) == 1
