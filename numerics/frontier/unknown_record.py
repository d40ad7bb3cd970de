"""The effect size that keeps a goal against an attacker who does not know the record's direction (paper 000 Eq. 4).

One release of Gaussian noise: central against noncentral chi-square with ``dimension`` degrees of freedom, for many
goals at once. ``relaxed`` has the curves; here it is their inverse in the effect size mu.
"""

from collections.abc import Callable

import numpy as np
import scipy
from scipy.special import ndtr, ndtri

from numerics.chi_squared import chi_squared_quantile, noncentral_tails
from numerics.roots import crossing
from numerics.trade_off import Floats

_TABLE = 48  # effect sizes at which the largest advantage is searched for
_POLISHES = 3  # secant steps that sharpen what is read off the table
_NEAR = 1e-4  # to the best deviate: the advantage is flat there, its own error is the square of it
_FURTHEST = 36.0


def power(mu: Floats, dimension: int, alpha: float) -> Floats:
    """True positive rate (n,) at false positive rate ``alpha`` for each effect size ``mu`` (n,)."""
    critical = chi_squared_quantile(float(dimension), np.full(mu.shape, -ndtri(alpha)))
    return noncentral_tails(float(dimension), mu**2, critical)[0]


def advantage(mu: Floats, dimension: int) -> Floats:
    """Largest true minus false positive rate (n,) for each effect size ``mu`` (n,).

    The best critical value's deviate lies between 0 and about 1/2 for small mu, and below mu for large.
    """
    from scipy.optimize.elementwise import find_minimum  # takes a tenth of a second

    def loss(z: Floats, each: Floats) -> Floats:
        flat = z.ravel()
        critical = chi_squared_quantile(float(dimension), flat)
        found = noncentral_tails(float(dimension), np.broadcast_to(each, z.shape).ravel() ** 2, critical)[0]
        return (ndtr(-flat) - found).reshape(z.shape)

    top = np.minimum(mu + 1.5, _FURTHEST)
    bracket = (np.full(mu.shape, -1.0), np.full(mu.shape, 0.3), top)
    best = find_minimum(loss, bracket, args=(mu,), tolerances={"xatol": _NEAR, "xrtol": _NEAR})
    return -best.f_x


def mu_for_power(goals: Floats, dimension: int, alpha: float) -> Floats:
    """The effect size (n,) at which ``power`` is each of ``goals`` (n,), above ``alpha``."""
    least = np.asarray(ndtri(goals) - ndtri(alpha))  # full knowledge
    high = _reached(lambda mu: power(mu, dimension, alpha), least, goals)
    return np.exp(
        crossing(
            lambda log_mu, place: power(np.exp(log_mu), dimension, alpha) - goals[place],
            np.log(least) - 1e-9,
            np.log(high),
        )
    )


def mu_for_advantage(goals: Floats, dimension: int) -> Floats:
    """The effect size (n,) at which ``advantage`` is each of ``goals`` (n,), between 0 and 1: a table, then secants."""
    deviates = ndtri(0.5 + 0.5 * goals)
    ends = np.array([goals.min(), goals.max()])
    low, high = 2.0 * ndtri(0.5 + 0.5 * ends)
    high = float(_reached(lambda mu: advantage(mu, dimension), np.array([high]), ends[1:])[0])
    logs = np.linspace(np.log(low), np.log(high) + 1e-3, _TABLE)
    heights = np.log(ndtri(0.5 + 0.5 * advantage(np.exp(logs), dimension)))
    table = scipy.interpolate.CubicSpline(heights, logs)
    found, wanted = table(np.log(deviates)), np.log(deviates)
    slope = table(wanted, 1)
    for _ in range(_POLISHES):
        reached = np.log(ndtri(0.5 + 0.5 * advantage(np.exp(found), dimension)))
        found = found + (wanted - reached) * slope
    return np.exp(found)


def _reached(success: Callable[[Floats], Floats], start: Floats, goals: Floats) -> Floats:
    """Effect sizes (n,) of at least ``start`` (n,) whose success is at least ``goals`` (n,)."""
    mu = start.copy()
    short = success(mu) < goals
    while np.any(short):
        mu = np.where(short, 1.5 * mu, mu)
        short = short & (success(mu) < goals)
    return mu
