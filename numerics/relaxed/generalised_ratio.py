"""The generalised likelihood ratio test of an unknown record when the noise is not symmetric (paper 000 Lemma 5).

Lemma 5 says of any noise that maximising the likelihood over the record's influence amounts to testing both sides at
once. With the estimate restricted to influences up to the sensitivity, as its proof has it, that is so by definition:
the larger of both one-sided statistics is the restricted one. With the unrestricted estimate of Eq. 26 it is another
test. For symmetric noise of a falling density every statistic below is the distance from the release without the
record, and the curve that of ``relaxed.trade_off``. For other noise they have different power, none of them best
against both sides, and at a small false positive rate one of the sides may go undetected.

The noise here is that of the logarithm of a Gamma variable, which grows from one-sided to normal with its shape.
"""

from enum import StrEnum
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, gammainc, gammaincc, gammainccinv, gammaincinv

from numerics.roots import halved
from numerics.trade_off import CurvePoints, Floats
from numerics.validation import Finite, Interval, Probabilities, value

LARGEST_SHAPE = 1e6  # beyond it SciPy's quantiles lose digits in the lower tail
_HALVINGS = 64
_SMALLEST, _ROUNDING = 1e-300, 1e-12


class RatioStatistic(StrEnum):
    """What is compared with the critical value; u is the release, less what it would be without the record."""

    RESTRICTED = "likelihood maximised up to the sensitivity"  # sup over |m| <= mu of log k(u - m) / k(u)
    UNRESTRICTED = "likelihood maximised over everything"  # the same over all m, as in Eq. 26
    PAIR = "two one-sided tests at one critical value"  # the larger of both log-likelihood ratios
    EVEN = "both sides equally likely"  # the even mixture of both: best for the mean of the two powers


@value
class LogGammaNoise:
    """Noise sqrt(k) log(G / k), G from Gamma(k): its most likely value is 0, where its log density bends by -1.

    The lower tail is the longer one. ``shape`` k to infinity gives standard normal noise; k = 1 is a mirrored Gumbel.
    """

    shape: Annotated[float, Interval(0.1, LARGEST_SHAPE)]

    @property
    def _root(self) -> float:
        return float(np.sqrt(self.shape))

    def below(self, u: Floats) -> Floats:
        """P(noise <= u)."""
        return np.asarray(gammainc(self.shape, self._gamma(u)))

    def above(self, u: Floats) -> Floats:
        """P(noise > u)."""
        return np.asarray(gammaincc(self.shape, self._gamma(u)))

    def lower_quantile(self, share: Floats) -> Floats:
        """The u with ``share`` of the noise below it."""
        return self._noise(np.asarray(gammaincinv(self.shape, share), dtype=float))

    def upper_quantile(self, share: Floats) -> Floats:
        """The u with ``share`` of the noise above it."""
        return self._noise(np.asarray(gammainccinv(self.shape, share), dtype=float))

    def log_ratio(self, u: Floats, shift: Floats | float) -> Floats:
        """Log of the density at u - ``shift`` over that at u."""
        y = np.asarray(shift) / self._root
        with np.errstate(over="ignore"):
            return np.asarray(-self.shape * (np.exp(u / self._root) * np.expm1(-y) + y))

    def _gamma(self, u: Floats) -> Floats:
        with np.errstate(over="ignore"):
            return np.asarray(self.shape * np.exp(np.asarray(u) / self._root))

    def _noise(self, gamma: Floats) -> Floats:
        with np.errstate(divide="ignore"):
            return np.asarray(self._root * np.log(gamma / self.shape))


class Accepted(NamedTuple):
    """The releases (n,) from ``low`` to ``high`` at which the record is taken to be absent; ends may be infinite."""

    low: Floats
    high: Floats


@value
class GeneralisedRatioTest:
    """The test of a ``statistic`` that assumes an influence of up to ``effect`` in units of the noise's scale."""

    noise: LogGammaNoise
    effect: Annotated[float, Interval(1e-3, 50.0)]
    statistic: RatioStatistic

    def value(self, release: Floats) -> Floats:
        """The statistic, a logarithm of a likelihood ratio; it rises on both sides of its least value."""
        mu, ratio = self.effect, self.noise.log_ratio
        if self.statistic is RatioStatistic.UNRESTRICTED:
            return ratio(release, release)
        if self.statistic is RatioStatistic.RESTRICTED:
            return ratio(release, np.clip(release, -mu, mu))
        both = ratio(release, mu), ratio(release, -mu)
        if self.statistic is RatioStatistic.PAIR:
            return np.maximum(*both)
        return np.asarray(np.logaddexp(*both) - np.log(2.0))

    def accepted(self, alpha: Probabilities) -> Accepted:
        """Between which releases the test at false positive rate ``alpha`` (n,) accepts: equal values at both ends.

        Searched by the share of alpha that is spent above. All of it is where the statistic never gets as large below.
        """
        level = np.clip(alpha, _SMALLEST, 1.0)
        above, below = self.noise.above(np.array(self._middle)), self.noise.below(np.array(self._middle))
        deepest = np.log(level) - np.log(_SMALLEST)
        most = np.where(above < level, np.log(above) - np.log(np.maximum(level - above, _SMALLEST)), deepest)
        least = np.where(below < level, np.log(np.maximum(level - below, _SMALLEST)) - np.log(below), -deepest)

        def too_little(log_odds: Floats) -> NDArray[np.bool_]:
            low, high = self._ends(level, log_odds)
            return ~(self.value(low) > self.value(high))

        least, most = halved(too_little, least, most, _HALVINGS)
        low, high = self._ends(level, 0.5 * (least + most))
        one_sided = (alpha == 0.0) | (least >= deepest * (1.0 - _ROUNDING))
        return Accepted(np.where(one_sided, -np.inf, low), np.where(alpha == 0.0, np.inf, high))

    def errors(self, alpha: Probabilities, influence: Finite) -> CurvePoints:
        """Beta and power (n,) when the record moves the release by ``influence``, of either sign."""
        low, high = (end - influence for end in self.accepted(alpha))
        power = self.noise.below(low) + self.noise.above(high)
        by_below = self.noise.below(high) - self.noise.below(low)
        by_above = self.noise.above(low) - self.noise.above(high)
        beta = np.where(self.noise.below(high) < 0.5, by_below, np.where(self.noise.above(low) < 0.5, by_above, np.nan))
        return CurvePoints(np.array(alpha), np.where(np.isnan(beta), 1.0 - power, beta), np.minimum(power, 1.0))

    def _ends(self, level: Floats, log_odds: Floats) -> tuple[Floats, Floats]:
        """The accepted interval's when ``log_odds`` of a share of ``level`` is spent above it, the rest below."""
        below, above = level * expit(-log_odds), level * expit(log_odds)
        return self.noise.lower_quantile(below), self.noise.upper_quantile(above)

    @property
    def _middle(self) -> float:
        """Where the statistic is least."""
        if self.statistic in (RatioStatistic.RESTRICTED, RatioStatistic.UNRESTRICTED):
            return 0.0
        k = self.noise.shape
        y = self.effect / float(np.sqrt(k))
        # e^x with x = u / sqrt(k): where both ratios are equal, or where the slope of their sum is 0
        lift = 0.0 if self.statistic is RatioStatistic.PAIR else np.log1p(0.5 / k)
        return float(np.sqrt(k) * (np.log(2.0 * y) - y - np.log(-np.expm1(-2.0 * y)) + lift))
