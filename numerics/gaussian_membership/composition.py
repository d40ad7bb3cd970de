"""Many steps: composition, the limit under sampling, and the relation to Gaussian differential privacy."""

from typing import ClassVar

import numpy as np
import scipy
from scipy.special import ndtr

from numerics.gaussian_membership.step import GradientRelease, step_mu
from numerics.mechanisms.gaussian import GaussianShift
from numerics.mechanisms.location import Subsampled
from numerics.trade_off import Bound, Order, TradeOffCurve
from numerics.validation import NonNegative, Positive, PositiveCount, PositiveOrInfinite, Probabilities, checked, value

PLUG_IN = "K = d plug-in: records with a larger susceptibility are found more easily."
SAMPLING_LIMIT = "Sampling enters through a limit of many steps, which is an estimate and no bound (paper 004 Eq. 10)."
_SMALLEST_STEP_MU, _LARGEST_STEP_MU = 1e-12, 1e3
_SMALL_STEP_MU = 1e-3


@checked
def composed(mus: tuple[NonNegative, ...]) -> float:
    """Effect size of several Gaussian steps without sampling: root of the sum of squares (correction 51)."""
    return float(np.linalg.norm(mus))


@checked
def sampling_limit(mu: NonNegative, sampling: Positive) -> float:
    """Effect size of many sampled steps of effect size ``mu`` (paper 004 Eq. 10); an estimate (correction 52).

    ``sampling`` is n sqrt(T) / N. Infinite where it exceeds the largest float.
    """
    logarithm = 0.5 * np.log(2.0) + np.log(sampling) + 0.5 * _log_divergence(mu)
    return float(np.exp(logarithm)) if logarithm < 700.0 else float("inf")


@checked
def step_mu_for(total: Positive, sampling: Positive) -> float:
    """The effect size of a step at which ``sampling_limit`` is ``total``."""
    goal = float(2.0 * np.log(total / sampling) - np.log(2.0))

    def excess(log_mu: float) -> float:
        return _log_divergence(float(np.exp(log_mu))) - goal

    # The divergence grows from mu^2 / 2 to e^(mu^2).
    log_mu = scipy.optimize.brentq(excess, np.log(_SMALLEST_STEP_MU), np.log(_LARGEST_STEP_MU), xtol=1e-15, rtol=1e-14)
    return float(np.exp(log_mu))


def _log_divergence(mu: float) -> float:
    """log(e^(mu^2) Phi(1.5 mu) + 3 Phi(-mu/2) - 2); -inf at 0."""
    if mu <= 0.0:
        return -np.inf
    square = mu * mu
    if mu < _SMALL_STEP_MU:  # the first terms of its series; those of order mu cancel
        odd = mu * (1.0 + 0.375 * square) / np.sqrt(2.0 * np.pi)
        return float(2.0 * np.log(mu) + np.log(0.5 + odd + 0.25 * square))
    if square < 1.0:
        remainder = (ndtr(1.5 * mu) - 0.5) - 3.0 * (ndtr(0.5 * mu) - 0.5)
        return float(np.log(np.expm1(square) * ndtr(1.5 * mu) + remainder))
    return float(square + np.log(ndtr(1.5 * mu) + (3.0 * ndtr(-0.5 * mu) - 2.0) * np.exp(-square)))


@value
class RelaxedMu:
    """Effect size mu of the attacker: power at alpha is that of two normals mu apart.

    Attributes:
        own: from the other gradients and the noise together (K plug-in).
        private: from the noise alone, as Gaussian differential privacy; infinite without noise.
    """

    own: float
    private: float

    @property
    def mu(self) -> float:
        """The level to report, the lesser of the two: every f-DP release is f-MIP (paper 004 Thm 4.2)."""
        return min(self.own, self.private)

    @property
    def set_by_privacy(self) -> bool:
        """Whether the differential-privacy level is the lesser, so that the relaxed notion buys nothing."""
        return self.private <= self.own


@value
class ComposedMu(RelaxedMu):
    """That of a run, an estimate, with what the number presupposes, in words."""

    assumptions: tuple[str, ...]

    bound: ClassVar[Bound] = Bound.ESTIMATE

    def trade_off(self, alpha: Probabilities) -> TradeOffCurve:
        """The curve G_mu at ascending ``alpha`` (n,): an estimate, as mu is."""
        values = Subsampled(GaussianShift(self.mu), 1.0).trade_off(np.array(alpha), Order.ADD)
        return TradeOffCurve(*values, self.bound, f"two normals {self.mu:.4g} apart", self.assumptions)


@checked
def level(release: GradientRelease, susceptibility: NonNegative | None = None) -> ComposedMu:
    """Effect size of a whole run; K = d when ``susceptibility`` is None."""
    own = step_mu(release.effective_size, release.dimension, susceptibility)
    own, private = (run_mu(release, mu) for mu in (own, release.private_step_mu))
    notes = (*release.assumptions, PLUG_IN) if susceptibility is None else release.assumptions
    notes = (*notes, SAMPLING_LIMIT) if release.sampled else notes
    return ComposedMu(own, private, notes)


@checked
def sampling(release: GradientRelease) -> float:
    """The factor that sampling enters with, n sqrt(T) / N."""
    return float(release.batch_size * np.sqrt(release.steps) / release.dataset_size)


@checked
def run_mu(release: GradientRelease, step: NonNegative) -> float:
    """Effect size of the run when that of a step is ``step``."""
    if step == float("inf"):
        return step
    return sampling_limit(step, sampling(release)) if release.sampled else float(np.sqrt(release.steps)) * step


@checked
def run_step_mu(release: GradientRelease, total: Positive) -> float:
    """The effect size of a step that makes that of the run ``total``; inverse of ``run_mu``."""
    return step_mu_for(total, sampling(release)) if release.sampled else total / float(np.sqrt(release.steps))


@checked
def relaxed_mu(private: PositiveOrInfinite, batch_size: PositiveCount, dimension: PositiveCount) -> RelaxedMu:
    """Membership level of one step of Gaussian-DP level ``private`` (paper 004 Cor. F.1 (1)).

    min(sqrt(d / (n + 4/mu^2 + 1/2)), mu). The paper has 4 C^2 / mu^2 (correction 50). ``private`` may be infinite.
    """
    return RelaxedMu(float(np.sqrt(dimension / (batch_size + (2.0 / private) ** 2 + 0.5))), private)


@checked
def private_mu(own: Positive, batch_size: PositiveCount, dimension: PositiveCount) -> float:
    """Gaussian-DP level of the noise at which the plug-in level is ``own`` (paper 004 Cor. F.1 (2)).

    2 / sqrt(d/mu^2 - n - 1/2). Infinite, no noise, where ``own`` is reached without any. Inverts
    ``relaxed_mu(...).own`` and not its minimum. It re-expresses the noise level: the membership guarantee alone implies
    no such privacy.
    """
    square = dimension / own**2 - batch_size - 0.5
    return float(2.0 / np.sqrt(square)) if square > 0.0 else float("inf")
