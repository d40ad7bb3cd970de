"""A release at the noise levels of a slider: safe counts for every mechanism, advice that is kept."""

from collections.abc import Callable
from itertools import cycle, pairwise
from threading import Thread

import numpy as np
import pytest

from numerics.mechanisms import MECHANISMS, Adjacency, Composition, Gaussian, Laplace, Mechanism, Sampling
from numerics.mechanisms.analysis import Analysis
from numerics.privacy_loss import CertifiedLoss, Precision
from numerics.trade_off import Order
from pages.server.budget import RESERVED, Budget, within
from pages.server.turns import RUNS, UNASKED
from pages.ui import cached, noise_levels
from pages.ui.advised_noise import NoAdvice, advised
from pages.ui.noise_levels import SLIDER_NOISES, LevelQuestion, NoiseLevel
from pages.ui.phase_noise import at_noise, unit

FINE = Precision(width=1e-6, relative=1e-4, smallest_alpha=1e-4)
ROUNDED = 1e-12
SIX_DIGITS = 5e-6  # of a noise
RELEASES: list[Mechanism] = [
    *(kind(1.0, 0.01, 1000) if kind.is_sampled else kind(10.0, steps=20) for kind in MECHANISMS),
    *(kind(1.0) for kind in MECHANISMS),
    Gaussian(1.0, 0.01, 300, Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE),
    Laplace(2.0, 0.02, 200, Adjacency.REPLACE_ONE),
    Composition((Gaussian(1.0, 0.01, 500), Gaussian(2.0, 0.05, 100))),
]
# The orders are those of one certified curve. Kinds that differ in their words alone come at night.
CASES = [
    pytest.param(release, order, marks=[] if number % 6 == 0 or number > 20 else [pytest.mark.nightly])
    for number, (release, order) in enumerate(zip(RELEASES, cycle(Order)))
]


def question(order: Order = Order.ADD, limit: float = 2e-3) -> LevelQuestion:
    return LevelQuestion(1e-3, order, limit)


def advised_noise(release: Mechanism, asked: LevelQuestion) -> float:
    """The noise that is advised, which there is."""
    found = advised(release, asked)
    assert isinstance(found, float)
    return found


def all_levels(release: Mechanism, asked: LevelQuestion, advice: float | None) -> list[NoiseLevel]:
    """Those that there are at once, and the rest."""
    found = noise_levels.levels(release, asked, advice)
    rest = noise_levels.completed(release, asked, [one.noise for one in found if one.found is None])
    return sorted([*(one for one in found if one.found is not None), *rest], key=lambda one: one.noise)


