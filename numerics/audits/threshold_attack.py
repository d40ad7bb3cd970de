"""The attack that accuses where a loss is small, from counts in bins: true positive rates, area and advantage.

Limits are those of ``measured``, with the order inside of every bin in which they are widest: they hold for any bins,
and are the same where every bin holds a single loss.
"""

import numpy as np
from numpy.typing import NDArray

from numerics.audits.measured import (
    TruePositiveRate,
    area_limits,
    at_least,
    at_most,
    band_limits,
    fewest_for,
    risk_each,
    strict_count,
)
from numerics.epsilon_star.aggregates import LossBins
from numerics.epsilon_star.confidence import LEVEL
from numerics.trade_off import Floats
from numerics.validation import OpenProbability, checked, value

RATES = (0.01, 0.001)
"""False positive rates at which members are counted."""


@value
class ThresholdAttack:
    """What it shows at the ``level``, each statement by itself.

    Attributes:
        rates: true positive rates at ``RATES``.
        area: under the receiver operating characteristic, losses of one bin taken for equal.
        area_limits: contain the area of all losses.
        gained: what the advantage, TPR - FPR, is at least.
        level: of each.
    """

    rates: tuple[TruePositiveRate, ...]
    area: float
    area_limits: tuple[float, float]
    gained: float
    level: float


@checked
def threshold_attack(bins: LossBins, level: OpenProbability = LEVEL) -> ThresholdAttack:
    """What a threshold on these losses finds of the members (``train``) among the outsiders (``population``).

    Losses are independent within and between the groups. Raises ValueError for a level outside of (0, 1).
    """
    members, outsiders = (np.concatenate([[0.0], np.cumsum(group)]) for group in (bins.train, bins.population))
    rates = tuple(_rate(members, outsiders, alpha, level) for alpha in RATES)
    # Pairs of a member and an outsider: surely in order, and perhaps, where both are in one bin of several losses.
    size = members[-1] * outsiders[-1]
    within = bins.train * bins.population
    sure = float(np.sum(bins.train * (outsiders[-1] - outsiders[1:]))) / size
    tied, open_ = (float(np.sum(within[which])) / size for which in (bins.settled, ~bins.settled))
    smaller = int(min(members[-1], outsiders[-1]))
    low, high = sure + 0.5 * tied, min(sure + 0.5 * tied + open_, 1.0)
    limits = area_limits(low, smaller, level)[0], area_limits(high, smaller, level)[1]
    return ThresholdAttack(rates, low + 0.5 * open_, limits, _gained(members, outsiders, level), level)


@checked
def wanted_for_attack(bins: LossBins, level: OpenProbability = LEVEL) -> NDArray[np.bool_]:
    """Bins (b,) of several losses that hold the thresholds at ``RATES``: to look into them narrows the limits."""
    outsiders = np.concatenate([[0.0], np.cumsum(bins.population)])
    negatives, risk = int(outsiders[-1]), (1.0 - level) / 4.0
    ranks = [
        1 + strict_count(negatives, np.array(RATES), risk),
        negatives - strict_count(negatives, 1.0 - np.array(RATES), risk),
    ]
    wanted = np.zeros(len(bins.lowest), dtype=bool)
    wanted[_bin_of(outsiders, np.clip(np.concatenate(ranks), 1, negatives))] = True
    return wanted & ~bins.settled


def _rate(members: Floats, outsiders: Floats, alpha: float, level: float) -> TruePositiveRate:
    """From the counts (b + 1,) below all bins and through each of them."""
    positives, negatives, risk = int(members[-1]), int(outsiders[-1]), (1.0 - level) / 4.0
    accused = int(strict_count(negatives, np.array(alpha), risk))
    hits = np.array(0.0 if accused < 0 else members[_bin_of(outsiders, accused + 1)])
    lower = float(at_least(hits, positives - hits, risk)[1])
    spared = int(strict_count(negatives, np.array(1.0 - alpha), risk))
    beyond = positives if spared < 0 else members[_bin_of(outsiders, negatives - spared) + 1]
    upper = float(at_most(np.array(beyond), np.array(positives - beyond), risk)[1])
    needed = fewest_for(alpha, level)
    found = float(np.interp(alpha * negatives, outsiders, members)) / positives
    return TruePositiveRate(alpha, found, lower if negatives >= needed else None, upper, negatives, needed)


def _gained(members: Floats, outsiders: Floats, level: float) -> float:
    """At every preset rank of the outsiders: of the members before its loss, the limit at the last rank among them."""
    null, alternative = (band_limits(int(group[-1]), risk_each(level), 1) for group in (outsiders, members))
    hits = members[_bin_of(outsiders, null.ranks)]
    power = np.append(0.0, alternative.lower)[np.searchsorted(alternative.ranks, hits, "right")]
    return max(float(np.max(power - null.upper)), 0.0)


def _bin_of(cumulated: Floats, rank: Floats | NDArray[np.int64] | int) -> NDArray[np.intp]:
    """The bins of the losses with these ascending ranks, counted from 1."""
    return np.asarray(np.searchsorted(cumulated[1:], rank, "left"))
