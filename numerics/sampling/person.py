"""Poisson sampling of the records of one person, who owns several: the unit of privacy is the person.

A person owns k records, of norm at most 1 each, and every one takes part in a step independently with probability p,
so that J of them do, J ~ Bin(k, p). With the noise K_m centred at m and w_j = P(J = j),

* add/remove: P = sum_j w_j K_j (person present) against Q = K_0 (person absent, with all records);
* replace-one: P = sum_j w_j K_j against Q = sum_j w_j K_-j (all records of one person replaced by another's).

Both dominate (Ganesh 2024, arXiv 2401.10294): j records move the sum by v with |v| <= j, and among all regions S with
K_0(S) = m the half line in a fixed direction gives every K_j its largest and every K_-j its smallest value at once. It
therefore maximises P(S) - gamma Q(S) for every gamma. They are attained where all records of a person pull alike, and
a person with fewer records is no worse off, for J is then smaller. At k = 1 they are the pair of one record.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import comb

import numpy as np
from numpy.typing import NDArray

from numerics.deadline import in_time
from numerics.lazy_property import lazy_property
from numerics.mechanisms.location import LocationTradeOff, Subsampled
from numerics.mechanisms.noise import FURTHEST_TAIL
from numerics.privacy_loss.pairs import CellPmf
from numerics.sampling.inverse import Inverse
from numerics.sampling.mixture import MixturePair
from numerics.trade_off import Floats
from numerics.validation import value

_BLOCK = 1 << 13  # positions at a time: k rows of as many numbers stay in the processor's cache
_LARGE = 30.0  # e^r - 1 is e^r beyond
_LARGEST_LOG = 700.0  # of numbers that are added up as they are
_NEGLIGIBLE = 46.0  # minus the log of a term beside the largest: a hundredth of the rounding of 64 of them


@dataclass(frozen=True)
class PersonPair(MixturePair):
    """P and Q of one step in which each of a person's ``records`` takes part with probability ``rate``, below 1."""

    records: int = 1

    words = "people with several records"

    @property
    def inclusion_probability(self) -> float:
        """See DominatingPair: of any of the records."""
        return float(-np.expm1(self.records * np.log1p(-self.rate)))

    @property
    def furthest(self) -> int:
        """All records take part."""
        return self.records

    @lazy_property
    def weights(self) -> Floats:
        """P(J = j), (k + 1,)."""
        k, p = self.records, self.rate
        found = np.array([comb(k, j) * p**j * np.exp((k - j) * np.log1p(-p)) for j in range(k + 1)])
        return found / found.sum()  # each errs by k roundings alike

    @lazy_property
    def _log_weights(self) -> Floats:
        k, j = self.records, np.arange(self.records + 1.0)
        ways = np.log([float(comb(k, int(one))) for one in j])
        return ways + j * np.log(self.rate) + (k - j) * np.log1p(-self.rate)

    def loss(self, x: Floats) -> Floats:
        return self._present(x) - self._present(-x) if self.replace_one else self._present(x)

    def position(self, loss: Floats) -> Floats:
        return self._inverse(loss)

    @lazy_property
    def _inverse(self) -> Inverse:
        x = self._ends(-float(self.records) if self.replace_one else 0.0)
        return Inverse.of(self.loss, x, self._bends, bool(np.isfinite(self.noise.flat_beyond)))

    def _ends(self, lowest: float) -> Floats:
        """Positions around all centres from ``lowest`` up, beyond which there is no mass, or the loss is flat."""
        beyond = 0.0 if np.isfinite(self.noise.flat_beyond) else self.noise.reach(FURTHEST_TAIL)
        return np.linspace(lowest - beyond, self.records + beyond, 2049)

    @property
    def _bends(self) -> Floats:
        """Positions around which one more record becomes the likelier: the loss bends within some s^2 of them."""
        j = np.arange(self.records)
        steps = self.noise.shift_position(-np.diff(self._log_weights)) + j
        scale = self.noise.scale
        near = np.linspace(-40.0, 40.0, 161) * scale * min(1.0, scale)
        bends = np.add.outer(steps[np.isfinite(steps)], near).ravel()
        centres = np.arange(self.records + 1.0)
        x = np.concatenate((bends, centres))
        return np.concatenate((x, -x)) if self.replace_one else x

    def _present(self, x: Floats) -> Floats:
        """Log of sum_j w_j dK_j/dK_0 at ``x`` (n,)."""
        parts = [self._mixed(x[start : start + _BLOCK]) for start in in_time(range(0, len(x), _BLOCK))]
        return np.concatenate(parts) if parts else np.zeros(0)

    def _mixed(self, x: Floats) -> Floats:
        """The same; where it is small, from sums of w_j (e^r_j - 1), which keep the digits that 1 + ... would lose."""
        first, last = self._spans[1:].T
        heard = 1 + np.flatnonzero((first <= x.max()) & (last >= x.min()))
        ratios, weights = self._ratios(x, heard), self.weights[heard, np.newaxis]
        terms = self._log_weights[heard, np.newaxis] + ratios
        gains = weights * np.expm1(np.minimum(ratios, _LARGE))
        large = ratios > _LARGE
        gains[large] = np.exp(np.minimum(terms[large], _LARGEST_LOG))
        gain = gains.sum(axis=0) - (self.weights[1:].sum() - weights.sum())
        result = np.log1p(np.maximum(gain, -0.5))
        far = (gain < -0.5) | (terms.max(axis=0) >= _LARGEST_LOG)
        if np.any(far):
            result[far] = _log_sum(self._log_weights[0], terms[:, far])
        return np.asarray(result)

    def _ratios(self, x: Floats, records: NDArray[np.int_]) -> Floats:
        """Log dK_j/dK_0 at ``x`` (n,) for every j of ``records`` (m,); (m, n)."""
        scale = self.noise.scale
        return np.array([replace(self.noise, scale=scale / j).shift_loss(x / j) for j in records]).reshape(-1, len(x))

    @lazy_property
    def _spans(self) -> Floats:
        """First and last x between which the term of j is not negligible beside the largest of j >= 1, (k + 1, 2).

        It is so in one stretch: the ratio of the terms of any two j grows with x.
        """
        x = self._ends(0.0)
        terms = self._log_weights[1:, np.newaxis] + self._ratios(x, np.arange(1, self.records + 1))
        heard = terms >= terms.max(axis=0) - _NEGLIGIBLE
        first = np.maximum(heard.argmax(axis=1) - 1, 0)
        last = np.minimum(len(x) - heard[:, ::-1].argmax(axis=1), len(x) - 1)
        inner = np.stack((np.where(first > 0, x[first], -np.inf), np.where(last < len(x) - 1, x[last], np.inf)), axis=1)
        inner[~heard.any(axis=1)] = np.inf, -np.inf
        return np.concatenate(([[-np.inf, np.inf]], inner))

    def _mix(self, x: Floats) -> CellPmf:
        p = self._masses(x)
        return CellPmf(p, self._masses(-x[::-1])[::-1] if self.replace_one else self.noise.cells(x, 0.0))

    def _masses(self, x: Floats) -> Floats:
        """Of the cells between ``x`` (n,) under P, (n + 1,); each j where it is not negligible."""
        masses = np.zeros(len(x) + 1)
        for j, (weight, (first, last)) in enumerate(zip(self.weights, self._spans, strict=True)):
            start, stop = np.searchsorted(x, first, side="right"), np.searchsorted(x, last)
            start, stop = max(start - 1, 0), min(stop + 1, len(x))
            if last < first:
                continue
            cells = weight * self.noise.cells(x[start:stop], float(j))
            cells[0] *= start == 0
            cells[-1] *= stop == len(x)
            masses[start : stop + 1] += cells
        return masses


