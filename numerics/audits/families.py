"""Search along a family of claims, for the member at which an answer changes.

``weakest`` follows a number that says by how much, ``loosest`` a yes or no, each of which may take seconds.
"""

from collections.abc import Callable

import numpy as np
import scipy

from numerics.audits.claim import Claim

_TOLERANCE = 1e-9  # of the parameter, or of the log of a noise multiplier
_STEP = 0.5  # of the first move, as a share of the parameter, or of the log; then twice as far each time
_SMALLEST_STEP = 0.05
_DOUBLINGS = 10  # of the parameter in either direction
LOOSEST = 2.0**_DOUBLINGS


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


def middle_of(claim: Claim) -> float:
    """The number of the claim's family to search from: 1 for mu and epsilon, what the claim has for a release."""
    return 1.0 if claim.grows else 1.0 / claim.parameter


def member_of(claim: Claim, looseness: float) -> Claim:
    """The member of the claim's family with a number that grows with the power allowed, within the family's limits."""
    parameter = looseness if claim.grows else 1.0 / looseness
    return claim.with_parameter(min(max(parameter, claim.limits[0]), claim.limits[1]))


def loosest(holds: Callable[[float], bool], start: float, tolerance: float) -> float | None:
    """Largest number up to which ``holds``, to a relative ``tolerance``; None below a thousandth of ``start``."""
    low = high = start
    if holds(start):
        for _ in range(_DOUBLINGS):
            high *= 2.0
            if not holds(high):
                break
            low = high
        else:
            return low
    else:
        for _ in range(_DOUBLINGS):
            low /= 2.0
            if holds(low):
                break
            high = low
        else:
            return None
    while high > low * (1.0 + tolerance):
        middle = float(np.sqrt(low * high))
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low
