"""The inverse of a loss that has no formula: a table, a spline through it, and corrections to the last digit."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy

from numerics.roots import crossing
from numerics.trade_off import Floats

_ROUNDING = 1e-15  # of a loss, relative to it and to the smallest: what a sum of some dozen terms is known to
_SLACK = 1e-12  # relative, of an end with positive mass: an edge that equals it up to rounding includes it
_SMALLEST = 1e-300


@dataclass(frozen=True, eq=False)
class Inverse:
    """The largest x at which a function is at most a goal; -inf below its range, inf from its end on.

    Attributes:
        rising: the function, which never falls.
        x: positions (m,), ascending, between which it bends little.
        values: its values there, strictly ascending.
        spline: x by value.
        slack: how far beyond its ends a goal still counts as the end.
    """

    rising: Callable[[Floats], Floats]
    x: Floats
    values: Floats
    spline: Callable[..., Floats]
    slack: float

    @classmethod
    def of(cls, rising: Callable[[Floats], Floats], x: Floats, bends: Floats, flat: bool) -> "Inverse":
        """Between the ends of ``x``, with more of the table around ``bends``; ``flat`` beyond, where mass may lie."""
        x = np.unique(np.concatenate((x, np.clip(bends, x[0], x[-1]))))
        values = np.maximum.accumulate(rising(x))
        last = np.append(np.diff(values) > 0.0, True)  # of equal values the last one
        x, values = x[last], values[last]
        slack = _SLACK * float(np.max(np.abs(values))) if flat else 0.0
        return cls(rising, x, values, scipy.interpolate.CubicSpline(values, x), slack)

    def __call__(self, goal: Floats) -> Floats:
        """At every ascending goal (n,)."""
        low, high = self.values[0], self.values[-1]
        inside = (goal > low) & (goal < high - self.slack)
        x = np.where(goal < low - self.slack, -np.inf, np.where(goal >= high - self.slack, np.inf, self.x[0]))
        if np.any(inside):
            x[inside] = self._between(goal[inside])
        return np.maximum.accumulate(x)

    def _between(self, goal: Floats) -> Floats:
        """Two corrections by the spline's slope; by an enclosed search where they have not settled."""
        place = np.searchsorted(self.values, goal, side="right")
        low, high, slope = self.x[place - 1], self.x[place], self.spline(goal, 1)
        x = np.clip(self.spline(goal), low, high)
        errors = []
        for _ in range(2):
            errors.append(self.rising(x) - goal)
            x = np.clip(x - slope * errors[-1], low, high)
        first, second = np.abs(errors)
        rounding = _ROUNDING * (np.abs(goal) + min(abs(float(self.values[0])), 1.0))
        left = np.minimum(second, second**2 / np.maximum(first, _SMALLEST))  # if corrections go on as they began
        unsettled = (left > rounding) | (second > np.maximum(first, rounding))
        if np.any(unsettled):
            goal, low, high = goal[unsettled], low[unsettled], high[unsettled]
            x[unsettled] = crossing(lambda x, place: self.rising(x) - goal[place], low, high)
        return x