def _log_sum(first: float, rest: Floats) -> Floats:
    """Log of e^first + the sum over the rows of e^rest."""
    top = np.maximum(rest.max(axis=0), first)
    return top + np.log(np.exp(first - top) + np.exp(rest - top).sum(axis=0))


# One Poisson-sampled release whose trade-off function has a closed form, for a person with several records.


@value(kw_only=True)
class PersonOnce(Subsampled):
    """One release in which each record of a person takes part with probability ``rate``, under add/remove adjacency.

    J of the k records take part and shift the sum by J: power, beta and area are means over J.

    Attributes:
        shift: the test of one record that takes part.
        pair: the same release as the certified engine sees it, which knows where the privacy loss is epsilon.
    """

    pair: PersonPair

    @property
    def unsampled(self) -> LocationTradeOff:
        return self._of(self.pair.records)

    def _of(self, records: int) -> LocationTradeOff:
        return replace(self.shift, mu=records * self.shift.mu)

    def _mean(self, absent: Floats, of: Callable[[LocationTradeOff], Floats]) -> Floats:
        """Mean over J of what a test has; ``absent`` where no record takes part."""
        none, *some = self.pair.weights.tolist()
        mean = none * absent + sum(weight * of(self._of(j)) for j, weight in enumerate(some, 1))
        return np.minimum(mean, 1.0)  # weights add up to 1 but for rounding

    def _power(self, alpha: Floats) -> Floats:
        return self._mean(alpha, lambda test: test.power(alpha))

    def _beta(self, alpha: Floats) -> Floats:
        return self._mean(1.0 - alpha, lambda test: test.beta(alpha))

    def _alpha_for(self, power: Floats) -> Floats:
        return self._mean(power, lambda test: test.alpha_for(power))

    @property
    def _balanced(self) -> tuple[float, float, float]:
        p, q = self.pair.cell_pmf(np.zeros(1))
        return float(q[1]), float(p[0]), float(p[1])

    def delta(self, epsilon: float) -> float:
        """Worst of both orders: P(S) - e^epsilon Q(S) where the loss exceeds epsilon, and with P and Q exchanged.

        With epsilon below 1 by what each number of records adds, or a rare record would be lost in rounding.
        """
        p, q = self.pair.cell_pmf(np.array([-epsilon, epsilon]))
        if epsilon < 1.0:
            above, below = np.array(q[2]), np.array(q[0])
            rest, more = np.array(q[1] + q[2]), float(np.expm1(epsilon))
            tests = [(weight, self._of(j)) for j, weight in enumerate(self.pair.weights[1:].tolist(), 1)]
            found = sum(weight * float(test.power(above) - above) for weight, test in tests)
            cleared = sum(weight * float(below - test.beta(rest)) for weight, test in tests)
            return float(max(found - more * float(above), (1.0 + more) * cleared - more * float(below), 0.0))
        with np.errstate(divide="ignore"):
            paid = np.exp(np.minimum(epsilon + np.log([q[2], p[0]]), 0.0))
        return max(float(p[2] - paid[0]), float(q[0] - paid[1]), 0.0)

    def area(self) -> float:
        return float(self._mean(np.array(0.5), lambda test: np.array(test.area())))
