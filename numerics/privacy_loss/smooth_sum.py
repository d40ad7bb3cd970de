"""The law of the summed loss itself, without a lattice: from its characteristic function, where that dies out.

Where one step's loss has an analytic density, its characteristic function is known to rounding by
quadrature, at the few frequencies at which its power for all steps is not negligible: a bound says so of all others.
The masses of blocks of losses follow by one short inverse transform. Nothing is discretised, so both sides of a bracket
are read from the same masses: points that the attack reaches, and lines that support the curve there.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
import scipy.fft

from numerics.privacy_loss.composition import Blocks, UpperTail
from numerics.privacy_loss.transform import UNIT_ROUNDOFF, WINDOW_TAIL, Spectrum
from numerics.trade_off import Floats

# What a pair says of its loss where that has an analytic density: enough to transform it without a lattice.


class Nodes(NamedTuple):
    """A quadrature under P and under Q at the same losses.

    Attributes:
        loss: values (n,).
        p, q: their weights (n,), which add up to 1.
        error: bound on what any E[e^{it loss}] is off by, up to the frequency asked for, but for rounding.
        p_rounding, q_rounding: the same for rounding, per unit of the frequency t.
    """

    loss: Floats
    p: Floats
    q: Floats
    error: float
    p_rounding: float
    q_rounding: float


class CharacteristicFunctionBound(NamedTuple):
    """Bounds on the characteristic function of one step's loss.

    Attributes:
        p, q: of |E[e^{it loss}]| under P and under Q, (n,): entry i between the i-th and the next frequency, the last
            from there on for ever.
        log_variation: log of C with |E[e^{it loss}]| <= C / t under both.
    """

    p: Floats
    q: Floats
    log_variation: float


class SmoothLoss(Protocol):
    """One step's loss where it has an analytic density."""

    def nodes(self, highest: float) -> Nodes:
        """A quadrature for all frequencies up to ``highest``."""
        ...

    def log_moments(self, exponents: Floats) -> Floats:
        """Upper bounds of log E_Q[e^{t loss}] at all ``exponents`` t (m,); infinite where none is known."""
        ...

    def fading(self, frequency: Floats) -> CharacteristicFunctionBound:
        """Bounds between ascending positive ``frequency`` (n,) and beyond."""
        ...


@runtime_checkable
class SmoothPair(Protocol):
    """A pair whose loss may have an analytic density."""

    @property
    def smooth_loss(self) -> SmoothLoss | None:
        """The loss of one step, if it has."""
        ...


Smooth = Sequence[tuple[SmoothLoss, int]]  # one step's loss and the number of its steps, per phase

_EXPONENTS = np.geomspace(0.05, 40.0, 28)  # Chernoff's
# Per period, at which bounds are looked at.
_FREQUENCIES = np.concatenate((np.geomspace(18.0, 700.0, 72), np.geomspace(800.0, 2e5, 12)))
_NEGLIGIBLE = 1e-13  # of all frequencies that are left out
_ROOM = 1.06  # of a window: no block that holds a part of one repeats another
FEWEST_BLOCKS = 64
_ROW = 12  # of the frequencies
_MOST_VALUES = 500_000  # of a transform's table


class SumWindow(NamedTuple):
    """Sums outside ``low`` ... ``high`` have a mass below WINDOW_TAIL on either side."""

    low: float
    high: float


