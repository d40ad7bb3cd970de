"""What stands between an audit's number and its meaning, as facts; the pages find the words."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from numerics.trade_off import Floats
from numerics.validation import checked

MOST_VALUES = 5
_LOOKED_AT = 1000  # losses
UNEQUAL_SPREADS = 0.01  # of the log of the ratio (correction 26)


class Caveat(StrEnum):
    """Why the number may not mean what it seems to."""

    INFINITE = "some threshold makes no error of one kind, so the ratio has no upper limit"
    SEPARATED = "the groups do not overlap"
    SAME_LOSSES = "both groups hold the same losses"
    CLIPPED = "the clip took the largest ratios away"
    DELTA_TOO_LARGE = "delta is larger than 1 over the number of training losses"
    FEW_VALUES = "the losses take a few values only, which no normal law describes"
    UNEQUAL_SPREADS = "the fitted standard deviations differ, and drive the value"


@dataclass(frozen=True)
@checked
class LossOverview:
    """The losses in a few numbers: sizes of both groups, pooled range, and how they lie to each other.

    ``few_values`` says that one group takes no more than ``MOST_VALUES``, as losses that count mistakes do.
    """

    train_size: int
    population_size: int
    lowest: float
    highest: float
    separated: bool
    identical: bool
    few_values: bool = False


@checked
def evidence_of(train: Floats, population: Floats) -> LossOverview:
    """Summarise the losses of training data (n,) and of fresh data (m,)."""
    ranges = [(float(losses.min()), float(losses.max())) for losses in (train, population)]
    (train_low, train_high), (low, high) = ranges
    identical = ranges[0] == ranges[1] and len(train) == len(population)
    return LossOverview(
        len(train),
        len(population),
        min(train_low, low),
        max(train_high, high),
        separated=train_high < low or high < train_low,
        identical=identical and bool(np.array_equal(np.sort(train), np.sort(population))),
        few_values=any(map(_takes_few_values, (train, population))),
    )


def _takes_few_values(losses: Floats) -> bool:
    """Losses have many as a rule, which a thousand of them show; all are looked at where these do not."""
    some = losses[:: max(len(losses) // _LOOKED_AT, 1)]
    return all(len(np.unique(part)) <= MOST_VALUES for part in (some, losses))


def caveats_of(
    evidence: LossOverview, value: float, delta: float, clip_active: bool, log_sd_ratio: float | None
) -> tuple[Caveat, ...]:
    """The caveats that hold, in the order of the enumeration.

    ``log_sd_ratio`` is None for counts.
    """
    parametric = log_sd_ratio is not None
    holds = {
        Caveat.INFINITE: bool(np.isinf(value)),
        Caveat.SEPARATED: evidence.separated,
        Caveat.SAME_LOSSES: evidence.identical,
        Caveat.CLIPPED: clip_active,
        Caveat.DELTA_TOO_LARGE: delta * evidence.train_size > 1.0,
        Caveat.FEW_VALUES: parametric and evidence.few_values,
        Caveat.UNEQUAL_SPREADS: parametric and abs(log_sd_ratio or 0.0) > UNEQUAL_SPREADS,
    }
    return tuple(caveat for caveat, true in holds.items() if true)


def caveats_of_bound(evidence: LossOverview, delta: float) -> tuple[Caveat, ...]:
    """The caveats that concern a confidence bound too; it is finite, unclipped, and right without a law."""
    concern = (Caveat.SEPARATED, Caveat.SAME_LOSSES, Caveat.DELTA_TOO_LARGE)
    return tuple(caveat for caveat in caveats_of(evidence, 0.0, delta, False, None) if caveat in concern)
