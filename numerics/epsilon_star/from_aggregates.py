"""Epsilon* of losses that are not here: from sizes, ranges, moments and counts in bins, as any database returns them.

What the methods of ``estimators`` find with all losses at hand, these find without:

- parametric: the same number, as the fit needs two moments of the scores only;
- empirical: the same number once ``loss_bins`` are refined where it matters, else an interval that contains it;
- lower confidence bound: the same number once the bins at its thresholds are settled. In bins that are not, the losses
  are taken in the order that shows least, so the bound is smaller and stays valid although the bins were chosen by the
  losses: at each of its fixed ranks, the count it rests on is at most the true one.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr

from numerics.epsilon_star.audit_caveats import LossOverview
from numerics.epsilon_star.confidence import LEVEL, Level, lower_bound_by_term
from numerics.epsilon_star.counted_rates import peaks_at
from numerics.epsilon_star.error_ratios import Clip, NormalLaw, Term
from numerics.epsilon_star.estimators import SMALLEST_GROUP, of_fits, transform_of
from numerics.epsilon_star.loss_bins import LossBins, bounds_inside
from numerics.epsilon_star.loss_scores import LossScale, Transform
from numerics.epsilon_star.result import EpsilonStar, Method, value_of
from numerics.epsilon_star.verdict import ScoreShape, critical_distance
from numerics.trade_off import Floats
from numerics.validation import OpenProbability, Unknown, checked

_SAME = 1e-12  # relative: two sums of the same numbers in different order


@dataclass(frozen=True)
@checked
class Moments:
    """One group in a few numbers.

    Attributes:
        size: how many losses.
        lowest, highest: range of the losses.
        mean, variance: of the scores; the variance is divided by the size.
        cut: how many losses are cut before they are scored.
        tied: largest share of the losses that has the very same smallest, or largest, loss; 0 where nobody shares it.
    """

    size: int
    lowest: float
    highest: float
    mean: float
    variance: float
    cut: int = 0
    tied: float = 0.0


class ScoreCounts(NamedTuple):
    """Scores of both groups, (k,) each, counted in bins with these edges (k + 1,)."""

    edges: Floats
    train: Floats
    population: Floats


@dataclass(frozen=True, eq=False)
@checked
class Summary:
    """Both groups: moments of the scores on a scale, counts in bins of losses, and in even bins of scores.

    Attributes:
        train, population: moments.
        bins: counts of losses.
        scale: of the scores.
        scores: counts of scores; None where they were not counted.
    """

    train: Moments
    population: Moments
    bins: LossBins
    scale: LossScale
    scores: ScoreCounts | None = None

    @property
    def evidence(self) -> LossOverview:
        """What the losses look like.

        Groups count as identical where range, size, moments and the counts of all bins agree.
        """
        train, population = self.train, self.population
        return LossOverview(
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


def shape_of_counts(summary: Summary) -> ScoreShape | None:
    """What the scores look like, as far as bins tell; None where scores were not counted.

    Where a bin may hide that a normal law is rejected, it counts as rejected.
    """
    scores, groups = summary.scores, (summary.train, summary.population)
    if scores is None:
        return None
    is_normal = all(
        _distance_at_most(scores.edges, counts, group) <= critical_distance(group.size)
        for counts, group in zip(scores[1:], groups, strict=True)
    )
    cut, size = (sum(numbers) for numbers in zip(*((group.cut, group.size) for group in groups), strict=True))
    return ScoreShape(is_normal, cut / size, max(group.tied for group in groups))


def _distance_at_most(edges: Floats, counts: Floats, group: Moments) -> float:
    """Upper limit of the Kolmogorov-Smirnov distance to the normal law with the group's moments."""
    law = ndtr((edges - group.mean) / np.sqrt(group.variance))
    shares = np.concatenate([[0.0], np.cumsum(counts)]) / group.size
    return float(max(np.max(shares[1:] - law[:-1]), np.max(law[1:] - shares[:-1])))


@dataclass(frozen=True)
@checked
class Counting:
    """The empirical estimate from bins.

    Attributes:
        found: the largest ratio at the end of a bin: a threshold that exists, with its exact rates.
        at_most: what the estimate of all losses cannot exceed; ``found.value`` where the bins are fine enough.
    """

    found: EpsilonStar
    at_most: float


@checked
def check_groups(train_size: int, population_size: int, lowest: Unknown, highest: Unknown) -> None:
    """Raise ValueError when a group has fewer than ten losses, or when all losses are the same."""
    for name, size in (("train_losses", train_size), ("population_losses", population_size)):
        if size < SMALLEST_GROUP:
            raise ValueError(f"{name} must be a vector of at least {SMALLEST_GROUP} losses, got {size}.")
    if lowest == highest:
        raise ValueError(f"losses must differ, but all of them are {lowest!r}.")


@checked
def parametric(summary: Summary, delta: OpenProbability, clip: Clip | None = None) -> EpsilonStar:
    """Normal laws with the moments of the scores; thresholds are scores.

    Raises ValueError unless 0 < delta < 1 and 0 < clip < 1/2, and when all losses of a group are the same.
    """
    evidence = summary.evidence
    transform = transform_of(evidence, summary.scale)
    fits = _fit(summary.train, transform, "train_losses"), _fit(summary.population, transform, "population_losses")
    return of_fits(Method.PARAMETRIC, fits, transform, evidence, delta, clip)


def _fit(group: Moments, transform: Transform, name: str) -> NormalLaw:
    low, high = transform.scores(np.array([group.lowest, group.highest]))
    if not np.isfinite(group.variance):
        largest = max(abs(group.lowest), abs(group.highest))
        raise ValueError(f"{name} must not be as large as {largest:.3g} for a normal fit.")
    if not group.variance > 0.0 or low == high:
        raise ValueError(f"{name} must differ among themselves for a normal fit; use the empirical method.")
    return NormalLaw(group.mean, float(np.sqrt(group.variance)))


@checked
def empirical(summary: Summary, delta: OpenProbability, clip: Clip | None = None) -> Counting:
    """Counted rates at the end of every bin, and what thresholds inside of bins can add; thresholds are losses.

    The estimate from all losses lies in [found.value, at_most].

    Raises ValueError unless 0 < delta < 1 and 0 < clip < 1/2.
    """
    through = summary.bins.rates().after_the_first()
    peaks, unclipped = peaks_at(through, delta, clip), peaks_at(through, delta, None)
    found = EpsilonStar(delta, Method.EMPIRICAL, peaks, clip, value_of(unclipped), summary.evidence)
    return Counting(found, max(found.value, float(bounds_inside(summary.bins, delta, clip).max())))


@checked
def confident(summary: Summary, delta: OpenProbability, level: Level = LEVEL) -> EpsilonStar:
    """Lower confidence bound at ``level``, valid for any bins; thresholds are losses.

    Raises ValueError unless 0 < delta < 1 and 0 <= level <= 1 - 1e-9.
    """
    bound = lower_bound_by_term({term: summary.bins.least_shown(term) for term in Term}, delta, level)
    return EpsilonStar(delta, Method.CONFIDENCE, bound.peaks, None, bound.value, summary.evidence, confidence=bound)
