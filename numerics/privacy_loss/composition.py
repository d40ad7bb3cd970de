"""Composition of lattice losses: the law of the sum over all steps, by Fourier transform.

Only one tail of each hypothesis is ever read, the one in which its false positive rate is small: losses above 0 for
the add-one test. There the transform is taken of the masses under P, and the masses under Q follow by the tilt e^-loss,
so their digits are those of the tail itself (a false positive rate read off as 1 - x would be rounding noise). The
remove-one test is the add-one test of the mirrored loss.

The sum of many steps is smooth: its spectrum dies out long before the lattice's own frequency. It is therefore read in
blocks of lattice points, by a short inverse transform of the part of the spectrum that is there.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import scipy.fft
from numpy.typing import NDArray

from numerics.privacy_loss.lattice import LatticeLaw
from numerics.trade_off import Floats

# Mass of the sum outside the transform's window on either side; added back on the safe side.
WINDOW_TAIL = 1e-15
# A transform of length n commits a relative root-mean-square error of at most about u log2 n, u the unit roundoff
# (Higham 2002, theorem 24.2); a power of it multiplies that, and adds a relative error of the power itself per factor.
# Both factors are generous; tests hold the bound against transforms of higher precision.
_ROUNDINGS = 2.0
_POWER_ROUNDING = 1.0 / 16.0  # of a transform's roundings
# Frequencies with a smaller modulus than this are left out; all of them together weigh less than WINDOW_TAIL.
_LOG_NEGLIGIBLE = -50.0
_LARGEST_BLOCK = 64
_SMALL_DRIFT = 0.5  # of a sum's log-moment
_COLUMNS = 64

Spectrum = NDArray[np.complexfloating[Any, Any]]
Steps = list[tuple[LatticeLaw, int]]  # laws on one lattice, each with the number of times it is composed


class Layout(NamedTuple):
    """How a sum is computed: exponents that make its window short, and what it may cost.

    Attributes:
        tilts: Chernoff exponents below and above (see ``window``).
        largest: most lattice points.
        coarsest: widest block to read the sum in, in units of the loss.
        extended: transform in long double: several times slower, less noisy where that is longer than double.
    """

    tilts: tuple[float, float]
    largest: int
    coarsest: float
    extended: bool = False


class LatticeTooLargeError(ValueError):
    """The sum needs more lattice points than allowed."""


@dataclass(frozen=True, eq=False)
class UpperTail:
    """Law of the summed loss under P in blocks of lattice points, and its part above 0 under both hypotheses.

    Block j holds the lattice points j * block + 1, ..., (j + 1) * block.

    Attributes:
        step: lattice step.
        block: number of lattice points in a block.
        first: index j of ``law[0]``.
        law: masses (n,) under P over the whole window.
        p: masses (m,) under P of the blocks 0 ... m - 1.
        q: masses (m,) under Q there.
        certain: mass under P of losses without limit (exposure for certain).
        p_noise: bound on the Euclidean norm of the rounding error of p, so that by Cauchy-Schwarz a sum over k blocks
            is off by at most p_noise sqrt(k).
        q_noise: the same for q e^{loss at the start of the block}.
        tail: bound on the mass under P outside the window, part of which wraps around into it.
    """

    step: float
    block: int
    first: int
    law: Floats
    p: Floats
    q: Floats
    certain: float
    p_noise: float
    q_noise: float
    tail: float


def upper_tail(steps: Steps, layout: Layout) -> UpperTail:
    """Law of the sum of independent losses, read above 0; differing phases multiply their transforms.

    Raises:
        LatticeTooLargeError: when the window has more points than ``layout`` allows.
    """
    certain = _at_least_once([(law.p_infinite, count) for law, count in steps])
    if len(steps) == 1 and steps[0][1] == 1:
        return _single(steps[0][0], certain)
    step, counts = steps[0][0].step, [count for _, count in steps]
    raised = [law.p if law.exact_ratio else _tilted(law.q, law.loss) for law, _ in steps]
    first, last = window(steps, raised, layout)
    start = sum(law.first * count for law, count in steps)
    length = _length(last - first + 1, max(len(law.p) for law, _ in steps))
    real = np.longdouble if layout.extended else np.float64
    sums = [_spectrum([law.p.astype(real, copy=False) for law, _ in steps], counts, length)]
    if not all(law.exact_ratio for law, _ in steps):
        sums.append(_spectrum([mass.astype(real, copy=False) for mass in raised], counts, length))
    block = min(_block(total, layout.coarsest / step) for total in sums)
    weights = np.ones(block), np.exp(-step * np.arange(block))
    p, p_noise = _read(sums[0], block, weights[0], 1 - start)
    q, q_noise = _read(sums[-1], block, weights[1], 1 - start)
    lowest, highest = (first - 1) // block, (last - 1) // block
    law = np.take(p, np.arange(lowest, highest + 1), mode="wrap")
    above = np.arange(max(highest, 0) + 1)
    inside = above >= lowest
    decay = np.exp(-step * (above * block + 1.0))
    p, q = (np.where(inside, np.take(mass, above, mode="wrap"), 0.0) for mass in (p, q))
    return UpperTail(step, block, lowest, law, p, q * decay, certain, p_noise, q_noise, 2.0 * WINDOW_TAIL)


def _single(law: LatticeLaw, certain: float) -> UpperTail:
    """One step alone: nothing to transform, nothing rounded."""
    p, q = (np.pad(mass, (law.first - 1, 0)) if law.first > 1 else mass[1 - law.first :] for mass in (law.p, law.q))
    return UpperTail(law.step, 1, law.first - 1, law.p, p, q, certain, 0.0, 0.0, 0.0)


def _tilted(mass: Floats, loss: Floats) -> Floats:
    """Masses times e^loss; empty points stay empty however large the exponential."""
    with np.errstate(over="ignore", invalid="ignore"):
        raised = mass * np.exp(loss)
    raised[mass == 0.0] = 0.0
    return raised


def _at_least_once(chances: list[tuple[float, int]]) -> float:
    """Probability that an event of probability x happens in any of its ``count`` independent tries, over all phases."""
    return float(-np.expm1(sum(count * np.log1p(-min(chance, 1.0 - 1e-16)) for chance, count in chances)))


def _length(points: int, single: int) -> int:
    """A fast transform length with room for ``points``: a multiple of the largest block."""
    blocks = -(-max(points, single) // _LARGEST_BLOCK) + 2
    return int(scipy.fft.next_fast_len(blocks, real=True)) * _LARGEST_BLOCK


class _Sum(NamedTuple):
    """Spectrum of a sum up to its last frequency that matters.

    ``spread`` is the change of the spectrum per unit of relative error in the single steps' transforms.
    """

    length: int
    spectrum: Spectrum
    spread: Floats


def _spectrum(masses: list[Any], counts: list[int], length: int) -> _Sum:
    """Product of the phases' transforms, each to the power of its steps."""
    transforms = [scipy.fft.rfft(mass, length) for mass in masses]
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
        error = float(np.linalg.norm(masses[i])) + _POWER_ROUNDING * np.abs(transform).astype(np.float64)
        spread += counts[i] * error * np.abs(but_one).astype(np.float64)
        product = but_one * transform
    return _Sum(length, product, spread)


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


