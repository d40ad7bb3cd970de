"""Trade-off functions of an attacker who does not know the record: one effective release (paper 000).

Without the record's direction all that is left to test is the distance of the release from what it would be without
the record: the noise laws are folded.
"""

import numpy as np

from numerics.mechanisms.location import Folded, LocationTradeOff
from numerics.relaxed.roc import envelope, in_order
from numerics.trade_off import CurvePoints, Floats, Order
from numerics.unsupported import FULL_KNOWLEDGE, law_of, name_of
from numerics.validation import PositiveProbability, value


def folded(shift: LocationTradeOff, dimension: int) -> Folded:
    """The folded law of a shift whose direction in ``dimension`` dimensions is unknown.

    Raises UnsupportedError for noise without such a law here, ValueError for more dimensions than it is known in.
    """
    law = law_of(shift.folded(dimension), shift, "The relaxed curve is", FULL_KNOWLEDGE)
    if dimension > 1 and not shift.folds_in_any_dimension:
        noise = name_of(type(getattr(shift, "noise", shift)))  # a shift on a lattice holds its noise
        raise ValueError(f"dimension must be 1 for {noise} noise, got {dimension!r}.")
    return law


@value
class FoldedOnce:
    """One folded release in which the record takes part with probability ``rate`` (paper 000 Lemma 9)."""

    folded: Folded
    rate: PositiveProbability = 1.0

    def trade_off(self, alpha: Floats, order: Order) -> CurvePoints:
        """j, j^-1 or J at ``alpha`` (n,)."""
        if self.folded.corners is not None:
            return in_order(self.folded.corners.sampled(self.rate), alpha, order)
        rest = 1.0 - alpha
        if order is Order.ADD:
            return self._add_one(alpha, rest)
        if order is Order.REMOVE:
            return self._remove_one(alpha, rest)
        balanced = self.folded.balanced
        if self.rate < 1.0 or balanced is None:
            return envelope(lambda x: self.trade_off(x, Order.ADD), lambda x: self.trade_off(x, Order.REMOVE), alpha)
        return self._symmetric(balanced, alpha, rest)

    def _add_one(self, alpha: Floats, rest: Floats) -> CurvePoints:
        return self.folded.sampled_errors(alpha, rest, self.rate)

    def _remove_one(self, alpha: Floats, rest: Floats) -> CurvePoints:
        if self.rate == 1.0:
            return self.folded.inverse(alpha, rest)
        return self.folded.sampled_inverse(alpha, rest, self.rate)

    def _symmetric(self, touch: float, alpha: Floats, rest: Floats) -> CurvePoints:
        """Lower convex envelope of min(j, j^-1) without sampling: one order, a chord of slope -1, the other order.

        Which order comes first depends on the noise (correction 6): j for Gaussian, j^-1 for Laplace.
        """
        _, beta, power = self._add_one(np.array([touch]), 1.0 - np.array([touch]))
        left, right = (touch, float(beta[0])) if touch <= beta[0] else (float(beta[0]), touch)
        first, last = (self._add_one, self._remove_one) if touch <= beta[0] else (self._remove_one, self._add_one)
        result = CurvePoints(alpha, touch + float(beta[0]) - alpha, alpha + (float(power[0]) - touch))
        for part, curve in ((alpha <= left, first), (alpha >= right, last)):
            if np.any(part):
                _, result.beta[part], result.power[part] = curve(alpha[part], rest[part])
        return result
