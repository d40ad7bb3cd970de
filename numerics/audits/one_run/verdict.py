"""What one run says of a claim, in three words, and how far that goes."""

from typing import Annotated

from numerics.audits.claim import ApproximateClaim, Claim, Decision
from numerics.audits.one_run import curve, design
from numerics.audits.one_run.guesses import Guesses, Note
from numerics.deadline import UNLIMITED, Deadline
from numerics.epsilon_star.confidence import LEVEL, Level
from numerics.validation import Interval, checked, value

LARGEST_FACTOR = 2.0  # of two sets of runs 1.5 can be asked; one run stays below the truth with any number of canaries
_MUCH = 0.1  # of 2 m delta


@value
class Finding:
    """The test of one claim.

    Attributes:
        decision: one of three.
        p_value: of the claim, from all counts together.
        level: confidence at which the verdict holds.
        claim: what was tested.
        refuted: the loosest member of the family that is refuted, and all stricter ones are (see
            ``parameter_refuted``); None where none is.
        detectable: the violation nearest to the claim that the best possible scores of so many canaries find with
            probability .8 (see ``smallest_violation``); None where none, and not computed (None too) for a claim
            that is refuted.
        critical: the fewest right guesses at each count that refute; None where not even all do.
        notes: what else to know.
    """

    decision: Decision
    p_value: float
    level: float
    claim: Claim
    refuted: float | None
    detectable: float | None
    critical: tuple[int | None, ...]
    notes: tuple[Note, ...]


@checked
def audit(
    guesses: Guesses,
    claim: Claim,
    level: Level = LEVEL,
    two_sided: bool = False,
    factor: Annotated[float, Interval(1.0, 1000.0)] = LARGEST_FACTOR,
    deadline: Deadline = UNLIMITED,
) -> Finding:
    """Test ``claim`` by the guesses about one run's canaries.

    Refuted: the p-value is at most 1 - ``level``. Too few to tell: not even all guesses right would refute, or what
    the best possible scores find with probability .8 has a parameter more than ``factor`` times as large, or as small
    if that is a noise multiplier; of a claim of 0 a parameter larger than ``factor``.

    Args:
        guesses: right guesses at counts fixed before the audit.
        claim: about the neighbours that the coins decide between.
        level: confidence, fixed before the audit.
        two_sided: whether the opposite of all guesses is tried too, chosen before the audit.
        factor: how far a violation may be from the claim before the canaries are too few.
        deadline: a release's claim takes seconds, as other noise is certified too.

    Raises ValueError for neighbours of another kind, DeadlineError when it takes too long.
    """
    p_value = curve.p_value(guesses, claim, two_sided, deadline)
    asked = 1.0 - (1.0 - level) / (1 + two_sided)  # of one direction
    critical = design.critical_counts(claim, guesses.canaries, guesses.counts, asked, deadline)
    refuted = curve.parameter_refuted(guesses, claim, level, two_sided, deadline=deadline)
    detectable = None
    decision = Decision.REFUTED if p_value <= 1.0 - level else Decision.TOO_FEW
    if decision is not Decision.REFUTED:
        counts = tuple(count for count in guesses.counts if count <= guesses.canaries - 2)
        detectable = design.smallest_violation(claim, guesses.canaries, counts, asked, deadline=deadline)
        if detectable is not None and _apart(claim, detectable) <= factor:
            decision = Decision.NOT_REFUTED
    notes = (*guesses.remarks, *([Note.DELTA_DOMINATES] if _delta_dominates(guesses, claim) else []))
    return Finding(decision, p_value, level, claim, refuted, detectable, critical, notes)


def _apart(claim: Claim, parameter: float) -> float:
    if not claim.grows:
        return claim.parameter / parameter
    return parameter / (claim.parameter or 1.0)


def _delta_dominates(guesses: Guesses, claim: Claim) -> bool:
    return isinstance(claim, ApproximateClaim) and 2.0 * guesses.canaries * claim.delta > _MUCH
