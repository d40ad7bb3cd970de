"""Search along a family of claims, for the member at which an answer changes."""

from collections.abc import Callable

import numpy as np
import scipy

from numerics.audits.claim import Claim

_TOLERANCE = 1e-9  # of the parameter, or of the log of a noise multiplier
_STEP = 0.5  # of the first move, as a share of the parameter, or of the log; then twice as far each time
_SMALLEST_STEP = 0.05


def weakest(claim: Claim, excess: Callable[[float], float]) -> float | None:
    """Parameter of the member that allows most of those whose ``excess`` is not positive; None if there is none.

    ``excess`` grows with what a member allows. Searched from the claim's own parameter; the answer is on the side where
    the excess is not positive, and a limit of the family if it is positive nowhere.
    """
    ends = claim.limits if claim.grows else tuple(-np.log(end) for end in reversed(claim.limits))
    start = claim.parameter if claim.grows else -np.log(claim.parameter)

    def parameter(place: float) -> float:
        found = place if claim.grows else float(np.exp(-place))
        return float(np.clip(found, *claim.limits))

    def at(place: float) -> float:
        return excess(parameter(place))

    here, step = float(start), max(_STEP * claim.parameter if claim.grows else _STEP, _SMALLEST_STEP)
    positive = at(here) > 0.0
    while True:
        there = float(np.clip(here - step if positive else here + step, *ends))
        if there == here:
            return None if positive else parameter(here)
        if (at(there) > 0.0) != positive:
            break
        here, step = there, 2.0 * step
    low, high = sorted((here, there))
    root = float(scipy.optimize.brentq(at, low, high, xtol=_TOLERANCE))
    return parameter(max(root - 2.0 * _TOLERANCE, low))
