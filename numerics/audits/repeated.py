"""An audit done many times over: the mean measured curve and its scatter, as in paper 000 Fig. 3, 5b and 6."""

from typing import Annotated, NamedTuple

import numpy as np

from numerics.audits.measured import attack_power, in_order
from numerics.audits.rounds import Scores
from numerics.trade_off import Floats, Order
from numerics.validation import Interval, Probabilities, checked

LARGEST_AUDITS = 100_000


class Repeated(NamedTuple):
    """False negative rates over audits at each ``alpha`` (k,): their ``mean`` (k,) and standard ``deviation`` (k,)."""

    alpha: Floats
    mean: Floats
    deviation: Floats


@checked
def repeated(
    scores: Scores, audits: Annotated[int, Interval(2, LARGEST_AUDITS)], alpha: Probabilities, order: Order = Order.ADD
) -> Repeated:
    """Divide independent rounds into ``audits`` of equal size, and measure each curve as ``measured_curve`` does.

    Raises ValueError unless each has at least two rounds of either kind, and as ``measured_curve``.
    """
    sizes = [len(side) // audits for side in scores]
    Interval(2, np.inf).check("rounds of an audit", min(sizes))
    parts = (side[: size * audits].reshape(audits, size) for side, size in zip(scores, sizes, strict=True))
    missed = np.array(
        [1.0 - attack_power(Scores(*in_order(Scores(*one), order)), alpha) for one in zip(*parts, strict=True)]
    )
    return Repeated(alpha, missed.mean(axis=0), missed.std(axis=0, ddof=1))
