"""What an estimate gives where labels are shuffled (the null), and how much it varies (the bootstrap).

Null. If training and fresh data have one law of losses, every way to call n of all n + m losses members is as likely as
the one at hand, so (1 + how many shuffles give at least the estimate) / (1 + shuffles) is a valid p-value in finite
samples, whatever that law. Same estimator, same options, same transform; nothing is subtracted from the estimate.

Bootstrap. Losses are put once into about 2,500 bins, dense in both tails, and a replicate draws the bins' counts: the
multinomial law of n losses drawn with replacement. Empirical rates are taken at the bins' edges only, which can lower a
value but not raise it. Parametric fits use each bin's own moments, so the whole sample's are exact.
The interval says how much the estimate would vary, not how far it is from the truth (correction 25).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from numerics.epsilon_star.estimators import GroupSummary, Method, estimate, transform_of
from numerics.epsilon_star.laws import normal_values
from numerics.epsilon_star.mixtures import ComponentChoice
from numerics.epsilon_star.rates import Clip, Term, ThresholdRates
from numerics.epsilon_star.scores import LossScale, Transform, ascending
from numerics.trade_off import Floats
from numerics.validation import Interval, OpenProbability, PositiveCount, checked, value

SHUFFLES = 199
SHUFFLES_OF_MIXTURES = 39  # each is fitted anew
MOST_LOSSES = 50_000  # of a group; of more a fixed random subset is shuffled
REPLICATES = 1_000
_CHUNK = 50
_AT_ONCE = 10_000  # losses of several shuffles that are counted together
_FITTED_AT_ONCE = 25  # shuffles
_BINS = 1_500
_SEED = 0
Mask = NDArray[np.bool_]
Values = Callable[[Sequence[Mask]], Floats]
Groups = tuple[Floats, Floats]  # training data, or members, come first
BinCounts = np.ndarray[tuple[int, ...], np.dtype[np.int64]]


def _estimates(
    counts: tuple[NDArray[np.integer] | Mask, NDArray[np.integer] | Mask],
    moments: Groups,
    ends: NDArray[np.intp],
    method: Method,
    delta: float,
    clip: float | None,
) -> Floats:
    """Estimates (r,) of samples with so many losses (r, b) at each place, ascending; thresholds are at the ``ends``.

    ``moments`` are means and mean squares (2, b) of the scores at each place.
    """
    if method is Method.PARAMETRIC:
        fits = []
        for own, of_scores in zip(counts, moments, strict=True):
            mean, square = of_scores @ own.T.astype(float) / own.sum(axis=1)
            # Of few values a group may hold one only.
            fits.append((mean, np.sqrt(np.maximum(square - mean**2, np.finfo(float).tiny))))
        return normal_values(fits[0], fits[1], np.full(len(counts[0]), delta), clip)
    members, outsiders = (np.take(np.cumsum(own, axis=1, dtype=np.float64), ends, axis=1) for own in counts)
    n, m = (own.sum(axis=1, keepdims=True) for own in counts)
    cut = ThresholdRates.counted(members, outsiders, n, m).clipped(clip)
    ratio = np.max([cut.ratio(term, delta).max(axis=1) for term in Term], axis=0)
    return np.log(np.maximum(ratio, 1.0))


@value(eq=False)
class PermutationNull:
    """The estimate on the losses that were shuffled beside its values (b,) so far, of ``total``, for shuffled labels.

    ``sizes`` of training and of fresh data were shuffled; the spread of a part of them (``is_subset``) is larger.
    """

    observed: float
    values: Floats
    total: int
    sizes: tuple[int, int]
    is_subset: bool

    @property
    def p_value(self) -> float:
        """Share of shuffles, with the losses at hand as one of them, that give at least the estimate; never 0."""
        return float(1 + np.count_nonzero(self.values >= self.observed)) / (1 + len(self.values))

    @property
    def median(self) -> float:
        """Of the values."""
        return float(np.quantile(self.values, 0.5, method="inverted_cdf"))

    @property
    def upper(self) -> float:
        """What one value in twenty exceeds."""
        return float(np.quantile(self.values, 0.95, method="inverted_cdf"))


@checked
def shuffled(
    train: Floats,
    population: Floats,
    delta: OpenProbability,
    method: Method,
    clip: Clip | None = None,
    scale: LossScale | None = None,
    components: PositiveCount | ComponentChoice = ComponentChoice.BIC,
) -> Iterator[PermutationNull]:
    """Shuffle the labels of losses (n,) and (m,); yields after every few shuffles. Options as in ``estimate``."""
    if method not in (Method.PARAMETRIC, Method.EMPIRICAL, Method.MIXTURE):
        raise ValueError(f"method must be one of the estimates to be shuffled, got {str(method)!r}.")

    def values_of(parts: Groups, pooled: Floats) -> Values:
        if method is Method.MIXTURE:
            again = partial(estimate, delta=delta, method=method, clip=clip, components=components, scale=scale)
            return lambda masks: np.array([again(pooled[mask], pooled[~mask]).value for mask in masks])
        scores = pooled
        if method is Method.PARAMETRIC:
            scores = transform_of(GroupSummary.of(*parts), scale).scores(pooled)
        centred = scores - scores.mean()
        moments = np.array([centred, centred**2])
        ends = np.append(np.flatnonzero(pooled[1:] > pooled[:-1]), len(pooled) - 1)
        size = _FITTED_AT_ONCE if method is Method.PARAMETRIC else max(_AT_ONCE // len(pooled), 1)

        def values(masks: Sequence[Mask]) -> Floats:
            chunks = (np.array(masks[start : start + size]) for start in range(0, len(masks), size))
            found = [_estimates((own, ~own), (moments, moments), ends, method, delta, clip) for own in chunks]
            return np.concatenate(found)

        return values

    total, at_once = (SHUFFLES_OF_MIXTURES, 1) if method is Method.MIXTURE else (SHUFFLES, _CHUNK)
    return permutation_null((ascending(train), ascending(population)), values_of, total, at_once)


def permutation_null(
    groups: Groups,
    values_of: Callable[[Groups, Floats], Values],
    total: int,
    at_once: int,
    seed: int = _SEED,
    persons: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None,
) -> Iterator[PermutationNull]:
    """Yields the null after ``at_once`` shuffles more of ascending members and others.

    ``values_of`` the groups that are shuffled, and of all their values ascending, gives the values for masks of
    members. Where rows, in any order, have codes of ``persons``, whole persons are shuffled.
    """
    rng = np.random.default_rng(seed)
    parts = (_subset(groups[0], rng), _subset(groups[1], rng)) if persons is None else groups
    sizes, pooled = (len(parts[0]), len(parts[1])), np.concatenate(parts)
    order = np.argsort(pooled, kind="stable")
    values = values_of(parts, pooled[order])
    observed, is_subset = float(values([order < sizes[0]])[0]), sum(sizes) < sum(map(len, groups))
    null = PermutationNull(observed, np.empty(0), total, sizes, is_subset)
    codes = np.arange(len(pooled)) if persons is None else np.concatenate(persons)[order]
    names, person = np.unique(codes, return_inverse=True)
    members = sizes[0] if persons is None else len(np.unique(persons[0]))

    def more() -> Iterator[PermutationNull]:
        found = null
        while len(found.values) < total:
            left = min(at_once, total - len(found.values))
            masks = [(rng.permutation(len(names)) < members)[person] for _ in range(left)]
            found = replace(found, values=np.append(found.values, values(masks)))
            yield found

    return more()


def _subset(losses: Floats, rng: np.random.Generator) -> Floats:
    """At most MOST_LOSSES of ascending losses, at random."""
    if len(losses) <= MOST_LOSSES:
        return losses
    return losses[np.sort(rng.choice(len(losses), MOST_LOSSES, replace=False))]


@value(eq=False)
class BinnedLosses:
    """Both groups' counts (b,) in bins, with means and mean squares (2, b) of the scores in each bin."""

    train: BinCounts
    population: BinCounts
    train_moments: Floats
    population_moments: Floats

    def values(
        self, train: BinCounts, population: BinCounts, method: Method, delta: OpenProbability, clip: Clip | None
    ) -> Floats:
        """Estimates (r,) from replicates' counts (r, b)."""
        ends = np.arange(len(self.train) - 1)
        return _estimates((train, population), (self.train_moments, self.population_moments), ends, method, delta, clip)


