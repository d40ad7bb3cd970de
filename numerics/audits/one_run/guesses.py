"""Guesses about canaries, each in or out of one training run by its own fair coin, and how many of them are right.

One run is audited (Steinke, Nasr and Jagielski 2023): scores of the canaries say which were in, larger meaning "in".
With g guesses the g/2 largest scores are called in and the g/2 smallest out; in order of confidence the largest, the
smallest, the second largest, ... so that fewer guesses are a part of more. What follows is about the **mechanism**,
that is this code with these settings, and rests on what the auditor confirms: every coin independent and fair, all else
fixed before, scores and numbers of guesses chosen without a look at the coins, one run, and no canary kept back.
"""

from enum import StrEnum
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr

from numerics.audits.claim import Claim
from numerics.audits.rounds import Scores
from numerics.sampling import Adjacency
from numerics.trade_off import Floats
from numerics.validation import Interval, PositiveCount, Seed, checked, value

FEWEST_CANARIES = 20
LEAST_FAIR = 1e-3  # two-sided p-value of the number included
_NOTICEABLE = 100  # canaries from which on exactly half of them included is worth a word
_BACKWARDS = 1e-3  # p-value of as few right guesses by chance
_SHARES = (0.03, 0.1, 0.3)  # of the canaries: few guesses show more, and of seven lists this one had the most power
_FEWEST_GUESSES = 10

CanaryCount = Annotated[int, Interval(FEWEST_CANARIES, 1e9)]
GuessCounts = tuple[PositiveCount, ...]


class Note(StrEnum):
    """What an auditor should know beside the numbers."""

    HALF_AND_HALF = "exactly half of the canaries were included: if that was arranged, the coins are not independent"
    TIES = "equal scores are ordered by lot"
    BACKWARDS = "far more guesses are wrong than right: perhaps small scores mean included; set that before the audit"
    NOTHING_SHOWN = "no number of guesses has more than half of them right"
    DELTA_DOMINATES = "twice the canaries times delta exceed 0.1, so that delta alone makes up most of the p-value"


@value
class Guesses:
    """How many of the surest guesses are right: all that a test of one run needs.

    Attributes:
        canaries: m, all of them, whether guessed or not; 20 at least.
        counts: numbers of guesses fixed before the audit, ascending, at most m.
        correct: how many of so many surest guesses are right, in the order of ``counts``.
        adjacency: what a coin decides: the presence of a record, or which of two records is there.
        notes: what was noticed about the canaries.

    Raises ValueError unless counts ascend within 1 ... m and ``correct`` can be nested numbers of right guesses.
    """

    canaries: CanaryCount
    counts: GuessCounts
    correct: tuple[Annotated[int, Interval(0, np.inf, "not be negative")], ...]
    adjacency: Adjacency = Adjacency.ADD_REMOVE
    notes: tuple[Note, ...] = ()

    def __post_init__(self) -> None:
        check_counts(self.counts, self.canaries)
        if len(self.correct) != len(self.counts):
            raise ValueError(f"correct must have one number for each count, got {self.correct!r} for {self.counts!r}.")
        right, wrong = np.array(self.correct), np.array(self.counts) - np.array(self.correct)
        if wrong[0] < 0 or np.any(np.diff(right) < 0) or np.any(np.diff(wrong) < 0):
            raise ValueError(
                f"correct must grow by 0 up to the guesses added, got {self.correct!r} of {self.counts!r}."
            )

    @property
    def mirrored(self) -> "Guesses":
        """The opposite of every guess."""
        wrong = tuple(g - v for g, v in zip(self.counts, self.correct, strict=True))
        return Guesses(self.canaries, self.counts, wrong, self.adjacency, self.notes)

    @property
    def remarks(self) -> tuple[Note, ...]:
        """Its notes, and what the numbers of right guesses say by themselves."""
        pairs = list(zip(self.counts, self.correct, strict=True))
        found = [Note.NOTHING_SHOWN] if all(2 * v <= g for g, v in pairs) else []
        found += [Note.BACKWARDS] if any(bdtr(v, g, 0.5) < _BACKWARDS for g, v in pairs) else []
        return (*self.notes, *found)


@checked
def check_counts(counts: GuessCounts, canaries: CanaryCount) -> None:
    """Raise ValueError unless numbers of guesses ascend within 1 ... ``canaries``."""
    if not counts or counts[-1] > canaries or any(np.diff(counts) <= 0):
        raise ValueError(f"counts must ascend from 1 up to the {canaries} canaries, got {counts!r}.")


@checked
def preset_counts(canaries: CanaryCount) -> GuessCounts:
    """Numbers of guesses for an audit that chose none: 3, 10 and 30 % of the canaries, even, 10 at least."""
    sizes = {max(_FEWEST_GUESSES, 2 * round(share * canaries / 2.0)) for share in _SHARES}
    return tuple(sorted(sizes))


