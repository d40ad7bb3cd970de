"""Noise against an attacker who does not know the record, with few of the slow questions of ``numerics.relaxed``.

For one release with Gaussian noise of effect size mu, full knowledge tells N(0, 1) from N(mu, 1), and an unknown side
leaves the magnitude: |N(0, 1)| from |N(mu, 1)|. So noise that brings full knowledge to the mu at which the magnitude
reaches the goal is a first guess; for many sampled steps it misses by 2 % of the gain over guessing. It is then
corrected, first by the guess's own slope and then by secants, until the goal is met with less than 0.2 % to spare.
"""

from dataclasses import replace

import numpy as np
import scipy
from scipy.special import ndtr, ndtri

from numerics import calibration
from numerics.calibration import AdvantageTarget, Calibration, PowerTarget
from numerics.gaussian_membership.calibration import success_at
from numerics.mechanisms import Gaussian
from numerics.mechanisms.noise import arccosh_exp
from numerics.privacy_loss import Precision
from numerics.relaxed import RelaxedTarget

_SPARE = 2e-3  # share of the gain over guessing that may be left
_NEAR = 0.97  # another share of the gain, whose guess shows the slope
_ROUNDS = 6
_PRECISION = Precision(width=1e-6)


def noise_for(goal: PowerTarget | AdvantageTarget, mechanism: Gaussian) -> Calibration:
    """Noise of ``mechanism``, Poisson and add/remove, with which who does not know the record stays within ``goal``.

    The minimax test in one dimension, in which an unknown side protects least. ``reached`` is at most the goal.

    Raises ValueError where the slow search does.
    """
    target = RelaxedTarget(goal)
    log_noise, near = (_guess(aimed, mechanism) for aimed in (goal, _nearer(goal)))
    slope = _slope(np.log(_NEAR), near - log_noise)
    before: tuple[float, float] | None = None
    for _ in range(_ROUNDS):
        candidate = mechanism.with_noise(float(np.exp(log_noise)))
        found = Calibration(candidate, target, target.measure(candidate, _PRECISION))
        excess = _excess(goal, found.reached.upper)
        if -_SPARE <= excess <= 0.0:
            return found
        if before is not None:
            slope = _slope(excess - before[1], log_noise - before[0])
        before = log_noise, excess
        log_noise += (-0.5 * _SPARE - excess) / slope
    return calibration.noise_for(target, candidate)


def _guess(goal: PowerTarget | AdvantageTarget, mechanism: Gaussian) -> float:
    """Log of the noise at which the magnitude of a normal reaches ``goal``."""
    return float(np.log(calibration.noise_for(_in_full(goal), mechanism).noise_multiplier))


def _nearer(goal: PowerTarget | AdvantageTarget) -> PowerTarget | AdvantageTarget:
    """A goal with a little less gain over guessing."""
    if isinstance(goal, AdvantageTarget):
        return AdvantageTarget(_NEAR * goal.advantage)
    return replace(goal, power=goal.alpha + _NEAR * (goal.power - goal.alpha))


def _in_full(goal: PowerTarget | AdvantageTarget) -> PowerTarget | AdvantageTarget:
    """What full knowledge reaches when the magnitude reaches ``goal``, both of normals."""
    if isinstance(goal, AdvantageTarget):
        mu = scipy.optimize.brentq(lambda mu: _magnitude_advantage(mu) - goal.advantage, 1e-6, 40.0)
        return AdvantageTarget(success_at(goal, mu))
    cut = ndtri(0.5 * goal.alpha)
    mu = scipy.optimize.brentq(lambda mu: ndtr(cut + mu) + ndtr(cut - mu) - goal.power, 0.0, 40.0 - cut)
    return replace(goal, power=success_at(goal, mu))


def _magnitude_advantage(mu: float) -> float:
    """Largest TPR - FPR of |N(mu, 1)| against |N(0, 1)|, where the densities are equal: cosh(mu z) = e^(mu^2 / 2)."""
    cut = float(arccosh_exp(np.array(0.5 * mu * mu))) / mu
    return float(ndtr(mu - cut) + ndtr(-mu - cut) - 2.0 * ndtr(-cut))


def _excess(goal: PowerTarget | AdvantageTarget, reached: float) -> float:
    """Log of the gain over guessing, as a share of the goal's."""
    guessing = goal.alpha if isinstance(goal, PowerTarget) else 0.0
    return float(np.log(max(reached - guessing, 1e-300) / (goal.goal - guessing)))


def _slope(gain: float, log_noise: float) -> float:
    """Change of the gain's log for a change of the noise's; it falls, and at most so fast as seems possible."""
    return float(np.clip(gain / log_noise, -20.0, -0.1)) if log_noise != 0.0 else -2.0
