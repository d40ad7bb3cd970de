"""Losses of real models that come with the project; how they were made is told in data/README.md."""

from dataclasses import dataclass
from pathlib import Path

from losses.groups import LossGroups, groups_from_one
from losses.table import read_table

_DATA = Path(__file__).parents[1] / "data"


@dataclass(frozen=True)
class Sample:
    """A shipped table of losses with columns ``loss`` and ``member``."""

    name: str
    description: str
    path: Path


def samples() -> tuple[Sample, ...]:
    """All shipped samples."""
    return (
        Sample(
            "Digits, overfitted network",
            "A network with 512 hidden units, trained on 898 handwritten digits until it knew them by heart.",
            _DATA / "digits_overfitted.csv.gz",
        ),
        Sample(
            "Digits, regularised regression",
            "A strongly regularised logistic regression on the same digits.",
            _DATA / "digits_regularised.csv.gz",
        ),
    )


def open_sample(sample: Sample) -> LossGroups:
    """Losses of a shipped sample."""
    table = read_table(sample.path.read_bytes(), sample.name)
    return groups_from_one(table, "loss", "member", "1")