@dataclass(frozen=True, eq=False)
class SmoothSum:
    """The sum under one hypothesis, whose false positive rate is small where the sum is large.

    Attributes:
        window: where the sum lies.
        period: length after which masses repeat.
        spectrum: E[e^{-i k w S}] for k = 0, 1, ... with w = 2 pi/period, as far as it matters.
        error: bound (k,) on what it is off by, for each k.
        left_out: bound on what the frequencies that are left out contribute to the mass of any stretch of losses.
    """

    window: SumWindow
    period: float
    spectrum: Spectrum
    error: Floats
    left_out: float

    def upper_tail(self, blocks: int, level: float) -> UpperTail:
        """Masses of blocks of width period/``blocks`` from ``level`` up, under this hypothesis and the other."""
        width = self.period / blocks
        first, last = (int(np.floor((end - level) / width)) for end in self.window)
        loss = level + width * np.arange(max(last, 0) + 1)
        here, there = (self._sums(blocks, width, level, slope) for slope in (0.0, 1.0))
        scale = np.exp(np.minimum(level - loss, 0.0))
        noise = self._noise(blocks, level, float(np.linalg.norm(here)))
        inside = np.arange(max(first, 0), last + 1)  # further out masses repeat
        masses = np.zeros((2, len(loss)))
        masses[:, inside] = here[inside % blocks], there[inside % blocks] * scale[inside]
        fall = np.full(len(loss), np.sqrt(-np.expm1(-2.0 * width)))
        fall[-1] = 1.0
        only_top = np.zeros(len(loss))
        only_top[-1] = noise
        p = Blocks(_rising(masses[0]), only_top, np.full(len(loss), 2.0 * WINDOW_TAIL))
        q = Blocks(_rising(masses[1]), noise * fall * scale, 2.0 * WINDOW_TAIL * scale)
        roundings = blocks + 8.0 + level + float(loss[-1])
        law = np.maximum(here[np.arange(first, last + 1) % blocks], 0.0)
        return UpperTail(width, 1, first, law, p, q, 0.0, roundings, level - 0.5 * width, 0.0, 4 * blocks)

    def _sums(self, blocks: int, width: float, level: float, slope: float) -> Floats:
        """Integrals (m,) of the density times e^{-slope v} over the blocks, v being the way into the block.

        The integral of e^{(ik w - slope) v} over a block is (e^{(ik w - slope) B} - 1)/(ik w - slope).
        """
        frequency = 2.0 * np.pi / self.period * np.arange(len(self.spectrum))
        turn, fall = frequency * width, slope * width
        real = np.expm1(-fall) * np.cos(turn) - 2.0 * np.sin(0.5 * turn) ** 2
        whole = real + 1j * np.exp(-fall) * np.sin(turn)
        kernel = np.full(len(frequency), width, dtype=np.complex128)
        seen = slice(0 if slope > 0.0 else 1, None)
        kernel[seen] = whole[seen] / (1j * frequency[seen] - slope)
        phase = np.exp(1j * frequency * np.fmod(level, self.period))
        return scipy.fft.irfft(self.spectrum * kernel * phase, blocks) * (blocks / self.period)

    def _noise(self, blocks: int, level: float, norm: float) -> float:
        """Bound on what the mass above any loss is off by, in units of the tilt there.

        The integral of e^{ik w x}, or of e^{(ik w - 1) x} in units of the tilt, over any stretch is at most 2/(k w).
        The short transform's error is at most 8 u log2 m in the Euclidean norm (Higham 2002, theorem 24.2).
        """
        k = np.arange(1.0, len(self.spectrum))
        shift = abs(float(np.fmod(level, self.period)))
        turned = UNIT_ROUNDOFF * (16.0 + 8.0 * np.pi / self.period * shift * k) * np.abs(self.spectrum[1:])
        off = float(np.sum((self.error[1:] + turned) * 2.0 / (np.pi * k)))
        short = 8.0 * UNIT_ROUNDOFF * float(np.log2(blocks) * np.sqrt(blocks)) * norm
        return off + self.left_out + short


def smooth_sums(losses: Smooth) -> tuple[SmoothSum, SmoothSum] | None:
    """The sum under P, and the mirrored sum under Q; None where lattices do better."""
    windows = _windows(losses)
    period = _ROOM * max(window.high - window.low for window in windows)
    if not np.isfinite(period) or period <= 0.0:
        return None
    found = _highest(losses, period)
    if found is None:
        return None
    highest, left_out = found
    size = int(np.ceil(highest * period / (2.0 * np.pi))) + 1
    nodes = [loss.nodes(highest) for loss, _ in losses]
    if size * sum(len(one.loss) for one in nodes) > _MOST_VALUES:
        return None
    frequency = 2.0 * np.pi / period * np.arange(size, dtype=np.float64)
    logs, errors = _logs(nodes, [steps for _, steps in losses], frequency)
    sums = []
    for log, error, window, rest in zip(logs, errors, windows, left_out, strict=True):
        value = np.exp(log)
        off = np.abs(value) * np.expm1(np.minimum(error, 700.0))
        sums.append(SmoothSum(window, period, value, off, rest))
    return sums[0], sums[1]


def _windows(losses: Smooth) -> tuple[SumWindow, SumWindow]:
    """Windows of the sum under P and of the mirrored one under Q: Chernoff's bounds, each with its best exponent.

    All from moments of the loss under Q: those under P are the moments of exponents larger by 1.
    """
    t = _EXPONENTS
    exponents = np.concatenate((1.0 - t, 1.0 + t, t, -t))
    moments = np.sum([steps * loss.log_moments(exponents) for loss, steps in losses], axis=0)
    ends = [float(np.min((log - np.log(WINDOW_TAIL)) / t)) for log in np.split(moments, 4)]
    return SumWindow(-ends[0], ends[1]), SumWindow(-ends[2], ends[3])


