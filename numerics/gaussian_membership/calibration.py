"""The least noise that keeps the attacker of paper 004 at a target, beside that for differential privacy."""

from typing import ClassVar

import numpy as np
import scipy
from scipy.special import ndtr, ndtri

from numerics.calibration import AdvantageTarget, PowerTarget, Target
from numerics.gaussian_membership.composition import ComposedMu, level, run_step_mu
from numerics.gaussian_membership.step import GradientRelease, step_mu
from numerics.mechanisms import Mechanism
from numerics.privacy_loss import Precision
from numerics.trade_off import SMALLEST_ALPHA, Bracket
from numerics.validation import NonNegative, OpenProbability, Positive, checked, value


@value
class MuTarget(Target):
    """An attacker who tells two normals ``mu`` apart at most; for mechanisms, too."""

    mu: Positive
    smallest_alpha: OpenProbability = SMALLEST_ALPHA

    words: ClassVar[str] = "mu at most {mu:g}"

    def measure(self, mechanism: Mechanism, precision: Precision) -> Bracket:
        return mechanism.gaussian_mu(self.smallest_alpha, precision)


MembershipTarget = MuTarget | AdvantageTarget | PowerTarget


@checked
def target_mu(target: MembershipTarget) -> float:
    """The largest mu that meets ``target``: the attacker of this notion faces two normals mu apart."""
    if isinstance(target, MuTarget):
        return target.mu
    if isinstance(target, AdvantageTarget):
        return float(2.0 * ndtri(0.5 + 0.5 * target.advantage))
    return float(ndtri(target.power) - ndtri(target.alpha))


@checked
def success_at(target: MembershipTarget, mu: NonNegative) -> float:
    """What an attacker who faces two normals ``mu`` apart reaches, in the target's terms; inverse of ``target_mu``."""
    if isinstance(target, MuTarget):
        return mu
    if isinstance(target, AdvantageTarget):
        return float(ndtr(0.5 * mu) - ndtr(-0.5 * mu))
    return float(ndtr(mu + ndtri(target.alpha)))


@value
class MembershipCalibration:
    """The noise found, and where it comes from.

    Attributes:
        release: the release asked about, with the noise found (0 when none is needed).
        target: what it had to meet.
        own_noise: noise multiplier by this notion's own formula; 0 when none is needed.
        private_noise: noise multiplier with which differential privacy alone meets the target.
    """

    release: GradientRelease
    target: MembershipTarget
    own_noise: float
    private_noise: float

    @property
    def noise_needed(self) -> bool:
        """False when the other gradients of the batch hide the record well enough, for records of this K."""
        return self.own_noise > 0.0

    @property
    def noise_multiplier(self) -> float:
        """The lesser of the two: differential privacy implies this notion."""
        return min(self.own_noise, self.private_noise)

    @property
    def set_by_privacy(self) -> bool:
        """Whether the noise is that of differential privacy, which is less than the notion's own formula asks for."""
        return self.private_noise <= self.own_noise

    @property
    def level(self) -> ComposedMu:
        """The attacker's mu at the noise found, by K = d; an estimate."""
        return level(self.release)


@checked
def noise_for(
    target: MembershipTarget, release: GradientRelease, susceptibility: NonNegative | None = None
) -> MembershipCalibration:
    """Least noise multiplier at which ``release`` meets ``target``; the noise of ``release`` itself is not looked at.

    An estimate, as its parts are: K = d unless ``susceptibility`` is given, normal sums, and the limit under sampling.
    Reproduces paper 004 Table 5.
    """
    goal = run_step_mu(release, target_mu(target))
    own, private = 0.0, 2.0 / goal  # own: that at which the plug-in effect size of a step is ``goal``
    if susceptibility is None:
        square = release.dimension / goal**2 - 0.5 - release.batch_size
        own = float(np.sqrt(square)) if square > 0.0 else 0.0
    else:

        def excess(log_extra: float) -> float:
            mu = step_mu(release.batch_size + np.exp(log_extra), release.dimension, susceptibility)
            return float(np.log(mu / goal))

        low, high = -40.0, 0.0
        if excess(low) > 0.0:
            while excess(high) > 0.0:
                high += 10.0
            own = float(np.exp(0.5 * scipy.optimize.brentq(excess, low, high, xtol=1e-14)))
    return MembershipCalibration(release.with_noise(min(own, private)), target, own, private)
