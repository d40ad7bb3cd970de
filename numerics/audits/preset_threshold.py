"""Epsilon from the counts at one threshold that was fixed before the scores were seen.

At a threshold chosen on the same scores neither number means anything: use ``epsilon_star.lower_bound``, which holds
for all of them.
"""

from typing import Annotated

import numpy as np

from numerics.audits.binomial_limits import at_least, at_most
from numerics.epsilon_star.confidence import LEVEL, Level
from numerics.validation import Interval, PositiveCount, Probability, checked, value

_Count = Annotated[int, Interval(0, np.inf, "not be negative")]


@value
class ThresholdCounts:
    """Scores beyond a preset threshold: ``false_positives`` of ``null`` without the record, ``true_positives`` with it.

    Raises ValueError for a count above the number of scores.
    """

    false_positives: _Count
    null: PositiveCount
    true_positives: _Count
    alternative: PositiveCount

    def __post_init__(self) -> None:
        Interval(0, self.null).check("false_positives", self.false_positives)
        Interval(0, self.alternative).check("true_positives", self.true_positives)


@checked
def clopper_pearson_epsilon(counts: ThresholdCounts, delta: Probability, level: Level = LEVEL) -> float:
    """Lower confidence limit of epsilon at ``delta``, never negative: log((TPR_low - delta) / FPR_high).

    Each rate has its exact limit (Clopper and Pearson 1934) at half of the risk (Jagielski et al. 2020, Nasr et al.
    2023). Valid in finite samples.
    """
    risk = (1.0 - level) / 2.0
    false, true = np.array(counts.false_positives), np.array(counts.true_positives)
    high = float(at_most(false, counts.null - false, risk)[1])
    low = float(at_least(true, counts.alternative - true, risk)[1])
    return max(float(np.log((low - delta) / high)), 0.0) if low > delta else 0.0
