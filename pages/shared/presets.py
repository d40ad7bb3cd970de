"""Releases to start from: real training runs with their published settings, and the plain mechanisms."""

from dataclasses import dataclass

from numerics.mechanisms import Gaussian, Laplace, SampledMechanism


@dataclass(frozen=True)
class Preset:
    """A release, the delta that goes with it, and where its settings come from."""

    name: str
    mechanism: SampledMechanism
    delta: float
    words: str


# The first one is what the app opens with.
PRESETS = (
    Preset(
        "MNIST-style DP-SGD",
        Gaussian(1.0, 0.01, 1000),
        1e-5,
        "noise 1, batches of 1 % of the records, 1,000 steps: a small textbook run",
    ),
    Preset(
        "CIFAR-10 DP-SGD",
        Gaussian(10.5, 4096 / 50_000, 1000),
        1e-5,
        "noise 10.5, batches of 4,096 of 50,000 images, 1,000 steps (paper 000, Section 7.3)",
    ),
    Preset(
        "SNLI DP-SGD",
        Gaussian(1.15, 4096 / 549_361, 405),
        1.8e-6,
        "noise 1.15, batches of 4,096 of 549,361 sentence pairs, 405 steps (paper 000, Section 7.3)",
    ),
    Preset(
        "ImageNet DP-SGD",
        Gaussian(2.5, 16_384 / 1_281_167, 71_589),
        8e-7,
        "noise 2.5, batches of 16,384 of 1,281,167 images, 71,589 steps (De et al. 2022)",
    ),
    Preset("Plain Gaussian", Gaussian(1.0), 1e-5, "one release of a noisy sum over all records"),
    Preset("Plain Laplace", Laplace(1.0), 1e-5, "one release of a noisy count over all records"),
)
