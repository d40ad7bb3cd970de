"""The relaxed threat model (paper 000): an attacker who does not know the record.

``curves`` has the questions, ``folded`` and ``squared_distance`` the closed forms, ``minimax`` the guarantee
for several sampled steps, ``statistics`` what two single statistics reach, ``targets`` what noise can be calibrated to.
"""

from numerics.relaxed.advantage import advantage
from numerics.relaxed.curves import (
    LARGEST_DIMENSION,
    Asymptotic,
    Direction,
    Reading,
    RelaxedCurve,
    asymptotic,
    closed_form,
    power,
    power_against_effect_size,
    powers,
    trade_off,
)
from numerics.relaxed.resilience import Resilience, detection_resilience
from numerics.relaxed.targets import RelaxedAdvantageTarget, RelaxedPowerTarget, ResilienceTarget

__all__ = [
    "LARGEST_DIMENSION",
    "Asymptotic",
    "Direction",
    "Reading",
    "RelaxedAdvantageTarget",
    "RelaxedCurve",
    "RelaxedPowerTarget",
    "Resilience",
    "ResilienceTarget",
    "advantage",
    "asymptotic",
    "closed_form",
    "detection_resilience",
    "power",
    "power_against_effect_size",
    "powers",
    "trade_off",
]
