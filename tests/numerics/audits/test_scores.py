"""What scores show: limits of rates, areas and whole curves, of slices and of records, each by its definition."""

from collections import deque
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from numerics import audits
from numerics.mechanisms import Gaussian
from numerics.trade_off import Bound, Order, TradeOffCurve, alpha_grid
from tests.numerics.audits.inside import band_limits, stays_within

ALPHA = np.concatenate(([0.0], np.geomspace(1e-4, 1.0, 60)))
ROUNDING = 1e-12
SIDE = st.lists(st.integers(-9, 9) | st.sampled_from([-np.inf, np.inf]), min_size=1, max_size=50).map(
    lambda values: np.array(values, float)
)
PAIR = st.builds(audits.Scores, SIDE, SIDE)


def limits(curve: TradeOffCurve) -> tuple[TradeOffCurve, TradeOffCurve]:
    assert curve.lower is not None
    assert curve.upper is not None
    return curve.lower, curve.upper


def area(scores: audits.Scores) -> float:
    return audits.area_under_curve(scores).value


@settings(max_examples=15)
@given(PAIR)
def test_areas_by_pairs(scores):
    area, pairs = audits.area_under_curve(scores), (scores.alternative[:, None], scores.null[None, :])
    assert area.value == pytest.approx(np.mean((pairs[0] > pairs[1]) + 0.5 * (pairs[0] == pairs[1])))
    assert area.lower <= area.value <= area.upper
    assert area.estimate == (area.estimate if np.isnan(area.standard_error) else tuple(np.clip(area.estimate, 0, 1)))
    mirrored = audits.area_under_curve(audits.Scores(scores.alternative, scores.null))
    assert (mirrored.value, mirrored.lower) == pytest.approx((1.0 - area.value, 1.0 - area.upper), abs=1e-9)


# One rate: measured_curve.


def test_limits_at_one_rate_by_hand():
    """100 rounds, alpha .3, confidence 80 %: each of the four claims may fail with 5 %."""
    rng = np.random.default_rng(3)
    scores = audits.Scores(rng.standard_normal(100), rng.standard_normal(100) + 1.0)
    ascending = np.sort(scores.null)
    strict = max(k for k in range(100) if stats.binom.cdf(k, 100, 0.3) <= 0.05)  # accused
    loose = max(k for k in range(100) if stats.binom.cdf(k, 100, 0.7) <= 0.05)  # spared
    hits = int(np.sum(scores.alternative > ascending[99 - strict]))
    more = int(np.sum(scores.alternative >= ascending[loose]))
    reached = stats.binomtest(hits, 100, alternative="greater").proportion_ci(0.95).low
    at_most = stats.binomtest(more, 100, alternative="less").proportion_ci(0.95).high
    lower, upper = limits(audits.measured_curve(scores, np.array([0.3]), audits.Confidence(0.8)))
    assert (upper.power[0], lower.power[0]) == pytest.approx((reached, at_most), rel=1e-9)
    together = limits(audits.measured_curve(scores, np.array([0.2, 0.3]), audits.Confidence(0.6, simultaneous=True)))
    assert together[0].power[1] == lower.power[0]


@settings(max_examples=15)
@given(PAIR, st.sampled_from([Order.ADD, Order.REMOVE]), st.floats(0.01, 0.999), st.booleans())
def test_measured_curves_are_in_order_and_mirrored(scores, order, level, together):
    curve = audits.measured_curve(scores, alpha_grid(41), audits.Confidence(level, together), order)
    lower, upper = limits(curve)
    for one in (curve, lower, upper):
        assert one.bound is Bound.AUDIT
        assert one.beta + one.power == pytest.approx(np.ones(41), abs=ROUNDING)
        assert np.all(np.diff(one.power) >= 0)
    assert np.all(lower.beta <= curve.beta + ROUNDING)
    assert np.all(curve.beta <= upper.beta + ROUNDING)
    other = Order.REMOVE if order is Order.ADD else Order.ADD
    swapped = audits.measured_curve(
        audits.Scores(-scores.alternative, -scores.null), alpha_grid(41), audits.Confidence(level, together), other
    )
    assert np.array_equal(swapped.power, curve.power)
    assert np.array_equal(limits(swapped)[1].power, upper.power)


