"""Poisson sampling: every record takes part in each step independently; with rate 1, no sampling.

With the noise K_m centred at m (in units of the sensitivity) and the record included with probability p,

* add/remove: P = (1-p) K_0 + p K_1 (record present) against Q = K_0 (record absent); so too zero-out, where the record
  that takes part adds nothing;
* replace-one: P = (1-p) K_0 + p K_1 against Q = (1-p) K_0 + p K_-1 (two records that pull in opposite directions).

Both dominate every pair of neighbouring data sets: among all regions S with K_0(S) = m, the half line in the record's
direction gives K_1 its largest and K_-1 its smallest value (Neyman-Pearson), so it maximises
P(S) - gamma Q(S) = (1-p)(1-gamma) m + p K_1(S) - gamma p K_-1(S) for every gamma, and likewise without the last term.
The privacy loss is the log-likelihood ratio log dP/dQ at the released value x; it never decreases in x.

Where the unit of privacy is a person who owns k records, of norm at most 1 each, J ~ Bin(k, p) of them take part in a
step. With w_j = P(J = j),

* add/remove: P = sum_j w_j K_j (person present) against Q = K_0 (person absent, with all records);
* replace-one: P = sum_j w_j K_j against Q = sum_j w_j K_-j (all records of one person replaced by another's).

Both dominate (Ganesh 2024, arXiv 2401.10294): j records move the sum by v with |v| <= j, and the half line in a fixed
direction gives every K_j its largest and every K_-j its smallest value at once. They are attained where all records of
a person pull alike, and a person with fewer records is no worse off, for J is then smaller. At k = 1 they are the pair
of one record.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import comb
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.special import gammaln, logsumexp

from numerics.deadline import in_time
from numerics.lazy_property import lazy_property
from numerics.mechanisms.location import LocationTradeOff, Subsampled
from numerics.mechanisms.noise import FURTHEST_TAIL, Noise
from numerics.privacy_loss.pairs import (
    Atom,
    CellPmf,
    ComposedPairs,
    DominatingPair,
    sampled_loss,
    unsampled_loss,
    zcdp_of_range,
)
from numerics.privacy_loss.smooth_sum import NormalLoss
from numerics.roots import crossing
from numerics.sampling.batches import Adjacency, Batches
from numerics.trade_off import Floats
from numerics.unsupported import UnsupportedError, law_of
from numerics.validation import value

if TYPE_CHECKING:
    from numerics.mechanisms.base import SampledMechanism

_FURTHEST = 12.0  # noise scales that a quadrature reaches from a centre
_BLOCK = 1 << 13  # positions at a time: k rows of as many numbers stay in the processor's cache
_LARGE = 30.0  # e^r - 1 is e^r beyond
_LARGEST_LOG = 700.0  # of numbers that are added up as they are
_NEGLIGIBLE = 46.0  # minus the log of a term beside the largest: a hundredth of the rounding of 64 of them
_LOSS_ROUNDING = 1e-15  # of a loss, relative to it and to the smallest: what a sum of some dozen terms is known to
_SLACK = 1e-12  # relative, of an end with positive mass: an edge that equals it up to rounding includes it
_SMALLEST = 1e-300


@dataclass(frozen=True)
class MixturePair(DominatingPair, ABC):
    """Laws P and Q of one released number whose loss log dP/dQ never falls in it.

    Attributes:
        noise: the additive noise.
        rate: Poisson sampling rate p in (0, 1].
        replace_one: compare two opposite contributions instead of presence with absence.
    """

    noise: Noise
    rate: float
    replace_one: bool = False

    @property
    def is_symmetric(self) -> bool:
        """See DominatingPair: the noise is its own mirror image; so are its laws about the middle of their centres."""
        return self.replace_one or self.rate == 1.0

    @property
    def inclusion_probability(self) -> float:
        return self.rate

    @property
    def is_absence(self) -> bool:
        """See DominatingPair: of a record that is replaced Q is a mixture as well."""
        return not self.replace_one

    @property
    @abstractmethod
    def furthest(self) -> int:
        """The centre that lies furthest from 0."""

    @abstractmethod
    def loss(self, x: Floats) -> Floats:
        """Privacy loss log dP/dQ at the released values ``x`` (n,)."""

    @abstractmethod
    def position(self, loss: Floats) -> Floats:
        """The largest x whose privacy loss is at most ``loss`` (n,)."""

    @abstractmethod
    def _mix(self, x: Floats) -> CellPmf:
        """Masses of the cells between the ascending ``x`` (n,), (n + 1,)."""

    def loss_range(self, tail: float) -> tuple[float, float]:
        """Smallest and largest loss, up to less than ``tail`` mass beyond either end under P and under Q."""
        reach = self.noise.reach(tail) + self.furthest
        low, high = self.loss(np.array([-reach, reach]))
        return float(low), float(high)

    @lazy_property
    def atoms(self) -> tuple[Atom, ...]:
        """Atoms of the loss: all outcomes where they are few, else those below and above the outermost centres."""
        outcomes = self.noise.outcomes(self.furthest)
        if outcomes is not None:
            masses = self._mix((outcomes[1:] + outcomes[:-1]) / 2.0)
            return tuple(map(Atom, self.loss(outcomes).tolist(), masses.p.tolist(), masses.q.tolist()))
        if np.isinf(self.noise.flat_beyond):
            return ()
        top = float(self.furthest)
        ends = np.array([-top if self.replace_one else 0.0, top])
        masses, losses = self._mix(ends), self.loss(ends)
        return tuple(Atom(float(losses[i]), float(masses.p[k]), float(masses.q[k])) for i, k in ((0, 0), (1, -1)))

    def atom_cells(self, edges: Floats) -> tuple[int, ...]:
        """Indices of the loss cells (see ``cell_pmf``) that hold the atoms.

        By position, as the masses are: an edge that equals an atom's loss up to rounding falls on the same side.
        """
        if not self.atoms:
            return ()
        x, outcomes = self.position(edges), self.noise.outcomes(self.furthest)
        if outcomes is not None:
            return tuple(np.searchsorted(x, outcomes).tolist())
        return int(np.searchsorted(x, -np.inf, side="right")), int(np.searchsorted(x, np.inf))

    @property
    def largest_loss(self) -> float:
        """Largest absolute loss: the pure epsilon of one step, from the loss at either end of the line.

        Infinite where the noise does not say what its loss tends to.
        """
        with np.errstate(invalid="ignore", over="ignore"):
            ends = np.abs(self.loss(np.array([-np.inf, np.inf])))
        return float(np.nan_to_num(np.max(ends), nan=np.inf, posinf=np.inf))

    @property
    def zcdp(self) -> float | None:
        with np.errstate(invalid="ignore", over="ignore"):
            low, high = self.loss(np.array([-np.inf, np.inf]))
        return zcdp_of_range(float(high - low))

    def cell_pmf(self, edges: Floats) -> CellPmf:
        """Mass of the n+1 loss cells (.., e_0], (e_0, e_1], ..., (e_n-1, ..) under P and Q."""
        return self._mix(self.position(edges))

    def scatter(self, tail: float) -> tuple[Floats, CellPmf]:
        """A quadrature in x, dense around every centre: losses (n,) and the masses of the cells around them.

        Reaches as far as less than ``tail`` mass lies beyond.
        """
        outcomes = self.noise.outcomes(self.furthest)
        if outcomes is not None:
            return self.loss(outcomes), self._mix(0.5 * (outcomes[1:] + outcomes[:-1]))
        reach = min(self.noise.reach(tail) / self.noise.scale, _FURTHEST)
        around = self.noise.scale * np.linspace(-reach, reach, 121)
        top = self.furthest
        centres = range(-top if self.replace_one else 0, top + 1)
        between = np.linspace(-top, top, 80 * top + 1)
        x = np.unique(np.concatenate([between, *(centre + around for centre in centres)]))
        return self.loss(x), self._mix(0.5 * (x[1:] + x[:-1]))


@dataclass(frozen=True)
class SampledPair(MixturePair):
    """P and Q of one step in which the record takes part with probability ``rate``."""

    furthest: ClassVar[int] = 1
    words = "batches drawn by Poisson sampling"

    def loss(self, x: Floats) -> Floats:
        present = sampled_loss(self.noise.shift_loss(x), self.rate)
        return present - sampled_loss(self.noise.shift_loss(-x), self.rate) if self.replace_one else present

    def position(self, loss: Floats) -> Floats:
        if self.replace_one:
            return self.noise.opposed_position(loss, self.rate)
        return self.noise.shift_position(unsampled_loss(loss, self.rate))

    @property
    def zcdp(self) -> float | None:
        """See DominatingPair. Divergences of mixtures are no larger than of what is mixed: sampling never raises it."""
        known = [rho for rho in (super().zcdp, self._between_sums.zcdp()) if rho is not None]
        return min(known, default=None)

    @property
    def _between_sums(self) -> Noise:
        """The noise in units of how far apart both sums are in a step that the record takes part in."""
        return self.noise.over(2) if self.replace_one else self.noise

    def renyi(self, order: int) -> float | None:
        """See DominatingPair: of noise for all neighbours, of sampled batches where Q is the noise alone.

        E[(1 - p + p r)^o] is then a sum of o + 1 moments of the ratio r of two shifted laws, and the other direction is
        never larger, as the noise is symmetric (Mironov, Talwar and Zhang 2019, Theorem 5). Raises UnsupportedError.
        """
        if self.rate < 1.0 and self.replace_one:
            raise UnsupportedError("Renyi divergences of sampled batches are not offered for replace-one neighbours.")
        noise = self._between_sums
        whole = law_of(noise.log_moment(float(order)), noise, "Renyi divergences are")
        if self.rate == 1.0:
            return whole / (order - 1.0)
        k = np.arange(order + 1.0)
        moments = np.array([noise.log_moment(one) for one in k.tolist()], dtype=float)
        choose = gammaln(order + 1.0) - gammaln(k + 1.0) - gammaln(order - k + 1.0)
        weights = choose + k * np.log(self.rate) + (order - k) * np.log1p(-self.rate)
        return float(max(logsumexp(weights + moments), 0.0)) / (order - 1.0)

    @property
    def smooth_loss(self) -> NormalLoss | None:
        """See ``privacy_loss.smooth_sum``; of this very pair, for subclasses have other losses."""
        return None if self.replace_one or type(self) is not SampledPair else self.noise.smooth_loss(self.rate)

    def _mix(self, x: Floats) -> CellPmf:
        absent, present = self.noise.cells(x, 0.0), self.noise.cells(x, 1.0)
        p = (1.0 - self.rate) * absent + self.rate * present
        if not self.replace_one:
            return CellPmf(p, absent)
        return CellPmf(p, (1.0 - self.rate) * absent + self.rate * self.noise.cells(x, -1.0))


def sampled_pairs(phases: ComposedPairs) -> tuple[tuple[SampledPair, int], ...]:
    """The phases, if records are sampled by Poisson's rule or not at all; else raises UnsupportedError."""
    pairs = tuple((pair, steps) for pair, steps in phases if type(pair) is SampledPair)  # others build on it
    if len(pairs) < len(phases):
        other = next(pair.words for pair, _ in phases if type(pair) is not SampledPair)
        raise UnsupportedError(
            f"this is for noise without an end, and Poisson samples of single records; the release has {other}."
        )
    return pairs


