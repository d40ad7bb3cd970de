"""Epsilon* of one trained model: how well its losses tell members from outsiders (paper 001).

With t the false positive rate P_population(loss <= tau) and eta the false negative rate P_train(loss > tau) of the
attack that accuses at small loss,

    epsilon* = log max(1, sup over tau of (1-delta-eta)/t, (1-delta-t)/eta, (eta-delta)/(1-t), (t-delta)/(1-eta))

(Eq. 7; the display in Sec. 3.1 has two wrong denominators, correction 19; all four terms are needed, correction 20).
It is measured on a sample: an audit of this model, no guarantee about the mechanism that trained it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from types import MappingProxyType

import numpy as np

from numerics.epsilon_star.audit_caveats import Caveat, Evidence, caveats_of, caveats_of_bound, evidence_of, null_mean
from numerics.epsilon_star.confidence import LEVEL, Ascending, LowerBound, lower_bound
from numerics.epsilon_star.counted_rates import counted_peaks
from numerics.epsilon_star.error_ratios import Law, Normal, Peak
from numerics.epsilon_star.error_ratios import peaks as peaks_of
from numerics.epsilon_star.loss_scores import ascending, scores
from numerics.epsilon_star.mixtures import Choice, Mixture, chosen_mixture, fit_mixture
from numerics.trade_off import Floats
from numerics.validation import open_probability

# The paper's clips of t and eta (footnote 2 and Sec. 8): delta for fitted laws, this for counts.
EMPIRICAL_CLIP = 1e-3
SMALLEST_GROUP = 10
_Way = Callable[[Floats, Floats, Evidence, float, float | None], "EpsilonStar"]
_ROUNDING = 1e-12  # a clip that takes less than this has taken nothing


class Method(StrEnum):
    """How the two rates are estimated from the losses."""

    EMPIRICAL = "empirical"
    PARAMETRIC = "parametric"
    MIXTURE = "Gaussian mixtures"
    CONFIDENCE = "lower confidence bound"
    GIVEN = "given laws"


@dataclass(frozen=True)
class EpsilonStar:
    """Epsilon* with all that is needed to judge it.

    Attributes:
        value: epsilon*; infinite where some threshold separates without a single error of one kind.
        delta: the delta it is stated at.
        method: how the rates were estimated.
        peaks: the largest value of each of the four ratios; the first has the largest.
        clip: rates were cut to (clip, 1 - clip), which caps the value at ``cap``; None for no clip.
        unclipped: what it would be without the clip.
        evidence: what the losses themselves look like; None for given laws.
        laws: the laws of the scores (train, population) that were used; None for counts.
        confidence: what the bound rests on, for the method CONFIDENCE; the peaks then are bounds too.
    """

    value: float
    delta: float
    method: Method
    peaks: tuple[Peak, ...]
    clip: float | None
    unclipped: float
    evidence: Evidence | None = None
    laws: tuple[Normal | Mixture, Normal | Mixture] | None = None
    confidence: LowerBound | None = None

    @property
    def cap(self) -> float:
        """The largest value the clip lets through, log((1 - clip - delta) / clip) (correction 23); inf without one.

        0 where that is negative or clip + delta reaches 1: epsilon* is never below 0.
        """
        if self.clip is None:
            return np.inf
        return float(np.log(max((1.0 - self.clip - self.delta) / self.clip, 1.0)))

    @property
    def clip_active(self) -> bool:
        """Whether the clip took something away (correction 23: it usually removes the optimum)."""
        return self.clip is not None and self.unclipped > self.value + _ROUNDING

    @property
    def log_sd_ratio(self) -> float:
        """Log of the fitted standard deviations' ratio; beyond 0.01 it drives the value (correction 26)."""
        return float(np.log(self.laws[0].sd / self.laws[1].sd)) if self.laws else 0.0

    @property
    def null_mean(self) -> float:
        """About what the estimate would be if there were nothing to find (correction 25).

        Infinite for counts without a clip at a delta below 1/n: the smallest loss of all is alone in its group.
        0 for given laws, and for a confidence bound, which then is 0 but for its risk. Mixtures have more than the
        normal fits' value given here; ``null_values`` simulates it.
        """
        if self.evidence is None or self.confidence is not None:
            return 0.0
        sizes = self.evidence.train_size, self.evidence.population_size
        if self.laws is None and self.clip is None and self.delta * max(sizes) < 1.0:
            return np.inf
        return null_mean(self.laws is not None, self.evidence)

    @property
    def caveats(self) -> tuple[Caveat, ...]:
        """What a reader must know before using the number, the gravest first."""
        if self.evidence is None:
            return (Caveat.CLIPPED,) if self.clip_active else ()
        if self.confidence is not None:
            return caveats_of_bound(self.evidence, self.delta)
        spread = self.log_sd_ratio if self.laws else None
        peak = self.peaks[0]
        people = (
            self.evidence.population_size * min(peak.false_positive_rate, 1.0 - peak.false_positive_rate),
            self.evidence.train_size * min(peak.false_negative_rate, 1.0 - peak.false_negative_rate),
        )
        return caveats_of(self.evidence, self.value, self.delta, self.clip_active, spread, min(people) < 1.0)