def test_positions_name_the_side_and_count_a_bracket_as_a_whole():
    rng, alpha = np.random.default_rng(7), np.array([0.05, 0.2])
    curve = audits.measured_curve(audits.Scores(rng.standard_normal(20_000), rng.standard_normal(20_000) + 1.0), alpha)
    for noise, place in {
        1.0: audits.Position.INSIDE,
        0.5: audits.Position.WEAKER,
        2.0: audits.Position.STRONGER,
    }.items():
        assert audits.positions(curve, Gaussian(noise).trade_off(alpha)) == (place, place)
    flat = [TradeOffCurve(alpha, np.full(2, b), np.full(2, 1 - b), Bound.CERTIFIED, "x") for b in (0.1, 0.3, 0.95)]
    wide = TradeOffCurve(alpha, flat[1].beta, flat[1].power, Bound.CERTIFIED, "x", (), flat[0], flat[2])
    assert (
        audits.positions(curve, flat[1])
        != audits.positions(curve, wide)
        == (audits.Position.INSIDE, audits.Position.INSIDE)
    )


def test_repeated_audits_are_the_measured_curves_of_equal_parts():
    rng, alpha = np.random.default_rng(4), np.array([0.1, 0.5])
    scores = audits.Scores(rng.normal(size=31), rng.normal(1.0, 1.0, 47))
    parts = [
        audits.Scores(scores.null[k * 10 : k * 10 + 10], scores.alternative[k * 15 : k * 15 + 15]) for k in range(3)
    ]
    for order in (Order.ADD, Order.REMOVE):
        missed = np.array([audits.measured_curve(part, alpha, order=order).beta for part in parts])
        found = audits.repeated(scores, 3, alpha, order)
        assert found.mean == pytest.approx(missed.mean(axis=0))
        assert found.deviation == pytest.approx(missed.std(axis=0, ddof=1))


# The whole curve: bands.


@pytest.mark.parametrize(("size", "sides"), [(3, 1), (7, 2), (60, 1), (12_345, 2)])
def test_between_the_sizes_and_risks_of_the_table_bands_hold_at_the_least(size, sides):
    assert 0.97 - 1e-9 <= stays_within(band_limits(size, 0.03, sides), sides) < 0.988


@settings(max_examples=12)
@given(PAIR, st.booleans())
def test_the_region_by_its_definition(drawn, mirrored):
    """All rectangles of all thresholds: the best that is surely allowed, and the least that surely costs as much."""
    scores = audits.Scores(-drawn.alternative, -drawn.null) if mirrored else drawn
    rates = []
    for side in scores:
        found = band_limits(len(side), 1.0 - np.sqrt(0.95))
        marks = np.unique(np.concatenate(scores))
        beyond = np.concatenate([[np.sum(side > mark), np.sum(side >= mark)] for mark in marks]).astype(int)
        rates.append((np.append(0.0, found.lower)[beyond], np.append(found.upper, 1.0)[beyond]))
    (fpr_low, fpr_high), (tpr_low, tpr_high) = rates
    region = audits.roc_region(scores, ALPHA)
    lower, upper = limits(region)
    reached = [np.max(tpr_low, initial=0.0, where=fpr_high <= alpha) for alpha in ALPHA]
    at_most = [np.min(tpr_high, initial=1.0, where=fpr_low >= alpha) for alpha in ALPHA]
    assert upper.power[:-1] == pytest.approx(np.array(reached[:-1]))  # at a rate of 1 all are accused
    assert lower.power[1:] == pytest.approx(np.array(at_most[1:]))
    assert lower.power[0] >= at_most[0]  # at a rate of 0 nothing else is said than next to it
    assert np.all(upper.power <= region.power + ROUNDING)
    assert np.all(region.power <= lower.power + ROUNDING)
    for curve in (region, lower, upper):
        assert curve.beta + curve.power == pytest.approx(np.ones(len(ALPHA)), abs=ROUNDING)


# Single records.


@pytest.mark.parametrize(("with_it", "without"), [(2, 3), (4, 4)])
def test_rank_tests_enumerated(with_it, without):
    models = with_it + without
    score = np.arange(float(models))
    members = np.array([np.isin(np.arange(models), c) for c in combinations(range(models), with_it)])
    found = audits.rank_test_p_values(np.tile(score, (len(members), 1)), members)
    larger = np.array([np.sum(score[member][:, None] > score[~member]) for member in members])
    assert found == pytest.approx(np.array([np.mean(larger >= count) for count in larger]))


