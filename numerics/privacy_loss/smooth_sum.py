"""The law of the summed loss itself, without a lattice: from its characteristic function, where that dies out.

Where one step's loss has an analytic density, its characteristic function is known to rounding by
quadrature, at the few frequencies at which its power for all steps is not negligible: a bound says so of all others.
The masses of blocks of losses follow by one short inverse transform. Nothing is discretised, so both sides of a bracket
are read from the same masses: points that the attack reaches, and lines that support the curve there.

Such a loss is that of normal noise with Poisson sampling, under add/remove adjacency. With x the released value, s the
noise's scale, u = e^{(x - 1/2)/s^2} and r = p u/(1-p + p u), it is l = log(1-p + p u), the absent record's density q
that of N(0, s^2), and the present one's p = q e^l. For complex z = x + iy with |y| < pi s^2, the number 1-p + p u(z) is
not 0: its angle lies between 0 and y/s^2, and its modulus between e^{l(x)} cos(y/2s^2) and e^{l(x)}.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import scipy.fft
from numpy.typing import NDArray
from scipy.special import expit, log_ndtr, ndtr

from numerics.privacy_loss.composition import WINDOW_TAIL, Blocks, Spectrum, UpperTail
from numerics.privacy_loss.pairs import UNIT_ROUNDOFF, sampled_loss
from numerics.trade_off import Floats

_EXTENT = 9.6  # scales beyond which less than 1e-21 of the normal law lies
_LOG_ERROR = 46.0  # minus the log of the quadrature's error
_CUT_OFF = 1e-20
_LARGE = 700.0  # whose exponential is still a number
_PAIRWISE = 44.0  # roundings of a pairwise sum, sines, cosines and products
_CELLS = 120
_EXPONENTS = np.geomspace(0.05, 40.0, 28)  # Chernoff's
# Per period, at which bounds are looked at.
_FREQUENCIES = np.concatenate((np.geomspace(18.0, 700.0, 72), np.geomspace(800.0, 2e5, 12)))
_NEGLIGIBLE = 1e-13  # of all frequencies that are left out
_ROOM = 1.06  # of a window: no block that holds a part of one repeats another
FEWEST_BLOCKS = 64
_ROW = 12  # of the frequencies
_MOST_VALUES = 500_000  # of a transform's table


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


@dataclass(frozen=True)
class NormalLoss:
    """Loss of one Poisson-sampled step with normal noise, under add/remove adjacency; ``rate`` below 1."""

    scale: float
    rate: float

    def _ratio(self, x: Floats) -> Floats:
        return (x - 0.5) / self.scale**2

    def _loss(self, x: Floats) -> Floats:
        return sampled_loss(self._ratio(x), self.rate)

    def _share(self, x: Floats) -> Floats:
        """r: s^2 times the slope of the loss."""
        return expit(self._ratio(x) + np.log(self.rate) - np.log1p(-self.rate))

    @property
    def _strip(self) -> float:
        """Half width of the strip in which integrands are looked at."""
        return min(2.0 * self.scale**2, self.scale * float(np.sqrt(2.0 * _LOG_ERROR)))

    def _width(self, highest: float) -> float:
        a = self._strip
        return float(2.0 * np.pi * a / (0.5 * (a / self.scale) ** 2 + highest * a / self.scale**2 + _LOG_ERROR))

    def nodes(self, highest: float) -> Nodes:
        """A quadrature for all frequencies up to ``highest``: the trapezoidal rule in x.

        Its error falls exponentially for analytic integrands: it is at most 2 C/(e^{2 pi a/h} - 1), where C bounds the
        integral of the integrand's modulus on every line |y| < a. Here that is e^{a^2/2s^2 + t a/s^2}: the normal
        density grows by the first factor, |e^{l}| does not, and |e^{itl}| grows by the second.
        """
        width = self._width(highest)
        reach = _EXTENT * self.scale + width
        x = np.arange(-reach, 1.0 + reach + width, width)
        absent, present = (np.exp(-0.5 * ((x - centre) / self.scale) ** 2) for centre in (0.0, 1.0))
        q = absent / np.sum(absent)
        p = (1.0 - self.rate) * q + self.rate * (present / np.sum(present))
        loss, far = self._loss(x), np.maximum(x**2, (x - 1.0) ** 2) / self.scale**2
        size = np.abs(loss)
        off = size * (_PAIRWISE + far) + 4.0 * (size + self._share(x) * (1.0 + np.abs(self._ratio(x))))
        error = 4.0 * float(np.exp(-_LOG_ERROR)) + 4.0 * _CUT_OFF
        return Nodes(loss, p, q, error, *(UNIT_ROUNDOFF * float(mass @ off) for mass in (p, q)))

    def log_moments(self, exponents: Floats) -> Floats:
        """Upper bounds of log E_Q[e^{t loss}] at all ``exponents`` t (m,); infinite where none is known.

        By quadrature without oscillation, with what its strip and its ends leave out.
        On the line y, |e^{tl}| is at most e^{t l(x)} for t >= 0, and cos(y/2s^2)^t times that for t < 0.
        """
        width, nodes = self._width(0.0), self.nodes(0.0)
        a, end = self._strip, 1.0 + _EXTENT * self.scale
        up, down = np.maximum(exponents, 0.0), np.maximum(-exponents, 0.0)
        log_error = 0.5 * (a / self.scale) ** 2 - down * np.log(np.cos(0.5 * a / self.scale**2))
        error = 2.0 * np.exp(np.minimum(log_error, _LARGE)) / np.expm1(2.0 * np.pi * a / width)
        # Beyond the nodes e^{tl} is at most (p u)^t (1 + (1-p)/(p u))^t above, and 1 or (1-p)^t below.
        excess = np.log1p((1.0 - self.rate) / self.rate * np.exp(-min(float(self._ratio(np.array(end))), _LARGE)))
        above = up * (np.log(self.rate) + excess) + 0.5 * up * (up - 1.0) / self.scale**2
        above, below = above + log_ndtr((up - end) / self.scale), -down * np.log1p(-self.rate)
        logs = np.multiply.outer(exponents, nodes.loss)
        known = (up < end - 2.0 * self.scale) & (error < 0.5)
        known &= np.maximum(np.maximum(above, below), np.max(logs, axis=1)) < _LARGE
        logs, above, below = (np.exp(np.minimum(one, _LARGE)) for one in (logs, above, below))
        total = logs @ nodes.q + above + _CUT_OFF * below
        return np.where(known, np.log(total / (1.0 - np.minimum(error, 0.5))) + 1e-14, np.inf)

    def bounds(self, frequency: Floats) -> CharacteristicFunctionBound:
        """Bounds between ascending positive ``frequency`` (n,) and beyond, for the best of many points c at each.

        Below c by ``_share_lost``. Above, where the density k of the loss falls, integration by parts gives 2 k(c)/t;
        elsewhere all mass counts in full.
        """
        x = np.linspace(-4.0 * self.scale, 1.0 + 4.0 * self.scale, _CELLS)
        loss = self._loss(x)
        ends = np.concatenate(([np.log1p(-self.rate)], loss))
        absent, present = (ndtr((x - centre) / self.scale) for centre in (0.0, 1.0))
        normal = np.exp(-0.5 * (x / self.scale) ** 2) / (self.scale * np.sqrt(2.0 * np.pi))
        slope = np.maximum(self._share(x), 1e-300) / self.scale**2
        near = _share_lost(frequency, ends)
        bounds = []
        for order, below in enumerate((absent, (1.0 - self.rate) * absent + self.rate * present)):
            density = np.where(self._falls(x, order), normal * np.exp(order * loss) / slope, np.inf)
            above = np.minimum(np.multiply.outer(2.0 / frequency, density), 1.0 - below)
            lost = near * _deviation(ends, np.diff(below, prepend=0.0)) ** 2
            bounds.append(np.min(below * np.sqrt(np.maximum(1.0 - lost, 0.0)) + above, axis=1))
        return CharacteristicFunctionBound(bounds[1], bounds[0], self._log_variation)

    def _falls(self, x: Floats, order: int) -> NDArray[np.bool_]:
        """Where the density q e^{order l}/l' of the loss falls from x on.

        The slope of its log is ((order + 1) r - 1 - x)/s^2, and r rises to 1: below 0 from x = order on.
        """
        next_share = np.append(self._share(x[1:]), 1.0)
        fine = (order + 1.0) * next_share - 1.0 < x
        return (x >= order) | np.logical_and.accumulate((fine | (x >= order))[::-1])[::-1]

    @property
    def _log_variation(self) -> float:
        """Log of a bound on the total variation of the density of the loss, under P and under Q.

        It turns only between -1 and 1 (see ``_falls``), with two maxima at most, where r = p u/e^l rises; there it is
        at most e^{2 l(1)} s/(sqrt(2 pi) p u(-1)).
        """
        top = 2.5 / self.scale**2
        return float(np.log(4.0 * self.scale) - np.log(self.rate) + top)


def _share_lost(frequency: Floats, ends: Floats) -> Floats:
    """Lower bounds (m, n) of what a variance of 1 takes from |E[e^{itl}]|^2 below each of ``ends`` but the first.

    Between each of the ``frequency`` t (m,) and the next. Losses differ by y/t at most there. With l' an independent
    copy, |E[e^{itl}]|^2 = E[cos t(l - l')] <= 1 - 2 V t^2 (1 - cos y)/y^2, V being the variance: a series in y^2.
    """
    y = np.minimum(np.multiply.outer(np.append(frequency[1:], np.inf), ends[1:] - ends[0]) ** 2, 30.0)
    share = np.maximum(1.0 - y / 12.0 * (1.0 - y / 30.0 * (1.0 - y / 56.0)), 0.0)
    return share * frequency[:, np.newaxis] ** 2


def _deviation(ends: Floats, mass: Floats) -> Floats:
    """Lower bounds (n,) of the standard deviation up to each of ``ends`` (n+1,) but the first, from cells' masses.

    At least that of the cells' middles, less what middles are off by.
    """
    middle, half, total = 0.5 * (ends[1:] + ends[:-1]), 0.5 * np.diff(ends), np.maximum(np.cumsum(mass), 1e-300)
    middle = middle - middle[len(middle) // 2]
    mean, square, off = (np.cumsum(mass * moment) / total for moment in (middle, middle**2, half**2))
    spread = np.sqrt(np.maximum(square * (1.0 - 1e-12) - mean**2, 0.0))
    return np.maximum(spread - np.sqrt(off), 0.0)


# The sum of many.


@dataclass(frozen=True, eq=False)
class SmoothSum:
    """The sum under one hypothesis, whose false positive rate is small where the sum is large.

    Attributes:
        window: ends of the sum, beyond which either side has a mass below WINDOW_TAIL.
        period: length after which masses repeat.
        spectrum: E[e^{-i k w S}] for k = 0, 1, ... with w = 2 pi/period, as far as it matters.
        error: bound (k,) on what it is off by, for each k.
        left_out: bound on what the frequencies that are left out contribute to the mass of any stretch of losses.
    """

    window: tuple[float, float]
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


def smooth_sums(losses: Sequence[tuple[NormalLoss, int]]) -> tuple[SmoothSum, SmoothSum] | None:
    """The sum under P, and the mirrored sum under Q, of so many steps a loss; None where lattices do better."""
    # Windows by Chernoff's bounds, each with its best exponent, all from moments of the loss under Q: those under P are
    # the moments of exponents larger by 1.
    t = _EXPONENTS
    exponents = np.concatenate((1.0 - t, 1.0 + t, t, -t))
    moments = np.sum([steps * loss.log_moments(exponents) for loss, steps in losses], axis=0)
    ends = [float(np.min((log - np.log(WINDOW_TAIL)) / t)) for log in np.split(moments, 4)]
    windows = (-ends[0], ends[1]), (-ends[2], ends[3])
    period = _ROOM * max(high - low for low, high in windows)
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


def _highest(losses: Sequence[tuple[NormalLoss, int]], period: float) -> tuple[float, tuple[float, float]] | None:
    """A frequency beyond which the spectrum is negligible under P and under Q, and bounds on what is left out.

    A spectrum z_k contributes no more than the sum of 2 |z_k|/(pi k) to the mass of any stretch of losses.
    """
    frequency = _FREQUENCIES * 2.0 * np.pi / period
    steps = np.array([count for _, count in losses], dtype=np.float64)
    bounds = [loss.bounds(frequency) for loss, _ in losses]
    most = int(np.argmax(steps))
    logs = [
        np.sum([n * np.log(np.clip(row, 1e-300, 1.0)) for n, row in zip(steps, rows, strict=True)], axis=0)
        for rows in zip(*((one.p, one.q) for one in bounds), strict=True)
    ]
    every = 2.0 * np.pi / period
    spread = np.log(np.append(frequency[1:], np.inf) / frequency) + every / frequency
    tails = []
    for log, last in zip(logs, (max(bounds[most].p[-1], 1e-300), max(bounds[most].q[-1], 1e-300)), strict=True):
        # From the last frequency on for ever, the bound is (C/t)^N where that is smaller.
        for_ever = bounds[most].log_variation - np.log(last) - np.log(frequency[-1])
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
    half = 0.5 * frequency
    near, far = np.multiply.outer(half[:_ROW], loss), np.multiply.outer(half[::_ROW], loss)[:, np.newaxis]
    sines, cosines = (np.sin(near), np.sin(far)), (np.cos(near), np.cos(far))
    sine = sines[0] * cosines[1] + cosines[0] * sines[1]
    cosine = cosines[0] * cosines[1] - sines[0] * sines[1]
    sine, cosine = (one.reshape(-1, len(loss))[: len(frequency)] for one in (sine, cosine))
    return sine, cosine


def _rising(mass: Floats) -> Floats:
    """Masses of blocks whose running sums from the top never fall: no further off, for the true ones do not."""
    return np.diff(np.maximum.accumulate(np.maximum(np.cumsum(mass[::-1]), 0.0)), prepend=0.0)[::-1]
