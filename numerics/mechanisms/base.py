"""Privacy mechanisms as frozen sets of parameters that know what an attacker can do against them.

A mechanism is asked for its trade-off curve and for the numbers that follow from it. Where a closed form exists the
answer is exact, otherwise it is a certified bracket (``privacy_loss``). Neighbouring data sets, sampling and
sensitivity are explicit in the parameters and spelled out in ``assumptions``.
"""

from dataclasses import replace
from typing import Annotated, ClassVar, NamedTuple, Self

import numpy as np

from numerics.mechanisms.analysis import Analysis
from numerics.mechanisms.location import LocationTradeOff, Subsampled
from numerics.mechanisms.noise import Noise
from numerics.privacy_loss.pairs import ComposedPairs
from numerics.sampling import Adjacency, Sampling
from numerics.sampling.batches import Batches
from numerics.unsupported import FULL_KNOWLEDGE, UnsupportedError
from numerics.validation import Interval, Positive, PositiveCount, PositiveProbability, value

SMALLEST_NOISE, LARGEST_NOISE = 1e-6, 1e6
SMALLEST_RATE = 1e-50  # the square of its losses is still a number
LARGEST_STEPS = 1_000_000
LARGEST_PHASES = 16  # time and memory grow in proportion: epsilon of 16 takes 4 s and 0.4 GB, of 64 12 s and 1.2 GB
LARGEST_RECORDS = 256  # of a person: a curve takes a second then

ADVERSARY = "The attacker knows the mechanism, all other records and the record itself; noise and sampling are hidden."
ADVERSARY_OF_A_PERSON = (
    "The attacker knows the mechanism, everybody else's records and all of the person's; noise and sampling are hidden."
)


class Parameter(NamedTuple):
    """A field that a kind of mechanism has beyond those that all have, as the pages' controls describe it.

    Attributes:
        name: of the field, and of the control in a page's address: a public format.
        label: of the control.
        help: what it means.
        low, high: smallest and largest value.
        is_whole: whether it is a whole number.
    """

    name: str
    label: str
    help: str
    low: float
    high: float
    is_whole: bool = False


