"""Tests of (epsilon, delta) by the number of right guesses, at one count or at all of a preset list together.

One count - Steinke, Nasr and Jagielski 2023, Theorem 5.2: v of g guesses right refute with the p-value

    p = P(Bin(g, q) >= v) + 2 m delta max_i P(v - i <= Bin(g, q) < v) / i,  q = 1/(1 + e^-epsilon), i = 1 ... v,

m counting all canaries. (Several public copies of the authors' code leave the second term out, which makes p more than
ten times too small at m = 1,000 and delta = 1e-5.)

All counts - the proof of that theorem gives more than the binomial law: given the output, "the guess is right", taken
in the order of confidence, is jointly dominated by independent coins with probability q, so every statistic that grows
with them is. With p* the smallest single P(Bin(g, q) >= v), v_g the fewest right ones at count g as unlikely as p*, and
G(i) the probability that the walk of right guesses reaches v_g - i at some g,

    p = G(0) + 2 m delta max_i (G(i) - G(0)) / i.

For delta > 0 both rest on the failures in Theorem 5.2 depending on the output alone.
"""

from bisect import bisect_left
from collections.abc import Sequence

import numpy as np
import scipy
from scipy.special import bdtr, bdtrc, betaincc, betaincinv, expit, logit

from numerics.audits.one_run.guesses import Guesses
from numerics.deadline import UNLIMITED, Deadline
from numerics.epsilon_star.confidence import LEVEL, Level
from numerics.trade_off import Floats
from numerics.validation import FiniteNonNegative, NonNegative, Probability, checked

# Right guesses at several numbers of guesses together: a binomial walk and the levels it may cross.


_ROUNDING = 1e-9  # relative, on the level: thresholds are rather too low than too high, and p-values too large


@checked
def tail(counts: Floats, correct: Floats, epsilon: NonNegative) -> Floats:
    """P(Bin(g, q) >= v) for each of ``counts`` g and ``correct`` v, (k,); q = 1/(1 + e^-epsilon).

    By the number of wrong guesses, whose probability 1 - q keeps its digits.
    """
    return np.where(correct <= 0.0, 1.0, betaincc(counts - correct + 1.0, np.maximum(correct, 1.0), expit(-epsilon)))


