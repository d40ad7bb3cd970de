"""Random allocation (balls and bins): every record picks one of an epoch's T batches by itself, anew every epoch.

P = (1/T) sum_t N(e_t, s^2 I) against Q = N(0, s^2 I) dominates an epoch and is attained (Chua et al. 2025, arXiv
2412.16802; Feldman and Shenfeld, arXiv 2502.08202). dP/dQ is the mean of T independent lognormal numbers of mean 1,
Y = exp((x - 1/2) / s^2), so everything follows from the law of a mean.

Convex order. The divergence at level l is E(L - l)_+. A law Y+ that is larger than Y in convex order, E(Y - l)_+ <=
E(Y+ - l)_+ for every l with the same mean, has larger sums; a smaller one has smaller sums. Splitting what lies between
two points of a grid to these points, with its mass and its mean, makes a law larger; putting it at its mean makes it
smaller, and is what an attacker sees who is told the cell alone. Sums of two, on a grid again after each, lead to any
number of batches: the larger law is a guarantee, the smaller one an attack. Both are computed from positive numbers, so
their smallest masses have all digits.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from numerics.deadline import look
from numerics.mechanisms.noise import Noise
from numerics.privacy_loss.pairs import LARGEST_STEP_LOSS, ComposedPairs, LossLaw, TabulatedPair, composed
from numerics.sampling.batches import Adjacency, Batches
from numerics.sampling.shuffled import batches_of
from numerics.trade_off import Floats

if TYPE_CHECKING:
    from numerics.mechanisms.base import SampledMechanism

_WORDS = "batches of random allocation"
_POINTS = 600  # of a grid
_FINE = 6000  # positions among which the first grid is chosen
_ROUGH = 120  # values of either summand from which a grid is laid out
_KNOTS = 50  # places between which it is even: sums of few values lie in heaps
_FURTHEST = 1e-18  # mass of one release beyond the first grid, on either side
_SMALLEST = 1e-280  # of masses under Q that are told from 0
_ODDS = -32.0, 32.0  # log odds between which tails are told apart
_WIDE = 10.0  # log odds at which the points lie half as dense as in the middle
_REMEMBERED = 512


class _Law(NamedTuple):
    """Values (n,) of a mean, ascending, and their masses under Q; what their mean lacks to 1 is certain exposure."""

    value: Floats
    mass: Floats

    @property
    def rough(self) -> "_Law":
        """About the same with few values: to lay out a grid only."""
        group = np.arange(len(self.value)) * _ROUGH // len(self.value)
        mass = _summed(group, self.mass)
        return _Law(_summed(group, self.value * self.mass) / np.maximum(mass, _SMALLEST), mass)


class _Laws(NamedTuple):
    """A larger and a smaller law of the mean of so many ``numbers``, in convex order."""

    numbers: int
    larger: _Law
    smaller: _Law

    def and_of(self, other: "_Laws") -> "_Laws":
        """Of the mean over both sets of numbers, which are independent."""
        look()
        share = self.numbers / (self.numbers + other.numbers)
        grid = _grid(*_sums(self.larger.rough, other.larger.rough, share), self.larger.value[-1])
        larger = _split(*_sums(self.larger, other.larger, share), grid)
        value, mass = _sums(self.smaller, other.smaller, share)  # all mass between two points at its mean
        cell = _cell(value, grid)
        total, sums = _summed(cell, mass), _summed(cell, mass * value)
        seen = total > 0.0
        return _Laws(self.numbers + other.numbers, larger, _Law(sums[seen] / total[seen], total[seen]))


def _sums(one: _Law, other: _Law, share: float) -> tuple[Floats, Floats]:
    """All weighted sums of two values, and their masses."""
    value = np.add.outer(share * one.value, (1.0 - share) * other.value).ravel()
    return value, np.multiply.outer(one.mass, other.mass).ravel()


def _grid(value: Floats, mass: Floats, largest: float) -> Floats:
    """Points from 0 to ``largest``, placed by the log odds of being exceeded, under P and Q alike.

    So every tail is cut into pieces that are small beside what lies beyond, and the middle into smaller ones.
    """
    order = np.argsort(value)
    value, mass = value[order], ((1.0 + value) * mass)[order]
    below, above = np.cumsum(mass), np.cumsum(mass[::-1])[::-1]
    odds = np.clip(np.log(np.maximum(below, _SMALLEST)) - np.log(np.maximum(above, _SMALLEST)), *_ODDS)
    place = np.sign(odds) * np.log1p(np.abs(odds) / _WIDE)
    logs = np.log(np.maximum(value, _SMALLEST))
    even = np.linspace(place[0], place[-1], _KNOTS)
    inside = np.exp(np.interp(np.linspace(place[0], place[-1], _POINTS), even, np.interp(even, place, logs)))
    return np.unique(np.concatenate(([0.0], inside[inside < largest], [largest])))


def _cell(value: Floats, grid: Floats) -> NDArray[np.intp]:
    return np.clip(np.searchsorted(grid, value, side="right") - 1, 0, len(grid) - 2)


def _summed(cell: NDArray[np.intp], values: Floats, count: int = 0) -> Floats:
    """Sums of the ``values`` in every cell; of ``count`` cells at least."""
    return np.asarray(np.bincount(cell, values, count), dtype=np.float64)


def _split(value: Floats, mass: Floats, grid: Floats) -> _Law:
    """Every value's mass on the two points around it, so that its mean stays."""
    cell = _cell(value, grid)
    upper = mass * np.clip((value - grid[cell]) / np.diff(grid)[cell], 0.0, 1.0)
    count = len(grid)
    return _Law(grid, _summed(cell, mass - upper, count) + _summed(cell + 1, upper, count))


