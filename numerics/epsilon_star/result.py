"""Epsilon* as it was found: the number, how, and what a reader must know before using it."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from numerics.epsilon_star.audit_caveats import Caveat, Evidence, caveats_of, caveats_of_bound, null_mean
from numerics.epsilon_star.confidence import LowerBound
from numerics.epsilon_star.error_ratios import Normal, Peak
from numerics.epsilon_star.mixtures import Mixture
from numerics.validation import open_probability

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


def check(delta: float, clip: float | None) -> None:
    """Raise ValueError unless 0 < delta < 1 and 0 < clip < 1/2."""
    open_probability("delta", delta)
    if clip is not None and not 0.0 < clip < 0.5:
        raise ValueError(f"clip must be above 0 and below 1/2, got {clip!r}.")


def value_of(peaks: tuple[Peak, ...]) -> float:
    """Epsilon* of the largest ratios, never negative."""
    return max(0.0, peaks[0].log_ratio)
