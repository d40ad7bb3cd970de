"""How to lay out a composition: where the summed loss lives, and how fine a lattice to begin with.

Everything here is estimated by quadrature over the released value and only saves time, but for
``TruncationPlan.overlap``: sums over a partition bound that from above, and ``certify`` relies on it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from numerics.deadline import in_time
from numerics.lazy_property import lazy_property
from numerics.privacy_loss.composition import WINDOW_TAIL, Tilt
from numerics.privacy_loss.pairs import LARGEST_STEP_LOSS, ComposedPairs
from numerics.trade_off import Floats

# Width of the power bracket, in units of steps * D^2 / standard deviation of the summed loss: connecting the dots adds
# D^2/6 to the variance of each step, rounding takes half as much away, and a normal law turns that into power.
_WIDTH_FACTOR = 0.053
_LEAST_MOVED, _FEW_MOVED = 0.01, 9.0  # of a step, and of all steps
RELEVANT_LOSS = 45.0  # sums beyond this have a false positive rate below e^-45 = 3e-20
STEP_TAIL = 1e-17  # mass of one step's loss beyond the lattice, counted as certain exposure
_COARSEST, _FINEST = 2.0**-11, 2.0**-18  # first lattice step, in units of the relevant window
_SMALLEST_TILT = 0.02
FAR = 18.0  # minus the log of the tail mass that the untilted transform of a million steps still resolves
SMALLEST_UNTILTED = 1e-12  # false positive rates that the untilted transform resolves
_REFINEMENTS, _CLOSE = 20, 1e-4  # rounds of a search for an exponent, and the relative width at which it ends
_FURTHEST_LOSS = 90.0  # larger losses of a single step do not move the layout
_MOST_POINTS = 2.0**19  # in the whole window, to begin with
_AT_ONCE = 1 << 18  # losses times exponents between two looks at the deadline: they stay in the processor's cache


class Samples(NamedTuple):
    """Quadrature of the loss of one phase's step: values and masses (n,), and the number of steps."""

    loss: Floats
    mass: Floats
    steps: int

    def tilted(self, exponent: float) -> "Samples":
        """The masses times e^{exponent loss}, which add up to 1 again."""
        if exponent == 0.0:
            return self
        with np.errstate(divide="ignore"):
            logs = np.log(self.mass) + exponent * self.loss
        weighted = np.exp(logs - np.max(logs))
        return self._replace(mass=weighted / np.sum(weighted))


class Held(NamedTuple):
    """Both ends of a step's loss, ``width`` apart: atoms, and lattice points; all else has the mass ``rest``."""

    width: float
    rest: float

    @classmethod
    def by(cls, phases: ComposedPairs) -> "Held | None":
        """None of several phases, and of so few steps with ends that differ that their sum is far from a normal law.

        Then a lattice is better that holds the loss 0, where the curves of both orders meet.
        """
        (pair, count), atoms = phases[0], phases[0][0].atoms
        if len(phases) > 1 or len(atoms) != 2 or not all(np.isfinite(atom.loss) for atom in atoms):
            return None
        rest = max(1.0 - sum(atom.p for atom in atoms), 1.0 - sum(atom.q for atom in atoms), _LEAST_MOVED)
        is_known = pair.is_symmetric or count * rest > _FEW_MOVED
        return cls(atoms[1].loss - atoms[0].loss, rest) if is_known else None