@pytest.fixture
def certified(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """How many curves were asked of the numerics since nothing was known."""
    asked, certify = [0], Analysis.certified

    def counted(release: Mechanism, precision: Precision | None = None) -> CertifiedLoss:
        asked[0] += 1
        return certify(release, precision)

    monkeypatch.setattr(Analysis, "certified", counted)
    noise_levels.level.cache_clear()
    noise_levels._coarse.cache_clear()
    return lambda: asked[0]


@pytest.mark.parametrize(("release", "order"), CASES, ids=str)
def test_counts_are_upper_ends_and_fall_with_the_noise(release: Mechanism, order: Order) -> None:
    asked = question(order)
    advice = advised_noise(release, asked)
    found = all_levels(release, asked, advice)
    stated = {level.noise: level.found for level in found if level.found is not None}
    assert len(stated) == len(found)
    noise, most = list(stated), list(stated.values())
    assert len(noise) > 20
    assert noise == sorted(set(noise))
    assert all(after <= before for before, after in pairwise(most))
    for one in noise[::6]:
        at_least = at_noise(release, one).power(asked.alpha, order, FINE).lower
        assert stated[one] >= at_least * (1.0 - ROUNDED)
    assert stated[release.noise_multiplier] == cached.power(release, asked.alpha, order).upper
    assert stated[advice] == cached.power(at_noise(release, advice), asked.alpha, order).upper


@pytest.mark.parametrize(("release", "order"), CASES, ids=str)
def test_advised_noise_keeps_the_limit_and_less_does_not(release: Mechanism, order: Order) -> None:
    asked = question(order)
    advice = advised_noise(release, asked)
    factor = advice / unit(release)
    assert factor == pytest.approx(float(f"{factor:.3g}"), rel=SIX_DIGITS)
    last = unit(release) * 10.0 ** (np.floor(np.log10(factor)) - 2)

    def found(noise: float) -> float:
        return cached.power(at_noise(release, noise), asked.alpha, order).upper

    assert found(advice) <= asked.limit
    assert found(float(f"{advice - last:.6g}")) > asked.limit


def test_nothing_is_advised_where_no_noise_is_enough_or_none_is_needed() -> None:
    release = Gaussian(1.0, 0.01, 1000)
    assert advised(release, question(limit=1e-3)) is NoAdvice.GUESSING
    assert advised(Gaussian(1.0, 1e-7, 1), question(limit=0.5)) is NoAdvice.NOT_NEEDED


def test_less_noise_than_the_slider_has_is_told_the_least_that_it_has() -> None:
    release, asked = Laplace(0.05), question(limit=0.995)
    assert not asked.is_kept(release.power(asked.alpha, asked.order, FINE).upper)
    assert advised(release, asked) == SLIDER_NOISES[0]
    assert advised(Gaussian(0.05, 1e-4), question(limit=0.5)) is NoAdvice.NOT_NEEDED  # which is enough all the same


def test_more_noise_than_the_slider_has_is_advised_where_that_is_needed() -> None:
    release = Gaussian(1.0, 1.0, 1000)
    advice = advised_noise(release, question(limit=1.8e-3))
    assert 100.0 < advice < 300.0
    assert advice in [level.noise for level in noise_levels.levels(release, question(limit=1.8e-3), advice)]


def missing(found: list[NoiseLevel]) -> list[float]:
    return [level.noise for level in found if level.found is None]


def test_levels_without_time_are_left_open_and_nobody_is_told() -> None:
    release = Gaussian(1.0173, 0.01, 990)
    budget = Budget(RESERVED)
    with within(budget):
        assert advised(release, question()) is NoAdvice.NOT_FOUND
        found = noise_levels.levels(release, question(), None)
        assert noise_levels.completed(release, question(), missing(found)) == []
    assert [level.noise for level in found if level.found is not None] == [1.0173]
    assert len(found) > 20
    assert budget.unfinished == []
    assert len(noise_levels.completed(release, question(), missing(found))) == len(found) - 1


def test_levels_that_are_known_need_no_time() -> None:
    release = Gaussian(1.0, 0.01, 991)
    known = noise_levels.completed(release, question(), [2.0])
    with within(Budget(RESERVED)):
        assert noise_levels.completed(release, question(), [1.1, 2.0, 3.0]) == known


MOST = 12  # curves: the release's own, the advised noise's, and those that lead there


@pytest.mark.parametrize("release", RELEASES[::4], ids=str)
def test_the_answer_waits_for_few_certified_curves(release: Mechanism, certified: Callable[[], int]) -> None:
    found = noise_levels.levels(release, question(), advised_noise(release, question()))
    assert certified() <= MOST
    assert len(missing(found)) > MOST


def test_rates_of_one_order_of_magnitude_share_the_coarse_curves(certified: Callable[[], int]) -> None:
    release = Gaussian(1.0, 0.011, 1000)
    first = noise_levels.levels(release, question(), None)
    noise_levels.completed(release, question(), missing(first))
    before = certified()
    other = LevelQuestion(7e-3, Order.REMOVE, 2e-2)
    second = noise_levels.levels(release, other, None)
    assert certified() == before + 1  # the release's own, which the numerics remember
    assert len(noise_levels.completed(release, other, missing(second))) == len(missing(second)) > 20
    assert certified() == before + 1


def test_nobody_waits_for_levels_that_nobody_has_chosen() -> None:
    release = Gaussian(1.0, 0.012, 1000)
    open_ones = missing(noise_levels.levels(release, question(), None))

    def visit() -> None:
        with RUNS.turn():
            pass

    another = Thread(target=visit)
    with within(Budget(UNASKED)):
        with RUNS.turn():
            another.start()
            while not RUNS.is_wanted:
                pass
            assert noise_levels.completed(release, question(), open_ones) == []
        another.join()
        assert len(noise_levels.completed(release, question(), open_ones)) > MOST
