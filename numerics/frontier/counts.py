"""Counts: how many people have a property, or fall into each of several bins."""

from functools import lru_cache
from typing import Annotated, ClassVar

import numpy as np
from scipy.special import gammaln, log_ndtr

from numerics.frontier.statistics import LARGEST_DIMENSION, Statistic, StatisticNoise
from numerics.mechanisms import Adjacency
from numerics.validation import Interval, value

_NODES = 400
_FURTHEST = 14.0  # normal deviates beyond are too rare for the largest of a million


@value
class Count(Statistic):
    """How many of the people have a property: a person adds 0 or 1."""

    unit: ClassVar[str] = "people"
    signed: ClassVar[bool] = False

    @property
    def label(self) -> str:
        return f"a count among {self.people:,} people"

    @property
    def dimension(self) -> int:
        return 1

    @property
    def radius(self) -> float:
        """Around 1/2."""
        return 0.5

    def sensitivity(self, adjacency: Adjacency) -> float:
        """1, also for a replaced record."""
        return 1.0

    def l1_sensitivity(self, adjacency: Adjacency) -> float:
        """1, also for a replaced record."""
        return 1.0

    def unit_error(self, noise: StatisticNoise) -> float:
        """Standard deviation: 1, and sqrt 2 for Laplace noise, which is the radial noise of one dimension."""
        errors = {
            StatisticNoise.GAUSSIAN: 1.0,
            StatisticNoise.LAPLACE: np.sqrt(2.0),
            StatisticNoise.RADIAL: np.sqrt(2.0),
        }
        return float(errors[noise])

    @property
    def sampling_error(self) -> float:
        """sqrt(n)/2: binomial, at one half."""
        return 0.5 * float(np.sqrt(self.people))


@value
class Histogram(Statistic):
    """How many of the people fall into each of ``bins`` bins, one each; the error is that of the worst bin.

    That is the expected largest of the bins' absolute errors.
    """

    bins: Annotated[int, Interval(2, LARGEST_DIMENSION)] = 10
    unit: ClassVar[str] = "people in the worst bin"
    signed: ClassVar[bool] = False

    @property
    def label(self) -> str:
        return f"a histogram of {self.people:,} people in {self.bins:,} bins"

    @property
    def dimension(self) -> int:
        return self.bins

    @property
    def free_dimension(self) -> int:
        """One less than the bins: their sum is known."""
        return self.bins - 1

    @property
    def radius(self) -> float:
        """sqrt(1 - 1/k): from the centre of a simplex to its corners."""
        return float(np.sqrt(1.0 - 1.0 / self.bins))

    def sensitivity(self, adjacency: Adjacency) -> float:
        """One bin by one, or two bins by one each."""
        return float(np.sqrt(adjacency.reach))

    def l1_sensitivity(self, adjacency: Adjacency) -> float:
        """One bin by one, or two bins by one each."""
        return adjacency.reach

    def unit_error(self, noise: StatisticNoise) -> float:
        """Expected largest of k: M_k for normal noise, the harmonic number for Laplace, k M_k / E chi_k for radial.

        Radial noise is a Gamma(k) radius times a direction, and so are k normals with their own radius.
        """
        largest = largest_of_normals(self.bins)
        errors = {
            StatisticNoise.GAUSSIAN: largest,
            StatisticNoise.LAPLACE: float(np.sum(1.0 / np.arange(1, self.bins + 1))),
            StatisticNoise.RADIAL: self.bins * largest / _mean_radius(self.bins),
        }
        return errors[noise]

    @property
    def sampling_error(self) -> float:
        """M_k sqrt(n (1 - 1/k)/k) for bins that are filled alike, each count taken for normal.

        An upper limit for such counts although they are correlated (Sidak 1967); two bins err alike, so M_1 is theirs.
        """
        different = self.bins if self.bins > 2 else 1
        return largest_of_normals(different) * self.radius * float(np.sqrt(self.people / self.bins))


@lru_cache(maxsize=256)
def largest_of_normals(count: int) -> float:
    """Expected largest absolute value of ``count`` independent standard normals: the integral of 1 - (2 Phi - 1)^k."""
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    x = 0.5 * _FURTHEST * (1.0 + nodes)
    above = -np.expm1(count * np.log1p(-2.0 * np.exp(log_ndtr(-x))))
    return float(0.5 * _FURTHEST * (weights @ above))


def _mean_radius(dimension: int) -> float:
    """Expected length of ``dimension`` standard normals."""
    return float(np.sqrt(2.0) * np.exp(gammaln(0.5 * (dimension + 1.0)) - gammaln(0.5 * dimension)))
