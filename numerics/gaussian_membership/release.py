"""The release that paper 004 looks at: noisy means of fixed-size batches of clipped gradients."""

from dataclasses import replace
from typing import Annotated

from numerics.validation import FiniteNonNegative, Interval, value

KNOWS = "The attacker knows the distribution of the gradients and the one looked for, but none of the others."
LARGEST_COUNT = 1_000_000_000
LARGEST_STEPS = 1_000_000
Count = Annotated[int, Interval(1, LARGEST_COUNT)]


@value
class GradientRelease:
    """``steps`` mean gradients of random batches of exactly ``batch_size`` of the ``dataset_size`` records.

    Neighbours are replace-one and batches have a fixed size (the ledger in docs/corrections.md). Lengths are in units
    of the clipping norm C.

    Attributes:
        dataset_size: number of records N.
        batch_size: records in a batch n, at most N and at least 2.
        steps: number of batches T.
        dimension: number of parameters d.
        noise_multiplier: s, standard deviation of the noise on the *sum* of a batch in units of C; 0 for none.

    Raises ValueError (TypeError for counts that are no whole numbers) at construction.
    """

    dataset_size: Count
    batch_size: Count
    steps: Annotated[int, Interval(1, LARGEST_STEPS)]
    dimension: Count
    noise_multiplier: FiniteNonNegative = 0.0

    def __post_init__(self) -> None:
        Interval(1, self.dataset_size).check("batch_size", self.batch_size)
        if self.batch_size < 2:
            raise ValueError(f"batch_size must be at least 2 (a batch of one hides nobody), got {self.batch_size!r}.")

    @classmethod
    def of_epochs(cls, dataset_size: Count, batch_size: Count, epochs: Count, dimension: Count) -> "GradientRelease":
        """A run of ``epochs`` passes of floor(N/n) batches each without noise (paper 004 Table 5, correction 54)."""
        return cls(dataset_size, batch_size, epochs * (dataset_size // batch_size), dimension)

    @property
    def sampled(self) -> bool:
        """Whether a batch is less than the whole data set."""
        return self.batch_size < self.dataset_size

    @property
    def effective_size(self) -> float:
        """Effective batch size n + s^2, at which the other gradients alone would hide as much (paper 004 Thm 5.1)."""
        return self.batch_size + self.noise_multiplier**2

    @property
    def private_step_mu(self) -> float:
        """Gaussian-DP level of one step on a batch with the record, replace-one: 2/s; infinite without noise."""
        return 2.0 / self.noise_multiplier if self.noise_multiplier > 0.0 else float("inf")

    def with_noise(self, noise_multiplier: FiniteNonNegative) -> "GradientRelease":
        """The same release with another noise multiplier."""
        return replace(self, noise_multiplier=noise_multiplier)

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the numbers presuppose, in words."""
        sampled = f"Batches of exactly {self.batch_size:,} of {self.dataset_size:,} records, drawn at random."
        return (
            "Neighbouring data sets differ in the value of one record (replace-one).",
            sampled if self.sampled else "Every step uses all records.",
            KNOWS,
            "Sums of gradients are taken for normal; they are not when the batch is small.",
        )
