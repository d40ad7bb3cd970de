"""The best attack on one released mean gradient, and its Gaussian approximation (paper 004 Thm 5.1, Cor. 5.1).

The likelihood ratio is a function of one statistic, which is noncentral chi-square under both hypotheses and small
for members.
"""

from collections.abc import Callable
from typing import Annotated

import numpy as np

from numerics import chi_squared
from numerics.gaussian_membership.release import KNOWS
from numerics.mechanisms.gaussian import GaussianShift
from numerics.mechanisms.sampled_once import SampledOnce
from numerics.trade_off import Bound, Floats, Order, TradeOffCurve
from numerics.validation import Interval, NonNegative, Positive, PositiveCount, Probabilities, checked, value

_SUSCEPTIBILITY = "All records are taken to have susceptibility K = {:.6g}; one with a larger K is found more easily."

_LIMIT = "Both laws of the statistic are taken for normal ones of equal variance: an estimate, poor for few n or d."


@value
class StepTest:
    """Is this gradient among those averaged? Exact for normal gradients (paper 004 Eq. 8).

    Attributes:
        effective_size: batch size n plus s^2, above 1; s is the noise multiplier.
        dimension: number of parameters d, at least 1.
        susceptibility: K, squared length of the gradient looked for after *centring* and whitening (correction 45).
            K = d is typical, not the worst case (correction 46).
    """

    effective_size: Annotated[Positive, Interval(float(np.nextafter(1.0, 2.0)), np.inf, "be above 1")]
    dimension: PositiveCount
    susceptibility: NonNegative

    @property
    def mu(self) -> float:
        """Effect size of the Gaussian approximation; see ``step_mu``."""
        return step_mu(self.effective_size, self.dimension, self.susceptibility)

    def repeated(self, steps: PositiveCount) -> "StepTest":
        """The best test on ``steps`` independent means of this kind, for a record of the same K in all of them.

        Their statistics add up, and sums of noncentral chi-squared ones are such with d and K that many times as large.
        Its ``mu`` is sqrt(steps) times that of one step (paper 004 App. D.3, correction 51).
        """
        return StepTest(self.effective_size, steps * self.dimension, steps * self.susceptibility)

    @property
    def _stretch(self) -> float:
        """Ratio of the variances without and with the record."""
        return self.effective_size / (self.effective_size - 1.0)

    def power(self, alpha: Probabilities) -> Floats:
        """True positive rate at ``alpha`` (n,)."""
        return self._at_threshold(alpha, chi_squared.cdf, (0.0, 1.0))

    def beta(self, alpha: Probabilities) -> Floats:
        """False negative rate at ``alpha`` (n,)."""
        return self._at_threshold(alpha, chi_squared.sf, (1.0, 0.0))

    def trade_off(self, alpha: Probabilities) -> TradeOffCurve:
        """Trade-off curve at ascending ``alpha`` (n,): exact for the best attacker on normal gradients of this K."""
        known = (KNOWS, _SUSCEPTIBILITY.format(self.susceptibility))
        label = f"membership test, n + s^2 = {self.effective_size:.6g}, d = {self.dimension:,}"
        return TradeOffCurve(np.array(alpha), self.beta(alpha), self.power(alpha), Bound.EXACT, label, known)

    def normal_limit(self, alpha: Probabilities) -> TradeOffCurve:
        """G_mu at ascending ``alpha`` (n,) (paper 004 Cor. 5.1, Fig. 1): what the curve tends to for many n and d."""
        values = SampledOnce(GaussianShift(self.mu), 1.0).trade_off(np.array(alpha), Order.ADD)
        known = (KNOWS, _SUSCEPTIBILITY.format(self.susceptibility), _LIMIT)
        return TradeOffCurve(*values, Bound.ESTIMATE, f"its normal limit, mu = {self.mu:.6g}", known)

    def advantage(self) -> float:
        """Largest power - alpha: at the threshold where the likelihood ratio is 1."""
        alpha, power = self.rates(np.zeros(1))
        return float(power[0] - alpha[0])

    def rates(self, log_ratio: Floats) -> tuple[Floats, Floats]:
        """False and true positive rates (n,) of accusing at log-likelihood ratios of ``log_ratio`` (n,) and above.

        The logarithm of the likelihood ratio falls linearly with the statistic S of the null hypothesis:
        d/2 log(c) + K/2 - S / (2 (n_eff - 1)) with c = n_eff / (n_eff - 1).
        """
        top = -0.5 * self.dimension * np.log1p(-1.0 / self.effective_size) + 0.5 * self.susceptibility
        threshold = np.maximum(2.0 * (self.effective_size - 1.0) * (top - log_ratio), 0.0)
        null, alternative = self._noncentralities
        alpha = chi_squared.cdf(threshold, self.dimension, null)
        return np.asarray(alpha), np.asarray(chi_squared.cdf(self._stretch * threshold, self.dimension, alternative))

    @property
    def _noncentralities(self) -> tuple[float, float]:
        return self.effective_size * self.susceptibility, (self.effective_size - 1.0) * self.susceptibility

    def _at_threshold(
        self, alpha: Floats, rate: Callable[[Floats, float, float], Floats], ends: tuple[float, float]
    ) -> Floats:
        """``rate`` of the alternative at the threshold that accuses ``alpha`` of the non-members."""
        null, alternative = self._noncentralities
        inside = (alpha > 0.0) & (alpha < 1.0)
        threshold = chi_squared.quantile(np.where(inside, alpha, 0.5), self.dimension, null)
        values = rate(self._stretch * threshold, self.dimension, alternative)
        return np.asarray(np.where(inside, values, np.where(alpha <= 0.0, *ends)))


@checked
def step_mu(effective_size: Positive, dimension: Positive, susceptibility: NonNegative | None = None) -> float:
    """Effect size of one step when both laws are taken for normal of equal variance (paper 004 Eq. 9); an estimate.

    (d + (2 n - 1) K) / (n sqrt(2 d + 4 n K)) with n = ``effective_size``; K = d when ``susceptibility`` is None.
    """
    k = dimension if susceptibility is None else susceptibility
    root = np.sqrt(2.0 * dimension + 4.0 * effective_size * k)
    return float((dimension + (2.0 * effective_size - 1.0) * k) / (effective_size * root))