@value
class SampledMechanism(Analysis):
    """Additive noise on a sum of clipped records, each step on a random sample, repeated.

    Attributes:
        noise_multiplier: scale of the noise on the sum, in units of the sensitivity (the clipping norm), 1e-6 ... 1e6.
        sampling_rate: probability, 1e-50 ... 1, with which each record takes part in a step, whatever else happens.
        steps: number of releases, 1 ... 1,000,000.
        adjacency: which data sets count as neighbours.
        sampling: whether records are drawn independently, or batches of fixed size without replacement; these are
            another mechanism, and need replace-one adjacency because neighbours of a batch must have its size.
        records_per_person: the largest number of records, each of norm at most 1, that anybody has, 1 ... 256. Above 1
            the numbers are about a person, who is present or absent with all records; at 1 a person is a record.

    Raises ValueError (TypeError for what is no number, no enumeration's value) at construction.
    """

    noise_multiplier: Annotated[Positive, Interval(SMALLEST_NOISE, LARGEST_NOISE)]
    sampling_rate: Annotated[PositiveProbability, Interval(SMALLEST_RATE, 1.0)] = 1.0
    steps: Annotated[int, Interval(1, LARGEST_STEPS)] = 1
    adjacency: Adjacency = Adjacency.ADD_REMOVE
    sampling: Sampling = Sampling.POISSON
    records_per_person: Annotated[int, Interval(1, LARGEST_RECORDS)] = 1

    name: ClassVar[str]
    scale_sentence: ClassVar[str]
    """What a record adds to the sum."""
    scale_name: ClassVar[str] = "scale"
    """What the noise multiplier is called, in words."""
    norm: ClassVar[int | None] = None
    """Order of the norm that the sensitivity is measured in; None where the sum is one number."""
    noise_law: ClassVar[type[Noise] | None] = None
    """The noise on the sum; None where what is released is no sum with noise."""
    has_direction: ClassVar[bool] = True
    """Whether a record pulls what is released to one side or the other, as it does a sum."""
    shift_law: ClassVar[type[LocationTradeOff] | None] = None
    """The trade-off function of one release; None where no formula is known."""
    chi_square_latex: ClassVar[str] = ""
    """Chi-square divergence of a shift by mu, which the central limit theorem needs; empty where none is known."""
    parameters: ClassVar[tuple[Parameter, ...]] = ()
    """Its own fields, beyond those of all kinds."""
    is_epsilon: ClassVar[bool] = False
    """Whether it is stated by epsilon, that of one release of a record's largest share: 1 / noise multiplier."""
    is_ordered_by_noise: ClassVar[bool] = True
    """Whether more noise is safer at every false positive rate."""
    adjacencies: ClassVar[tuple[Adjacency, ...]] = tuple(Adjacency)
    """Neighbours that it is known for."""
    limits: ClassVar[str] = ""
    """Why it is not known for other neighbours or not for samples, a sentence; empty where it is."""
    is_sampled: ClassVar[bool] = True
    """Whether steps may take part of the records only."""
    samplings: ClassVar[tuple[Sampling, ...]] = tuple(Sampling)
    """Ways to draw these that it is known for."""

    several_records: ClassVar[bool] = False
    """Whether a person may have several: the noise has a log-concave density, so that one test is best for all."""

    def __post_init__(self) -> None:
        self.sampling.batches.check(self.adjacency, self.records_per_person)
        if self.records_per_person > 1 and not self.several_records:
            got = self.records_per_person
            raise UnsupportedError(f"records_per_person must be 1 for {self.name}, got {got}.")
        if self.sampling_rate < 1.0 and not self.is_sampled:
            raise UnsupportedError(
                f"sampling_rate must be 1 for {self.name}, got {self.sampling_rate!r}. {self.limits}"
            )
        if self.sampling_rate < 1.0 and self.sampling not in self.samplings:
            known = " and ".join(self.samplings)
            raise UnsupportedError(f"sampling must be {known} for {self.name}, got {self.sampling}.")
        if self.adjacency not in self.adjacencies:
            needed = " or ".join(self.adjacencies)
            raise UnsupportedError(f"{self.name} needs {needed} adjacency, got {self.adjacency}. {self.limits}")
        if self.sampling_rate < 1.0 and self.noise_law is not None:
            self.sampling.batches.check_noise(self.noise_law)

    def noise(self, unit: Positive = 1.0) -> Noise:
        """The noise of one step; lengths are in ``unit`` sensitivities. Raises UnsupportedError where there is none."""
        if self.noise_law is None:
            raise UnsupportedError(
                f"This is not offered for {self.name}, which adds no noise to a sum. {FULL_KNOWLEDGE}"
            )
        return self.noise_law(self.noise_multiplier / unit)

    def shift(self, distance: Positive) -> LocationTradeOff | None:
        """The test of one release against one whose sum is ``distance`` sensitivities away; None without a formula."""
        return None if self.shift_law is None else self.shift_law(distance / self.noise_multiplier)

    @property
    def phases(self) -> "tuple[SampledMechanism, ...]":
        """Itself: one phase of steps."""
        return (self,)

    @property
    def label(self) -> str:
        """Short description for legends and file headers."""
        parts = [f"{self.name}, {self.noise_words}"]
        parts += [f"rate {self.sampling_rate:.6g}{self.sampling.batches.suffix}"] if self.sampling_rate < 1.0 else []
        parts += [f"{self.steps:,} steps"] if self.steps > 1 else []
        parts += [f"{self.records_per_person} records per person"] if self.records_per_person > 1 else []
        return ", ".join(parts)

    @property
    def noise_words(self) -> str:
        """Its noise and its own parameters."""
        own = "".join(f", {text}" for text in self._own)
        step = f" (epsilon {self.effect_size:.6g} a release)" if self.is_epsilon else ""
        return f"noise {self.noise_multiplier:.6g}{step}{own}"

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the numbers presuppose, in words; what the attacker knows comes last."""
        rate = self.sampling_rate
        sampled = self.sampling.batches.sentence(rate) if rate < 1.0 else "No sampling."
        own = [f"{text[0].upper()}{text[1:]}." for text in self._own]
        several = self.records_per_person > 1
        unit = self.adjacency.sentence_for(self.records_per_person)
        return (unit, sampled, self.scale_sentence, *own, ADVERSARY_OF_A_PERSON if several else ADVERSARY)

    @property
    def _own(self) -> list[str]:
        """Its own parameters, in words."""
        return [f"{each.name.replace('_', ' ')} {getattr(self, each.name):.6g}" for each in self.parameters]

    @property
    def pairs(self) -> ComposedPairs:
        return self._batches.phases(self)

    @property
    def attack_pairs(self) -> ComposedPairs | None:
        return self._batches.attack_phases(self)

    @property
    def _batches(self) -> Batches:
        """All records are a batch of any kind."""
        return (self.sampling if self.sampling_rate < 1.0 else Sampling.POISSON).batches

    def with_noise(self, noise_multiplier: Positive) -> Self:
        """The same mechanism with another noise multiplier."""
        return replace(self, noise_multiplier=noise_multiplier)

    def with_records_per_person(self, records_per_person: PositiveCount) -> Self:
        """The same releases for people with so many records."""
        return replace(self, records_per_person=records_per_person)

    def with_neighbours(self, adjacency: Adjacency, sampling: Sampling | None = None) -> Self:
        """The same releases for other neighbours, and drawn in another way if one is named."""
        return replace(self, adjacency=adjacency, sampling=sampling or self.sampling)

    @property
    def total_steps(self) -> int:
        """Number of releases, over all phases."""
        return self.steps

    @property
    def adds_in_squares(self) -> bool:
        """Whether several unsampled releases are one whose effect size is the root of the sum of their squares."""
        return self.shift_law is not None and self.shift_law.adds_in_squares

    @property
    def effect_size(self) -> float:
        """Distance between the two hypotheses in one unsampled step, in units of the noise scale (mu)."""
        return self.reach / self.noise_multiplier

    @property
    def reach(self) -> float:
        """Distance between two neighbouring sums, in units of a record's largest share."""
        return self.records_per_person * self.adjacency.reach

    @property
    def closed_form(self) -> Subsampled | None:
        """One release, or unsampled ones whose effect sizes add in squares (paper 003 Cor. 2, correction 38)."""
        if self.steps > 1 and not (self.adds_in_squares and self.sampling_rate == 1.0):
            return None
        if self.sampling_rate == 1.0:
            whole = self.shift(float(np.sqrt(self.steps)) * self.reach)
            return None if whole is None else Subsampled(whole)
        return self._batches.closed_form(self)


