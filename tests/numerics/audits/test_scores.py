"""What scores show: limits of rates, areas and whole curves, of slices and of records, each by its definition."""

from dataclasses import replace
from operator import attrgetter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics import audits
from numerics.audits.threshold_attack import threshold_attack
from numerics.epsilon_star.aggregates import LossBins
from numerics.mechanisms import Gaussian
from numerics.trade_off import Bound, Order, TradeOffCurve, alpha_grid
from tests.numerics.audits.inside import band_limits

ALPHA = np.concatenate(([0.0], np.geomspace(1e-4, 1.0, 60)))
ROUNDING = 1e-12
SIDE = st.lists(st.integers(-9, 9) | st.sampled_from([-np.inf, np.inf]), min_size=1, max_size=50).map(
    lambda values: np.array(values, float)
)
limits = attrgetter("lower", "upper")
PAIR = st.builds(audits.Scores, SIDE, SIDE)


def area(scores: audits.Scores) -> float:
    return audits.area_under_curve(scores).value


@settings(max_examples=15)
@given(PAIR, st.sampled_from([Order.ADD, Order.REMOVE]), st.floats(0.01, 0.999), st.booleans())
def test_areas_by_pairs_and_curves_in_order_and_mirrored(scores, order, level, together):
    found, pairs = audits.area_under_curve(scores), (scores.alternative[:, None], scores.null[None, :])
    assert found.value == pytest.approx(np.mean((pairs[0] > pairs[1]) + 0.5 * (pairs[0] == pairs[1])))
    assert found.lower <= found.value <= found.upper
    mirrored = audits.area_under_curve(audits.Scores(scores.alternative, scores.null))
    assert (mirrored.value, mirrored.lower) == pytest.approx((1.0 - found.value, 1.0 - found.upper), abs=1e-9)
    confidence = audits.Confidence(level, together)
    curve = audits.measured_curve(scores, alpha_grid(41), confidence, order)
    lower, upper = limits(curve)
    for one in (curve, lower, upper):
        assert one.bound is Bound.AUDIT
        assert one.beta + one.power == pytest.approx(np.ones(41), abs=ROUNDING)
        assert np.all(np.diff(one.power) >= 0)
    assert np.all((lower.beta <= curve.beta + ROUNDING) & (curve.beta <= upper.beta + ROUNDING))
    other = Order.REMOVE if order is Order.ADD else Order.ADD
    negated = audits.Scores(-scores.alternative, -scores.null)
    swapped = audits.measured_curve(negated, alpha_grid(41), confidence, other)
    assert np.array_equal(swapped.power, curve.power)
    assert np.array_equal(limits(swapped)[1].power, upper.power)


def test_positions_name_the_side_and_repeated_audits_are_those_of_equal_parts():
    rng, alpha = np.random.default_rng(7), np.array([0.05, 0.2])
    curve = audits.measured_curve(audits.Scores(rng.standard_normal(20_000), rng.standard_normal(20_000) + 1.0), alpha)
    places = [audits.positions(curve, Gaussian(noise).trade_off(alpha)) for noise in (1.0, 0.5, 2.0)]
    assert places == [
        (place,) * 2 for place in (audits.Position.INSIDE, audits.Position.WEAKER, audits.Position.STRONGER)
    ]
    flat = [TradeOffCurve(alpha, np.full(2, b), np.full(2, 1 - b), Bound.CERTIFIED, "x") for b in (0.1, 0.3, 0.95)]
    wide = TradeOffCurve(alpha, flat[1].beta, flat[1].power, Bound.CERTIFIED, "x", (), flat[0], flat[2])
    assert audits.positions(curve, flat[1]) != audits.positions(curve, wide) == (audits.Position.INSIDE,) * 2
    scores = audits.Scores(rng.normal(size=31), rng.normal(1.0, 1.0, 47))
    parts = [audits.Scores(scores.null[k : k + 10], scores.alternative[3 * k // 2 :][:15]) for k in (0, 10, 20)]
    for order in (Order.ADD, Order.REMOVE):
        missed = np.array([audits.measured_curve(part, alpha, order=order).beta for part in parts])
        found = audits.repeated(scores, 3, alpha, order)
        assert found.mean == pytest.approx(missed.mean(axis=0))
        assert found.deviation == pytest.approx(missed.std(axis=0, ddof=1))


@settings(max_examples=10)
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
    assert np.all((upper.power <= region.power + ROUNDING) & (region.power <= lower.power + ROUNDING))


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


@pytest.mark.parametrize(("sizes", "digits"), [((300, 900), 9), ((900, 300), 1), ((5000, 4000), 2)])
def test_a_threshold_on_losses_is_the_attack_by_scores_and_coarser_bins_say_less(
    sizes: tuple[int, int], digits: int
) -> None:
    """With a bin for each loss all limits are those of the scores, ties among them; by fewer bins none is narrower."""
    lots = np.random.default_rng(sum(sizes))
    train, population = (np.sort(np.round(lots.normal(0.7 * side, 1.0, sizes[side]), digits)) for side in (0, 1))
    scores, full = audits.Scores(-population, -train), LossBins.of_losses(train, population)
    exact, start = threshold_attack(full), np.arange(0, len(full.lowest), 5)
    for rate in exact.rates:
        other = audits.true_positive_rate(scores, rate.alpha)
        assert replace(rate, value=other.value) == other
        assert rate.value == pytest.approx(other.value, abs=1e-12)
    area = audits.area_under_curve(scores)
    assert (exact.area, *exact.area_limits) == pytest.approx((area.value, area.lower, area.upper), abs=1e-12)
    assert exact.gained == audits.surely_gained(scores) > 0.0
    last = np.append(start[1:], len(full.lowest)) - 1
    sums = (np.add.reduceat(counts, start) for counts in (full.train, full.population))
    coarse = threshold_attack(LossBins(full.lowest[start], full.highest[last], *sums))
    for rate, other in zip(exact.rates, coarse.rates, strict=True):
        assert (other.lower or 0.0) <= (rate.lower or 0.0) <= rate.upper <= other.upper
    (low, high), inner = coarse.area_limits, exact.area_limits
    assert low < inner[0] < inner[1] < high
    assert coarse.gained <= exact.gained
