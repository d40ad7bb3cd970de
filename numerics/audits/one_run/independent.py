"""What one run says **if canaries do not interact**: more than without that assumption, and wrong where it fails.

If no canary influences another one's score (separate coordinates, no shared weights), the scores of those included and
of those left out are two independent samples, as many runs without and with a record are. That is never the headline: a
mechanism that gives all coins away in one run of ten satisfies (0, 0.1)-DP, and is refuted here in one of ten audits.
"""

from typing import ClassVar

import numpy as np

from numerics.audits.claim import Claim
from numerics.audits.many_runs import ClaimTest, claim_test, largest_refuted
from numerics.audits.one_run.curve import check_neighbours
from numerics.audits.one_run.guesses import Canaries
from numerics.audits.preset_threshold import ThresholdCounts, clopper_pearson_epsilon
from numerics.audits.rounds import Scores
from numerics.deadline import UNLIMITED, Deadline
from numerics.epsilon_star.confidence import LEVEL, Level
from numerics.validation import Finite, Probability, checked, value


@value
class IfIndependent:
    """The test of a claim if canaries do not interact, and are draws of one law.

    Attributes:
        test: by all thresholds together; see ``claim_test``.
        refuted: the loosest member of the claim's family that is refuted; None where none is.
    """

    test: ClaimTest
    refuted: float | None

    assumption: ClassVar[str] = "if canaries do not interact"


@checked
def if_independent(
    canaries: Canaries, claim: Claim, level: Level = LEVEL, deadline: Deadline = UNLIMITED
) -> IfIndependent:
    """Test ``claim`` by the scores of both groups, if canaries do not interact and are draws of one law.

    Raises ValueError for neighbours of another kind and where guesses are given, DeadlineError when it takes too long.
    """
    check_neighbours(canaries.adjacency, claim)
    scores = _groups(canaries)
    return IfIndependent(claim_test(scores, claim, level), largest_refuted(scores, claim, level, deadline))


@checked
def epsilon_at_threshold(canaries: Canaries, threshold: Finite, delta: Probability, level: Level = LEVEL) -> float:
    """Lower limit of epsilon at ``delta`` from scores above a ``threshold`` fixed before, if they do not interact.

    By Clopper and Pearson; canaries need not have one law (Hoeffding 1956: counts of unequal coins have lighter tails,
    and the power allowed is concave). 0 where the limits show nothing. Raises ValueError where guesses are
    given.
    """
    null, alternative = _groups(canaries)
    above = [int(np.count_nonzero(group > threshold)) for group in (null, alternative)]
    return clopper_pearson_epsilon(ThresholdCounts(above[0], len(null), above[1], len(alternative)), delta, level)


def _groups(canaries: Canaries) -> Scores:
    """Scores of the canaries left out, and of those included."""
    if canaries.guess is not None:
        raise ValueError("guess must be left out where scores are compared, got guesses.")
    return Scores(canaries.score[~canaries.included], canaries.score[canaries.included])
