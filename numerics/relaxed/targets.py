"""Targets for calibration against an attacker who does not know the record."""

import numpy as np

from numerics.calibration import AdvantageTarget, PowerTarget, Target
from numerics.mechanisms import Mechanism
from numerics.privacy_loss import Precision
from numerics.relaxed.curves import Dimension, Reading, advantage, power, trade_off
from numerics.trade_off import Bracket, CurvePoints, Floats, Order, TradeOffCurve, alpha_grid
from numerics.validation import value


@value
class RelaxedTarget(Target):
    """The ``target`` that full knowledge has, kept by an attacker who does not know the record."""

    target: PowerTarget | AdvantageTarget
    dimension: Dimension = 1
    reading: Reading = Reading.MINIMAX

    @property
    def goal(self) -> float:
        return self.target.goal

    @property
    def label(self) -> str:
        return f"relaxed {self.target.label}"

    def measure(self, mechanism: Mechanism, precision: Precision) -> Bracket:
        """See Target; the numerical error is on the safe side, and ``precision`` has hardly a say.

        An advantage is the largest over a grid and what a concave curve can add between its points.
        """
        dimension, reading, deadline = self.dimension, self.reading, precision.deadline
        if isinstance(self.target, PowerTarget):
            alpha, order = self.target.alpha, self.target.order
            return power(mechanism, alpha, dimension=dimension, order=order, reading=reading, deadline=deadline)
        curve = trade_off(mechanism, alpha_grid(801), dimension=dimension, reading=reading, deadline=deadline)
        found = advantage(curve)
        if found.upper > self.goal >= found.estimate:  # nobody knows more than everything, which may be enough
            limit = max(mechanism.advantage(precision).upper, found.estimate)
            return found._replace(upper=min(found.upper, limit))
        return found


@value(eq=False)
class ResilienceTarget(Target):
    """Relaxed errors at least those of a ``reference`` curve, at its own false positive rates, in either order.

    Measured by the largest of two ratios: power over the reference's where that is below
    one half, the reference's beta over the curve's elsewhere; the goal is 1.
    """

    reference: TradeOffCurve
    dimension: Dimension = 1

    @property
    def goal(self) -> float:
        return 1.0

    @property
    def label(self) -> str:
        return f"at least as hard to detect as {self.reference.label}"

    def measure(self, mechanism: Mechanism, precision: Precision) -> Bracket:
        alpha, deadline = self.reference.alpha, precision.deadline
        curve = trade_off(mechanism, alpha, dimension=self.dimension, order=Order.SYMMETRIC, deadline=deadline)
        largest = self.reference if self.reference.upper is None else self.reference.upper
        inside = (curve.alpha > 0.0) & (curve.alpha < 1.0)
        own = CurvePoints(curve.alpha, curve.beta, curve.power)
        return Bracket(*(float(_ratio(side, largest)[inside].max()) for side in (curve.least, own, curve.most)))


def _ratio(curve: CurvePoints, reference: TradeOffCurve) -> Floats:
    """How much further the curve goes than the reference, (n,)."""
    ahead, behind = np.maximum(reference.power, 1e-300), np.maximum(curve.beta, 1e-300)
    return np.where(reference.power < 0.5, curve.power / ahead, reference.beta / behind)
