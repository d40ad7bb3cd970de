"""Epsilon* of losses that are not here: from sizes, ranges, moments and counts in bins, as any database returns them.

What the methods of ``estimators`` find with all losses at hand, these find without:

- parametric: the same number, as the fit needs two moments of the scores only;
- empirical: the same number once ``loss_bins`` are refined where it matters, else an interval that contains it;
- lower confidence bound: the same number once the bins at its thresholds are settled. In bins that are not, the losses
  are taken in the order that shows least, so the bound is smaller and stays valid although the bins were chosen by the
  losses: at each of its fixed ranks, the count it rests on is at most the true one.
"""

from dataclasses import dataclass

import numpy as np

from numerics.epsilon_star.audit_caveats import Evidence
from numerics.epsilon_star.confidence import LEVEL, lower_bound_by_term
from numerics.epsilon_star.counted_rates import CountedRates, peaks_at
from numerics.epsilon_star.error_ratios import Normal, Term
from numerics.epsilon_star.error_ratios import peaks as peaks_of
from numerics.epsilon_star.estimators import SMALLEST_GROUP
from numerics.epsilon_star.loss_bins import LossBins, bounds_inside
from numerics.epsilon_star.loss_scores import scores
from numerics.epsilon_star.result import EpsilonStar, Method, check, value_of

_SAME = 1e-12  # relative: two sums of the same numbers in different order


@dataclass(frozen=True)
class Moments:
    """One group in five numbers: size, range of the losses, mean and variance (divided by the size) of the scores."""

    size: int
    lowest: float
    highest: float
    mean: float
    variance: float


@dataclass(frozen=True, eq=False)
class Summary:
    """Both groups: moments, and counts in bins."""

    train: Moments
    population: Moments
    bins: LossBins

    @property
    def evidence(self) -> Evidence:
        """What the losses look like.

        Groups count as identical where range, size, moments and the counts of all bins agree.
        """
        train, population = self.train, self.population
        return Evidence(
            train.size,
            population.size,
            min(train.lowest, population.lowest),
            max(train.highest, population.highest),
            separated=train.highest < population.lowest or population.highest < train.lowest,
            identical=(train.size, train.lowest, train.highest)
            == (population.size, population.lowest, population.highest)
            and bool(np.array_equal(self.bins.train, self.bins.population))
            and bool(np.isclose(train.mean, population.mean, _SAME, 0.0))
            and bool(np.isclose(train.variance, population.variance, _SAME, 0.0)),
            few_values=any(self.bins.take_few_values(counts) for counts in (self.bins.train, self.bins.population)),
        )


@dataclass(frozen=True)
class Counting:
    """The empirical estimate from bins.

    Attributes:
        found: the largest ratio at the end of a bin: a threshold that exists, with its exact rates.
        at_most: what the estimate of all losses cannot exceed; ``found.value`` where the bins are fine enough.
    """

    found: EpsilonStar
    at_most: float


def check_groups(train_size: int, population_size: int, lowest: float, highest: float) -> None:
    """Raise ValueError when a group has fewer than ten losses, or when all losses are the same."""
    for name, size in (("train_losses", train_size), ("population_losses", population_size)):
        if size < SMALLEST_GROUP:
            raise ValueError(f"{name} must be a vector of at least {SMALLEST_GROUP} losses, got {size}.")
    if lowest == highest:
        raise ValueError(f"losses must differ, but all of them are {lowest!r}.")


def parametric(summary: Summary, delta: float, clip: float | None = None) -> EpsilonStar:
    """Normal laws with the moments of the scores; thresholds are scores.

    Raises ValueError unless 0 < delta < 1 and 0 < clip < 1/2, and when all losses of a group are the same.
    """
    check(delta, clip)
    evidence = summary.evidence
    fits = _fit(summary.train, evidence, "train_losses"), _fit(summary.population, evidence, "population_losses")
    unclipped = peaks_of(*fits, delta, None)
    peaks = unclipped if clip is None else peaks_of(*fits, delta, clip)
    return EpsilonStar(value_of(peaks), delta, Method.PARAMETRIC, peaks, clip, value_of(unclipped), evidence, fits)


def _fit(group: Moments, evidence: Evidence, name: str) -> Normal:
    low, high = scores(np.array([group.lowest, group.highest]), evidence.lowest, evidence.highest)
    if not group.variance > 0.0 or low == high:
        raise ValueError(f"{name} must differ among themselves for a normal fit; use the empirical method.")
    return Normal(group.mean, float(np.sqrt(group.variance)))


def empirical(summary: Summary, delta: float, clip: float | None = None) -> Counting:
    """Counted rates at the end of every bin, and what thresholds inside of bins can add; thresholds are losses.

    The estimate from all losses lies in [found.value, at_most].

    Raises ValueError unless 0 < delta < 1 and 0 < clip < 1/2.
    """
    check(delta, clip)
    through = CountedRates(*(rate[1:] for rate in summary.bins.rates()))
    peaks, unclipped = peaks_at(through, delta, clip), peaks_at(through, delta, None)
    found = EpsilonStar(value_of(peaks), delta, Method.EMPIRICAL, peaks, clip, value_of(unclipped), summary.evidence)
    return Counting(found, max(found.value, float(bounds_inside(summary.bins, delta, clip).max())))


def confident(summary: Summary, delta: float, level: float = LEVEL) -> EpsilonStar:
    """Lower confidence bound at ``level``, valid for any bins; thresholds are losses.

    Raises ValueError unless 0 < delta < 1 and 0 <= level <= 1 - 1e-9.
    """
    check(delta, None)
    bound = lower_bound_by_term({term: summary.bins.least_shown(term) for term in Term}, delta, level)
    return EpsilonStar(
        bound.value, delta, Method.CONFIDENCE, bound.peaks, None, bound.value, summary.evidence, confidence=bound
    )
