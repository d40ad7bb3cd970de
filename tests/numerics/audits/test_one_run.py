"""One run with canaries: guesses, and tests against enumeration and linear programmes; laws, plans and verdicts."""

from itertools import product
from typing import Any

import numpy as np
import pytest
import scipy
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.special import expit

from numerics.audits import ApproximateClaim, GdpClaim, ReleaseClaim, Scores, claim_test, largest_refuted, one_run
from numerics.mechanisms import Gaussian
from tests.numerics.audits.inside import GuessTails, Walk, equal_levels

CLOSE = 1e-9  # of p-values: their logarithms are halved to 1e-10
STATED = Gaussian(1.0, 0.01, 1000)
MU_1 = GdpClaim(1.0)


def coins(canaries: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).random(canaries) < 0.5


def right_by_hand(score: np.ndarray, included: np.ndarray, count: int) -> int:
    """The larger half of the count called in, the rest of it called out."""
    order, out = np.argsort(score), count // 2
    return int(included[order[len(order) - (count - out) :]].sum() + (~included[order[:out]]).sum())


# Canaries and guesses.


@settings(max_examples=15)
@given(st.integers(20, 200), st.integers(0, 1000), st.data())
def test_the_largest_scores_are_called_in_and_the_smallest_out(canaries, seed, data):
    score, included = np.random.default_rng(seed).permutation(canaries).astype(float), coins(canaries, seed)
    counts = tuple(sorted(data.draw(st.sets(st.integers(1, canaries), min_size=1, max_size=5))))
    found = one_run.Canaries(score, included).guesses(counts)
    assert (found.counts, found.correct) == (counts, tuple(right_by_hand(score, included, c) for c in counts))
    assert one_run.Canaries(np.arctan(score), included).guesses(counts) == found
    if canaries % 2 == 0 and all(count % 2 == 0 for count in counts):
        assert one_run.Canaries(-score, included).guesses(counts) == found.mirrored
    assert found.mirrored.mirrored == found


def test_guesses_that_are_given():
    """Abstentions count as canaries and are not guessed; the surest come first; only guesses have an order."""
    included, score = np.tile([True, False], 20), np.arange(40.0) - 20.0
    guess = np.where(np.abs(score) > 5.0, np.where(included, 1, -1), 0)
    guess[0] = -1  # the surest of all, wrong: it is in
    found = one_run.Canaries(score, included, guess=guess).guesses()
    made = int(np.count_nonzero(guess))
    assert (found.canaries, found.counts, found.correct) == (40, (made,), (made - 1,))
    assert one_run.Canaries(score, included, guess=guess).guesses((1, 2)).correct == (0, 1)
    assert one_run.Canaries(np.where(guess == 0, 0.0, np.arange(40.0) + 1.0), included, guess=guess).notes == ()


def test_equal_and_infinite_scores_are_ordered_by_lots_that_do_not_look_at_the_coins():
    included = np.concatenate([np.ones(500, bool), np.zeros(499, bool)])
    canaries = one_run.Canaries(np.zeros(999), included)
    assert canaries.notes == (one_run.Note.TIES,)
    right = [canaries.guesses((200,), seed).correct[0] for seed in range(100)]
    assert np.mean(right) == pytest.approx(100.0, abs=4.0 * 7.1 / np.sqrt(100))  # four standard errors
    assert canaries.guesses((200,)) == canaries.guesses((200,))
    infinite = one_run.Canaries(np.where(coins(50), np.inf, -np.inf), coins(50)).guesses((10, 20))
    assert (infinite.correct, infinite.notes) == ((10, 20), (one_run.Note.TIES,))


# Tests of curves and of odds.


def programme(canaries: int, count: int, correct: int, lines: list[tuple[float, float]]) -> float:
    """Largest P(T >= correct) over laws of T with r_{i+1} <= F(h_i), for F the least of ``lines`` a + b x."""
    right = np.arange(count + 1)
    above = [np.where(right >= i, right / canaries, 0.0) for i in range(count + 1)]
    wrong = [np.where(right >= i, (count - right) / canaries, 0.0) for i in range(count + 1)]
    pairs = [(above[i + 1] - b * wrong[i], a) for i in range(count) for a, b in lines]
    found = scipy.optimize.linprog(
        -(right >= correct).astype(float),
        A_ub=np.array([row for row, _ in pairs]),
        b_ub=np.array([limit for _, limit in pairs]),
        A_eq=np.ones((1, count + 1)),
        b_eq=[1.0],
    )
    assert found.status == 0
    return -float(found.fun or 0.0)


