"""What limits reconstruction: the prior from which it may exceed a limit, and what (epsilon, delta) alone says."""

from typing import NamedTuple

import numpy as np

from numerics.conversions import power_limit, steep_power_limit
from numerics.mechanisms import Mechanism
from numerics.privacy_loss import Precision
from numerics.trade_off import Bracket, Order
from numerics.validation import NonNegative, OpenProbability, Probability, checked


@checked
def largest_prior(mechanism: Mechanism, limit: OpenProbability, precision: Precision | None = None) -> Bracket:
    """The prior kappa below which reconstruction succeeds with probability at most ``limit``.

    f^-1(1 - limit) for the add-one trade-off function f: the false negative rate of the remove-one order, its
    functional inverse, at false positive rate 1 - limit. ``lower`` is safe (from the guarantee); beyond ``upper`` a
    test of presence exceeds the limit, and nothing is promised; where no such test is known (``Analysis.is_reached``),
    both are where the guarantee ends. 0 where no prior is small enough.

    Raises ValueError unless ``limit`` lies strictly between 0 and 1.
    """
    curve = mechanism.trade_off(np.array(_around_complement(limit)), Order.REMOVE, precision)
    safe, reached = curve.lower or curve, curve.upper or curve
    return Bracket.around(float(safe.beta[1]), float(curve.beta[1]), float(reached.beta[0]))


def _around_complement(limit: float) -> tuple[float, float]:
    """1 - ``limit``, rounded down and up: 1 - x is exact for x from 1/2 to 1, so it tells which way it was rounded."""
    nearest = 1.0 - limit
    low = nearest if 1.0 - nearest >= limit else float(np.nextafter(nearest, 0.0))
    high = nearest if 1.0 - nearest <= limit else float(np.nextafter(nearest, 1.0))
    return low, high


class EpsilonDeltaBound(NamedTuple):
    """Upper bounds of the reconstruction probability: the best one, and the valid but looser one of the paper."""

    tight: float
    printed: float


@checked
def from_epsilon_delta(epsilon: NonNegative, delta: Probability, prior: Probability) -> EpsilonDeltaBound:
    """Most that an (``epsilon``, ``delta``)-DP release (add/remove) allows at ``prior`` (paper 003 Thm 1).

    Tight: min{1, e^epsilon kappa + delta, 1 - e^-epsilon (1 - delta - kappa)}; the paper has the first two
    (correction 37). Raises ValueError for a negative epsilon, or a delta or prior outside [0, 1].
    """
    return EpsilonDeltaBound(power_limit(epsilon, delta, prior), steep_power_limit(epsilon, delta, prior))
