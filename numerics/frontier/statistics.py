"""Statistics whose noise has a provable scale: what one record can change, and what noise does to them.

Each is a noisy sum of one contribution per person. The number n of people is public. Noise is added to the sum; a mean
or a coefficient is the sum divided by a public number.
"""

from abc import ABC, abstractmethod
from enum import StrEnum
from typing import Annotated, ClassVar

import numpy as np

from numerics.mechanisms import Adjacency
from numerics.validation import Interval, PositiveProbability, value

LARGEST_PEOPLE = 1_000_000_000_000
LARGEST_DIMENSION = 1_000_000
People = Annotated[int, Interval(2, LARGEST_PEOPLE)]


class StatisticNoise(StrEnum):
    """The law of the noise on the sum, and what its scale is."""

    GAUSSIAN = "Gaussian"  # scale: the standard deviation of each coordinate
    LAPLACE = "Laplace"  # scale: b of each coordinate
    RADIAL = "radial"  # scale: b of the density exp(-||x||_2/b) (paper 002)


@value
class Statistic(ABC):
    """A released sum of bounded contributions of ``people``; sizes are in the unit of a contribution.

    Raises ValueError (TypeError for counts that are no whole numbers) at construction.
    """

    people: People

    unit: ClassVar[str]
    signed: ClassVar[bool] = True
    """Whether a record may pull the sum in any direction, so that not knowing it leaves a direction to guess."""

    @property
    @abstractmethod
    def label(self) -> str:
        """The statistic in words."""

    @property
    @abstractmethod
    def dimension(self) -> int:
        """How many numbers are released."""

    @property
    def free_dimension(self) -> int:
        """Dimensions in which people differ; less where the contributions add up to a known number."""
        return self.dimension

    @property
    @abstractmethod
    def radius(self) -> float:
        """Radius of the least ball, with a public centre, that holds every contribution."""

    @abstractmethod
    def sensitivity(self, adjacency: Adjacency) -> float:
        """Largest change of the sum in Euclidean length between neighbouring data sets; attained."""

    @abstractmethod
    def l1_sensitivity(self, adjacency: Adjacency) -> float:
        """Largest change of the sum in the sum of absolute values; attained."""

    @abstractmethod
    def unit_error(self, noise: StatisticNoise) -> float:
        """Error of the statistic per unit scale of ``noise`` on the sum."""

    @property
    @abstractmethod
    def sampling_error(self) -> float:
        """Largest error without any noise, from looking at ``people`` drawn from a large population; same measure.

        Of a histogram that for bins filled alike; few full bins may err more.
        """

    @property
    def half_spread(self) -> float:
        """At most this is the root of E ||theta - E theta||^2, theta the sum over a random half of a pool of 2n people.

        A sum of n drawn without replacement from 2n has variance n (n/(2n - 1)) v, v the variance within the pool,
        which is at most the radius squared. By Jensen's inequality it bounds E ||theta - E theta|| too.
        """
        return self.radius * self.people / float(np.sqrt(2.0 * self.people - 1.0))


@value
class _Vector(Statistic):
    """A vector of Euclidean length at most 1 per person; the error is the root mean square over coordinates."""

    dimensions: Annotated[int, Interval(1, LARGEST_DIMENSION)] = 1

    @property
    def dimension(self) -> int:
        return self.dimensions

    @property
    def radius(self) -> float:
        return 1.0

    def sensitivity(self, adjacency: Adjacency) -> float:
        """One unit vector more, or one turned round."""
        return adjacency.reach

    def l1_sensitivity(self, adjacency: Adjacency) -> float:
        """The same for the vector whose entries are all equal."""
        return adjacency.reach * float(np.sqrt(self.dimensions))

    def unit_error(self, noise: StatisticNoise) -> float:
        """Standard deviation of a coordinate: 1, sqrt 2, and sqrt(d + 1), for the radius is Gamma(d) distributed."""
        spread = {
            StatisticNoise.GAUSSIAN: 1.0,
            StatisticNoise.LAPLACE: np.sqrt(2.0),
            StatisticNoise.RADIAL: np.sqrt(self.dimensions + 1.0),
        }
        return float(spread[noise]) * self._weight

    @property
    def _weight(self) -> float:
        """The statistic per unit of the sum."""
        return 1.0 / self.people


@value
class Mean(_Vector):
    """Mean of vectors in the ball of radius 1 around 0, in ``dimensions`` dimensions; error per coordinate."""

    unit: ClassVar[str] = "of the largest value"

    @property
    def label(self) -> str:
        return f"a mean over {self.people:,} people" + (f" in {self.dimensions:,} dimensions" * (self.dimensions > 1))

    @property
    def sampling_error(self) -> float:
        """1/sqrt(n d): the squared lengths are at most 1, shared among d coordinates."""
        return 1.0 / float(np.sqrt(float(self.people) * self.dimensions))


@value
class RegressionCoefficient(_Vector):
    """Coefficients of y on ``dimensions`` covariates x, ||x|| <= 1 and |y| <= 1, whose second moments are public.

    The estimate is (d/v) times the mean of x y: least squares with E x x' = (v/d) I known, as for covariates that
    were standardised with public numbers; v is ``spread``. The vector x y lies in the unit ball in any direction, and
    the noise on it turns into that of the coefficients exactly. Error per coefficient.
    """

    spread: PositiveProbability = 0.25
    unit: ClassVar[str] = "(x and y at most 1)"

    @property
    def label(self) -> str:
        many = f"{self.dimensions:,} regression coefficients" if self.dimensions > 1 else "a regression coefficient"
        return f"{many} over {self.people:,} people"

    @property
    def _weight(self) -> float:
        return self.dimensions / (self.spread * self.people)

    @property
    def sampling_error(self) -> float:
        """sqrt(d/(n v)): E ||x y||^2 is at most v, and every coordinate is multiplied by d/v."""
        return float(np.sqrt(self.dimensions / (self.spread * self.people)))