@pytest.mark.parametrize(("canaries", "count", "correct"), [(20, 20, 17), (30, 12, 11), (60, 40, 30), (20, 1, 1)])
@pytest.mark.parametrize(("epsilon", "delta"), [(0.5, 0.001), (1.0, 0.0), (2.0, 0.05)])
def test_the_recursion_solves_the_linear_programme(canaries, count, correct, epsilon, delta):
    lines = [(delta, np.exp(epsilon)), (1.0 - np.exp(-epsilon) * (1.0 - delta), np.exp(-epsilon))]
    (found,) = one_run.single_p_values(
        one_run.Guesses(canaries, (count,), (correct,)), ApproximateClaim(epsilon, delta)
    )
    assert found == pytest.approx(programme(canaries, count, correct, lines), abs=1e-8)


@pytest.mark.parametrize("epsilon", [0.0, 1.2])
@pytest.mark.parametrize(("counts", "correct"), [((3, 7, 12), (3, 6, 9)), ((2, 11), (2, 8))])
def test_all_counts_together_by_enumeration(counts, correct, epsilon):
    """Every sequence of right and wrong guesses, and delta's part by walks with so many right ones on top."""
    q, most = float(expit(epsilon)), counts[-1]
    walks = np.array(list(product((0, 1), repeat=most)))
    chance = np.prod(np.where(walks == 1, q, 1.0 - q), axis=1)
    right = np.cumsum(walks, axis=1)[:, np.array(counts) - 1]
    tails = np.array([[scipy.stats.binom.sf(v - 1, g, q) for v in range(g + 2)] + [0.0] * (most - g) for g in counts])
    least = min(tails[place][v] for place, v in enumerate(correct))
    levels = np.array([np.argmax(row <= least * (1.0 + 1e-9)) for row in tails])
    reached = levels <= np.array(counts)
    crossing = [float(chance[np.any((right >= levels - i)[:, reached], axis=1)].sum()) for i in range(most + 1)]
    guesses, delta = one_run.Guesses(20, counts, correct), 1e-3
    assert one_run.odds.p_value(guesses, epsilon) == pytest.approx(crossing[0], rel=1e-12)
    step = max((crossing[i] - crossing[0]) / i for i in range(1, most + 1))
    expected = min(1.0, crossing[0] + 2 * 20 * delta * step)
    assert one_run.odds.p_value(guesses, epsilon, delta) == pytest.approx(expected, rel=1e-12)
    union = one_run.odds.p_value(guesses, epsilon, delta, one_run.DeltaTerm.UNION)
    assert union == pytest.approx(min(1.0, crossing[0] + 20 * delta), rel=1e-12)


def test_long_walks_are_taken_in_strides_that_only_raise_the_p_value():
    guesses, epsilon, delta = one_run.Guesses(2000, (300, 2000), (240, 1350)), 0.05, 1e-6
    certain = one_run.odds.p_value(guesses, epsilon)
    least = min(scipy.stats.binom.sf(v - 1, g, expit(epsilon)) for g, v in ((300, 240), (2000, 1350)))
    levels = equal_levels(guesses.counts, least, epsilon)
    walk = Walk(levels.counts, epsilon)
    steps = [(walk.crosses([v - i for v in levels.correct]) - certain) / i for i in range(1, 300)]
    assert np.argmax(steps) + 1 > 64  # where one stands for several
    exact = 2 * guesses.canaries * delta * max(steps)
    assert exact * (1.0 - 1e-9) <= one_run.odds.p_value(guesses, epsilon, delta) - certain <= 1.05 * exact


# Laws over drawn guesses.


@st.composite
def some_guesses(draw: st.DrawFn, fewest: int = 1, most: int = 4) -> one_run.Guesses:
    """Any nested numbers of right guesses among 20 to 400 canaries."""
    canaries = draw(st.integers(20, 400))
    counts = sorted(draw(st.sets(st.integers(1, canaries), min_size=fewest, max_size=most)))
    correct = np.cumsum([draw(st.integers(0, more)) for more in np.diff([0, *counts]).tolist()])
    return one_run.Guesses(canaries, tuple(counts), tuple(correct.tolist()))


