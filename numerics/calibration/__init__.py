"""The smallest noise that keeps the attacker's success at or below a target."""

from numerics.calibration.search import (
    LARGEST_NOISE,
    SMALLEST_NOISE,
    Calibration,
    Measure,
    UnreachableError,
    noise_for,
)
from numerics.calibration.targets import AdvantageTarget, EpsilonTarget, PowerTarget, Target, Unremembered

__all__ = [
    "LARGEST_NOISE",
    "SMALLEST_NOISE",
    "AdvantageTarget",
    "Calibration",
    "EpsilonTarget",
    "Measure",
    "PowerTarget",
    "Target",
    "UnreachableError",
    "Unremembered",
    "noise_for",
]
