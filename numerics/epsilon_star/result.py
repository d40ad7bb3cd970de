"""Epsilon* as it was found: the number, how, and what a reader must know before using it."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from numerics.epsilon_star.audit_caveats import Caveat, LossOverview, caveats_of, caveats_of_bound
from numerics.epsilon_star.confidence import LowerBound
from numerics.epsilon_star.error_ratios import Clip, NormalLaw, Peak
from numerics.epsilon_star.loss_scores import Transform
from numerics.epsilon_star.mixtures import Mixture
from numerics.validation import OpenProbability, checked

_ROUNDING = 1e-12  # a clip that takes less than this has taken nothing


class Method(StrEnum):
    """How the two rates are estimated from the losses."""

    EMPIRICAL = "empirical"
    PARAMETRIC = "parametric"
    MIXTURE = "Gaussian mixtures"
    CONFIDENCE = "lower confidence bound"
    GIVEN = "given laws"


@dataclass(frozen=True)
@checked
class EpsilonStar:
    """Epsilon* with all that is needed to judge it.

    Attributes:
        delta: the delta it is stated at.
        method: how the rates were estimated.
        peaks: the largest value of each of the four ratios; the first has the largest.
        clip: rates were cut to (clip, 1 - clip), which caps the value at ``cap``; None for no clip.
        unclipped: what it would be without the clip.
        evidence: what the losses themselves look like; None for given laws.
        laws: the laws of the scores (train, population) that were used; None for counts.
        confidence: what the bound rests on, for the method CONFIDENCE; the peaks then are bounds too.
        transform: from losses to the scores that laws were fitted to; None for counts and given laws.
    """

    delta: float
    method: Method
    peaks: tuple[Peak, ...]
    clip: float | None
    unclipped: float
    evidence: LossOverview | None = None
    laws: tuple[NormalLaw | Mixture, NormalLaw | Mixture] | None = None
    confidence: LowerBound | None = None
    transform: Transform | None = None

    @property
    def value(self) -> float:
        """Epsilon*; infinite where some threshold separates without a single error of one kind."""
        return value_of(self.peaks)

    def loss_at(self, threshold: float) -> float:
        """A threshold of one of the peaks as a loss: where laws were fitted, thresholds are scores."""
        return threshold if self.transform is None else self.transform.loss_at(threshold)

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
    def is_beyond(self) -> bool:
        """Whether the smaller error at the optimum is one of less than one person, so that no loss is there."""
        if self.evidence is None or self.value == 0.0:
            return False
        peak = self.peaks[0]
        people = (
            self.evidence.population_size * min(peak.false_positive_rate, 1.0 - peak.false_positive_rate),
            self.evidence.train_size * min(peak.false_negative_rate, 1.0 - peak.false_negative_rate),
        )
        return min(people) < 1.0

    @property
    def caveats(self) -> tuple[Caveat, ...]:
        """What a reader must know before using the number, the gravest first."""
        if self.evidence is None:
            return (Caveat.CLIPPED,) if self.clip_active else ()
        if self.confidence is not None:
            return caveats_of_bound(self.evidence, self.delta)
        spread = self.log_sd_ratio if self.laws else None
        return caveats_of(self.evidence, self.value, self.delta, self.clip_active, spread)


@checked
def check(delta: OpenProbability, clip: Clip | None) -> None:
    """Raise ValueError unless 0 < delta < 1 and 0 < clip < 1/2."""


@checked
def value_of(peaks: tuple[Peak, ...]) -> float:
    """Epsilon* of the largest ratios, never negative."""
    return max(0.0, peaks[0].log_ratio)
