"""Bootstrap replicates of an estimate, from binned losses.

The losses are put once into about 2,500 bins between losses of either group, dense in both tails. A replicate draws the
bins' counts, not the losses: the multinomial law of n losses drawn with replacement. Empirical rates are taken at the
bins' edges only, which can lower a value but not raise it; ``BinnedLosses.value`` is the estimate from the edges, to
compare. Parametric fits use each bin's own mean and mean square, so the whole sample's moments are exact, and
replicates lack only the variation within bins. The transform of the losses stays that of the sample.

A bootstrap interval says how much the estimate would vary, not how far it is from the truth: at small samples it is
biased upwards (correction 25), as ``permutation`` shows. For a guarantee there is the confidence bound.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from numerics.epsilon_star.error_ratios import Clip, Term, ThresholdRates
from numerics.epsilon_star.loss_scores import Transform
from numerics.epsilon_star.normal_ratios import normal_values
from numerics.epsilon_star.result import Method
from numerics.trade_off import Floats
from numerics.validation import Interval, OpenProbability, checked

REPLICATES = 1_000
_CHUNK = 50
_BINS = 1_500
_SEED = 0

BinCounts = np.ndarray[tuple[int, ...], np.dtype[np.int64]]


@dataclass(frozen=True, eq=False)
@checked
class BinnedLosses:
    """Both groups' counts (b,) in bins, with means and mean squares (2, b) of the scores in each bin."""

    train: BinCounts
    population: BinCounts
    train_moments: Floats
    population_moments: Floats

    def value(self, method: Method, delta: OpenProbability, clip: Clip | None) -> float:
        """The estimate itself, from the bins."""
        return float(_values(self, self.train[None], self.population[None], method, delta, clip)[0])


@dataclass(frozen=True, eq=False)
@checked
class Replicates:
    """Values (r,) so far, out of ``total``."""

    values: Floats
    total: int

    @property
    def progress(self) -> float:
        """Share that is done."""
        return len(self.values) / self.total

    @property
    def mean(self) -> float:
        """Mean of the values."""
        return float(self.values.mean())

    def interval(self, level: OpenProbability = 0.95) -> tuple[float, float]:
        """Percentile interval; an estimate of variation, no confidence limits."""
        low, high = np.quantile(self.values, [0.5 * (1.0 - level), 0.5 * (1.0 + level)], method="inverted_cdf")
        return float(low), float(high)


@checked
def binned(train: Floats, population: Floats, transform: Transform) -> BinnedLosses:
    """Bin ascending losses of training data (n,) and of fresh data (m,), which are not all the same."""
    edges = _edges(train, population)
    counts, moments = [], []
    for losses in (train, population):
        starts = np.concatenate([[0], np.searchsorted(losses, edges, "right"), [len(losses)]])
        own, values = np.diff(starts), transform.scores(losses)
        filled = own > 0
        sums = np.zeros((2, len(own)))
        for row, power in enumerate((values, values**2)):
            sums[row, filled] = np.add.reduceat(power, starts[:-1][filled]) / own[filled]
        counts.append(own.astype(np.int64))
        moments.append(sums)
    return BinnedLosses(counts[0], counts[1], moments[0], moments[1])


def _edges(train: Floats, population: Floats) -> Floats:
    """Losses of either group at ranks that are dense in both tails."""
    pieces = []
    for losses in (train, population):
        half = len(losses) // 2
        ranks = np.unique(np.round(np.geomspace(1.0, half + 1.0, min(_BINS // 4, half)))).astype(np.intp) - 1
        even = np.linspace(0, len(losses) - 1, min(_BINS // 3, len(losses))).astype(np.intp)
        pieces += [losses[ranks], losses[len(losses) - 1 - ranks], losses[even]]
    return np.unique(np.concatenate(pieces))


@checked
def bootstrap(
    losses: BinnedLosses,
    method: Method,
    delta: OpenProbability,
    clip: Clip | None = None,
    replicates: Annotated[int, Interval(1, 100_000)] = REPLICATES,
) -> Iterator[Replicates]:
    """Values of the estimate in samples drawn with replacement from each group; yields after every 50.

    ``method`` is EMPIRICAL or PARAMETRIC. Stop iterating to cancel. Raises ValueError for other methods.
    """
    if method not in (Method.EMPIRICAL, Method.PARAMETRIC):
        raise ValueError(f"method must be 'empirical' or 'parametric' to be resampled, got {str(method)!r}.")
    return _chunks(losses, method, delta, clip, replicates)


def _chunks(
    losses: BinnedLosses, method: Method, delta: float, clip: float | None, replicates: int
) -> Iterator[Replicates]:
    rng, values = np.random.default_rng(_SEED), np.empty(0)
    n, m = int(losses.train.sum()), int(losses.population.sum())
    while len(values) < replicates:
        size = min(_CHUNK, replicates - len(values))
        train, population = rng.multinomial(n, losses.train / n, size), rng.multinomial(m, losses.population / m, size)
        values = np.append(values, _values(losses, train, population, method, delta, clip))
        yield Replicates(values, replicates)


def _values(
    losses: BinnedLosses, train: BinCounts, population: BinCounts, method: Method, delta: float, clip: float | None
) -> Floats:
    """Estimates (r,) from replicates' counts (r, b)."""
    if method is Method.EMPIRICAL:
        return _counted(train, population, delta, clip)
    fits = (_moments(train, losses.train_moments), _moments(population, losses.population_moments))
    return normal_values(*fits, np.full(len(train), delta), clip)


def _moments(counts: BinCounts, moments: Floats) -> tuple[Floats, Floats]:
    """Means (r,) and standard deviations (r,) of the scores."""
    mean, square = moments @ counts.T.astype(float) / counts.sum(axis=1)
    return mean, np.sqrt(np.maximum(square - mean**2, np.finfo(float).tiny))


def _counted(train: BinCounts, population: BinCounts, delta: float, clip: float | None) -> Floats:
    """Largest of the four ratios over the bins' edges."""
    members, outsiders = (np.cumsum(counts, axis=1)[:, :-1] for counts in (train, population))
    n, m = (counts.sum(axis=1, keepdims=True) for counts in (train, population))
    rates = ThresholdRates.counted(members, outsiders, n, m).clipped(clip)
    largest = np.ones(len(train))
    with np.errstate(divide="ignore", invalid="ignore"):
        for term in Term:
            gain, cost = rates.compared(term)
            ratio = np.where(gain > delta, (gain - delta) / cost, 0.0)
            largest = np.maximum(largest, ratio.max(axis=1))
    return np.log(largest)
