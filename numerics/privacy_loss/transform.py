"""The sum of many independent losses by Fourier transform, after an exponential tilt (Cramer; Chernoff's exponents).

A transform's rounding is relative to the largest masses it holds: far from them nothing is left of a sum but noise. The
masses m are therefore weighted by e^{t loss} / M with M = sum m e^{t loss}, which moves the bulk of the sum to where
its digits are wanted, and divided by that weight again afterwards: the sum's mass at loss l is the tilted one times
M^steps e^{-t l}.

The sum of many steps is smooth: its spectrum dies out long before the lattice's own frequency. It is therefore read in
blocks of lattice points, by a short inverse transform of the part of the spectrum that is there.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import scipy.fft
from numpy.typing import NDArray

from numerics.privacy_loss.lattice import DiscretisedPld
from numerics.trade_off import Floats

# Mass of a tilted sum outside the transform's window on either side; added back on the safe side.
WINDOW_TAIL = 1e-15
# A transform of length n commits a relative root-mean-square error of at most about u log2 n, u the unit roundoff
# (Higham 2002, theorem 24.2); a power of it multiplies that, and adds a relative error of the power itself per factor.
# Both factors are generous; tests hold the bound against sums without a transform.
_ROUNDINGS = 2.0
_POWER_ROUNDING = 1.0 / 16.0  # of a transform's roundings
UNIT_ROUNDOFF = 2.0**-53
# Frequencies with a smaller modulus than this are left out; all of them together weigh less than WINDOW_TAIL.
_LOG_NEGLIGIBLE = -50.0
LARGEST_BLOCK = 64
_COLUMNS = 64
_LARGE, _MODEST = 50.0, 0.5  # exponents

Spectrum = NDArray[np.complexfloating[Any, Any]]


class Masses(NamedTuple):
    """Masses ``mass`` (n,) on the points of one step's ``law``, and the number of ``steps``."""

    mass: Floats
    law: DiscretisedPld
    steps: int

    def tilted(self, exponent: float) -> tuple["Masses", float]:
        """The masses times e^{exponent loss} / M, and log M; logs keep them from overflowing."""
        if exponent == 0.0:
            return self, 0.0
        with np.errstate(divide="ignore"):
            logs = np.log(self.mass) + exponent * self.law.loss
        top = float(np.max(logs))
        weighted = np.exp(logs - top)
        total = float(np.sum(weighted))
        return self._replace(mass=weighted / total), top + float(np.log(total))


class TiltedSum(NamedTuple):
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


class TooManyPointsError(ValueError):
    """The sum needs ``factor`` times as many lattice points as are allowed."""

    def __init__(self, factor: float) -> None:
        super().__init__(f"the sum needs {factor:.3g} times as many lattice points as are allowed.")
        self.factor = factor


def tilted_sum(steps: Sequence[Masses], exponent: float, reach: tuple[float, float], largest: int) -> TiltedSum:
    """Transform of the sum of ``steps``, tilted by ``exponent``; ``reach`` are Chernoff exponents (see ``window``).

    Raises:
        TooManyPointsError: when the window has more than ``largest`` points.
    """
    tilted, logs = zip(*(step.tilted(exponent) for step in steps), strict=True)
    first, last = window(tilted, reach)
    if last - first > largest:
        raise TooManyPointsError((last - first) / largest)
    length = _length(max(last - first + 1, *(len(step.mass) for step in steps)))
    start = sum(step.law.first * step.steps for step in steps)
    spectrum, spread = _spectrum(tilted, length)
    log_scale = sum(step.steps * log for step, log in zip(steps, logs, strict=True))
    roundings = sum(
        step.steps * (1.0 + (1.0 + abs(exponent)) * step.law.largest_loss + abs(log))
        for step, log in zip(steps, logs, strict=True)
    )
    return TiltedSum(exponent, log_scale, first, last, start, length, spectrum, spread, roundings)


