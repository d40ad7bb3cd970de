"""The verdict on a claim, in three words."""

from bisect import bisect_left

import numpy as np

from numerics.audits.claim import Claim, Decision, boundary_by_excess
from numerics.audits.many_runs import (
    COARSE,
    ClaimTest,
    CutPValues,
    claim_test,
    critical_counts,
    cut_risk,
    largest_refuted,
)
from numerics.audits.rounds import Scores, ordered
from numerics.deadline import UNLIMITED, Deadline
from numerics.epsilon_star.confidence import LEVEL, Cuts, Level, end_ranks
from numerics.trade_off import Floats, Order
from numerics.validation import OpenProbability, Positive, PositiveCount, checked, value

# What an audit by many runs can find, before it is made: detectable violations, and how many runs refute a claim.
#
# All of it is about one cut of the test in ``many_runs``: with the critical count a_j, the least that refutes the claim
# at rank j, the probability that cut j refutes where the true curve is F' is P(Binomial(n1, F'(U)) >= a_j), U ~ B(j, n0
# - j + 1), for the best attack. The whole test refutes at least as often as its best cut, so what is said to be found
# with probability 80 % is found more often, with 94 to 99 %.


POWER = 0.8
MOST_RUNS = 10_000_000
_ENOUGH = 1.01  # times the fewest runs: as near as they are searched


@checked
def can_refute(claim: Claim, null_runs: PositiveCount, alternative_runs: PositiveCount, level: Level = LEVEL) -> bool:
    """Whether any scores of so many runs without and with the record refute the claim.

    The most that they can show: nobody of the null world lies beyond its first cut, and everybody of the other.
    """
    return any(
        float(CutPValues(Cuts(np.array([float(other)]), other, np.ones(1), null)).of(claim, order)[0])
        <= cut_risk(null, level)
        for order, null, other in _worlds(claim, null_runs, alternative_runs)
    )


@checked
def fewest_runs(claim: Claim, level: Level = LEVEL, deadline: Deadline = UNLIMITED) -> int | None:
    """Fewest runs, in each world, of which any outcome refutes the claim; None if ten million do not suffice."""
    fewer, most = 0, 3
    # The number of ranks grows where runs triple; while it stays, the most that they can show grows with them.
    while not can_refute(claim, most, most, level):
        deadline.check()
        fewer, most = most, 3 * (most - 1) + 1
        if fewer > MOST_RUNS:
            return None
    return fewer + 1 + bisect_left(range(fewer + 1, most), True, key=lambda runs: can_refute(claim, runs, runs, level))


@checked
def detectable(
    claim: Claim,
    null_runs: PositiveCount,
    alternative_runs: PositiveCount,
    level: Level = LEVEL,
    power: OpenProbability = POWER,
    deadline: Deadline = UNLIMITED,
) -> float | None:
    """Parameter of the smallest violation that so many runs refute with probability ``power`` at least; None if none.

    A violation is a member of the claim's family that allows more, and the attack is as good as it allows.
    """
    audit = _Audit(claim, null_runs, alternative_runs, level)
    if not audit.has_cuts:
        return None

    def excess(parameter: float) -> float:
        deadline.check()
        return audit.power(claim.with_parameter(parameter)) - power

    return boundary_by_excess(claim, excess)


@checked
def power_reached(claim: Claim, truth: Claim, runs: PositiveCount, level: Level = LEVEL) -> float:
    """Probability, at the least, with which so many runs in each world refute ``claim`` where ``truth`` is true."""
    return _Audit(claim, runs, runs, level).power(truth)


@checked
def power_curve(
    claim: Claim, truth: Claim, runs: Floats, level: Level = LEVEL, deadline: Deadline = UNLIMITED
) -> Floats:
    """The same at each number of ``runs`` (k,)."""
    found = np.empty(len(runs))
    for place, number in enumerate(runs):
        deadline.check()
        found[place] = power_reached(claim, truth, int(number), level)
    return found


