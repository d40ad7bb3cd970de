"""The prior kappa: how likely an attacker's best guess is right, or near enough, before anything is released.

For a law of the record and an allowed error, kappa is the probability of the law's largest ball: the chance that the
record lies within the error of the one best guess (Hayes, Mahloujifar and Balle 2023). For exact matches that is the
most likely candidate; for n equally likely ones 1/n (paper 003).
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Annotated, ClassVar

import numpy as np
from scipy.special import erf

from numerics.trade_off import Floats
from numerics.validation import LARGEST, NON_NEGATIVE, Interval, Positive, checked, value

LARGEST_CANDIDATES = 10**18
Candidates = Annotated[int, Interval(1, LARGEST_CANDIDATES)]
Vector = Floats | Sequence[float]
# Values this close to a ball's rim count as inside: decimals such as 0.1 are rounded when they are read.
_RIM = 4.0 * float(np.finfo(float).eps)


class Prior(ABC):
    """A law of the record, as far as it matters; ``words`` name its fields in braces."""

    words: ClassVar[str]

    @property
    @abstractmethod
    def kappa(self) -> float:
        """Probability that the best guess is right."""

    @property
    def label(self) -> str:
        """The law in words."""
        return self.words.format(**vars(self))


@value
class Uniform(Prior):
    """Equally likely ``candidates``."""

    candidates: Candidates

    words: ClassVar[str] = "{candidates:,} equally likely candidates"

    @property
    def kappa(self) -> float:
        return 1.0 / self.candidates


@value
class Normal(Prior):
    """A normal number of standard ``deviation``, to be guessed to within ``tolerance`` (same unit), as an age is."""

    deviation: Positive
    tolerance: Positive

    words: ClassVar[str] = "a normal number of standard deviation {deviation:g}, to within {tolerance:g}"

    @property
    def kappa(self) -> float:
        """See Prior: 2 Phi(tolerance / deviation) - 1."""
        return float(erf(self.tolerance / self.deviation / np.sqrt(2.0)))


@checked
def largest_ball(
    weights: Vector, values: Vector | None = None, radius: Annotated[float, Interval(0.0, LARGEST)] = 0.0
) -> float:
    """The prior kappa of given candidates: the largest probability of lying within ``radius`` of any one point.

    Args:
        weights: (n,) non-negative; divided by their sum.
        values: (n,) the candidates' positions; equal ones are one candidate. Without them all candidates differ.
        radius: allowed error, in the unit of ``values``; both ends belong to the ball, and its centre is free.

    Raises:
        ValueError: for empty, negative or infinite weights, weights that are all 0, values that are not as many or
            not finite, a negative radius, or a radius without values.
    """
    weight = _vector("weights", weights)
    NON_NEGATIVE.check("weights", weight)
    if weight.max() == 0.0:
        raise ValueError("sum of weights must be positive and finite, got 0.0.")
    weight = weight / weight.max()
    if values is None:
        Interval(0.0, 0.0).check("radius without values", radius)
        return float(weight.max() / weight.sum())
    position = _vector("values", values)
    if len(position) != len(weight):
        raise ValueError(f"values must be as many as weights ({len(weight)}), got {len(position)}.")
    return _largest_window(weight, position, radius)


def _vector(name: str, numbers: Vector) -> Floats:
    vector = np.asarray(numbers, dtype=float)
    if vector.ndim != 1 or len(vector) == 0:
        raise ValueError(f"{name} must be a vector of at least one number, got shape {vector.shape}.")
    if not np.isfinite(vector).all():
        raise ValueError(f"{name} must be finite, got {int((~np.isfinite(vector)).sum())} values that are not.")
    return vector


def _largest_window(weight: Floats, position: Floats, radius: float) -> float:
    """Largest share of the weight in a closed interval of length 2 ``radius``; it may start at a candidate."""
    order = np.argsort(position)
    start = position[order]
    # Long double where there is one: differences of sums of a million weights keep their digits.
    below = np.concatenate(([0.0], np.cumsum(weight[order], dtype=np.longdouble)))
    with np.errstate(over="ignore"):
        end = start + 2.0 * radius
        end += _RIM * np.maximum(np.abs(start), np.abs(end)) if radius > 0.0 else 0.0
    inside = below[np.searchsorted(start, end, side="right")] - below[np.searchsorted(start, start, side="left")]
    return min(float(inside.max() / below[-1]), 1.0)
