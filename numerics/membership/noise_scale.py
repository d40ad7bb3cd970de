"""Scale b of noise with density proportional to exp(-||x||/b) that makes a release eta-private.

The statistic theta of a random half of the data is released. How much noise its spread calls for:

- paper 002 Thm 9 and Cor. 14, from a moment of the spread; proved in print for one dimension only (correction 31);
- differential privacy, from the largest change by one replaced record.

The one-swap bound (``one_swap``), from the mean change, asks for less than either.
"""

from typing import Annotated, NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.special import gammainc, gammaincc

from numerics.membership.advantage import Eta, PositiveEta, epsilon_for_eta
from numerics.trade_off import Floats
from numerics.validation import LARGEST, Interval, NonNegative, Positive, checked, value

THEOREM_9, COROLLARY_14 = 7.5, 6.16


@checked
def theorem_9_scale(
    eta: PositiveEta, spread: NonNegative = 1.0, moment: Annotated[float, Interval(1.0, np.inf, "be at least 1")] = 2.0
) -> float:
    """(7.5/eta)^(1 + 2/M) times ``spread``, the M-th root of E ||theta - E theta||^M; ``moment`` M >= 1."""
    return _moment_scale(THEOREM_9, eta, spread, moment)


@checked
def corollary_14_scale(
    eta: PositiveEta, spread: NonNegative = 1.0, moment: Annotated[float, Interval(2.0, np.inf, "be at least 2")] = 2.0
) -> float:
    """(6.16/eta)^(1 + 2/M) times ``spread``, the M-th root of E ||theta - E theta||^M; ``moment`` M >= 2."""
    return _moment_scale(COROLLARY_14, eta, spread, moment)


def _moment_scale(constant: float, eta: float, spread: float, moment: float) -> float:
    return float((constant / eta) ** (1.0 + 2.0 / moment) * spread)


@checked
def private_scale(eta: Eta, sensitivity: NonNegative) -> float:
    """Sensitivity / epsilon, with the epsilon that guarantees ``eta``; ``sensitivity`` to a replaced record.

    For eta = 1/2 no noise is needed: 0.
    """
    if eta == 0.0:
        raise ValueError("eta must be positive: eta 0 needs infinite noise, got 0.")
    return sensitivity / epsilon_for_eta(eta)


@checked
def crossing(sensitivity: Positive, spread: Positive = 1.0) -> float | None:
    """Smallest eta at which the paper's noise (M = 2) is no more than that of differential privacy (002 Fig. 1).

    None where differential privacy always needs less.
    """

    def excess(eta: float) -> float:
        paper, private = corollary_14_scale(eta, spread, 2.0), private_scale(eta, sensitivity)
        return float(np.log(paper / private))

    # The ratio falls like 1/eta and rises again only near eta = 1/2, where differential privacy needs no noise.
    least = scipy.optimize.minimize_scalar(excess, bounds=(1e-3, 0.4999), method="bounded", options={"xatol": 1e-9})
    if least.fun > 0.0:
        return None
    return float(scipy.optimize.brentq(excess, 1e-12, least.x, xtol=1e-18, rtol=1e-14))


# Noise with density proportional to exp(-||x||/c), the norm weighing each coordinate by its own spread.


LARGEST_DRAW = 50_000_000


@value
class NormNoise:
    """Density proportional to exp(-||x||/``scale``), with ||x||^M = sum |x_i / spread_i|^M (paper 002 Cor. 10).

    The norm of a draw is Gamma(d, scale) distributed and its direction follows the cone measure. The Laplace radius
    of the paper is wrong beyond one dimension and breaks the guarantee (correction 33).

    Attributes:
        scale: c, above zero.
        spreads: one positive number a coordinate; they must not be taken from the private data.
        moment: M >= 1.
    """

    scale: Positive
    spreads: tuple[Positive, ...]
    moment: Annotated[float, Interval(1.0, LARGEST, "be finite and at least 1")] = 2.0

    def __post_init__(self) -> None:
        if not self.spreads:
            raise ValueError("spreads must not be empty.")

    @property
    def dimension(self) -> int:
        """Number of coordinates d."""
        return len(self.spreads)

    def norm(self, x: Floats) -> Floats:
        """Norms (...) of vectors (..., d)."""
        ratio = np.abs(x) / np.array(self.spreads)
        largest = np.max(ratio, axis=-1, keepdims=True)
        shares = ratio / np.where(largest > 0.0, largest, 1.0)
        return largest[..., 0] * np.sum(shares**self.moment, axis=-1) ** (1.0 / self.moment)

    def tail(self, radius: NonNegative) -> float:
        """P(||X|| > ``radius``)."""
        return float(gammaincc(self.dimension, radius / self.scale))

    def draw(self, generator: np.random.Generator, size: int) -> Floats:
        """Independent draws (size, d). Raises ValueError above 50 million numbers."""
        Interval(1, max(1, LARGEST_DRAW // self.dimension)).check("size", size)
        radius = generator.gamma(self.dimension, self.scale, size)
        normal = generalised_normal(self.moment, (size, self.dimension), generator) * np.array(self.spreads)
        return normal * (radius / self.norm(normal))[:, None]


def generalised_normal(moment: float, shape: tuple[int, ...], generator: np.random.Generator) -> Floats:
    """Draws of density proportional to exp(-|y|^M).

    |Y|^M is Gamma(1/M); drawn as Gamma(1 + 1/M) U^M, whose root does not underflow to 0 for a large M.
    """
    size = generator.gamma(1.0 + 1.0 / moment, size=shape) ** (1.0 / moment) * (1.0 - generator.random(shape))
    return np.where(generator.random(shape) < 0.5, -size, size)


# Paper 002 Algorithm 1: noise whose scale is estimated from the private data, here for the mean of numbers.
#
# The spread of the statistic over random halves is estimated from ``budget`` B halves of the half that is used. What
# the paper says of it: with few of them the spread may come out too small (``chance_of_too_little``). What it does not
# say: the noise's scale itself then depends on who is in the data, and the noise tells it (correction 34). The
# guarantee is void for data with one record far from the others, however large B is.
#
# Our copy of the algorithm has powers of differences without bars; they are read as in Corollary 10 (correction 34).


LARGEST_BUDGET = 10_000
Budget = Annotated[int, Interval(2, LARGEST_BUDGET)]
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
        Interval(1, LARGEST_DRAW // (self.budget * used)).check("size", size)
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