@lru_cache(maxsize=_REMEMBERED)
def _mean(noise: Noise, count: int) -> _Laws:
    """Laws of the mean of ``count`` numbers, by sums of two."""
    if count == 1:
        return _single(noise)
    half = _mean(noise, count // 2)
    double = half.and_of(half)
    return double.and_of(_single(noise)) if count % 2 else double


@lru_cache(maxsize=_REMEMBERED)
def _single(noise: Noise) -> _Laws:
    """One number, the likelihood ratio of a release: its mean over a cell is the ratio of the cell's masses.

    Masses that are too small for that are left out of the larger law: what its mean lacks then is exposure. In the
    smaller one they count as the smallest.
    """
    reach = noise.reach(_FURTHEST)
    fine = np.linspace(-reach, 1.0 + reach, _FINE)
    centre = 0.5 * (fine[1:] + fine[:-1])
    ratio, mass = np.exp(np.minimum(noise.shift_loss(centre), LARGEST_STEP_LOSS)), noise.cells(fine, 0.0)[1:-1]
    points = _grid(ratio, mass, float(np.exp(min(noise.shift_loss(fine[-1:])[0], LARGEST_STEP_LOSS))))[1:]
    edges = noise.shift_position(np.log(points))
    q, p = noise.cells(edges, 0.0), noise.cells(edges, 1.0)
    grid, counted, seen = np.append(0.0, points), np.maximum(q, _SMALLEST), np.where(q < _SMALLEST, 0.0, q)
    value = p / counted
    larger = _split(np.clip(value[:-1], grid[:-1], grid[1:]), seen[:-1], grid)
    larger.mass[-1] += seen[-1]  # above the last point; the rest of its mean is exposure
    return _Laws(1, larger, _Law(value, counted))


@dataclass(frozen=True)
class AllocationPair(TabulatedPair):
    """One epoch of random allocation, of which the first ``seen`` of ``batches`` are released.

    Attributes:
        noise: of every release, in units of the sensitivity.
        batches: how many a record picks one from.
        seen: how many of them are released.
        larger: whether the law is the larger one in convex order, a guarantee; otherwise an attack.
    """

    noise: Noise
    batches: int
    seen: int
    larger: bool

    words = _WORDS

    @property
    def inclusion_probability(self) -> float:
        return self.seen / self.batches

    def tabulated(self) -> LossLaw:
        """See TabulatedPair.

        Seen are r of T batches: L = 1 - r/T + (r/T) (mean of r). Under P every value counts in proportion to itself.
        """
        laws = _mean(self.noise, self.seen)
        law, share = laws.larger if self.larger else laws.smaller, self.seen / self.batches
        value = (1.0 - share) + share * law.value
        with np.errstate(divide="ignore"):
            loss = np.log(value)
        p, q = value * law.mass, law.mass
        if not self.larger:
            return LossLaw(loss, p, q)
        exposed = max(1.0 - float(np.sum(p)), 0.0)
        return LossLaw(np.append(loss, np.inf), np.append(p, exposed), np.append(q, 0.0))


class RandomAllocation(Batches):
    """Every record is in one batch of an epoch, which it picks by itself, so batches vary in size."""

    words: ClassVar[str] = _WORDS
    suffix: ClassVar[str] = ", random allocation"
    in_short: ClassVar[str] = "In every epoch each record picks one batch at random by itself, and nobody sees which."
    adjacencies: ClassVar[tuple[Adjacency, ...]] = (Adjacency.ADD_REMOVE, Adjacency.ZERO_OUT)
    needs_lognormal_ratio: ClassVar[bool] = True

    def sentence(self, rate: float) -> str:
        return (
            f"Random allocation: in every epoch each record picks one of {batches_of(rate):,} batches at random, by "
            "itself (balls and bins)."
        )

    def phases(self, release: "SampledMechanism") -> ComposedPairs:
        return _epochs(release, larger=True)

    def attack_phases(self, release: "SampledMechanism") -> ComposedPairs:
        return _epochs(release, larger=False)


def _epochs(release: "SampledMechanism", larger: bool) -> ComposedPairs:
    noise, batches = release.noise(), batches_of(release.sampling_rate)
    whole, rest = divmod(release.steps, batches)
    return composed(
        (AllocationPair(noise, batches, batches, larger), whole),
        (AllocationPair(noise, batches, rest, larger), int(rest > 0)),
    )
