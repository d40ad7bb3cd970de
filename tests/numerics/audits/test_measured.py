"""Measured curves: limits hold as often as they say, for any scores; and against Clopper-Pearson done by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from numerics import Gaussian, Laplace
from numerics.audits import Confidence, Position, Scores, measured_curve, positions
from numerics.trade_off import Bound, Order, TradeOffCurve, alpha_grid

ALPHA = np.array([0.0, 0.002, 0.05, 0.3, 0.5, 0.9, 1.0])
MU = 1.0
RISK = 0.1
REPEATS = 800
# Four standard errors of a share of REPEATS repetitions.
SLACK = 4.0 * np.sqrt(RISK * (1.0 - RISK) / REPEATS)


def normal_scores(generator, null_rounds=400, rounds=300, mu=MU):
    return Scores(generator.standard_normal(null_rounds), generator.standard_normal(rounds) + mu)


def tied(scores: Scores) -> Scores:
    """Scores rounded to thirds: the same attack, read off a coarse dial."""
    return Scores(*(np.floor(side * 3.0) / 3.0 for side in scores))


def tied_power(alpha: np.ndarray) -> np.ndarray:
    """Power of the coarse dial's attack with lots drawn at the last mark: chords between the dial's corners."""
    marks = np.arange(40, -41, -1) / 3.0
    return np.asarray(np.interp(alpha, stats.norm.sf(marks), stats.norm.sf(marks - MU)))


def limits(curve: TradeOffCurve) -> tuple[TradeOffCurve, TradeOffCurve]:
    """The curve's lower and upper limit of beta."""
    assert curve.lower is not None
    assert curve.upper is not None
    return curve.lower, curve.upper


def missed(make, power, confidence: Confidence) -> np.ndarray:
    """For each repetition and alpha (REPEATS, k): whether the true power is outside of the limits."""
    generator = np.random.default_rng(20230721)
    outside = []
    for _ in range(REPEATS):
        lower, upper = limits(measured_curve(make(generator), ALPHA, confidence))
        outside.append((power > lower.power) | (power < upper.power))
    return np.array(outside)


@pytest.mark.parametrize("coarse", [False, True])
def test_each_limit_fails_at_most_as_often_as_it_says(coarse):
    power = tied_power(ALPHA) if coarse else Gaussian(1 / MU).trade_off(ALPHA).power
    make = (lambda generator: tied(normal_scores(generator))) if coarse else normal_scores
    shares = missed(make, power, Confidence(1.0 - RISK)).mean(axis=0)
    assert shares.max() <= RISK + SLACK
    if not coarse:
        assert shares.max() > RISK / 100  # limits that never fail would be useless


def test_simultaneous_limits_fail_anywhere_at_most_as_often_as_they_say():
    power = Gaussian(1 / MU).trade_off(ALPHA).power
    together = missed(normal_scores, power, Confidence(1.0 - RISK, simultaneous=True)).any(axis=1).mean()
    each = missed(normal_scores, power, Confidence(1.0 - RISK)).any(axis=1).mean()
    assert together <= RISK + SLACK
    assert together < each


def test_limits_by_hand():
    """100 rounds, alpha 0.3, 80 % confidence: each of the four claims may fail with 5 %."""
    scores = normal_scores(np.random.default_rng(3), 100, 100)
    curve = measured_curve(scores, np.array([0.3]), Confidence(0.8))
    ascending = np.sort(scores.null)
    strict = max(k for k in range(100) if stats.binom.cdf(k, 100, 0.3) <= 0.05)  # accused
    loose = max(k for k in range(100) if stats.binom.cdf(k, 100, 0.7) <= 0.05)  # spared
    hits = int(np.sum(scores.alternative > ascending[99 - strict]))
    more = int(np.sum(scores.alternative >= ascending[loose]))
    reached = stats.binomtest(hits, 100, alternative="greater").proportion_ci(0.95).low
    at_most = stats.binomtest(more, 100, alternative="less").proportion_ci(0.95).high
    lower, upper = limits(curve)
    assert upper.power[0] == pytest.approx(reached, rel=1e-9)
    assert lower.power[0] == pytest.approx(at_most, rel=1e-9)
    assert upper.beta[0] == pytest.approx(1 - reached, rel=1e-9)
    assert lower.beta[0] == pytest.approx(1 - at_most, rel=1e-9)


def test_the_shown_curve_draws_lots_among_ties():
    scores = Scores(np.array([0.0, 0.0, 1.0, 1.0]), np.array([0.0, 1.0, 1.0, 2.0]))
    curve = measured_curve(scores, np.array([0.0, 0.25, 0.5, 0.75, 1.0]))
    np.testing.assert_allclose(curve.power, [0.25, 0.5, 0.75, 0.875, 1.0])


