"""Releases to start from: real training runs with their published settings, and the plain mechanisms."""

from dataclasses import dataclass

from numerics.mechanisms import Gaussian, Laplace, SampledMechanism
from reports.rounding import as_entered

_PAPER_000 = "paper 000, Section 7.3"


@dataclass(frozen=True)
class ReleasePreset:
    """A release, what goes with it, and where its settings come from.

    Attributes:
        name: for the button.
        mechanism: noise, sampling rate (the batch over the records) and steps.
        delta: at which epsilon is stated.
        run: what it is, in a word or two.
        source: where all of it is published; empty for what is of nobody's.
        records: size of the data set (N); None where the source does not say it, as below.
        clip: the clipping norm (C).
    """

    name: str
    mechanism: SampledMechanism
    delta: float
    run: str
    source: str = ""
    records: int | None = None
    clip: float | None = None

    @property
    def words(self) -> str:
        """All of it in a sentence or two; what the source does not say is said to be not set, and none says d."""
        release = self.mechanism
        facts = [f"noise {release.noise_multiplier:g}"]
        if self.records is not None:
            batch, epochs = release.sampling_rate * self.records, release.steps * release.sampling_rate
            facts.append(f"batches of {batch:,.0f} of {self.records:,} records")
            facts.append(f"{release.steps:,} steps ({epochs:,.0f} epochs)")
        facts.append(f"δ = {as_entered(self.delta)}")
        facts += [] if self.clip is None else [f"clip {self.clip:g}"]
        sizes = {"N": self.records, "d": None, "C": self.clip}
        unsaid = ", ".join(letter for letter, value in sizes.items() if value is None)
        return f"{self.run}: {', '.join(facts)}{f' ({self.source})' if self.source else ''}. Not set: {unsaid}."


# The first one is what the app opens with.
PRESETS = (
    ReleasePreset(
        "MNIST-style DP-SGD",
        Gaussian(1.0, 600 / 60_000, 1000),
        1e-5,
        "A textbook run on as many people as MNIST has images",
        records=60_000,
    ),
    ReleasePreset(
        "CIFAR-10 DP-SGD",
        Gaussian(10.5, 4096 / 50_000, 1000),
        1e-5,
        "A ResNet-9 trained from scratch",
        _PAPER_000,
        50_000,
    ),
    ReleasePreset(
        "SNLI DP-SGD",
        Gaussian(1.15, 4096 / 549_361, 405),
        1.8e-6,
        "The last layers of a BERT, fine-tuned",
        _PAPER_000,
        records=549_361,
    ),
    ReleasePreset(
        "ImageNet DP-SGD",
        Gaussian(2.5, 16_384 / 1_281_167, 71_589),
        8e-7,
        "An NF-ResNet-50 trained from scratch",
        "De et al. 2022 and the configuration published with it",
        records=1_281_167,
        clip=1.0,
    ),
    ReleasePreset("Plain Gaussian", Gaussian(1.0), 1e-5, "One release of a noisy sum over all records"),
    ReleasePreset("Plain Laplace", Laplace(1.0), 1e-5, "One release of a noisy count over all records"),
)
