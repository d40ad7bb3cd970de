"""What one guarantee, or one attack, says about other numbers of the same release.

All of it is about one kind of neighbouring data sets; nothing here changes the adjacency (that is done by
``numerics.membership``). "Limit" is the most that a guarantee allows; some release that keeps the guarantee reaches it.
"Reached" is the least that an attack proves.
"""

import numpy as np
from scipy.special import expit, log_expit, ndtri, ndtri_exp

from numerics.trade_off import Floats
from numerics.validation import non_negative, open_probability, probability


def power_limit(epsilon: float, delta: float, alpha: float) -> float:
    """Largest true positive rate at ``alpha`` of an (``epsilon``, ``delta``)-DP release (Kairouz et al. 2015).

    min(1, delta + e^epsilon alpha, 1 - e^-epsilon (1 - delta - alpha)).
    """
    _check(epsilon, delta)
    probability("alpha", alpha)
    flat = -float(np.expm1(-epsilon)) + float(np.exp(-epsilon)) * (delta + alpha)  # no 1 - x: alpha may be tiny
    return min(steep_power_limit(epsilon, delta, alpha), flat)


def steep_power_limit(epsilon: float, delta: float, alpha: float) -> float:
    """The part of ``power_limit`` that holds for small ``alpha``, min(1, delta + e^epsilon alpha): valid, not tight."""
    _check(epsilon, delta)
    probability("alpha", alpha)
    return min(1.0, delta + float(np.exp(min(epsilon, 700.0))) * alpha)


def replaced_advantage_limit(epsilon: float, delta: float) -> float:
    """Largest advantage on a *replaced* record of a release that is (``epsilon``, ``delta``)-DP under add/remove.

    A replacement is a removal and an addition: the power is g(g(alpha)) with g = ``power_limit`` (group privacy of
    f-DP, Dong, Roth and Su 2022 Thm 2.14), which the law of a threshold test reaches. 1 - e^-epsilon for delta = 0.
    Much sharper than by way of (2 epsilon, (1 + e^epsilon) delta), the two-step guarantee in the form of one pair.
    """
    _check(epsilon, delta)
    corner = (1.0 - delta) * float(expit(-epsilon))
    # g(g) - alpha is concave and linear between its corners, of which the largest gap is one.
    before = max((corner - delta) * float(np.exp(-epsilon)), 0.0)
    after = min(max(1.0 - delta - (1.0 - corner) * float(np.exp(min(epsilon, 700.0))), 0.0), 1.0)
    alphas = (0.0, before, corner, after)
    return max(power_limit(epsilon, delta, power_limit(epsilon, delta, alpha)) - alpha for alpha in alphas)


def mu_limit(epsilon: float, delta: float = 0.0) -> float:
    """Least mu for which every (``epsilon``, ``delta``)-DP release is mu-Gaussian-DP; infinite unless delta is 0.

    2 Phi^-1(e^epsilon / (1 + e^epsilon)): G_mu is convex, so it lies below the two chords of f_epsilon as soon as it
    lies below its corner. With delta above 0 an attacker without false alarms may find somebody, which G_mu excludes.
    """
    _check(epsilon, delta)
    return float("inf") if delta > 0.0 else max(float(-2.0 * ndtri_exp(log_expit(-epsilon))), 0.0)


def advantage_of_power_limit(alpha: float, power: float) -> float:
    """Largest advantage of a release that keeps the true positive rate at ``alpha`` to ``power``.

    (power - alpha) / min(power, 1 - alpha). The trade-off function is convex: beyond ``alpha`` it lies above the line
    from (0, 1) through (alpha, 1 - power), and before it above the line from there to (1, 0). A power below alpha
    limits nothing: the curve would lie above guessing, which none does.
    """
    _check_point(alpha, power)
    return max((power - alpha) / min(power, 1.0 - alpha), 0.0)


def advantage_reached(alpha: float, power: float) -> float:
    """Advantage that an attack with these rates proves: power - alpha, or 0."""
    _check_point(alpha, power)
    return max(power - alpha, 0.0)


def epsilon_reached(alpha: float, power: float, delta: float) -> float:
    """Least epsilon at ``delta`` of a release on which an attack has these rates (paper 001, the two-sided ratios)."""
    _check_point(alpha, power)
    probability("delta", delta)
    logs = [0.0]
    if power > delta:
        logs.append(float(np.log(power - delta) - np.log(alpha)))
    if 1.0 - alpha > delta:
        logs.append(float(np.log((1.0 - delta) - alpha) - np.log1p(-power)))
    return max(logs)


def mu_reached(alpha: float, power: float) -> float:
    """Least mu of Gaussian DP of a release on which an attack has these rates: Phi^-1(power) - Phi^-1(alpha)."""
    _check_point(alpha, power)
    return max(float(ndtri(power) - ndtri(alpha)), 0.0)


def sampled_epsilon(step: float, rate: float, steps: Floats) -> Floats:
    """Pure epsilon of ``steps`` (n,) Poisson-sampled releases of pure epsilon ``step`` each: N log(1 + p (e^step - 1)).

    Paper 003 Sec. 4.3 amplifies once after composing, which is valid but far from tight (correction 40).
    """
    non_negative("step", step)
    probability("rate", rate)
    return np.asarray(steps * np.log1p(rate * np.expm1(step)))


def _check(epsilon: float, delta: float) -> None:
    non_negative("epsilon", epsilon)
    probability("delta", delta)


def _check_point(alpha: float, power: float) -> None:
    open_probability("alpha", alpha)
    open_probability("power", power)
