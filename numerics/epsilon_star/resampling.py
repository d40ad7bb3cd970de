"""What an estimate gives where labels are shuffled (the null), and how much it varies (the bootstrap).

Null. If training and fresh data have one law of losses, every way to call n of all n + m losses members is as likely as
the one at hand, so (1 + how many shuffles give at least the estimate) / (1 + shuffles) is a valid p-value in finite
samples, whatever that law. Same estimator, same options, same transform; nothing is subtracted from the estimate.

Bootstrap. Losses are put once into about 2,500 bins, dense in both tails, and a replicate draws the bins' counts: the
multinomial law of n losses drawn with replacement. Empirical rates are taken at the bins' edges only, which can lower a
value but not raise it. Parametric fits use each bin's own moments, so the whole sample's are exact.
The interval says how much the estimate would vary, not how far it is from the truth (correction 25).
"""

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from numerics.deadline import UNLIMITED, Deadline
from numerics.epsilon_star.estimators import GroupSummary, Method, transform_of
from numerics.epsilon_star.laws import normal_values
from numerics.epsilon_star.rates import Clip, Term, ThresholdRates
from numerics.epsilon_star.scores import LossScale, Transform, ascending
from numerics.trade_off import Floats
from numerics.validation import Interval, OpenProbability, checked, value

SHUFFLES = 199
MOST_LOSSES = 50_000  # of a group; of more a fixed random subset is shuffled
REPLICATES = 1_000
_CHUNK = 50
_AT_ONCE = 10_000  # losses of several shuffles that are counted together
_FITTED_AT_ONCE = 25  # shuffles
_BINS = 1_500
_SEED = 0
Masks = NDArray[np.bool_]
Groups = tuple[Floats, Floats]  # training data, or members, come first


def estimates(
    counts: tuple[NDArray[np.integer] | Masks, NDArray[np.integer] | Masks],
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
    """The estimate on the losses that were shuffled beside its values (b,) for shuffled labels.

    ``sizes`` of training and of fresh data were shuffled; the spread of a part of them (``is_subset``) is larger.
    """

    observed: float
    values: Floats
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
    deadline: Deadline = UNLIMITED,
) -> PermutationNull:
    """Shuffle the labels of losses (n,) and (m,). Options as in ``estimate``; mixtures would take minutes."""
    if method not in (Method.PARAMETRIC, Method.EMPIRICAL):
        raise ValueError(f"method must be 'empirical' or 'parametric' to be shuffled, got {str(method)!r}.")

    rng = np.random.default_rng(_SEED)
    groups = ascending(train), ascending(population)
    parts = _subset(groups[0], rng), _subset(groups[1], rng)
    sizes, pooled = (len(parts[0]), len(parts[1])), np.concatenate(parts)
    order = np.argsort(pooled, kind="stable")
    scores = pooled = pooled[order]
    if method is Method.PARAMETRIC:
        scores = transform_of(GroupSummary.of(*parts), scale).scores(pooled)
    centred = scores - scores.mean()
    moments, ends = np.array([centred, centred**2]), np.flatnonzero(np.diff(pooled, append=np.inf) > 0.0)

    def values(masks: Masks) -> Floats:
        return estimates((masks, ~masks), (moments, moments), ends, method, delta, clip)

    at_once, found = _FITTED_AT_ONCE if method is Method.PARAMETRIC else max(_AT_ONCE // len(pooled), 1), []
    for start in range(0, SHUFFLES, at_once):
        deadline.check()
        masks = [rng.permutation(len(pooled)) < sizes[0] for _ in range(min(at_once, SHUFFLES - start))]
        found.append(values(np.array(masks)))
    observed, is_subset = float(values(order[None] < sizes[0])[0]), sum(sizes) < sum(map(len, groups))
    return PermutationNull(observed, np.concatenate(found), sizes, is_subset)


def _subset(losses: Floats, rng: np.random.Generator) -> Floats:
    """At most MOST_LOSSES of ascending losses, at random."""
    if len(losses) <= MOST_LOSSES:
        return losses
    return losses[np.sort(rng.choice(len(losses), MOST_LOSSES, replace=False))]


@checked
def bootstrap(
    train: Floats,
    population: Floats,
    transform: Transform,
    method: Method,
    delta: OpenProbability,
    clip: Clip | None = None,
    replicates: Annotated[int, Interval(1, 100_000)] = REPLICATES,
    deadline: Deadline = UNLIMITED,
) -> Floats:
    """Values (r,) of the estimate in samples drawn with replacement from losses (n,) and (m,), not all the same."""
    if method not in (Method.EMPIRICAL, Method.PARAMETRIC):
        raise ValueError(f"method must be 'empirical' or 'parametric' to be resampled, got {str(method)!r}.")
    counts, moments = binned((ascending(train), ascending(population)), transform)
    rng, found, ends = np.random.default_rng(_SEED), [], np.arange(len(counts[0]))
    for start in range(0, replicates, _CHUNK):
        deadline.check()
        size = min(_CHUNK, replicates - start)
        drawn = [rng.multinomial(own.sum(), own / own.sum(), size) for own in counts]
        found.append(estimates((drawn[0], drawn[1]), moments, ends, method, delta, clip))
    return np.concatenate(found)


def binned(groups: Groups, transform: Transform) -> tuple[tuple[NDArray[np.intp], NDArray[np.intp]], Groups]:
    """Of each group counts (b,) of ascending losses in bins; means and mean squares (2, b) of their scores there."""
    edges = np.unique(np.concatenate([piece for losses in groups for piece in _at_ranks(losses)]))
    counts, moments = [], []
    for losses in groups:
        starts = np.concatenate([[0], np.searchsorted(losses, edges, "right")])
        own, scores = np.diff(starts), transform.scores(losses)
        filled, sums = own > 0, np.zeros((2, len(own)))
        for row, power in enumerate((scores, scores**2)):
            sums[row, filled] = np.add.reduceat(power, starts[:-1][filled]) / own[filled]
        counts.append(own)
        moments.append(sums)
    return (counts[0], counts[1]), (moments[0], moments[1])


def _at_ranks(losses: Floats) -> tuple[Floats, Floats, Floats]:
    """Losses at ranks that are dense in both tails, and at even ones."""
    half, last = len(losses) // 2, len(losses) - 1
    ranks = np.unique(np.round(np.geomspace(1.0, half + 1.0, min(_BINS // 4, half)))).astype(np.intp) - 1
    return losses[ranks], losses[last - ranks], losses[np.linspace(0, last, min(_BINS // 3, last + 1)).astype(np.intp)]
