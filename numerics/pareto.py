"""What a set of strategies leaves to choose from: two goals, and the strategies that no other one beats in both.

Utility and privacy are arrays (n,) of which larger is better; ``oriented`` makes them so. Paper 001, Section 4.2.
"""

from enum import StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from numerics.trade_off import Floats
from numerics.validation import checked

Mask = NDArray[np.bool_]
Codes = NDArray[np.integer]
_ROUNDING = 4 * float(np.finfo(float).eps)  # of four coordinates, none above 1


class Better(StrEnum):
    """Which end of an axis is wanted; the values are the labels."""

    HIGHER = "higher is better"
    LOWER = "lower is better"


class Averages(NamedTuple):
    """Of the runs of each strategy, (m,): their mean, the smallest and the largest."""

    mean: Floats
    low: Floats
    high: Floats


@checked
def oriented(values: Floats, better: Better) -> Floats:
    """The values with their sign such that larger is better."""
    return values if better is Better.HIGHER else -values


@checked
def non_dominated(utility: Floats, privacy: Floats) -> Mask:
    """Which points (n,) no other one beats: better in one goal, and no worse in the other. Equal points all stay.

    Raises ValueError for arrays of different shapes, or with numbers that are not finite.
    """
    _check(utility, privacy)
    order = np.lexsort((-utility, -privacy))
    falling, ranked = privacy[order], utility[order]
    best = np.maximum.accumulate(ranked)
    first = np.searchsorted(-falling, -falling, side="left")  # of those that are as private
    before = np.where(first > 0, best[np.maximum(first - 1, 0)], -np.inf)
    mask = np.zeros(len(utility), dtype=bool)
    mask[order] = (ranked == ranked[first]) & (ranked > before)
    return mask


@checked
def hull(utility: Floats, privacy: Floats) -> Mask:
    """Which points (n,) are corners of the convex hull, on its part from the most private to the most useful.

    This is the Pareto frontier of paper 001: no mixture of two other points is better in one goal and no worse in the
    other. Points on a straight stretch between two corners, to within rounding, are left out. Equal points all stay.

    Raises ValueError as ``non_dominated``.
    """
    candidates = np.flatnonzero(non_dominated(utility, privacy))
    x, y = _scaled(privacy[candidates]), _scaled(utility[candidates])
    order = np.lexsort((-y, x))
    corners: list[int] = []
    for place in order:
        while len(corners) > 1 and not _turns_right(x, y, corners[-2], corners[-1], place):
            corners.pop()
        if not corners or x[place] != x[corners[-1]]:
            corners.append(place)
    mask = np.zeros(len(utility), dtype=bool)
    is_corner = np.isin(x, x[corners])  # no two of the candidates differ in one goal only
    mask[candidates[is_corner]] = True
    return mask


def _turns_right(x: Floats, y: Floats, first: int, second: int, third: int) -> bool:
    """Whether the second point lies above the line from the first to the third, by more than its numbers' rounding."""
    along, up = x[third] - x[first], y[third] - y[first]
    rise = (y[second] - y[first]) * along - up * (x[second] - x[first])
    return bool(rise > _ROUNDING * (along + abs(up)))


def _scaled(values: Floats) -> Floats:
    """The values divided by the power of two next to the largest, so that products of them are numbers."""
    _, exponent = np.frexp(np.abs(values).max(initial=0.0))
    return np.ldexp(values, -int(exponent))


@checked
def elbow(utility: Floats, privacy: Floats) -> int | None:
    """The point farthest from the straight line between the frontier's ends, on its better side; its index.

    Both goals are scaled so that the ends are at 0 and 1. There the distance is proportional to utility + privacy - 1,
    so the point is always a corner of the hull, and the same one whichever frontier it is looked for on. Of equally
    far ones, the most private. None where no point lies beyond the line: then mixing the two ends does as well.

    Raises ValueError as ``non_dominated``.
    """
    places = np.flatnonzero(hull(utility, privacy))
    x, y = _scaled(privacy[places]), _scaled(utility[places])
    between = np.flatnonzero((x > x.min(initial=np.inf)) & (x < x.max(initial=-np.inf)))
    if not len(between):
        return None
    beyond = (x - x.min()) / np.ptp(x) + (y - y.min()) / np.ptp(y)
    farthest = between[beyond[between] == beyond[between].max()]
    return int(places[farthest[np.argmax(x[farthest])]])


@checked
def best_within(utility: Floats, privacy: Floats, least_privacy: float) -> int | None:
    """The most useful point that is at least so private; of equally useful ones, the most private. Its index.

    None where no point is private enough. Raises ValueError as ``non_dominated``.
    """
    _check(utility, privacy)
    allowed = np.flatnonzero(privacy >= least_privacy)
    if not len(allowed):
        return None
    return int(allowed[np.lexsort((privacy[allowed], utility[allowed]))[-1]])


@checked
def averages(strategy: Codes, values: Floats, low: Floats | None = None, high: Floats | None = None) -> Averages:
    """Mean, smallest and largest value of the runs of each strategy.

    Args:
        strategy: code of each run's strategy, (n,): 0 ... m - 1, each of them at least once.
        values: of the runs, (n,).
        low: lower ends of the values, (n,), where each of them is a mean already.
        high: their upper ends.

    Raises:
        ValueError: a strategy has no run, or a value is not finite.
    """
    counts = np.bincount(strategy)
    if not counts.all():
        raise ValueError(f"strategy must have every code from 0 on, got none of {int(np.argmin(counts))}.")
    _refuse_infinite("values", values)
    order = np.argsort(strategy, kind="stable")
    starts = np.cumsum(counts) - counts
    smallest = np.minimum.reduceat(values[order], starts)
    largest = np.maximum.reduceat(values[order], starts)
    shares = np.bincount(strategy, values / counts[strategy])  # the sum itself might be too large
    mean: Floats = np.clip(shares, smallest, largest)
    return Averages(
        mean,
        smallest if low is None else np.minimum.reduceat(low[order], starts),
        largest if high is None else np.maximum.reduceat(high[order], starts),
    )


def _check(utility: Floats, privacy: Floats) -> None:
    if utility.shape != privacy.shape or utility.ndim != 1:
        raise ValueError(f"utility and privacy must have one number a point, got {utility.shape} and {privacy.shape}.")
    _refuse_infinite("utility", utility)
    _refuse_infinite("privacy", privacy)


def _refuse_infinite(name: str, values: Floats) -> None:
    is_finite = np.isfinite(values)
    if not is_finite.all():
        raise ValueError(f"{name} must be finite, got {float(values[np.argmin(is_finite)])!r}.")
