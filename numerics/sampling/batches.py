"""What a way to draw batches has to say."""

from abc import ABC, abstractmethod
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar

from numerics.mechanisms.location import Subsampled
from numerics.mechanisms.noise import Noise
from numerics.privacy_loss.pairs import ComposedPairs
from numerics.unsupported import UnsupportedError, name_of
from numerics.validation import PositiveCount, checked

if TYPE_CHECKING:
    from numerics.mechanisms.base import SampledMechanism


class Adjacency(StrEnum):
    """Which data sets count as neighbours."""

    ADD_REMOVE = "add/remove"
    REPLACE_ONE = "replace-one"
    ZERO_OUT = "zero-out"

    @property
    def reach(self) -> float:
        """Distance between two neighbouring sums, in units of the sensitivity (the largest norm of one record)."""
        return 2.0 if self is Adjacency.REPLACE_ONE else 1.0

    @property
    def sentence(self) -> str:
        """The convention in words."""
        return self.sentence_for(1)

    @checked
    def sentence_for(self, records: PositiveCount) -> str:
        """The convention in words, where a person may have so many records: the unit is a record, or a person."""
        one, several = _DIFFERENCES[self]
        if records == 1:
            return f"Neighbouring data sets differ {one} ({self})."
        return f"Neighbouring data sets differ {several.format(f'{records:,}')} ({self} of a person)."


_DIFFERENCES = {  # of a record, and of a person
    Adjacency.ADD_REMOVE: (
        "by the presence of one record",
        "by the presence of one person with all of their records, at most {}",
    ),
    Adjacency.REPLACE_ONE: (
        "in the value of one record",
        "in the values of all records of one person, who has at most {}",
    ),
    Adjacency.ZERO_OUT: (
        "in one record, which adds nothing in one of them",
        "in one person, whose records, at most {}, add nothing in one of them",
    ),
}


class Batches(ABC):
    """A way to draw the records of a step, each of which takes a share ``rate`` of them, below 1."""

    words: ClassVar[str]
    """What is drawn."""
    suffix: ClassVar[str] = ""
    """What a release's label adds to the rate."""
    in_short: ClassVar[str]
    """A sentence for whoever decides, without the rate."""
    adjacencies: ClassVar[tuple[Adjacency, ...]] = tuple(Adjacency)
    """Neighbours that data sets drawn from in this way can have."""
    needs_lognormal_ratio: ClassVar[bool] = False
    """Whether they are known for noise with such a likelihood ratio only."""
    several_records: ClassVar[bool] = False
    """Whether it is known what a person risks who has several records."""

    @abstractmethod
    def sentence(self, rate: float) -> str:
        """The way in words, and what is known of it."""

    @abstractmethod
    def phases(self, release: "SampledMechanism") -> ComposedPairs:
        """Dominating pairs, each with how often it is composed: no attack on the steps of ``release`` does better."""

    def attack_phases(self, release: "SampledMechanism") -> ComposedPairs | None:
        """The laws that an attack on these steps is known to tell apart; None where none is known.

        Those of the guarantee where these are reached.
        """
        return release.pairs if release.is_reached else None

    def closed_form(self, release: "SampledMechanism") -> Subsampled | None:
        """The trade-off function of one step; None where no formula is known."""
        return None

    def check(self, adjacency: Adjacency, records: int) -> None:
        """Raise ValueError where data sets drawn from in this way have no such neighbours."""
        if records > 1 and not self.several_records:
            raise UnsupportedError(
                f"records_per_person must be 1 for {self.words}, got {records}: what a person with several records "
                "risks is known for Poisson sampling, and without sampling."
            )
        if adjacency not in self.adjacencies:
            needed = " or ".join(self.adjacencies)
            raise ValueError(f"{self.words} need {needed} adjacency, got {adjacency}.")

    def check_noise(self, noise: type[Noise]) -> None:
        """Raise UnsupportedError where nothing is known of batches drawn in this way with such noise."""
        if self.needs_lognormal_ratio and not noise.has_lognormal_ratio:
            raise UnsupportedError(
                f"{self.words[0].upper()}{self.words[1:]} are not offered for {name_of(noise)} noise. The guarantee "
                "for shuffled batches holds there too."
            )
