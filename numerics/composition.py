"""Composition of lattice losses: the law of the sum over all steps, by Fourier transform.

Only one tail of each hypothesis is ever read, the one in which its false positive rate is small: losses above 0 for
the add-one test. There the transform is taken of the masses under P, and the masses under Q follow by the tilt e^-loss,
so their digits are those of the tail itself (a false positive rate read off as 1 - x would be rounding noise). The
remove-one test is the add-one test of the mirrored loss.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.fft
from numpy.typing import NDArray

from numerics.lattice import LatticeLaw
from numerics.trade_off import Floats

# Mass of the sum outside the transform's window on either side; added back on the safe side.
WINDOW_TAIL = 1e-15
# A transform of length n commits a relative root-mean-square error of at most about u log2 n, u the unit roundoff
# (Higham 2002, theorem 24.2); a power of it multiplies that. The factor covers the powers' own roundings; tests hold
# the bound against transforms of higher precision.
_ROUNDINGS = 2.0

Spectrum = NDArray[np.complexfloating[Any, Any]]
Steps = list[tuple[LatticeLaw, int]]  # laws on one lattice, each with the number of times it is composed


class LatticeTooLargeError(ValueError):
    """The sum needs more lattice points than allowed."""


@dataclass(frozen=True, eq=False)
class UpperTail:
    """Law of the summed loss under P, and its part above 0 under both hypotheses.

    Attributes:
        step: lattice step.
        first: lattice index of ``law[0]``.
        law: masses (n,) under P over the whole window.
        p: masses (m,) under P at the losses step, 2 step, ..., m step.
        q: masses (m,) under Q there.
        certain: mass under P of losses without limit (exposure for certain).
        p_noise, q_noise: bounds on the Euclidean norm of the rounding error of p and of q e^loss, so that by
            Cauchy-Schwarz sums over a set S are off by at most p_noise sqrt(|S|) and q_noise sqrt(sum_S e^-2 loss).
        tail: bound on the mass under P outside the window, part of which wraps around into it.
    """

    step: float
    first: int
    law: Floats
    p: Floats
    q: Floats
    certain: float
    p_noise: float
    q_noise: float
    tail: float


def upper_tail(steps: Steps, tilts: tuple[float, float], largest: int, extended: bool = False) -> UpperTail:
    """Law of the sum of independent losses, read above 0; differing phases multiply their transforms.

    ``tilts`` only make the window short (see ``window``). ``extended`` transforms in long double: several times
    slower, and less noisy where the platform's long double is longer than its double.

    Raises:
        LatticeTooLargeError: when the window has more than ``largest`` points.
    """
    step, certain = steps[0][0].step, _at_least_once([(law.p_infinite, count) for law, count in steps])
    raised = [law.p if law.exact_ratio else _tilted(law.q, law.loss) for law, _ in steps]
    alone = len(steps) == 1 and steps[0][1] == 1
    if alone:
        only = steps[0][0]
        bounds, masses, raised_masses, noise = (only.first, only.last), only.p, raised[0], (0.0, 0.0)
    else:
        real = np.longdouble if extended else np.float64
        bounds = window(steps, raised, tilts, largest)
        masses, p_noise = _convolve([law.p.astype(real) for law, _ in steps], steps, bounds)
        raised_masses, q_noise = masses, p_noise
        if not all(law.exact_ratio for law, _ in steps):
            raised_masses, q_noise = _convolve([mass.astype(real) for mass in raised], steps, bounds)
        noise = (p_noise, q_noise)
    above = [_from_one(mass, bounds[0]) for mass in (masses, raised_masses)]
    loss = step * np.arange(1, len(above[0]) + 1)
    tail = 0.0 if alone else 2.0 * WINDOW_TAIL
    return UpperTail(step, bounds[0], masses, above[0], above[1] * np.exp(-loss), certain, *noise, tail)


def _from_one(mass: Floats, first: int) -> Floats:
    """The part of ``mass`` at lattice indices 1, 2, ...; empty points where the window starts later."""
    return np.pad(mass, (first - 1, 0)) if first > 1 else mass[1 - first :]


def _tilted(mass: Floats, loss: Floats) -> Floats:
    """Masses times e^loss; empty points stay empty however large the exponential."""
    with np.errstate(over="ignore", invalid="ignore"):
        return np.where(mass > 0.0, mass * np.exp(loss), 0.0)


def _at_least_once(chances: list[tuple[float, int]]) -> float:
    """Probability that an event of probability x happens in any of its ``count`` independent tries, over all phases."""
    return float(-np.expm1(sum(count * np.log1p(-min(chance, 1.0 - 1e-16)) for chance, count in chances)))


def _convolve(masses: list[Any], steps: Steps, bounds: tuple[int, int]) -> tuple[Floats, float]:
    """Circular convolution powers of the masses, cut to the window, and a bound on the norm of their rounding error."""
    first, last = bounds
    length = scipy.fft.next_fast_len(max(last - first + 1, *(len(mass) for mass in masses)), real=True)
    transforms = [scipy.fft.rfft(mass, length) for mass in masses]
    counts = [count for _, count in steps]
    spread = 0.0
    product: Spectrum = np.ones(1, dtype=np.complex64)
    for i, transform in enumerate(transforms):
        but_one = _power(transform, counts[i] - 1)
        for j, other in enumerate(transforms):
            but_one = but_one * _power(other, counts[j]) if j != i else but_one
        spread += counts[i] * float(np.linalg.norm(masses[i])) * _root_mean_square(but_one)
        product = but_one * transform
    roundoff = 0.5 * float(np.finfo(masses[0].dtype).eps)
    noise = _ROUNDINGS * roundoff * np.log2(length) * (spread + _root_mean_square(product))
    start = sum(law.first * count for law, count in steps)
    inside = np.roll(scipy.fft.irfft(product, length), -((first - start) % length))[: last - first + 1]
    return np.maximum(inside, 0.0).astype(np.float64), float(noise)


def _root_mean_square(spectrum: Spectrum) -> float:
    """Root mean square modulus over the full spectrum of which ``spectrum`` is the non-negative half."""
    return float(np.linalg.norm(spectrum) / np.sqrt(len(spectrum)))


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


def window(steps: Steps, raised: list[Floats], tilts: tuple[float, float], largest: int) -> tuple[int, int]:
    """Lattice points outside which the sum has mass below WINDOW_TAIL on either side, under P and as tilted from Q.

    Chernoff: P(S > h) <= E[e^{t S}] e^{-t h} and P(S < h) <= E[e^{-t S}] e^{t h} for every t > 0. The bounds hold
    whatever the ``tilts``; good ones make the window short.
    """
    ends = []
    for sign, tilt in zip((-1.0, 1.0), tilts, strict=True):
        present = sum(count * _log_moment(law.p, law.loss, sign * tilt) for law, count in steps)
        absent = sum(
            count * _log_moment(mass, law.loss, sign * tilt) for mass, (law, count) in zip(raised, steps, strict=True)
        )
        ends.append(sign * (max(present, absent) - np.log(WINDOW_TAIL)) / tilt / steps[0][0].step)
    first = max(int(np.floor(ends[0])), sum(law.first * count for law, count in steps))
    last = max(min(int(np.ceil(ends[1])), sum(law.last * count for law, count in steps)), 1, first + 1)
    if last - first > largest:
        raise LatticeTooLargeError(f"the sum needs {last - first} lattice points, more than {largest}.")
    return first, last


def _log_moment(mass: Floats, loss: Floats, tilt: float) -> float:
    """Log of sum mass e^{tilt loss}, without overflow."""
    exponent = np.where(mass > 0.0, tilt * loss, -np.inf)
    shift = float(exponent.max())
    return float(np.log(max(np.dot(mass, np.exp(exponent - shift)), 1e-300)) + shift)
