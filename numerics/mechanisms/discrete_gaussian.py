"""The discrete Gaussian mechanism: normal weights on whole numbers, for sums of whole numbers.

Its law is that of x with mass proportional to e^(-x^2 / (2 s^2)) (Canonne, Kamath and Steinke 2020). The loss of a
shift is that of normal noise at the same place, but only whole numbers are released: it is not the Gaussian mechanism,
nor can that be made from it.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import factorial
from typing import ClassVar

import numpy as np
from scipy.special import bernoulli, log_ndtr

from numerics.mechanisms.gaussian import GaussianNoise
from numerics.mechanisms.location import TradeOffFormula
from numerics.mechanisms.whole_numbers import TIE, LatticeNoise, WholeNumberMechanism
from numerics.trade_off import Floats
from numerics.validation import value

_COUNTED = 64.0  # standard deviation up to which tails are summed term by term
_FURTHEST = 38.7  # standard deviations beyond which e^(-u^2 / 2) is 0
_TERMS = 8


@dataclass(frozen=True)
class DiscreteGaussianNoise(LatticeNoise):
    """Normal weights on the lattice; ``scale`` is the s of these weights, their standard deviation but for little s."""

    formula: ClassVar[TradeOffFormula] = TradeOffFormula(
        r"\bigl(\alpha_j, 1 - f(\alpha_j)\bigr) = \bigl(\Pr[X \ge j],\ \Pr[X \ge j - \Delta]\bigr), \quad "
        r"\Pr[X = x] \propto e^{-x^2 / 2\sigma^2}, \quad x \in \mathbb{Z}",
        "Corners of the curve of discrete Gaussian noise, joined by chords; between corners a coin decides.",
        "Canonne, Kamath and Steinke 2020; Neyman-Pearson",
    )

    def tail(self, steps: Floats) -> Floats:
        deviation = self.scale * self.points
        if deviation > _COUNTED:
            return _smooth_tail(steps / deviation, 1.0 / deviation)
        tails = _tails(deviation)
        return tails[np.minimum(steps, len(tails) - 0.5).astype(np.intp)]

    def reach(self, tail: float) -> float:
        """See Noise: mass beyond t is at most e^(-t^2 / (2 s^2)); to the next lattice point."""
        return float(np.ceil(self.scale * np.sqrt(-2.0 * np.log(tail)) * self.points) / self.points)

    def log_ratio(self, x: Floats) -> Floats:
        """See LatticeNoise: (2x - 1) / (2 s^2)."""
        return (x - 0.5) / self.scale**2

    def log_moment(self, order: float) -> float:
        """See Noise: o (o - 1) / (2 s^2) for whole orders, as o shifts of the lattice are one of it."""
        return 0.5 * order * (order - 1.0) / self.scale**2

    def zcdp(self) -> float:
        """See Noise: 1 / (2 s^2) (Canonne, Kamath and Steinke 2020)."""
        return 0.5 / self.scale**2

    def shift_position(self, loss: Floats) -> Floats:
        return self._above(np.floor((loss * self.scale**2 + 0.5) * self.points))

    def opposed_position(self, loss: Floats, rate: float) -> Floats:
        """See Noise: that of normal noise, at the lattice point before."""
        return self._above(np.floor(GaussianNoise(self.scale).opposed_position(loss, rate) * self.points + TIE))


@lru_cache(maxsize=256)
def _tails(deviation: float) -> Floats:
    """Masses (n,) of the whole numbers above 0, 1, 2, ..., the last of them 0."""
    last = int(np.ceil(_FURTHEST * deviation)) + 1
    weights = np.exp(-0.5 * (np.arange(1.0, last + 1.0) / deviation) ** 2)
    sums = np.append(np.cumsum(weights[::-1])[::-1], 0.0)
    tails = np.asarray(sums / (1.0 + 2.0 * sums[0]))
    tails.setflags(write=False)
    return tails


def _smooth_tail(u: Floats, step: float) -> Floats:
    """Sum of step phi(x) over the lattice above ``u``, which lies halfway, by the midpoint rule's own corrections.

    Euler and Maclaurin: the tail of the normal law and sum over k of c_k step^2k phi^(2k-1)(u), where the c_k are the
    coefficients of (z/2) / sinh(z/2) and phi^(n) is (-1)^n He_n phi. The whole lattice sums to 1 to rounding.
    """
    found = np.exp(log_ndtr(-u))
    with np.errstate(invalid="ignore", over="ignore"):
        density = np.exp(-0.5 * u**2) / np.sqrt(2.0 * np.pi)
        before, hermite = np.zeros_like(u), np.ones_like(u)
        for order in range(2 * _TERMS):
            if order % 2:
                found = found + _MIDPOINT[order // 2] * step ** (order + 1) * hermite * np.nan_to_num(density)
            before, hermite = hermite, u * hermite - order * before
    return np.where(np.abs(u) < _FURTHEST, np.maximum(np.nan_to_num(found), 0.0), 0.0)


_MIDPOINT = [(2.0 ** (1 - n) - 1.0) * bernoulli(n)[n] / factorial(n) for n in range(2, 2 * _TERMS + 1, 2)]
"""Coefficients of z^2, z^4, ... in (z/2) / sinh(z/2), by Bernoulli's numbers."""


@value
class DiscreteGaussian(WholeNumberMechanism):
    """Discrete Gaussian mechanism on one whole number; ``noise_multiplier`` is sigma over the ``sensitivity``."""

    name: ClassVar[str] = "Discrete Gaussian"
    scale_name: ClassVar[str] = "sigma of the weights"
    scale_sentence: ClassVar[str] = (
        "Each record adds one whole number of size at most the sensitivity, and the noise is a whole number. Exact for "
        "one number; of vectors no more is known here than zCDP, with rho = 1 / (2 noise^2) a release. The corners of "
        "its curve move with the noise: where that is little, more of it may find more at one false positive rate."
    )
    is_ordered_by_noise: ClassVar[bool] = False
    noise_law: ClassVar[type[LatticeNoise]] = DiscreteGaussianNoise
