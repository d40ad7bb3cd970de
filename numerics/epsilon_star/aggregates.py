"""Epsilon* of losses that are not here: from sizes, moments and counts in bins, as any database returns them.

- parametric: the same number as from all losses, as the fit needs two moments of the scores only;
- empirical: the same number once bins are refined where it matters, else an interval that contains it;
- lower confidence bound: the same once the bins at its thresholds hold one loss each. In others the losses are taken in
  the order that shows least: at each of its fixed ranks, the count it rests on is at most the true one, so it is valid
  although the bins were chosen by the losses.

Bins are named by the smallest and the largest loss in them, so every bin ends at a threshold that exists, and the rates
there are exact. They need not be equal, nor chosen before the losses were seen.
"""

from dataclasses import astuple, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from numerics.epsilon_star.confidence import LEVEL, Ascending, Level, lower_bound_by_term, tail_ranks
from numerics.epsilon_star.estimators import (
    MOST_VALUES,
    SMALLEST_GROUP,
    EpsilonStar,
    GroupSummary,
    Method,
    from_laws,
    normal_fit,
    transform_of,
    value_of,
)
from numerics.epsilon_star.rates import Clip, MaximumRatio, Term, ThresholdRates, maxima_at, ratios_between
from numerics.epsilon_star.scores import LossScale, Transform
from numerics.epsilon_star.verdict import ScoreShape, critical_distance, tied_at_ends
from numerics.trade_off import Floats
from numerics.validation import OpenProbability, Probability, Unknown, checked, value

Mask = NDArray[np.bool_]
_SAME = 1e-12  # relative: two sums of the same numbers in different order


@value(eq=False)
class LossBins:
    """How many losses of either group lie in bins (b,) of ascending losses that do not overlap; ``of`` checks that."""

    lowest: Floats
    highest: Floats
    train: Floats
    population: Floats

    @classmethod
    def of(cls, lowest: Floats, highest: Floats, train: Floats, population: Floats) -> "LossBins":
        """Bins in any order; those of the same single loss are joined."""
        order = np.lexsort((highest, lowest))
        low, high = lowest[order], highest[order]
        first = np.flatnonzero(np.concatenate([[True], (low[1:] != low[:-1]) | (high[1:] != high[:-1])]))
        members, outsiders = (np.add.reduceat(counts[order], first) for counts in (train, population))
        low, high = low[first], high[first]
        if np.any(low > high) or np.any(high[:-1] >= low[1:]):
            raise ValueError("bins must not overlap.")
        if min(members.min(), outsiders.min()) < 0.0:
            raise ValueError("counts must not be negative.")
        return cls(low, high, members, outsiders)

    @classmethod
    def of_losses(cls, train: Floats, population: Floats) -> "LossBins":
        """A bin for each loss of ascending ones."""
        losses = np.unique(np.concatenate((train, population)))
        counts = (np.diff(np.searchsorted(own, losses, "right"), prepend=0) for own in (train, population))
        return cls(losses, losses, *(own.astype(float) for own in counts))

    @property
    def settled(self) -> Mask:
        """Which bins hold a single loss, (b,)."""
        return self.lowest == self.highest

    @property
    def has_few_values(self) -> bool:
        """Whether one group takes no more than ``MOST_VALUES``, as far as bins can tell."""
        taken = [counts > 0.0 for counts in (self.train, self.population)]
        return any(np.count_nonzero(bins) <= MOST_VALUES and np.all(self.settled[bins]) for bins in taken)

    def among(self, bins: Mask) -> "LossBins":
        """Only these bins."""
        return LossBins(self.lowest[bins], self.highest[bins], self.train[bins], self.population[bins])

    def refined(self, bins: Mask, finer: "LossBins") -> "LossBins":
        """The same with ``finer`` in the place of ``bins`` (b,), which must hold the same numbers of losses."""
        coarse = self.among(bins)
        for name in ("train", "population"):
            expected, counted = (float(getattr(part, name).sum()) for part in (coarse, finer))
            if expected != counted:
                raise ValueError(f"finer bins must hold the {expected:,.0f} losses of {name}, got {counted:,.0f}.")
        pairs = zip(astuple(self.among(~bins)), astuple(finer), strict=True)
        return LossBins.of(*(np.concatenate(pair) for pair in pairs))

    @property
    def rates(self) -> ThresholdRates:
        """Rates below all bins and through each of them, at its largest loss, (b + 1,)."""
        members, outsiders = (np.concatenate([[0.0], np.cumsum(group)]) for group in (self.train, self.population))
        return ThresholdRates.counted(members, outsiders, members[-1], outsiders[-1])

    def maxima(self, delta: float, clip: float | None) -> tuple[MaximumRatio, ...]:
        """The largest ratios at the ends of bins."""
        return maxima_at(self.highest, self.rates.each(lambda rate: rate[1:]), delta, clip)

    def least_shown(self, term: Term) -> tuple[Ascending, Ascending]:
        """Losses (train, population) with the order inside of every bin in which this ratio is smallest at each rank.

        Those whom the ratio names lie behind the others, as seen from its tail.
        """
        ends = (self.lowest, self.highest) if term.is_above == term.names_members else (self.highest, self.lowest)
        return Ascending(ends[0], self.train), Ascending(ends[1], self.population)


