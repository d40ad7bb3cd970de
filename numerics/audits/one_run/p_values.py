"""Test of a claimed trade-off curve by the number of right guesses.

Mahloujifar, Melis and Chaudhuri 2024 (arXiv 2410.22235), Algorithm 3. With F = 1 - f the largest power allowed, T the
number right among g guesses about m canaries and p_i = P(T = i): given the other coins, the coin of guess j turns
{j right, T >= c} into {j wrong, T >= c - 1}, so the probability of the first is at most F of that of the second. The
mean over guesses, coins and canaries, F being concave, is

    r_{i+1} <= F(h_i) for every i,  r_i = sum_{l >= i} (l/m) p_l,  h_i = sum_{l >= i} ((g - l)/m) p_l.

The p-value is the largest P(T >= c) under these constraints: it solves the linear programme over all laws of T exactly.
Several numbers of guesses share the risk. F is the symmetric curve of the claim, at the side of larger power.

The test stays below the truth however many canaries there are, for a claim allows a run in twenty to go wrong for all
canaries at once: guess few. The largest mu refuted says "not mu-GDP for any smaller mu", and nothing of epsilon, which
has its own curve.
"""

import numpy as np
from numpy.typing import NDArray

from numerics.audits.claim import ApproximateClaim, Claim, boundary
from numerics.audits.one_run import odds
from numerics.audits.one_run.guesses import Guesses, check_neighbours
from numerics.deadline import UNLIMITED, Deadline
from numerics.epsilon_star.confidence import LEVEL, Level
from numerics.trade_off import Floats
from numerics.validation import OpenProbability, checked

_SMALLEST_LOG = -690.0  # of a p-value
_CLOSE = 1e-10
_PARTS = 16  # into which a search divides its interval: that many chances take hardly longer than one
_A_MOMENT = 32  # steps between two looks at the deadline, each of which takes about as long as a step


def is_pure(claim: Claim) -> bool:
    """Whether it is epsilon-DP, which the number of right guesses refutes by more than the recursion for its curve."""
    return isinstance(claim, ApproximateClaim) and claim.delta == 0.0


@checked
def p_value(guesses: Guesses, claim: Claim, two_sided: bool = False, deadline: Deadline = UNLIMITED) -> float:
    """P-value of the claim, from all counts together; at most 1. For delta = 0 by the odds of a right guess (``odds``).

    Trying the opposite of all guesses too (``two_sided``), chosen before the audit, doubles the p-value.

    Raises ValueError for neighbours of another kind, DeadlineError when it takes too long.
    """
    check_neighbours(guesses.adjacency, claim)
    if two_sided:
        both = (p_value(each, claim, False, deadline) for each in (guesses, guesses.mirrored))
        return min(1.0, 2.0 * min(both))
    if is_pure(claim):
        return odds.p_value(guesses, claim.parameter, deadline=deadline)
    pairs = zip(guesses.counts, guesses.correct, strict=True)
    return min(
        1.0, len(guesses.counts) * min(single_p_value(claim, guesses.canaries, *pair, deadline) for pair in pairs)
    )


def single_p_value(claim: Claim, canaries: int, count: int, correct: int, deadline: Deadline = UNLIMITED) -> float:
    """By the recursion, valid if this count alone was fixed beforehand; 1 where no probability is refuted.

    The smallest probability that is refuted, by dividing the interval of its logarithm.
    """
    if 2 * correct <= count or not refutes(claim, canaries, count, correct, 1.0, deadline):
        return 1.0
    low, high = _SMALLEST_LOG, 0.0
    while high - low > _CLOSE:
        ends = np.linspace(low, high, _PARTS + 1)
        found = _refuted(claim, canaries, count, correct, np.exp(ends[1:-1]), deadline)
        first = int(np.argmax(np.append(found, True)))  # the largest was found refuted before
        low, high = float(ends[first]), float(ends[first + 1])
    return float(np.exp(high))


def refutes(
    claim: Claim, canaries: int, count: int, correct: int, chance: float, deadline: Deadline = UNLIMITED
) -> bool:
    """Whether ``correct`` of ``count`` guesses right would be less likely than ``chance`` under the claim."""
    return bool(_refuted(claim, canaries, count, correct, np.array([chance]), deadline)[0])


def _refuted(
    claim: Claim, canaries: int, count: int, correct: int, chance: Floats, deadline: Deadline
) -> NDArray[np.bool_]:
    """The same of several chances (k,)."""
    most = count / canaries
    r, h = chance * correct / canaries, chance * (count - correct) / canaries
    for step, i in enumerate(range(correct - 1, -1, -1)):
        if step % _A_MOMENT == 0:
            deadline.check()
        least = claim.alpha_for(np.minimum(r, 1.0))
        moves = (least > h) & (r + h <= most)  # else neither changes any more, or it is refuted already
        if not moves.any():
            break
        r, h = np.where(moves, r + i / (count - i) * (least - h), r), np.where(moves, least, h)
    return r + h > most


@checked
def parameter_refuted(
    guesses: Guesses,
    claim: Claim,
    level: Level = LEVEL,
    two_sided: bool = False,
    tolerance: OpenProbability = 1e-4,
    deadline: Deadline = UNLIMITED,
) -> float | None:
    """How far the guesses refute the claim's family: the weakest of its members that is refuted, and all stronger ones.

    The largest mu or epsilon, the smallest noise multiplier (of the first phase); refuted itself, and at most the
    relative ``tolerance`` away from a member that is not. For delta = 0 a bound by the odds of a right guess, exact.
    None where no member is refuted. Each member of a release's family takes as long as its certified curve.

    Raises ValueError for neighbours of another kind, DeadlineError when it takes too long.
    """
    check_neighbours(guesses.adjacency, claim)
    both, risk = (guesses, guesses.mirrored)[: 1 + two_sided], (1.0 - level) / (1 + two_sided)
    if is_pure(claim):
        shown = max(odds.epsilon_at_least(each, 0.0, 1.0 - risk, deadline=deadline) for each in both)
        return shown if shown > 0.0 else None
    risk /= len(guesses.counts)

    def excess(member: Claim) -> float:
        refuted = any(
            2 * c > g and refutes(member, each.canaries, g, c, risk, deadline)
            for each in both
            for g, c in zip(each.counts, each.correct, strict=True)
        )
        return -1.0 if refuted else 1.0

    found, _ = boundary(claim, excess, tolerance)
    return None if found is None else found.parameter
