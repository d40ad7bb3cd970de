"""What the passes ask of a loss, as an expression that every engine understands: its score, and its bin."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from losses.warehouse.engines import Expression, ibis
from numerics.epsilon_star import LossScale, Transform
from numerics.epsilon_star.scores import NATS, SMALLEST

LARGEST = float(np.finfo(float).max)
_SERIES = 1e-2  # nats: below, a series with an error of 4e-12 of the score; above, 1 - e^-x keeps 14 digits


class LossRange(NamedTuple):
    """Losses from ``low`` to ``high``, both included."""

    low: float
    high: float


def is_finite(loss: Expression) -> Expression:
    """Null for null; no engine says that NaN is at most the largest float, whether it compares it or sorts it last."""
    return (loss >= number(-LARGEST)) & (loss <= number(LARGEST))


def one_where(said: Expression) -> Expression:
    """1 where something is true, 0 where it is not or nobody knows; PostgreSQL makes no number of yes and no."""
    return ibis().ifelse(said, ibis().literal(1, "int64"), ibis().literal(0, "int64"))


def number(value: float) -> Expression:
    """A number as the engine reads it from text: the very float, where a literal may pass through decimals."""
    return ibis().literal(repr(float(value))).cast("float64")


def _unit(loss: Expression, within: LossRange) -> Expression:
    """The place of a loss in a range, from 0 to 1; halves, as the range of the largest floats would overflow."""
    half = max(0.5 * within.high - 0.5 * within.low, float(np.finfo(float).smallest_subnormal))
    return (loss * number(0.5) - number(0.5 * within.low)) / number(half)


def bin_of(loss: Expression, runs: Sequence[LossRange], bins: int) -> Expression:
    """Number of the bin, ``bins`` in each run; null between runs. A search tree of comparisons, one leaf a run."""
    return bin_in_tree(loss, list(enumerate(runs)), bins)


def bin_in_tree(
    loss: Expression, numbered: list[tuple[int, LossRange]], bins: int, everything: bool = False
) -> Expression:
    """As ``bin_of``, of the runs by their numbers; with ``everything``, of whatever lies outside the nearest bin."""
    if len(numbered) > 1:
        middle = len(numbered) // 2
        left, right = (bin_in_tree(loss, part, bins) for part in (numbered[:middle], numbered[middle:]))
        return ibis().ifelse(loss < number(numbered[middle][1].low), left, right)
    ((place, run),) = numbered
    within = (_unit(loss, run) * number(bins)).floor().cast("int64").clip(lower=0, upper=bins - 1)
    if everything:  # an engine's rounding may put a score a bit beyond the range
        return within + place * bins
    inside = (loss >= number(run.low)) & (loss <= number(run.high))
    return ibis().ifelse(inside, within + place * bins, ibis().null("int64"))


def score_of(loss: Expression, transform: Transform) -> Expression:
    """The score of a loss, as ``Transform.scores`` has it; engines have no expm1, so small losses go by a series."""
    one = number(1.0)
    if transform.scale is LossScale.LOG_ODDS:
        return loss
    if transform.scale is LossScale.PRINTED:
        return ((_unit(loss, LossRange(transform.lowest, transform.highest)) + one).exp() - one).ln()
    nats = loss * number(NATS[transform.scale])
    nats = ibis().ifelse(nats < number(SMALLEST), number(SMALLEST), nats)
    half = nats * number(0.5)
    near = nats.ln() + half + half * half / number(6.0)
    return ibis().ifelse(nats < number(_SERIES), near, nats + (one - (number(0.0) - nats).exp()).ln())
