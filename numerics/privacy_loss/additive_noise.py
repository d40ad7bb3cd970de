"""Additive noise as the certified engine needs it: cell masses, reach, and where a loss is taken.

Positions x and shifts are in units of the sensitivity; K_m is the noise centred at m.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.special import ndtr, ndtri

from numerics.trade_off import Floats

# Beyond this exponent sinh and exp are replaced by their leading term; the relative error is below 1e-17.
_LARGE_EXPONENT = 20.0


class Noise(Protocol):
    """Additive noise with unit sensitivity."""

    @property
    def scale(self) -> float:
        """Standard deviation or scale parameter, in units of the sensitivity."""
        ...

    @property
    def flat_beyond(self) -> float:
        """Distance from every centre beyond which the loss no longer changes; infinite if it always does."""
        ...

    def cells(self, edges: Floats, centre: float) -> Floats:
        """Mass (n+1,) of the n+1 cells that the ascending ``edges`` (n,) cut, for noise centred at ``centre``."""
        ...

    def reach(self, tail: float) -> float:
        """Distance from the centre beyond which less than ``tail`` of the mass lies on either side."""
        ...

    def shift_loss(self, x: Floats) -> Floats:
        """Log-likelihood ratio log dK_1/dK_0 at ``x``."""
        ...

    def shift_position(self, loss: Floats) -> Floats:
        """The largest x with ``shift_loss(x) <= loss`` (-inf or inf outside the range)."""
        ...

    def opposed_position(self, loss: Floats, rate: float) -> Floats:
        """The largest x whose replace-one loss is at most ``loss``."""
        ...


def _cells(lower_tail: Callable[[Floats], Floats], upper_tail: Callable[[Floats], Floats], u: Floats) -> Floats:
    """Cell masses from whichever tail is smaller, so that no cell loses digits to 1 - x."""
    middle = int(np.searchsorted(u, 0.0))
    below, above = lower_tail(u[:middle]), upper_tail(u[middle:])
    masses = np.empty(len(u) + 1)
    masses[1:middle] = np.diff(below)
    masses[middle + 1 : -1] = -np.diff(above)
    masses[0] = below[0] if middle > 0 else 1.0 - above[0]
    masses[-1] = above[-1] if middle < len(u) else 1.0 - below[-1]
    if 0 < middle < len(u):
        masses[middle] = 1.0 - below[-1] - above[0]
    return masses


def sampled_loss(ratio: Floats, rate: float) -> Floats:
    """Log of 1 - p + p e^ratio; near its floor log(1-p) a sum of logs keeps the digits that 1 - p would lose."""
    if rate == 1.0:
        return ratio
    far = np.logaddexp(np.log1p(-rate), np.log(rate) + ratio)
    near = np.log1p(rate * np.expm1(np.clip(ratio, -1.0, _LARGE_EXPONENT)))
    return np.where((ratio < -1.0) | (ratio > _LARGE_EXPONENT), far, near)


def unsampled_loss(loss: Floats, rate: float) -> Floats:
    """The log dK_1/dK_0 at which the sampled loss equals ``loss``; -inf below its floor log(1-p)."""
    if rate == 1.0:
        return loss
    with np.errstate(divide="ignore"):
        near = np.log1p(np.maximum(np.expm1(np.minimum(loss, _LARGE_EXPONENT)) / rate, -1.0))
        if not np.any(loss > _LARGE_EXPONENT):
            return near
        far = loss - np.log(rate) + np.log1p(-(1.0 - rate) * np.exp(-np.maximum(loss, 1.0)))
    return np.where(loss > _LARGE_EXPONENT, far, near)


@dataclass(frozen=True)
class GaussianNoise:
    """Normal noise of standard deviation ``scale``, in units of the L2 sensitivity."""

    scale: float
    flat_beyond: float = np.inf

    def cells(self, edges: Floats, centre: float) -> Floats:
        """See Noise."""
        return _cells(ndtr, lambda u: np.asarray(ndtr(-u)), (edges - centre) / self.scale)

    def reach(self, tail: float) -> float:
        """See Noise."""
        return float(-ndtri(tail) * self.scale)

    def shift_loss(self, x: Floats) -> Floats:
        """See Noise: (2x - 1) / (2 s^2)."""
        return (x - 0.5) / self.scale**2

    def shift_position(self, loss: Floats) -> Floats:
        """See Noise."""
        return loss * self.scale**2 + 0.5

    def opposed_position(self, loss: Floats, rate: float) -> Floats:
        """Solve (1-p + p e^-c y) = e^loss (1-p + p e^-c / y) for y = e^{x/s^2}, with c = 1/(2 s^2).

        y = e^{loss/2} v with v - 1/v = 2w and w = (1-p)/p sinh(loss/2) e^c, hence x = s^2 (loss/2 + asinh w).
        """
        if rate == 1.0:
            return 0.5 * self.scale**2 * loss
        log_w = np.log1p(-rate) - np.log(rate) + 0.5 / self.scale**2 + _log_sinh(0.5 * np.abs(loss))
        small = np.arcsinh(np.exp(np.minimum(log_w, _LARGE_EXPONENT)))
        asinh_w = np.where(log_w > _LARGE_EXPONENT, log_w + np.log(2.0), small)
        return np.asarray(self.scale**2 * (0.5 * loss + np.sign(loss) * asinh_w))


def _log_sinh(x: Floats) -> Floats:
    """Log sinh of non-negative ``x`` without overflow; -inf at 0."""
    with np.errstate(divide="ignore"):
        return np.asarray(x + np.log(-np.expm1(-2.0 * x)) - np.log(2.0))


@dataclass(frozen=True)
class LaplaceNoise:
    """Laplace noise of scale b = ``scale``, in units of the L1 sensitivity. The loss has an atom at either end."""

    scale: float
    flat_beyond: float = 0.0

    def cells(self, edges: Floats, centre: float) -> Floats:
        """See Noise."""
        return _cells(lambda u: 0.5 * np.exp(u), lambda u: 0.5 * np.exp(-u), (edges - centre) / self.scale)

    def reach(self, tail: float) -> float:
        """The loss is constant beyond the two centres, so nothing further out is ever needed."""
        return 1.0

    def shift_loss(self, x: Floats) -> Floats:
        """See Noise: (|x| - |x - 1|) / b."""
        return np.clip(2.0 * x - 1.0, -1.0, 1.0) / self.scale

    def shift_position(self, loss: Floats) -> Floats:
        """See Noise. A loss at or above 1/b holds the whole upper atom, one below -1/b nothing."""
        inside = 0.5 * (self.scale * np.clip(loss, -1.0 / self.scale, 1.0 / self.scale) + 1.0)
        # The atoms sit at the ends; the slack keeps an edge that equals an end from losing its atom to rounding.
        slack = 1e-12 / self.scale
        above = np.where(loss >= 1.0 / self.scale - slack, np.inf, inside)
        return np.where(loss < -1.0 / self.scale - slack, -np.inf, above)

    def opposed_position(self, loss: Floats, rate: float) -> Floats:
        """For x in [0, 1] the replaced record is already at its end, so the loss is the add/remove one, shifted.

        loss = log(1-p + p e^{(2x-1)/b}) - log(1-p + p e^{-1/b}); odd in x.
        """
        floor, ceiling = sampled_loss(np.array([-1.0, 1.0]) / self.scale, rate)
        position = np.clip(0.5 * (self.scale * unsampled_loss(np.abs(loss) + floor, rate) + 1.0), 0.0, 1.0)
        top = ceiling - floor
        slack = 1e-12 * top
        above = np.where(loss >= top - slack, np.inf, np.sign(loss) * position)
        return np.where(loss < -top - slack, -np.inf, above)