@dataclass(frozen=True, eq=False)
class TruncationPlan:
    """Layout of a composition.

    Attributes:
        overlap: upper bound on the overlap 1 - TV of the two hypotheses (Bhattacharyya coefficient; this one holds).
        variance: of the summed loss, under the null.
        present, absent: the loss when the record is present, and the mirrored loss when it is absent.
        moved: number of steps, each counted by the share of its mass that a lattice has to move.
        held: what lattices need not move.
    """

    overlap: float
    variance: float
    present: tuple[Samples, ...]
    absent: tuple[Samples, ...]
    moved: float
    held: Held | None

    @classmethod
    def of(cls, phases: ComposedPairs) -> "TruncationPlan":
        """Of the sum of all steps of all ``phases``."""
        overlap = variance = 0.0
        present, absent = [], []
        for pair, count in in_time(phases):
            loss, masses = pair.scatter(STEP_TAIL / count)
            loss = np.clip(loss, -LARGEST_STEP_LOSS, LARGEST_STEP_LOSS)
            common = float(np.sum(np.sqrt(masses.p) * np.sqrt(masses.q)))
            overlap += count * float(np.log(min(max(common, 1e-300), 1.0)))
            near = np.clip(loss, -_FURTHEST_LOSS, _FURTHEST_LOSS)
            variance += count * float(masses.q @ (near - masses.q @ near) ** 2)
            present.append(Samples(loss, masses.p, count))
            absent.append(Samples(-loss, masses.q, count))
        steps, held = float(sum(count for _, count in phases)), Held.by(phases)
        moved = steps if held is None else steps * held.rest
        return cls(float(np.exp(overlap)), max(variance, 1e-30), tuple(present), tuple(absent), moved, held)

    @lazy_property
    def lowest(self) -> float:
        """The sum hardly ever lies below under the null."""
        return -self._ends[1]

    @lazy_property
    def highest(self) -> float:
        """The sum hardly ever lies above under the alternative."""
        return self._ends[0]

    @lazy_property
    def _ends(self) -> tuple[float, float]:
        both = self.clipped([(-_FURTHEST_LOSS, _FURTHEST_LOSS)] * len(self.present))
        present, absent = (_end(one, _exponents(self.variance))[1] for one in both)
        return present, absent

    def clipped(self, ends: Sequence[tuple[float, float]]) -> tuple[tuple[Samples, ...], tuple[Samples, ...]]:
        """Samples of both orders with every phase's losses between its ``ends``."""
        rows = list(zip(self.present, self.absent, ends, strict=True))
        present = tuple(one._replace(loss=np.clip(one.loss, low, high)) for one, _, (low, high) in rows)
        return present, tuple(one._replace(loss=np.clip(one.loss, -high, -low)) for _, one, (low, high) in rows)

    @property
    def _span(self) -> float:
        """Extent of the sums that matter."""
        return min(self.highest, RELEVANT_LOSS) - max(self.lowest, -RELEVANT_LOSS)

    def first_step(self, width: float) -> float:
        """A lattice step likely to give brackets of ``width``."""
        span = self._span
        wanted = float(np.sqrt(width * np.sqrt(self.variance) / (_WIDTH_FACTOR * self.moved)))
        return min(max(wanted, _FINEST * span), max(_COARSEST * span, (self.highest - self.lowest) / _MOST_POINTS))

    def first_block(self, width: float) -> float:
        """A width B of blocks likely to give brackets of ``width`` where sums are known themselves.

        Between two points of the curve and the lines that support it there, the power is known to within B/4 times a
        block's mass, about 0.4 B over the standard deviation.
        """
        spread = float(np.sqrt(self.variance))
        return min(float(np.sqrt(8.0 * width * spread)), spread / 20.0, 0.02)

    def coarsest_block(self, width: float) -> float:
        """Widest stretch of losses to read at once: a chord or tangent over it errs by a fraction of ``width``."""
        spread = float(np.sqrt(self.variance))
        wanted = float(np.sqrt(width * min(spread, 1.0)))
        return max(min(wanted, spread / 100.0), self._span * 2.0**-16)


