"""Epsilon* from bins encloses Epsilon* from losses, whatever the bins; fine enough ones give the same number."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.epsilon_star import EMPIRICAL_CLIP, LossScale, Method, Transform, default_delta, estimate
from numerics.epsilon_star.from_aggregates import Moments, Summary, check_groups, confident, empirical, parametric
from numerics.epsilon_star.loss_bins import LossBins, wanted_for_bound, wanted_for_counts
from numerics.trade_off import Floats

ROUNDING = 1e-12  # the same counts, divided in another order
SUMMED = 1e-11  # the same sums in another order, through a maximum
DELTAS = (1e-6, 1e-3, 0.05)
CLIPS = (None, EMPIRICAL_CLIP, 0.1)


def drawn(seed: int, n: int = 400, decimals: int | None = None) -> tuple[Floats, Floats]:
    """Losses of both groups: distinct, or with ties where they are rounded."""
    rng = np.random.default_rng(seed)
    train, population = rng.gamma(1.2, size=n), rng.gamma(2.0, size=n + 50)
    return (train, population) if decimals is None else (train.round(decimals), population.round(decimals))


def binned(train: Floats, population: Floats, edges: Floats) -> LossBins:
    """Losses counted between the edges."""
    number = [np.searchsorted(edges, losses) for losses in (train, population)]
    losses, place = np.concatenate([train, population]), np.concatenate(number)
    bins = np.unique(place)
    lowest, highest = (np.array([choose(losses[place == one]) for one in bins]) for choose in (np.min, np.max))
    members, outsiders = (np.array([float(np.sum(own == one)) for one in bins]) for own in number)
    return LossBins.of(lowest, highest, members, outsiders)


def summary(train: Floats, population: Floats, edges: Floats) -> Summary:
    low, high = np.concatenate([train, population]).min(), np.concatenate([train, population]).max()
    transform = Transform(LossScale.PRINTED, float(low), float(high))
    moments = [
        Moments(len(own), float(own.min()), float(own.max()), float(score.mean()), float(score.var()))
        for own in (train, population)
        for score in [transform.scores(own)]
    ]
    return Summary(moments[0], moments[1], binned(train, population, edges), LossScale.PRINTED)


seeds = st.integers(0, 2**32 - 1)
edge_lists = st.lists(st.floats(0.0, 8.0), min_size=0, max_size=40).map(lambda cuts: np.sort(np.array(cuts)))


@given(seeds, edge_lists, st.sampled_from(DELTAS), st.sampled_from(CLIPS), st.sampled_from([None, 1]))
def test_counted_estimate_lies_in_the_interval(
    seed: int, edges: Floats, delta: float, clip: float | None, decimals: int | None
) -> None:
    train, population = drawn(seed, decimals=decimals)
    exact = estimate(train, population, delta, Method.EMPIRICAL, clip).value
    found = empirical(summary(train, population, edges), delta, clip)
    assert found.found.value <= exact + ROUNDING
    assert exact <= found.at_most + ROUNDING


@settings(max_examples=40)
@given(seeds, edge_lists, st.sampled_from(DELTAS))
def test_bound_from_bins_is_never_above_that_from_distinct_losses(seed: int, edges: Floats, delta: float) -> None:
    train, population = drawn(seed)
    exact = estimate(train, population, delta, Method.CONFIDENCE).value
    assert confident(summary(train, population, edges), delta).value <= exact + 1e-8  # of the search for the limits


@settings(max_examples=40)
@given(seeds, st.sampled_from(DELTAS), st.sampled_from(CLIPS), st.sampled_from([None, 1, 0]))
def test_bins_of_single_losses_give_all_estimates(
    seed: int, delta: float, clip: float | None, decimals: int | None
) -> None:
    train, population = drawn(seed, 60, decimals)
    every = np.unique(np.concatenate([train, population]))
    known = summary(train, population, every)
    assert known.bins.settled.all()
    counting = empirical(known, delta, clip)
    exact = estimate(train, population, delta, Method.EMPIRICAL, clip)
    assert counting.at_most == counting.found.value == pytest.approx(exact.value, rel=ROUNDING)
    assert counting.found.evidence == exact.evidence
    assert confident(known, delta).confidence == estimate(train, population, delta, Method.CONFIDENCE).confidence
    fit = estimate(train, population, delta, Method.PARAMETRIC, clip, scale=LossScale.PRINTED)
    assert parametric(known, delta, clip).value == pytest.approx(fit.value, rel=SUMMED)


def test_bins_with_the_first_and_the_last_loss_of_a_group_are_looked_into() -> None:
    """There infinite ratios name most people. The bins: 100 losses of each, at either end of one of them alone."""
    edges = np.arange(12.0)
    counts = np.array([0.0, *[100.0] * 8, 0.0, 0.0])
    for train, population in ((counts, np.roll(counts, 2)), (np.roll(counts, 2), counts)):
        bins = LossBins.of(edges[:-1], edges[:-1] + 0.5, train, population)
        wanted = wanted_for_counts(bins, 1e-3, None)
        for group in (train, population):
            assert wanted[np.flatnonzero(group)[[0, -1]]].all()


def test_bins_at_the_right_places_are_enough() -> None:
    """Only what is wanted is refined, and then nothing else is."""
    train, population = drawn(5, 3000)
    known = summary(train, population, np.linspace(0.0, 8.0, 100))
    delta = default_delta(len(train))
    wanted = wanted_for_counts(known.bins, delta, EMPIRICAL_CLIP) | wanted_for_bound(known.bins)
    assert 0 < wanted.sum() < 0.5 * len(wanted)
    inside = [
        own[
            np.any([(own >= low) & (own <= high) for low, high in zip(*_ends(known.bins, wanted), strict=True)], axis=0)
        ]
        for own in (train, population)
    ]
    finer = binned(inside[0], inside[1], np.unique(np.concatenate(inside)))
    refined = Summary(known.train, known.population, known.bins.refined(wanted, finer), known.scale)
    counting = empirical(refined, delta, EMPIRICAL_CLIP)
    exact = estimate(train, population, delta, Method.EMPIRICAL, EMPIRICAL_CLIP).value
    assert empirical(known, delta, EMPIRICAL_CLIP).at_most > exact  # there was something to find
    assert counting.found.value == counting.at_most == pytest.approx(exact, rel=ROUNDING)
    bound = estimate(train, population, delta, Method.CONFIDENCE)
    assert confident(refined, delta).value == bound.value > confident(known, delta).value


def _ends(bins: LossBins, wanted: np.ndarray) -> tuple[Floats, Floats]:
    return bins.lowest[wanted], bins.highest[wanted]


def test_one_bin_shows_nothing_and_excludes_nothing() -> None:
    train, population = drawn(1)
    known = summary(train, population, np.empty(0))
    counting = empirical(known, 1e-3)
    assert (counting.found.value, counting.at_most) == (0.0, np.inf)
    assert confident(known, 1e-3).value == 0.0


def test_bins_that_overlap_or_lose_losses_are_refused() -> None:
    one = np.ones(2)
    with pytest.raises(ValueError, match="must not overlap"):
        LossBins.of(np.array([0.0, 1.0]), np.array([1.0, 2.0]), one, one)
    with pytest.raises(ValueError, match="must not be negative"):
        LossBins.of(np.array([0.0, 1.0]), np.array([0.5, 2.0]), -one, one)
    bins = LossBins.of(np.array([0.0, 1.0]), np.array([0.5, 2.0]), one, one)
    with pytest.raises(ValueError, match="must hold the 1 losses of train, got 2"):
        bins.refined(np.array([True, False]), bins)


def test_both_zeros_are_one_loss() -> None:
    ends = np.array([0.0, -0.0, 1.0])
    bins = LossBins.of(ends, ends, np.array([1.0, 2.0, 3.0]), np.ones(3))
    assert bins.train.tolist() == [3.0, 3.0]


def test_identical_groups_are_recognised_and_similar_ones_are_not() -> None:
    train, _ = drawn(2)
    assert summary(train, train[::-1].copy(), np.empty(0)).evidence.identical
    other = train.copy()
    middle = np.argsort(train)[len(train) // 2]
    other[middle] += 1e-6
    assert not summary(train, other, np.empty(0)).evidence.identical


@pytest.mark.parametrize(
    ("sizes", "ends", "rule"), [((9, 99), (0.0, 1.0), "train"), ((99, 9), (0.0, 1.0), "population")]
)
def test_small_groups_are_refused(sizes: tuple[int, int], ends: tuple[float, float], rule: str) -> None:
    with pytest.raises(ValueError, match=f"{rule}_losses must be a vector of at least 10 losses, got 9"):
        check_groups(*sizes, *ends)


def test_equal_losses_and_nonsense_settings_are_refused() -> None:
    with pytest.raises(ValueError, match="losses must differ"):
        check_groups(99, 99, 1.0, 1.0)
    known = summary(*drawn(3), np.linspace(0, 8, 10))
    for run in (parametric, empirical, confident):
        with pytest.raises(ValueError, match="delta must be strictly between 0 and 1"):
            run(known, 0.0)
    with pytest.raises(ValueError, match="clip must be above 0"):
        parametric(known, 0.1, 0.5)
    constant = summary(np.full(20, 2.0), drawn(4)[1], np.linspace(0, 8, 10))
    with pytest.raises(ValueError, match="train_losses must differ among themselves"):
        parametric(constant, 0.1)
