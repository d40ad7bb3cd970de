"""Exact one-sided limits of a rate from counts (Clopper and Pearson 1934), with the digits of both of its tails."""

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy import special

from numerics.trade_off import Floats

_Counts = NDArray[np.int64]


def at_least(hits: _Counts, misses: _Counts, risk: float) -> tuple[Floats, Floats]:
    """Complement and value of the lower limits (k,) of rates with these counts; each fails with ``risk``."""
    some = np.maximum(hits, 1)
    value = np.where(hits == 0, 0.0, special.betaincinv(some, misses + 1, risk))
    return np.where(hits == 0, 1.0, special.betainccinv(misses + 1, some, risk)), value


def at_most(hits: _Counts, misses: _Counts, risk: float) -> tuple[Floats, Floats]:
    """The same of the upper limits."""
    value, complement = at_least(misses, hits, risk)
    return complement, value


def strict_count(size: int, rate: Floats, risk: float) -> NDArray[np.int64]:
    """Largest count with P(Binomial(size, rate) <= count) <= risk, or -1: a rate from so few is surely smaller."""
    found = np.asarray(scipy.stats.binom.ppf(risk, size, rate), np.int64)
    return np.where(scipy.stats.binom.cdf(found, size, rate) <= risk, found, found - 1)


def fewest_for(rate: float, risk: float) -> int:
    """Fewest scores with a count of which a rate is surely smaller: (1 - rate)^n <= risk."""
    return max(int(np.ceil(np.log(risk) / np.log1p(-rate) * (1.0 - 1e-12))), 1)
