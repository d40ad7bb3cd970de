"""Several phases, one after the other."""

from dataclasses import replace
from typing import Self

import numpy as np

from numerics.mechanisms.analysis import Analysis
from numerics.mechanisms.base import LARGEST_NOISE, SMALLEST_NOISE, SampledMechanism
from numerics.mechanisms.location import Subsampled
from numerics.privacy_loss.pairs import ComposedPairs
from numerics.sampling import Adjacency, Sampling
from numerics.validation import Interval, Positive, PositiveCount, value

LARGEST_PHASES = 16  # time and memory grow in proportion: epsilon of 16 takes 4 s and 0.4 GB, of 64 12 s and 1.2 GB


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
