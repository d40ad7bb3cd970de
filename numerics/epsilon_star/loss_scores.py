"""Scores of losses: the scale on which normal laws are fitted, and back.

Epsilon* itself hangs on the order of the losses alone, so counts and the lower bound need no scale. A normal law does:
fitted to cross-entropy, which is bounded below and has a long tail, it says nothing. The log odds of the right answer
are the scale on which losses of models that give little away are nearly normal.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import log
from types import MappingProxyType

import numpy as np

from numerics.trade_off import Floats
from numerics.validation import checked

SMALLEST = 2.0**-53
"""Nats: losses below it are cut to it. So near to 1 a probability rounds to 1 in float64, and has no log odds."""


class LossScale(StrEnum):
    """What the losses are, and so how scores are made of them.

    PRINTED is the paper's transform, whatever the losses are. It is nearly affine, so the fit is one of normal laws to
    the losses as they came, and more data do not bring it to the truth (correction 24).
    """

    LOG_ODDS = "log odds"
    NATS = "cross-entropy in nats"
    BITS = "cross-entropy in bits"
    PRINTED = "as printed"


NATS: Mapping[LossScale, float] = MappingProxyType({LossScale.NATS: 1.0, LossScale.BITS: log(2.0)})
"""How many nats a loss of 1 is, where it is a cross-entropy."""


@dataclass(frozen=True)
@checked
class Transform:
    """From losses to scores, and back; both grow with the loss.

    Attributes:
        scale: LOG_ODDS takes losses as they are; NATS and BITS give log(e^loss - 1), the log odds against the right
            answer; PRINTED is the paper's: pooled min-max to [0, 1], x = 1 + that, log(e^x - 1). The paper's own logit
            falls with the loss (correction 22).
        lowest: the smallest loss of both groups.
        highest: the largest loss of both groups.

    Raises ValueError for negative losses that are called a cross-entropy.
    """

    scale: LossScale
    lowest: float
    highest: float

    def __post_init__(self) -> None:
        if self.scale in NATS and self.lowest < 0.0:
            raise ValueError(f"losses must not be negative for {self.scale}, got {self.lowest!r}.")

    def scores(self, losses: Floats) -> Floats:
        """The scores (n,) of losses (n,) between ``lowest`` and ``highest``."""
        if self.scale is LossScale.LOG_ODDS:
            return losses
        if self.scale in NATS:
            nats = np.maximum(losses * NATS[self.scale], SMALLEST)
            return np.asarray(nats + np.log(-np.expm1(-nats)))
        half = 0.5 * losses - 0.5 * self.lowest  # halves: the range of the largest floats would overflow
        half /= 0.5 * self.highest - 0.5 * self.lowest
        half += 1.0
        np.expm1(half, out=half)
        return np.asarray(np.log(half, out=half))

    def loss_at(self, score: float) -> float:
        """The loss that has this score; beyond the losses, where the transform would put it."""
        if self.scale is LossScale.LOG_ODDS:
            return score
        x = float(np.logaddexp(0.0, score))
        if self.scale in NATS:
            return x / NATS[self.scale]
        return self.lowest + (x - 1.0) * (self.highest - self.lowest)

    def cut(self, losses: Floats) -> int:
        """How many of the losses (n,) are cut, as their log odds are infinite."""
        return int(np.count_nonzero(losses * NATS[self.scale] < SMALLEST)) if self.scale in NATS else 0


@checked
def ascending(losses: Floats) -> Floats:
    """The losses themselves if they ascend, else a sorted copy."""
    return losses if bool(np.all(losses[:-1] <= losses[1:])) else np.sort(losses)
