"""How the records of a step are drawn: one file a way, with its dominating pair, its neighbours and its words."""

from enum import StrEnum

from numerics.sampling import fixed_size, poisson, random_allocation, shuffled
from numerics.sampling.batches import Adjacency
from numerics.sampling.batches import Batches as _Batches


class Sampling(StrEnum):
    """How the records of a step are drawn."""

    POISSON = "Poisson"
    FIXED_SIZE = "fixed size"
    SHUFFLED = "shuffled"
    RANDOM_ALLOCATION = "random allocation"

    @property
    def batches(self) -> _Batches:
        """What is known of this way."""
        return _BATCHES[self]


_BATCHES = {
    Sampling.POISSON: poisson.Poisson(),
    Sampling.FIXED_SIZE: fixed_size.FixedSize(),
    Sampling.SHUFFLED: shuffled.Shuffled(),
    Sampling.RANDOM_ALLOCATION: random_allocation.RandomAllocation(),
}
