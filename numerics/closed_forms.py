"""Trade-off functions that have a closed form: one release of Gaussian or Laplace noise, sampled or not.

``Shift`` is the test of noise centred at 0 against noise centred at mu standard units; its trade-off function is its
own inverse. ``SampledOnce`` is one Poisson-sampled release of it (paper 000 Lemma 9, paper 003 Cor. 3).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import scipy
from scipy.special import log_ndtr, ndtr, ndtri

from numerics import elementwise
from numerics.privacy_loss.vertices import Corners
from numerics.trade_off import Floats, Order
from numerics.validation import NonNegative, PositiveProbability, checked

_SMALLEST_LOG = -745.0  # of the smallest positive number in double precision
_SMALLEST_NORMAL = float(np.finfo(np.float64).tiny)


class Shift(Protocol):
    """Test of a location shift by ``mu`` units of the noise's scale."""

    @property
    def mu(self) -> float:
        """Effect size: sensitivity over noise scale."""
        ...

    def power(self, alpha: Floats) -> Floats:
        """True positive rate of the best test at false positive rate ``alpha``."""
        ...

    def beta(self, alpha: Floats) -> Floats:
        """False negative rate of the best test: 1 - power, with its digits where it is small."""
        ...

    def alpha_for(self, power: Floats) -> Floats:
        """False positive rate at which the best test reaches ``power``; the inverse of ``power``."""
        ...

    @property
    def balanced(self) -> float:
        """The error rate at which alpha = beta; the slope is -1 there, for the curve is its own mirror image."""
        ...

    def delta(self, epsilon: float) -> float:
        """Hockey-stick divergence: smallest delta with (epsilon, delta)-DP."""
        ...

    def area(self) -> float:
        """Area under power against alpha."""
        ...


@dataclass(frozen=True)
@checked
class GaussianShift:
    """G_mu (Dong, Roth and Su 2022, eq. 6; paper 000 Eq. 20)."""

    mu: NonNegative

    def power(self, alpha: Floats) -> Floats:
        """Phi(mu - z_alpha)."""
        return np.asarray(ndtr(self.mu + ndtri(alpha)))

    def beta(self, alpha: Floats) -> Floats:
        """Phi(z_alpha - mu)."""
        return np.asarray(ndtr(-self.mu - ndtri(alpha)))

    def alpha_for(self, power: Floats) -> Floats:
        """Phi(Phi^-1(power) - mu)."""
        return np.asarray(ndtr(ndtri(power) - self.mu))

    @property
    def balanced(self) -> float:
        """Phi(-mu/2)."""
        return float(ndtr(-0.5 * self.mu))

    def delta(self, epsilon: float) -> float:
        """Phi(-eps/mu + mu/2) - e^eps Phi(-eps/mu - mu/2), in logs (paper 003 Sec. 4.3, sign per correction 41)."""
        gain = log_ndtr(-epsilon / self.mu + 0.5 * self.mu)
        loss = epsilon + log_ndtr(-epsilon / self.mu - 0.5 * self.mu)
        return float(np.exp(gain) * -np.expm1(min(loss - gain, 0.0)))

    def area(self) -> float:
        """Phi(mu / sqrt 2)."""
        return float(ndtr(self.mu / np.sqrt(2.0)))


@dataclass(frozen=True)
@checked
class LaplaceShift:
    """Trade-off function of Laplace noise (paper 000 Eq. 19, paper 003 Eq. 1)."""

    mu: NonNegative

    def power(self, alpha: Floats) -> Floats:
        """Alpha e^mu below e^-mu/2, then 1 - e^-mu/(4 alpha) up to 1/2, then 1 - (1 - alpha) e^-mu."""
        steep, middle = self._pieces(alpha)
        flat = 1.0 - (1.0 - alpha) * np.exp(-self.mu)
        return np.where(steep < 0.5, steep, np.where(alpha <= 0.5, 1.0 - middle, flat))

    def beta(self, alpha: Floats) -> Floats:
        """1 - alpha e^mu, e^-mu/(4 alpha), (1 - alpha) e^-mu."""
        steep, middle = self._pieces(alpha)
        flat = (1.0 - alpha) * np.exp(-self.mu)
        return np.where(steep < 0.5, 1.0 - steep, np.where(alpha <= 0.5, middle, flat))

    def _pieces(self, alpha: Floats) -> tuple[Floats, Floats]:
        """Alpha e^mu (at most 1) and e^-mu/(4 alpha), by logs: e^-mu may underflow where the pieces do not."""
        with np.errstate(divide="ignore", over="ignore"):
            log_steep = np.log(alpha) + self.mu
            return np.exp(np.minimum(log_steep, 0.0)), 0.25 * np.exp(-log_steep)

    def alpha_for(self, power: Floats) -> Floats:
        """Power e^-mu below 1/2, then e^-mu/(4 (1 - power)) up to 1 - e^-mu/2, then 1 - (1 - power) e^mu.

        The curve is its own mirror image: the false positive rate at beta = 1 - power is beta at that rate.
        """
        with np.errstate(divide="ignore", over="ignore"):
            log_flat = np.log1p(-power) + self.mu
            middle, flat = 0.25 * np.exp(-log_flat), 1.0 - np.exp(np.minimum(log_flat, 0.0))
        return np.where(power < 0.5, power * np.exp(-self.mu), np.where(middle <= 0.5, middle, flat))

    @property
    def balanced(self) -> float:
        """e^{-mu/2}/2."""
        return float(0.5 * np.exp(-0.5 * self.mu))

    def delta(self, epsilon: float) -> float:
        """1 - e^{(eps - mu)/2} for eps below mu, else 0."""
        return float(-np.expm1(min(0.5 * (epsilon - self.mu), 0.0)))

    def area(self) -> float:
        """P(L_1 + mu > L_0) for independent standard Laplace variables: 1 - e^-mu (2 + mu)/4."""
        return float(1.0 - 0.25 * np.exp(-self.mu) * (2.0 + self.mu))


