"""Both sides of any mechanism's curve, at a precision that makes thousands of them affordable."""

import numpy as np

from numerics.mechanisms.analysis import Analysis
from numerics.privacy_loss import Precision
from numerics.trade_off import Bound, CurvePoints, Order, TradeOffCurve, alpha_grid
from tests.strategies import mechanisms

ROUNDING = 1e-12  # sums of a few terms of size 1; quantiles and back
# Cheap brackets obey the same laws as narrow ones.
CHEAP = Precision(width=1e-3, relative=0.1)
ALPHA = np.concatenate(([0.0, 1e-300, 1e-30], alpha_grid(61, 1e-12)[1:]))


def sides(
    mechanism: Analysis, alpha=ALPHA, order: Order = Order.ADD, precision: Precision = CHEAP
) -> tuple[TradeOffCurve | CurvePoints, ...]:
    """Guarantee, shown curve and attack; the same curve three times where it is exact.

    Of a bound without any attack on the release: both sides of the bracket around that bound.
    """
    if mechanism.bound is Bound.LOWER:
        return mechanism.certified(precision).trade_off(alpha, order)
    curve = mechanism.trade_off(alpha, order, precision)
    return curve.lower or curve, curve, curve.upper or curve


ANY = mechanisms()
