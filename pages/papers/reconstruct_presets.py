"""The state of the page on reconstruction that each of the papers' figures on it is: what a link to that page says."""

from collections.abc import Mapping
from dataclasses import dataclass

from numerics.mechanisms import Gaussian, Laplace, SampledMechanism
from pages.reconstruct.prior import KAPPA
from pages.ui import address, estimates, release_controls
from pages.ui.estimates import Estimate

_OTHER_NOISE = "other noise"
# Where the widgets of a figure start, by key.
_STARTS: Mapping[str, object] = {
    **release_controls.STARTS,
    **KAPPA.state_of(KAPPA.default),
    **estimates.STARTS,
    "reconstruct.more": None,
    "reconstruct.across": "effect size",
    "reconstruct.also": [],
}
_BOTH = (Estimate.CLT, Estimate.EDGEWORTH)
_IMAGES = 1_281_167
_IMAGENET = Gaussian(2.5, 16_384 / _IMAGES, 71_589)
_CIFAR = Gaussian(10.5, 4096 / 50_000, 1000)
_SNLI = Gaussian(1.15, 4096 / 549_361, 405)
_UNPRINTED = "The paper prints no more of its settings than the largest ε; these reach it at the figure's right end."


@dataclass(frozen=True)
class ReconstructionPreset:
    """A figure of a paper and the settings that draw it; ``records`` of its data, None where it has none."""

    name: str
    words: str
    mechanism: SampledMechanism
    prior: float
    delta: float = 1e-6
    estimates: tuple[Estimate, ...] = _BOTH
    also: tuple[str, ...] = ()
    across: str = "effect size"
    part: str | None = None
    records: int | None = None

    @property
    def query(self) -> address.Query:
        """Its address."""
        state = {
            **release_controls.state_of(self.mechanism, self.records),
            **KAPPA.state_of(float(f"{self.prior:.3g}")),
            "delta": self.delta,
            "reconstruct.more": self.part,
            "reconstruct.across": self.across,
            "estimates": list(self.estimates),
            "reconstruct.also": list(self.also),
            **({"edgeworth_order": 3} if self.estimates else {}),
        }
        return address.query(state, _STARTS)


def _equal_epsilon(name: str, words: str, noise: float, steps: int) -> ReconstructionPreset:
    """The release at the smallest rate, with the ``noise`` that makes its epsilon 4."""
    return ReconstructionPreset(name, words, Gaussian(noise, 0.1, steps), 0.1, 1e-5, ())


FIGURES = (
    ReconstructionPreset(
        "003 Fig. 1a",
        f"Sampled Laplace, 10 steps at rate 0.5, κ = 0.1; ε up to 20 at the right end. {_UNPRINTED}",
        Laplace(0.763, 0.5, 10),
        0.1,
        part=_OTHER_NOISE,
    ),
    ReconstructionPreset(
        "003 Fig. 1b",
        f"100 Laplace releases, κ = 0.1; ε up to 100. {_UNPRINTED}",
        Laplace(2.0, 1.0, 100),
        0.1,
        part=_OTHER_NOISE,
    ),
    ReconstructionPreset(
        "003 Fig. 1c",
        f"100 Gaussian releases, κ = 0.1: a closed formula; ε up to 100 at δ = 10⁻⁶. {_UNPRINTED}",
        Gaussian(1.956, 1.0, 100),
        0.1,
        part=_OTHER_NOISE,
    ),
    ReconstructionPreset(
        "003 Fig. 1d",
        "Sampled Gaussian, rate 0.001, 10,000 steps, κ = 10⁻⁶: too rare for Monte Carlo. The settings are ours.",
        Gaussian(0.6, 0.001, 10_000),
        1e-6,
        part=_OTHER_NOISE,
    ),
    ReconstructionPreset(
        "003 Fig. 1e",
        "ImageNet from scratch with batches of 1,024: low rate, many steps. The batch size is ours.",
        Gaussian(2.5, 1024 / _IMAGES, 71_589),
        1e-7,
        part=_OTHER_NOISE,
        records=_IMAGES,
    ),
    _equal_epsilon("003 Fig. 1f", "ε = 4 at δ = 10⁻⁵ in 100 steps, three sampling rates.", 1.386, 100),
    ReconstructionPreset(
        "003 Fig. 2, CIFAR-10",
        "Noise 10.5, batches of 4,096 of 50,000, 1,000 steps.",
        _CIFAR,
        1e-3,
        1e-5,
        records=50_000,
    ),
    ReconstructionPreset(
        "003 Fig. 2, CIFAR-10, small rate",
        "The same with batches of 256. The batch size is ours.",
        Gaussian(10.5, 256 / 50_000, 1000),
        1e-3,
        1e-5,
        records=50_000,
    ),
    ReconstructionPreset(
        "003 Fig. 2, ImageNet",
        "Noise 2.5, batches of 16,384, 71,589 steps (De et al. 2022).",
        _IMAGENET,
        1e-6,
        8e-7,
        records=_IMAGES,
    ),
    ReconstructionPreset(
        "003 Fig. 2, ImageNet, small batch",
        "The same with batches of 1,024: Fig. 1e.",
        Gaussian(2.5, 1024 / _IMAGES, 71_589),
        1e-6,
        8e-7,
        records=_IMAGES,
    ),
    _equal_epsilon("003 Fig. 3", "ε = 4 at δ = 10⁻⁵ in one step, three sampling rates.", 0.659596, 1),
    _equal_epsilon(
        "003 Fig. 4", "The same in 10,000 steps: called identical in the paper; nearly so.", 10.8477, 10_000
    ),
    *(
        ReconstructionPreset(
            f"000 Fig. 7, {name}",
            "Reconstruction from κ = 0.1 against ε: full knowledge, and a record unknown (one dimension).",
            release,
            0.1,
            delta,
            (),
            ("record unknown (RTM)",),
            "ε",
            _OTHER_NOISE,
            records=records,
        )
        for name, release, delta, records in (
            ("CIFAR-10", _CIFAR, 1e-5, 50_000),
            ("SNLI", _SNLI, 1.8e-6, 549_361),
            ("ImageNet", _IMAGENET, 8e-7, _IMAGES),
        )
    ),
)
