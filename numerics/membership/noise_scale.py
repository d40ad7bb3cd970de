"""Scale b of noise with density proportional to exp(-||x||/b) that makes a release eta-private.

The statistic theta of a random half of the data is released. How much noise its spread calls for:

- paper 002 Thm 9 and Cor. 14, from a moment of the spread; proved in print for one dimension only (correction 31);
- differential privacy, from the largest change by one replaced record.

The one-swap bound (``one_swap``), from the mean change, asks for less than either.
"""

from typing import Annotated

import numpy as np
import scipy

from numerics.membership.advantage import Eta, PositiveEta, epsilon_for_eta
from numerics.validation import Interval, NonNegative, Positive, checked

THEOREM_9, COROLLARY_14 = 7.5, 6.16


@checked
def theorem_9_scale(
    eta: PositiveEta, spread: NonNegative = 1.0, moment: Annotated[float, Interval(1.0, np.inf, "be at least 1")] = 2.0
) -> float:
    """(7.5/eta)^(1 + 2/M) times ``spread``, the M-th root of E ||theta - E theta||^M; ``moment`` M >= 1."""
    return _moment_scale(THEOREM_9, eta, spread, moment)


@checked
def corollary_14_scale(
    eta: PositiveEta, spread: NonNegative = 1.0, moment: Annotated[float, Interval(2.0, np.inf, "be at least 2")] = 2.0
) -> float:
    """(6.16/eta)^(1 + 2/M) times ``spread``, the M-th root of E ||theta - E theta||^M; ``moment`` M >= 2."""
    return _moment_scale(COROLLARY_14, eta, spread, moment)


def _moment_scale(constant: float, eta: float, spread: float, moment: float) -> float:
    return float((constant / eta) ** (1.0 + 2.0 / moment) * spread)


@checked
def private_scale(eta: Eta, sensitivity: NonNegative) -> float:
    """Sensitivity / epsilon, with the epsilon that guarantees ``eta``; ``sensitivity`` to a replaced record.

    For eta = 1/2 no noise is needed: 0.
    """
    if eta == 0.0:
        raise ValueError("eta must be positive: eta 0 needs infinite noise, got 0.")
    return sensitivity / epsilon_for_eta(eta)


@checked
def crossing(sensitivity: Positive, spread: Positive = 1.0) -> float | None:
    """Smallest eta at which the paper's noise (M = 2) is no more than that of differential privacy (002 Fig. 1).

    None where differential privacy always needs less.
    """

    def excess(eta: float) -> float:
        paper, private = corollary_14_scale(eta, spread, 2.0), private_scale(eta, sensitivity)
        return float(np.log(paper / private))

    # The ratio falls like 1/eta and rises again only near eta = 1/2, where differential privacy needs no noise.
    least = scipy.optimize.minimize_scalar(excess, bounds=(1e-3, 0.4999), method="bounded", options={"xatol": 1e-9})
    if least.fun > 0.0:
        return None
    return float(scipy.optimize.brentq(excess, 1e-12, least.x, xtol=1e-18, rtol=1e-14))