@checked
def wanted_for_counts(bins: LossBins, delta: Probability, clip: Clip | None) -> Mask:
    """Bins (b,) to look into for the largest ratios, with the clip and without.

    They may hold a larger one, or the first or last loss of a group: there infinite ratios name most people.
    """
    wanted = np.zeros(len(bins.lowest), dtype=bool)
    for group in (bins.train, bins.population):
        wanted[np.flatnonzero(group)[[0, -1]]] = True
    for cut in {clip, None}:
        bounds = ratios_between(bins.rates, delta, cut)
        for maximum in bins.maxima(delta, cut):
            wanted |= bounds[maximum.term] > np.exp(maximum.log_ratio)
    return wanted & ~bins.settled


@checked
def wanted_for_bound(bins: LossBins) -> Mask:
    """Bins (b,) that hold the thresholds of the confidence bound and more than a single loss."""
    wanted = np.zeros(len(bins.lowest), dtype=bool)
    for group in (bins.train, bins.population):
        wanted[np.searchsorted(np.cumsum(group), tail_ranks(int(group.sum())), "left")] = True
    return wanted & ~bins.settled


@value
class Moments:
    """One group: its size, the range of its losses, mean and variance (divided by the size) of its scores.

    ``cut`` losses are cut before they are scored; ``tied`` is the largest share tied at either end.
    """

    size: int
    lowest: float
    highest: float
    mean: float
    variance: float
    cut: int = 0
    tied: float = 0.0

    @classmethod
    def of(cls, losses: Floats, transform: Transform) -> "Moments":
        """Of ascending losses (n,)."""
        scores, ends = transform.scores(losses), (float(losses[0]), float(losses[-1]))
        with np.errstate(over="ignore", invalid="ignore"):
            mean, variance = float(scores.mean()), float(scores.var())
        return cls(len(losses), *ends, mean, variance, transform.cut(losses), tied_at_ends(losses))


class ScoreCounts(NamedTuple):
    """Scores of both groups, (k,) each, counted in bins with these edges (k + 1,)."""

    edges: Floats
    train: Floats
    population: Floats