def default_delta(train_size: int) -> float:
    """1 / (n log n) with n training losses (paper 001, footnote 1, read as in correction 21)."""
    return 1.0 / (train_size * float(np.log(train_size)))


def from_laws(train: Law, population: Law, delta: float, clip: float | None = None) -> EpsilonStar:
    """Epsilon* of two given laws of the loss.

    Raises ValueError unless 0 < delta < 1 and 0 < clip < 1/2.
    """
    check(delta, clip)
    peaks, unclipped = (peaks_of(train, population, delta, cut) for cut in (clip, None))
    return EpsilonStar(value_of(peaks), delta, Method.GIVEN, peaks, clip, value_of(unclipped))


def check(delta: float, clip: float | None) -> None:
    """Raise ValueError unless 0 < delta < 1 and 0 < clip < 1/2."""
    open_probability("delta", delta)
    if clip is not None and not 0.0 < clip < 0.5:
        raise ValueError(f"clip must be above 0 and below 1/2, got {clip!r}.")


def value_of(peaks: tuple[Peak, ...]) -> float:
    """Epsilon* of the largest ratios, never negative."""
    return max(0.0, peaks[0].log_ratio)


def estimate(
    train_losses: Floats,
    population_losses: Floats,
    delta: float | None = None,
    method: Method = Method.PARAMETRIC,
    clip: float | None = None,
    level: float = LEVEL,
    components: int | Choice = Choice.BIC,
) -> EpsilonStar:
    """Epsilon* of a model from its losses on training data (n,) and on fresh data (m,), in any order.

    ``delta`` is ``default_delta(n)`` unless given. The paper's clips are delta for the parametric method and
    EMPIRICAL_CLIP for the empirical one. Without a clip the empirical value is infinite as soon as more than a share
    delta of one group lies beyond all of the other, which is so in nearly every sample if delta is below 1/n.

    The method CONFIDENCE gives a lower bound that holds with confidence ``level``; it takes no clip.
    MIXTURE fits Gaussian mixtures of so many ``components``, or of a number chosen for each group.

    Ascending losses are faster to count.

    Raises ValueError when a group has fewer than ten losses, or losses that are not finite, or all the same value.
    """
    for name, losses in (("train_losses", train_losses), ("population_losses", population_losses)):
        _check_losses(name, losses)
    evidence = evidence_of(train_losses, population_losses)
    if evidence.lowest == evidence.highest:
        raise ValueError(f"losses must differ, but all of them are {evidence.lowest!r}.")
    delta = default_delta(len(train_losses)) if delta is None else delta
    check(delta, clip)
    ways: Mapping[Method, _Way] = {
        **_RUN,
        Method.MIXTURE: partial(_mixed, components=components),
        Method.CONFIDENCE: partial(_confident, level=level),
    }
    if method not in ways:
        raise ValueError(f"method must be one of {', '.join(map(repr, map(str, ways)))}, got {str(method)!r}.")
    return ways[method](train_losses, population_losses, evidence, delta, clip)