@value
class Composition(Analysis):
    """Several phases, one after the other on the same records, each with its own noise, sampling and steps.

    Raises ValueError unless there are 1 to 16 phases of one adjacency and one number of records per person, TypeError
    for what is no phase.
    """

    phases: tuple[SampledMechanism, ...]

    def __post_init__(self) -> None:
        Interval(1, LARGEST_PHASES).check("number of phases", len(self.phases))
        if len({phase.adjacency for phase in self.phases}) > 1:
            got = " and ".join(dict.fromkeys(phase.adjacency for phase in self.phases))
            raise ValueError(f"phases must share one adjacency, got {got}.")
        if len({phase.records_per_person for phase in self.phases}) > 1:
            numbers = " and ".join(dict.fromkeys(f"{phase.records_per_person}" for phase in self.phases))
            raise ValueError(f"phases must share one number of records_per_person, got {numbers}.")

    @property
    def adjacency(self) -> Adjacency:
        """Which data sets count as neighbours."""
        return self.phases[0].adjacency

    @property
    def records_per_person(self) -> int:
        return self.phases[0].records_per_person

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

    def with_records_per_person(self, records_per_person: PositiveCount) -> Self:
        return replace(self, phases=tuple(phase.with_records_per_person(records_per_person) for phase in self.phases))

    def with_neighbours(self, adjacency: Adjacency, sampling: Sampling | None = None) -> Self:
        return replace(self, phases=tuple(phase.with_neighbours(adjacency, sampling) for phase in self.phases))

    @property
    def total_steps(self) -> int:
        """Number of releases, over all phases."""
        return sum(phase.steps for phase in self.phases)

    @property
    def label(self) -> str:
        """Short description for legends and file headers."""
        return "; then ".join(phase.label for phase in self.phases)

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the numbers presuppose, in words; what the attacker knows comes last."""
        return (
            *dict.fromkeys(text for phase in self.phases for text in phase.assumptions[:-1]),
            self.phases[0].assumptions[-1],
        )

    @property
    def pairs(self) -> ComposedPairs:
        return tuple(pair for phase in self.phases for pair in phase.pairs)

    @property
    def attack_pairs(self) -> ComposedPairs | None:
        """See Analysis: an attack may leave out the phases on which none is known."""
        return tuple(pair for phase in self.phases for pair in phase.attack_pairs or ()) or None

    @property
    def closed_form(self) -> Subsampled | None:
        """That of the only phase; unsampled phases of one kind whose effect sizes add in squares (paper 003 Cor. 2)."""
        if len(self.phases) == 1:
            return self.phases[0].closed_form
        forms = [form for phase in self.phases if (form := phase.closed_form) is not None and form.rate == 1.0]
        kinds = {type(form.shift) for form in forms}
        if len(forms) < len(self.phases) or len(kinds) > 1 or not (kind := kinds.pop()).adds_in_squares:
            return None
        return Subsampled(kind(float(np.sqrt(sum(form.shift.mu**2 for form in forms)))))


Mechanism = SampledMechanism | Composition
"""What can be asked of a release: one phase of steps, or several."""
