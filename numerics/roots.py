"""Roots of many functions at once, found to the digits of small probabilities."""

from collections.abc import Callable

import numpy as np

from numerics import elementwise
from numerics.trade_off import Floats

_SMALLEST_LOG = -745.0  # of the smallest positive number in double precision
_SMALLEST_NORMAL = float(np.finfo(np.float64).tiny)


def root(difference: Callable[[Floats, Floats], Floats], goal: Floats, ends: Floats) -> Floats:
    """Root x in (0, 1) of ``difference``, which grows with x, at each ``goal`` inside (0, 1); ``ends`` elsewhere.

    Searched in log x, so that a small root keeps its digits; 0 where the root is too small for double precision.
    """
    inside = (goal > 0.0) & (goal < 1.0)
    goal = np.where(inside, goal, 0.5)

    def of_log(log_x: Floats, target: Floats) -> Floats:
        # Scaled, for the search takes differences below 2e-308 for zero, and a goal may be as small as that.
        return difference(np.exp(log_x), target) / np.maximum(np.minimum(target, 1.0 - target), _SMALLEST_NORMAL)

    bounds = (np.full(goal.shape, _SMALLEST_LOG), np.zeros(goal.shape))
    root = elementwise.find_root(of_log, bounds, args=(goal,))
    underflow = difference(np.full(goal.shape, np.exp(_SMALLEST_LOG)), goal) >= 0.0
    return np.where(inside, np.where(underflow, 0.0, np.exp(root.x)), ends)