def _highest(losses: Smooth, period: float) -> tuple[float, tuple[float, float]] | None:
    """A frequency beyond which the spectrum is negligible under P and under Q, and bounds on what is left out.

    A spectrum z_k contributes no more than the sum of 2 |z_k|/(pi k) to the mass of any stretch of losses.
    """
    frequency = _FREQUENCIES * 2.0 * np.pi / period
    steps = np.array([count for _, count in losses], dtype=np.float64)
    fadings = [loss.fading(frequency) for loss, _ in losses]
    most = int(np.argmax(steps))
    logs = [
        np.sum([n * np.log(np.clip(row, 1e-300, 1.0)) for n, row in zip(steps, rows, strict=True)], axis=0)
        for rows in zip(*((one.p, one.q) for one in fadings), strict=True)
    ]
    every = 2.0 * np.pi / period
    spread = np.log(np.append(frequency[1:], np.inf) / frequency) + every / frequency
    tails = []
    for log, last in zip(logs, (max(fadings[most].p[-1], 1e-300), max(fadings[most].q[-1], 1e-300)), strict=True):
        # From the last frequency on for ever, the bound is (C/t)^N where that is smaller.
        for_ever = fadings[most].log_variation - np.log(last) - np.log(frequency[-1])
        spread[-1] = max(for_ever, 0.0) + every / frequency[-1] + 2.0
        tails.append(2.0 / np.pi * np.cumsum((np.exp(log) * spread)[::-1])[::-1])
    enough = np.flatnonzero(np.maximum(*tails) <= _NEGLIGIBLE)
    if not len(enough):
        return None
    place = int(enough[0])
    return float(frequency[place]), (float(tails[0][place]), float(tails[1][place]))


def _logs(nodes: Sequence[Nodes], counts: Sequence[int], frequency: Floats) -> tuple[list[Spectrum], list[Floats]]:
    """Logs of the sum's spectrum under P and of the mirrored sum's under Q, and bounds on their errors.

    E[e^{-itl}] - 1 is summed, so that its digits are those of a small number.
    """
    logs: list[Spectrum] = [np.zeros(len(frequency), dtype=np.complex128) for _ in range(2)]
    errors = [np.zeros(len(frequency)) for _ in range(2)]
    for one, count in zip(nodes, counts, strict=True):
        sine, cosine = _half_angles(frequency, one.loss)
        falls, turns = -2.0 * sine**2, 2.0 * sine * cosine
        for i, (mass, sign, rounding) in enumerate(((one.p, -1.0, one.p_rounding), (one.q, 1.0, one.q_rounding))):
            real, imaginary = np.sum(falls * mass, axis=1), sign * np.sum(turns * mass, axis=1)
            # |E|^2 - 1; an E of next to nothing is known to no digit, which its allowance covers.
            square = np.maximum(2.0 * real + real**2 + imaginary**2, 16.0 * UNIT_ROUNDOFF - 1.0)
            modulus = np.sqrt(1.0 + square)
            logs[i] += count * (0.5 * np.log1p(square) + 1j * np.arctan2(imaginary, 1.0 + real))
            off = rounding * frequency + one.error * (frequency > 0.0)
            change = np.hypot(real, imaginary)
            errors[i] += count * (off / np.maximum(modulus - off, 1e-300) + 32.0 * UNIT_ROUNDOFF * change / modulus**2)
    return logs, [error + 4.0 * UNIT_ROUNDOFF * np.abs(log) for error, log in zip(errors, logs, strict=True)]


def _half_angles(frequency: Floats, loss: Floats) -> tuple[Floats, Floats]:
    """Sines and cosines of half of each of evenly spaced ``frequency`` (n,) times each ``loss`` (m,).

    By sums of two angles of one sign: no further off, in units of the angle, and with a fraction of the work.
    """
    near = np.multiply.outer(0.5 * frequency[:_ROW], loss)
    far = np.multiply.outer(0.5 * frequency[::_ROW], loss)[:, np.newaxis]
    sines, cosines = (np.sin(near), np.sin(far)), (np.cos(near), np.cos(far))
    sine = sines[0] * cosines[1] + cosines[0] * sines[1]
    cosine = cosines[0] * cosines[1] - sines[0] * sines[1]
    sine, cosine = (one.reshape(-1, len(loss))[: len(frequency)] for one in (sine, cosine))
    return sine, cosine


def _rising(mass: Floats) -> Floats:
    """Masses of blocks whose running sums from the top never fall: no further off, for the true ones do not."""
    return np.diff(np.maximum.accumulate(np.maximum(np.cumsum(mass[::-1]), 0.0)), prepend=0.0)[::-1]
