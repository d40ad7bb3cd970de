"""How likely the empirical distribution of n scores stays within given limits at given ranks, exactly.

P(lower_i <= U_(r_i) <= upper_i for all i), U_(r) the r-th smallest of n uniform numbers, for limits that ascend. The
number N(t) of them up to t is a Poisson process of rate n given that N(1) = n, and its increments are independent:
N(lower_i) < r_i and N(upper_i) >= r_i are imposed from left to right, each step convolving the law of N with a Poisson
law and cutting off what crossed (as Moscovich and Nadler 2016).

At the same local level eta for every rank the limits are the quantiles eta and 1 - eta of its beta law, B(r, n-r+1),
which none leaves with more than 2 eta. Ranks are all of them up to ``ALL_RANKS``, above that those nearest to a
geometric sequence from either end.
"""

from typing import Annotated, NamedTuple

import numpy as np
import scipy
from scipy.special import betainccinv, betaincinv, gammaln, xlogy

from numerics.deadline import UNLIMITED, Deadline
from numerics.trade_off import Floats
from numerics.validation import Interval, OpenProbability, PositiveCount, checked

ALL_RANKS = 10_000
_GROWTH = 1.09  # of ranks, where not all of them are taken
_FAR = 12.0  # standard deviations of a count: what lies beyond is cut off, which makes the probability smaller
_LONG = 256  # terms above which a transform is quicker
_SMALL = 40.0  # counts added to that, where a standard deviation says little
Sides = Annotated[int, Interval(1, 2)]


class RankLimits(NamedTuple):
    """Limits of the ``ranks`` (k,), ascending, of ``size`` uniform numbers."""

    size: int
    ranks: Floats
    lower: Floats
    upper: Floats


@checked
def ranks_of(size: PositiveCount) -> Floats:
    """Ranks (k,) at which a band of ``size`` scores is kept, ascending from 1 to ``size``."""
    if size <= ALL_RANKS:
        return np.arange(1.0, size + 1.0)
    steps = int(np.log(size / 2) / np.log(_GROWTH)) + 1
    from_end = np.unique(np.round(_GROWTH ** np.arange(steps)))
    from_end = from_end[from_end <= size / 2]
    return np.concatenate((from_end, size + 1.0 - from_end[::-1]))


@checked
def limits_at(size: PositiveCount, level: OpenProbability) -> RankLimits:
    """Limits at local ``level`` for each rank, on either side."""
    ranks = ranks_of(size)
    upper = np.asarray(betainccinv(ranks, size + 1.0 - ranks, level), np.float64)
    lower = np.asarray(betaincinv(ranks, size + 1.0 - ranks, level), np.float64)
    return RankLimits(size, ranks, lower, upper)


@checked
def stays_within(limits: RankLimits, sides: Sides = 2, deadline: Deadline = UNLIMITED) -> float:
    """The probability explained above; with one side that of the upper limits alone."""
    size, ranks, lower, upper = limits
    lower = lower if sides == 2 else np.zeros(len(ranks))
    times = np.concatenate((lower, upper))
    at_least = np.concatenate((np.zeros(len(ranks)), ranks))
    at_most = np.concatenate((np.where(lower > 0.0, ranks - 1.0, float(size)), np.full(len(ranks), float(size))))
    now, first, law = 0.0, 0, np.ones(1)
    for place in np.argsort(times, kind="stable"):
        deadline.check()
        time = float(times[place])
        law, first = _later(law, first, size * (time - now))
        reach = size * time + _FAR * np.sqrt(size * time) + _SMALL
        low, high = int(at_least[place]), int(min(at_most[place], reach))
        cut = max(low - first, 0)
        law, first, now = law[cut : max(high - first + 1, 0)], max(first, low), time
        if not len(law):
            return 0.0
    left = size - first - np.arange(len(law))
    ends = _poisson(size * (1.0 - now), left.astype(float))
    return float(min(law @ ends / _poisson(float(size), np.array([float(size)]))[0], 1.0))


@checked
def local_level(size: PositiveCount, risk: OpenProbability, sides: Sides = 2, deadline: Deadline = UNLIMITED) -> float:
    """The local level at which some limit is left with probability ``risk``: seconds for thousands of scores."""

    def excess(log_level: float) -> float:
        return stays_within(limits_at(size, float(np.exp(log_level))), sides, deadline) - (1.0 - risk)

    low = np.log(risk / (sides * len(ranks_of(size)))) - 1e-9  # the union bound
    return float(np.exp(scipy.optimize.brentq(excess, low, np.log(risk), xtol=1e-9, rtol=1e-12)))


def _later(law: Floats, first: int, mean: float) -> tuple[Floats, int]:
    """Law of the count, and its smallest value, after ``mean`` more are expected."""
    spread = _FAR * np.sqrt(mean) + _SMALL / 2
    fewest = int(max(mean - spread, 0.0))
    jump = _poisson(mean, np.arange(fewest, int(mean + spread) + 1.0))
    later = scipy.signal.fftconvolve(law, jump) if min(len(law), len(jump)) > _LONG else np.convolve(law, jump)
    return np.maximum(later, 0.0), first + fewest


def _poisson(mean: float, count: Floats) -> Floats:
    """Probabilities of the counts (k,)."""
    return np.asarray(np.exp(xlogy(count, mean) - mean - gammaln(count + 1.0)) * (count >= 0.0))
