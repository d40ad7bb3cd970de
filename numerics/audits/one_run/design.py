"""Before the audit: how likely so many canaries refute a claim if the truth is another curve, and how many it takes.

Computed for the best possible scores, which tell as much as the truth allows, of canaries that do not interact: a real
attack usually needs more of them. With g guesses, the (g/2 + 1)-th largest and smallest scores are order statistics of
the pooled law, half with the record and half without; given them, the guesses beyond are right independently, with the
share of that tail that is right. So the number of right guesses is a sum of two binomial variables, averaged over two
beta laws: by the trapezoidal rule in normal scores, to about 1e-6. Of several numbers of guesses the one that is
likeliest to refute counts, by itself: all together may refute a little more often.
"""

from bisect import bisect_left
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
import scipy
from scipy.special import betaincinv, ndtr

from numerics.audits.claim import LOOSEST, Claim, loosest, member_of, middle_of
from numerics.audits.one_run.curve import is_pure, refutes
from numerics.audits.one_run.guesses import CanaryCount, GuessCounts, check_counts, preset_counts
from numerics.audits.one_run.odds import BoundaryCrossing, equal_levels
from numerics.deadline import UNLIMITED, Deadline
from numerics.epsilon_star.confidence import LEVEL, Level
from numerics.normal_scores import normal_scores
from numerics.trade_off import Floats, Order, alpha_grid
from numerics.validation import Interval, OpenProbability, checked

POWER = 0.8
MOST_CANARIES = 1_000_000
_SCORES, _WEIGHTS = normal_scores(0.5, 5.5)
_ALPHAS = alpha_grid(4001, 1e-12)
_SPREAD = 8.0  # standard deviations of a binomial law that are summed
_CLOSE = 0.01  # relative, of a violation's parameter
_GROWTH = 1.1  # between numbers of canaries that are tried


class Design(NamedTuple):
    """One plan: ``canaries``, the preset ``counts`` of guesses, and the ``power`` with which it refutes."""

    canaries: int
    counts: GuessCounts
    power: float


@checked
def critical_counts(
    claim: Claim, canaries: CanaryCount, counts: GuessCounts, level: Level = LEVEL, deadline: Deadline = UNLIMITED
) -> tuple[int | None, ...]:
    """The fewest right guesses at each of ``counts`` that refute ``claim`` at ``level``; None where not even all do.

    Raises ValueError unless counts ascend within 1 ... ``canaries``, DeadlineError when it takes too long.
    """
    check_counts(counts, canaries)
    risk = 1.0 - level
    if is_pure(claim):
        return _critical_odds(claim.parameter, counts, risk)
    risk /= len(counts)
    return tuple(_critical(claim, canaries, count, risk, deadline) for count in counts)


