"""The law of the summed loss on a lattice, read where it matters: tilts, Fourier transforms, blocks.

Only one tail of each hypothesis is ever read, the one in which its false positive rate is small: losses above a level
(0 for a whole curve) for the add-one test. There the masses under Q follow from those under P by the tilt e^-loss, so
their digits are those of the tail itself (a false positive rate read off as 1 - x would be rounding noise). The
remove-one test is the add-one test of the mirrored loss.

A transform's rounding is relative to the largest masses it holds: far from them nothing is left of a sum but noise. The
masses m are therefore weighted by e^{t loss} / M with M = sum m e^{t loss} (Cramer), which moves the bulk of the sum to
where its digits are wanted, and divided by that weight again afterwards: the sum's mass at loss l is the tilted one
times M^steps e^{-t l}. Several transforms, differently tilted, each resolve another region of the sum: every block of
it is read from the one whose error bound is smallest there.

The sum of many steps is smooth: its spectrum dies out long before the lattice's own frequency. It is therefore read in
blocks of lattice points, by a short inverse transform of the part of the spectrum that is there.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import scipy.fft
from numpy.typing import NDArray

from numerics.deadline import in_time, look
from numerics.privacy_loss.lattice import DiscretisedPld
from numerics.privacy_loss.pairs import UNIT_ROUNDOFF, at_least_once
from numerics.trade_off import Floats

# Mass of a tilted sum outside the transform's window on either side; added back on the safe side.
WINDOW_TAIL = 1e-15
# A transform of length n commits a relative root-mean-square error of at most about u log2 n, u the unit roundoff
# (Higham 2002, theorem 24.2); a power of it multiplies that, and adds a relative error of the power itself per factor.
# Both factors are generous; tests hold the bound against sums without a transform.
_ROUNDINGS = 2.0
_POWER_ROUNDING = 1.0 / 16.0  # of a transform's roundings
# Frequencies with a smaller modulus than this are left out; all of them together weigh less than WINDOW_TAIL.
_LOG_NEGLIGIBLE = -50.0
_LARGEST_BLOCK = 64
_COLUMNS = 64
_LARGE, _MODEST = 50.0, 0.5  # exponents
_LARGEST_EXPONENT = 700.0
# Masses under Q below this may have underflowed; the attack is charged with as much for each.
_SMALLEST_MASS = 1e-290

Spectrum = NDArray[np.complexfloating[Any, Any]]
Steps = list[tuple[DiscretisedPld, int]]  # laws of one step width, each with the number of times it is composed


class TooManyPointsError(ValueError):
    """The sum needs ``factor`` times as many lattice points as are allowed."""

    def __init__(self, factor: float) -> None:
        super().__init__(f"the sum needs {factor:.3g} times as many lattice points as are allowed.")
        self.factor = factor


class Tilt(NamedTuple):
    """A transform to take: the tilt of P's masses, and the Chernoff exponents (below, above) of its window."""

    exponent: float
    reach: tuple[float, float]


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


