"""Composition of lattice losses: the law of the sum over all steps, read where it matters.

Only one tail of each hypothesis is ever read, the one in which its false positive rate is small: losses above a level
(0 for a whole curve) for the add-one test. There the masses under Q follow from those under P by the tilt e^-loss, so
their digits are those of the tail itself (a false positive rate read off as 1 - x would be rounding noise). The
remove-one test is the add-one test of the mirrored loss.

Several transforms, differently tilted, each resolve another region of the sum (see ``transform``): every block of it is
read from the one whose error bound is smallest there.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from numerics.deadline import in_time, look
from numerics.privacy_loss.lattice import DiscretisedPld
from numerics.privacy_loss.transform import (
    WINDOW_TAIL,
    Masses,
    TiltedSum,
    TooManyPointsError,
    block_sums,
    tilted_sum,
    widest_block,
)
from numerics.trade_off import Floats

_LARGEST_EXPONENT = 700.0
# Masses under Q below this may have underflowed; the attack is charged with as much for each.
_SMALLEST_MASS = 1e-290

Steps = list[tuple[DiscretisedPld, int]]  # laws of one step width, each with the number of times it is composed


class Tilt(NamedTuple):
    """A transform to take: the tilt of P's masses, and the Chernoff exponents (below, above) of its window."""

    exponent: float
    reach: tuple[float, float]


class SumLayout(NamedTuple):
    """How a sum is computed.

    Attributes:
        tilts: the transforms, the first untilted.
        largest: most lattice points.
        coarsest: widest block to read the sum in, in units of the loss.
        level: the loss above which the sum is read; rates under Q are in units of e^-level.
    """

    tilts: tuple[Tilt, ...]
    largest: int
    coarsest: float
    level: float = 0.0


class Blocks(NamedTuple):
    """Masses of blocks with their errors, all (m,).

    Attributes:
        mass: of the blocks.
        noise: bounds rounding: a sum over blocks is off by at most the root of the summed squares of their noise.
        tail: bounds what lies outside the transforms' windows and wraps around into them, for each sum from a block up.
    """

    mass: Floats
    noise: Floats
    tail: Floats

    def noiseless(self) -> "Blocks":
        """The same as if nothing were rounded."""
        return self._replace(noise=np.zeros(len(self.noise)))


@dataclass(frozen=True, eq=False)
class UpperTail:
    """Law of the summed loss under P in blocks of lattice points, and its part above a level under both hypotheses.

    Block j holds the lattice points with losses origin + step * (j * block + 1), ..., origin + step * (j + 1) * block.

    Attributes:
        step: lattice step.
        block: number of lattice points in a block.
        first: index j of ``law[0]``.
        law: masses (n,) under P over the whole window.
        p: blocks 0 ... m - 1 under P.
        q: the same under Q, in units of e^-level.
        certain: mass under P of losses without limit (exposure for certain).
        roundings: relative rounding of any sum over blocks, in units of the roundoff.
        origin: the loss one lattice step below block 0; above the level by less than a step less.
        missing: bound on the mass under Q that underflowed, in units of e^-level.
        points: how many were transformed, and what reading them took, in the same unit.
    """

    step: float
    block: int
    first: int
    law: Floats
    p: Blocks
    q: Blocks
    certain: float
    roundings: float
    origin: float
    missing: float
    points: int


