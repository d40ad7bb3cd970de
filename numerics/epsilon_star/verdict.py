"""What an estimate of epsilon* is worth: plain, amber (extrapolated), or grey (it says nothing about these losses).

The lower confidence bound needs no such verdict. An estimate by fitted laws hangs on tails in which there are no
losses: normal fits to the cross-entropy of an overfitted network give thousands where samples of that size cannot show
5. The rule was set before any losses were seen; at a delta near 1/n hardly any fit is plain, and that is the finding.
"""

from enum import StrEnum
from typing import Annotated

import numpy as np
from scipy.special import ndtr

from numerics.epsilon_star.confidence import LowerBound
from numerics.epsilon_star.estimators import EpsilonStar, Method
from numerics.epsilon_star.scores import LossScale, Transform
from numerics.trade_off import Floats
from numerics.validation import NON_NEGATIVE, PositiveCount, Probability, checked, value

MOST_UNEQUAL = 0.1  # log of the ratio of spreads; a ratio of 1.1 alone makes 1.46 of nothing at delta = 1e-5
MOST_CUT = 1e-3  # share of the losses
MOST_TIED = 1e-2  # share of a group
REJECTED = 0.05  # p-value


class Reason(StrEnum):
    """Why an estimate is not plain, in words that follow "because"; the first five make it grey."""

    ABOVE_CEILING = "it is larger than anything that samples of these sizes can show"
    NOT_NORMAL = "it rests on tails without data, and the data do not follow normal laws (rejected at 1 %)"
    UNEQUAL_SPREADS = "the two fitted spreads differ by more than a tenth, which alone makes such numbers"
    SATURATED = "many losses sit at an end of the scale, so where they were cut off decides the number"
    CHANCE = "shuffling who was a member gives as large a number in more than one of 20 cases"
    EXTRAPOLATED = "it rests on tails without data, so the fitted law speaks, not the losses"
    PRINTED = "the paper's scaling fits normal laws to the losses as they came, and more data do not mend it"
    COUNTED = "counted rates are biased upwards: the largest of many ratios is partly luck"
    BELOW_BOUND = "it is below the lower bound, so it is too small"
    UNCHECKED = "it was not checked against a null of these losses"


_GREY = tuple(Reason)[:5]


class Standing(StrEnum):
    """How an estimate may be shown."""

    GREY = "says nothing about these losses"
    AMBER = "not to be relied on alone"
    PLAIN = "an estimate"


@value
class EstimateVerdict:
    """How an estimate may be shown, and why; ``reasons`` are in the order of the enumeration."""

    standing: Standing
    reasons: tuple[Reason, ...]

    @property
    def words(self) -> str:
        """The reasons that matter most, as they follow "because"; empty for a plain estimate."""
        grave = [reason for reason in self.reasons if reason in (*_GREY, Reason.BELOW_BOUND)]
        return "; ".join(grave if self.standing is Standing.GREY else self.reasons)


@value
class ScoreShape:
    """Whether neither group rejects a normal law at 1 %; shares of losses cut off at an end, and tied at one."""

    is_normal: bool
    cut: float
    tied: float


@checked
def shape_of(
    train: Floats, population: Floats, transform: Transform, cut: Annotated[int, NON_NEGATIVE] = 0
) -> ScoreShape:
    """The shape of ascending losses (n,) and (m,); ``cut`` come from probabilities that were cut before."""
    groups = train, population
    cut += sum(transform.cut(losses) for losses in groups)
    is_normal = all(distance(transform.scores(losses)) <= critical_distance(len(losses)) for losses in groups)
    return ScoreShape(is_normal, cut / sum(map(len, groups)), max(map(tied_at_ends, groups)))


@checked
def distance(scores: Floats) -> float:
    """Kolmogorov-Smirnov distance of ascending scores (n,) to the normal law with their mean and standard deviation."""
    n, ranks = len(scores), np.arange(len(scores))
    u = ndtr((scores - scores.mean()) / scores.std())
    return float(max(np.max((ranks + 1) / n - u), np.max(u - ranks / n)))


@checked
def critical_distance(size: PositiveCount) -> float:
    """What the distance exceeds in 1 % of normal samples: Lilliefors' test, by the formula of Stephens 1974."""
    root = float(np.sqrt(size))
    return 1.035 / (root - 0.01 + 0.85 / root)


@checked
def tied_at_ends(losses: Floats) -> float:
    """Largest share of ascending losses (n,) that equal the first, or the last; 0 where each is alone."""
    first = int(np.searchsorted(losses, losses[0], "right"))
    last = len(losses) - int(np.searchsorted(losses, losses[-1], "left"))
    return max((count for count in (first, last) if count > 1), default=0) / len(losses)


@checked
def verdict_of(
    found: EpsilonStar, bound: LowerBound, shape: ScoreShape | None, p_value: Probability | None
) -> EstimateVerdict:
    """How an estimate may be shown: by the bound, the losses' shape, and its p-value among shuffled labels."""
    fitted, is_normal = found.laws is not None, shape is None or shape.is_normal
    holds = {
        Reason.ABOVE_CEILING: fitted and found.value > bound.attainable,
        Reason.NOT_NORMAL: fitted and found.is_beyond and not is_normal,
        Reason.UNEQUAL_SPREADS: fitted and abs(found.log_sd_ratio) > MOST_UNEQUAL,
        Reason.SATURATED: fitted and shape is not None and (shape.cut > MOST_CUT or shape.tied > MOST_TIED),
        Reason.CHANCE: p_value is not None and p_value > REJECTED,
        Reason.EXTRAPOLATED: fitted and found.is_beyond and is_normal,
        Reason.PRINTED: found.transform is not None and found.transform.scale is LossScale.PRINTED,
        Reason.COUNTED: found.method is Method.EMPIRICAL,
        Reason.BELOW_BOUND: found.value < bound.value,
        Reason.UNCHECKED: p_value is None,
    }
    reasons = tuple(reason for reason, true in holds.items() if true)
    if fitted and any(reason in _GREY for reason in reasons):
        return EstimateVerdict(Standing.GREY, reasons)
    return EstimateVerdict(Standing.AMBER if reasons else Standing.PLAIN, reasons)
