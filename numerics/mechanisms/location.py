"""The test of noise centred at 0 against noise centred at mu, for whoever knows the record and for whoever does not.

``LocationTradeOff`` is the test of full knowledge; its trade-off function is its own inverse. ``Folded`` is what is
left to an attacker who does not know the record's direction (paper 000): the distance of the release from what it would
be without the record. Its methods take alpha and 1 - alpha side by side and return beta and power side by side, so that
none of them loses digits where it is small.
"""

from abc import ABC, abstractmethod
from typing import ClassVar, NamedTuple

import numpy as np
import scipy

from numerics.lazy_property import lazy_property
from numerics.privacy_loss.bounds import Polyline
from numerics.privacy_loss.pairs import LossLaw
from numerics.roots import root
from numerics.trade_off import CurvePoints, Floats, Order
from numerics.validation import NonNegative, PositiveProbability, value


class TradeOffFormula(NamedTuple):
    """A formula in LaTeX, what it says in words, its source, and what differs from the paper's text."""

    latex: str
    words: str
    source: str
    correction: str = ""


@value
class Folded(ABC):
    """Test between the folded noise laws without and with the record, of effect size ``mu``."""

    mu: NonNegative

    @property
    def corners(self) -> Polyline | None:
        """All of j where it is piecewise linear; None where it is not."""
        return None

    @abstractmethod
    def errors(self, alpha: Floats, rest: Floats) -> CurvePoints:
        """Best errors at false positive rate ``alpha`` = 1 - ``rest``: j, the add-one order."""

    @abstractmethod
    def inverse(self, alpha: Floats, rest: Floats) -> CurvePoints:
        """The remove-one order, j^-1: the reverse test rejects small distances (correction 3)."""

    @property
    def balanced(self) -> float | None:
        """The alpha at which the slope of j is -1; None where J is more than one order, a chord and the other order."""
        return None

    def sampled_errors(self, alpha: Floats, rest: Floats, rate: float) -> CurvePoints:
        """P j + (1-p)(1 - alpha): the record takes part with probability ``rate`` (paper 000 Lemma 9)."""
        _, beta, power = self.errors(alpha, rest)
        absent = 1.0 - rate
        return CurvePoints(alpha, rate * beta + absent * rest, rate * power + absent * alpha)

    def sampled_inverse(self, alpha: Floats, rest: Floats, rate: float) -> CurvePoints:
        """Its functional inverse, solved for the power where that is small, for beta where beta is."""

        def too_powerful(power: Floats, goal: Floats) -> Floats:
            return self.sampled_errors(1.0 - power, power, rate).beta - goal

        def missing_too_much(beta: Floats, goal: Floats) -> Floats:
            errors = self.sampled_errors(beta, 1.0 - beta, rate)
            return np.where(goal < 0.5, goal - errors.beta, errors.power - (1.0 - goal))

        power, beta = root(too_powerful, alpha, ends=alpha), root(missing_too_much, alpha, ends=rest)
        return CurvePoints(alpha, np.where(power < 0.5, 1.0 - power, beta), np.where(power < 0.5, power, 1.0 - beta))


@value
class LocationTradeOff(ABC):
    """Test of one release, mostly of a location shift by ``mu`` units of the noise's scale.

    Attributes:
        mu: effect size: sensitivity over noise scale.
    """

    mu: NonNegative

    adds_in_squares: ClassVar[bool] = False
    """Whether several releases are no more than one whose effect size is the root of the sum of their squares."""
    folds_in_any_dimension: ClassVar[bool] = False
    """Whether ``folded`` is known beyond one dimension."""
    folded_formula: ClassVar[TradeOffFormula | None] = None
    """The same of who does not know the direction."""

    @property
    @abstractmethod
    def formula(self) -> TradeOffFormula:
        """The trade-off function for readers."""

    @abstractmethod
    def power(self, alpha: Floats) -> Floats:
        """True positive rate of the best test at false positive rate ``alpha``."""

    @abstractmethod
    def beta(self, alpha: Floats) -> Floats:
        """False negative rate of the best test: 1 - power, with its digits where it is small."""

    @abstractmethod
    def alpha_for(self, power: Floats) -> Floats:
        """False positive rate at which the best test reaches ``power``; the inverse of ``power``."""

    @property
    @abstractmethod
    def balanced(self) -> float:
        """The error rate at which alpha = beta; the slope is -1 there, for the curve is its own mirror image."""

    @abstractmethod
    def delta(self, epsilon: float) -> float:
        """Hockey-stick divergence: smallest delta with (epsilon, delta)-DP."""

    @abstractmethod
    def area(self) -> float:
        """Area under power against alpha."""

    @property
    def gaussian_mu(self) -> float | None:
        """The mu of a curve that is G_mu, that of normal noise, itself; else None."""
        return None

    def folded(self, dimension: int) -> Folded | None:
        """The test of who does not know the direction of the shift in ``dimension`` dimensions; None if not known."""
        return None


@value
class ShiftTradeOff(LocationTradeOff):
    """The test of symmetric log-concave noise against its shift by ``mu``: the largest releases are accused.

    F(F^-1(1 - alpha) - mu) with F the distribution function of the noise at scale 1.
    """

    @abstractmethod
    def upper_tail(self, u: Floats) -> Floats:
        """Mass (n,) of the noise above ``u``, to its own digits."""

    @abstractmethod
    def quantile(self, alpha: Floats) -> Floats:
        """The value above which noise lies with probability ``alpha``; infinite at the ends where it has none."""

    def power(self, alpha: Floats) -> Floats:
        return self.upper_tail(self.quantile(alpha) - self.mu)

    def beta(self, alpha: Floats) -> Floats:
        return self.upper_tail(self.mu - self.quantile(alpha))

    def alpha_for(self, power: Floats) -> Floats:
        return self.upper_tail(self.quantile(power) + self.mu)

    @property
    def balanced(self) -> float:
        """Where releases above mu / 2 are accused."""
        return float(self.upper_tail(np.array(0.5 * self.mu)))