@value(eq=False)
class Canaries:
    """Scores (m,) of the canaries of one run, and what their coins said.

    A ``score`` is larger where the attacker thinks that the canary is in; infinite ones are allowed. ``included`` says
    whether it was in, or of two records whether the first was: the latter is REPLACE_ONE, and where a canary left out
    is absent it is ADD_REMOVE. ``guess`` has 1 (in), -1 (out) and 0 (abstain), where the attacker guesses by another
    rule than the order of its scores; it is the surer, the larger the score's magnitude.

    Raises ValueError for fewer than 20 canaries, for shapes that differ, for NaN, for other guesses, and for coins that
    are not fair: a number included that fair coins would give, or a less even one, in less than 1 of 1,000 audits.
    """

    score: Floats
    included: NDArray[np.bool_]
    adjacency: Adjacency = Adjacency.ADD_REMOVE
    guess: NDArray[np.int64] | None = None

    def __post_init__(self) -> None:
        columns = [self.score, self.included, *([] if self.guess is None else [self.guess])]
        if len({column.shape for column in columns}) > 1 or self.score.ndim != 1:
            shapes = [column.shape for column in columns]
            raise ValueError(f"score, included and guess must be vectors of equal length, got shapes {shapes}.")
        Interval(FEWEST_CANARIES, 1e9).check("number of canaries", self.size)
        if missing := int(np.isnan(self.score).sum()):
            raise ValueError(f"score must be numbers, got {missing:,} NaN among {self.size:,}.")
        if self.guess is not None and not np.all(np.isin(self.guess, (-1, 0, 1))):
            raise ValueError(f"guess must be -1, 0 or 1, got {self.guess[~np.isin(self.guess, (-1, 0, 1))][0]}.")
        if (chance := coin_p_value(self.size, self.inside)) < LEAST_FAIR:
            raise ValueError(
                f"included must be fair coins, got {self.inside:,} of {self.size:,}: as uneven a number comes up with "
                f"probability {chance:.2g}."
            )

    @property
    def size(self) -> int:
        """M, the number of canaries."""
        return len(self.score)

    @property
    def inside(self) -> int:
        """How many were included."""
        return int(self.included.sum())

    @property
    def notes(self) -> tuple[Note, ...]:
        """What is noticed before any guess is compared with a coin."""
        half = self.size >= _NOTICEABLE and 2 * self.inside == self.size
        confidence = self.score if self.guess is None else np.abs(self.score[self.guess != 0])
        tied = len(np.unique(confidence)) < len(confidence)
        return (*([Note.HALF_AND_HALF] if half else []), *([Note.TIES] if tied else []))

    def guesses(self, counts: GuessCounts | None = None, seed: Seed = 0) -> Guesses:
        """The surest ``counts`` guesses against the coins; ``preset_counts`` unless chosen, equal scores by lot.

        Where guesses are given, all of them are the one count that is taken unless others are chosen. Raises ValueError
        for more guesses than there are, and where there are none.
        """
        right = self._right(seed)
        if counts is None:
            counts = preset_counts(self.size) if self.guess is None else (max(len(right), 1),)
        check_counts(counts, self.size)
        if counts[-1] > len(right):
            raise ValueError(f"counts must be at most the {len(right):,} guesses made, got {counts[-1]:,}.")
        correct = np.concatenate([[0], np.cumsum(right)])[list(counts)]
        return Guesses(self.size, counts, tuple(map(int, correct)), self.adjacency, self.notes)

    def groups(self, claim: Claim) -> Scores:
        """Scores of the canaries left out, and of those included: for ``claim_test`` **if canaries do not interact**.

        If no canary influences another one's score (separate coordinates, no shared weights), they are two independent
        samples, as many runs without and with a record are. That is never the headline: a mechanism that gives all
        coins away in one run of ten satisfies (0, 0.1)-DP, and is refuted so in one of ten audits.

        Raises ValueError where the claim is about other neighbours, and where guesses are given.
        """
        check_neighbours(self.adjacency, claim)
        if self.guess is not None:
            raise ValueError("guess must be left out where scores are compared, got guesses.")
        return Scores(self.score[~self.included], self.score[self.included])

    def _right(self, seed: int) -> NDArray[np.bool_]:
        """Whether each guess is right, the surest first."""
        lots = np.random.default_rng(seed).random(self.size)
        if self.guess is not None:
            order = np.lexsort((lots, -np.abs(self.score)))
            order = order[self.guess[order] != 0]
            return (self.guess[order] > 0) == self.included[order]
        falling = np.lexsort((lots, -self.score))
        order, half = np.empty(self.size, np.intp), (self.size + 1) // 2
        order[::2], order[1::2] = falling[:half], falling[half:][::-1]
        return self.included[order] == (np.arange(self.size) % 2 == 0)


@checked
def coin_p_value(canaries: PositiveCount, inside: Annotated[int, Interval(0, np.inf, "not be negative")]) -> float:
    """Two-sided p-value of ``inside`` canaries included by fair coins: twice the smaller tail of the binomial law."""
    return float(min(1.0, 2.0 * bdtr(min(inside, canaries - inside), canaries, 0.5)))


@checked
def check_neighbours(coins: Adjacency, claim: Claim) -> None:
    """Raise ValueError where the claim is about other neighbours than the coins decide between."""
    if claim.adjacency not in (None, coins):
        raise ValueError(f"claim must be about {coins} neighbours, as the coins are, got {claim.adjacency}.")