# Slices.


def test_slices_each_with_its_rate_and_holm():
    rng = np.random.default_rng(4)
    null, members = rng.normal(size=3000), rng.normal(size=2000)
    codes, own = rng.integers(0, 3, 3000), rng.integers(0, 3, 2000)
    members[own == 1] += 3.0
    own[np.flatnonzero(own == 2)[29:]] = 0
    parts = audits.divided(audits.Scores(null, members), codes, own, 3)
    assert np.array_equal(parts[1].alternative, members[own == 1])
    found = audits.sliced(parts, 0.05, audits.GdpClaim(0.0))
    assert [(one.is_too_small, one.exceeds) for one in found] == [(False, False), (False, True), (True, False)]
    assert (found[2].rate, found[2].p_value, found[2].members) == (None, 1.0, 29)
    assert found[0].rate == audits.true_positive_rate(parts[0], 0.05, 1.0 - 0.05 / 3)
    assert found[0].null == np.sum(codes == 0)
    assert audits.surely_below(found).tolist() == [True, False, False]
    assert audits.holm(np.array([one.p_value for one in found])).tolist() == [one.exceeds for one in found]
    assert audits.surely_below(audits.sliced([parts[1], parts[1]], 0.05, audits.GdpClaim(0.0))).tolist() == [
        False,
        False,
    ]


# Shuffled labels, and rows that share a value.


def test_shuffles_give_every_assignment_equally_often():
    """Three and two scores: the null of the area is that of all 10 assignments; four standard errors."""
    scores = audits.Scores(np.array([1.0, 2.0, 4.0]), np.array([3.0, 5.0]))
    null = deque(audits.permuted(area, scores, 1000), 1).pop()
    exact = [area(audits.Scores(np.array(p[:3], float), np.array(p[3:], float))) for p in permutations([1, 2, 3, 4, 5])]
    assert (null.observed, null.sizes) == (area(scores), (2, 3))
    for value in set(exact):
        share = np.mean(np.array(exact) == value)
        assert np.mean(np.isclose(null.values, value)) == pytest.approx(share, abs=4.0 * np.sqrt(0.25 / 1000))


def test_shuffles_of_persons_keep_their_rows_and_large_groups_are_shuffled_in_part():
    seen = set()

    def look(found: audits.Scores) -> float:
        seen.add(tuple(found.alternative))
        return float(found.alternative.mean())

    scores = audits.Scores(np.array([1.0, 1.1, 9.0]), np.array([5.0, 5.2]))
    null = deque(audits.permuted_persons(look, scores, np.array([0, 0, 1]), np.array([2, 2]), 100), 1).pop()
    assert seen == {(5.0, 5.2), (1.0, 1.1), (9.0,)}
    assert null.observed == pytest.approx(5.1)
    assert null.total == len(null.values) == 100
    large = next(audits.permuted(area, audits.Scores(np.arange(50_001.0), np.arange(10.0)), 1))
    assert (large.is_subset, large.sizes) == (True, (10, 50_000))
    assert not next(audits.permuted(area, audits.Scores(np.arange(9.0), np.arange(4.0)), 1)).is_subset


@pytest.mark.parametrize("rows", [2, 10])
def test_rows_that_are_alike_are_found_and_differences_between_strata_are_no_likeness(rows):
    """With their order and scale changed; two models whose losses differ, and a value for each."""

    def found(scores, values, strata=0) -> bool:
        return audits.are_alike(scores, values, np.broadcast_to(strata, len(scores)), 1e-3)

    rng = np.random.default_rng(2)
    own = np.repeat(rng.standard_normal(400), rows)
    scores, values = own + rng.standard_normal(len(own)), np.repeat(np.arange(400), rows)
    mixed = rng.permutation(len(own))
    assert found(scores, values)
    assert found(np.exp(3.0 * scores[mixed]), values[mixed] * 7)
    assert not found(scores, rng.permutation(values))
    model = np.repeat([0, 1], 300)
    losses = rng.standard_normal(600) + 5.0 * model
    assert found(losses, model)
    assert not found(losses, model, model)
    assert not found(losses, rng.permutation(60).repeat(10)[rng.permutation(600)], model)
