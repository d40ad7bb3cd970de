"""Statistics of half of a table's records, and how far one swap moves each, for very many swaps at once.

A half is given by the numbers of its records: ``members``. That of a swap is how far the statistic moves, a length,
where one of ``others`` takes a member's place: T are the other members, who stay.
"""

from math import floor
from typing import Annotated, Protocol

import numpy as np
from numpy.typing import NDArray

from numerics.lazy_property import lazy_property
from numerics.membership.halves import LARGEST_POOL, HalfReleases, halves
from numerics.membership.one_swap import OneSwap, SwapNoise
from numerics.trade_off import Floats
from numerics.validation import Interval, Positive, value

Members = NDArray[np.integer]
_HALVES = 400  # of which a spread is estimated
_ROUNDING = 1e-9  # .29 of 100 is 29
_LARGEST = 1e150  # the square is still a number
_FLAT = 1e-14  # of the largest x: more than means of equal numbers differ from them


class TableStatistic(Protocol):
    """What is released of half of the records."""

    @property
    def records(self) -> int:
        """How many the table has, n."""
        ...

    def moved(self, members: Members, others: Members) -> Floats:
        """How far (k,) the statistic of ``members`` (k,) moves when the i-th of ``others`` (k,) replaces the i-th."""
        ...

    @property
    def spread(self) -> float:
        """Root of E ||theta - E theta||^2 over random halves; where that takes too many, of 400 that are drawn."""
        ...

    @property
    def largest(self) -> float:
        """The longest way of any swap of half of these records, which differential privacy counts; maybe infinite."""
        ...

    def swaps(self, noise: SwapNoise, scale: Positive = 1.0) -> OneSwap | None:
        """Its one-swap bound with noise of ``scale``, where it can be computed; else None."""
        ...


