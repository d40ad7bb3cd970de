"""The best attack on one released mean gradient, and its Gaussian approximation (paper 004 Thm 5.1, Cor. 5.1).

The likelihood ratio is a function of one statistic, which is noncentral chi-square under both hypotheses and small
for members.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated

import numpy as np

from numerics import chi_squared
from numerics.mechanisms.gaussian import GaussianShift
from numerics.mechanisms.location import Subsampled
from numerics.trade_off import Bound, Floats, Order, TradeOffCurve
from numerics.validation import (
    FiniteNonNegative,
    Interval,
    NonNegative,
    Positive,
    PositiveCount,
    Probabilities,
    checked,
    value,
)

# The release that paper 004 looks at: noisy means of fixed-size batches of clipped gradients.


KNOWS = "The attacker knows the distribution of the gradients and the one looked for, but none of the others."
LARGEST_COUNT = 1_000_000_000
LARGEST_STEPS = 1_000_000
Count = Annotated[int, Interval(1, LARGEST_COUNT)]


@value
class GradientRelease:
    """``steps`` mean gradients of random batches of exactly ``batch_size`` of the ``dataset_size`` records.

    Neighbours are replace-one and batches have a fixed size (the ledger in docs/corrections.md). Lengths are in units
    of the clipping norm C.

    Attributes:
        dataset_size: number of records N.
        batch_size: records in a batch n, at most N and at least 2.
        steps: number of batches T.
        dimension: number of parameters d.
        noise_multiplier: s, standard deviation of the noise on the *sum* of a batch in units of C; 0 for none.

    Raises ValueError (TypeError for counts that are no whole numbers) at construction.
    """

    dataset_size: Count
    batch_size: Count
    steps: Annotated[int, Interval(1, LARGEST_STEPS)]
    dimension: Count
    noise_multiplier: FiniteNonNegative = 0.0

    def __post_init__(self) -> None:
        Interval(1, self.dataset_size).check("batch_size", self.batch_size)
        if self.batch_size < 2:
            raise ValueError(f"batch_size must be at least 2 (a batch of one hides nobody), got {self.batch_size!r}.")

    @classmethod
    def of_epochs(cls, dataset_size: Count, batch_size: Count, epochs: Count, dimension: Count) -> "GradientRelease":
        """A run of ``epochs`` passes of floor(N/n) batches each without noise (paper 004 Table 5, correction 54)."""
        return cls(dataset_size, batch_size, epochs * (dataset_size // batch_size), dimension)

    @property
    def sampled(self) -> bool:
        """Whether a batch is less than the whole data set."""
        return self.batch_size < self.dataset_size

    @property
    def effective_size(self) -> float:
        """Effective batch size n + s^2, at which the other gradients alone would hide as much (paper 004 Thm 5.1)."""
        return self.batch_size + self.noise_multiplier**2

    @property
    def private_step_mu(self) -> float:
        """Gaussian-DP level of one step on a batch with the record, replace-one: 2/s; infinite without noise."""
        return 2.0 / self.noise_multiplier if self.noise_multiplier > 0.0 else float("inf")

    def with_noise(self, noise_multiplier: FiniteNonNegative) -> "GradientRelease":
        """The same release with another noise multiplier."""
        return replace(self, noise_multiplier=noise_multiplier)

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the numbers presuppose, in words."""
        sampled = f"Batches of exactly {self.batch_size:,} of {self.dataset_size:,} records, drawn at random."
        return (
            "Neighbouring data sets differ in the value of one record (replace-one).",
            sampled if self.sampled else "Every step uses all records.",
            KNOWS,
            "Sums of gradients are taken for normal; they are not when the batch is small.",
        )


_SUSCEPTIBILITY = "All records are taken to have susceptibility K = {:.6g}; one with a larger K is found more easily."

_LIMIT = "Both laws of the statistic are taken for normal ones of equal variance: an estimate, poor for few n or d."


# The attack on one step.


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
        values = Subsampled(GaussianShift(self.mu), 1.0).trade_off(np.array(alpha), Order.ADD)
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
        return alpha, chi_squared.cdf(self._stretch * threshold, self.dimension, alternative)

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
        return np.where(inside, values, np.where(alpha <= 0.0, *ends))


@checked
def step_mu(effective_size: Positive, dimension: Positive, susceptibility: NonNegative | None = None) -> float:
    """Effect size of one step when both laws are taken for normal of equal variance (paper 004 Eq. 9); an estimate.

    (d + (2 n - 1) K) / (n sqrt(2 d + 4 n K)) with n = ``effective_size``; K = d when ``susceptibility`` is None.
    """
    k = dimension if susceptibility is None else susceptibility
    root = np.sqrt(2.0 * dimension + 4.0 * effective_size * k)
    return float((dimension + (2.0 * effective_size - 1.0) * k) / (effective_size * root))
