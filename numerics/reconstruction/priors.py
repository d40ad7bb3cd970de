"""The prior kappa: how likely an attacker's best guess is right, or near enough, before anything is released.

For a law of the record and an allowed error, kappa is the probability of the law's largest ball: the chance that the
record lies within the error of the one best guess (Hayes, Mahloujifar and Balle 2023). For exact matches that is the
most likely candidate; for n equally likely ones 1/n (paper 003).
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, ClassVar

import numpy as np
from scipy.special import bdtr, erf, gammainc

from numerics.trade_off import Bracket, Floats
from numerics.validation import LARGEST, NON_NEGATIVE, Interval, Positive, PositiveProbability, checked, value

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
class Fixed(Prior):
    """The best guess is right with a given ``probability`` in (0, 1]."""

    probability: PositiveProbability

    words: ClassVar[str] = "a guess that is right with probability {probability:g}"

    @property
    def kappa(self) -> float:
        return self.probability


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


# The prior kappa of records of many numbers, for errors by a distance: mean squared error, largest error, wrong bits.
#
# Kappa is the probability of the law's largest ball, as above. With the dimension it falls to nothing unless the
# allowed error comes near the law's own spread.


LARGEST_DIMENSION = 1_000_000
Dimension = Annotated[int, Interval(1, LARGEST_DIMENSION)]
_MOST_POINTS = 20_000
_AT_A_TIME = 1 << 22
# Points this close to a ball's rim count as inside: decimals such as 0.1 are rounded when they are read.
_SURFACE = 1e-12


@value
class NormalVector(Prior):
    """``dimension`` independent normal numbers of ``deviation``, to a root mean squared error of ``tolerance``.

    An image of standardised pixels, and a reconstruction judged by its mean squared error, tolerance^2.
    """

    dimension: Dimension
    deviation: Positive
    tolerance: Positive

    words: ClassVar[str] = (
        "{dimension:,} normal numbers of standard deviation {deviation:g}, "
        "to a root mean squared error of {tolerance:g}"
    )

    @property
    def kappa(self) -> float:
        """See Prior: P(chi^2_d <= d (tolerance / deviation)^2); the best guess is the mean (Anderson 1955)."""
        half = 0.5 * self.dimension
        with np.errstate(over="ignore"):
            return float(gammainc(half, half * np.square(np.float64(self.tolerance) / self.deviation)))


@value
class UniformVector(Prior):
    """``dimension`` independent numbers uniform on an interval of length 1, each to within ``tolerance``."""

    dimension: Dimension
    tolerance: Positive

    words: ClassVar[str] = "{dimension:,} uniform numbers between 0 and 1, each to within {tolerance:g}"

    @property
    def kappa(self) -> float:
        """See Prior: (2 tolerance)^d, at most 1: a cube inside the cube."""
        return float(min(2.0 * self.tolerance, 1.0) ** self.dimension)


@value
class Bits(Prior):
    """``dimension`` fair bits, of which ``wrong`` may be wrong: a table of answers yes and no."""

    dimension: Dimension
    wrong: Annotated[int, Interval(0, LARGEST_DIMENSION)]

    words: ClassVar[str] = "{dimension:,} fair bits, of which {wrong:,} may be wrong"

    @property
    def kappa(self) -> float:
        """See Prior: sum of C(d, i) / 2^d up to ``wrong``; all balls of a size are equally likely."""
        return 1.0 if self.wrong >= self.dimension else float(bdtr(self.wrong, self.dimension, 0.5))


class Distance(StrEnum):
    """How far a reconstruction is from the record."""

    EUCLIDEAN = "Euclidean"
    LARGEST = "largest difference"
    SUM = "sum of differences"


_ORDERS = {Distance.EUCLIDEAN: 2.0, Distance.LARGEST: np.inf, Distance.SUM: 1.0}  # of norms


@checked
def largest_ball_of_vectors(
    weights: Floats,
    points: Floats,
    radius: Annotated[float, Interval(0.0, LARGEST)],
    distance: Distance = Distance.EUCLIDEAN,
) -> Bracket:
    """The prior kappa of candidates at ``points`` (n, d) with ``weights`` (n,), to an error of ``radius``.

    ``lower`` and ``estimate``: the ball is centred at a candidate, which is exact where the answer has to be one of
    them. ``upper``: of any centre, by the ball of twice the radius around a candidate in it; use it for guarantees.

    Raises ValueError for weights that are negative or all 0, or more than 20,000 points.
    """
    if points.ndim != 2 or weights.shape != points.shape[:1] or not len(points):
        raise ValueError(f"points must be one row per weight, got shapes {points.shape} and {weights.shape}.")
    Interval(1, _MOST_POINTS).check("number of points", len(points))
    if not (
        np.all(weights >= 0.0) and np.sum(weights) > 0.0 and np.isfinite(points).all() and np.isfinite(weights).all()
    ):
        raise ValueError("weights must be finite, not negative and not all 0, and points finite.")
    share, found = weights / np.sum(weights), [0.0, 0.0]
    rows = max(1, _AT_A_TIME // points.size)
    for start in range(0, len(points), rows):
        apart = np.linalg.norm(points[start : start + rows, None, :] - points, _ORDERS[distance], axis=-1)
        for place, reach in enumerate((radius, 2.0 * radius)):
            inside = apart <= reach * (1.0 + _SURFACE)
            found[place] = max(found[place], float(np.max(inside @ share)))
    return Bracket(*(min(value, 1.0) for value in (found[0], *found)))
