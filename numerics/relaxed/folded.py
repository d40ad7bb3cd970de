"""Trade-off functions of an attacker who does not know the record: one effective release (paper 000).

Without the record's direction all that is left to test is the distance of the release from what it would be without
the record: the noise laws are folded. ``errors`` of every class takes alpha and 1 - alpha side by side and returns beta
and power side by side, so that none of them loses digits where it is small.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.special import erfinv, ndtr, ndtri

from numerics.closed_forms import GaussianShift, LaplaceShift, Shift, root
from numerics.not_offered import FULL_KNOWLEDGE, law_of
from numerics.privacy_loss.vertices import Corners
from numerics.relaxed.envelope import envelope
from numerics.relaxed.squared_distance import Errors, FoldedDistance
from numerics.trade_off import Floats, Order
from numerics.validation import NonNegative, PositiveProbability, checked

_LEGENDRE = np.polynomial.legendre.leggauss(16)
_EFFECTIVELY_INFINITE = 700.0


class Folded(Protocol):
    """Test between the folded noise laws without and with the record."""

    def errors(self, alpha: Floats, rest: Floats) -> Errors:
        """Best errors at false positive rate ``alpha`` = 1 - ``rest``: j, the add-one order."""
        ...

    def inverse(self, alpha: Floats, rest: Floats) -> Errors:
        """The remove-one order, j^-1: the reverse test rejects small distances (correction 3)."""
        ...

    @property
    def balanced(self) -> float:
        """The alpha at which the slope of j is -1."""
        ...


@dataclass(frozen=True)
@checked
class FoldedLaplace:
    """One release of Laplace noise in one dimension (paper 000 Eqs. 2 and 3, threshold per correction 2)."""

    mu: NonNegative

    def errors(self, alpha: Floats, rest: Floats) -> Errors:
        """-e^-mu sinh(log alpha) from e^-mu on, else 1 - alpha cosh mu."""
        with np.errstate(divide="ignore"):
            flat = np.log(alpha) < -self.mu
            guess = np.exp(np.log(alpha) + self._log_cosh)
        seen = np.where(flat, 1.0, alpha)
        beta = 0.5 * np.exp(-self.mu) * rest * (1.0 + seen) / seen
        return Errors(np.where(flat, 1.0 - guess, beta), np.where(flat, guess, 1.0 - beta))

    def inverse(self, alpha: Floats, rest: Floats) -> Errors:
        """1/(alpha e^mu + sqrt(alpha^2 e^2mu + 1)) below (1 - e^-2mu)/2, then (1 - alpha)/cosh mu."""
        with np.errstate(divide="ignore"):
            t = np.exp(np.minimum(np.log(alpha) + self.mu, 0.5 * _EFFECTIVELY_INFINITE))
        gain = t + t**2 / (1.0 + np.hypot(t, 1.0))
        flat = rest * np.exp(-self._log_cosh)
        steep = alpha < self.inverse_threshold
        return Errors(np.where(steep, 1.0 / (1.0 + gain), flat), np.where(steep, gain / (1.0 + gain), 1.0 - flat))

    @property
    def inverse_threshold(self) -> float:
        """(1 - e^{-2 mu})/2: where j^-1 turns into a straight line."""
        return float(-0.5 * np.expm1(-2.0 * self.mu))

    @property
    def balanced(self) -> float:
        """(2 e^mu - 1)^{-1/2} (correction 6)."""
        return float(np.exp(-0.5 * (self.mu + np.log(2.0 - np.exp(-self.mu)))))

    @property
    def _log_cosh(self) -> float:
        return float(self.mu + np.log1p(np.exp(-2.0 * self.mu)) - np.log(2.0))


@dataclass(frozen=True)
@checked
class FoldedNormal:
    """Gaussian noise in one dimension (paper 000 Eq. 5)."""

    mu: NonNegative

    def errors(self, alpha: Floats, rest: Floats) -> Errors:
        """Phi(z - mu) - Psi(z + mu) with z the upper alpha/2 quantile."""
        z = np.where(alpha < 0.5, -ndtri(0.5 * alpha), np.sqrt(2.0) * erfinv(rest))
        return Errors(self._within(z), self._beyond(z))

    def _within(self, z: Floats) -> Floats:
        """P(|Z + mu| < z), for small z by quadrature of the density instead of a difference."""
        nodes, weights = _LEGENDRE
        near = np.minimum(z, 1.0 / (1.0 + self.mu))
        density = np.exp(-0.5 * (np.multiply.outer(near, nodes) - self.mu) ** 2) / np.sqrt(2.0 * np.pi)
        return np.where(z > near, ndtr(z - self.mu) - ndtr(-z - self.mu), near * (density @ weights))

    def _beyond(self, z: Floats) -> Floats:
        return np.asarray(ndtr(self.mu - z) + ndtr(-z - self.mu))

    def inverse(self, alpha: Floats, rest: Floats) -> Errors:
        """2 Psi(c) with P(|Z + mu| < c) = alpha."""
        return FoldedDistance(self.mu, 1.0).inverse(alpha, rest)

    @property
    def balanced(self) -> float:
        """2 Psi(x) with cosh(mu x) = e^{mu^2/2} (correction 6)."""
        exponent = 0.5 * self.mu**2
        arccosh = exponent + np.log1p(np.sqrt(-np.expm1(-2.0 * exponent)))
        return float(2.0 * ndtr(-arccosh / self.mu))


def _gaussian(mu: float, dimension: int) -> Folded:
    return FoldedNormal(mu) if dimension == 1 else FoldedDistance(mu, float(dimension))


def _laplace(mu: float, dimension: int) -> Folded:
    if dimension > 1:
        raise ValueError(f"dimension must be 1 for Laplace noise, got {dimension!r}.")
    return FoldedLaplace(mu)


_FOLDED = {GaussianShift: _gaussian, LaplaceShift: _laplace}


def folded(shift: Shift, dimension: int) -> Folded:
    """The folded law of a shift whose direction in ``dimension`` dimensions is unknown.

    Raises NotOfferedError for noise without such a law here, ValueError for more dimensions than it is known in.
    """
    return law_of(shift, _FOLDED, "The relaxed curve is", FULL_KNOWLEDGE)(shift.mu, dimension)


@dataclass(frozen=True)
@checked
class FoldedOnce:
    """One folded release in which the record takes part with probability ``rate`` (paper 000 Lemma 9)."""

    folded: Folded
    rate: PositiveProbability = 1.0

    def trade_off(self, alpha: Floats, order: Order) -> Corners:
        """j, j^-1 or J at ``alpha`` (n,)."""
        rest = 1.0 - alpha
        if order is Order.ADD:
            return Corners(alpha, *self._add_one(alpha, rest))
        if order is Order.REMOVE:
            return Corners(alpha, *self._remove_one(alpha, rest))
        if self.rate < 1.0:
            return envelope(lambda x: self.trade_off(x, Order.ADD), lambda x: self.trade_off(x, Order.REMOVE), alpha)
        return Corners(alpha, *self._symmetric(alpha, rest))

    def _add_one(self, alpha: Floats, rest: Floats) -> Errors:
        """P j + (1-p)(1 - alpha)."""
        beta, power = self.folded.errors(alpha, rest)
        absent = 1.0 - self.rate
        return Errors(self.rate * beta + absent * rest, self.rate * power + absent * alpha)

    def _remove_one(self, alpha: Floats, rest: Floats) -> Errors:
        """Functional inverse of the mixture, solved for the power where that is small, for beta where beta is."""
        if self.rate == 1.0:
            return self.folded.inverse(alpha, rest)
        if isinstance(self.folded, FoldedDistance):
            return self.folded.inverse(alpha, rest, self.rate)

        def too_powerful(power: Floats, goal: Floats) -> Floats:
            return self._add_one(1.0 - power, power).beta - goal

        def missing_too_much(beta: Floats, goal: Floats) -> Floats:
            errors = self._add_one(beta, 1.0 - beta)
            return np.where(goal < 0.5, goal - errors.beta, errors.power - (1.0 - goal))

        power, beta = root(too_powerful, alpha, ends=alpha), root(missing_too_much, alpha, ends=rest)
        return Errors(np.where(power < 0.5, 1.0 - power, beta), np.where(power < 0.5, power, 1.0 - beta))

    def _symmetric(self, alpha: Floats, rest: Floats) -> Errors:
        """Lower convex envelope of min(j, j^-1) without sampling: one order, a chord of slope -1, the other order.

        Which order comes first depends on the noise (correction 6): j for Gaussian, j^-1 for Laplace.
        """
        balanced = np.array([self.folded.balanced])
        touch, (beta, power) = float(balanced[0]), self._add_one(balanced, 1.0 - balanced)
        left, right = (touch, float(beta[0])) if touch <= beta[0] else (float(beta[0]), touch)
        first, last = (self._add_one, self._remove_one) if touch <= beta[0] else (self._remove_one, self._add_one)
        result = Errors(touch + float(beta[0]) - alpha, alpha + (float(power[0]) - touch))
        for part, curve in ((alpha <= left, first), (alpha >= right, last)):
            if np.any(part):
                result.beta[part], result.power[part] = curve(alpha[part], rest[part])
        return result
