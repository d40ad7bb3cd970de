"""Losses from predictions (paper 001, Sec. 5 and Appendix B), and scores of losses, to which normal laws are fitted.

Epsilon* itself hangs on the order of the losses alone, so counts and the lower bound need no scale. A normal law does:
fitted to cross-entropy, which is bounded below and has a long tail, it says nothing. The log odds of the right answer
are the scale on which losses of models that give little away are nearly normal. Probabilities of a number type are cut
off near 0 and 1, where they have no odds; logits have none of that.
"""

from collections.abc import Mapping
from enum import StrEnum
from math import log
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from numerics.trade_off import Floats
from numerics.validation import OpenProbability, checked, value

SMALLEST = 2.0**-53
"""Nats: losses below it are cut to it. So near to 1 a probability rounds to 1 in float64, and has no log odds."""
_SMALLEST_TOLD = {
    float(np.finfo(kind).eps): float(np.finfo(kind).tiny) for kind in (np.float64, np.float32, np.float16)
}


class LossScale(StrEnum):
    """What the losses are, and so how scores are made of them.

    PRINTED is the paper's transform, whatever the losses are: nearly affine, so that more data do not bring the fit to
    the truth (correction 24).
    """

    LOG_ODDS = "log odds"
    NATS = "cross-entropy in nats"
    BITS = "cross-entropy in bits"
    PRINTED = "as printed"


NATS: Mapping[LossScale, float] = MappingProxyType({LossScale.NATS: 1.0, LossScale.BITS: log(2.0)})
"""How many nats a loss of 1 is, where it is a cross-entropy."""


@value
class Transform:
    """From losses to scores, and back; both grow with the loss.

    LOG_ODDS takes losses as they are; NATS and BITS give log(e^loss - 1), the log odds against the right answer;
    PRINTED the paper's pooled min-max to [0, 1], x = 1 + that, log(e^x - 1); the paper's own logit falls with the loss
    (correction 22).
    ``lowest`` and ``highest`` are the smallest and the largest loss of both groups.
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
            return nats + np.log(-np.expm1(-nats))
        half = 0.5 * losses - 0.5 * self.lowest  # halves: the range of the largest floats would overflow
        half /= 0.5 * self.highest - 0.5 * self.lowest
        np.expm1(half + 1.0, out=half)
        return np.log(half, out=half)

    def loss_at(self, score: float) -> float:
        """The loss that has this score; beyond the losses, where the transform would put it."""
        if self.scale is LossScale.LOG_ODDS:
            return score
        x = float(np.logaddexp(0.0, score))
        return x / NATS[self.scale] if self.scale in NATS else self.lowest + (x - 1.0) * (self.highest - self.lowest)

    def cut(self, losses: Floats) -> int:
        """How many of the losses (n,) are cut, as their log odds are infinite."""
        return int(np.count_nonzero(losses * NATS[self.scale] < SMALLEST)) if self.scale in NATS else 0


@checked
def ascending(losses: Floats) -> Floats:
    """The losses themselves if they ascend, else a sorted copy."""
    return losses if bool(np.all(losses[:-1] <= losses[1:])) else np.sort(losses)


class Clipped(NamedTuple):
    """Losses (n,), and how many of them (their rows) come from a probability that was cut."""

    losses: Floats
    rows: int


@checked
def binary_losses(probability: Floats, label: NDArray[np.bool_], unit: OpenProbability) -> Clipped:
    """Negative log odds of the right answer, from probabilities (n,) of the class 1 and whether (n,) it is right.

    Cut to [unit/2, 1 - unit/2], where ``unit`` is the spacing of the probabilities just above 1: 2^-52 for float64,
    1e-4 for four written decimals. What lies within half of it of 0 or 1 cannot be told from there.
    """
    cut = np.clip(probability, 0.5 * unit, 1.0 - 0.5 * unit)
    losses = binary_losses_from_logits(np.log(cut) - np.log1p(-cut), label)
    return Clipped(losses, int(np.count_nonzero(cut != probability)))


@checked
def binary_losses_from_logits(logit: Floats, label: NDArray[np.bool_]) -> Floats:
    """The same from logits (n,) of the class 1: these themselves, or their negatives, to the last bit."""
    return np.where(label, -logit, logit)


@checked
def class_losses(probabilities: Floats, label: NDArray[np.integer], smallest: OpenProbability) -> Clipped:
    """The same from probabilities (n, k) of k classes and places (n,) of the right ones.

    1 - f_y loses its digits where f_y is near 1; there the sum of the others has them. The larger of the two is used:
    others that were rounded to 0 must not make the right answer surer than it is. Both are cut to ``smallest``.
    """
    right, others = _parted(probabilities, label)
    rest = np.maximum(1.0 - right, others.sum(axis=1))
    cut, cut_rest = np.clip(right, smallest, 1.0), np.clip(rest, smallest, 1.0)
    return Clipped(np.log(cut_rest) - np.log(cut), int(np.count_nonzero((cut != right) | (rest < smallest))))


@checked
def class_losses_from_logits(logits: Floats, label: NDArray[np.integer]) -> Floats:
    """The same from logits (n, k): the log-sum-exp of the other classes' less the right one's."""
    right, others = _parted(logits, label)
    with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
        largest = others.max(axis=1)
        shift = np.where(np.isfinite(largest), largest, 0.0)
        losses: Floats = (shift - right) + np.log(np.exp(others - shift[:, None], out=others).sum(axis=1))
    return losses


@checked
def smallest_told(unit: OpenProbability) -> float:
    """The smallest probability told from 0 with this spacing next to 1: a float's smallest normal, or half a unit."""
    return _SMALLEST_TOLD.get(unit, 0.5 * unit)


def _parted(values: Floats, label: NDArray[np.integer]) -> tuple[Floats, Floats]:
    """The right class's values (n,) and a copy of the others' (n, k-1), in float64."""
    if values.ndim != 2 or values.shape[1] < 2:
        raise ValueError(f"values must have two or more columns, got shape {values.shape}.")
    if label.shape != values.shape[:1] or (len(label) and not 0 <= label.min() <= label.max() < values.shape[1]):
        raise ValueError(f"label must hold {len(values)} places of {values.shape[1]} columns.")
    chosen = np.zeros(values.shape, dtype=bool)
    chosen[np.arange(len(values)), label] = True
    return values[chosen], values[~chosen].reshape(len(values), -1)
