"""Privacy mechanisms as frozen sets of parameters that know what an attacker can do against them.

A mechanism is asked for its trade-off curve and for the numbers that follow from it. Where a closed form exists the
answer is exact, otherwise it is a certified bracket (``privacy_loss``). Neighbouring data sets, sampling and
sensitivity are explicit in the parameters and spelled out in ``assumptions``.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated, ClassVar, Self

import numpy as np

from numerics.analysis import Analysis
from numerics.closed_forms import GaussianShift, LaplaceShift, SampledOnce, Shift
from numerics.privacy_loss.additive_noise import GaussianNoise, LaplaceNoise, Noise
from numerics.privacy_loss.dominating_pairs import SampledPair
from numerics.privacy_loss.fixed_size import FixedSizePair
from numerics.privacy_loss.window_plan import Phases
from numerics.validation import Interval, Positive, PositiveProbability, checked

SMALLEST_NOISE, LARGEST_NOISE = 1e-6, 1e6
LARGEST_STEPS = 1_000_000
LARGEST_PHASES = 4

_ADVERSARY = "The attacker knows the mechanism, all other records and the record itself; noise and sampling are hidden."
_POISSON = "Poisson sampling: every record takes part in each step independently with probability {rate:.6g}."
_FIXED_SIZE = (
    "Batches of fixed size: each step takes a share {rate:.6g} of the records, drawn without replacement. No attack "
    "finds more than stated; whether one finds as much is not known."
)


class Sampling(StrEnum):
    """How the records of a step are drawn."""

    POISSON = "Poisson"
    FIXED_SIZE = "fixed size"


class Adjacency(StrEnum):
    """Which data sets count as neighbours."""

    ADD_REMOVE = "add/remove"
    REPLACE_ONE = "replace-one"

    @property
    def reach(self) -> float:
        """Distance between two neighbouring sums, in units of the sensitivity (the largest norm of one record)."""
        return 2.0 if self is Adjacency.REPLACE_ONE else 1.0

    @property
    def sentence(self) -> str:
        """The convention in words."""
        if self is Adjacency.REPLACE_ONE:
            return "Neighbouring data sets differ in the value of one record (replace-one)."
        return "Neighbouring data sets differ by the presence of one record (add/remove)."


@dataclass(frozen=True)
@checked
class SampledMechanism(Analysis):
    """Additive noise on a sum of clipped records, with Poisson sampling, repeated.

    Attributes:
        noise_multiplier: scale of the noise on the sum, in units of the sensitivity (the clipping norm), 1e-6 ... 1e6.
        sampling_rate: probability in (0, 1] with which each record takes part in a step, independently.
        steps: number of releases, 1 ... 1,000,000.
        adjacency: which data sets count as neighbours.
        sampling: whether records are drawn independently, or batches of fixed size without replacement; these are
            another mechanism, and need replace-one adjacency because neighbours of a batch must have its size.

    Raises ValueError (TypeError for what is no number, no enumeration's value) at construction.
    """

    noise_multiplier: Annotated[Positive, Interval(SMALLEST_NOISE, LARGEST_NOISE)]
    sampling_rate: PositiveProbability = 1.0
    steps: Annotated[int, Interval(1, LARGEST_STEPS)] = 1
    adjacency: Adjacency = Adjacency.ADD_REMOVE
    sampling: Sampling = Sampling.POISSON

    name: ClassVar[str]
    scale_sentence: ClassVar[str]
    scale_name: ClassVar[str] = "scale"
    """What the noise multiplier is called, in words."""

    def __post_init__(self) -> None:
        if self.sampling is Sampling.FIXED_SIZE and self.adjacency is not Adjacency.REPLACE_ONE:
            raise ValueError("batches of fixed size need replace-one adjacency, got add/remove.")

    def noise(self, unit: Positive = 1.0) -> Noise:
        """The noise of one step; lengths are in ``unit`` sensitivities."""
        raise NotImplementedError

    @property
    def label(self) -> str:
        """Short description for legends and file headers."""
        parts = [f"{self.name}, noise {self.noise_multiplier:.6g}"]
        fixed = ", batches of fixed size" if self.sampling is Sampling.FIXED_SIZE else ""
        parts += [f"rate {self.sampling_rate:.6g}{fixed}"] if self.sampling_rate < 1.0 else []
        parts += [f"{self.steps:,} steps"] if self.steps > 1 else []
        return ", ".join(parts)

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the numbers presuppose, in words; what the attacker knows comes last."""
        how = _FIXED_SIZE if self.sampling is Sampling.FIXED_SIZE else _POISSON
        sampled = how.format(rate=self.sampling_rate) if self.sampling_rate < 1.0 else "No sampling."
        return (self.adjacency.sentence, sampled, self.scale_sentence, _ADVERSARY)

    @property
    def pairs(self) -> Phases:
        """One step's dominating pair, and the number of steps."""
        if self.sampling is Sampling.FIXED_SIZE and self.sampling_rate < 1.0:
            one_sided = SampledPair(self.noise(self.adjacency.reach), self.sampling_rate)
            return ((FixedSizePair(one_sided), self.steps),)
        pair = SampledPair(self.noise(), self.sampling_rate, self.adjacency is Adjacency.REPLACE_ONE)
        return ((pair, self.steps),)

    @property
    def participation(self) -> float:
        """See Analysis."""
        return float(-np.expm1(self.steps * np.log1p(-self.sampling_rate))) if self.sampling_rate < 1.0 else 1.0

    def with_noise(self, noise_multiplier: Positive) -> Self:
        """The same mechanism with another noise multiplier."""
        return replace(self, noise_multiplier=noise_multiplier)

    @property
    def effect_size(self) -> float:
        """Distance between the two hypotheses in one unsampled step, in units of the noise scale (mu)."""
        return self.adjacency.reach / self.noise_multiplier

    def _sampled_once(self, shift: Shift) -> SampledOnce | None:
        if self.adjacency is Adjacency.REPLACE_ONE and self.sampling_rate < 1.0:
            return None
        return SampledOnce(shift, self.sampling_rate)


@dataclass(frozen=True)
@checked
class Gaussian(SampledMechanism):
    """Gaussian mechanism; ``noise_multiplier`` is the noise standard deviation in units of the L2 sensitivity.

    Valid in any dimension: the worst case is the shift along one direction.
    """

    name: ClassVar[str] = "Gaussian"
    scale_name: ClassVar[str] = "standard deviation"
    scale_sentence: ClassVar[str] = "Each record adds a vector of any dimension and L2 norm at most 1 sensitivity unit."

    def noise(self, unit: Positive = 1.0) -> GaussianNoise:
        """See SampledMechanism."""
        return GaussianNoise(self.noise_multiplier / unit)

    @property
    def closed_form(self) -> SampledOnce | None:
        """Unsampled steps add up to one with effect size sqrt(N) mu (paper 003 Cor. 2, correction 38)."""
        if self.sampling_rate == 1.0:
            return SampledOnce(GaussianShift(float(np.sqrt(self.steps)) * self.effect_size))
        return self._sampled_once(GaussianShift(self.effect_size)) if self.steps == 1 else None


@dataclass(frozen=True)
@checked
class Laplace(SampledMechanism):
    """Laplace mechanism; ``noise_multiplier`` is the scale b in units of the L1 sensitivity."""

    name: ClassVar[str] = "Laplace"
    scale_sentence: ClassVar[str] = "Each record adds a vector of any dimension and L1 norm at most 1 sensitivity unit."

    def noise(self, unit: Positive = 1.0) -> LaplaceNoise:
        """See SampledMechanism."""
        return LaplaceNoise(self.noise_multiplier / unit)

    @property
    def closed_form(self) -> SampledOnce | None:
        """One release (paper 000 Eq. 19)."""
        return self._sampled_once(LaplaceShift(self.effect_size)) if self.steps == 1 else None


@dataclass(frozen=True)
@checked
class Composition(Analysis):
    """Several phases, one after the other on the same records, each with its own noise, sampling and steps.

    Raises ValueError unless there are 1 to 4 phases of one adjacency, TypeError for what is no phase.
    """

    phases: tuple[SampledMechanism, ...]

    def __post_init__(self) -> None:
        Interval(1, LARGEST_PHASES).check("number of phases", len(self.phases))
        if len({phase.adjacency for phase in self.phases}) > 1:
            raise ValueError("phases must share one adjacency, got add/remove and replace-one.")

    @property
    def adjacency(self) -> Adjacency:
        """Which data sets count as neighbours."""
        return self.phases[0].adjacency

    @property
    def noise_multiplier(self) -> float:
        """Noise multiplier of the first phase."""
        return self.phases[0].noise_multiplier

    def with_noise(self, noise_multiplier: Positive) -> Self:
        """The same phases with all noise scaled so that the first phase's multiplier is ``noise_multiplier``."""
        scaled = [noise_multiplier / self.noise_multiplier * phase.noise_multiplier for phase in self.phases]
        for place, noise in enumerate(scaled, 1):
            if not SMALLEST_NOISE <= noise <= LARGEST_NOISE:
                raise ValueError(
                    f"noise_multiplier must leave every phase noise between {SMALLEST_NOISE:g} and {LARGEST_NOISE:g}: "
                    f"{noise_multiplier:g} gives phase {place} {noise:.6g}."
                )
        noisy = (phase.with_noise(noise) for phase, noise in zip(self.phases, scaled, strict=True))
        return replace(self, phases=tuple(noisy))

    @property
    def label(self) -> str:
        """Short description for legends and file headers."""
        return "; then ".join(phase.label for phase in self.phases)

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the numbers presuppose, in words; what the attacker knows comes last."""
        return (*dict.fromkeys(text for phase in self.phases for text in phase.assumptions[:-1]), _ADVERSARY)

    @property
    def pairs(self) -> Phases:
        """One step's dominating pair and the number of its steps, per phase."""
        return tuple(pair for phase in self.phases for pair in phase.pairs)

    @property
    def participation(self) -> float:
        """See Analysis."""
        return 1.0 - float(np.prod([1.0 - phase.participation for phase in self.phases]))

    @property
    def closed_form(self) -> SampledOnce | None:
        """Unsampled Gaussian phases add up in squares (paper 003 Cor. 2)."""
        if len(self.phases) == 1:
            return self.phases[0].closed_form
        forms = [phase.closed_form for phase in self.phases]
        shifts = [form.shift for form in forms if form is not None and form.rate == 1.0]
        if len(shifts) < len(forms) or not all(isinstance(shift, GaussianShift) for shift in shifts):
            return None
        return SampledOnce(GaussianShift(float(np.sqrt(sum(shift.mu**2 for shift in shifts)))))


MECHANISMS: tuple[type[SampledMechanism], ...] = (Gaussian, Laplace)
