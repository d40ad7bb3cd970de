"""What a way to draw batches has to say."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar

from numerics.mechanisms.noise import Noise
from numerics.mechanisms.sampled_once import SampledOnce
from numerics.mechanisms.shift import Shift
from numerics.not_offered import NotOfferedError, name_of
from numerics.privacy_loss.dominating_pairs import DominatingPair
from numerics.privacy_loss.window_plan import Phases
from numerics.sampling.adjacency import Adjacency

UnitNoise = Callable[[float], Noise]
"""The noise of a step, for lengths in a unit of so many sensitivities."""


def composed(*phases: tuple[DominatingPair, int]) -> Phases:
    """The phases that have any steps."""
    return tuple((pair, steps) for pair, steps in phases if steps)


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
    def phases(self, noise: UnitNoise, rate: float, steps: int, adjacency: Adjacency) -> Phases:
        """Dominating pairs, each with how often it is composed: no attack on these ``steps`` does better."""

    def attack_phases(self, noise: UnitNoise, rate: float, steps: int, adjacency: Adjacency) -> Phases | None:
        """The laws that an attack on these steps is known to tell apart; None where none is known.

        Those of the guarantee where these are reached.
        """
        dominating = self.phases(noise, rate, steps, adjacency)
        return dominating if all(pair.is_reached for pair, _ in dominating) else None

    def closed_form(self, shift: Shift, rate: float, adjacency: Adjacency) -> SampledOnce | None:
        """The trade-off function of one step whose noise is tested by ``shift``; None where no formula is known."""
        return None

    def person_phases(self, noise: UnitNoise, rate: float, steps: int, adjacency: Adjacency, records: int) -> Phases:
        """The same as ``phases`` for a person with at most so many records, where ``several_records`` says so."""
        raise NotImplementedError

    def person_once(
        self, shift: Shift, noise: UnitNoise, rate: float, adjacency: Adjacency, records: int
    ) -> SampledOnce | None:
        """The same as ``closed_form`` for a person whose records have the test ``shift`` each."""
        return None

    def check(self, adjacency: Adjacency, records: int) -> None:
        """Raise ValueError where data sets drawn from in this way have no such neighbours."""
        if records > 1 and not self.several_records:
            raise NotOfferedError(
                f"records_per_person must be 1 for {self.words}, got {records}: what a person with several records "
                "risks is known for Poisson sampling, and without sampling."
            )
        if adjacency not in self.adjacencies:
            needed = " or ".join(self.adjacencies)
            raise ValueError(f"{self.words} need {needed} adjacency, got {adjacency}.")

    def check_noise(self, noise: type[Noise]) -> None:
        """Raise NotOfferedError where nothing is known of batches drawn in this way with such noise."""
        if self.needs_lognormal_ratio and not noise.has_lognormal_ratio:
            raise NotOfferedError(
                f"{self.words[0].upper()}{self.words[1:]} are not offered for {name_of(noise)} noise. The guarantee "
                "for shuffled batches holds there too."
            )
