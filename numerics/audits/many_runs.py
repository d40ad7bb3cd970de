"""Test of a claimed curve by scores of many runs without and with the record: exact in finite samples, for any scores.

Runs have independent randomness and the same two neighbouring data sets, or the rest of the data drawn anew in each;
the score is fixed beforehand. Four readings are tried: which world is the null hypothesis, and which end of the scores
is accused. Thresholds are the null world's scores of preset ranks, 1, 3, 9, ... up to the middle; each cut has an exact
p-value, and the smallest, times the number of readings and ranks, is that of the claim (union bound). Ties are ordered
by lot, as for the lower bound on epsilon*, which is the case of the curve of (epsilon, delta).

A refutation is a proof at its level: the implementation, the accounting or the stated settings are wrong. The absence
of one is no guarantee, and nothing is said of other records, other data sets, or better attacks.
"""

from enum import Enum

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, betaincc, ndtr, ndtri

from numerics.audits.claim import ApproximateClaim, Claim, boundary_by_excess
from numerics.audits.rounds import Scores, ordered
from numerics.deadline import UNLIMITED, Deadline
from numerics.epsilon_star.confidence import LEVEL, Ascending, Cuts, Level, end_ranks, lower_bound, tail_cuts
from numerics.lazy_property import lazy_property
from numerics.normal_scores import beta_quantiles, normal_scores
from numerics.trade_off import Floats, Order
from numerics.validation import OpenProbability, PositiveCount, checked, value

# P-values of a claimed curve at cuts of two samples, exact in finite samples.
#
# At the j-th largest of n0 null scores, with a of n1 other scores beyond: U ~ B(j, n0 - j + 1) is the false positive
# rate there, and where no attack has more power than F the count is at most Binomial(n1, F(U)) given U. With V ~ B(a,
# n1 - a + 1), independent of U,
#
#     p = E P(Binomial(n1, F(U)) >= a) = P(V <= F(U))
#
# is a valid p-value: P(p <= r) <= r. (Of the lower bound on epsilon*, see ``epsilon_star.confidence``, it is the case
# of the curve of (epsilon, delta).) The probability over one of the two laws is exact, the average over the other by
# the trapezoidal rule in normal scores: over that law which spreads less, seen through F, so that the integrand is
# smooth. The p-value has nine digits for smooth curves, and is right to 3e-4 of itself where a curve has a corner next
# to a cut.


_MOST_STEPS = 60
FINE, COARSE = 0.01, 0.05  # steps in normal scores: curves with corners, as of (epsilon, delta), need the finer one
_FARTHEST = 7.8
_OMITTED = 2.0 * float(ndtr(-_FARTHEST))  # probability beyond, which is added to every p-value


class CutPValues:
    """Cuts (k,) of which p-values are asked, of one claim or of many."""

    def __init__(self, cuts: Cuts, step: float = FINE) -> None:
        self._scores, self._weights = normal_scores(step, _FARTHEST)
        self._positives, self._negatives = cuts.beta_gain(), cuts.beta_cost()
        self._counted = cuts.true_positives > 0.0  # a count of 0 says nothing
        self._known = dict[int, Floats]()

    @lazy_property
    def _rates(self) -> Floats:
        """Quantiles of U."""
        return beta_quantiles(*self._negatives, self._scores)

    def of(self, claim: Claim, order: Order) -> Floats:
        """The p-values (k,) of a claim, never less than 6e-15; ``order`` names the null world."""
        return self.where(claim, order, self.allowed(claim, order))

    def allowed(self, claim: Claim, order: Order) -> Floats:
        """What the claim allows at the quantiles of U, (k, s): it is the same whatever the counts are."""
        return claim.power(self._rates, order)

    def where(self, claim: Claim, order: Order, allowed: Floats) -> Floats:
        """The p-values (k,) of a claim of which it is known what is ``allowed``."""
        one, weights = int(np.argmin(np.abs(self._scores - 1.0))), self._weights
        a, b = self._positives
        spread = np.sqrt(a * b / (a + b + 1.0)) / (a + b)
        over_rates = (allowed[:, one] - allowed[:, -1 - one]) / 2.0 <= spread
        found = np.ones(len(a))
        chosen = np.flatnonzero(self._counted & over_rates)
        found[chosen] = betainc(a[chosen, None], b[chosen, None], allowed[chosen]) @ weights
        chosen = np.flatnonzero(self._counted & ~over_rates)
        if len(chosen):
            a, b = self._negatives
            rates = claim.alpha_for(self._powers(chosen), order)
            found[chosen] = betaincc(a[chosen, None], b[chosen, None], rates) @ weights
        return np.minimum(found + _OMITTED, 1.0)

    def _powers(self, chosen: NDArray[np.intp]) -> Floats:
        """Quantiles of V of some of the cuts, kept for the next claim."""
        missing = [place for place in chosen.tolist() if place not in self._known]
        if missing:
            a, b = (side[missing] for side in self._positives)
            self._known |= dict(zip(missing, beta_quantiles(np.maximum(a, 1.0), b, self._scores), strict=True))
        return np.array([self._known[place] for place in chosen.tolist()])


