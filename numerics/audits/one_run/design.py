"""Before the audit: how likely so many canaries refute a claim if the truth is another curve, and how many it takes.

Computed for the best possible scores, which tell as much as the truth allows, of canaries that do not interact: a real
attack usually needs more of them. With g guesses, the (g/2 + 1)-th largest and smallest scores are order statistics of
the pooled law, half with the record and half without; given them, the guesses beyond are right independently, with the
share of that tail that is right. So the number of right guesses is a sum of two binomial variables, averaged over two
beta laws: by the trapezoidal rule in normal scores, to about 1e-6. Of several numbers of guesses the one that is
likeliest to refute counts, by itself: all together may refute a little more often.
"""

from bisect import bisect_left
from functools import partial
from typing import Annotated

import numpy as np
import scipy
from scipy.special import betainc, betaincinv, ndtr

from numerics.audits.claim import ApproximateClaim, Claim, Decision, GdpClaim, boundary, fewest_enough
from numerics.audits.one_run import p_values
from numerics.audits.one_run.guesses import (
    FEWEST_CANARIES,
    CanaryCount,
    GuessCounts,
    Guesses,
    Note,
    check_counts,
    preset_counts,
)
from numerics.audits.one_run.odds import BoundaryCrossing, equal_levels
from numerics.audits.one_run.p_values import is_pure, refutes
from numerics.deadline import UNLIMITED, Deadline
from numerics.epsilon_star.confidence import LEVEL, Level
from numerics.mechanisms import Gaussian
from numerics.mechanisms.base import LARGEST_NOISE
from numerics.normal_scores import normal_scores
from numerics.trade_off import Floats, Order, alpha_grid
from numerics.validation import Interval, OpenProbability, Probability, checked, value

POWER = 0.8
MOST_CANARIES = 1_000_000
_SCORES, _WEIGHTS = normal_scores(0.5, 5.5)
_ALPHAS = alpha_grid(4001, 1e-12)
_SPREAD = 8.0  # standard deviations of a binomial law that are summed
_CLOSE = 0.01  # relative, of a violation's parameter
_GROWTH = 1.1  # times the fewest canaries: as near as they are searched


@checked
def critical_counts(
    claim: Claim, canaries: CanaryCount, counts: GuessCounts, level: Level = LEVEL, deadline: Deadline = UNLIMITED
) -> tuple[int | None, ...]:
    """The fewest right guesses at each of ``counts`` that refute ``claim`` at ``level``; None where not even all do.

    Raises ValueError unless counts ascend within 1 ... ``canaries``, DeadlineError when it takes too long.
    """
    check_counts(counts, canaries)
    if is_pure(claim):
        return _critical_odds(claim.parameter, counts, 1.0 - level)
    found: list[int | None] = []
    for count in counts:
        test = partial(refutes, claim, canaries, count, chance=(1.0 - level) / len(counts), deadline=deadline)
        half = count // 2 + 1  # half of them refute nothing
        found.append(half + bisect_left(range(half, count), True, key=test) if test(count) else None)
    return tuple(found)


def _critical_odds(epsilon: float, counts: GuessCounts, risk: float) -> tuple[int | None, ...]:
    """By the largest level, the same at each count by itself, at which the walk crosses with at most ``risk``."""
    low, high = risk / (2 * len(counts)), risk  # the first is a Bonferroni share
    while high > low * 1.001:
        middle = float(np.sqrt(low * high))
        reached, levels = equal_levels(counts, middle, epsilon)
        fits = not reached or BoundaryCrossing(reached, epsilon).crosses(levels) < risk
        low, high = (middle, high) if fits else (low, middle)
    known = dict(zip(*equal_levels(counts, low, epsilon), strict=True))
    return tuple(known.get(count) for count in counts)


@checked
def power(
    claim: Claim,
    truth: Claim,
    canaries: CanaryCount,
    counts: GuessCounts | None = None,
    level: Level = LEVEL,
    deadline: Deadline = UNLIMITED,
) -> float:
    """Probability with which ``canaries`` refute ``claim`` if ``truth`` is the curve that the scores reach.

    ``truth`` is in the add-one order, as it bounds what scores can tell; ``counts`` are numbers of guesses, at most all
    canaries but two, and ``preset_counts`` unless chosen.

    Raises ValueError for counts that do not ascend within 1 ... ``canaries`` - 2, DeadlineError when it takes too long.
    """
    counts = preset_counts(canaries) if counts is None else counts
    Interval(1, canaries - 2).check("largest of counts", max(counts, default=0))
    return _best_power(critical_counts(claim, canaries, counts, level, deadline), truth, canaries, counts, deadline)


def _best_power(
    critical: tuple[int | None, ...], truth: Claim, canaries: int, counts: GuessCounts, deadline: Deadline
) -> float:
    found, tails = [0.0], GuessTails(truth)
    for count, least in zip(counts, critical, strict=True):
        deadline.check()
        if least is not None:
            found.append(tails.at_least(least, count, canaries))
    return float(min(max(found), 1.0))


