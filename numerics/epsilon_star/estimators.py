"""Epsilon* of one trained model: how well its losses tell members from outsiders (paper 001).

    epsilon* = log max(1, sup over tau of (1-delta-eta)/t, (1-delta-t)/eta, (eta-delta)/(1-t), (t-delta)/(1-eta))

(Eq. 7; our copy of the display in Sec. 3.1 has other denominators, correction 19; all four terms count, correction 20).
It is measured on a sample: an audit of this model, no guarantee about the mechanism that trained it.
"""

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Annotated

import numpy as np
from scipy.special import logsumexp

from numerics.epsilon_star.confidence import LEVEL, Ascending, Level, LowerBound, lower_bound
from numerics.epsilon_star.laws import Fit, NormalLaw, TailLaw
from numerics.epsilon_star.laws import maxima as maxima_of
from numerics.epsilon_star.mixtures import ComponentChoice, chosen_mixture, fit_mixture
from numerics.epsilon_star.rates import Clip, MaximumRatio, counted_maxima
from numerics.epsilon_star.scores import LossScale, Transform, ascending
from numerics.trade_off import Floats
from numerics.validation import Interval, OpenProbability, PositiveCount, Unknown, checked, value

EMPIRICAL_CLIP = 1e-3  # the paper's for counts; delta for fitted laws (footnote 2 and Sec. 8)
SMALLEST_GROUP = 10
MOST_VALUES = 5
UNEQUAL_SPREADS = 0.01  # of the log of the ratio (correction 26)
_LOOKED_AT = 1000  # losses
_ROUNDING = 1e-12  # a clip that takes less than this has taken nothing


class Method(StrEnum):
    """How the two rates are estimated from the losses."""

    EMPIRICAL = "empirical"
    PARAMETRIC = "parametric"
    MIXTURE = "Gaussian mixtures"
    CONFIDENCE = "lower confidence bound"
    GIVEN = "given laws"


class Caveat(StrEnum):
    """Why the number may not mean what it seems to, the gravest first."""

    INFINITE = "some threshold makes no error of one kind, so the ratio has no upper limit"
    SEPARATED = "the groups do not overlap"
    SAME_LOSSES = "both groups hold the same losses"
    CLIPPED = "the clip took the largest ratios away"
    DELTA_TOO_LARGE = "delta is larger than 1 over the number of training losses"
    FEW_VALUES = "the losses take a few values only, which no normal law describes"
    UNEQUAL_SPREADS = "the fitted standard deviations differ, and drive the value"


@value
class GroupSummary:
    """Sizes of both groups, pooled range, and how they lie to each other.

    ``few_values`` says that one group takes no more than ``MOST_VALUES``, as losses that count mistakes do.
    """

    train_size: int
    population_size: int
    lowest: float
    highest: float
    separated: bool
    identical: bool
    few_values: bool = False

    @classmethod
    def of(cls, train: Floats, population: Floats) -> "GroupSummary":
        """Of the losses of training data (n,) and of fresh data (m,)."""
        ranges = [(float(losses.min()), float(losses.max())) for losses in (train, population)]
        (train_low, train_high), (low, high) = ranges
        may_be_identical = ranges[0] == ranges[1] and len(train) == len(population)
        return cls(
            len(train),
            len(population),
            min(train_low, low),
            max(train_high, high),
            separated=train_high < low or high < train_low,
            identical=may_be_identical and bool(np.array_equal(np.sort(train), np.sort(population))),
            few_values=any(map(_takes_few_values, (train, population))),
        )


