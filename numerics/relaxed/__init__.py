"""The relaxed threat model (paper 000): an attacker who does not know the record.

``curves`` has the questions and what noise can be calibrated to, ``folded`` the closed forms, ``minimax`` the guarantee
for several sampled steps, ``statistics`` what two single statistics reach, ``asymptotics`` the approximations for many
dimensions, ``generalised_ratio`` what is left of it all for noise that is not symmetric.
"""

from numerics.relaxed.curves import (
    LARGEST_DIMENSION,
    Direction,
    RelaxedCurve,
    RelaxedTarget,
    RelaxedTest,
    Resilience,
    advantage,
    closed_form,
    detection_resilience,
    holds_in_any_dimension,
    power,
    trade_off,
)
from numerics.relaxed.generalised_ratio import GeneralisedRatioTest, LogGammaNoise, RatioStatistic
