"""The verdict on a claim, in three words."""

from enum import StrEnum

from numerics.audits.audit_design import POWER, can_refute, detectable
from numerics.audits.claim import Claim
from numerics.audits.many_runs import ClaimTest, claim_test, largest_refuted
from numerics.audits.rounds import Scores, ordered
from numerics.deadline import UNLIMITED, Deadline
from numerics.epsilon_star.confidence import LEVEL, Level
from numerics.validation import OpenProbability, Positive, checked, value

LARGEST_FACTOR = 1.5


class Answer(StrEnum):
    """What scores of many runs say of a claim; there is no fourth: no scores confirm one."""

    REFUTED = "refuted"
    TOO_FEW = "too few runs to tell"
    NOT_REFUTED = "not refuted"


@value
class ClaimVerdict:
    """The answer, and what it rests on.

    Attributes:
        answer: one of three.
        test: the test of the claim.
        largest_refuted: parameter up to which the claim's family is refuted (every smaller mu or epsilon, every larger
            noise multiplier); None if no member is.
        detectable: parameter of the smallest violation that was sure to be found with the stated power; None if none.
        factor: that violation's factor, at least 1: in mu or epsilon, or by which noise would be too small. None where
            nothing is detectable, infinite where the claim is of 0.
        can_refute: whether any scores of so many runs could have refuted the claim.
    """

    answer: Answer
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
    answer = Answer.REFUTED if test.is_refuted else Answer.NOT_REFUTED
    if not test.is_refuted and (not possible or factor is None or factor > largest_factor):
        answer = Answer.TOO_FEW
    return ClaimVerdict(answer, test, largest_refuted(scores, claim, level, deadline), violation, factor, possible)


def _factor(claim: Claim, violation: float) -> float:
    if not claim.grows:
        return claim.parameter / violation
    return violation / claim.parameter if claim.parameter > 0.0 else float("inf")
