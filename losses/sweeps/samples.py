"""Sweeps that come with the project: published numbers, and our own."""

from dataclasses import dataclass

from losses.samples import ShippedFile
from losses.sweeps.roles import SweepRoles
from losses.sweeps.table import read_sweep
from losses.table import LossTable

_PUBLISHED = "published_utility.csv"
_OWN = "sweep_landscape.csv"
_OF_ITS_OWN = "epsilon against its own attacker"  # a goal: noise against an unknown record has not this epsilon
_SETTINGS = ("clip", "batch", "learning_rate", "epochs")


@dataclass(frozen=True)
class SweepSample(ShippedFile):
    """A shipped sweep; ``roles`` say which columns hold what, the description what its bars are, too."""

    roles: SweepRoles

    def table(self) -> LossTable:
        """Its rows."""
        return read_sweep(self.content)


def _own(utility: str) -> SweepRoles:
    return SweepRoles(utility, "epsilon_star_estimate_as_printed", "strategy", run="run", hyperparameters=_SETTINGS)


def _calibrated(data: str) -> SweepRoles:
    return SweepRoles("accuracy", _OF_ITS_OWN, "strategy", spread="accuracy sd", only=("data set", data))


_OURS = "Models trained for this project on MNIST digits, in the manner of paper 001, Fig. 1"
_FITS = "Epsilon* is estimated by normal fits, as printed: it may lie on either side of the truth, and is no bound."
_BARS = "Every bar runs from the smallest to the largest run."
_OWN_ATTACKER = (
    "Each was trained to the same ε against its own attacker: this compares assumptions, for the noise against an "
    "unknown record does not have this ε in the sense of differential privacy."
)
_FIGURE_4 = f"{_OWN_ATTACKER} Bars are one standard deviation over 5 runs, as printed in paper 000"

SWEEPS = (
    SweepSample("our sweep, accuracy", f"{_OURS}: accuracy against Epsilon*. {_FITS} {_BARS}", _OWN, _own("accuracy")),
    SweepSample("our sweep, AUROC", f"{_OURS}: AUROC against Epsilon*. {_FITS} {_BARS}", _OWN, _own("auroc")),
    SweepSample("000 Fig. 4a, CIFAR-10", f"{_FIGURE_4}: ε = 1, δ = 1e-5.", _PUBLISHED, _calibrated("CIFAR-10")),
    SweepSample("000 Fig. 4b, SNLI", f"{_FIGURE_4}: ε = 1, δ = 1.8e-6.", _PUBLISHED, _calibrated("SNLI")),
    SweepSample(
        "000 Fig. 4c, ImageNet",
        f"{_OWN_ATTACKER} Paper 000 prints no spread: ε = 10, δ = 1e-6.",
        _PUBLISHED,
        _calibrated("ImageNet"),
    ),
    SweepSample(
        "001 Fig. 1, printed",
        "Purchase-100: the three baselines whose averages over 5 runs paper 001 prints (Section 4.2).",
        _PUBLISHED,
        SweepRoles(
            "accuracy",
            "epsilon star as printed (estimate)",
            "strategy",
            hyperparameters=("epochs",),
            only=("data set", "Purchase-100"),
        ),
    ),
)
