"""Trade-off curves: the smallest false negative rate an attacker can reach at each false positive rate.

``alpha`` is the false positive rate (accusing a non-member), ``beta`` the false negative rate (missing a member) and
``power`` = 1 - beta the true positive rate. Where one of them is small it is computed directly, never as 1 - x.
"""

from enum import StrEnum
from importlib import import_module
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from numerics.validation import Interval, OpenProbability, checked, value

Floats = NDArray[np.float64]

# The smallest false positive rate at which widths are promised and curves are drawn.
SMALLEST_ALPHA = 1e-9
_MIDDLE = 0.1  # from here to 1 - this, grids of rates are even


class Bound(StrEnum):
    """How a computed curve or number relates to the true one."""

    EXACT = "exact"
    CERTIFIED = "certified"  # an estimate inside a lower and an upper curve that are both proved
    LOWER = "guarantee"  # the attacker's error is at least this
    UPPER = "demonstrated attack"  # an attack reaches this error
    OPEN = "open"  # a guarantee, and an attack that does not reach it: others may come closer
    ESTIMATE = "estimate"  # a named approximation; may lie on either side
    AUDIT = "audit"  # measured from samples; holds with the confidence stated beside it


class Order(StrEnum):
    """Which of the two neighbouring data sets is the null hypothesis of the test."""

    ADD = "add-one"  # null: the record is absent; its power is the true positive rate of membership inference
    REMOVE = "remove-one"  # null: the record is present; the functional inverse of the add-one curve
    SYMMETRIC = "both"  # lower convex envelope of the minimum of the two


class CurvePoints(NamedTuple):
    """Points of a trade-off curve: ``alpha``, ``beta`` and ``power`` = 1 - beta (n,), alpha ascending."""

    alpha: Floats
    beta: Floats
    power: Floats


@checked
class Bracket(NamedTuple):
    """A number known to lie in [lower, upper], and the value to show."""

    lower: float
    estimate: float
    upper: float

    @classmethod
    def exact(cls, value: float) -> "Bracket":
        """A number known to rounding."""
        return cls(value, value, value)

    @classmethod
    def around(cls, lower: float, estimate: float, upper: float) -> "Bracket":
        """With the estimate moved inside."""
        return cls(lower, min(max(estimate, lower), upper), upper)

    @classmethod
    def between(cls, lower: float, upper: float) -> "Bracket":
        """Where both ends err by second order in the width of a lattice, the upper one twice as much.

        The leading term cancels in the estimate. Ends further apart than a factor of 2 say nothing of the sort: then
        the guarantee is what is shown, so that a row of numbers need not fall or rise with its ends there.
        """
        resolved = lower >= 0.5 * upper and upper < float("inf")
        return cls(lower, lower + (upper - lower) / 3.0 if resolved else upper, upper)

    @property
    def width(self) -> float:
        """Upper minus lower; 0 for an exact number."""
        return self.upper - self.lower if self.upper > self.lower else 0.0

    @property
    def margin(self) -> float:
        """Upper minus estimate: how much more is guaranteed than shown."""
        return self.upper - self.estimate if self.upper > self.estimate else 0.0

    def met(self, other: "Bracket") -> "Bracket":
        """What both brackets say of one number, with the estimate of the narrower."""
        lower, upper = max(self.lower, other.lower), min(self.upper, other.upper)
        return Bracket.around(lower, (other if other.width <= self.width else self).estimate, upper)


@value(eq=False)
class TradeOffCurve:
    """Samples of a trade-off function at ascending ``alpha`` (n,).

    ``beta`` (n,) and ``power`` (n,) are kept side by side so that neither loses digits where it is small. A certified
    curve carries the guarantee (``lower``: true beta is at least this) and the demonstrated attack (``upper``: true
    beta is at most this) at the same ``alpha``; so does an open one, whose own values are the guarantee. There is no
    interpolation: a chord of a convex curve lies above it and would not be a guarantee. Ask the mechanism at the alpha
    wanted.

    Raises ValueError when shapes differ or ``alpha`` does not ascend.
    """

    alpha: Floats
    beta: Floats
    power: Floats
    bound: Bound
    label: str
    assumptions: tuple[str, ...] = ()
    lower: "TradeOffCurve | None" = None
    upper: "TradeOffCurve | None" = None

    def __post_init__(self) -> None:
        shapes = {self.alpha.shape, self.beta.shape, self.power.shape}
        if len(shapes) != 1 or self.alpha.ndim != 1:
            raise ValueError(f"alpha, beta and power must be vectors of equal length, got shapes {sorted(shapes)}.")
        if not np.all(np.diff(self.alpha) >= 0):
            raise ValueError("alpha must ascend.")
        for values in (self.alpha, self.beta, self.power):
            values.flags.writeable = False

    def to_frame(self) -> Any:
        """The samples as a ``pandas.DataFrame``, a row each; its ``attrs`` say label, kind and assumptions.

        ``power_at_most`` and ``power_reached`` are the guarantee and the demonstrated attack of a curve that carries
        them. Raises ModuleNotFoundError where pandas is not installed.
        """
        try:
            pandas = import_module("pandas")  # of the program that asks: this package does without
        except ModuleNotFoundError:
            raise ModuleNotFoundError(
                "to_frame needs pandas: python -m pip install pandas. Without, alpha, beta and power are NumPy arrays.",
                name="pandas",
            ) from None
        columns = {"alpha": self.alpha, "beta": self.beta, "power": self.power}
        columns |= {} if self.lower is None else {"power_at_most": self.lower.power}
        columns |= {} if self.upper is None else {"power_reached": self.upper.power}
        frame = pandas.DataFrame(columns)
        frame.attrs = {"label": self.label, "bound": self.bound.value, "assumptions": self.assumptions}
        return frame

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return str(import_module("numerics.notebook").of_curve(self))


@checked
def alpha_grid(
    points: Annotated[int, Interval(2, 1_000_000)] = 400, smallest: OpenProbability = SMALLEST_ALPHA
) -> Floats:
    """False positive rates from 0 to 1, (points,), as dense near 0 and near 1 as a log axis needs.

    A quarter of them are spaced evenly in the middle, where a linear axis shows the curve; the others evenly in log
    alpha from ``smallest`` on and in log(1 - alpha).
    """
    inner = points - 2
    middle = min(inner, inner // 4 | 1)  # odd: 1/2 is one of them
    few = (inner - middle) // 2
    edge = max(_MIDDLE, float(np.sqrt(0.5 * smallest)))
    low, high = np.geomspace(smallest, edge, few), 1.0 - np.geomspace(edge, smallest, inner - middle - few)
    even = np.linspace(edge, 1.0 - edge, middle + 2)[1:-1]
    return np.concatenate(([0.0], low, even, high, [1.0]))
