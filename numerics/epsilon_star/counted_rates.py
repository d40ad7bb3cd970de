"""The four ratios of epsilon* from counted error rates, over every threshold between distinct losses.

A million losses have a million thresholds, and nearly all of them cannot hold a maximum. The rates grow or fall with
the threshold, so over a block of thresholds a ratio is at most its largest gain over its smallest cost, both at the
block's ends. Only blocks that might exceed what was found at the ends are looked into.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from numerics.epsilon_star.error_ratios import Peak, Term, ThresholdRates
from numerics.trade_off import Floats

_BLOCK = 512  # losses; at a million of them the ends of the blocks cost as little as the blocks looked into

_LEFT, _RIGHT = slice(None, -1), slice(1, None)

Peaks = tuple[Peak, ...]


class _Groups(NamedTuple):
    """Ascending losses of both groups."""

    train: Floats
    population: Floats


class CountedRates(NamedTuple):
    """Ascending thresholds (k,), and the rates there."""

    threshold: Floats
    rates: ThresholdRates

    def after_the_first(self) -> "CountedRates":
        """Without the first threshold, below which nobody is."""
        return CountedRates(self.threshold[1:], ThresholdRates(*(rate[1:] for rate in self.rates)))


def counted_peaks(train: Floats, population: Floats, delta: float, clip: float | None) -> tuple[Peaks, Peaks]:
    """Largest ratios for ascending losses of both groups, each the largest first: with ``clip``, and without.

    Ties are exact: at a threshold everybody with that very loss is accused. A ratio is infinite where its numerator is
    positive while nobody of the other group is on that side.
    """
    groups = _Groups(train, population)
    ends = _rates(groups, np.unique(np.concatenate([_ends(train), _ends(population), _before_the_other(groups)])))
    free = _peaks(groups, ends, delta, None)
    return (free if clip is None else _peaks(groups, ends, delta, clip)), free


def peaks_at(rates: CountedRates, delta: float, clip: float | None) -> Peaks:
    """Largest ratios over these thresholds alone, the largest first."""
    return _sorted(_best_at(rates, delta, clip))


def bounds_between(ends: CountedRates, delta: float, clip: float | None) -> Mapping[Term, Floats]:
    """What the logs of the ratios cannot exceed at any threshold between neighbouring ends, (k - 1,)."""
    bounds, cut = {}, ends.rates.clipped(clip)
    for term in Term:
        gain, cost = cut.compared(term)
        largest, smallest = np.maximum(gain[_LEFT], gain[_RIGHT]), np.minimum(cost[_LEFT], cost[_RIGHT])
        bounds[term] = _log_ratio(largest, smallest, delta)
    return bounds


def _ends(losses: Floats) -> Floats:
    return np.append(losses[::_BLOCK], losses[-1])


def _before_the_other(groups: _Groups) -> Floats:
    """The last loss of either group below all of the other: there an infinite ratio has its largest numerator."""
    lowest = groups.population[0], groups.train[0]
    return np.concatenate([own[own < low][-1:] for own, low in zip(groups, lowest, strict=True)])


def _rates(groups: _Groups, threshold: Floats) -> CountedRates:
    members, outsiders = (np.searchsorted(losses, threshold, side="right") for losses in groups)
    return CountedRates(threshold, ThresholdRates.counted(members, outsiders, *map(len, groups)))


def _peaks(groups: _Groups, ends: CountedRates, delta: float, clip: float | None) -> Peaks:
    best = _best_at(ends, delta, clip)
    inside = _within(groups, _promising(ends, delta, clip, best))
    if len(inside):
        _improve(best, _rates(groups, inside), delta, clip)
    return _sorted(best)


def _best_at(rates: CountedRates, delta: float, clip: float | None) -> dict[Term, Peak]:
    best = {term: Peak(term, -np.inf, float(rates.threshold[0]), 0.0, 1.0) for term in Term}
    _improve(best, rates, delta, clip)
    return best


def _sorted(best: dict[Term, Peak]) -> Peaks:
    return tuple(sorted(best.values(), key=lambda peak: (-peak.log_ratio, -_named(peak))))


def _named(peak: Peak) -> float:
    """The share of a group that the peak's ratio has in its numerator."""
    t, eta = np.array(peak.false_positive_rate), np.array(peak.false_negative_rate)
    return float(ThresholdRates(t, 1.0 - t, eta, 1.0 - eta).compared(peak.term)[0])


def _promising(
    ends: CountedRates, delta: float, clip: float | None, best: dict[Term, Peak]
) -> list[tuple[float, float]]:
    """Intervals between two ends, open, in which some ratio may exceed its best so far."""
    chosen = np.zeros(len(ends.threshold) - 1, dtype=bool)
    for term, bound in bounds_between(ends, delta, clip).items():
        chosen |= bound > best[term].log_ratio
    return list(zip(ends.threshold[_LEFT][chosen], ends.threshold[_RIGHT][chosen], strict=True))


def _within(groups: _Groups, intervals: list[tuple[float, float]]) -> Floats:
    """Losses of either group inside the open intervals."""
    if not intervals:
        return np.empty(0)
    low, high = (np.array(side) for side in zip(*intervals, strict=True))
    pieces = []
    for losses in groups:
        first, last = np.searchsorted(losses, low, side="right"), np.searchsorted(losses, high, side="left")
        pieces += [losses[start:stop] for start, stop in zip(first, last, strict=True) if start < stop]
    return np.unique(np.concatenate(pieces)) if pieces else np.empty(0)


def _improve(best: dict[Term, Peak], found: CountedRates, delta: float, clip: float | None) -> None:
    """Replace the peaks that ratios of the clipped rates exceed."""
    (threshold, rates), cut = found, found.rates.clipped(clip)
    for term in Term:
        gain, cost = cut.compared(term)
        log_ratio = _log_ratio(gain, cost, delta)
        # Of infinite ratios the one that names most people.
        index = int(np.argmax(np.where(log_ratio == log_ratio.max(), gain, -1.0)))
        if log_ratio[index] > best[term].log_ratio:
            place = float(threshold[index]), float(rates.t[index]), float(rates.eta[index])
            best[term] = Peak(term, float(log_ratio[index]), *place)


def _log_ratio(gain: Floats, cost: Floats, delta: float) -> Floats:
    """Log of (gain - delta) / cost; -inf where the gain is not above delta."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(gain > delta, np.log(np.maximum(gain - delta, 0.0) / cost), -np.inf)
