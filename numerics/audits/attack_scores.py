"""What the scores of an attack on one model show, from scores of non-members and of members.

Members and non-members are independent draws from one source before the split, and the attack did not use these labels.
All of it is about this model and this attack: a fixed split is one draw, so nothing follows for the training procedure,
and a better attack may exist.
"""

from collections.abc import Iterator

import numpy as np
import scipy
from scipy.special import kl_div, ndtri

from numerics.audits.measured import Confidence, fewest_for, measured_curve
from numerics.audits.rounds import Scores, ordered
from numerics.trade_off import Floats
from numerics.validation import OpenProbability, PositiveCount, Probability, Unknown, checked, value

LEVEL = 0.95
_TINY = 1e-15
_CHUNK = 1_000_000  # scores looked at together: memory stays that of the scores


@value
class TruePositiveRate:
    """True positive rate at the false positive rate ``alpha``.

    Attributes:
        alpha: false positive rate.
        value: share of members accused where the share ``alpha`` of non-members is.
        lower: what the true rate is at least; None where there are too few non-members for any.
        upper: what it is at most.
        null: number of non-members.
        needed: fewest non-members with which there is a lower limit.
    """

    alpha: float
    value: float
    lower: float | None
    upper: float
    null: int
    needed: int


@value
class AreaUnderCurve:
    """Area under the receiver operating characteristic: P(member's score > non-member's) + P(equal) / 2.

    Attributes:
        value: of these scores.
        lower: proven: with ``upper`` it contains the true area with the level's confidence, in finite samples.
        upper: proven.
        standard_error: DeLong's (1988), an ESTIMATE; NaN where a group has a single score.
        estimate: the interval that follows from it, an ESTIMATE: it may cover less than it says.
    """

    value: float
    lower: float
    upper: float
    standard_error: Unknown
    estimate: tuple[Unknown, Unknown]


@checked
def true_positive_rate(scores: Scores, alpha: OpenProbability, level: OpenProbability = LEVEL) -> TruePositiveRate:
    """True positive rate at ``alpha`` with exact limits, see ``measured_curve``.

    Raises ValueError for empty scores, NaN, and ``alpha`` or ``level`` outside of (0, 1).
    """
    confidence = Confidence(level)
    curve = measured_curve(scores, np.array([alpha]), confidence)
    needed, null = fewest_for(alpha, confidence.risk(1) / 4.0), len(scores.null)
    upper, lower = (float(side.power[0]) for side in (curve.lower, curve.upper) if side is not None)
    return TruePositiveRate(alpha, float(curve.power[0]), lower if null >= needed else None, upper, null, needed)


@checked
def area_under_curve(scores: Scores, level: OpenProbability = LEVEL) -> AreaUnderCurve:
    """Area under the ROC curve with its proven interval, and DeLong's beside it.

    The area is an average of averages over min(n0, n1) disjoint pairs (Hoeffding 1963 Sec. 5), so Chernoff's bound
    holds: kl(found, true) <= log(2 / risk) / min(n0, n1) with the level's confidence, ties counted by half or not.

    Raises ValueError for empty scores, NaN, and a level outside of (0, 1).
    """
    null, alternative = ordered(scores)
    value, of_members = _mean_and_variance(alternative, null)
    of_others = _mean_and_variance(null, alternative)[1]
    error = float(np.sqrt(of_members / len(alternative) + of_others / len(null)))
    lower, upper = area_limits(value, min(len(null), len(alternative)), level)
    reach = float(-ndtri((1.0 - level) / 2.0)) * error
    low, high = np.clip((value - reach, value + reach), 0.0, 1.0).tolist()  # no area lies beyond
    return AreaUnderCurve(value, lower, upper, error, (low, high))


@checked
def area_limits(value: Probability, smaller: PositiveCount, level: OpenProbability = LEVEL) -> tuple[float, float]:
    """The proven interval of an area found with ``smaller`` scores in the smaller group."""
    farthest = float(np.log(2.0 / (1.0 - level))) / smaller

    def excess(other: float) -> float:
        return float(kl_div(value, other) + kl_div(1.0 - value, 1.0 - other)) - farthest

    def limit(end: float, nearly: float) -> float:
        if abs(value - end) <= _TINY or excess(nearly) <= 0.0:
            return end
        return float(scipy.optimize.brentq(excess, nearly, value, xtol=_TINY))

    return limit(0.0, _TINY), limit(1.0, 1.0 - _TINY)


def _mean_and_variance(own: Floats, other: Floats) -> tuple[float, float]:
    """Of the placements of one ascending group among the other: the share of it that is smaller, ties by half."""
    total = squares = 0.0
    for part in _parts(own):
        below, through = (np.searchsorted(other, part, side) for side in ("left", "right"))
        placed = (below + through) / (2.0 * len(other)) - 0.5
        total, squares = total + float(placed.sum()), squares + float(placed @ placed)
    mean = total / len(own)
    if len(own) == 1:
        return mean + 0.5, float("nan")
    return mean + 0.5, max((squares - len(own) * mean**2) / (len(own) - 1), 0.0)


def _parts(ascending: Floats) -> Iterator[Floats]:
    for start in range(0, len(ascending), _CHUNK):
        yield ascending[start : start + _CHUNK]