class GuessTails:
    """Shares of right guesses beyond the thresholds of scores that reach the curve of ``truth``."""

    def __init__(self, truth: Claim) -> None:
        orders = Order.ADD, Order.REMOVE  # of the largest scores, and of the smallest
        self._beyond = [0.5 * (_ALPHAS + truth.power(_ALPHAS, order)) for order in orders]  # of all canaries

    def at_least(self, least: int, count: int, canaries: int) -> float:
        """P(at least so many of ``count`` guesses are right)."""
        top, bottom = (count + 1) // 2, count // 2
        first = _order_statistic(top + 1, canaries)
        rest = _order_statistic(bottom + 1, canaries - top - 1)  # of those below the first threshold
        total = 0.0
        for share, weight in zip(first, _WEIGHTS, strict=True):
            right = self._right(0, np.array([share]))[0], self._right(1, (1.0 - share) * rest)
            total += weight * float(_sum_at_least(least, (top, bottom), right) @ _WEIGHTS)
        return total

    def _right(self, side: int, beyond: Floats) -> Floats:
        """Share of right guesses among the scores ``beyond``."""
        wrong = np.interp(beyond, self._beyond[side], _ALPHAS)
        return np.clip(1.0 - wrong / (2.0 * beyond), 0.0, 1.0)


def _order_statistic(rank: int, size: int) -> Floats:
    """Quantiles of the ``rank``-th smallest of ``size`` uniform variables at the normal scores."""
    return betaincinv(rank, size - rank + 1.0, ndtr(_SCORES))


def _sum_at_least(least: int, sizes: tuple[int, int], right: tuple[float, Floats]) -> Floats:
    """P(Bin(n_1, p_1) + Bin(n_2, p_2) >= least) for one p_1 and each p_2 (k,), which are above 0."""
    (n, other), (p, others) = sizes, right
    centre, reach = n * p, _SPREAD * np.sqrt(n * p * (1.0 - p)) + 20.0
    first = np.arange(max(0, least - other, int(centre - reach)), min(n, int(centre + reach) + 1) + 1)
    needed = np.maximum(least - first, 0)[:, None]
    return scipy.stats.binom.pmf(first, n, p) @ betainc(needed, other + 1 - needed, others)


@checked
def smallest_violation(
    claim: Claim,
    canaries: CanaryCount,
    counts: GuessCounts | None = None,
    level: Level = LEVEL,
    wanted: OpenProbability = POWER,
    deadline: Deadline = UNLIMITED,
) -> float | None:
    """The parameter of the claim's family nearest to the claim that would be refuted with probability ``wanted``.

    A larger mu or epsilon, a smaller noise multiplier, found to a relative 1 %; see ``power``. None where none would.

    Raises ValueError as ``power`` does, DeadlineError when it takes too long.
    """
    counts = preset_counts(canaries) if counts is None else counts
    Interval(1, canaries - 2).check("largest of counts", max(counts, default=0))
    critical = critical_counts(claim, canaries, counts, level, deadline)
    return _smallest_found(critical, claim, canaries, counts, deadline, wanted)


def _smallest_found(
    critical: tuple[int | None, ...],
    claim: Claim,
    canaries: int,
    counts: GuessCounts,
    deadline: Deadline,
    wanted: float = POWER,
) -> float | None:
    """The parameter of the claim's family from which on these numbers of right guesses are reached."""
    if all(least is None for least in critical):
        return None
    _, found = boundary(claim, lambda truth: _best_power(critical, truth, canaries, counts, deadline) - wanted, _CLOSE)
    return None if found is None else found.parameter


@checked
def canaries_needed(
    claim: Claim, truth: Claim, level: Level = LEVEL, wanted: OpenProbability = POWER, deadline: Deadline = UNLIMITED
) -> int | None:
    """Canaries that refute ``claim`` with probability ``wanted`` if ``truth`` holds, by the preset numbers of guesses.

    At most a tenth more than it takes; see ``power``. None where a million are too few: a test of one run stays below
    the truth however many there are.

    Raises DeadlineError when it takes too long.
    """

    def is_enough(canaries: int) -> bool:
        return power(claim, truth, canaries, None, level, deadline) >= wanted

    return fewest_enough(is_enough, FEWEST_CANARIES, MOST_CANARIES, _GROWTH)


# What one run says of a claim, in three words, and how far that goes.


LARGEST_FACTOR = 2.0  # of two sets of runs 1.5 can be asked; one run stays below the truth with any number of canaries
DELTA = 1e-5  # at which an epsilon is proved where no other was chosen
_MUCH = 0.1  # of 2 m delta
_USUAL_EPSILON = 1.0  # from which the largest refuted one is searched
_LEAST_NOISE = 0.03  # in one step, whose curve is still one that a claim can have


