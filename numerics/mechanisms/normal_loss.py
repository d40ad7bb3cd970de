"""The privacy loss of normal noise with Poisson sampling, whose density is analytic, as transforms need it.

With x the released value, s the noise's scale, u = e^{(x - 1/2)/s^2} and r = p u/(1-p + p u), the loss is
l = log(1-p + p u), the absent record's density q that of N(0, s^2), and the present one's p = q e^l. For complex
z = x + iy with |y| < pi s^2, the number 1-p + p u(z) is not 0: its angle lies between 0 and y/s^2, and its modulus
between e^{l(x)} cos(y/2s^2) and e^{l(x)}.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, log_ndtr, ndtr

from numerics.lazy_property import lazy_property
from numerics.mechanisms.noise import sampled_loss
from numerics.privacy_loss.smooth_sum import CharacteristicFunctionBound, Nodes
from numerics.privacy_loss.transform import UNIT_ROUNDOFF
from numerics.trade_off import Floats

_EXTENT = 9.6  # scales beyond which less than 1e-21 of the normal law lies
_LOG_ERROR = 46.0  # minus the log of the quadrature's error
_CUT_OFF = 1e-20
_LARGE = 700.0  # whose exponential is still a number
_PAIRWISE = 44.0  # roundings of a pairwise sum, sines, cosines and products
_CELLS = 120


@dataclass(frozen=True)
class NormalLoss:
    """Loss of one Poisson-sampled step with normal noise, under add/remove adjacency; ``rate`` below 1."""

    scale: float
    rate: float

    def _loss(self, x: Floats) -> Floats:
        return sampled_loss(self._ratio(x), self.rate)

    def _ratio(self, x: Floats) -> Floats:
        return (x - 0.5) / self.scale**2

    def _share(self, x: Floats) -> Floats:
        """r: s^2 times the slope of the loss."""
        return expit(self._ratio(x) + np.log(self.rate) - np.log1p(-self.rate))

    @property
    def _strip(self) -> float:
        """Half width of the strip in which integrands are looked at."""
        return min(2.0 * self.scale**2, self.scale * float(np.sqrt(2.0 * _LOG_ERROR)))

    def nodes(self, highest: float) -> Nodes:
        """The trapezoidal rule in x, whose error falls exponentially for analytic integrands.

        Trefethen and Weideman 2014, theorem 5.1: the error is at most 2 C/(e^{2 pi a/h} - 1), where C bounds the
        integral of the integrand's modulus on every line |y| < a. Here that is e^{a^2/2s^2 + t a/s^2}: the normal
        density grows by the first factor, |e^{l}| does not, and |e^{itl}| grows by the second.
        """
        return self._nodes(self._width(highest))

    def _width(self, highest: float) -> float:
        a = self._strip
        return float(2.0 * np.pi * a / (0.5 * (a / self.scale) ** 2 + highest * a / self.scale**2 + _LOG_ERROR))

    def _nodes(self, width: float) -> Nodes:
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

    @lazy_property
    def _still(self) -> tuple[float, Nodes]:
        """Width and nodes of a quadrature without oscillation."""
        width = self._width(0.0)
        return width, self._nodes(width)

    def log_moments(self, exponents: Floats) -> Floats:
        """By quadrature, with what its strip and its ends leave out.

        On the line y, |e^{tl}| is at most e^{t l(x)} for t >= 0, and cos(y/2s^2)^t times that for t < 0.
        """
        width, nodes = self._still
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

    def fading(self, frequency: Floats) -> CharacteristicFunctionBound:
        """A bound for the best of many points c at every frequency: ``_share_lost`` below c, and the following above.

        Where the density k of the loss falls, integration by parts gives 2 k(c)/t; elsewhere all mass counts in full.
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