def _length(points: int) -> int:
    """A fast transform length with room for ``points``: a multiple of the largest block."""
    blocks = -(-points // LARGEST_BLOCK) + 2
    return int(scipy.fft.next_fast_len(blocks, real=True)) * LARGEST_BLOCK


def _spectrum(steps: Sequence[Masses], length: int) -> tuple[Spectrum, Floats]:
    """Product of the phases' transforms, each to the power of its steps; and its spread (see ``TiltedSum``)."""
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


def widest_block(total: TiltedSum, widest: float) -> int:
    """The largest power of two up to ``widest`` whose blocks still carry every frequency that matters."""
    block = 1
    while 2 * block <= min(widest, LARGEST_BLOCK) and len(total.spectrum) <= total.length // (4 * block):
        block *= 2
    return block


def block_sums(total: TiltedSum, block: int, weights: Floats, begin: int) -> tuple[Floats, float]:
    """Weighted sums (m,) of the tilted masses over blocks, the first of which starts at lattice point ``begin``.

    They are periodic in the transform's length. And a bound on the Euclidean norm of their rounding error.
    """
    blocks = total.length // block
    shift = (begin - total.start) % total.length
    noise = _ROUNDINGS * UNIT_ROUNDOFF * np.log2(total.length)
    if block == 1:
        sums, size = np.roll(scipy.fft.irfft(total.spectrum, blocks), -shift), total.spread + np.abs(total.spectrum)
    else:
        frequency = np.arange(len(total.spectrum))
        turn = 2.0 * np.pi / total.length
        kernel = np.exp(1j * turn * np.outer(frequency, np.arange(block))) @ weights / block
        # The phase is reduced before it is multiplied, so that long shifts keep their digits.
        phase = np.exp(1j * turn * (frequency * shift % total.length))
        sums = scipy.fft.irfft(total.spectrum * (kernel * phase), blocks)
        size = np.abs(kernel) * (total.spread + np.abs(total.spectrum))
    return np.maximum(sums, 0.0), noise * float(np.linalg.norm(size) / np.sqrt(blocks // 2 + 1))


def window(steps: Sequence[Masses], reach: tuple[float, float]) -> tuple[int, int]:
    """Lattice points outside which the sum has mass below WINDOW_TAIL on either side.

    Chernoff: P(S > h) <= E[e^{t S}] e^{-t h} and P(S < h) <= E[e^{-t S}] e^{t h} for every t > 0. The bounds hold
    whatever the exponents ``reach`` (below, above); good ones make the window short.
    """
    step, origin = steps[0].law.step, sum(one.steps * one.law.offset for one in steps)
    low, high = ((_end(steps, sign, tilt) - origin) / step for sign, tilt in zip((-1.0, 1.0), reach, strict=True))
    first = max(int(np.floor(low)), sum(one.law.first * one.steps for one in steps))
    return first, max(min(int(np.ceil(high)), sum(one.law.last * one.steps for one in steps)), first + 1)


def _end(steps: Sequence[Masses], sign: float, tilt: float) -> float:
    """The loss beyond which the sum has mass below WINDOW_TAIL, below it or above it as ``sign`` says.

    A large exponent may be a poor one, where hardly any mass has a loss that is large: then a small one is better.
    """
    ends = []
    for one in (tilt, _MODEST)[: 1 + (tilt > _LARGE)]:
        moment = sum(law.steps * _log_moment(law, sign * one) for law in steps)
        ends.append((moment - float(np.log(WINDOW_TAIL))) / one)
    return sign * min(ends)


def _log_moment(one: Masses, tilt: float) -> float:
    """Log of sum mass e^{tilt loss} without overflow; too large where the sum would underflow.

    Counted from the end where the exponential is largest. On a lattice it is a product over rows and columns: two short
    exponentials instead of one for every point.
    """
    mass = one.mass
    occupied = mass > 0.0
    start, stop = int(np.argmax(occupied)), len(mass) - int(np.argmax(occupied[::-1]))
    rows = -(-(stop - start) // _COLUMNS)
    square = np.zeros(rows * _COLUMNS)
    square[: stop - start] = mass[start:stop] if tilt < 0.0 else mass[start:stop][::-1]
    decay = -abs(tilt) * one.law.step
    by_row, by_column = np.exp(decay * _COLUMNS * np.arange(rows)), np.exp(decay * np.arange(_COLUMNS))
    total = float(by_row @ (square.reshape(rows, _COLUMNS) @ by_column))
    return float(np.log(max(total, 1e-300)) + tilt * one.law.loss[start if tilt < 0.0 else stop - 1])
