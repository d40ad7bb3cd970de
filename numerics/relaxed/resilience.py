"""Does a release stay below a reference curve for an attacker who does not know the record (paper 000 Definition 3)?"""

import numpy as np

from numerics.mechanisms import Mechanism
from numerics.relaxed.curves import Dimension, trade_off
from numerics.trade_off import Order, TradeOffCurve
from numerics.validation import checked, value


@value
class Resilience:
    """Whether the attacker's error stays above a reference, and where it comes closest.

    Attributes:
        resilient: whether J, less its numerical error, is at least the reference at every alpha of the reference.
        margin: smallest difference J - reference, error deducted.
        alpha: false positive rate at which the margin is smallest.
    """

    resilient: bool
    margin: float
    alpha: float


_ROUNDING = 1e-12


@checked
def detection_resilience(mechanism: Mechanism, reference: TradeOffCurve, *, dimension: Dimension = 1) -> Resilience:
    """Compare the relaxed curve J of both orders with ``reference`` at its own false positive rates.

    A certified reference counts by its demonstrated attack, the larger side. Raises ValueError as ``trade_off``.
    """
    curve = trade_off(mechanism, reference.alpha, dimension=dimension, order=Order.SYMMETRIC)
    largest = reference if reference.upper is None else reference.upper
    margin = np.where(largest.beta > 0.5, largest.power - curve.most.power, curve.most.beta - largest.beta)
    inside = (reference.alpha > 0.0) & (reference.alpha < 1.0)
    margin = np.where(inside, margin, np.inf)
    tightest = int(np.argmin(margin))
    return Resilience(bool(margin[tightest] >= -_ROUNDING), float(margin[tightest]), float(reference.alpha[tightest]))
