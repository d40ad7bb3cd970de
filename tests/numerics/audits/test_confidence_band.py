"""Bands: exact local levels, coverage by enumeration and simulation, and the laws of the region they make."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtr, ndtri

from numerics.audits import Scores, measured_curve
from numerics.audits.boundary_crossing import RankLimits, limits_at, local_level, ranks_of, stays_within
from numerics.audits.confidence_band import band_limits, roc_region, surely_gained
from numerics.deadline import DeadlineError
from tests.reference import Reference, each, rows

ALPHA = np.concatenate(([0.0], np.geomspace(1e-4, 1.0, 60)))


@pytest.mark.parametrize("row", rows("local level")[:4], ids=lambda row: row.id)
def test_local_levels(row: Reference) -> None:
    found = local_level(row.count("n"), 1.0 - row.number("level"), row.count("sides"))
    assert found == pytest.approx(row.expected, rel=1e-6)


@each("local level")
def test_the_table_has_the_local_levels(row: Reference) -> None:
    limits = band_limits(row.count("n"), 0.05, row.count("sides"))
    np.testing.assert_allclose(limits.upper, limits_at(row.count("n"), row.expected).upper, rtol=1e-7)


@each("FPR upper limit where no null score")
def test_the_limit_above_the_largest_null_score(row: Reference) -> None:
    limits = band_limits(row.count("n"), row.number("risk"), 1)
    assert limits.upper[0] == pytest.approx(row.expected, rel=1e-6)


@pytest.mark.parametrize("sides", [1, 2])
def test_the_probability_by_simulation_and_of_two_by_integration(sides: int) -> None:
    limits = RankLimits(3, np.arange(1.0, 4.0), np.array([0.05, 0.2, 0.4]), np.array([0.6, 0.8, 0.95]))
    drawn = np.sort(np.random.default_rng(0).random((100_000, 3)), axis=1)
    inside = (drawn <= limits.upper) & ((drawn >= limits.lower) | (sides == 1))
    assert stays_within(limits, sides) == pytest.approx(inside.all(axis=1).mean(), abs=0.006)
    first, second = (0.1 if sides == 2 else 0.0, 0.5), (0.3 if sides == 2 else 0.0, 0.8)
    x = np.linspace(*first, 100_001)
    expected = 2.0 * np.trapezoid(second[1] - np.maximum(second[0], x), x)
    pair = RankLimits(2, np.arange(1.0, 3.0), np.array([0.1, 0.3]), np.array([0.5, 0.8]))
    assert stays_within(pair, sides) == pytest.approx(expected, rel=1e-8)


def test_a_single_number_and_certain_limits() -> None:
    assert stays_within(RankLimits(1, np.ones(1), np.array([0.1]), np.array([0.7]))) == pytest.approx(0.6)
    assert stays_within(RankLimits(1, np.ones(1), np.array([0.1]), np.array([0.7])), 1) == pytest.approx(0.7)
    assert stays_within(RankLimits(2, np.arange(1.0, 3.0), np.array([0.5, 0.6]), np.array([0.4, 0.9]))) == 0.0


@pytest.mark.parametrize("size", [3, 7, 60, 170, 12_345, 45_678, 1_234_567])
@pytest.mark.parametrize("sides", [1, 2])
def test_between_the_sizes_of_the_table_the_band_holds_at_the_least(size: int, sides: int) -> None:
    for risk in (0.025, 0.03):
        assert 1.0 - risk - 1e-9 <= stays_within(band_limits(size, risk, sides), sides) < 1.0 - 0.4 * risk


def test_beyond_the_table_a_union_bound_holds() -> None:
    assert stays_within(band_limits(50, 1e-5)) >= 1.0 - 1e-5


@pytest.mark.parametrize("risk", [0.005, 0.025, 0.05])
def test_the_two_groups_together_hold_with_the_confidence_asked_for(risk: float) -> None:
    """Just below a risk of the table a group must not have that risk: both bands hold with the confidence asked for.

    All members lie above all others. The least rate that all of them surely have is the local level's root of their
    number, and the most that the others surely have beyond their largest is 1 less the same.
    """
    level, size = (1.0 - risk / 1.04) ** 2, 50  # a size of the table
    scores = Scores(np.arange(50.0), 100.0 + np.arange(50.0))
    region = roc_region(scores, np.array([0.9]), level)
    assert region.upper is not None
    assert stays_within(limits_at(size, float(region.upper.power[0]) ** size)) ** 2 >= level
    sure = surely_gained(scores, level)
    assert stays_within(limits_at(size, (0.5 * (sure + 1.0)) ** size), 1) ** 2 >= level


def test_ranks() -> None:
    np.testing.assert_array_equal(ranks_of(5), [1, 2, 3, 4, 5])
    many = ranks_of(10_001)
    assert many[0] == 1.0
    assert many[-1] == 10_001.0
    np.testing.assert_array_equal(many, 10_002.0 - many[::-1])
    assert 100 < len(many) < len(ranks_of(10_000_000)) < 400
    assert np.all(np.diff(many) > 0)


def test_coverage_by_simulation() -> None:
    """The true curve is inside at every alpha at once, in 95 % of 300 audits or more; ties and unequal groups too."""
    rng, held = np.random.default_rng(0), []
    for run in range(300):
        null, members = rng.normal(size=100), rng.normal(1.0, 1.0, 200)
        region = roc_region(Scores(null, members), ALPHA)
        truth = ndtr(ndtri(ALPHA) + 1.0)
        if run % 2:  # coarse scores: a curve with corners, below the exact one
            region = roc_region(Scores(np.floor(null * 2.0), np.floor(members * 2.0)), ALPHA)
            marks = np.arange(-20, 21)[::-1] / 2.0
            truth = np.interp(ALPHA, ndtr(-marks), ndtr(1.0 - marks))
        assert region.lower is not None
        assert region.upper is not None
        held.append(np.all(region.upper.power <= truth) and np.all(truth <= region.lower.power))
    assert np.mean(held) >= 0.95 - 3.0 * np.sqrt(0.05 * 0.95 / 300)


numbers = st.lists(st.integers(-20, 20) | st.sampled_from([-np.inf, np.inf]), min_size=1, max_size=60)


@settings(max_examples=60, deadline=None)
@given(numbers, numbers)
def test_the_region_contains_the_empirical_curve_and_sees_only_the_order(null, alternative) -> None:
    plain = Scores(np.array(null, float), np.array(alternative, float))
    region = roc_region(plain, ALPHA)
    assert region.lower is not None
    assert region.upper is not None
    assert np.all(region.upper.power <= region.power + 1e-12)
    assert np.all(region.power <= region.lower.power + 1e-12)
    for one in (region, region.lower, region.upper):
        np.testing.assert_allclose(one.power + one.beta, 1.0, atol=1e-12)
        assert np.all(np.diff(one.power) >= 0.0)
    mapped = roc_region(Scores(*(np.arctan(side) * 7.0 + 3.0 for side in plain)), ALPHA)
    np.testing.assert_array_equal(mapped.power, region.power)
    assert mapped.lower is not None
    np.testing.assert_array_equal(mapped.lower.power, region.lower.power)


@settings(max_examples=30, deadline=None)
@given(numbers, numbers, st.booleans())
def test_the_region_by_its_definition(null, alternative, mirrored) -> None:
    """All rectangles of all thresholds: the best that is surely allowed, and the least that surely costs as much."""
    plain = Scores(np.array(null, float), np.array(alternative, float))
    scores = Scores(-plain.alternative, -plain.null) if mirrored else plain
    rates = []
    for side in scores:
        limits = band_limits(len(side), 1.0 - np.sqrt(0.95))
        marks = np.unique(np.concatenate(scores))
        beyond = np.concatenate([[np.sum(side > mark), np.sum(side >= mark)] for mark in marks]).astype(int)
        rates.append((np.append(0.0, limits.lower)[beyond], np.append(limits.upper, 1.0)[beyond]))
    (fpr_low, fpr_high), (tpr_low, tpr_high) = rates
    region = roc_region(scores, ALPHA)
    assert region.upper is not None
    assert region.lower is not None
    reached = [np.max(tpr_low, initial=0.0, where=fpr_high <= alpha) for alpha in ALPHA]
    at_most = [np.min(tpr_high, initial=1.0, where=fpr_low >= alpha) for alpha in ALPHA]
    np.testing.assert_allclose(region.upper.power[:-1], reached[:-1])  # at a rate of 1 all are accused
    np.testing.assert_allclose(region.lower.power[1:], at_most[1:])
    assert region.lower.power[0] >= at_most[0]  # at a rate of 0 nothing else is said than next to it


def test_it_is_wider_than_limits_at_one_rate_and_narrower_with_more_scores() -> None:
    rng = np.random.default_rng(1)
    scores = Scores(rng.normal(size=2000), rng.normal(1.0, 1.0, 2000))
    alpha = np.array([0.1])
    widths = []
    fewer = Scores(*(side[:200] for side in scores))
    for curve in (measured_curve(scores, alpha), roc_region(scores, alpha), roc_region(fewer, alpha)):
        assert curve.lower is not None
        assert curve.upper is not None
        widths.append(float(curve.lower.power[0] - curve.upper.power[0]))
    assert widths[0] < widths[1] < widths[2]


def test_what_is_surely_gained() -> None:
    rng = np.random.default_rng(2)
    truth = 2.0 * ndtr(0.5) - 1.0
    found = [surely_gained(Scores(rng.normal(size=300), rng.normal(1.0, 1.0, 300))) for _ in range(100)]
    assert np.mean(np.array(found) <= truth) >= 0.95
    assert np.median(found) > truth / 2.0
    nothing = [surely_gained(Scores(rng.normal(size=300), rng.normal(size=300))) for _ in range(100)]
    assert np.mean(np.array(nothing) > 0.0) <= 0.05
    assert surely_gained(Scores(np.zeros(10), np.zeros(10))) == 0.0


def test_what_is_surely_gained_by_hand() -> None:
    null, members = np.arange(40.0), np.arange(40.0) + 25.0
    bands = [limits_at(40, local_level(50, 0.025, 1)) for _ in range(2)]
    gains = [
        bands[1].lower[int(np.sum(members > null[40 - rank])) - 1] - bands[0].upper[rank - 1]
        for rank in range(1, 41)
        if np.sum(members > null[40 - rank])
    ]
    assert surely_gained(Scores(null, members)) == pytest.approx(max(gains))


class Stop:
    def check(self) -> None:
        raise DeadlineError("enough")


def test_the_deadline_is_kept() -> None:
    with pytest.raises(DeadlineError):
        local_level(100, 0.05, 2, Stop())
