"""The prior kappa of records of many numbers, for errors by a distance: mean squared error, largest error, wrong bits.

See ``priors``: kappa is the probability of the law's largest ball. With the dimension it falls to nothing unless the
allowed error comes near the law's own spread.
"""

from enum import StrEnum
from typing import Annotated, ClassVar

import numpy as np
from scipy.special import bdtr, gammainc

from numerics.reconstruction.priors import Prior
from numerics.trade_off import Bracket, Floats
from numerics.validation import LARGEST, Interval, Positive, checked, value

LARGEST_DIMENSION = 1_000_000
Dimension = Annotated[int, Interval(1, LARGEST_DIMENSION)]
_MOST_POINTS = 20_000
_AT_A_TIME = 1 << 22
# Points this close to a ball's rim count as inside: decimals such as 0.1 are rounded when they are read.
_RIM = 1e-12


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
        apart = _apart(points[start : start + rows, None, :] - points, distance)
        for place, reach in enumerate((radius, 2.0 * radius)):
            inside = apart <= reach * (1.0 + _RIM)
            found[place] = max(found[place], float(np.max(inside @ share)))
    return Bracket(*(min(value, 1.0) for value in (found[0], *found)))


def _apart(differences: Floats, distance: Distance) -> Floats:
    order = {Distance.EUCLIDEAN: 2.0, Distance.LARGEST: np.inf, Distance.SUM: 1.0}[distance]
    return np.asarray(np.linalg.norm(differences, order, axis=-1))
