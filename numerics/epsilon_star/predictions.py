"""Losses from predictions and labels: the log odds against the right answer (paper 001, Sec. 5 and Appendix B).

For one probability f of the class 1 and a label y of 0 or 1 the loss is (1 - 2y) (log f - log(1 - f)); for k classes
with probability f_y of the right one it is -(log f_y - log(1 - f_y)). Both are the negative log odds of the right
answer, which any number type cuts off: a probability that rounds to 1 has no odds. Logits have none of that.
"""

from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from numerics.trade_off import Floats
from numerics.validation import OpenProbability, checked

_SMALLEST = MappingProxyType(
    {float(np.finfo(kind).eps): float(np.finfo(kind).tiny) for kind in (np.float64, np.float32, np.float16)}
)


class Clipped(NamedTuple):
    """Losses (n,), and how many of them (their rows) come from a probability that was cut."""

    losses: Floats
    rows: int


@checked
def binary_losses(probability: Floats, label: NDArray[np.bool_], unit: OpenProbability) -> Clipped:
    """Losses from the probability of the class 1, cut to [unit/2, 1 - unit/2], the same at both ends.

    Args:
        probability: (n,), within [0, 1].
        label: (n,), whether the class is 1.
        unit: spacing of the probabilities just above 1: 2^-52 for float64, 2^-23 for float32, 1e-4 for four written
            decimals. What lies within half of it of 0 or 1 cannot be told from there.

    Raises ValueError unless 0 < unit < 1.
    """
    low, high = 0.5 * unit, 1.0 - 0.5 * unit
    cut = np.clip(probability, low, high)
    log_odds = np.log(cut) - np.log1p(-cut)
    return Clipped(np.where(label, -log_odds, log_odds), int(np.count_nonzero(cut != probability)))


@checked
def binary_losses_from_logits(logit: Floats, label: NDArray[np.bool_]) -> Floats:
    """Losses (n,) from the logits (n,) of the class 1: the logits themselves, or their negatives, to the last bit."""
    return np.where(label, -logit, logit)


@checked
def class_losses(probabilities: Floats, label: NDArray[np.integer], smallest: OpenProbability) -> Clipped:
    """Losses from the probabilities of k classes.

    1 - f_y loses its digits where f_y is near 1; there the sum of the others has them. The larger of the two is used,
    as others that were rounded to 0 must not make the right answer surer than it is.

    Args:
        probabilities: (n, k), k of 2 or more, rows that sum to 1.
        label: (n,), places of the right classes, 0 ... k-1.
        smallest: f_y and 1 - f_y below it cannot be told from 0, and are cut to it: the number type's smallest normal
            number, or half a unit of the last written decimal.

    Raises ValueError unless 0 < smallest < 1.
    """
    right, others = _parted(probabilities, label)
    rest = np.maximum(1.0 - right, others.sum(axis=1))
    cut, cut_rest = np.clip(right, smallest, 1.0), np.clip(rest, smallest, 1.0)
    count = np.count_nonzero((cut != right) | (rest < smallest))
    return Clipped(np.log(cut_rest) - np.log(cut), int(count))


@checked
def class_losses_from_logits(logits: Floats, label: NDArray[np.integer]) -> Floats:
    """Losses (n,) from the logits (n, k) of k classes, up to a constant in each row: exactly, without a softmax.

    -(log f_y - log(1 - f_y)) is the log of the sum of the other classes' exponentials, minus the right one's logit.
    """
    right, others = _parted(logits, label)
    with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
        largest = others.max(axis=1)
        shift = np.where(np.isfinite(largest), largest, 0.0)
        others -= shift[:, None]
        np.exp(others, out=others)
        losses: Floats = (shift - right) + np.log(others.sum(axis=1))
    return losses


@checked
def smallest_told(unit: OpenProbability) -> float:
    """The smallest probability that is told from 0 by numbers with this spacing next to 1.

    Floats have a smallest normal number: 2^-1022, 2^-126 or 2^-14. Decimals are rounded to the nearest one.
    """
    return _SMALLEST.get(unit, 0.5 * unit)


def _parted(values: Floats, label: NDArray[np.integer]) -> tuple[Floats, Floats]:
    """The right class's values (n,) and a copy of the others' (n, k-1), in float64."""
    if values.ndim != 2 or values.shape[1] < 2:
        raise ValueError(f"values must have two or more columns, got shape {values.shape}.")
    if label.shape != values.shape[:1] or (len(label) and not 0 <= label.min() <= label.max() < values.shape[1]):
        raise ValueError(f"label must hold {len(values)} places of {values.shape[1]} columns.")
    chosen = np.zeros(values.shape, dtype=bool)
    chosen[np.arange(len(values)), label] = True
    return values[chosen], values[~chosen].reshape(len(values), -1)