@value(eq=False)
class Replicates:
    """Values (r,) so far, out of ``total``."""

    values: Floats
    total: int

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
    edges = np.unique(np.concatenate([piece for losses in (train, population) for piece in _at_ranks(losses)]))
    counts, moments = [], []
    for losses in (train, population):
        starts = np.concatenate([[0], np.searchsorted(losses, edges, "right"), [len(losses)]])
        own, values = np.diff(starts), transform.scores(losses)
        filled, sums = own > 0, np.zeros((2, len(own)))
        for row, power in enumerate((values, values**2)):
            sums[row, filled] = np.add.reduceat(power, starts[:-1][filled]) / own[filled]
        counts.append(own.astype(np.int64))
        moments.append(sums)
    return BinnedLosses(counts[0], counts[1], moments[0], moments[1])


def _at_ranks(losses: Floats) -> tuple[Floats, Floats, Floats]:
    """Losses at ranks that are dense in both tails, and at even ones."""
    half, last = len(losses) // 2, len(losses) - 1
    ranks = np.unique(np.round(np.geomspace(1.0, half + 1.0, min(_BINS // 4, half)))).astype(np.intp) - 1
    return losses[ranks], losses[last - ranks], losses[np.linspace(0, last, min(_BINS // 3, last + 1)).astype(np.intp)]


@checked
def bootstrap(
    losses: BinnedLosses,
    method: Method,
    delta: OpenProbability,
    clip: Clip | None = None,
    replicates: Annotated[int, Interval(1, 100_000)] = REPLICATES,
) -> Iterator[Replicates]:
    """Values of the estimate in samples drawn with replacement from each group; yields after every 50."""
    if method not in (Method.EMPIRICAL, Method.PARAMETRIC):
        raise ValueError(f"method must be 'empirical' or 'parametric' to be resampled, got {str(method)!r}.")

    def drawn() -> Iterator[Replicates]:
        rng, values = np.random.default_rng(_SEED), np.empty(0)
        while len(values) < replicates:
            size = min(_CHUNK, replicates - len(values))
            counts = [rng.multinomial(own.sum(), own / own.sum(), size) for own in (losses.train, losses.population)]
            values = np.append(values, losses.values(counts[0], counts[1], method, delta, clip))
            yield Replicates(values, replicates)

    return drawn()