@dataclass(frozen=True)
@checked
class SampledOnce:
    """One release in which the record takes part with probability ``rate``, under add/remove adjacency."""

    shift: Shift
    rate: PositiveProbability = 1.0

    def trade_off(self, alpha: Floats, order: Order) -> Corners:
        """Exact trade-off function at ``alpha`` (n,)."""
        if self.rate == 1.0 or order is Order.ADD:
            return self._add_one(alpha)
        if order is Order.REMOVE:
            return self._remove_one(alpha)
        return self._symmetric(alpha)

    def _power(self, alpha: Floats) -> Floats:
        return self.rate * self.shift.power(alpha) + (1.0 - self.rate) * alpha

    def _beta(self, alpha: Floats) -> Floats:
        return self.rate * self.shift.beta(alpha) + (1.0 - self.rate) * (1.0 - alpha)

    def _alpha_for(self, power: Floats) -> Floats:
        return self.rate * self.shift.alpha_for(power) + (1.0 - self.rate) * power

    def _add_one(self, alpha: Floats) -> Corners:
        """Power p power_0 + (1-p) alpha; beta is mixed likewise."""
        return Corners(alpha, self._beta(alpha), self._power(alpha))

    def _remove_one(self, alpha: Floats) -> Corners:
        """Functional inverse: solved for the power where that is small, for beta where beta is."""

        def too_powerful(power: Floats, goal: Floats) -> Floats:
            return self._alpha_for(power) - goal

        def missing_too_much(beta: Floats, goal: Floats) -> Floats:
            return np.where(goal < 0.5, goal - self._beta(beta), self._power(beta) - (1.0 - goal))

        power = root(too_powerful, alpha, ends=alpha)
        beta = root(missing_too_much, alpha, ends=1.0 - alpha)
        return Corners(alpha, np.where(power < 0.5, 1.0 - power, beta), np.where(power < 0.5, power, 1.0 - beta))

    def _symmetric(self, alpha: Floats) -> Corners:
        """Add-one up to its slope -1 point, remove-one from the mirrored point, the chord of slope -1 between."""
        touch = self.shift.balanced
        beta = self.rate * touch + (1.0 - self.rate) * (1.0 - touch)
        power = self.rate * (1.0 - touch) + (1.0 - self.rate) * touch
        steep, flat = self._add_one(alpha), self._remove_one(alpha)
        cases = [alpha <= touch, alpha < beta]
        return Corners(
            alpha,
            np.select(cases, [steep.beta, beta - (alpha - touch)], flat.beta),
            np.select(cases, [steep.power, power + (alpha - touch)], flat.power),
        )

    def delta(self, epsilon: float) -> float:
        """Worst of both orders: p delta_0(log(1 + (e^eps - 1)/p)) and q delta_0(eps + log(p/q)), q = 1 - e^eps (1-p).

        A change of variables in each hockey-stick integral. Beyond 600, e^eps - 1 is e^eps to rounding.
        """
        inner = np.log1p(np.expm1(epsilon) / self.rate) if epsilon < 600.0 else epsilon - np.log(self.rate)
        add = self.rate * self.shift.delta(float(inner))
        rest = 1.0 - np.exp(min(epsilon, 700.0)) * (1.0 - self.rate)
        if rest <= 0.0:
            return add
        return max(add, float(rest) * self.shift.delta(float(epsilon + np.log(self.rate / rest))))

    def epsilon(self, delta: float) -> float:
        """Smallest epsilon at ``delta``: the root of the decreasing ``self.delta``."""
        if self.delta(0.0) <= delta:
            return 0.0
        high = 1.0
        while self.delta(high) > delta:
            high *= 2.0
        return float(
            scipy.optimize.brentq(lambda epsilon: self.delta(epsilon) - delta, 0.0, high, xtol=1e-14, rtol=1e-14)
        )

    @property
    def gaussian_mu(self) -> float | None:
        """The mu of a curve that is G_mu itself, else None."""
        return self.shift.mu if self.rate == 1.0 and isinstance(self.shift, GaussianShift) else None

    def area(self) -> float:
        """Area under power against alpha, in either order."""
        return self.rate * self.shift.area() + 0.5 * (1.0 - self.rate)


def root(difference: Callable[[Floats, Floats], Floats], goal: Floats, ends: Floats) -> Floats:
    """Root x in (0, 1) of ``difference``, which grows with x, at each ``goal`` inside (0, 1); ``ends`` elsewhere.

    Searched in log x, so that a small root keeps its digits; 0 where the root is too small for double precision.
    """
    inside = (goal > 0.0) & (goal < 1.0)
    goal = np.where(inside, goal, 0.5)

    def of_log(log_x: Floats, target: Floats) -> Floats:
        # Scaled, for the search takes differences below 2e-308 for zero, and a goal may be as small as that.
        return difference(np.exp(log_x), target) / np.maximum(np.minimum(target, 1.0 - target), _SMALLEST_NORMAL)

    bounds = (np.full(goal.shape, _SMALLEST_LOG), np.zeros(goal.shape))
    root = elementwise.find_root(of_log, bounds, args=(goal,))
    underflow = difference(np.full(goal.shape, np.exp(_SMALLEST_LOG)), goal) >= 0.0
    return np.where(inside, np.where(underflow, 0.0, np.exp(root.x)), ends)