def _takes_few_values(losses: Floats) -> bool:
    """Losses have many as a rule, which a thousand of them show; all are looked at where these do not."""
    some = losses[:: max(len(losses) // _LOOKED_AT, 1)]
    return all(len(np.unique(part)) <= MOST_VALUES for part in (some, losses))


@value
class EpsilonStar:
    """Epsilon* at ``delta`` with all that is needed to judge it.

    Attributes:
        delta, method, clip: how it was found; rates were cut to (clip, 1 - clip), None for no clip.
        maxima: the largest value of each of the four ratios, the largest first.
        unclipped: what it would be without the clip.
        groups: what the losses look like; None for given laws.
        laws, transform: the laws of the scores (train, population), and from losses to scores; None for counts.
        confidence: what the bound rests on, for the method CONFIDENCE; the maxima then are bounds too.
    """

    delta: float
    method: Method
    maxima: tuple[MaximumRatio, ...]
    clip: float | None
    unclipped: float
    groups: GroupSummary | None = None
    laws: tuple[Fit, Fit] | None = None
    confidence: LowerBound | None = None
    transform: Transform | None = None

    @property
    def value(self) -> float:
        """Epsilon*; infinite where some threshold separates without a single error of one kind."""
        return value_of(self.maxima)

    def loss_at(self, threshold: float) -> float:
        """A threshold of one of the maxima as a loss: where laws were fitted, thresholds are scores."""
        return threshold if self.transform is None else self.transform.loss_at(threshold)

    @property
    def cap(self) -> float:
        """The largest value the clip lets through, log((1 - clip - delta) / clip) (correction 23), at least 0."""
        return np.inf if self.clip is None else float(np.log(max((1.0 - self.clip - self.delta) / self.clip, 1.0)))

    @property
    def clip_active(self) -> bool:
        """Whether the clip took something away (correction 23: it usually removes the optimum)."""
        return self.clip is not None and self.unclipped > self.value + _ROUNDING

    @property
    def log_sd_ratio(self) -> float:
        """Log of the fitted standard deviations' ratio; beyond 0.01 it drives the value (correction 26)."""
        return float(np.log(self.laws[0].sd / self.laws[1].sd)) if self.laws else 0.0

    @property
    def is_beyond(self) -> bool:
        """Whether the smaller error at the optimum is one of less than one person, so that no loss is there."""
        if self.groups is None or self.value == 0.0:
            return False
        t, eta = self.maxima[0].false_positive_rate, self.maxima[0].false_negative_rate
        return min(self.groups.population_size * min(t, 1.0 - t), self.groups.train_size * min(eta, 1.0 - eta)) < 1.0

    @property
    def caveats(self) -> tuple[Caveat, ...]:
        """What a reader must know before using the number; a confidence bound is finite, unclipped and has no law."""
        seen, fitted = self.groups, self.laws is not None
        if seen is None:
            return (Caveat.CLIPPED,) if self.clip_active else ()
        holds = {
            Caveat.INFINITE: bool(np.isinf(self.value)),
            Caveat.SEPARATED: seen.separated,
            Caveat.SAME_LOSSES: seen.identical,
            Caveat.CLIPPED: self.clip_active,
            Caveat.DELTA_TOO_LARGE: self.delta * seen.train_size > 1.0,
            Caveat.FEW_VALUES: fitted and seen.few_values,
            Caveat.UNEQUAL_SPREADS: fitted and abs(self.log_sd_ratio) > UNEQUAL_SPREADS,
        }
        return tuple(caveat for caveat, true in holds.items() if true)


@checked
def check(delta: OpenProbability, clip: Clip | None) -> None:
    """Raise ValueError unless 0 < delta < 1 and 0 < clip < 1/2."""


@checked
def value_of(maxima: tuple[MaximumRatio, ...]) -> float:
    """Epsilon* of the largest ratios, never negative."""
    return max(0.0, maxima[0].log_ratio)


@checked
def is_clipped_usually(method: Method) -> bool:
    """Whether rates are cut where nobody chose: counted ones, as a rate of 0 makes nearly every sample infinite."""
    return method is Method.EMPIRICAL


@checked
def default_delta(train_size: Annotated[int, Interval(2, np.inf, "be at least 2")]) -> float:
    """1 / (n log n) with n training losses (paper 001 Sec. 4.1, read as in correction 21)."""
    return 1.0 / (train_size * float(np.log(train_size)))


@checked
def from_laws(train: TailLaw, population: TailLaw, delta: OpenProbability, clip: Clip | None = None) -> EpsilonStar:
    """Epsilon* of two given laws of the loss."""
    unclipped = maxima_of(train, population, delta, None)
    maxima = unclipped if clip is None else maxima_of(train, population, delta, clip)
    return EpsilonStar(delta, Method.GIVEN, maxima, clip, value_of(unclipped))


@checked
def estimate(
    train_losses: Floats,
    population_losses: Floats,
    delta: OpenProbability | None = None,
    method: Method = Method.CONFIDENCE,
    clip: Clip | None = None,
    level: Level = LEVEL,
    components: PositiveCount | ComponentChoice = ComponentChoice.BIC,
    scale: LossScale | None = None,
) -> EpsilonStar:
    """Epsilon* of a model from its losses on training data (n,) and on fresh data (m,), in any order.

    ``delta`` is ``default_delta(n)`` unless given. CONFIDENCE gives a lower bound that holds with confidence ``level``;
    it takes no clip. The paper's clips are delta for the parametric method and EMPIRICAL_CLIP for the empirical one,
    which is infinite without one in nearly every sample if delta is below 1/n. PARAMETRIC and MIXTURE fit laws to
    scores on a ``scale``, which has no default: what the losses are decides the number.
    """
    for name, losses in (("train_losses", train_losses), ("population_losses", population_losses)):
        _check_losses(name, losses)
    seen = GroupSummary.of(train_losses, population_losses)
    if seen.lowest == seen.highest:
        raise ValueError(f"losses must differ, but all of them are {seen.lowest!r}.")
    delta = default_delta(len(train_losses)) if delta is None else delta
    if method is Method.CONFIDENCE:
        if clip is not None:
            raise ValueError(f"clip must be None for a {method}, got {clip!r}.")
        groups = [Ascending(ascending(losses)) for losses in (train_losses, population_losses)]
        bound = lower_bound(groups[0], groups[1], delta, level)
        return EpsilonStar(delta, method, bound.maxima, None, bound.value, seen, confidence=bound)
    if method is Method.EMPIRICAL:
        maxima, unclipped = counted_maxima(ascending(train_losses), ascending(population_losses), delta, clip)
        return EpsilonStar(delta, method, maxima, clip, value_of(unclipped), seen)
    if method is Method.GIVEN:
        ways = (Method.PARAMETRIC, Method.EMPIRICAL, Method.MIXTURE, Method.CONFIDENCE)
        raise ValueError(f"method must be one of {', '.join(map(repr, map(str, ways)))}, got {str(method)!r}.")
    transform = transform_of(seen, scale)
    mixture = components if method is Method.MIXTURE else None
    laws = (
        fitted(train_losses, transform, "train_losses", mixture),
        fitted(population_losses, transform, "population_losses", mixture),
    )
    return replace(from_laws(*laws, delta, clip), method=method, groups=seen, laws=laws, transform=transform)


def _check_losses(name: str, losses: Floats) -> None:
    if losses.ndim != 1 or len(losses) < SMALLEST_GROUP:
        raise ValueError(f"{name} must be a vector of at least {SMALLEST_GROUP} losses, got shape {losses.shape}.")
    if not np.all(np.isfinite(losses)):
        raise ValueError(f"{name} must be finite, got {int(np.sum(~np.isfinite(losses)))} values that are not.")


@checked
def transform_of(groups: GroupSummary, scale: LossScale | None) -> Transform:
    """The transform of losses of these groups."""
    if scale is None:
        raise ValueError(f"scale must be given for a fit: {', '.join(LossScale)}.")
    return Transform(scale, groups.lowest, groups.highest)


@checked
def fitted(
    losses: Floats, transform: Transform, name: str, components: PositiveCount | ComponentChoice | None = None
) -> Fit:
    """Normal law of the scores of ``losses`` (n,), by moments; with ``components`` a mixture."""
    if isinstance(components, ComponentChoice):
        return chosen_mixture(transform.scores(ascending(losses)), components)
    if components is not None:
        return fit_mixture(transform.scores(ascending(losses)), components)
    values = transform.scores(losses)
    with np.errstate(over="ignore", invalid="ignore"):
        mean, variance = float(values.mean()), float(values.var())
    return normal_fit(mean, variance, (float(losses.min()), float(losses.max())), transform, name)


def normal_fit(mean: float, variance: float, ends: tuple[float, float], transform: Transform, name: str) -> NormalLaw:
    """Normal law with these moments of the scores of losses between ``ends``; raises ValueError where it has none."""
    low, high = transform.scores(np.array(ends))
    if not np.isfinite(variance):
        largest = max(map(abs, ends))
        raise ValueError(f"{name} must not be as large as {largest:.3g} for a normal fit.")
    if not variance > 0.0 or low == high:
        largest = max(abs(transform.lowest), abs(transform.highest))
        beside = f" beside the largest loss of all, {largest:.3g}" if ends[0] != ends[1] else ""
        raise ValueError(f"{name} must differ among themselves{beside} for a normal fit; use the empirical method.")
    return NormalLaw(mean, float(np.sqrt(variance)))


@value
class Instances:
    """Smallest, mean and largest epsilon* of several models trained by one mechanism.

    ``log_mean_exp`` is the log of the mean of e^epsilon*; with enough models the mechanism's own value is at most this
    (paper 001 Theorem 2). With few models a sample's mean, no bound.
    """

    least: float
    mean: float
    most: float
    log_mean_exp: float


@checked
def over_instances(values: Sequence[Unknown]) -> Instances:
    """Summarise epsilon* of several models, all at one delta."""
    every = np.array(values, dtype=float)
    if not len(every) or not np.all(every >= 0.0):
        raise ValueError(f"values must be one or more numbers that are not negative, got {list(values)!r}.")
    log_mean = float(logsumexp(every) - np.log(len(every)))
    least, mean, most = every.min(), every.mean(), every.max()
    return Instances(float(least), float(mean), float(most), log_mean)
