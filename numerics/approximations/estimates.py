"""The form every estimate of a trade-off curve is returned in: named, with its limits, never as a bound."""

import numpy as np

from numerics.mechanisms import Mechanism
from numerics.trade_off import Bound, Floats, TradeOffCurve
from numerics.validation import checked

NOT_A_BOUND = "An estimate, not a bound: the true curve may lie on either side."


@checked
def estimate(
    mechanism: Mechanism, alpha: Floats, beta: Floats, power: Floats, *, label: str, limit: str
) -> TradeOffCurve:
    """The estimated curve (n,) with ``limit``, the method's own, ahead of the mechanism's assumptions."""
    assumptions = (NOT_A_BOUND, limit, *mechanism.assumptions)
    return TradeOffCurve(np.array(alpha), beta, power, Bound.ESTIMATE, label, assumptions)