@value(eq=False)
class Summary:
    """Both groups: moments of the scores on a scale, counts of losses in bins, and of scores if counted."""

    train: Moments
    population: Moments
    bins: LossBins
    scale: LossScale
    scores: ScoreCounts | None = None

    @classmethod
    def of_single_losses(cls, bins: LossBins, transform: Transform) -> "Summary":
        """Of bins with a single loss each, so that no loss is unknown; every score is both ends of a bin of its own."""
        groups = [np.repeat(bins.lowest, counts.astype(int)) for counts in (bins.train, bins.population)]
        train, population = (Moments.of(losses, transform) for losses in groups)
        edges = np.concatenate([[-np.inf], np.repeat(transform.scores(bins.lowest), 2), [np.inf]])
        counts = (np.append(0.0, np.column_stack((own, np.zeros_like(own)))) for own in (bins.train, bins.population))
        return cls(train, population, bins, transform.scale, ScoreCounts(edges, *counts))

    @property
    def groups(self) -> GroupSummary:
        """What the losses look like; identical where range, size, moments and the counts of all bins agree."""
        train, population = self.train, self.population
        moments = np.array([(one.mean, one.variance) for one in (train, population)])
        return GroupSummary(
            train.size,
            population.size,
            min(train.lowest, population.lowest),
            max(train.highest, population.highest),
            separated=train.highest < population.lowest or population.highest < train.lowest,
            identical=astuple(train)[:3] == astuple(population)[:3]
            and bool(np.array_equal(self.bins.train, self.bins.population))
            and bool(np.all(np.isclose(moments[0], moments[1], _SAME, 0.0))),
            few_values=self.bins.has_few_values,
        )


def shape_of_counts(summary: Summary) -> ScoreShape | None:
    """What the scores look like; where a bin may hide that a normal law is rejected, it counts as rejected."""
    if summary.scores is None:
        return None
    groups, (edges, *counts) = (summary.train, summary.population), summary.scores
    is_normal = all(
        _distance_at_most(edges, own, group) <= critical_distance(group.size)
        for own, group in zip(counts, groups, strict=True)
    )
    cut = sum(group.cut for group in groups) / sum(group.size for group in groups)
    return ScoreShape(is_normal, cut, max(group.tied for group in groups))


def _distance_at_most(edges: Floats, counts: Floats, group: Moments) -> float:
    """Upper limit of the Kolmogorov-Smirnov distance to the normal law with the group's moments."""
    law = ndtr((edges - group.mean) / np.sqrt(group.variance))
    shares = np.concatenate([[0.0], np.cumsum(counts)]) / group.size
    return float(max(np.max(shares[1:] - law[:-1]), np.max(law[1:] - shares[:-1])))


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
    """Normal laws with the moments of the scores; thresholds are scores."""
    groups = summary.groups
    transform = transform_of(groups, summary.scale)
    members, outsiders = (
        normal_fit(group.mean, group.variance, (group.lowest, group.highest), transform, name)
        for name, group in (("train_losses", summary.train), ("population_losses", summary.population))
    )
    found, laws = from_laws(members, outsiders, delta, clip), (members, outsiders)
    return replace(found, method=Method.PARAMETRIC, groups=groups, laws=laws, transform=transform)


@value
class Counting:
    """The largest ratio at the end of a bin, with its exact rates, and what that of all losses cannot exceed."""

    found: EpsilonStar
    at_most: float


@checked
def empirical(summary: Summary, delta: OpenProbability, clip: Clip | None = None) -> Counting:
    """Counted rates: the estimate from all losses lies in [found.value, at_most]; thresholds are losses."""
    bins = summary.bins
    maxima, unclipped = (bins.maxima(delta, cut) for cut in (clip, None))
    found = EpsilonStar(delta, Method.EMPIRICAL, maxima, clip, value_of(unclipped), summary.groups)
    inside = np.max(list(ratios_between(bins.rates, delta, clip).values()), axis=0)[~bins.settled]
    with np.errstate(divide="ignore"):
        return Counting(found, max(found.value, float(np.log(np.max(inside, initial=1.0)))))


@checked
def confident(summary: Summary, delta: OpenProbability, level: Level = LEVEL) -> EpsilonStar:
    """Lower confidence bound at ``level``, valid for any bins; thresholds are losses."""
    bound = lower_bound_by_term({term: summary.bins.least_shown(term) for term in Term}, delta, level)
    return EpsilonStar(delta, Method.CONFIDENCE, bound.maxima, None, bound.value, summary.groups, confidence=bound)