def _critical(claim: Claim, canaries: int, count: int, risk: float, deadline: Deadline) -> int | None:
    if not refutes(claim, canaries, count, count, risk, deadline):
        return None
    more = range(count // 2 + 1, count)  # half of them refute nothing
    found = bisect_left(more, True, key=lambda right: refutes(claim, canaries, count, right, risk, deadline))
    return count // 2 + 1 + found


def _critical_odds(epsilon: float, counts: GuessCounts, risk: float) -> tuple[int | None, ...]:
    """By the largest level, the same at each count by itself, at which the walk crosses with at most ``risk``."""
    low, high = risk / (2 * len(counts)), risk  # the first is a Bonferroni share
    while high > low * 1.001:
        middle = float(np.sqrt(low * high))
        levels = equal_levels(counts, middle, epsilon)
        fits = not levels.counts or BoundaryCrossing(levels.counts, epsilon).crosses(levels.correct) < risk
        low, high = (middle, high) if fits else (low, middle)
    found = equal_levels(counts, low, epsilon)
    known = dict(zip(found.counts, found.correct, strict=True))
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

    Args:
        claim: what is tested.
        truth: what the mechanism really is; in the add-one order, as it bounds what scores can tell.
        canaries: how many there are.
        counts: numbers of guesses, at most all canaries but two; ``preset_counts`` unless chosen.
        level: confidence of the audit.
        deadline: looked at between counts.

    Raises ValueError for counts that do not ascend within 1 ... ``canaries`` - 2, DeadlineError when it takes too long.
    """
    counts = preset_counts(canaries) if counts is None else counts
    Interval(1, canaries - 2).check("largest of counts", max(counts, default=0))
    critical = critical_counts(claim, canaries, counts, level, deadline)
    found, tails = [0.0], GuessTails.of(truth)
    for count, least in zip(counts, critical, strict=True):
        deadline.check()
        if least is not None:
            found.append(tails.at_least(least, count, canaries))
    return float(min(max(found), 1.0))


@dataclass(frozen=True, eq=False)
class GuessTails:
    """Shares of right guesses beyond the thresholds of scores.

    ``beyond`` (n,) is the share of all canaries whose scores lie beyond a threshold, ``wrong`` (n,) the false positive
    rate there: of the largest scores in the first row, of the smallest in the second.
    """

    beyond: tuple[Floats, Floats]
    wrong: Floats

    @classmethod
    def of(cls, truth: Claim) -> "GuessTails":
        """Of scores that reach the curve of ``truth``."""
        shares = [0.5 * (_ALPHAS + truth.power(_ALPHAS, order)) for order in (Order.ADD, Order.REMOVE)]
        return cls((shares[0], shares[1]), _ALPHAS)

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
        wrong = np.interp(beyond, self.beyond[side], self.wrong)
        return np.clip(1.0 - wrong / (2.0 * beyond), 0.0, 1.0)


def _order_statistic(rank: int, size: int) -> Floats:
    """Quantiles of the ``rank``-th smallest of ``size`` uniform variables at the normal scores."""
    return betaincinv(rank, size - rank + 1.0, ndtr(_SCORES))


def _sum_at_least(least: int, sizes: tuple[int, int], right: tuple[float, Floats]) -> Floats:
    """P(Bin(n_1, p_1) + Bin(n_2, p_2) >= least) for one p_1 and each p_2 (k,)."""
    (n, other), (p, others) = sizes, right
    centre, reach = n * p, _SPREAD * np.sqrt(n * p * (1.0 - p)) + 20.0
    first = np.arange(max(0, int(centre - reach)), min(n, int(centre + reach) + 1) + 1)
    return scipy.stats.binom.pmf(first, n, p) @ scipy.stats.binom.sf(least - 1 - first[:, None], other, others[None, :])


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

    A larger mu or epsilon, a smaller noise multiplier, found to a relative 1 %; see ``power``. None where not even
    a mu or epsilon of 1,000 would be, or a thousandth of the claim's noise.

    Raises ValueError as ``power`` does, DeadlineError when it takes too long.
    """
    counts = preset_counts(canaries) if counts is None else counts

    def hidden(looseness: float) -> bool:
        return power(claim, member_of(claim, looseness), canaries, counts, level, deadline) < wanted

    if all(least is None for least in critical_counts(claim, canaries, counts, level, deadline)):
        return None
    start = middle_of(claim)
    found = loosest(hidden, start, _CLOSE)
    if found is None or found >= LOOSEST * start:
        return None
    return member_of(claim, found * (1.0 + _CLOSE)).parameter


@checked
def canaries_needed(
    claim: Claim,
    truth: Claim,
    level: Level = LEVEL,
    wanted: OpenProbability = POWER,
    deadline: Deadline = UNLIMITED,
) -> Design | None:
    """The fewest canaries, in steps of a tenth, that refute ``claim`` with probability ``wanted`` if ``truth`` holds.

    With the preset numbers of guesses; see ``power``. None where a million are too few: a test of one run stays below
    the truth however many there are.

    Raises DeadlineError when it takes too long.
    """
    sizes = [int(size) for size in np.unique(np.round(np.geomspace(20, MOST_CANARIES, _sizes())))]
    plan = partial(_plan, claim, truth, level, deadline)
    low, high = -1, len(sizes) - 1
    if plan(sizes[high]).power < wanted:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if plan(sizes[middle]).power >= wanted else (middle, high)
    return plan(sizes[high])


def _sizes() -> int:
    return int(np.ceil(np.log(MOST_CANARIES / 20) / np.log(_GROWTH))) + 1


def _plan(claim: Claim, truth: Claim, level: float, deadline: Deadline, canaries: int) -> Design:
    counts = preset_counts(canaries)
    return Design(canaries, counts, power(claim, truth, canaries, counts, level, deadline))
