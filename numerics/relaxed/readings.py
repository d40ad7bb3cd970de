"""What may be asked of an attacker who does not know the record, where several answers are known."""

from enum import StrEnum


class Direction(StrEnum):
    """Whether the record pulls the same way in every step."""

    COMMON = "common"
    INDEPENDENT = "independent"  # the squared distances of all steps are summed: one statistic (correction 11)


class Reading(StrEnum):
    """What a relaxed curve of several sampled steps is (correction 15); the same for one step."""

    MINIMAX = "guarantee"  # the best attack on an unknown side
    MAGNITUDE = "magnitude of the mean"  # one statistic (paper 000 Lemma 8)
    FOLDED_STEPS = "product of folded steps"  # one statistic (paper 000 Section 7.3)
