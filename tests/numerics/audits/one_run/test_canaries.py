"""Canaries: their order of confidence, what is refused, and what is noticed."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from numerics.audits.one_run import Canaries, Guesses, Note, preset_counts
from numerics.audits.one_run.guesses import coin_p_value


def coins(canaries: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).random(canaries) < 0.5


def by_hand(score: np.ndarray, included: np.ndarray, count: int) -> int:
    """Right guesses: the larger half of the count called in, the rest of it called out."""
    order = np.argsort(score)
    out = count // 2
    return int(included[order[len(order) - (count - out) :]].sum() + (~included[order[:out]]).sum())


@settings(max_examples=100)
@given(st.integers(20, 200), st.integers(0, 1000), st.data())
def test_the_largest_scores_are_called_in_and_the_smallest_out(canaries, seed, data):
    rng = np.random.default_rng(seed)
    score = rng.permutation(canaries).astype(float)
    included = coins(canaries, seed)
    counts = tuple(sorted(data.draw(st.sets(st.integers(1, canaries), min_size=1, max_size=5))))
    found = Canaries(score, included).guesses(counts)
    assert found.counts == counts
    assert found.correct == tuple(by_hand(score, included, count) for count in counts)


def test_increasing_maps_of_the_scores_change_nothing_and_reflection_turns_all_guesses_around() -> None:
    included, score = coins(101), np.random.default_rng(1).normal(size=101)
    counts = (10, 30, 100)
    found = Canaries(score, included).guesses(counts)
    assert Canaries(np.exp(score), included).guesses(counts) == found
    assert Canaries(-score, included).guesses(counts) == found.mirrored
    assert found.mirrored.mirrored == found


def test_infinite_scores_are_ordered_like_others() -> None:
    included = coins(50)
    score = np.where(included, np.inf, -np.inf)
    found = Canaries(score, included).guesses((10, 20))
    assert found.correct == (10, 20)
    assert found.notes == (Note.TIES,)


def test_guesses_that_are_given() -> None:
    """Abstentions count as canaries and are not guessed; the surest come first."""
    included = np.tile([True, False], 20)
    score = np.arange(40.0) - 20.0
    guess = np.where(np.abs(score) > 5.0, np.where(included, 1, -1), 0)
    guess[0] = -1  # the surest of all, wrong: it is in
    found = Canaries(score, included, guess=guess).guesses()
    made = int(np.count_nonzero(guess))
    assert (found.canaries, found.counts, found.correct) == (40, (made,), (made - 1,))
    assert Canaries(score, included, guess=guess).guesses((1, 2)).correct == (0, 1)
    abstained = np.where(guess == 0, 0.0, np.arange(40.0) + 1.0)
    assert Canaries(abstained, included, guess=guess).notes == ()  # only guesses have an order
    with pytest.raises(ValueError, match=f"counts must be at most the {made} guesses made, got 40"):
        Canaries(score, included, guess=guess).guesses((40,))


def test_equal_scores_are_ordered_by_lots_that_do_not_look_at_the_coins() -> None:
    included = np.concatenate([np.ones(500, bool), np.zeros(499, bool)])
    canaries = Canaries(np.zeros(999), included)
    assert canaries.notes == (Note.TIES,)
    right = [canaries.guesses((200,), seed).correct[0] for seed in range(200)]
    assert np.mean(right) == pytest.approx(100.0, abs=4.0 * 7.1 / np.sqrt(200))
    assert canaries.guesses((200,)) == canaries.guesses((200,))


@pytest.mark.parametrize(("canaries", "inside"), [(20, 3), (100, 50), (1000, 551), (1000, 449)])
def test_coins_are_tested_by_the_binomial_law(canaries, inside):
    expected = stats.binomtest(inside, canaries, 0.5).pvalue
    assert coin_p_value(canaries, inside) == pytest.approx(expected, rel=1e-9)


def test_unfair_coins_are_refused_and_even_ones_noticed() -> None:
    score = np.arange(1000.0)
    fewest = next(k for k in range(500, 1000) if stats.binomtest(k, 1000).pvalue < 1e-3)
    with pytest.raises(ValueError, match=f"included must be fair coins, got {fewest} of 1,000: as uneven a number"):
        Canaries(score, score < fewest)
    Canaries(score, score < fewest - 1)
    assert Canaries(score, score < 500).notes == (Note.HALF_AND_HALF,)
    assert Canaries(score, score < 501).notes == ()
    assert Canaries(score[:98], score[:98] < 49).notes == ()


def test_refusals() -> None:
    score, included = np.arange(30.0), coins(30)
    with pytest.raises(ValueError, match=r"number of canaries must be between 20 and 1e\+09, got 19"):
        Canaries(score[:19], included[:19])
    with pytest.raises(ValueError, match="score must be numbers, got 2 NaN among 30"):
        Canaries(np.where(score < 2, np.nan, score), included)
    with pytest.raises(ValueError, match="equal length, got shapes"):
        Canaries(score, included[:29])
    with pytest.raises(ValueError, match="guess must be -1, 0 or 1, got 2"):
        Canaries(score, included, guess=np.full(30, 2))
    with pytest.raises(TypeError, match="included must be an array of truth values"):
        Canaries(score, score)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="counts must ascend from 1 up to the 30 canaries, got"):
        Canaries(score, included).guesses((10, 31))
    with pytest.raises(ValueError, match="counts must ascend"):
        Guesses(30, (), ())
    with pytest.raises(ValueError, match="correct must have one number for each count"):
        Guesses(30, (10, 20), (5,))
    for correct in ((11, 12), (5, 4), (5, 16)):
        with pytest.raises(ValueError, match="correct must grow by 0 up to the guesses added"):
            Guesses(30, (10, 20), correct)


def test_what_the_numbers_say_by_themselves() -> None:
    assert Guesses(100, (20, 50), (10, 25)).remarks == (Note.NOTHING_SHOWN,)
    assert Guesses(100, (20, 50), (1, 2)).remarks == (Note.NOTHING_SHOWN, Note.BACKWARDS)
    assert Guesses(100, (20, 50), (11, 25)).remarks == ()


@pytest.mark.parametrize("canaries", [20, 50, 99, 100, 1000, 12_345])
def test_preset_counts_are_few_and_even(canaries):
    counts = preset_counts(canaries)
    assert all(count % 2 == 0 for count in counts)
    assert counts[0] >= 10
    assert counts[-1] <= max(10, 0.3 * canaries + 1)
