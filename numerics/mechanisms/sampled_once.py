"""One Poisson-sampled release of noise whose trade-off function has a closed form (paper 000 Lemma 9, 003 Cor. 3)."""

import numpy as np
import scipy

from numerics.mechanisms.shift import Shift
from numerics.privacy_loss.vertices import Corners
from numerics.roots import root
from numerics.trade_off import Floats, Order
from numerics.validation import PositiveProbability, value

_BELOW = 1e-300  # so much below the goal counts delta that reaches it: the smallest epsilon is sought that does


@value
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

    @property
    def unsampled(self) -> Shift:
        """The test of a release in which all takes part that may."""
        return self.shift

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
        """Functional inverse: solved for the power where that is small, for beta where beta is.

        Sampling never helps the attacker, so both lie between guessing and the unsampled release.
        """
        steep = alpha < self._alpha_for(np.array([0.5]))
        power, beta = np.empty((2, *alpha.shape))
        power[steep] = self._remove_one_power(alpha[steep])
        beta[~steep] = self._remove_one_beta(alpha[~steep])
        beta[steep], power[~steep] = 1.0 - power[steep], 1.0 - beta[~steep]
        return Corners(alpha, beta, power)

    def _remove_one_power(self, alpha: Floats) -> Floats:
        def too_powerful(power: Floats, goal: Floats) -> Floats:
            return self._alpha_for(power) - goal

        return root(too_powerful, alpha, ends=alpha, between=(alpha, self.unsampled.power(alpha)))

    def _remove_one_beta(self, alpha: Floats) -> Floats:
        def missing_too_much(beta: Floats, goal: Floats) -> Floats:
            return np.where(goal < 0.5, goal - self._beta(beta), self._power(beta) - (1.0 - goal))

        return root(missing_too_much, alpha, ends=1.0 - alpha, between=(self.unsampled.beta(alpha), 1.0 - alpha))

    def _symmetric(self, alpha: Floats) -> Corners:
        """Add-one up to its slope -1 point, remove-one from the mirrored point, the chord of slope -1 between."""
        touch, beta, power = self._balanced
        steep, is_flat = self._add_one(alpha), alpha >= beta
        chord = Corners(alpha, beta - (alpha - touch), power + (alpha - touch))
        curve = Corners(alpha, *(np.where(alpha <= touch, *both) for both in zip(steep[1:], chord[1:], strict=True)))
        flat = self._remove_one(alpha[is_flat])
        curve.beta[is_flat], curve.power[is_flat] = flat.beta, flat.power
        return curve

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
