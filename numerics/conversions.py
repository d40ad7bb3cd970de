"""What one guarantee, or one attack, says about other numbers of the same release.

All of it is about one kind of neighbouring data sets; nothing here changes the adjacency (that is done by
``numerics.membership``). "Limit" is the most that a guarantee allows; some release that keeps the guarantee reaches it.
"Reached" is the least that an attack proves.
"""

import numpy as np
from scipy.special import log_expit, ndtri, ndtri_exp

from numerics.trade_off import Floats
from numerics.validation import NonNegative, OpenProbability, Probabilities, Probability, checked


@checked
def power_limit(epsilon: NonNegative, delta: Probability, alpha: Probability) -> float:
    """Largest true positive rate at ``alpha`` of an (``epsilon``, ``delta``)-DP release (Kairouz et al. 2015).

    min(1, delta + e^epsilon alpha, 1 - e^-epsilon (1 - delta - alpha)).
    """
    return float(power_limits(epsilon, delta, np.array(alpha)))


@checked
def power_limits(epsilon: NonNegative, delta: Probability, alpha: Probabilities) -> Floats:
    """The same at each ``alpha`` (n,)."""
    steep = delta + np.exp(min(epsilon, 700.0)) * alpha
    flat = -np.expm1(-epsilon) + np.exp(-epsilon) * (delta + alpha)  # no 1 - x: alpha may be tiny
    return np.minimum(np.minimum(steep, flat), 1.0)


@checked
def steep_power_limit(epsilon: NonNegative, delta: Probability, alpha: Probability) -> float:
    """The part of ``power_limit`` that holds for small ``alpha``, min(1, delta + e^epsilon alpha): valid, not tight."""
    return min(1.0, delta + float(np.exp(min(epsilon, 700.0))) * alpha)


@checked
def replaced_advantage_limit(epsilon: NonNegative, delta: Probability) -> float:
    """Largest advantage on a *replaced* record of a release that is (``epsilon``, ``delta``)-DP under add/remove.

    A replacement is a removal and an addition: the power is g(g(alpha)) with g = ``power_limit`` (group privacy of
    f-DP, Dong, Roth and Su 2022 Thm 2.14), which the law of a threshold test reaches. Up to the corner of g the outer g
    has its flat slope e^-epsilon and the inner one e^epsilon: the power is alpha + 1 - e^-epsilon (1 - 2 delta) there.
    Much sharper than by way of (2 epsilon, (1 + e^epsilon) delta), the two-step guarantee in the form of one pair.
    """
    return float(min(2.0 * delta * np.exp(-epsilon) - np.expm1(-epsilon), 1.0))


@checked
def mu_limit(epsilon: NonNegative, delta: Probability = 0.0) -> float:
    """Least mu for which every (``epsilon``, ``delta``)-DP release is mu-Gaussian-DP; infinite unless delta is 0.

    2 Phi^-1(e^epsilon / (1 + e^epsilon)): G_mu is convex, so it lies below the two chords of f_epsilon as soon as it
    lies below its corner. With delta above 0 an attacker without false alarms may find somebody, which G_mu excludes.
    """
    return float("inf") if delta > 0.0 else max(float(-2.0 * ndtri_exp(log_expit(-epsilon))), 0.0)


@checked
def advantage_of_power_limit(alpha: OpenProbability, power: OpenProbability) -> float:
    """Largest advantage of a release that keeps the true positive rate at ``alpha`` to ``power``.

    (power - alpha) / min(power, 1 - alpha). The trade-off function is convex: beyond ``alpha`` it lies above the line
    from (0, 1) through (alpha, 1 - power), and before it above the line from there to (1, 0). A power below alpha
    limits nothing: the curve would lie above guessing, which none does.
    """
    return max((power - alpha) / min(power, 1.0 - alpha), 0.0)


@checked
def advantage_reached(alpha: OpenProbability, power: OpenProbability) -> float:
    """Advantage that an attack with these rates proves: the difference of the two.

    Here and in what follows an attack that is worse than guessing proves as much as its opposite, which clears whom it
    accuses.
    """
    return abs(power - alpha)


@checked
def epsilon_reached(alpha: OpenProbability, power: OpenProbability, delta: Probability) -> float:
    """Least epsilon at ``delta`` of a release on which an attack has these rates (paper 001 Eq. 7, all four ratios)."""
    accused, cleared = (power, alpha), (1.0 - power, 1.0 - alpha)  # with and without the record
    ratios = (accused, cleared, accused[::-1], cleared[::-1])
    return max([0.0] + [float(np.log(more - delta) - np.log(less)) for more, less in ratios if more > delta])


@checked
def mu_reached(alpha: OpenProbability, power: OpenProbability) -> float:
    """Least mu of Gaussian DP of a release on which an attack has these rates: |Phi^-1(power) - Phi^-1(alpha)|."""
    return abs(float(ndtri(power) - ndtri(alpha)))
