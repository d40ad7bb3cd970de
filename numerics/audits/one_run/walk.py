"""Right guesses at several numbers of guesses together: a binomial walk and the levels it may cross."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import scipy
from scipy.special import bdtr, bdtrc, betaincc, expit

from numerics.deadline import UNLIMITED, Deadline
from numerics.trade_off import Floats
from numerics.validation import NonNegative, checked

_ROUNDING = 1e-9  # relative, on the level: thresholds are rather too low than too high, and p-values too large


@checked
def tail(counts: Floats, correct: Floats, epsilon: NonNegative) -> Floats:
    """P(Bin(g, q) >= v) for each of ``counts`` g and ``correct`` v, (k,); q = 1/(1 + e^-epsilon).

    By the number of wrong guesses, whose probability 1 - q keeps its digits.
    """
    return np.where(correct <= 0.0, 1.0, betaincc(counts - correct + 1.0, np.maximum(correct, 1.0), expit(-epsilon)))


class GuessLevels(NamedTuple):
    """Numbers of guesses, and of right ones among them."""

    counts: tuple[int, ...]
    correct: tuple[int, ...]


def equal_levels(counts: Sequence[int], chance: float, epsilon: float) -> GuessLevels:
    """The fewest right guesses that are at most as likely as ``chance`` at each count by itself.

    Counts at which even all right ones are likelier are left out.
    """
    level = chance * (1.0 + _ROUNDING)

    def is_rare(count: int, right: int) -> bool:
        return bool(tail(np.array(float(count)), np.array(float(right)), epsilon) <= level)

    def fewest(count: int) -> int:  # SciPy's quantile says below 1e-16 that all must be right
        return bisect_left(range(count + 1), True, key=lambda right: is_rare(count, right))

    found = [(count, right) for count in counts if (right := fewest(count)) <= count]
    return GuessLevels(tuple(count for count, _ in found), tuple(right for _, right in found))


class Walk:
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


class _Law(NamedTuple):
    """Masses of ``first``, ``first`` + 1, ..., and what lies outside of them."""

    first: int
    mass: Floats
    missing: float


def _binomial(count: int, epsilon: float) -> _Law:
    """All but e^-90 of the law: Bernstein's inequality."""
    q = float(expit(epsilon))
    reach = 14.0 * np.sqrt(count * q * float(expit(-epsilon))) + 200.0
    first, last = max(0, int(count * q - reach)), min(count, int(count * q + reach) + 1)
    missing = (bdtr(first - 1, count, q) if first else 0.0) + (bdtrc(last, count, q) if last < count else 0.0)
    return _Law(first, scipy.stats.binom.pmf(np.arange(first, last + 1), count, q), float(missing))
