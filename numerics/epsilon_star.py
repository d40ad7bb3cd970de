"""Epsilon* of one trained model: how well its losses tell members from outsiders (paper 001).

With t the false positive rate P_population(loss <= tau) and eta the false negative rate P_train(loss > tau) of the
attack that accuses at small loss,

    epsilon* = log max(1, sup over tau of (1-delta-eta)/t, (1-delta-t)/eta, (eta-delta)/(1-t), (t-delta)/(1-eta))

(Eq. 7; the display in Sec. 3.1 has two wrong denominators, correction 19; all four terms are needed, correction 20).
It is measured on a sample: an audit of this model, no guarantee about the mechanism that trained it.
"""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from numerics.counted_rates import counted_peaks
from numerics.error_ratios import Law, Normal, Peak
from numerics.error_ratios import peaks as peaks_of
from numerics.trade_off import Floats
from numerics.validation import open_probability

# The paper's clips of t and eta (footnote 2 and Sec. 8): delta for fitted laws, this for counts.
EMPIRICAL_CLIP = 1e-3
SMALLEST_GROUP = 10


class Method(StrEnum):
    """How the two rates are estimated from the losses."""

    EMPIRICAL = "empirical"
    PARAMETRIC = "parametric"
    GIVEN = "given laws"


@dataclass(frozen=True)
class EpsilonStar:
    """Epsilon* with all that is needed to judge it.

    Attributes:
        value: epsilon*; infinite where some threshold separates without a false accusation.
        delta: the delta it is stated at.
        method: how the rates were estimated.
        peaks: the largest value of each of the four ratios; the first has the largest.
        clip: rates were cut to [clip, 1 - clip], which caps the value at log((1 - clip - delta)/clip); or None.
        unclipped: what it would be without the clip.
        train_size, population_size: number of losses; 0 for given laws.
        laws: the laws of the scores (train, population) that were used; None for counts.
    """

    value: float
    delta: float
    method: Method
    peaks: tuple[Peak, ...]
    clip: float | None
    unclipped: float
    train_size: int = 0
    population_size: int = 0
    laws: tuple[Normal, Normal] | None = None

    @property
    def clip_active(self) -> bool:
        """Whether the clip took something away (correction 23: it usually removes the optimum)."""
        return self.clip is not None and self.unclipped > self.value + 1e-12

    @property
    def log_sd_ratio(self) -> float:
        """Log of the fitted standard deviations' ratio; beyond 0.01 it drives the value (correction 26)."""
        return float(np.log(self.laws[0].sd / self.laws[1].sd)) if self.laws else 0.0


def default_delta(train_size: int) -> float:
    """1 / (n log n) with n training losses (paper 001, footnote 1, read as in correction 21)."""
    return 1.0 / (train_size * float(np.log(train_size)))


def from_laws(train: Law, population: Law, delta: float, clip: float | None = None) -> EpsilonStar:
    """Epsilon* of two given laws of the loss.

    Raises ValueError unless 0 < delta < 1 and 0 < clip < 1/2.
    """
    _check(delta, clip)
    peaks, unclipped = (peaks_of(train, population, delta, cut) for cut in (clip, None))
    return EpsilonStar(_value(peaks), delta, Method.GIVEN, peaks, clip, _value(unclipped))


def _check(delta: float, clip: float | None) -> None:
    open_probability("delta", delta)
    if clip is not None and not 0.0 < clip < 0.5:
        raise ValueError(f"clip must be above 0 and below 1/2, got {clip!r}.")


def _value(peaks: tuple[Peak, ...]) -> float:
    return max(0.0, peaks[0].log_ratio)


def scores(train_losses: Floats, population_losses: Floats) -> tuple[Floats, Floats]:
    """The paper's transform of losses towards normality: pooled min-max to [0, 1], x = 1 + that, p = e^-x, -logit p.

    The logit itself falls with the loss (correction 22); its negative, log(e^x - 1), keeps the order. As the pooled
    range grows with the sample it becomes affine, which is why the estimate is not consistent (correction 24).
    """
    low = min(float(train_losses.min()), float(population_losses.min()))
    high = max(float(train_losses.max()), float(population_losses.max()))
    first, second = (
        np.log(np.expm1(1.0 + (losses - low) / (high - low))) for losses in (train_losses, population_losses)
    )
    return first, second


def estimate(
    train_losses: Floats,
    population_losses: Floats,
    delta: float | None = None,
    method: Method = Method.PARAMETRIC,
    clip: float | None = None,
) -> EpsilonStar:
    """Epsilon* of a model from its losses on training data (n,) and on fresh data (m,).

    ``delta`` is ``default_delta(n)`` unless given. Without ``clip`` (the paper's are delta for the parametric method
    and EMPIRICAL_CLIP for the empirical one) the empirical value is infinite as soon as more than a share delta of one
    group lies beyond all of the other.

    Raises ValueError when a group has fewer than ten losses, or losses that are not finite, or all the same value.
    """
    for name, losses in (("train_losses", train_losses), ("population_losses", population_losses)):
        _check_losses(name, losses)
    if max(train_losses.max(), population_losses.max()) == min(train_losses.min(), population_losses.min()):
        raise ValueError(f"losses must differ, but all of them are {float(train_losses[0])!r}.")
    delta = default_delta(len(train_losses)) if delta is None else delta
    _check(delta, clip)
    run = _parametric if method is Method.PARAMETRIC else _empirical
    return run(train_losses, population_losses, delta, clip)


def _check_losses(name: str, losses: Floats) -> None:
    if losses.ndim != 1 or len(losses) < SMALLEST_GROUP:
        raise ValueError(f"{name} must be a vector of at least {SMALLEST_GROUP} losses, got shape {losses.shape}.")
    if not np.all(np.isfinite(losses)):
        raise ValueError(f"{name} must be finite, got {int(np.sum(~np.isfinite(losses)))} values that are not.")


def _parametric(train_losses: Floats, population_losses: Floats, delta: float, clip: float | None) -> EpsilonStar:
    """Normal laws fitted to the scores; thresholds are scores."""
    fits = [Normal(float(values.mean()), float(values.std())) for values in scores(train_losses, population_losses)]
    for name, fit in zip(("train_losses", "population_losses"), fits, strict=True):
        if fit.sd == 0.0:
            raise ValueError(f"{name} must differ among themselves for a normal fit; use the empirical method.")
    peaks, unclipped = (peaks_of(fits[0], fits[1], delta, cut) for cut in (clip, None))
    sizes = len(train_losses), len(population_losses)
    return EpsilonStar(
        _value(peaks), delta, Method.PARAMETRIC, peaks, clip, _value(unclipped), *sizes, (fits[0], fits[1])
    )


def _empirical(train_losses: Floats, population_losses: Floats, delta: float, clip: float | None) -> EpsilonStar:
    """Counted rates at every threshold between distinct losses."""
    train, population = np.sort(train_losses), np.sort(population_losses)
    peaks, unclipped = counted_peaks(train, population, delta, clip)
    sizes = len(train), len(population)
    return EpsilonStar(_value(peaks), delta, Method.EMPIRICAL, peaks, clip, _value(unclipped), *sizes)