FAMILIES = st.one_of(
    st.builds(GdpClaim, st.floats(0.0, 4.0)),
    st.builds(ApproximateClaim, st.floats(0.0, 4.0), st.sampled_from([0.0, 1e-6, 1e-3, 0.1])),
)


@settings(max_examples=15)
@given(some_guesses(), FAMILIES, st.integers(1, 30), st.floats(0.0, 3.0))
def test_what_speaks_against_a_claim(guesses, claim, more, looser):
    """More right guesses lower the p-value; canaries that are not guessed, and a looser claim, never do."""
    found = one_run.p_value(guesses, claim)
    correct = tuple(min(g, v + more) for g, v in zip(guesses.counts, guesses.correct, strict=True))
    if np.all(np.diff([0, *(g - v for g, v in zip(guesses.counts, correct, strict=True))]) >= 0):
        assert one_run.p_value(one_run.Guesses(guesses.canaries, guesses.counts, correct), claim) <= found * (
            1.0 + CLOSE
        )
    larger = one_run.Guesses(guesses.canaries + 10 * more, guesses.counts, guesses.correct)
    assert one_run.p_value(larger, claim) >= found * (1.0 - 1e-6)
    assert one_run.odds.p_value(larger, 0.5, 1e-5) >= one_run.odds.p_value(guesses, 0.5, 1e-5)
    pure = isinstance(claim, ApproximateClaim) and claim.delta == 0.0
    if len(guesses.counts) == 1 or not pure:
        assert one_run.p_value(guesses, claim.with_parameter(claim.parameter + looser)) >= found * (1.0 - 1e-6)


@settings(max_examples=15)
@given(some_guesses(), st.floats(0.0, 5.0))
def test_all_counts_lie_between_the_best_and_bonferroni(guesses, epsilon):
    """One count has the binomial p-value, by either way."""
    pairs = list(zip(guesses.counts, guesses.correct, strict=True))
    alone = [scipy.stats.binom.sf(v - 1, g, expit(epsilon)) for g, v in pairs]
    found = one_run.odds.p_value(guesses, epsilon)
    assert one_run.p_value(guesses, ApproximateClaim(epsilon, 0.0)) == found
    if len(pairs) == 1:
        assert found == pytest.approx(alone[0] if 2 * pairs[0][1] > pairs[0][0] else 1.0, rel=CLOSE)
    if found < 1.0:
        assert min(alone) * (1.0 - 1e-9) <= found <= len(alone) * min(alone) * (1.0 + 1e-8)


@settings(max_examples=10)
@given(some_guesses(), st.sampled_from([0.0, 1e-6, 1e-4]), st.floats(0.5, 0.99), FAMILIES, st.booleans())
def test_the_bound_is_refuted_and_hardly_more_is_not(guesses, delta, level, claim, two_sided):
    found = one_run.odds.epsilon_at_least(guesses, delta, level)
    if found > 0.0:
        assert one_run.odds.p_value(guesses, found, delta) <= (1.0 - level) * (1.0 + 1e-9)
    assert one_run.odds.p_value(guesses, found + 1e-6, delta) >= (1.0 - level) * (1.0 - 1e-4)
    refuted = one_run.parameter_refuted(guesses, claim, 0.9, two_sided)
    if refuted is not None:
        assert one_run.p_value(guesses, claim.with_parameter(refuted), two_sided) <= 0.1 * (1.0 + 1e-6)
    assume(refuted is None or refuted < 40.0)
    beyond = claim.with_parameter(0.001 if refuted is None else min(refuted * 1.001, claim.limits[1]))
    assert one_run.p_value(guesses, beyond, two_sided) >= 0.1 * (1.0 - 1e-6)


# Plans.


