"""Test of a claimed curve by scores of many runs without and with the record: exact in finite samples, for any scores.

Runs have independent randomness and the same two neighbouring data sets, or the rest of the data drawn anew in each;
the score is fixed beforehand. Four readings are tried: which world is the null hypothesis, and which end of the scores
is accused. Thresholds are the null world's scores of preset ranks, 1, 3, 9, ... up to the middle; each cut has an exact
p-value (``cut_p_values``), and the smallest, times the number of readings and ranks, is that of the claim (union
bound). Ties are ordered by lot, as for the lower bound on epsilon*, which is the case of the curve of (epsilon, delta).

A refutation is a proof at its level: the implementation, the accounting or the stated settings are wrong. The absence
of one is no guarantee, and nothing is said of other records, other data sets, or better attacks.
"""

from enum import Enum

import numpy as np

from numerics.audits.claim import ApproximateClaim, Claim
from numerics.audits.cut_p_values import CutPValues
from numerics.audits.families import weakest
from numerics.audits.rounds import Scores, ordered
from numerics.deadline import UNLIMITED, Deadline
from numerics.epsilon_star.confidence import LEVEL, Ascending, Level, end_ranks, lower_bound, tail_cuts
from numerics.trade_off import Order
from numerics.validation import PositiveCount, checked, value

_SMALLEST_P = 1e-300


class ScoreTail(Enum):
    """A way to read scores: the order names the null world, and ``above`` says that its largest scores are cut off."""

    MEMBERS_ABOVE = (Order.ADD, True)
    OUTSIDERS_BELOW = (Order.REMOVE, False)
    MEMBERS_BELOW = (Order.ADD, False)
    OUTSIDERS_ABOVE = (Order.REMOVE, True)

    @property
    def order(self) -> Order:
        """ADD: without the record is the null hypothesis."""
        return self.value[0]

    @property
    def above(self) -> bool:
        """Whether large scores speak against the null hypothesis."""
        return self.value[1]

    @property
    def words(self) -> str:
        """What the threshold does."""
        world, end = "presence" if self.order is Order.ADD else "absence", "above" if self.above else "below"
        return f"accuses of {world} where the score is {end} the threshold"


@value
class Cut:
    """One cut of the scores, and how unlikely the claim makes it.

    Attributes:
        reading: which end is cut off, and who is accused there.
        threshold: the score of the null world that is the cut.
        tied_share: of scores equal to it this share is cut off too, drawn by lot.
        accused: how many scores of the other world are cut off, of ``accused_of``.
        wronged: how many of the null world are, of ``wronged_of``.
        p_value: of this cut by itself, as if it were the only one.
    """

    reading: ScoreTail
    threshold: float
    tied_share: float
    accused: int
    accused_of: int
    wronged: int
    wronged_of: int
    p_value: float


@value
class ClaimTest:
    """What the scores say of a claim.

    Attributes:
        claim: the claim.
        level: 1 - risk of a false refutation.
        p_value: of all cuts together, at most 1: a true claim has one of at most r with probability at most r.
        cut: the cut that speaks most against it.
        is_constant: whether all scores are the same number, which says nothing of any claim.
    """

    claim: Claim
    level: float
    p_value: float
    cut: Cut
    is_constant: bool

    @property
    def is_refuted(self) -> bool:
        """Whether the claim is refuted at the level."""
        return self.p_value <= 1.0 - self.level


@checked
def claim_test(scores: Scores, claim: Claim, level: Level = LEVEL) -> ClaimTest:
    """Test ``claim`` by the scores of runs without and with the record.

    Raises ValueError for empty scores, NaN, and a level outside of [0, 1 - 1e-9].
    """
    scores = ordered(scores)
    reads = _reads(scores)
    found = [read.smallest(claim) for read in reads]
    best = min(range(len(reads)), key=lambda place: found[place][0])
    ends = {float(side[place]) for side in scores for place in (0, -1)}
    return ClaimTest(claim, level, found[best][0], reads[best].cut(found[best][1], claim), len(ends) == 1)


@checked
def largest_refuted(scores: Scores, claim: Claim, level: Level = LEVEL, deadline: Deadline = UNLIMITED) -> float | None:
    """Parameter up to which every member of the claim's family that allows less is refuted; None if none is.

    Every mu, or epsilon at the claim's delta, that is smaller; every noise multiplier that is larger. For epsilon it is
    ``epsilon_star.lower_bound``. Raises ValueError where ``claim_test`` does.
    """
    null, alternative = ordered(scores)
    if isinstance(claim, ApproximateClaim):
        bound = lower_bound(Ascending(-alternative[::-1]), Ascending(-null[::-1]), claim.delta, level).value
        return bound if bound > 0.0 else None
    reads = _reads(Scores(null, alternative))

    def excess(parameter: float) -> float:
        deadline.check()
        one = claim.with_parameter(parameter)
        p_value = min(read.smallest(one)[0] for read in reads)
        return float(np.log(max(p_value, _SMALLEST_P)) - np.log(1.0 - level))

    return weakest(claim, excess)


@checked
def cut_risk(null_size: PositiveCount, level: Level) -> float:
    """Share of the risk that each cut of one reading has: readings, and ranks of the null world, are equal."""
    return (1.0 - level) / (len(ScoreTail) * len(end_ranks(null_size)))


class _Read:
    """The cuts of one reading."""

    def __init__(self, reading: ScoreTail, scores: Scores) -> None:
        self.reading = reading
        null, other = scores if reading.order is Order.ADD else scores[::-1]
        self.cuts, self.threshold, self.tied_share = tail_cuts(Ascending(other), Ascending(null), reading.above)
        self._p_values = CutPValues(self.cuts)

    def smallest(self, claim: Claim) -> tuple[float, int]:
        """The smallest p-value for all readings and ranks together, and its cut."""
        p_values = self._p_values.of(claim, self.reading.order)
        best = int(np.argmin(p_values))
        return min(len(ScoreTail) * len(p_values) * float(p_values[best]), 1.0), best

    def cut(self, place: int, claim: Claim) -> Cut:
        """One of its cuts."""
        cuts = self.cuts
        return Cut(
            reading=self.reading,
            threshold=float(self.threshold[place]),
            tied_share=float(self.tied_share[place]),
            accused=int(cuts.named[place]),
            accused_of=cuts.named_size,
            wronged=int(cuts.rank[place]) - 1,
            wronged_of=cuts.wronged_size,
            p_value=float(self._p_values.of(claim, self.reading.order)[place]),
        )


def _reads(scores: Scores) -> list[_Read]:
    return [_Read(reading, scores) for reading in ScoreTail]