def upper_tail(steps: Steps, tilts: Sequence[Tilt], largest: int, coarsest: float, level: float) -> UpperTail:
    """Law of the sum of independent losses, read above ``level``; differing phases multiply their transforms.

    Args:
        steps: the laws of single steps.
        tilts: the transforms to take, the first untilted.
        largest: most lattice points.
        coarsest: widest block to read the sum in, in units of the loss.
        level: the loss above which the sum is read; rates under Q are in units of e^-level.

    Raises:
        TooManyPointsError: when a window has more points than ``largest``.
    """
    certain = at_least_once([(law.p_infinite, count) for law, count in steps])
    step, offset = steps[0][0].step, sum(law.offset * count for law, count in steps)
    begin = int(np.floor((level - offset) / step)) + 1  # the first lattice point above the level
    origin = offset + step * (begin - 1)
    # What underflows in one step; a law with p = e^loss q is read from p alone.
    lost = [
        0.0 if law.exact_ratio else _SMALLEST_MASS * float(np.sum((law.q < _SMALLEST_MASS) & (law.p > 0.0)))
        for law, _ in steps
    ]
    charged = sum(count * one for one, (_, count) in zip(lost, steps, strict=True))
    missing = float(np.exp(min(level, _LARGEST_EXPONENT)) * charged)
    if len(steps) == 1 and steps[0][1] == 1:
        return _single(steps[0][0], begin, origin, level, certain, missing)
    # Tilted sums from which the masses under P and those under Q follow; where p = e^loss q they are the same.
    under_p = [_Masses(law.p, law, count) for law, count in steps]
    present = [_tilted_sum(under_p, tilt.exponent, tilt.reach, largest) for tilt in in_time(tilts)]
    exact_ratio, absent = steps[0][0].exact_ratio, present
    if not exact_ratio:
        under_q = [_Masses(law.q, law, count) for law, count in steps]
        absent = [_tilted_sum(under_q, 1.0 + tilt.exponent, tilt.reach, largest) for tilt in in_time(tilts)]
    above = max(total.last for total in present + absent) - begin
    if above > largest:
        raise TooManyPointsError(above / largest)
    block = min(_widest_block(total, coarsest / step) for total in present + absent)
    extra = 1.0 if exact_ratio else 0.0
    to_read = [_Reading.of(total, total.exponent, block, begin, step) for total in in_time(present)]
    if exact_ratio and block == 1:
        to_read_q = [reading._replace(exponent=reading.exponent + extra) for reading in to_read]
    else:
        to_read_q = [_Reading.of(total, total.exponent + extra, block, begin, step) for total in in_time(absent)]
    look()
    count = max(above // block, 0) + 1
    loss = np.asarray(origin + step * (block * np.arange(count) + 1.0), dtype=np.float64)
    lowest, highest = ((end - begin) // block for end in (present[0].first, present[0].last))
    law = _unwrapped(to_read[0].sums, lowest, highest)
    roundings = len(law) * block + max(total.roundings for total in present + absent)
    transformed = sum(total.length for total in (present if exact_ratio else present + absent))
    points = transformed + count * len(to_read + to_read_q)
    p, q = _joined(to_read, loss, 0.0), _joined(to_read_q, loss, level)
    return UpperTail(step, block, lowest, law, p, q, certain, roundings, origin, missing, points)


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


# The sum under one tilt.


class _Masses(NamedTuple):
    """Masses ``mass`` (n,) on the points of one step's ``law``, and the number of ``steps``."""

    mass: Floats
    law: DiscretisedPld
    steps: int

    def tilted(self, exponent: float) -> tuple["_Masses", float]:
        """The masses times e^{exponent loss} / M, and log M; logs keep them from overflowing."""
        if exponent == 0.0:
            return self, 0.0
        with np.errstate(divide="ignore"):
            logs = np.log(self.mass) + exponent * self.law.loss
        top = float(np.max(logs))
        weighted = np.exp(logs - top)
        total = float(np.sum(weighted))
        return self._replace(mass=weighted / total), top + float(np.log(total))

    def log_moment(self, tilt: float) -> float:
        """Log of sum mass e^{tilt loss} without overflow; too large where the sum would underflow.

        Counted from the end where the exponential is largest. On a lattice it is a product over rows and columns: two
        short exponentials instead of one for every point.
        """
        mass = self.mass
        occupied = mass > 0.0
        start, stop = int(np.argmax(occupied)), len(mass) - int(np.argmax(occupied[::-1]))
        rows = -(-(stop - start) // _COLUMNS)
        square = np.zeros(rows * _COLUMNS)
        square[: stop - start] = mass[start:stop] if tilt < 0.0 else mass[start:stop][::-1]
        decay = -abs(tilt) * self.law.step
        by_row, by_column = np.exp(decay * _COLUMNS * np.arange(rows)), np.exp(decay * np.arange(_COLUMNS))
        total = float(by_row @ (square.reshape(rows, _COLUMNS) @ by_column))
        return float(np.log(max(total, 1e-300)) + tilt * self.law.loss[start if tilt < 0.0 else stop - 1])


class _TiltedSum(NamedTuple):
    """Spectrum of a tilted sum up to its last frequency that matters.

    Attributes:
        exponent: of the tilt.
        log_scale: log of M^steps.
        first, last: lattice points outside which the tilted sum has mass below WINDOW_TAIL on either side.
        start: lattice point at which the transform's own array begins.
        length: of the transform.
        spectrum: of the tilted sum.
        spread: its change per unit of relative error in the single steps' transforms.
        roundings: relative rounding of a mass of the sum through its tilts, in units of the roundoff.
    """

    exponent: float
    log_scale: float
    first: int
    last: int
    start: int
    length: int
    spectrum: Spectrum
    spread: Floats
    roundings: float


def _tilted_sum(steps: Sequence[_Masses], exponent: float, reach: tuple[float, float], largest: int) -> _TiltedSum:
    """Transform of the sum of ``steps``, tilted by ``exponent``; ``reach`` are Chernoff exponents of its window.

    Chernoff: P(S > h) <= E[e^{t S}] e^{-t h} and P(S < h) <= E[e^{-t S}] e^{t h} for every t > 0. The bounds hold
    whatever the exponents (below, above); good ones make the window short.
    """
    tilted, logs = zip(*(step.tilted(exponent) for step in steps), strict=True)
    step, origin = steps[0].law.step, sum(one.steps * one.law.offset for one in steps)
    low, high = ((_end(tilted, sign, tilt) - origin) / step for sign, tilt in zip((-1.0, 1.0), reach, strict=True))
    start = sum(one.law.first * one.steps for one in steps)
    first = max(int(np.floor(low)), start)
    last = max(min(int(np.ceil(high)), sum(one.law.last * one.steps for one in steps)), first + 1)
    if last - first > largest:
        raise TooManyPointsError((last - first) / largest)
    # A fast length with room for all points: a multiple of the largest block.
    blocks = -(-max(last - first + 1, *(len(one.mass) for one in steps)) // _LARGEST_BLOCK) + 2
    length = int(scipy.fft.next_fast_len(blocks, real=True)) * _LARGEST_BLOCK
    spectrum, spread = _spectrum(tilted, length)
    log_scale = sum(one.steps * log for one, log in zip(steps, logs, strict=True))
    roundings = sum(
        one.steps * (1.0 + (1.0 + abs(exponent)) * one.law.largest_loss + abs(log))
        for one, log in zip(steps, logs, strict=True)
    )
    return _TiltedSum(exponent, log_scale, first, last, start, length, spectrum, spread, roundings)


def _end(steps: Sequence[_Masses], sign: float, tilt: float) -> float:
    """The loss beyond which the sum has mass below WINDOW_TAIL, below it or above it as ``sign`` says.

    A large exponent may be a poor one, where hardly any mass has a loss that is large: then a small one is better.
    """
    ends = []
    for one in (tilt, _MODEST)[: 1 + (tilt > _LARGE)]:
        moment = sum(law.steps * law.log_moment(sign * one) for law in steps)
        ends.append((moment - float(np.log(WINDOW_TAIL))) / one)
    return sign * min(ends)


def _spectrum(steps: Sequence[_Masses], length: int) -> tuple[Spectrum, Floats]:
    """Product of the phases' transforms, each to the power of its steps; and its spread (see ``_TiltedSum``)."""
    transforms = [scipy.fft.rfft(step.mass, length) for step in steps]
    counts = [step.steps for step in steps]
    squares = [z.real**2 + z.imag**2 for z in transforms]
    if len(squares) == 1:
        matters = squares[0] > np.exp(2.0 * _LOG_NEGLIGIBLE / counts[0])
    else:
        with np.errstate(divide="ignore"):
            logs = sum(0.5 * count * np.log(square) for square, count in zip(squares, counts, strict=True))
        matters = logs > _LOG_NEGLIGIBLE
    band = slice(0, max(len(matters) - int(np.argmax(matters[::-1])), 1) if np.any(matters) else 1)
    transforms = [transform[band] for transform in transforms]
    product: Spectrum = np.ones(1, dtype=np.complex64)
    spread = np.zeros(len(transforms[0]))
    for i, transform in enumerate(transforms):
        but_one = _power(transform, counts[i] - 1)
        for j, other in enumerate(transforms):
            but_one = but_one * _power(other, counts[j]) if j != i else but_one
        error = float(np.linalg.norm(steps[i].mass)) + _POWER_ROUNDING * np.abs(transform)
        spread += counts[i] * error * np.abs(but_one)
        product = but_one * transform
    return product, spread


def _power(base: Spectrum, exponent: int) -> Spectrum:
    """``base`` to a whole power by repeated squaring (as accurate as, and much faster than, complex pow)."""
    result: Spectrum = np.ones(1, dtype=np.complex64)
    while exponent:
        if exponent & 1:
            result = result * base
        exponent >>= 1
        if exponent:
            base = base * base
    return result


# Blocks of it, and of several sums joined.


def _widest_block(total: _TiltedSum, widest: float) -> int:
    """The largest power of two up to ``widest`` whose blocks still carry every frequency that matters."""
    block = 1
    while 2 * block <= min(widest, _LARGEST_BLOCK) and len(total.spectrum) <= total.length // (4 * block):
        block *= 2
    return block


class _Reading(NamedTuple):
    """Block sums of a tilted sum, to be multiplied by e^{log_scale - exponent loss}, and the norm of their noise.

    The sums (m,) are weighted ones, periodic in the transform's length; they are there from block ``first`` to
    ``last``.
    """

    sums: Floats
    noise: float
    log_scale: float
    exponent: float
    first: int
    last: int

    @classmethod
    def of(cls, total: _TiltedSum, exponent: float, block: int, begin: int, step: float) -> "_Reading":
        """In blocks the first of which starts at lattice point ``begin``."""
        blocks, shift = total.length // block, (begin - total.start) % total.length
        if block == 1:
            sums, size = np.roll(scipy.fft.irfft(total.spectrum, blocks), -shift), total.spread + np.abs(total.spectrum)
        else:
            frequency, turn = np.arange(len(total.spectrum)), 2.0 * np.pi / total.length
            weights = np.exp(-exponent * step * np.arange(block))
            kernel = np.exp(1j * turn * np.outer(frequency, np.arange(block))) @ weights / block
            # The phase is reduced before it is multiplied, so that long shifts keep their digits.
            phase = np.exp(1j * turn * (frequency * shift % total.length))
            sums = scipy.fft.irfft(total.spectrum * (kernel * phase), blocks)
            size = np.abs(kernel) * (total.spread + np.abs(total.spectrum))
        rounding = _ROUNDINGS * UNIT_ROUNDOFF * np.log2(total.length)
        noise = rounding * float(np.linalg.norm(size) / np.sqrt(blocks // 2 + 1))
        inside = ((end - begin) // block for end in (total.first, total.last))
        return cls(np.maximum(sums, 0.0), noise, total.log_scale, exponent, *inside)


def _joined(readings: list[_Reading], loss: Floats, level: float) -> Blocks:
    """Every block from the reading with the smallest error there; masses are in units of e^-level."""
    weights = [np.minimum(one.log_scale - one.exponent * loss, _LARGEST_EXPONENT) + level for one in readings]
    errors = [np.log(reading.noise + WINDOW_TAIL) + weight for reading, weight in zip(readings, weights, strict=True)]
    best = np.argmin(errors, axis=0) if len(readings) > 1 else np.zeros(len(loss), dtype=np.intp)
    mass, noise, tail = np.zeros((3, len(loss)))
    for i, (reading, weight) in enumerate(in_time(zip(readings, weights, strict=True))):
        chosen = best == i if len(readings) > 1 else slice(None)
        scale = np.exp(np.minimum(weight, _LARGEST_EXPONENT))
        lowest, highest = max(reading.first, 0), min(reading.last, len(loss) - 1)
        sums = np.zeros(len(loss))
        if lowest <= highest:
            sums[lowest : highest + 1] = _unwrapped(reading.sums, lowest, highest)
        mass[chosen] = (sums * scale)[chosen]
        noise[chosen] = (reading.noise * scale)[chosen]
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
