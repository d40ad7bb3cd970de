"""Hills of the evidence as they are sent: what lies beyond the threshold is what the answer states, at any noise."""

from dataclasses import replace
from itertools import cycle
from statistics import NormalDist

import numpy as np
import pytest

from numerics.mechanisms import MECHANISMS, Composition, Gaussian, Laplace, Mechanism, SampledMechanism
from numerics.mechanisms.randomised_response import RandomisedResponse
from numerics.trade_off import Order
from pages.ui import noise_levels, people_scene
from pages.ui.noise_levels import NoiseLevel
from pages.ui.release_choice import ReleaseChoice
from people_view import HEIGHT, PLACES, Hill, Hills
from plotting.evidence import PIXELS

PIXEL = PLACES / PIXELS
NOISES = (0.01, 0.02, 0.05, 0.2, 1.0, 5.0, 100.0)
ROUNDED = 2e-4  # of a share: whole heights and places, and what either end of a law leaves out
RELEASES: list[Mechanism] = [
    *(kind(noise) for kind in MECHANISMS for noise in NOISES),
    *(kind(noise, 0.01 if kind.is_sampled else 1.0, 100) for kind in MECHANISMS for noise in (0.02, 1.0, 100.0)),
    Composition((Gaussian(1.0, 0.01, 300), Gaussian(0.3, 0.01, 300))),
]
# Three questions in turn, so that noises next to each other are asked different ones; all of them at night.
QUESTIONS = [(Order.ADD, 1e-3), (Order.REMOVE, 0.02), (Order.ADD, 0.02), (Order.REMOVE, 1e-3)]
CASES = [
    *zip(RELEASES, cycle(QUESTIONS[:3])),
    *(pytest.param(release, one, marks=pytest.mark.nightly) for release in RELEASES for one in QUESTIONS),
]


def of(release: Mechanism, order: Order, alpha: float = 1e-3) -> tuple[Hills, NoiseLevel]:
    """The hills that a browser gets, and the numbers that go with them."""
    level = noise_levels.level(release, alpha, order, is_fine=False)
    drawn = people_scene.drawn(level, ReleaseChoice(release, alpha, order, 1e-5))
    assert drawn.hills is not None
    return drawn.hills, level


def beyond(hill: Hill, at: float, threshold: int, clears: bool) -> float:
    """Share of a hill that lies on the verdict's side of a place: the area of its outline there, and its lines."""
    lines = np.array(hill.lines, dtype=float)
    weights = np.where(lines < at, 1.0, 0.0) if clears else np.where(lines > at, 1.0, 0.0)
    if at == threshold:
        weights = np.where(lines == threshold, hill.lot, weights)
    shares = np.array(hill.shares) / HEIGHT
    return outlined(hill, at, clears) * max(1.0 - float(shares.sum()), 0.0) + float(weights @ shares)


def outlined(hill: Hill, at: float, clears: bool) -> float:
    """The same of the outline alone, of its whole area."""
    if not hill.places:
        return 0.0
    places, heights = np.array(hill.places, dtype=float), np.array(hill.heights, dtype=float)
    is_judged = 0.5 * (places[:-1] + places[1:]) < at if clears else 0.5 * (places[:-1] + places[1:]) > at
    if at in places:
        areas = 0.5 * np.diff(places) * (heights[:-1] + heights[1:])
        return float(areas[is_judged].sum() / areas.sum())
    fine = np.linspace(places[0], places[-1], 20_001)
    drawn = np.interp(fine, places, heights)
    return float(drawn[fine < at if clears else fine > at].sum() / drawn.sum())


@pytest.mark.parametrize(("release", "asked"), CASES, ids=str)
def test_what_lies_beyond_the_threshold_is_what_is_stated_within_a_pixel(
    release: Mechanism, asked: tuple[Order, float]
) -> None:
    """Both laws are seen, and the threshold is between the ends."""
    order, alpha = asked
    clears = order is Order.REMOVE
    hills, level = of(release, order, alpha)
    assert level.found is not None
    wrongly, rightly = (hills.members, hills.outsiders) if clears else (hills.outsiders, hills.members)
    for hill, stated in ((wrongly, alpha), (rightly, level.found)):
        sides = [beyond(hill, hills.threshold + way * PIXEL, hills.threshold, clears) for way in (-1.0, 0.0, 1.0)]
        assert min(sides) - ROUNDED <= stated <= max(sides) + ROUNDED
    assert 0 < hills.threshold < PLACES
    for hill in (hills.outsiders, hills.members):
        tallest = max(max(hill.heights, default=0), max(hill.shares, default=0))
        assert tallest > 0.03 * HEIGHT  # as high as several pixels
    widest = max(len(one.places) + len(one.lines) for one in (hills.outsiders, hills.members))
    assert widest < 300  # which is sent for every noise


@pytest.mark.parametrize("noise", [0.3, 0.5, 1.0, 4.0])
def test_hills_of_gaussian_noise_lie_where_its_evidence_does(noise: float) -> None:
    """N(-mu^2/2, mu^2) and, with the record, N(mu^2/2, mu^2): the threshold is z mu from the first's middle."""
    hills, _ = of(Gaussian(noise), Order.ADD)
    first, second = (one.places[int(np.argmax(one.heights))] for one in (hills.outsiders, hills.members))
    expected = (1.0 / noise) / NormalDist().inv_cdf(1.0 - 1e-3)
    widest = 0.1  # of the hill's spread, in which its top is as high as a pixel's hundredth
    assert (second - first) / (hills.threshold - first) == pytest.approx(expected, abs=widest)


@pytest.mark.parametrize("noise", [0.1, 0.5, 1.0, 3.0])
def test_two_answers_are_two_lines_as_high_as_their_shares(noise: float) -> None:
    hills, _ = of(RandomisedResponse(noise, categories=2), Order.ADD)
    truthful = 1.0 / (1.0 + np.exp(-1.0 / noise))
    for hill, shares in ((hills.outsiders, (truthful, 1.0 - truthful)), (hills.members, (1.0 - truthful, truthful))):
        assert not hill.places
        known = [share for share in shares if share > 1e-4]
        assert [share / HEIGHT for share in hill.shares if share / HEIGHT > 1e-4] == pytest.approx(known, abs=1e-3)


def test_half_of_all_outsiders_show_the_least_evidence_that_laplace_noise_leaves() -> None:
    hills, _ = of(Laplace(1.0), Order.ADD)
    assert hills.outsiders.shares[0] / HEIGHT == pytest.approx(0.5, abs=0.01)
    assert hills.members.shares[-1] / HEIGHT == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize("kind", MECHANISMS)
def test_more_noise_moves_the_hills_together(kind: type[SampledMechanism]) -> None:
    """By the share of both that is alike: it is what no attacker can tell apart."""
    release = kind(1.0, 0.1, 10) if kind.is_sampled else kind(1.0)
    shares = [of(replace(release, noise_multiplier=noise), Order.ADD)[1].found or 1.0 for noise in (0.5, 1.0, 4.0)]
    assert shares == sorted(shares, reverse=True)
