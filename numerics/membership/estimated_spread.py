"""Paper 002 Algorithm 1: noise whose scale is estimated from the private data, here for the mean of numbers.

The spread of the statistic over random halves is estimated from ``budget`` B halves of the half that is used. What the
paper says of it: with few of them the spread may come out too small (``chance_of_too_little``). What it does not say:
the noise's scale itself then depends on who is in the data, and the noise tells it (correction 34). The guarantee is
void for data with one record far from the others, however large B is.

Our copy of the algorithm has powers of differences without bars; they are read as in Corollary 10 (correction 34).
"""

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammainc

from numerics.membership.advantage import PositiveEta
from numerics.membership.noise_scale import corollary_14_scale
from numerics.trade_off import Floats
from numerics.validation import Interval, Positive, checked, value

LARGEST_BUDGET = 10_000
Budget = Annotated[int, Interval(2, LARGEST_BUDGET)]
_LARGEST_DRAW = 50_000_000
_OF_A_MEAN = float(np.sqrt(2.0))


@checked
def chance_of_too_little(budget: Budget, inflation: Positive = _OF_A_MEAN) -> float:
    """Probability that the estimate (M = 2) is below the spread that counts, when the statistic is normal.

    B means have the variance estimate s^2 chi2_{B-1} / B, divided by B as in the paper, where s is ``inflation``
    times the spread that counts: sqrt 2 for a mean, as the halves of a half are half as large; 1 if they were not.
    """
    return float(gammainc(0.5 * (budget - 1), 0.5 * budget / inflation**2))


class Draws(NamedTuple):
    """Independent runs: who was used (s, n), the spread estimated (s,) and what was released (s,)."""

    inside: NDArray[np.bool_]
    spread: Floats
    release: Floats


@value(eq=False)
class EstimatedNoise:
    """Algorithm 1 for the mean of ``data`` (n,), n a multiple of 4; noise of scale (6.16 / ``eta``)^(1 + 2/M) spread.

    Raises ValueError for another number of records.
    """

    data: Floats
    eta: PositiveEta
    budget: Budget = 100
    moment: Annotated[float, Interval(2.0, 1e6)] = 2.0

    def __post_init__(self) -> None:
        if self.data.ndim != 1 or len(self.data) % 4 or not len(self.data) or not np.isfinite(self.data).all():
            raise ValueError(f"data must be a vector of 4, 8, 12 ... finite numbers, got shape {self.data.shape}.")

    def draw(self, generator: np.random.Generator, size: Annotated[int, Interval(1, 1_000_000)]) -> Draws:
        """``size`` independent runs. Raises ValueError where they take more than 50 million numbers."""
        used = len(self.data) // 2
        Interval(1, _LARGEST_DRAW // (self.budget * used)).check("size", size)
        order = np.argsort(generator.random((size, len(self.data))), axis=1)[:, :used]
        train = self.data[order]
        inside = np.zeros((size, len(self.data)), dtype=bool)
        np.put_along_axis(inside, order, True, axis=1)
        means = np.empty((self.budget, size))
        for each in means:
            taken = np.argpartition(generator.random((size, used)), used // 2 - 1, axis=1)[:, : used // 2]
            each[:] = np.take_along_axis(train, taken, axis=1).mean(axis=1)
        deviation = np.abs(means - means.mean(axis=0))
        spread = np.mean(deviation**self.moment, axis=0) ** (1.0 / self.moment)
        scale = np.array([corollary_14_scale(self.eta, 1.0, self.moment)]) * spread
        return Draws(inside, spread, train.mean(axis=1) + scale * generator.laplace(size=size))


@checked
def found_by_size(draws: Draws, record: Annotated[int, Interval(0, 1_000_000)]) -> float:
    """How much more often than one half a record is named right by the size of the release alone.

    The threshold is chosen on the first half of the runs and used on the second: an attack, not the best one.
    """
    size, member = np.abs(draws.release - np.median(draws.release)), draws.inside[:, record]
    first = len(size) // 2
    order = np.argsort(size[:first])
    right = np.cumsum(np.where(member[:first][order], -1, 1))
    threshold, says_in = size[:first][order][np.argmax(np.abs(right))], right[np.argmax(np.abs(right))] > 0
    return float(np.mean(((size[first:] > threshold) == says_in) == member[first:]) - 0.5)