def _check_losses(name: str, losses: Floats) -> None:
    if losses.ndim != 1 or len(losses) < SMALLEST_GROUP:
        raise ValueError(f"{name} must be a vector of at least {SMALLEST_GROUP} losses, got shape {losses.shape}.")
    if not np.all(np.isfinite(losses)):
        raise ValueError(f"{name} must be finite, got {int(np.sum(~np.isfinite(losses)))} values that are not.")


def _parametric(train: Floats, population: Floats, evidence: Evidence, delta: float, clip: float | None) -> EpsilonStar:
    """Normal laws fitted to the scores; thresholds are scores."""
    fits = fitted(train, evidence, "train_losses"), fitted(population, evidence, "population_losses")
    unclipped = peaks_of(*fits, delta, None)
    peaks = unclipped if clip is None else peaks_of(*fits, delta, clip)
    return EpsilonStar(value_of(peaks), delta, Method.PARAMETRIC, peaks, clip, value_of(unclipped), evidence, fits)


def _mixed(
    train: Floats, population: Floats, evidence: Evidence, delta: float, clip: float | None, components: int | Choice
) -> EpsilonStar:
    """Gaussian mixtures fitted to the scores; thresholds are scores."""
    groups = (scores(ascending(losses), evidence.lowest, evidence.highest) for losses in (train, population))
    train_fit, population_fit = (_mixture(values, components) for values in groups)
    fits = train_fit, population_fit
    unclipped = peaks_of(*fits, delta, None)
    peaks = unclipped if clip is None else peaks_of(*fits, delta, clip)
    return EpsilonStar(value_of(peaks), delta, Method.MIXTURE, peaks, clip, value_of(unclipped), evidence, fits)


def _mixture(values: Floats, components: int | Choice) -> Mixture:
    if isinstance(components, Choice):
        return chosen_mixture(values, components)
    return fit_mixture(values, components)


def fitted(losses: Floats, evidence: Evidence, name: str) -> Normal:
    """Normal law of the scores of ``losses`` (n,), by moments.

    Raises ValueError when all losses are the same.
    """
    values = scores(losses, evidence.lowest, evidence.highest)
    fit = Normal(float(values.mean()), float(values.std()))
    if not fit.sd > 0.0 or values.min() == values.max():
        largest = max(abs(evidence.lowest), abs(evidence.highest))
        beside = f" beside the largest loss of all, {largest:.3g}" if losses.min() != losses.max() else ""
        raise ValueError(f"{name} must differ among themselves{beside} for a normal fit; use the empirical method.")
    return fit


def _empirical(train: Floats, population: Floats, evidence: Evidence, delta: float, clip: float | None) -> EpsilonStar:
    """Counted rates at every threshold between distinct losses; thresholds are losses."""
    peaks, unclipped = counted_peaks(ascending(train), ascending(population), delta, clip)
    return EpsilonStar(value_of(peaks), delta, Method.EMPIRICAL, peaks, clip, value_of(unclipped), evidence)


def _confident(
    train: Floats, population: Floats, evidence: Evidence, delta: float, clip: float | None, level: float
) -> EpsilonStar:
    """Lower confidence bound; thresholds are losses."""
    if clip is not None:
        raise ValueError(f"clip must be None for a {Method.CONFIDENCE}, got {clip!r}.")
    bound = lower_bound(Ascending(ascending(train)), Ascending(ascending(population)), delta, level)
    return EpsilonStar(
        bound.value, delta, Method.CONFIDENCE, bound.peaks, None, bound.value, evidence, confidence=bound
    )


_RUN: Mapping[Method, _Way] = MappingProxyType({Method.PARAMETRIC: _parametric, Method.EMPIRICAL: _empirical})