@value
class GaussianNoise:
    """What canaries find of Gaussian noise in one step that has a promised (epsilon, delta), with probability .8.

    Attributes:
        promised: the noise multiplier that has it.
        by_curve: the largest smaller one that is found if noise, rate and steps are the promise.
        by_pair: the same if (epsilon, delta) is; None where none is.
    """

    promised: float
    by_curve: float
    by_pair: float | None


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
        proved: the largest epsilon that is refuted at its delta, whatever was promised; 0 where none is. By itself it
            holds at the level, as the verdict does.
        by_curve: what so many canaries find where more than (epsilon, delta) is promised; None where the claim is no
            such, or of epsilon 0, or refuted, or nothing is found so.
        critical: the fewest right guesses at each count that refute; None where not even all do.
        notes: what else to know.
    """

    decision: Decision
    p_value: float
    level: float
    claim: Claim
    refuted: float | None
    detectable: float | None
    proved: ApproximateClaim
    by_curve: GaussianNoise | None
    critical: tuple[int | None, ...]
    notes: tuple[Note, ...]


@checked
def audit(
    guesses: Guesses,
    claim: Claim,
    level: Level = LEVEL,
    two_sided: bool = False,
    factor: Annotated[float, Interval(1.0, 1000.0)] = LARGEST_FACTOR,
    delta: Probability = DELTA,
    deadline: Deadline = UNLIMITED,
) -> Finding:
    """Test ``claim`` by the guesses about one run's canaries.

    Refuted: the p-value is at most 1 - ``level``. Too few to tell: not even all guesses right would refute, or what
    the best possible scores find with probability .8 has a parameter more than ``factor`` times as large, or as small
    if that is a noise multiplier; of a claim of 0 a parameter larger than ``factor``. Which epsilon is proved is asked
    at ``delta``, unless the claim has its own. Whether the opposite of all guesses is tried too (``two_sided``), the
    level, delta and the counts are fixed before the audit. A release's claim takes seconds, as other noise is
    certified too.

    Raises ValueError for neighbours of another kind, DeadlineError when it takes too long.
    """
    p_value = p_values.p_value(guesses, claim, two_sided, deadline)
    asked = 1.0 - (1.0 - level) / (1 + two_sided)  # of one direction
    critical = critical_counts(claim, guesses.canaries, guesses.counts, asked, deadline)
    refuted = p_values.parameter_refuted(guesses, claim, level, two_sided, deadline=deadline)
    asked_at = claim if isinstance(claim, ApproximateClaim) else ApproximateClaim(_USUAL_EPSILON, delta)
    proved = refuted
    if asked_at is not claim:
        proved = p_values.parameter_refuted(guesses, asked_at, level, two_sided, deadline=deadline)
    is_refuted, violation, by_curve = p_value <= 1.0 - level, None, None
    if not is_refuted:
        counts = tuple(count for count in guesses.counts if count <= guesses.canaries - 2)
        violation = smallest_violation(claim, guesses.canaries, counts, asked, deadline=deadline)
        if isinstance(claim, ApproximateClaim) and claim.epsilon > 0.0:
            by_curve = _by_curve(claim, guesses.canaries, counts, asked, deadline)
    apart = claim.factor(violation) if violation is not None and claim.parameter > 0.0 else violation
    is_dominated = isinstance(claim, ApproximateClaim) and 2.0 * guesses.canaries * claim.delta > _MUCH
    dominated = [Note.DELTA_DOMINATES] if is_dominated else []
    decision, notes = Decision.of(is_refuted, apart, factor), (*guesses.remarks, *dominated)
    shown = asked_at.with_parameter(proved or 0.0)
    return Finding(decision, p_value, level, claim, refuted, violation, shown, by_curve, critical, notes)


def _by_curve(
    claim: ApproximateClaim, canaries: int, counts: GuessCounts, level: float, deadline: Deadline
) -> GaussianNoise | None:
    """Of the noise that has exactly the promised delta at the promised epsilon."""

    def excess(log_noise: float) -> float:
        return Gaussian(float(np.exp(log_noise))).delta(claim.epsilon).estimate - claim.delta

    ends = float(np.log(_LEAST_NOISE)), float(np.log(LARGEST_NOISE))
    if not excess(ends[0]) > 0.0 > excess(ends[1]):
        return None
    promised = GdpClaim(float(np.exp(-scipy.optimize.brentq(excess, *ends))))
    by_curve, by_pair = (
        _smallest_found(
            critical_counts(tested, canaries, counts, level, deadline), promised, canaries, counts, deadline
        )
        for tested in (promised, claim)
    )
    if by_curve is None:
        return None
    return GaussianNoise(1.0 / promised.mu, 1.0 / by_curve, None if by_pair is None else 1.0 / by_pair)