@checked
def critical_counts(
    claim: Claim,
    order: Order,
    positives: PositiveCount,
    rank: Floats,
    negatives: PositiveCount,
    risk: OpenProbability,
) -> Floats:
    """Least counts (k,) with a p-value of at most ``risk`` at each ``rank`` (k,); ``positives`` + 1 where none has.

    The p-value falls with the count, and so it does between whole numbers: its root is rounded up.
    """
    allowed = CutPValues(Cuts(np.ones(len(rank)), positives, rank, negatives), COARSE).allowed(claim, order)

    def excess(count: Floats, rows: NDArray[np.intp]) -> Floats:
        cuts = CutPValues(Cuts(count[rows], positives, rank[rows], negatives), COARSE)
        p_values = cuts.where(claim, order, allowed[rows])
        return ndtri(np.clip(p_values, 1e-15, 1.0 - 1e-15)) - ndtri(risk)

    low, high = np.zeros(len(rank)), np.full(len(rank), float(positives))
    at_low = np.full(len(rank), ndtri(1.0 - 1e-15) - ndtri(risk))
    at_high = excess(high, np.arange(len(rank)))
    possible = at_high <= 0.0
    for step in range(_MOST_STEPS):
        rows = np.flatnonzero(possible & (np.ceil(low) != np.ceil(high)))
        if not len(rows):
            break
        line = low + (high - low) * at_low / (at_low - np.minimum(at_high, -1e-300))
        middle = 0.5 * (low + high) if step % 3 == 2 else np.clip(line, low, high)
        at_middle = excess(np.maximum(middle, 1e-9), rows)
        for place, excess_there in zip(rows.tolist(), at_middle.tolist(), strict=True):
            if excess_there <= 0.0:
                high[place], at_high[place] = middle[place], excess_there
            else:
                low[place], at_low[place] = middle[place], excess_there
    return np.where(possible, np.ceil(high), positives + 1.0)


_SMALLEST_P = 1e-300


# The test.


class ScoreOrientation(Enum):
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
        true_positives: how many scores of the other world are cut off, of ``positives``.
        false_positives: how many of the null world are, of ``negatives``.
        p_value: of this cut by itself, as if it were the only one.
    """

    reading: ScoreOrientation
    threshold: float
    tied_share: float
    true_positives: int
    positives: int
    false_positives: int
    negatives: int
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

    return boundary_by_excess(claim, excess)


@checked
def cut_risk(null_size: PositiveCount, level: Level) -> float:
    """Share of the risk that each cut of one reading has: readings, and ranks of the null world, are equal."""
    return (1.0 - level) / (len(ScoreOrientation) * len(end_ranks(null_size)))


class _Read:
    """The cuts of one reading."""

    def __init__(self, reading: ScoreOrientation, scores: Scores) -> None:
        self.reading = reading
        null, other = scores if reading.order is Order.ADD else scores[::-1]
        self.cuts, self.threshold, self.tied_share = tail_cuts(Ascending(other), Ascending(null), reading.above)
        self._p_values = CutPValues(self.cuts)

    def smallest(self, claim: Claim) -> tuple[float, int]:
        """The smallest p-value for all readings and ranks together, and its cut."""
        p_values = self._p_values.of(claim, self.reading.order)
        best = int(np.argmin(p_values))
        return min(len(ScoreOrientation) * len(p_values) * float(p_values[best]), 1.0), best

    def cut(self, place: int, claim: Claim) -> Cut:
        """One of its cuts."""
        cuts = self.cuts
        return Cut(
            reading=self.reading,
            threshold=float(self.threshold[place]),
            tied_share=float(self.tied_share[place]),
            true_positives=int(cuts.true_positives[place]),
            positives=cuts.positives,
            false_positives=int(cuts.rank[place]) - 1,
            negatives=cuts.negatives,
            p_value=float(self._p_values.of(claim, self.reading.order)[place]),
        )


def _reads(scores: Scores) -> list[_Read]:
    return [_Read(reading, scores) for reading in ScoreOrientation]
