"""Test of a claimed curve by scores of many runs without and with the record: exact in finite samples, for any scores.

Runs have independent randomness and the same two neighbouring data sets, or the rest of the data drawn anew in each;
the score is fixed beforehand. Four orientations are tried: which world is the null hypothesis, and which end of the
scores is accused. Thresholds are the null world's scores of preset ranks, 1, 3, 9, ... up to the middle; each cut has
an exact p-value, and the smallest, times the number of orientations and ranks, is that of the claim (union bound). Ties
are ordered by lot, as for the lower bound on epsilon*, which is the case of the curve of (epsilon, delta).

The p-value of a cut. At the j-th largest of n0 null scores, with a of n1 other scores beyond, U ~ B(j, n0 - j + 1) is
the false positive rate, and where no attack has more power than F the count is at most Binomial(n1, F(U)) given U. With
V ~ B(a, n1 - a + 1), independent of U,

    p = E P(Binomial(n1, F(U)) >= a) = P(V <= F(U))

is a valid p-value: P(p <= r) <= r. It has nine digits for smooth curves, and is right to 3e-4 of itself where a curve
has a corner next to a cut.

A refutation is a proof at its level: the implementation, the accounting or the stated settings are wrong. The absence
of one is no guarantee, and nothing is said of other records, other data sets, or better attacks.
"""

from bisect import bisect_left
from enum import Enum
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from numerics.audits.claim import ApproximateClaim, Claim, Decision, boundary, fewest_enough
from numerics.audits.rounds import Scores, ordered
from numerics.deadline import UNLIMITED, Deadline
from numerics.epsilon_star.confidence import (
    LEVEL,
    Ascending,
    CutPValues,
    Cuts,
    Level,
    cut_risk,
    end_ranks,
    lower_bound,
    tail_cuts,
)
from numerics.roots import crossing
from numerics.trade_off import Floats, Order
from numerics.validation import OpenProbability, Positive, PositiveCount, checked, value

FINE, COARSE = 0.01, 0.05  # steps in normal scores: curves with corners, as of (epsilon, delta), need the finer one
_SMALLEST_P = 1e-300


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
    """One cut of the scores, and how unlikely the claim makes it by itself (``p_value``).

    Beyond the ``threshold``, a score of the null world, lie ``true_positives`` of the ``positives``, which are of the
    other world, and ``false_positives`` of the ``negatives``; of scores equal to it the ``tied_share``, drawn by lot.
    """

    orientation: ScoreOrientation
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

    The ``p_value`` is of all cuts together: a true claim has one of at most r with probability at most r. The ``cut``
    speaks most against it. That all scores are the same number, ``is_constant``, says nothing of any claim.
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
    found = [(read, read.p_values(claim)) for read in _reads(scores)]
    read, p_values = min(found, key=lambda pair: _together(pair[1]))
    best, cuts = int(np.argmin(p_values)), read.cuts.cuts
    cut = Cut(
        orientation=read.orientation,
        threshold=float(read.threshold[best]),
        tied_share=float(read.tied_share[best]),
        true_positives=int(cuts.true_positives[best]),
        positives=cuts.positives,
        false_positives=int(cuts.rank[best]) - 1,
        negatives=cuts.negatives,
        p_value=float(p_values[best]),
    )
    ends = {float(side[place]) for side in scores for place in (0, -1)}
    return ClaimTest(claim, level, _together(p_values), cut, len(ends) == 1)


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

    def excess(member: Claim) -> float:
        deadline.check()
        p_value = min(_together(read.p_values(member)) for read in reads)
        return float(np.log(max(p_value, _SMALLEST_P)) - np.log(1.0 - level))

    refuted, _ = boundary(claim, excess)
    return None if refuted is None else refuted.parameter


class _Read(NamedTuple):
    """The cuts (k,) of one orientation, their thresholds, and the share of equal scores that is cut off."""

    orientation: ScoreOrientation
    cuts: CutPValues
    threshold: Floats
    tied_share: Floats

    def p_values(self, claim: Claim) -> Floats:
        """Of each cut by itself."""
        return _p_values(self.cuts, claim, self.orientation.order)


def _reads(scores: Scores) -> list[_Read]:
    found = []
    for orientation in ScoreOrientation:
        null, other = scores if orientation.order is Order.ADD else scores[::-1]
        cuts, threshold, tied_share = tail_cuts(Ascending(other), Ascending(null), orientation.above)
        found.append(_Read(orientation, CutPValues(cuts, FINE), threshold, tied_share))
    return found


def _p_values(cuts: CutPValues, claim: Claim, order: Order) -> Floats:
    """Of a claim, (k,); ``order`` names the null world."""
    return cuts.of(partial(claim.power, order=order), partial(claim.alpha_for, order=order))


def _together(p_values: Floats) -> float:
    """The smallest p-value of one orientation, for all of them and ranks together."""
    return min(len(ScoreOrientation) * len(p_values) * float(p_values.min()), 1.0)


