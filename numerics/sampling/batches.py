"""What a way to draw batches has to say."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar

from numerics.closed_forms import SampledOnce
from numerics.mechanisms.noise import Noise
from numerics.mechanisms.shift import Shift
from numerics.privacy_loss.dominating_pairs import Pair
from numerics.sampling.adjacency import Adjacency


class Batches(ABC):
    """A way to draw the records of a step.

    In every step a record takes part with probability ``rate``, below 1, whatever happens in other steps.
    """

    words: ClassVar[str]
    """What is drawn."""
    suffix: ClassVar[str] = ""
    """What a release's label adds to the rate."""
    adjacencies: ClassVar[tuple[Adjacency, ...]] = tuple(Adjacency)
    """Neighbours that data sets drawn from in this way can have."""

    @abstractmethod
    def sentence(self, rate: float) -> str:
        """The way in words, and what is known of it."""

    @abstractmethod
    def pair(self, noise: Callable[[float], Noise], rate: float, adjacency: Adjacency) -> Pair:
        """The dominating pair of a step whose ``noise`` is that for lengths in a unit of so many sensitivities."""

    def closed_form(self, shift: Shift, rate: float, adjacency: Adjacency) -> SampledOnce | None:
        """The trade-off function of one step whose noise is tested by ``shift``; None where no formula is known."""
        return None

    def check(self, adjacency: Adjacency) -> None:
        """Raise ValueError where data sets drawn from in this way have no such neighbours."""
        if adjacency not in self.adjacencies:
            needed = " or ".join(self.adjacencies)
            raise ValueError(f"{self.words} need {needed} adjacency, got {adjacency}.")