def upper_tail(steps: Steps, layout: SumLayout) -> UpperTail:
    """Law of the sum of independent losses, read above a level; differing phases multiply their transforms.

    Raises:
        TooManyPointsError: when a window has more points than ``layout`` allows.
    """
    certain = at_least_once([(law.p_infinite, count) for law, count in steps])
    step, offset = steps[0][0].step, sum(law.offset * count for law, count in steps)
    begin = int(np.floor((layout.level - offset) / step)) + 1  # the first lattice point above the level
    origin = offset + step * (begin - 1)
    missing = float(np.exp(min(layout.level, _LARGEST_EXPONENT)) * sum(count * _lost(law) for law, count in steps))
    if len(steps) == 1 and steps[0][1] == 1:
        return _single(steps[0][0], begin, origin, layout.level, certain, missing)
    present, absent = _sums(steps, layout)
    above = max(total.last for total in present + absent) - begin
    if above > layout.largest:
        raise TooManyPointsError(above / layout.largest)
    block = min(widest_block(total, layout.coarsest / step) for total in present + absent)
    extra = 1.0 if steps[0][0].exact_ratio else 0.0
    to_read = [_Reading.of(total, total.exponent, block, begin, step) for total in in_time(present)]
    if absent is present and block == 1:
        to_read_q = [reading._replace(exponent=reading.exponent + extra) for reading in to_read]
    else:
        to_read_q = [_Reading.of(total, total.exponent + extra, block, begin, step) for total in in_time(absent)]
    look()
    count = max(above // block, 0) + 1
    loss = np.asarray(origin + step * (block * np.arange(count) + 1.0), dtype=np.float64)
    lowest, highest = ((end - begin) // block for end in (present[0].first, present[0].last))
    law = _unwrapped(to_read[0].sums, lowest, highest)
    roundings = len(law) * block + max(total.roundings for total in present + absent)
    transformed = sum(total.length for total in (present if absent is present else present + absent))
    points = transformed + count * len(to_read + to_read_q)
    p, q = _joined(to_read, loss, 0.0), _joined(to_read_q, loss, layout.level)
    return UpperTail(step, block, lowest, law, p, q, certain, roundings, origin, missing, points)


def _sums(steps: Steps, layout: SumLayout) -> tuple[list[TiltedSum], list[TiltedSum]]:
    """Tilted sums from which the masses under P and those under Q follow; where p = e^loss q they are the same."""
    under_p, under_q = ([Masses(mass, law, n) for mass, law, n in rows] for rows in _masses(steps))
    tilts = in_time(layout.tilts)
    present = [tilted_sum(under_p, tilt.exponent, tilt.reach, layout.largest) for tilt in tilts]
    if steps[0][0].exact_ratio:
        return present, present
    tilts = in_time(layout.tilts)
    return present, [tilted_sum(under_q, 1.0 + tilt.exponent, tilt.reach, layout.largest) for tilt in tilts]


def _masses(steps: Steps) -> tuple[list[tuple[Floats, DiscretisedPld, int]], list[tuple[Floats, DiscretisedPld, int]]]:
    return [(law.p, law, count) for law, count in steps], [(law.q, law, count) for law, count in steps]


class _Reading(NamedTuple):
    """Block sums of a tilted sum, to be multiplied by e^{log_scale - exponent loss}, and the norm of their noise."""

    sums: Floats
    noise: float
    log_scale: float
    exponent: float
    inside: tuple[int, int]

    @classmethod
    def of(cls, total: TiltedSum, exponent: float, block: int, begin: int, step: float) -> "_Reading":
        weights = np.exp(-exponent * step * np.arange(block))
        sums, noise = block_sums(total, block, weights, begin)
        inside = (total.first - begin) // block, (total.last - begin) // block
        return cls(sums, noise, total.log_scale, exponent, inside)

    def log_weight(self, loss: Floats) -> Floats:
        """Log of what turns the block sums at ``loss`` (m,) into masses."""
        return np.asarray(np.minimum(self.log_scale - self.exponent * loss, _LARGEST_EXPONENT), dtype=np.float64)


def _joined(readings: list[_Reading], loss: Floats, level: float) -> Blocks:
    """Every block from the reading with the smallest error there; masses are in units of e^-level."""
    weights = [reading.log_weight(loss) + level for reading in readings]
    errors = [np.log(reading.noise + WINDOW_TAIL) + weight for reading, weight in zip(readings, weights, strict=True)]
    best = np.argmin(errors, axis=0) if len(readings) > 1 else np.zeros(len(loss), dtype=np.intp)
    mass, noise, tail = np.zeros((3, len(loss)))
    for i, (reading, weight) in enumerate(in_time(zip(readings, weights, strict=True))):
        chosen = best == i if len(readings) > 1 else slice(None)
        scale = np.exp(np.minimum(weight, _LARGEST_EXPONENT))
        lowest, highest = max(reading.inside[0], 0), min(reading.inside[1], len(loss) - 1)
        sums = np.zeros(len(loss))
        if lowest <= highest:
            sums[lowest : highest + 1] = _unwrapped(reading.sums, lowest, highest)
        mass[chosen], noise[chosen] = (sums * scale)[chosen], (reading.noise * scale)[chosen]
        tail[chosen] = (2.0 * WINDOW_TAIL * scale)[chosen]
    # Where a bound is above 1 nothing is known of the mass but that.
    known = noise + tail < 1.0
    mass, noise, tail = np.where(known, mass, 0.0), np.where(known, noise, 1.0), np.where(known, tail, 0.0)
    # Nothing above the last block is in any window: the transform tilted furthest up says how little that can be.
    top = max(range(len(readings)), key=lambda i: readings[i].exponent)
    tail[-1] = max(tail[-1], 2.0 * WINDOW_TAIL * np.exp(min(weights[top][-1], _LARGEST_EXPONENT)))
    # Each reading answers for its own blocks; sums over several are bounded by Cauchy-Schwarz, and by the worst.
    regions = float(len(readings))
    return Blocks(mass, np.sqrt(regions) * noise, regions * np.maximum.accumulate(tail[::-1])[::-1])


def _unwrapped(sums: Floats, first: int, last: int) -> Floats:
    """Blocks ``first`` to ``last``, at most one period of ``sums``."""
    start = first % len(sums)
    return np.concatenate((sums[start:], sums[:start]))[: last - first + 1]


def _single(law: DiscretisedPld, begin: int, origin: float, level: float, certain: float, missing: float) -> UpperTail:
    """One step alone: nothing to transform, nothing rounded."""
    missing_below, skipped = max(law.first - begin, 0), max(begin - law.first, 0)
    p, q = (
        np.concatenate((np.zeros(missing_below), mass[skipped:])) if skipped < len(mass) else np.zeros(1)
        for mass in (law.p, law.q * np.exp(min(level, _LARGEST_EXPONENT)))
    )
    nothing = np.zeros(len(p))
    roundings = len(law.p) + 1.0 + law.largest_loss
    blocks = Blocks(p, nothing, nothing), Blocks(q, nothing, nothing)
    return UpperTail(law.step, 1, law.first - begin, law.p, *blocks, certain, roundings, origin, missing, len(law.p))


def _lost(law: DiscretisedPld) -> float:
    """Bound on the mass under Q that underflows in one step; a law with p = e^loss q is read from p alone."""
    return 0.0 if law.exact_ratio else _SMALLEST_MASS * float(np.sum((law.q < _SMALLEST_MASS) & (law.p > 0.0)))


def at_least_once(chances: list[tuple[float, int]]) -> float:
    """Probability that an event of probability x happens in any of its ``count`` independent tries, over all phases."""
    with np.errstate(divide="ignore"):
        return float(0.0 - np.expm1(sum(count * np.log1p(-min(chance, 1.0)) for chance, count in chances)))