def equal_levels(counts: Sequence[int], chance: float, epsilon: float) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Counts, and the fewest right guesses that are at most as likely as ``chance`` at each of them by itself.

    Counts at which even all right ones are likelier are left out.
    """
    level = chance * (1.0 + _ROUNDING)

    def is_rare(count: int, right: int) -> bool:
        return bool(tail(np.array(float(count)), np.array(float(right)), epsilon) <= level)

    def fewest(count: int) -> int:  # SciPy's quantile says below 1e-16 that all must be right
        return bisect_left(range(count + 1), True, key=lambda right: is_rare(count, right))

    found = [(count, right) for count in counts if (right := fewest(count)) <= count]
    return tuple(count for count, _ in found), tuple(right for _, right in found)


class BoundaryCrossing:
    """Right guesses among the first g_1, g_2, ... of independent guesses that are right with probability q."""

    def __init__(self, counts: Sequence[int], epsilon: float, deadline: Deadline = UNLIMITED) -> None:
        self._deadline = deadline
        self._added = [_binomial(more, epsilon) for more in np.diff([0, *counts]).tolist()]

    def crosses(self, correct: Sequence[int]) -> float:
        """P(at some count at least so many are right); what is cut off of the laws counts as crossing."""
        alive, low, crossed = np.ones(1), 0, 0.0
        for (first, mass, missing), level in zip(self._added, correct, strict=True):
            self._deadline.check()
            crossed += missing * float(alive.sum())
            alive, low = np.convolve(alive, mass), low + first
            kept = max(level - low, 0)
            crossed += float(alive[kept:].sum())
            alive = alive[:kept]
            if not len(alive):
                return 1.0
        return min(crossed, 1.0)


def _binomial(count: int, epsilon: float) -> tuple[int, Floats, float]:
    """The smallest number of right guesses that counts, the masses from it on, and what lies outside of them.

    All but e^-90 of the law: Bernstein's inequality.
    """
    q = float(expit(epsilon))
    reach = 14.0 * np.sqrt(count * q * float(expit(-epsilon))) + 200.0
    first, last = max(0, int(count * q - reach)), min(count, int(count * q + reach) + 1)
    missing = (bdtr(first - 1, count, q) if first else 0.0) + (bdtrc(last, count, q) if last < count else 0.0)
    return first, scipy.stats.binom.pmf(np.arange(first, last + 1), count, q), float(missing)


_SCAN = 32  # epsilons looked at before the bound is narrowed: the p-value need not grow all the way
_CLOSE = 1e-10
_EACH, _STRIDE = 64, 1.05  # so many steps are taken one by one, and later ones are at most 5 % too large
_CERTAIN = 1.0 - 1e-6  # a p-value that is called 1


@checked
def p_value(
    guesses: Guesses, epsilon: FiniteNonNegative, delta: Probability = 0.0, deadline: Deadline = UNLIMITED
) -> float:
    """P-value of the claim that the mechanism is (``epsilon``, ``delta``)-DP, from all counts together; at most 1."""
    counts, correct = np.array(guesses.counts, float), np.array(guesses.correct, float)
    if np.all(correct <= 0.5 * counts):
        return 1.0
    least = float(tail(counts, correct, epsilon).min())
    if least > _CERTAIN:
        return 1.0
    if len(counts) == 1:
        certain, step = least, _largest_step(guesses.counts[0], guesses.correct[0], epsilon) if delta else 0.0
    else:
        reached, levels = equal_levels(guesses.counts, least, epsilon)
        walk = BoundaryCrossing(reached, epsilon, deadline)
        certain = walk.crosses(levels)
        step = max(_steps(walk, levels, certain)) if delta and certain < 1.0 else 0.0
    return min(1.0, certain + 2.0 * guesses.canaries * delta * step)


def _largest_step(count: int, correct: int, epsilon: float) -> float:
    """Largest P(v - i <= Bin(g, q) < v) / i."""
    q = float(expit(epsilon))
    reach = 40.0 * np.sqrt(count * q * float(expit(-epsilon))) + 400.0  # below lies less than e^-500
    lowest = max(0, int(count * q - reach))
    below = np.arange(correct - 1, min(lowest, correct) - 1, -1)
    masses = np.cumsum(scipy.stats.binom.pmf(below, count, q)) / np.arange(1, len(below) + 1)
    return float(np.max(masses, initial=0.0))


def _steps(walk: BoundaryCrossing, correct: tuple[int, ...], certain: float) -> list[float]:
    """(G(i) - G(0)) / i from i = 1 on, as long as a larger one may come.

    Far on, one number stands for a few, and is no smaller than theirs: G grows.
    """
    found, i = [0.0], 1
    while i <= max(correct) and 1.0 - certain > i * max(found):
        last = max(i, int(_STRIDE * i)) if i > _EACH else i
        found.append((walk.crosses([v - last for v in correct]) - certain) / i)
        i = last + 1
    return found


@checked
def epsilon_at_least(
    guesses: Guesses, delta: Probability = 0.0, level: Level = LEVEL, deadline: Deadline = UNLIMITED
) -> float:
    """Lower bound on the mechanism's epsilon at ``delta``, right with probability ``level``; 0 where nothing is shown.

    The largest epsilon up to which all are refuted: the p-value may fall where another count becomes the least likely
    one, so 32 smaller ones are looked at before the bound is narrowed.

    Raises DeadlineError when it takes too long.
    """
    risk = 1.0 - level

    def refuted(epsilon: float) -> bool:
        deadline.check()
        return p_value(guesses, epsilon, delta, deadline) < risk

    pairs = [(g, v) for g, v in zip(guesses.counts, guesses.correct, strict=True) if v > 0]
    # The epsilon at which so many right ones have this probability: no bound of several counts is larger.
    top = max((float(logit(betaincinv(v, g - v + 1.0, risk))) for g, v in pairs), default=0.0)
    if top <= 0.0 or not refuted(0.0):
        return 0.0
    scan = np.linspace(0.0, top, _SCAN + 1).tolist()
    place = next((place for place, epsilon in enumerate(scan) if not refuted(epsilon)), len(scan))
    if place == len(scan):
        return top
    low, high = scan[place - 1], scan[place]
    while high - low > _CLOSE * max(1.0, high):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if refuted(middle) else (low, middle)
    return float(low)