# What an audit by many runs can find, before it is made: detectable violations, and how many runs refute a claim.
#
# All of it is about one cut: with the critical count a_j, the least that refutes the claim at rank j, the probability
# that cut j refutes where the true curve is F' is P(Binomial(n1, F'(U)) >= a_j), U ~ B(j, n0 - j + 1), for the best
# attack. The whole test refutes at least as often as its best cut, so what is said to be found with probability 80 % is
# found more often, with 94 to 99 %.


POWER = 0.8
MOST_RUNS = 10_000_000
_CLOSE = 1.01  # times the fewest runs: as near as they are searched


@checked
def critical_counts(
    claim: Claim, order: Order, positives: PositiveCount, negatives: PositiveCount, risk: OpenProbability
) -> Floats:
    """Least counts (k,) with a p-value of at most ``risk`` at each of ``end_ranks``; ``positives`` + 1 where none has.

    The p-value falls with the count, and so it does between whole numbers: its root is rounded up.
    """
    ranks = end_ranks(negatives)

    def excess(fewer: Floats, rows: NDArray[np.intp]) -> Floats:
        cuts = Cuts(positives - fewer, positives, ranks[rows], negatives)
        return ndtri(_p_values(CutPValues(cuts, COARSE), claim, order)) - ndtri(risk)

    fewer = crossing(excess, np.zeros(len(ranks)), np.full(len(ranks), float(positives)))
    possible = excess(np.zeros(len(ranks)), np.arange(len(ranks))) <= 0.0
    return np.where(possible, np.ceil(positives - fewer), positives + 1.0)


@checked
def can_refute(claim: Claim, null_runs: PositiveCount, alternative_runs: PositiveCount, level: Level = LEVEL) -> bool:
    """Whether any scores of so many runs without and with the record refute the claim.

    The most that they can show: nobody of the null world lies beyond its first cut, and everybody of the other.
    """
    for order, null, other in _worlds(claim, null_runs, alternative_runs):
        first = CutPValues(Cuts(np.array([float(other)]), other, np.ones(1), null), FINE)
        if _p_values(first, claim, order)[0] <= cut_risk(null, level):
            return True
    return False


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
    cuts = _critical_cuts(claim, null_runs, alternative_runs, level)
    if not cuts:
        return None

    def excess(member: Claim) -> float:
        deadline.check()
        return _best_power(cuts, member) - power

    _, found = boundary(claim, excess)
    return None if found is None else found.parameter


@checked
def power_reached(
    claim: Claim, truth: Claim, runs: PositiveCount, level: Level = LEVEL, deadline: Deadline = UNLIMITED
) -> float:
    """Probability, at the least, with which so many runs in each world refute ``claim`` where ``truth`` is true."""
    deadline.check()
    return _best_power(_critical_cuts(claim, runs, runs, level), truth)


@checked
def runs_needed(
    claim: Claim, truth: Claim, level: Level = LEVEL, power: OpenProbability = POWER, deadline: Deadline = UNLIMITED
) -> int | None:
    """Runs in each world that refute ``claim`` with probability ``power`` at least where ``truth`` is true.

    At most one in a hundred more than it takes. None if it takes more than ten million.
    """
    fewest = fewest_runs(claim, level, deadline)

    def is_enough(runs: int) -> bool:
        return power_reached(claim, truth, runs, level, deadline) >= power

    return None if fewest is None else fewest_enough(is_enough, fewest, MOST_RUNS, _CLOSE)


def _critical_cuts(claim: Claim, null_runs: int, alternative_runs: int, level: float) -> list[tuple[Order, CutPValues]]:
    """The cuts that can refute, with their critical counts, for each null world."""
    found = []
    for order, null, other in _worlds(claim, null_runs, alternative_runs):
        counts = critical_counts(claim, order, other, null, cut_risk(null, level))
        possible = counts <= other
        if np.any(possible):
            cuts = Cuts(counts[possible], other, end_ranks(null)[possible], null)
            found.append((order, CutPValues(cuts, COARSE)))
    return found


def _best_power(cuts: list[tuple[Order, CutPValues]], truth: Claim) -> float:
    """Largest probability, over the cuts, that one refutes."""
    return max((float(np.max(_p_values(one, truth, order))) for order, one in cuts), default=0.0)


def _worlds(claim: Claim, null_runs: int, alternative_runs: int) -> list[tuple[Order, int, int]]:
    """The null hypotheses with the runs of the null world and of the other; of two that are alike the first."""
    worlds = [(Order.ADD, null_runs, alternative_runs), (Order.REMOVE, alternative_runs, null_runs)]
    return worlds[:1] if claim.is_symmetric and null_runs == alternative_runs else worlds


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
    factor = None if violation is None else claim.factor(violation)
    return ClaimVerdict(
        Decision.of(test.is_refuted, factor, largest_factor),
        test,
        largest_refuted(scores, claim, level, deadline),
        violation,
        factor,
        can_refute(claim, *sizes, level),
    )