@pytest.mark.parametrize("claim", [MU_1, ApproximateClaim(1.0, 1e-5), ApproximateClaim(1.0, 0.0)], ids=str)
@pytest.mark.parametrize(("canaries", "counts"), [(1000, (30, 100, 300)), (60, (20,))])
def test_one_right_guess_less_does_not_refute(claim, canaries, counts):
    """At each count by itself: before it as few as can be are right, after it none."""
    for place, least in enumerate(one_run.critical_counts(claim, canaries, counts)):
        for correct, refuted in ((counts[place] if least is None else least - 1, False), (least, True)):
            if correct is not None:
                before = [max(0, correct - (counts[place] - count)) for count in counts[:place]]
                right = (*before, *[correct] * (len(counts) - place))
                assert (one_run.p_value(one_run.Guesses(canaries, counts, right), claim) < 0.05) is refuted


@pytest.mark.parametrize(("count", "least"), [(9, 8), (10, 9)])
def test_the_number_of_right_guesses_by_simulation(count, least):
    """Few canaries show which order statistic is meant; four standard errors."""
    runs, canaries, rng = 20_000, 30, np.random.default_rng(5)
    included = rng.random((runs, canaries)) < 0.5
    score = rng.standard_normal((runs, canaries)) + 1.5 * included
    falling = np.take_along_axis(included, np.argsort(-score, axis=1), axis=1)
    out = count // 2
    right = falling[:, : count - out].sum(axis=1) + (~falling[:, canaries - out :]).sum(axis=1)
    found = GuessTails.of(GdpClaim(1.5)).at_least(least, count, canaries)
    assert found == pytest.approx(np.mean(right >= least), abs=4.0 * np.sqrt(0.25 / runs))
    (critical,) = one_run.critical_counts(GdpClaim(0.3), canaries, (count,))
    expected = 0.0 if critical is None else GuessTails.of(GdpClaim(1.5)).at_least(critical, count, canaries)
    assert one_run.power(GdpClaim(0.3), GdpClaim(1.5), canaries, (count,)) == pytest.approx(expected, rel=1e-12)


def test_power_grows_with_the_violation_and_the_smallest_one_is_found():
    found = [one_run.power(MU_1, GdpClaim(mu), 1000) for mu in (1.0, 1.3, 1.6, 2.0, 3.0)]
    assert found == sorted(found)
    assert found[0] < 0.01
    assert found[-1] > 0.999
    for claim, closer in ((MU_1, 0.97), (ReleaseClaim(Gaussian(1.0)), 1.03)):
        assert one_run.power(claim, claim, 600) <= 0.05
        smallest = one_run.smallest_violation(claim, 600)
        assert smallest is not None
        assert one_run.power(claim, claim.with_parameter(smallest), 600) >= 0.8
        assert one_run.power(claim, claim.with_parameter(smallest * closer), 600) < 0.8
    needed = one_run.canaries_needed(MU_1, GdpClaim(3.0))
    assert needed is not None
    assert needed.power == one_run.power(MU_1, GdpClaim(3.0), needed.canaries) >= 0.8
    assert needed.counts == one_run.preset_counts(needed.canaries)
    assert one_run.power(MU_1, GdpClaim(3.0), round(needed.canaries / 1.2)) < 0.8


def test_if_canaries_do_not_interact_it_is_the_test_of_many_runs():
    rng, included = np.random.default_rng(12), coins(200, 11)
    found = one_run.Canaries(rng.standard_normal(200) + 2.5 * included, included)
    groups, claim = Scores(found.score[~included], found.score[included]), GdpClaim(0.8)
    answer: Any = one_run.if_independent(found, claim)
    assert (answer.test, answer.refuted) == (claim_test(groups, claim), largest_refuted(groups, claim))
    assert answer.test.p_value < one_run.p_value(found.guesses(), claim)
    assert (one_run.parameter_refuted(found.guesses(), claim) or 0.0) < (answer.refuted or 0.0) < 2.5
    inside, outside = found.score[included] > 1.0, found.score[~included] > 1.0
    high, low = (scipy.stats.binomtest(int(g.sum()), len(g)).proportion_ci(0.95, "exact") for g in (outside, inside))
    assert one_run.epsilon_at_threshold(found, 1.0, 1e-5) == pytest.approx(
        np.log((low.low - 1e-5) / high.high), rel=1e-9
    )
    same = one_run.Canaries(np.where(included, 1.0, 0.0), included)  # of scores at the threshold none is above it
    at = [one_run.epsilon_at_threshold(same, threshold, 0.0) for threshold in (0.5, 0.0, 1.0)]
    assert at[0] == at[1] > 2.0
    assert at[2] == 0.0
