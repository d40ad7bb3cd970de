"""Composition of lattice losses: the law of the sum over all steps, by Fourier transform.

The transform is taken of the half-tilted masses p e^{-l/2} and q e^{l/2}: both hypotheses stay of moderate size over
the whole window, and each is recovered by tilting back. Only the tail in which a hypothesis is small is ever read, so
its digits are those of the tail itself (a false positive rate read off as 1 - x would be rounding noise).
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.fft
from numpy.typing import NDArray

from numerics.lattice import LatticeLaw
from numerics.trade_off import Floats

# Mass outside the window on either side, under either hypothesis; added back on the safe side.
WINDOW_TAIL = 1e-15
# A transform of length n commits a relative root-mean-square error of at most about u log2 n, u the unit roundoff
# (Higham 2002, theorem 24.2); a power of it multiplies that. The factor covers the powers' own roundings; tests hold
# the bound against transforms of higher precision (the largest ratio seen is 0.5).
_ROUNDINGS = 2.0

Spectrum = NDArray[np.complexfloating[Any, Any]]
Steps = list[tuple[LatticeLaw, int]]  # laws on one lattice, each with the number of times it is composed


@dataclass(frozen=True, eq=False)
class ComposedLaw:
    """Law of the summed loss: masses ``p`` and ``q`` (n,) at ``(first + i) * step``, and what may be missing.

    ``p_infinite`` and ``q_infinite`` are as in LatticeLaw. ``p_noise`` and ``q_noise`` bound the Euclidean norm of the
    rounding error of the tilted masses, so that by Cauchy-Schwarz a sum of p over a set S is off by at most
    p_noise * sqrt(sum over S of e^loss), and one of q by q_noise * sqrt(sum over S of e^-loss). ``tail`` bounds the
    mass outside the window, including what wraps around into it.
    """

    step: float
    first: int
    p: Floats
    q: Floats
    p_infinite: float
    q_infinite: float
    p_noise: float = 0.0
    q_noise: float = 0.0
    tail: float = 0.0

    @property
    def loss(self) -> Floats:
        """Losses (n,) of the lattice points."""
        return (self.first + np.arange(len(self.p))) * self.step

    def spanning_zero(self) -> "ComposedLaw":
        """The same law with empty lattice points added until it reaches from below 0 to above 0."""
        below, above = max(self.first + 1, 0), max(2 - self.first - len(self.p), 0)
        p, q = (np.pad(mass, (below, above)) for mass in (self.p, self.q))
        return replace(self, first=self.first - below, p=p, q=q)

    def coarsened(self, factor: int, keep_ratio: bool) -> "ComposedLaw":
        """The law on a lattice ``factor`` (odd) times as coarse, moved as one step was: see ``lattice``.

        With ``keep_ratio`` each mass is split between its coarse neighbours so that P and Q masses are kept (connect
        the dots), otherwise it goes to the nearest one.
        """
        shift = 0 if keep_ratio else factor // 2
        lead = (self.first + shift) % factor
        trail = -(lead + len(self.p)) % factor
        rows = [np.pad(mass, (lead, trail)).reshape(-1, factor) for mass in (self.p, self.q)]
        first = (self.first + shift) // factor
        if not keep_ratio:
            p, q = (row.sum(axis=1) for row in rows)
            return replace(self, step=self.step * factor, first=first, p=p, q=q)
        offset = self.step * np.arange(factor)
        raised = rows[0] @ (np.expm1(-offset) / np.expm1(-self.step * factor))
        p = np.append(rows[0].sum(axis=1) - raised, 0.0) + np.insert(raised, 0, 0.0)
        raised = rows[1] @ (np.expm1(offset) / np.expm1(self.step * factor))
        q = np.append(rows[1].sum(axis=1) - raised, 0.0) + np.insert(raised, 0, 0.0)
        return replace(self, step=self.step * factor, first=first, p=p, q=q)


def compose(steps: Steps, window: tuple[int, int], extended: bool = False) -> ComposedLaw:
    """Law of the sum of independent losses, on the lattice points ``window`` = (first, last).

    Differing phases multiply their transforms; all must share one lattice step. ``extended`` transforms in long
    double: several times slower, and where the platform's long double is longer than its double less noisy.
    """
    if len(steps) == 1 and steps[0][1] == 1:
        law = steps[0][0]
        return ComposedLaw(law.step, law.first, law.p, law.q, law.p_infinite, law.q_infinite)
    first, last = window
    step = steps[0][0].step
    loss = np.arange(first, last + 1) * step
    up, down = np.exp(0.5 * loss), np.exp(-0.5 * loss)
    real = np.longdouble if extended else np.float64
    p_tilted, p_noise = _convolve([_tilt(law.p, law.loss, -0.5).astype(real) for law, _ in steps], steps, window)
    q_tilted, q_noise = p_tilted, p_noise
    if not all(law.exact_ratio for law, _ in steps):
        q_tilted, q_noise = _convolve([_tilt(law.q, law.loss, 0.5).astype(real) for law, _ in steps], steps, window)
    return ComposedLaw(
        step,
        first,
        p_tilted * up,
        q_tilted * down,
        _at_least_once([(law.p_infinite, count) for law, count in steps]),
        _at_least_once([(law.q_infinite, count) for law, count in steps]),
        p_noise,
        q_noise,
        tail=WINDOW_TAIL * (2.0 + np.exp(0.5 * abs(first + last) * step)),
    )


def _at_least_once(chances: list[tuple[float, int]]) -> float:
    """Probability that an event of probability x happens in any of its ``count`` independent tries, over all phases."""
    return float(-np.expm1(sum(count * np.log1p(-min(chance, 1.0 - 1e-16)) for chance, count in chances)))


def _tilt(mass: Floats, loss: Floats, tilt: float) -> Floats:
    """Masses times e^{tilt loss}; empty points stay empty however large the exponential."""
    with np.errstate(over="ignore", invalid="ignore"):
        return np.where(mass > 0.0, mass * np.exp(tilt * loss), 0.0)


def _convolve(tilted: list[Any], steps: Steps, window: tuple[int, int]) -> tuple[Floats, float]:
    """Circular convolution powers of the tilted masses, cut to the window, and the norm of their rounding error."""
    first, last = window
    length = scipy.fft.next_fast_len(max(last - first + 1, *(len(w) for w in tilted)), real=True)
    transforms = [scipy.fft.rfft(w, length) for w in tilted]
    product = np.ones(1)
    spread = 0.0
    for i, (transform, (_, count)) in enumerate(zip(transforms, steps, strict=True)):
        others = _product([(t, n) for j, (t, (_, n)) in enumerate(zip(transforms, steps, strict=True)) if j != i])
        but_one = others * _power(transform, count - 1)
        spread += count * float(np.linalg.norm(tilted[i])) * _root_mean_square(but_one)
        product = but_one * transform
    roundoff = 0.5 * float(np.finfo(tilted[0].dtype).eps)
    noise = _ROUNDINGS * roundoff * np.log2(length) * (spread + _root_mean_square(product))
    masses = scipy.fft.irfft(product, length)
    start = sum(law.first * count for law, count in steps)
    inside = np.roll(masses, -((first - start) % length))[: last - first + 1]
    return np.maximum(inside, 0.0).astype(np.float64), noise


def _root_mean_square(spectrum: Spectrum) -> float:
    """Root mean square modulus over the full spectrum of which ``spectrum`` is the non-negative half."""
    return float(np.linalg.norm(spectrum) / np.sqrt(len(spectrum)))


def _product(factors: list[tuple[Spectrum, int]]) -> Spectrum:
    result = np.ones(1, dtype=np.complex64)
    for transform, count in factors:
        result = result * _power(transform, count)
    return result


def _power(base: Spectrum, exponent: int) -> Spectrum:
    """``base`` to a whole power by repeated squaring (as accurate as, and much faster than, complex pow)."""
    result = np.ones(1, dtype=np.complex64)
    while exponent:
        if exponent & 1:
            result = result * base
        exponent >>= 1
        if exponent:
            base = base * base
    return result


def window(steps: Steps, tilts: tuple[float, float]) -> tuple[int, int]:
    """Lattice points outside which the summed loss has mass below WINDOW_TAIL: above under P, below under Q.

    Chernoff: P(S > h) <= E_P[e^{t S}] e^{-t h} for every t > 0, and Q(S < h) <= E_Q[e^{-t S}] e^{t h}. The bounds hold
    whatever the ``tilts``; good ones (see ``best_tilts``) make the window short.
    """
    step, budget = steps[0][0].step, np.log(1.0 / WINDOW_TAIL)
    upper_tilt, lower_tilt = tilts
    top = sum(count * _log_moment(law.p, law.loss, upper_tilt) for law, count in steps)
    bottom = sum(count * _log_moment(law.q, law.loss, -lower_tilt) for law, count in steps)
    first = max(int(np.floor(-(bottom + budget) / lower_tilt / step)), sum(law.first * n for law, n in steps))
    last = min(int(np.ceil((top + budget) / upper_tilt / step)), sum(law.last * n for law, n in steps))
    return first, max(first + 1, last)


def _log_moment(mass: Floats, loss: Floats, tilt: float) -> float:
    """log of sum mass e^{tilt loss}, without overflow."""
    exponent = tilt * loss
    shift = float(exponent.max())
    return float(np.log(np.dot(mass, np.exp(exponent - shift))) + shift)
