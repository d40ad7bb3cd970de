"""Scores of losses: the paper's transform towards normality, and back."""

import numpy as np

from numerics.trade_off import Floats


def scores(losses: Floats, lowest: float, highest: float) -> Floats:
    """The paper's transform of losses towards normality: pooled min-max to [0, 1], x = 1 + that, p = e^-x, -logit p.

    The logit itself falls with the loss (correction 22); its negative, log(e^x - 1), keeps the order. As the pooled
    range grows with the sample it becomes affine, which is why the estimate is not consistent (correction 24).

    Args:
        losses: (n,), between ``lowest`` and ``highest``, the range of both groups together.
        lowest: the smallest loss of all.
        highest: the largest loss of all.
    """
    half = 0.5 * losses - 0.5 * lowest  # halves: the range of the largest floats would overflow
    half /= 0.5 * highest - 0.5 * lowest
    half += 1.0
    np.expm1(half, out=half)
    return np.asarray(np.log(half, out=half))


def loss_at(score: float, lowest: float, highest: float) -> float:
    """The loss that has this score; beyond the losses, where the transform would put it."""
    return float(lowest + (np.logaddexp(0.0, score) - 1.0) * (highest - lowest))


def ascending(losses: Floats) -> Floats:
    """The losses themselves if they ascend, else a sorted copy."""
    return losses if bool(np.all(losses[:-1] <= losses[1:])) else np.sort(losses)
