"""Make the table of local levels that bands of measured curves use (numerics/audits/local_levels.json).

Run from the project's folder: ``python -m data.make_local_levels``. Takes minutes.

How likely the empirical distribution of n scores stays within given limits at given ranks, exactly:
P(lower_i <= U_(r_i) <= upper_i for all i), U_(r) the r-th smallest of n uniform numbers, for limits that ascend. The
number N(t) of them up to t is a Poisson process of rate n given that N(1) = n, and its increments are independent:
N(lower_i) < r_i and N(upper_i) >= r_i are imposed from left to right, each step convolving the law of N with a
Poisson law and cutting off what crossed (as Moscovich and Nadler 2016).
"""

import json
from pathlib import Path

import numpy as np
import scipy
from scipy.special import gammaln, xlogy

from numerics.audits import measured
from numerics.audits.measured import RankLimits, limits_at, ranks_of
from numerics.deadline import UNLIMITED, Deadline
from numerics.trade_off import Floats

FILE = Path(measured.__file__).with_name("local_levels.json")
RISKS = (0.0005, 0.005, 0.025, 0.05)  # of either group, for confidence 0.999, 0.99, 0.95 and 0.9
SIZES = [digit * 10**power for power in range(7) for digit in (1, 2, 3, 5)] + [10**7]


_FAR = 12.0  # standard deviations of a count: what lies beyond is cut off, which makes the probability smaller
_LONG = 256  # terms above which a transform is quicker
_SMALL = 40.0  # counts added to that, where a standard deviation says little


def stays_within(limits: RankLimits, sides: int = 2, deadline: Deadline = UNLIMITED) -> float:
    """The probability that no limit is left; with one side that of the upper limits alone."""
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


def local_level(size: int, risk: float, sides: int = 2, deadline: Deadline = UNLIMITED) -> float:
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
    return np.exp(xlogy(count, mean) - mean - gammaln(count + 1.0)) * (count >= 0.0)


def table() -> dict[str, object]:
    """Local levels by number of sides and by risk, each at all sizes."""
    levels = {
        str(sides): {str(risk): [local_level(size, risk, sides) for size in SIZES] for risk in RISKS}
        for sides in (1, 2)
    }
    return {"sizes": SIZES, "levels": levels}


if __name__ == "__main__":
    FILE.write_text(json.dumps(table(), indent=1) + "\n", encoding="utf-8")