@value(eq=False)
class TrimmedMean:
    """The mean without the lowest and the highest ``trimmed`` share: the mean itself (0), and the median (1/2).

    With g members left out at each end, their sum is that of T without g at each end and of the new one, moved into
    between the g-th lowest and the g-th highest of T. So a swap costs nothing to follow.
    """

    values: Floats
    trimmed: Annotated[float, Interval(0.0, 0.5)] = 0.0

    def __post_init__(self) -> None:
        _check_records(self.values)

    @property
    def records(self) -> int:
        return len(self.values)

    def of(self, members: Members) -> Floats:
        """The statistic (...) of halves (..., k)."""
        ends, kept = self._kept(members.shape[-1])
        return np.sort(self.values[members], axis=-1)[..., ends : ends + kept].mean(axis=-1)

    def moved(self, members: Members, others: Members) -> Floats:
        drawn = len(members)
        ends, kept = self._kept(drawn)
        mine, new = self.values[members], self.values[others]
        if ends == 0:
            return np.abs(mine - new) / kept
        around = ends - 1, ends, drawn - ends - 1, drawn - ends
        lowest, low, high, highest = np.partition(mine, around)[list(around)]
        # without the member itself, T's ends are the next ones inwards where it lies beyond them
        least, most = np.where(mine > lowest, lowest, low), np.where(mine < highest, highest, high)
        return np.abs(np.clip(mine, least, most) - np.clip(new, least, most)) / kept

    @property
    def spread(self) -> float:
        """Of the mean by the variance of drawing without replacement."""
        if self._kept(self.records // 2)[0]:
            return _spread(self)
        drawn = self.records // 2
        return float(np.std(self.values, ddof=1)) * float(np.sqrt((1.0 - drawn / self.records) / drawn))

    @property
    def largest(self) -> float:
        """From the smallest value that a half can have next to its g lowest to the largest beside its g highest."""
        ends, kept = self._kept(self.records // 2)
        ascending = np.sort(self.values)
        return float(ascending[-1 - ends] - ascending[ends]) / kept

    def swaps(self, noise: SwapNoise, scale: Positive = 1.0) -> OneSwap | None:
        if self._kept(self.records // 2)[0] == 0:
            return OneSwap.of_mean(self.values, noise, scale)
        return _enumerated(self, noise, scale)

    def _kept(self, drawn: int) -> tuple[int, int]:
        """How many of so many are left out at each end, g, and how many stay."""
        ends = min(floor(self.trimmed * drawn + _ROUNDING), (drawn - 1) // 2)
        return ends, drawn - 2 * ends


@value(eq=False)
class Slope:
    """The coefficient of ``x`` in the least squares of ``y`` on it and a constant, (n,) both; 0 if x does not vary.

    That is judged against the rounding of the largest x. Sums are of distances from the middle of the half itself, and
    without each member they are added up anew: one record far off costs the others no digits.
    """

    x: Floats
    y: Floats

    def __post_init__(self) -> None:
        _check_records(self.x)
        _check_records(self.y)
        if len(self.x) != len(self.y):
            raise ValueError(f"y must have a number for each x, got {len(self.y)} for {len(self.x)}.")

    @property
    def records(self) -> int:
        return len(self.x)

    def of(self, members: Members) -> Floats:
        """The coefficient (...) of halves (..., k)."""
        x, y = (one[members] - one[members].mean(axis=-1, keepdims=True) for one in (self.x, self.y))
        return self._slope(np.sum(x * x, axis=-1), np.sum(x * y, axis=-1), members.shape[-1])

    def moved(self, members: Members, others: Members) -> Floats:
        drawn = len(members)
        middle = np.partition(self.x[members], drawn // 2)[drawn // 2]
        mine, swapped = (self._terms(self.x[who] - middle, self._from_middle[who]) for who in (members, others))
        up, down = np.cumsum(mine, axis=1), np.cumsum(mine[:, ::-1], axis=1)
        swapped[:, 1:] += up[:, :-1]
        swapped[:, :-1] += down[:, -2::-1]
        old, new = (
            self._slope(squares - x * x / drawn, products - x * y / drawn, drawn)
            for x, y, squares, products in (up[:, -1:], swapped)
        )
        return np.abs(new - old)

    @property
    def spread(self) -> float:
        return _spread(self)

    @property
    def largest(self) -> float:
        """Of up to 20 records, by trying all; no limit is known of more: x may hardly vary in a half."""
        if self.records > LARGEST_POOL or self.records % 2:
            return float("inf")
        swaps = _enumerated(self, SwapNoise.LAPLACE)
        assert swaps is not None
        return max(float(np.max(swaps.sizes(record))) for record in range(self.records))

    def swaps(self, noise: SwapNoise, scale: Positive = 1.0) -> OneSwap | None:
        return _enumerated(self, noise, scale)

    @lazy_property
    def _from_middle(self) -> Floats:
        """Distances of y from the table's middle one."""
        return self.y - np.median(self.y)

    @staticmethod
    def _terms(x: Floats, y: Floats) -> Floats:
        """What is summed over a half, of each record (4, k)."""
        return np.stack((x, y, x * x, x * y))

    def _slope(self, varied: Floats, products: Floats, drawn: int) -> Floats:
        """From the sums of squares and of products of distances from the means of so many records."""
        is_flat = varied <= drawn * (_FLAT * float(np.max(np.abs(self.x)))) ** 2
        return np.where(is_flat, 0.0, products / np.where(is_flat, 1.0, varied))


@value(eq=False)
class Histogram:
    """How many of half of the records are in each of the ``bins`` (n,); each is in one."""

    bins: Annotated[NDArray[np.int64], "numbers of bins"]

    @property
    def records(self) -> int:
        return len(self.bins)

    def moved(self, members: Members, others: Members) -> Floats:
        return np.sqrt(2.0) * (self.bins[members] != self.bins[others])

    @property
    def spread(self) -> float:
        """Of all bins together, by the variance of drawing without replacement."""
        shares, drawn = np.unique(self.bins, return_counts=True)[1] / self.records, self.records // 2
        each = drawn * (self.records - drawn) / (self.records - 1) * shares * (1.0 - shares)
        return float(np.sqrt(np.sum(each)))

    @property
    def largest(self) -> float:
        """One more in one bin, one less in another."""
        return float(np.sqrt(2.0)) * float(np.ptp(self.bins) > 0)

    def swaps(self, noise: SwapNoise, scale: Positive = 1.0) -> OneSwap | None:
        return OneSwap.of_histogram(self.bins, noise, scale)


def half_releases(statistic: TrimmedMean | Slope) -> HalfReleases:
    """The statistic of every half, for the exact eta; raises ValueError unless n is even and at most 20."""
    inside = halves(statistic.records)
    values = statistic.of(np.nonzero(inside)[1].reshape(len(inside), -1))
    order = np.argsort(values)
    return HalfReleases(values[order], inside[order])


def _enumerated(statistic: TrimmedMean | Slope, noise: SwapNoise, scale: float = 1.0) -> OneSwap | None:
    """By all halves, where they are few."""
    if statistic.records > LARGEST_POOL or statistic.records % 2:
        return None
    found = half_releases(statistic)
    return OneSwap.of_halves(found.inside, found.statistics, noise, scale)


def _spread(statistic: TrimmedMean | Slope) -> float:
    """Over all halves, or over some."""
    records = statistic.records
    if records <= LARGEST_POOL and records % 2 == 0:
        return half_releases(statistic).spread()
    orders = np.random.default_rng(0).permuted(np.tile(np.arange(records), (_HALVES, 1)), axis=1)
    return float(np.std(statistic.of(orders[:, : records // 2])))


def _check_records(values: Floats) -> None:
    if values.ndim != 1 or len(values) < 2 or not np.isfinite(values).all():
        raise ValueError(f"values must be at least two finite numbers, got shape {values.shape}.")
    Interval(0.0, _LARGEST).check("the size of values", float(np.max(np.abs(values))))