def tilts(samples: Sequence[Samples], variance: float, between: tuple[float, float], rarity: float) -> tuple[Tilt, ...]:
    """Transforms to read the sum ``between`` a level and a top from: the untilted one, and those for its far tails.

    A tilt resolves masses down to some e^-30 of its own bulk. The bulk of one lies at the level where that is far out
    in either tail, that of the other where the sum lies with a chance of e^-``rarity``, at the top at most; none of
    this for rarity 0.
    """
    level, top = between
    grid, exponents = _exponents(variance), [0.0]
    if rarity > 0.0:
        last = float(grid[-1])
        at_level = _least_exponent(samples, (-1.0, last), lambda mean, _: mean >= level)
        rare = max(float(_rarity(samples, np.array([at_level]))[1][0]), 0.0)
        exponents += [at_level] if rare > FAR else []
        further = max(rarity, rare + FAR if at_level > 0.0 else 0.0)
        ends = max(at_level, 0.0), last
        exponents += [_least_exponent(samples, ends, lambda mean, rarities: (rarities >= further) | (mean >= top))]
    found = []
    for exponent in exponents:
        tilted = [one.tilted(exponent) for one in samples]
        mirrored = [one._replace(loss=-one.loss) for one in tilted]
        found.append(Tilt(exponent, (_end(mirrored, grid)[0], _end(tilted, grid)[0])))
    return tuple(found)


def _least_exponent(
    samples: Sequence[Samples], ends: tuple[float, float], reached: Callable[[Floats, Floats], NDArray[np.bool_]]
) -> float:
    """The least exponent between ``ends`` whose tilted mean and rarity ``reached`` accepts."""
    low, high = ends
    for _ in range(_REFINEMENTS):
        if high - low <= _CLOSE * abs(high):
            break
        between = np.linspace(low, high, 17)
        accepted = reached(*_rarity(samples, between))
        place = int(np.argmax(accepted)) if np.any(accepted) else len(between) - 1
        low, high = float(between[max(place - 1, 0)]), float(between[place])
    return high


def _exponents(variance: float) -> Floats:
    """Chernoff exponents to choose from."""
    return np.exp(np.linspace(np.log(_SMALLEST_TILT), np.log(max(50.0, 200.0 / np.sqrt(variance))), 32))


def _rarity(samples: Sequence[Samples], exponents: Floats) -> tuple[Floats, Floats]:
    """Mean of the sum tilted by every exponent; and minus the log of the mass beyond it, by Chernoff's bound."""
    log_moment, mean, _ = tilted_moments(samples, exponents)
    return mean, exponents * mean - log_moment


def tilted_moments(samples: Sequence[Samples], exponents: Floats) -> tuple[Floats, Floats, Floats]:
    """Log of E[e^{t S}] of the sum S, and mean and variance of S tilted by e^{t S}, at all ``exponents`` t (m,)."""
    log_moment, mean, variance = np.zeros((3, len(exponents)))
    for loss, mass, count in samples:
        with np.errstate(divide="ignore"):
            log_mass = np.log(mass)
        rows = max(_AT_ONCE // len(loss), 1)
        for start in in_time(range(0, len(exponents), rows)):
            part = slice(start, start + rows)
            logs = log_mass + np.outer(exponents[part], loss)
            top = np.max(logs, axis=1, keepdims=True)
            weighted = np.exp(logs - top)
            total = np.sum(weighted, axis=1)
            centre = (weighted @ loss) / total
            log_moment[part] += count * (np.log(total) + top[:, 0])
            mean[part] += count * centre
            variance[part] += count * np.sum(weighted * (loss - centre[:, np.newaxis]) ** 2, axis=1) / total
    return log_moment, mean, variance


def _end(samples: Sequence[Samples], exponents: Floats) -> tuple[float, float]:
    """Exponent t > 0 with the smallest Chernoff bound (log E e^{t S} + log 1/tail) / t on the sum, and that bound."""
    bound = np.full(len(exponents), -np.log(WINDOW_TAIL))
    for loss, mass, count in samples:
        top = loss[mass > 0.0].max()
        moment = np.exp(np.minimum(np.outer(exponents, loss - top), 0.0)) @ mass
        bound += count * (np.log(np.maximum(moment, 1e-300)) + exponents * top)
    best = int(np.argmin(bound / exponents))
    return float(exponents[best]), float(bound[best] / exponents[best])