@value
class PiecewiseLinear(LocationTradeOff):
    """The test between two laws on few outcomes: sorted by likelihood ratio and cumulated, with chords in between."""

    @lazy_property
    @abstractmethod
    def law(self) -> LossLaw:
        """All outcomes; those of one loss may be put together."""

    @lazy_property
    def _corners(self) -> Polyline:
        return Polyline.of(self.law.p, self.law.q)

    def power(self, alpha: Floats) -> Floats:
        return self._corners.at(alpha).power

    def beta(self, alpha: Floats) -> Floats:
        return self._corners.at(alpha).beta

    def alpha_for(self, power: Floats) -> Floats:
        return self._corners.alpha_for(power)

    @property
    def balanced(self) -> float:
        """See LocationTradeOff; the corners where alpha grows past beta have it between them."""
        corners = self._corners
        return float(np.interp(0.0, corners.alpha - corners.beta, corners.alpha))

    def delta(self, epsilon: float) -> float:
        """Mass under P less e^epsilon times that under Q, over all outcomes of larger loss."""
        loss, p, _ = self.law
        return float(np.sum(p * -np.expm1(np.minimum(epsilon - loss, 0.0))))

    def area(self) -> float:
        return self._corners.area()


# One Poisson-sampled release of noise whose trade-off function has a closed form (paper 000 Lemma 9, 003 Cor. 3).


_BELOW = 1e-300  # so much below the goal counts delta that reaches it: the smallest epsilon is sought that does


@value
class Subsampled:
    """One release in which the record takes part with probability ``rate``, under add/remove adjacency."""

    shift: LocationTradeOff
    rate: PositiveProbability = 1.0

    def trade_off(self, alpha: Floats, order: Order) -> CurvePoints:
        """Exact trade-off function at ``alpha`` (n,)."""
        if self.rate == 1.0 or order is Order.ADD:
            return CurvePoints(alpha, self._beta(alpha), self._power(alpha))
        if order is Order.REMOVE:
            return self._remove_one(alpha)
        # Add-one up to its slope -1 point, remove-one from the mirrored point, the chord of slope -1 between.
        touch, left, found = self._balanced
        steep, is_flat = alpha <= touch, alpha >= left
        beta = np.where(steep, self._beta(alpha), left - (alpha - touch))
        power = np.where(steep, self._power(alpha), found + (alpha - touch))
        _, beta[is_flat], power[is_flat] = self._remove_one(alpha[is_flat])
        return CurvePoints(alpha, beta, power)

    @property
    def unsampled(self) -> LocationTradeOff:
        """The test of a release in which all takes part that may."""
        return self.shift

    def _power(self, alpha: Floats) -> Floats:
        return self.rate * self.shift.power(alpha) + (1.0 - self.rate) * alpha

    def _beta(self, alpha: Floats) -> Floats:
        return self.rate * self.shift.beta(alpha) + (1.0 - self.rate) * (1.0 - alpha)

    def _alpha_for(self, power: Floats) -> Floats:
        return self.rate * self.shift.alpha_for(power) + (1.0 - self.rate) * power

    def _remove_one(self, alpha: Floats) -> CurvePoints:
        """Functional inverse: solved for the power where that is small, for beta where beta is.

        Sampling never helps the attacker, so both lie between guessing and the unsampled release.
        """

        def too_powerful(power: Floats, goal: Floats) -> Floats:
            return self._alpha_for(power) - goal

        def missing_too_much(beta: Floats, goal: Floats) -> Floats:
            return np.where(goal < 0.5, goal - self._beta(beta), self._power(beta) - (1.0 - goal))

        steep = alpha < self._alpha_for(np.array([0.5]))
        power, beta = np.empty((2, *alpha.shape))
        low, high = alpha[steep], alpha[~steep]
        power[steep] = root(too_powerful, low, ends=low, between=(low, self.unsampled.power(low)))
        limits = self.unsampled.beta(high), 1.0 - high
        beta[~steep] = root(missing_too_much, high, ends=1.0 - high, between=limits)
        beta[steep], power[~steep] = 1.0 - power[steep], 1.0 - beta[~steep]
        return CurvePoints(alpha, beta, power)

    @property
    def _balanced(self) -> tuple[float, float, float]:
        """Alpha, beta and power of the add-one order where its slope is -1: there the loss is 0, sampled or not."""
        touch = self.shift.balanced
        beta = self.rate * touch + (1.0 - self.rate) * (1.0 - touch)
        return touch, beta, self.rate * (1.0 - touch) + (1.0 - self.rate) * touch

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
        """Smallest epsilon at ``delta``: the root of the decreasing ``self.delta``.

        Infinite where a record is given away for certain with a larger probability.
        """
        if self.delta(0.0) <= delta:
            return 0.0
        high = 1.0
        while self.delta(high) > delta:
            high *= 2.0
            if np.isinf(high):
                return float(high)

        def excess(epsilon: float) -> float:
            return self.delta(epsilon) - delta or -_BELOW  # from some epsilon on delta may stay what it is

        return float(scipy.optimize.brentq(excess, 0.0, high, xtol=1e-14, rtol=1e-14))

    @property
    def gaussian_mu(self) -> float | None:
        """The mu of a curve that is G_mu itself, else None."""
        return self.shift.gaussian_mu if self.rate == 1.0 else None

    def area(self) -> float:
        """Area under power against alpha, in either order."""
        return self.rate * self.shift.area() + 0.5 * (1.0 - self.rate)