def _block(total: _Sum, widest: float) -> int:
    """The largest power of two up to ``widest`` whose blocks still carry every frequency that matters."""
    block = 1
    while 2 * block <= min(widest, _LARGEST_BLOCK) and len(total.spectrum) <= total.length // (4 * block):
        block *= 2
    return block


def _read(total: _Sum, block: int, weights: Floats, offset: int) -> tuple[Floats, float]:
    """Weighted sums over blocks, the first starting at ``offset``; and a bound on the norm of their rounding error."""
    blocks = total.length // block
    # In the spectrum's own precision: angles rounded to double would undo a transform in long double.
    frequency = np.arange(len(total.spectrum))
    turn = 8.0 * np.arctan(np.ones(1, total.spectrum.real.dtype)) / total.length
    kernel = np.exp(1j * turn * np.outer(frequency, np.arange(block))) @ weights / block
    # The phase is reduced before it is multiplied, so that long shifts keep their digits.
    phase = np.exp(1j * turn * (frequency * (offset % total.length) % total.length))
    sums = scipy.fft.irfft(total.spectrum * (kernel * phase), blocks)
    roundoff = 0.5 * float(np.finfo(sums.dtype).eps)
    size = np.abs(kernel) * (total.spread + np.abs(total.spectrum).astype(np.float64))
    noise = _ROUNDINGS * roundoff * np.log2(total.length) * float(np.linalg.norm(size) / np.sqrt(blocks // 2 + 1))
    return np.maximum(sums, 0.0).astype(np.float64), noise


def window(steps: Steps, raised: list[Floats], layout: Layout) -> tuple[int, int]:
    """Lattice points outside which the sum has mass below WINDOW_TAIL on either side, under P and as tilted from Q.

    Chernoff: P(S > h) <= E[e^{t S}] e^{-t h} and P(S < h) <= E[e^{-t S}] e^{t h} for every t > 0. The bounds hold
    whatever the tilts; good ones make the window short. A loss is moved by at most one step, so ``raised`` = q e^loss
    is at most p e^step at every point of the lattice; where that adds up to little its own moment is not computed.
    """
    drift = sum(0.0 if law.exact_ratio else count * law.step for law, count in steps)
    ends = []
    for sign, tilt in zip((-1.0, 1.0), layout.tilts, strict=True):
        moment = sum(count * _log_moment(law.p, law, sign * tilt) for law, count in steps)
        if drift <= _SMALL_DRIFT:
            moment += drift
        else:
            pairs = zip(raised, steps, strict=True)
            moment = max(moment, sum(count * _log_moment(mass, law, sign * tilt) for mass, (law, count) in pairs))
        ends.append(sign * (moment - np.log(WINDOW_TAIL)) / tilt / steps[0][0].step)
    first = max(int(np.floor(ends[0])), sum(law.first * count for law, count in steps))
    last = max(min(int(np.ceil(ends[1])), sum(law.last * count for law, count in steps)), 1, first + 1)
    if last - first > layout.largest:
        raise LatticeTooLargeError(f"the sum needs {last - first} lattice points, more than {layout.largest}.")
    return first, last


def _log_moment(mass: Floats, law: LatticeLaw, tilt: float) -> float:
    """Log of sum mass e^{tilt loss} without overflow; too large where the sum would underflow.

    Counted from the end where the exponential is largest. On a lattice it is a product over rows and columns: two short
    exponentials instead of one for every point.
    """
    occupied = mass > 0.0
    start, stop = int(np.argmax(occupied)), len(mass) - int(np.argmax(occupied[::-1]))
    rows = -(-(stop - start) // _COLUMNS)
    square = np.zeros(rows * _COLUMNS)
    square[: stop - start] = mass[start:stop] if tilt < 0.0 else mass[start:stop][::-1]
    decay = -abs(tilt) * law.step
    by_row, by_column = np.exp(decay * _COLUMNS * np.arange(rows)), np.exp(decay * np.arange(_COLUMNS))
    total = float(by_row @ (square.reshape(rows, _COLUMNS) @ by_column))
    largest = tilt * law.step * (law.first + (start if tilt < 0.0 else stop - 1))
    return float(np.log(max(total, 1e-300)) + largest)
