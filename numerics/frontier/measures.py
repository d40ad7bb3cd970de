"""How attack success is stated, and the full-knowledge effect size mu that goes with it: Gaussian noise, one release.

Every measure is an increasing function of mu, so mu is the common currency of the notions (``notions``).
"""

import numpy as np
from scipy.special import erf, erfinv, ndtr, ndtri

from numerics.mechanisms.laplace import LaplaceShift
from numerics.trade_off import Floats
from numerics.validation import OpenProbability, value

_ROOT_8 = float(np.sqrt(8.0))  # 2 Phi(mu/2) - 1 = erf(mu / sqrt 8)


@value
class PowerMeasure:
    """Share of the members found (TPR) while a share ``alpha`` of the outsiders is falsely accused."""

    alpha: OpenProbability

    @property
    def label(self) -> str:
        """In words, for file headers."""
        return f"true positive rate at false positive rate {self.alpha:g}"

    @property
    def guessing(self) -> float:
        """Success without looking at the release."""
        return self.alpha

    def mu(self, goals: Floats) -> Floats:
        """z_alpha - z_goal."""
        return ndtri(_above(goals, self.alpha, 1.0)) - ndtri(self.alpha)

    def goal(self, mu: Floats) -> Floats:
        """Phi(mu - z_alpha); inverse of ``mu``."""
        return ndtr(mu + ndtri(self.alpha))

    def laplace_mu(self, goals: Floats) -> Floats:
        """The effect size of Laplace noise with the same power at alpha, piece by piece (paper 000 Eq. 19)."""
        goals = _above(goals, self.alpha, 1.0)
        if self.alpha > 0.5:
            return np.log1p(-self.alpha) - np.log1p(-goals)
        rest = np.where(goals < 0.5, 0.5, 1.0 - goals)
        return np.where(goals < 0.5, np.log(goals / self.alpha), -np.log(4.0 * self.alpha * rest))

    def laplace_goal(self, mu: Floats) -> Floats:
        """Power of the best test of a Laplace shift; inverse of ``laplace_mu``."""
        return np.array([float(LaplaceShift(each).power(np.array(self.alpha))) for each in mu.tolist()])

    def advantage(self, goals: Floats) -> Floats:
        """The advantage (n,) that is small enough for any mechanism to keep ``goals`` (n,): goal - alpha."""
        return _above(goals, self.alpha, 1.0) - self.alpha

    def goal_of_advantage(self, advantage: Floats) -> Floats:
        """What an attacker of this advantage may reach at most; inverse of ``advantage``."""
        return np.minimum(self.alpha + advantage, 1.0)


@value
class AdvantageMeasure:
    """Share of the members found minus share of the outsiders accused, at the attacker's best threshold."""

    @property
    def label(self) -> str:
        """In words, for file headers."""
        return "advantage: largest true minus false positive rate"

    @property
    def guessing(self) -> float:
        """Success without looking at the release."""
        return 0.0

    def mu(self, goals: Floats) -> Floats:
        """2 Phi^-1((1 + goal)/2)."""
        return _ROOT_8 * erfinv(_above(goals, 0.0, 1.0))

    def goal(self, mu: Floats) -> Floats:
        """2 Phi(mu/2) - 1; inverse of ``mu``."""
        return erf(mu / _ROOT_8)

    def laplace_mu(self, goals: Floats) -> Floats:
        """-2 log(1 - goal)."""
        return -2.0 * np.log1p(-_above(goals, 0.0, 1.0))

    def laplace_goal(self, mu: Floats) -> Floats:
        """1 - e^(-mu/2); inverse of ``laplace_mu``."""
        return -np.expm1(-0.5 * mu)

    def advantage(self, goals: Floats) -> Floats:
        """The goals themselves."""
        return _above(goals, 0.0, 1.0)

    def goal_of_advantage(self, advantage: Floats) -> Floats:
        """The advantage itself."""
        return np.minimum(advantage, 1.0)


Measure = PowerMeasure | AdvantageMeasure


def _above(goals: Floats, guessing: float, most: float) -> Floats:
    """``goals`` as an array; ValueError unless all lie strictly between ``guessing`` and ``most``."""
    outside = goals[~((goals > guessing) & (goals < most))]
    if outside.size:
        raise ValueError(f"goals must lie strictly between {guessing:g} and {most:g}, got {float(outside[0])!r}.")
    return goals