# A person with several records.


@dataclass(frozen=True, eq=False)
class _Inverse:
    """The largest x at which a loss without a formula is at most a goal; -inf below its range, inf from its end on.

    By a table, a spline through it, and corrections to the last digit.

    Attributes:
        rising: the function, which never falls.
        x: positions (m,), ascending, between which it bends little.
        values: its values there, strictly ascending.
        spline: x by value.
        slack: how far beyond its ends a goal still counts as the end.
    """

    rising: Callable[[Floats], Floats]
    x: Floats
    values: Floats
    spline: Callable[..., Floats]
    slack: float

    @classmethod
    def of(cls, rising: Callable[[Floats], Floats], x: Floats, bends: Floats, flat: bool) -> "_Inverse":
        """Between the ends of ``x``, with more of the table around ``bends``; ``flat`` beyond, where mass may lie."""
        x = np.unique(np.concatenate((x, np.clip(bends, x[0], x[-1]))))
        values = np.maximum.accumulate(rising(x))
        last = np.append(np.diff(values) > 0.0, True)  # of equal values the last one
        x, values = x[last], values[last]
        slack = _SLACK * float(np.max(np.abs(values))) if flat else 0.0
        return cls(rising, x, values, scipy.interpolate.CubicSpline(values, x), slack)

    def __call__(self, goal: Floats) -> Floats:
        """At every ascending goal (n,)."""
        low, high = self.values[0], self.values[-1]
        inside = (goal > low) & (goal < high - self.slack)
        x = np.where(goal < low - self.slack, -np.inf, np.where(goal >= high - self.slack, np.inf, self.x[0]))
        if np.any(inside):
            x[inside] = self._between(goal[inside])
        return np.maximum.accumulate(x)

    def _between(self, goal: Floats) -> Floats:
        """Two corrections by the spline's slope; by an enclosed search where they have not settled."""
        place = np.searchsorted(self.values, goal, side="right")
        low, high, slope = self.x[place - 1], self.x[place], self.spline(goal, 1)
        x = np.clip(self.spline(goal), low, high)
        errors = []
        for _ in range(2):
            errors.append(self.rising(x) - goal)
            x = np.clip(x - slope * errors[-1], low, high)
        first, second = np.abs(errors)
        rounding = _LOSS_ROUNDING * (np.abs(goal) + min(abs(float(self.values[0])), 1.0))
        left = np.minimum(second, second**2 / np.maximum(first, _SMALLEST))  # if corrections go on as they began
        unsettled = (left > rounding) | (second > np.maximum(first, rounding))
        if np.any(unsettled):
            goal, low, high = goal[unsettled], low[unsettled], high[unsettled]
            x[unsettled] = crossing(lambda x, place: self.rising(x) - goal[place], low, high)
        return x


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
    def _inverse(self) -> _Inverse:
        j, scale = np.arange(self.records), self.noise.scale
        # Positions around which one more record becomes the likelier: the loss bends within some s^2 of them.
        steps = self.noise.shift_position(-np.diff(self._log_weights)) + j
        near = np.linspace(-40.0, 40.0, 161) * scale * min(1.0, scale)
        bends = np.concatenate((np.add.outer(steps[np.isfinite(steps)], near).ravel(), np.arange(self.records + 1.0)))
        bends = np.concatenate((bends, -bends)) if self.replace_one else bends
        x = self._ends(-float(self.records) if self.replace_one else 0.0)
        return _Inverse.of(self.loss, x, bends, bool(np.isfinite(self.noise.flat_beyond)))

    def _ends(self, lowest: float) -> Floats:
        """Positions around all centres from ``lowest`` up, beyond which there is no mass, or the loss is flat."""
        beyond = 0.0 if np.isfinite(self.noise.flat_beyond) else self.noise.reach(FURTHEST_TAIL)
        return np.linspace(lowest - beyond, self.records + beyond, 2049)

    def _present(self, x: Floats) -> Floats:
        """Log of sum_j w_j dK_j/dK_0 at ``x`` (n,)."""
        parts = [self._mixed(x[start : start + _BLOCK]) for start in in_time(range(0, len(x), _BLOCK))]
        return np.concatenate(parts) if parts else np.zeros(0)

    def _mixed(self, x: Floats) -> Floats:
        """The same; where it is small, from sums of w_j (e^r_j - 1), which keep the digits that 1 + ... would lose."""
        first, last = self._spans[1:].T
        kept = 1 + np.flatnonzero((first <= x.max()) & (last >= x.min()))
        ratios, weights = self._ratios(x, kept), self.weights[kept, np.newaxis]
        terms = self._log_weights[kept, np.newaxis] + ratios
        gains = weights * np.expm1(np.minimum(ratios, _LARGE))
        large = ratios > _LARGE
        gains[large] = np.exp(np.minimum(terms[large], _LARGEST_LOG))
        gain = gains.sum(axis=0) - (self.weights[1:].sum() - weights.sum())
        result = np.log1p(np.maximum(gain, -0.5))
        far = (gain < -0.5) | (terms.max(axis=0) >= _LARGEST_LOG)
        if np.any(far):
            top = np.maximum(terms[:, far].max(axis=0), self._log_weights[0])
            result[far] = top + np.log(np.exp(self._log_weights[0] - top) + np.exp(terms[:, far] - top).sum(axis=0))
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
        kept = terms >= terms.max(axis=0) - _NEGLIGIBLE
        first = np.maximum(kept.argmax(axis=1) - 1, 0)
        last = np.minimum(len(x) - kept[:, ::-1].argmax(axis=1), len(x) - 1)
        inner = np.stack((np.where(first > 0, x[first], -np.inf), np.where(last < len(x) - 1, x[last], np.inf)), axis=1)
        inner[~kept.any(axis=1)] = np.inf, -np.inf
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


class Poisson(Batches):
    """Every record takes part in each step independently, so batches vary in size."""

    words = SampledPair.words
    several_records: ClassVar[bool] = True
    in_short: ClassVar[str] = "Every step draws each record at random, one by one, and nobody sees which."

    def sentence(self, rate: float) -> str:
        return f"Poisson sampling: every record takes part in each step independently with probability {rate:.6g}."

    def phases(self, release: "SampledMechanism") -> ComposedPairs:
        rate, records = release.sampling_rate, release.records_per_person
        replaced = release.adjacency is Adjacency.REPLACE_ONE
        if records > 1 and rate < 1.0:
            return ((PersonPair(release.noise(), rate, replaced, records), release.steps),)
        return ((SampledPair(release.noise(float(records)), rate, replaced), release.steps),)

    def closed_form(self, release: "SampledMechanism") -> Subsampled | None:
        """See Batches: known unless a record is replaced, as one of the two laws is then the noise alone."""
        record, rate, records = release.shift(1.0), release.sampling_rate, release.records_per_person
        if record is None or release.adjacency is Adjacency.REPLACE_ONE:
            return None
        if records > 1:
            return PersonOnce(record, rate, pair=PersonPair(release.noise(), rate, records=records))
        return Subsampled(record, rate)