@checked
def runs_needed(
    claim: Claim,
    truth: Claim,
    level: Level = LEVEL,
    power: OpenProbability = POWER,
    deadline: Deadline = UNLIMITED,
) -> int | None:
    """Runs in each world that refute ``claim`` with probability ``power`` at least where ``truth`` is true.

    At most one in a hundred more than it takes. None if it takes more than ten million.
    """
    fewer = fewest_runs(claim, level, deadline)
    if fewer is None:
        return None
    enough = fewer
    while power_reached(claim, truth, enough, level) < power:
        deadline.check()
        fewer, enough = enough, 2 * enough
        if fewer >= MOST_RUNS:
            return None
    while enough > max(_ENOUGH * fewer, fewer + 1):
        deadline.check()
        middle = int(np.sqrt(float(fewer) * enough))
        middle = max(middle, fewer + 1)
        reached = power_reached(claim, truth, middle, level) >= power
        fewer, enough = (fewer, middle) if reached else (middle, enough)
    return enough


class _Audit:
    """The cuts of an audit with their critical counts."""

    def __init__(self, claim: Claim, null_runs: int, alternative_runs: int, level: float) -> None:
        self._cuts = []
        for order, null, other in _worlds(claim, null_runs, alternative_runs):
            counts = critical_counts(claim, order, other, end_ranks(null), null, cut_risk(null, level))
            possible = counts <= other
            if np.any(possible):
                cuts = Cuts(counts[possible], other, end_ranks(null)[possible], null)
                self._cuts.append((order, CutPValues(cuts, COARSE)))

    @property
    def has_cuts(self) -> bool:
        """Whether any of them can refute."""
        return bool(self._cuts)

    def power(self, truth: Claim) -> float:
        """Largest probability, over the cuts, that one refutes."""
        return max((float(np.max(cuts.of(truth, order))) for order, cuts in self._cuts), default=0.0)


def _worlds(claim: Claim, null_runs: int, alternative_runs: int) -> list[tuple[Order, int, int]]:
    """The null hypotheses with the runs of the null world and of the other; of two that are alike the first."""
    worlds = [(Order.ADD, null_runs, alternative_runs), (Order.REMOVE, alternative_runs, null_runs)]
    return worlds[:1] if claim.is_symmetric and null_runs == alternative_runs else worlds


# The verdict.


LARGEST_FACTOR = 1.5


@value
class ClaimVerdict:
    """The decision, and what it rests on.

    Attributes:
        decision: one of three.
        test: the test of the claim.
        largest_refuted: parameter up to which the claim's family is refuted (every smaller mu or epsilon, every larger
            noise multiplier); None if no member is.
        detectable: parameter of the smallest violation that was sure to be found with the stated power; None if none.
        factor: that violation's factor, at least 1: in mu or epsilon, or by which noise would be too small. None where
            nothing is detectable, infinite where the claim is of 0.
        can_refute: whether any scores of so many runs could have refuted the claim.
    """

    decision: Decision
    test: ClaimTest
    largest_refuted: float | None
    detectable: float | None
    factor: float | None
    can_refute: bool


@checked
def claim_verdict(
    scores: Scores,
    claim: Claim,
    level: Level = LEVEL,
    largest_factor: Positive = LARGEST_FACTOR,
    power: OpenProbability = POWER,
    deadline: Deadline = UNLIMITED,
) -> ClaimVerdict:
    """Refuted; too few runs to tell; or not refuted, with the smallest violation found with probability ``power``.

    Too few: no scores of so many runs refute the claim, or none but a violation by more than ``largest_factor`` is
    found with that probability. Raises ValueError where ``claim_test`` does.
    """
    scores = ordered(scores)
    sizes = (len(scores.null), len(scores.alternative))
    test = claim_test(scores, claim, level)
    violation = detectable(claim, *sizes, level, power, deadline)
    factor = None if violation is None else _factor(claim, violation)
    possible = can_refute(claim, *sizes, level)
    decision = Decision.REFUTED if test.is_refuted else Decision.NOT_REFUTED
    if not test.is_refuted and (not possible or factor is None or factor > largest_factor):
        decision = Decision.TOO_FEW
    return ClaimVerdict(decision, test, largest_refuted(scores, claim, level, deadline), violation, factor, possible)


def _factor(claim: Claim, violation: float) -> float:
    if not claim.grows:
        return claim.parameter / violation
    return violation / claim.parameter if claim.parameter > 0.0 else float("inf")
