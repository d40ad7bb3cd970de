"""A release and its circumstances, as the attackers' models see it."""

from dataclasses import dataclass

from numerics import relaxed
from numerics.gaussian_membership import GradientRelease
from numerics.mechanisms import Adjacency, Gaussian, Mechanism, SampledMechanism, Sampling
from numerics.relaxed import RelaxedTest
from numerics.unsupported import one_record
from pages.ui.numbers_in_words import or_not_set
from pages.ui.release_choice import ReleaseChoice

_WHOLE = 0.01  # by which rounding to whole records may change the rate
NO_SAMPLING = "none"


@dataclass(frozen=True)
class ReleaseSetting:
    """The release and its circumstances.

    Attributes:
        choice: what the shared controls say.
        reading: which relaxed curve is drawn for several sampled steps.
        spread: whether records' susceptibility K to paper 004's attacker is spread out, not d for all.
    """

    choice: ReleaseChoice
    test: RelaxedTest = RelaxedTest.MINIMAX
    spread: bool = False

    @property
    def release(self) -> Mechanism:
        """The release of the shared controls."""
        return self.choice.mechanism

    @property
    def records(self) -> int | None:
        """Size of the data set (N); None where nobody has said it."""
        return self.choice.records

    @property
    def dimension(self) -> int | None:
        """Of the released sum (d), likewise."""
        return self.choice.dimension

    @property
    def clip(self) -> float | None:
        """The clipping norm (C), likewise."""
        return self.choice.clip

    @property
    def phases(self) -> tuple[SampledMechanism, ...]:
        """Its phases."""
        return self.release.phases

    @property
    def batch(self) -> float | None:
        """Records in a batch of the first phase, on average; None where their number is not set."""
        return None if self.records is None else self.phases[0].sampling_rate * self.records

    @property
    def is_sampled(self) -> bool:
        """Whether some step uses less than all records."""
        return any(phase.sampling_rate < 1.0 for phase in self.phases)

    @property
    def sampling(self) -> str:
        """How records are drawn, in a word."""
        return self.phases[0].sampling.value if self.is_sampled else NO_SAMPLING

    @property
    def add_one(self) -> Mechanism:
        """The release with Poisson sampling, under add/remove adjacency; as it is where it is not known for that."""
        if not all(Adjacency.ADD_REMOVE in phase.adjacencies for phase in self.phases):
            return self.release
        return self.release.with_neighbours(Adjacency.ADD_REMOVE, Sampling.POISSON)

    @property
    def replace_one(self) -> Mechanism:
        """The release under replace-one adjacency, sampled as chosen."""
        return self.release.with_neighbours(Adjacency.REPLACE_ONE, self.phases[0].sampling)

    @property
    def fixed_size(self) -> Mechanism:
        """The release with batches of fixed size, under replace-one adjacency: as paper 004 sees it."""
        return self.release.with_neighbours(Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE)

    @property
    def least_dimension(self) -> int:
        """The dimension; where it is not set 1, in which an unknown direction protects least."""
        return self.dimension or 1

    @property
    def relaxed_dimension(self) -> int:
        """The dimension of the relaxed curve; 1, the worst case, where none is known for more."""
        return self.least_dimension if relaxed.holds_in_any_dimension(self.add_one, self.test) else 1

    def sizes(self) -> tuple[int, int, int]:
        """Records N, those in a batch n, and the dimension d; ValueError where one is not set or does not fit."""
        if self.records is None or self.dimension is None:
            raise ValueError(
                f"needs the number of people and parameters: N is {or_not_set(self.records)}, d is "
                f"{or_not_set(self.dimension)}."
            )
        rate = self.phases[0].sampling_rate
        batch = round(rate * self.records)
        if abs(batch - rate * self.records) > _WHOLE * rate * self.records:
            raise ValueError(
                f"needs whole batches: N = {self.records:,} does not fit the sampling rate {rate:g}, which draws "
                f"{rate * self.records:.3g} at a time."
            )
        return self.records, batch, self.dimension

    def gradients(self) -> GradientRelease:
        """The release of mean gradients that paper 004 looks at; raises ValueError where it is none."""
        if len(self.phases) > 1 or not isinstance(self.phases[0], Gaussian):
            raise ValueError(f"this notion is about Gaussian noise in one phase, got {self.release.label}.")
        one_record(self.release.records_per_person, "This notion is")
        phase, (records, batch, dimension) = self.phases[0], self.sizes()
        return GradientRelease(records, batch, phase.steps, dimension, phase.noise_multiplier)