def test_too_few_rounds_claim_nothing():
    """In 20 rounds no threshold has surely a rate below 0.001 or above 0.999: all may be accused, or nobody."""
    scores = Scores(np.arange(20.0), np.arange(20.0) + 100.0)
    lower, upper = limits(measured_curve(scores, np.array([0.0, 0.001, 0.5, 0.999, 1.0])))
    assert upper.power[:2].tolist() == [0.0, 0.0]
    assert upper.power[2] > 0.7
    worse = Scores(scores.alternative, scores.null)
    lower, upper = limits(measured_curve(worse, np.array([0.0, 0.001, 0.5, 0.999, 1.0])))
    assert lower.power[3:].tolist() == [1.0, 1.0]
    assert lower.power[2] < 0.3


numbers = st.lists(st.sampled_from([-np.inf, -1.0, 0.0, 1e-3, 2.0, np.inf]) | st.floats(-5, 5), min_size=1, max_size=60)


@settings(max_examples=200, deadline=None)
@given(numbers, numbers, st.sampled_from([Order.ADD, Order.REMOVE]), st.floats(0.01, 0.999), st.booleans())
def test_any_scores_give_curves_in_order(null, alternative, order, level, together):
    scores = Scores(np.array(null), np.array(alternative))
    curve = measured_curve(scores, alpha_grid(41), Confidence(level, together), order)
    lower, upper = limits(curve)
    for each in (curve, lower, upper):
        assert each.bound is Bound.AUDIT
        np.testing.assert_allclose(each.beta + each.power, 1.0, atol=1e-12)
        assert np.all(np.diff(each.power) >= 0)
    assert np.all(lower.beta <= curve.beta + 1e-12)
    assert np.all(curve.beta <= upper.beta + 1e-12)


def test_more_confidence_and_fewer_rounds_widen():
    scores = normal_scores(np.random.default_rng(5), 2000, 2000)
    fewer = Scores(scores.null[:200], scores.alternative[:200])

    def width(rounds, level):
        lower, upper = limits(measured_curve(rounds, np.array([0.1]), Confidence(level)))
        return upper.beta[0] - lower.beta[0]

    assert width(scores, 0.9) < width(scores, 0.99) < width(fewer, 0.99)


def test_the_other_order_is_the_mirror_image():
    """Accusing of absence: false alarms and misses change places, so must their limits."""
    scores = normal_scores(np.random.default_rng(6))
    there = measured_curve(scores, ALPHA, order=Order.REMOVE)
    swapped = measured_curve(Scores(-scores.alternative, -scores.null), ALPHA)
    for one, other in zip((there, *limits(there)), (swapped, *limits(swapped)), strict=True):
        assert np.array_equal(one.power, other.power)


def test_positions_name_the_side():
    scores = normal_scores(np.random.default_rng(7), 20_000, 20_000)
    alpha = np.array([0.05, 0.2])
    curve = measured_curve(scores, alpha)
    theories = {1.0: Position.INSIDE, 0.5: Position.WEAKER, 2.0: Position.STRONGER}
    for noise, position in theories.items():
        assert positions(curve, Gaussian(noise).trade_off(alpha)) == (position, position)


def test_a_certified_theory_counts_with_its_bracket():
    alpha = np.array([0.1])
    flat = [TradeOffCurve(alpha, np.array([b]), np.array([1 - b]), Bound.CERTIFIED, "x") for b in (0.1, 0.3, 0.95)]
    wide = TradeOffCurve(alpha, flat[1].beta, flat[1].power, Bound.CERTIFIED, "x", (), flat[0], flat[2])
    measured = measured_curve(normal_scores(np.random.default_rng(8)), alpha)
    assert positions(measured, flat[1]) == (Position.WEAKER,)
    assert positions(measured, wide) == (Position.INSIDE,)


def test_refusals():
    good = normal_scores(np.random.default_rng(9), 20, 20)
    alpha = np.array([0.1])
    with pytest.raises(ValueError, match="level must be strictly between 0 and 1, got 1"):
        Confidence(1.0)
    with pytest.raises(ValueError, match="null scores must be a vector with at least one round"):
        measured_curve(Scores(np.empty(0), good.alternative), alpha)
    with pytest.raises(ValueError, match="alternative scores must be numbers, got NaN"):
        measured_curve(Scores(good.null, np.array([np.nan])), alpha)
    with pytest.raises(ValueError, match="order must be add-one or remove-one"):
        measured_curve(good, alpha, order=Order.SYMMETRIC)
    with pytest.raises(ValueError, match="alpha must be between 0 and 1"):
        measured_curve(good, np.array([1.5]))
    with pytest.raises(ValueError, match="same alpha"):
        positions(measured_curve(good, alpha), Laplace(1.0).trade_off(np.array([0.2])))
    with pytest.raises(ValueError, match="measured must carry lower and upper limits"):
        positions(Laplace(1.0).trade_off(alpha), Laplace(1.0).trade_off(alpha))
