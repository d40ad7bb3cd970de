"""The kinds of numbers that parameters are annotated with."""

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from numerics.validation.interval import LARGEST, SMALLEST, Interval

PROBABILITY = Interval(0, 1)
POSITIVE = Interval(SMALLEST, LARGEST, "be positive and finite")
_FINITE, NON_NEGATIVE = Interval(-LARGEST, LARGEST, "be finite"), Interval(0.0, np.inf, "not be negative")

Finite = Annotated[float, _FINITE]
PositiveOrInfinite = Annotated[float, Interval(SMALLEST, np.inf, "be positive")]
Positive = Annotated[float, POSITIVE]
NonNegative = Annotated[float, NON_NEGATIVE]
FiniteNonNegative = Annotated[float, NON_NEGATIVE, _FINITE]
Probability = Annotated[float, PROBABILITY]
OpenProbability = Annotated[float, Interval.inside(0, 1)]
PositiveProbability = Annotated[float, Interval(SMALLEST, 1.0, "be above 0 and at most 1")]
Probabilities = Annotated[NDArray[np.float64], PROBABILITY]
Unknown = Annotated[float, "any number, or NaN where there is none"]
PositiveCount = Annotated[int, Interval(1, np.inf, "be positive")]
Seed = Annotated[int, NON_NEGATIVE]
