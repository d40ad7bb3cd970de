"""One run with canaries: guesses, and tests against enumeration and linear programmes; laws, plans and verdicts."""

from itertools import product

import numpy as np
import pytest
import scipy
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.special import expit

from numerics.audits import ApproximateClaim, GdpClaim, ReleaseClaim, claim_test, one_run
from numerics.audits.canary_scores import CanaryScore, audit_by_scores, canary_scores
from numerics.mechanisms import Adjacency, Gaussian
from tests.numerics.audits.inside import single_p_value


def coins(canaries: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).random(canaries) < 0.5


@settings(max_examples=15)
@given(st.integers(20, 200), st.integers(0, 1000), st.data())
def test_the_largest_scores_are_called_in_and_the_smallest_out(canaries, seed, data):
    """The larger half of the count called in, the rest of it called out."""
    score, included = np.random.default_rng(seed).permutation(canaries).astype(float), coins(canaries, seed)
    counts = tuple(sorted(data.draw(st.sets(st.integers(1, canaries), min_size=1, max_size=5))))
    found, order = one_run.Canaries(score, included).guesses(counts), np.argsort(score)
    halves = [(order[canaries - (count - count // 2) :], order[: count // 2]) for count in counts]
    right = tuple(int(included[called].sum() + (~included[out]).sum()) for called, out in halves)
    assert (found.counts, found.correct) == (counts, right)
    assert one_run.Canaries(np.arctan(score), included).guesses(counts) == found
    assert found.mirrored.mirrored == found
    if canaries % 2 == 0 and all(count % 2 == 0 for count in counts):
        assert one_run.Canaries(-score, included).guesses(counts) == found.mirrored


def test_guesses_that_are_given_and_ties():
    """Abstentions count as canaries and are not guessed; the surest come first. Lots do not look at the coins."""
    included, score = np.tile([True, False], 20), np.arange(40.0) - 20.0
    guess = np.where(np.abs(score) > 5.0, np.where(included, 1, -1), 0)
    guess[0] = -1  # the surest of all, wrong: it is in
    given_guesses = one_run.Canaries(score, included, guess=guess)
    found, made = given_guesses.guesses(), int(np.count_nonzero(guess))
    assert (found.canaries, found.counts, found.correct) == (40, (made,), (made - 1,))
    assert given_guesses.guesses((1, 2)).correct == (0, 1)
    canaries = one_run.Canaries(np.zeros(999), np.arange(999) < 500)
    assert canaries.notes == (one_run.Note.TIES,)
    right = [canaries.guesses((200,), seed).correct[0] for seed in range(100)]
    assert np.mean(right) == pytest.approx(100.0, abs=4.0 * 7.1 / np.sqrt(100))  # four standard errors
    assert canaries.guesses((200,)) == canaries.guesses((200,))
    infinite = one_run.Canaries(np.where(coins(50), np.inf, -np.inf), coins(50)).guesses((10, 20))
    assert (infinite.correct, infinite.notes) == ((10, 20), (one_run.Note.TIES,))


PROMISED = Gaussian(1.0, 0.02, 300)


def projections(noise: float = 1.0, length: float = 1.0, rate: float = 0.02, reused: bool = False):
    """Of orthogonal canaries of a run with another noise multiplier, length or rate than was promised."""
    rng, included = np.random.default_rng(1), coins(500)
    drawn = noise * rng.standard_normal((500, 300))
    drawn = drawn[:, :1] if reused else drawn
    return drawn + length * (included[:, None] & (rng.random((500, 300)) < rate)), included


def test_scores_of_canaries_are_the_log_ratio_of_the_two_laws_their_variance_and_their_sum():
    made, found = projections()[0], canary_scores(projections()[0], PROMISED)
    without, record = (scipy.stats.norm(mean, 0.5).pdf(made) for mean in (0.0, 1.0))
    expected = np.log((0.98 * without + 0.02 * record) / without).sum(axis=1)
    np.testing.assert_allclose(found[CanaryScore.LIKELIHOOD_RATIO], expected, rtol=1e-9)
    np.testing.assert_allclose(found[CanaryScore.SUM], made @ np.ones(300), rtol=1e-9)
    np.testing.assert_allclose(found[CanaryScore.VARIANCE], np.mean((made - made.mean(1)[:, None]) ** 2, axis=1))
    always = canary_scores(made, Gaussian(2.0, 1.0, 300))[CanaryScore.LIKELIHOOD_RATIO]
    np.testing.assert_allclose(always, made.sum(axis=1) - 150.0, rtol=1e-9)
    for wrong, release, words in (
        (made[:, 1:], PROMISED, "projections must be"),
        (np.where(made > 4.0, np.nan, made), PROMISED, "projections must be"),
        (made, Gaussian(1.0, 0.02, 300, Adjacency.REPLACE_ONE), "release must be add/remove"),
    ):
        with pytest.raises(ValueError, match=words):
            canary_scores(wrong, release)


@pytest.mark.parametrize(
    ("fault", "by"),
    [({}, set()), ({"noise": 0.5}, {CanaryScore.LIKELIHOOD_RATIO}), ({"reused": True}, {CanaryScore.VARIANCE})],
    ids=["none", "noise halved", "noise reused"],
)
def test_each_fault_is_found_by_its_score(fault, by, monkeypatch):
    """By the scores that are said to find it, at the level that they share; of an audit only its p-value is asked."""
    made, included = projections(**fault)

    def test(guesses, claim, level, **_):
        assert (claim, level) == (ReleaseClaim(PROMISED), pytest.approx(1.0 - 0.05 / 3.0))
        return one_run.p_value(guesses, claim) <= 1.0 - level

    monkeypatch.setattr("numerics.audits.canary_scores.audit", test)
    found = audit_by_scores(made, included, PROMISED)
    assert set(found) == set(CanaryScore)
    refuted = {name for name, is_refuted in found.items() if is_refuted}
    assert by <= refuted
    assert bool(refuted) == bool(by)


@pytest.mark.parametrize(("canaries", "count", "correct"), [(20, 20, 17), (30, 12, 11), (60, 40, 30), (20, 1, 1)])
@pytest.mark.parametrize(("epsilon", "delta"), [(0.5, 0.001), (1.0, 0.0), (2.0, 0.05)])
def test_the_recursion_solves_the_linear_programme(canaries, count, correct, epsilon, delta):
    """The largest P(T >= correct) over laws of T with r_{i+1} <= F(h_i), for F the least of the lines a + b x."""
    lines = [(delta, np.exp(epsilon)), (1.0 - np.exp(-epsilon) * (1.0 - delta), np.exp(-epsilon))]
    right = np.arange(count + 1)
    above = [np.where(right >= i, right / canaries, 0.0) for i in range(count + 1)]
    wrong = [np.where(right >= i, (count - right) / canaries, 0.0) for i in range(count + 1)]
    pairs = [(above[i + 1] - b * wrong[i], a) for i in range(count) for a, b in lines]
    limits, values = zip(*pairs, strict=True)
    equal = np.ones((1, count + 1)), [1.0]
    solved = scipy.optimize.linprog(-(right >= correct).astype(float), np.array(limits), np.array(values), *equal)
    guesses = one_run.Guesses(canaries, (count,), (correct,))
    found = single_p_value(guesses, ApproximateClaim(epsilon, delta))
    assert solved.status == 0
    assert found == pytest.approx(-float(solved.fun or 0.0), abs=1e-8)


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


@st.composite
def some_guesses(draw: st.DrawFn) -> one_run.Guesses:
    """Any nested numbers of right guesses among 20 to 400 canaries."""
    canaries = draw(st.integers(20, 400))
    counts = sorted(draw(st.sets(st.integers(1, canaries), min_size=1, max_size=4)))
    correct = np.cumsum([draw(st.integers(0, more)) for more in np.diff([0, *counts]).tolist()])
    return one_run.Guesses(canaries, tuple(counts), tuple(correct.tolist()))


FAMILIES = st.one_of(
    st.builds(GdpClaim, st.floats(0.0, 4.0)),
    st.builds(ApproximateClaim, st.floats(0.0, 4.0), st.sampled_from([0.0, 1e-6, 1e-3, 0.1])),
)


@settings(max_examples=8)
@given(some_guesses(), FAMILIES, st.integers(1, 30), st.floats(0.0, 3.0))
def test_what_speaks_against_a_claim(guesses, claim, more, looser):
    """More right guesses lower the p-value; canaries that are not guessed, and a looser claim, never do.

    All counts lie between the best and Bonferroni; one count has the binomial p-value.
    """
    found, pairs = one_run.p_value(guesses, claim), list(zip(guesses.counts, guesses.correct, strict=True))
    correct = tuple(min(g, v + more) for g, v in pairs)
    if np.all(np.diff([0, *(g - v for g, v in zip(guesses.counts, correct, strict=True))]) >= 0):
        better = one_run.Guesses(guesses.canaries, guesses.counts, correct)
        assert one_run.p_value(better, claim) <= found * (1.0 + 1e-9)
    larger = one_run.Guesses(guesses.canaries + 10 * more, guesses.counts, guesses.correct)
    assert one_run.p_value(larger, claim) >= found * (1.0 - 1e-6)
    assert one_run.odds.p_value(larger, 0.5, 1e-5) >= one_run.odds.p_value(guesses, 0.5, 1e-5)
    if len(pairs) == 1 or not (isinstance(claim, ApproximateClaim) and claim.delta == 0.0):
        assert one_run.p_value(guesses, claim.with_parameter(claim.parameter + looser)) >= found * (1.0 - 1e-6)
    alone = [scipy.stats.binom.sf(v - 1, g, expit(looser)) for g, v in pairs]
    together = one_run.odds.p_value(guesses, looser)
    assert one_run.p_value(guesses, ApproximateClaim(looser, 0.0)) == together
    if len(pairs) == 1:
        assert together == pytest.approx(alone[0] if 2 * pairs[0][1] > pairs[0][0] else 1.0, rel=1e-9)
    if together < 1.0:
        assert min(alone) * (1.0 - 1e-9) <= together <= len(alone) * min(alone) * (1.0 + 1e-8)


@settings(max_examples=8)
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


def test_if_canaries_do_not_interact_it_is_the_test_of_many_runs():
    rng, included = np.random.default_rng(12), coins(100, 11)
    found = one_run.Canaries(rng.standard_normal(100) + 2.5 * included, included)
    claim = ApproximateClaim(0.5, 1e-5)
    null, alternative = found.groups(claim)
    assert np.array_equal(null, found.score[~included])
    assert np.array_equal(alternative, found.score[included])
    assert claim_test(found.groups(claim), claim).p_value < one_run.p_value(found.guesses(), claim)
