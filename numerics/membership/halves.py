"""Exact eta of a small release: every half of the data is enumerated (paper 002 Prop. 2)."""

from collections.abc import Callable
from itertools import combinations
from math import comb

import numpy as np
import scipy
from numpy.typing import NDArray

from numerics.membership.advantage import PositiveEta
from numerics.trade_off import Floats
from numerics.validation import POSITIVE, Interval, Positive, PositiveCount, checked, value

LARGEST_POOL = 20
LARGEST_NUMBER = 200_000  # of subsets
_NEGLIGIBLE = 1e-9  # of the noise that is surely enough
_LOG_SCALE = 1e-9  # to which the scale is searched


@checked
def subsets(records: PositiveCount, size: PositiveCount) -> NDArray[np.bool_]:
    """Membership (C(n, k), n) of n = ``records`` in each subset of k = ``size``, in the order of ``combinations``.

    Raises ValueError unless 0 < k < n and there are at most 200,000 of them.
    """
    Interval(1, records - 1).check("size", size)
    Interval(1, LARGEST_NUMBER).check("number of subsets", comb(records, size))
    chosen = np.array(list(combinations(range(records), size)))
    inside = np.zeros((len(chosen), records), dtype=bool)
    np.put_along_axis(inside, chosen, True, axis=1)
    return inside


@checked
def halves(records: int) -> NDArray[np.bool_]:
    """Those of half of the records.

    Raises ValueError unless n is an even number from 2 to 20.
    """
    if records % 2 or not 2 <= records <= LARGEST_POOL:
        raise ValueError(f"records must be an even number between 2 and {LARGEST_POOL}, got {records!r}.")
    return subsets(records, records // 2)


@value(eq=False)
class HalfReleases:
    """A real-valued statistic of every half of a data set, ascending.

    Attributes:
        statistics: (m,) ascending.
        inside: (m, n), which records each half holds.
    """

    statistics: Floats
    inside: NDArray[np.bool_]

    @classmethod
    def of(cls, data: Floats, statistic: Callable[[Floats], Floats]) -> "HalfReleases":
        """From ``data`` (n,), n even and at most 20; ``statistic`` maps halves (m, n/2) to numbers (m,)."""
        inside = halves(len(data))
        values = statistic(np.broadcast_to(data, inside.shape)[inside].reshape(len(inside), -1))
        order = np.argsort(values)
        return cls(np.asarray(values[order], dtype=float), inside[order])

    @property
    def mean(self) -> float:
        """E theta over a random half."""
        return float(np.mean(self.statistics))

    def spread(self, moment: Positive = 2.0) -> float:
        """M-th root of E |theta - E theta|^M."""
        deviation = np.abs(self.statistics - self.mean)
        largest = float(np.max(deviation))
        # Relative to the largest one: high powers of small numbers would vanish.
        return largest and largest * float(np.mean((deviation / largest) ** moment) ** (1.0 / moment))

    def etas(self, scale: Positive) -> Floats:
        """Eta of each record (n,) when Laplace noise of ``scale`` b is added: accuracy of the best attacker minus 1/2.

        Exact to rounding: between two neighbouring statistics the difference of the two mixture densities is
        A e^(x/b) + B e^(-x/b), which is integrated in closed form on both sides of its one possible zero.
        """
        # + for halves with the record, - for those without; each mixture weighs 1
        weights = np.where(self.inside, 2.0, -2.0) / len(self.inside)
        gaps = np.diff(self.statistics)[:, None] / scale
        left, right = _decayed_sums(weights, gaps), _decayed_sums(weights[::-1], gaps[::-1])[::-1]
        between = np.sum(_absolute_integrals(left[:-1], right[1:], gaps), axis=0)
        # density 1/2b and total variation 1/2, then eta = half of the total variation
        return np.asarray((between + np.abs(right[0]) + np.abs(left[-1])) / 8.0)

    def eta(self, scale: Positive) -> float:
        """Eta of the record that is found most easily."""
        return float(np.max(self.etas(scale)))

    def scale_for(self, eta: PositiveEta) -> float:
        """Least scale of Laplace noise at which ``eta(scale)`` is at most ``eta``, in (0, 1/2); 0 if none is needed.

        More Laplace noise is the same noise with further independent noise on top, so eta falls with the scale. Raises
        ValueError where that noise is too large for a number.
        """
        farthest = float(self.statistics[-1] - self.statistics[0])
        enough = farthest / float(-2.0 * np.log1p(-2.0 * eta))  # even if all who hold a record lay so far off
        if enough == 0.0:
            return 0.0
        POSITIVE.check("the noise that is enough", enough)
        little = enough
        while little > _NEGLIGIBLE * enough and self.eta(little) <= eta:
            little *= 0.25
        if little <= _NEGLIGIBLE * enough:
            return 0.0
        if little == enough:  # the bound is tight to rounding
            return enough
        # In powers of 2 of ``enough``: at both ends, which are whole, the scale is to the last digit what it was above.
        halvings = scipy.optimize.brentq(
            lambda x: self.eta(enough * 2.0**x) - eta, np.log2(little / enough), 0.0, xtol=_LOG_SCALE
        )
        return float(enough * 2.0**halvings)


def _decayed_sums(weights: Floats, gaps: Floats) -> Floats:
    """At each statistic (m, n): sum of the weights up to it, each times e^-(distance); ``gaps`` (m - 1, 1)."""
    sums = np.array(weights)
    decay = np.exp(-gaps[:, 0])
    for index in range(1, len(sums)):
        sums[index] += decay[index - 1] * sums[index - 1]
    return sums


def _absolute_integrals(left: Floats, right: Floats, gaps: Floats) -> Floats:
    """Integral of |left e^-u + right e^-(gap - u)| over u from 0 to gap; ``left``, ``right`` (m, n), gaps (m, 1)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        zero = 0.5 * (gaps + np.log(-left / right))  # NaN where both have the same sign: no zero
    # Clipped to the gap, a zero outside of it makes one part empty.
    zero = np.clip(np.where(np.isnan(zero), 0.0, zero), 0.0, gaps)
    head, tail = -np.expm1(-zero), -np.expm1(-(gaps - zero))
    first = left * head + right * np.exp(-(gaps - zero)) * head
    second = left * np.exp(-zero) * tail + right * tail
    return np.abs(first) + np.abs(second)
