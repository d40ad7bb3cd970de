"""What an estimate gives where there is nothing to find in these very losses: who was a member is shuffled.

If training data and fresh data have one law of losses, every way to call n of all n + m losses members is as likely as
the one at hand, so (1 + how many shuffles give at least the estimate) / (1 + shuffles) is a valid p-value in finite
samples, whatever that law (exact under exchangeability). Same estimator, same options, same transform: its pooled range
does not change with the labels. It tests "one law"; nothing is subtracted from the estimate.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from numerics.epsilon_star.counted_rates import CountedRates, peaks_at
from numerics.epsilon_star.error_ratios import Clip, ThresholdRates
from numerics.epsilon_star.estimators import estimate
from numerics.epsilon_star.loss_scores import LossScale, ascending
from numerics.epsilon_star.mixtures import ComponentChoice
from numerics.epsilon_star.normal_ratios import normal_values
from numerics.epsilon_star.result import EpsilonStar, Method, value_of
from numerics.trade_off import Floats
from numerics.validation import OpenProbability, PositiveCount, checked

SHUFFLES = 199
SHUFFLES_OF_MIXTURES = 39  # each is fitted anew
MOST_LOSSES = 50_000  # of a group; of more a fixed random subset is shuffled
REJECTED = 0.05
_CHUNK = 50
_SEED = 0
Mask = NDArray[np.bool_]
Values = Callable[[Sequence[Mask]], Floats]


@dataclass(frozen=True, eq=False)
@checked
class Null:
    """The estimate beside its values for shuffled labels.

    Attributes:
        observed: the estimate on the losses that were shuffled.
        values: its values where labels are shuffled, so far, (b,).
        total: how many shuffles there will be.
        sizes: how many losses of training data and of fresh data were shuffled.
        is_subset: whether that is a part of them; the spread of a part is larger.
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
        return self._quantile(0.5)

    @property
    def upper(self) -> float:
        """What one value in twenty exceeds."""
        return self._quantile(0.95)

    def _quantile(self, share: float) -> float:
        return float(np.quantile(self.values, share, method="inverted_cdf"))


@checked
def shuffled(
    train: Floats,
    population: Floats,
    delta: OpenProbability,
    method: Method,
    clip: Clip | None = None,
    scale: LossScale | None = None,
    components: PositiveCount | ComponentChoice = ComponentChoice.BIC,
) -> Iterator[Null]:
    """Shuffle the labels of losses of training data (n,) and of fresh data (m,); yields after every few shuffles.

    The options are those of ``estimate``. Stop iterating to cancel.

    Raises ValueError for the confidence bound, whose level says what it does where there is nothing to find, and where
    ``estimate`` does.
    """
    if method not in (Method.PARAMETRIC, Method.EMPIRICAL, Method.MIXTURE):
        raise ValueError(f"method must be one of the estimates to be shuffled, got {str(method)!r}.")
    rng = np.random.default_rng(_SEED)
    members, outsiders = groups = [subset(ascending(losses), rng) for losses in (train, population)]
    found = estimate(members, outsiders, delta, method, clip, components=components, scale=scale)
    pooled = np.concatenate(groups)
    order = np.argsort(pooled, kind="stable")
    values = _values_of(found, pooled[order], components)
    size = len(members)
    total = SHUFFLES_OF_MIXTURES if method is Method.MIXTURE else SHUFFLES
    null = Null(
        observed=float(values([order < size])[0]),
        values=np.empty(0),
        total=total,
        sizes=(size, len(outsiders)),
        is_subset=(size, len(outsiders)) != (len(train), len(population)),
    )

    def draw() -> Mask:
        return rng.permutation(sum(null.sizes)) < size

    return chunks(values, draw, null, 1 if method is Method.MIXTURE else _CHUNK)


def subset(losses: Floats, rng: np.random.Generator) -> Floats:
    """At most MOST_LOSSES of ascending losses, at random."""
    if len(losses) <= MOST_LOSSES:
        return losses
    return losses[np.sort(rng.choice(len(losses), MOST_LOSSES, replace=False))]


def _values_of(found: EpsilonStar, pooled: Floats, components: int | ComponentChoice) -> Values:
    """The estimates (k,) where masks (n + m,), k of them, say which of the ascending ``pooled`` losses are members'.

    The options are those of what was ``found``; so is the transform, as its range is that of all losses together.
    """
    delta, clip, transform = found.delta, found.clip, found.transform
    if transform is None:
        ends = np.append(np.flatnonzero(pooled[1:] > pooled[:-1]), len(pooled) - 1)

        def counted(mask: Mask) -> float:
            members = np.cumsum(mask)[ends]
            outsiders = ends + 1.0 - members
            rates = ThresholdRates.counted(members, outsiders, members[-1], outsiders[-1])
            return value_of(peaks_at(CountedRates(pooled[ends], rates), delta, clip))

        return lambda masks: np.array([counted(mask) for mask in masks])
    if found.method is Method.MIXTURE:
        way = partial(estimate, delta=delta, method=found.method, clip=clip, components=components)
        return lambda masks: np.array([way(pooled[mask], pooled[~mask], scale=transform.scale).value for mask in masks])
    scores = transform.scores(pooled)
    centred = scores - scores.mean()

    def normal(masks: Sequence[Mask]) -> Floats:
        groups = ([centred[mask] for mask in masks], [centred[~mask] for mask in masks])
        fits = [(np.array([one.mean() for one in group]), _sds(group)) for group in groups]
        return normal_values(fits[0], fits[1], np.full(len(masks), delta), clip)

    return normal


def _sds(groups: Sequence[Floats]) -> Floats:
    """Standard deviations, never 0: of losses with few values a shuffled group may hold one only."""
    return np.asarray(np.maximum([scores.std() for scores in groups], np.finfo(float).tiny))


def chunks(values: Values, draw: Callable[[], Mask], null: Null, size: int) -> Iterator[Null]:
    """The null with more and more values, of ``size`` masks more each time."""
    while len(null.values) < null.total:
        masks = [draw() for _ in range(min(size, null.total - len(null.values)))]
        null = replace(null, values=np.append(null.values, values(masks)))
        yield null
