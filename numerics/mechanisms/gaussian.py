"""The Gaussian mechanism: normal noise. The trade-off function of one release is G_mu."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import erfinv, log_ndtr, ndtr, ndtri

from numerics.mechanisms.base import SampledMechanism
from numerics.mechanisms.folded_distance import FoldedDistance
from numerics.mechanisms.location import Folded, LocationTradeOff, ShiftTradeOff, TradeOffFormula
from numerics.mechanisms.noise import Noise, Standard, arccosh_exp, cells_between, log_sinh
from numerics.privacy_loss.pairs import LARGE_EXPONENT
from numerics.privacy_loss.smooth_sum import NormalLoss
from numerics.trade_off import CurvePoints, Floats
from numerics.validation import value

_LEGENDRE = np.polynomial.legendre.leggauss(16)
_SMOOTH_FROM = 0.25  # scales: smaller ones take too many nodes
_LOG_ROOT_2_PI = 0.5 * float(np.log(2.0 * np.pi))


@dataclass(frozen=True)
class GaussianNoise(Noise):
    """Normal noise of standard deviation ``scale``, in units of the L2 sensitivity."""

    standard: ClassVar[Standard | None] = Standard(
        lambda u: -0.5 * u**2 - _LOG_ROOT_2_PI, 9.5, lambda generator, shape: generator.standard_normal(shape)
    )

    has_lognormal_ratio: ClassVar[bool] = True

    def cells(self, edges: Floats, centre: float) -> Floats:
        return cells_between(lambda u: ndtr(-u), (edges - centre) / self.scale)

    def reach(self, tail: float) -> float:
        return float(-ndtri(tail) * self.scale)

    def shift_loss(self, x: Floats) -> Floats:
        """See Noise: (2x - 1) / (2 s^2)."""
        return (x - 0.5) / self.scale**2

    def shift_position(self, loss: Floats) -> Floats:
        return loss * self.scale**2 + 0.5

    def opposed_position(self, loss: Floats, rate: float) -> Floats:
        """Solve (1-p + p e^-c y) = e^loss (1-p + p e^-c / y) for y = e^{x/s^2}, with c = 1/(2 s^2).

        y = e^{loss/2} v with v - 1/v = 2w and w = (1-p)/p sinh(loss/2) e^c, hence x = s^2 (loss/2 + asinh w).
        """
        if rate == 1.0:
            return 0.5 * self.scale**2 * loss
        log_w = np.log1p(-rate) - np.log(rate) + 0.5 / self.scale**2 + log_sinh(0.5 * np.abs(loss))
        small = np.arcsinh(np.exp(np.minimum(log_w, LARGE_EXPONENT)))
        asinh_w = np.where(log_w > LARGE_EXPONENT, log_w + np.log(2.0), small)
        return self.scale**2 * (0.5 * loss + np.sign(loss) * asinh_w)

    def smooth_loss(self, rate: float) -> NormalLoss | None:
        return NormalLoss(self.scale, rate) if rate < 1.0 and self.scale >= _SMOOTH_FROM else None

    def overlap(self, shift: float, other: float) -> float:
        """See Noise: e^{ab/s^2} - 1, hence e^{mu^2} - 1 for the chi-square (paper 003 footnote 3, correction 39)."""
        with np.errstate(over="ignore"):
            return float(np.expm1(shift * other / self.scale**2))

    def log_moment(self, order: float) -> float:
        """See Noise: o (o - 1) / (2 s^2)."""
        return 0.5 * order * (order - 1.0) / self.scale**2

    def zcdp(self) -> float:
        """See Noise: 1 / (2 s^2)."""
        return 0.5 / self.scale**2

    def folded_position(self, loss: Floats) -> Floats:
        """See Noise: cosh(x / s^2) e^{-1/(2 s^2)} = e^loss."""
        return arccosh_exp(loss + 0.5 / self.scale**2) * self.scale**2


@value
class FoldedNormal(Folded):
    """Gaussian noise in one dimension (paper 000 Eq. 5)."""

    def errors(self, alpha: Floats, rest: Floats) -> CurvePoints:
        """Phi(z - mu) - Psi(z + mu) with z the upper alpha/2 quantile."""
        z = np.where(alpha < 0.5, -ndtri(0.5 * alpha), np.sqrt(2.0) * erfinv(rest))
        # P(|Z + mu| < z), for small z by quadrature of the density instead of a difference.
        nodes, weights = _LEGENDRE
        near = np.minimum(z, 1.0 / (1.0 + self.mu))
        density = np.exp(-0.5 * (np.multiply.outer(near, nodes) - self.mu) ** 2) / np.sqrt(2.0 * np.pi)
        within = np.where(z > near, ndtr(z - self.mu) - ndtr(-z - self.mu), near * (density @ weights))
        return CurvePoints(alpha, within, ndtr(self.mu - z) + ndtr(-z - self.mu))

    def inverse(self, alpha: Floats, rest: Floats) -> CurvePoints:
        """2 Psi(c) with P(|Z + mu| < c) = alpha."""
        return FoldedDistance(self.mu, 1.0).inverse(alpha, rest)

    @property
    def balanced(self) -> float:
        """2 Psi(x) with cosh(mu x) = e^{mu^2/2} (correction 6)."""
        return float(2.0 * ndtr(-arccosh_exp(np.array(0.5 * self.mu**2)) / self.mu))


@value
class GaussianShift(ShiftTradeOff):
    """G_mu (Dong, Roth and Su 2022, eq. 6; paper 000 Eq. 20); N steps have effect size sqrt(N) mu (correction 38)."""

    adds_in_squares: ClassVar[bool] = True
    folds_in_any_dimension: ClassVar[bool] = True
    formula = TradeOffFormula(
        r"\begin{gathered} f(\alpha) = \Phi(z_\alpha - \mu) \\ \mu = \sqrt{\textstyle\sum_i \mu_i^2}, \quad "
        r"\mu_i = \Delta / \sigma_i \end{gathered}",
        "Members missed by the best test of Gaussian noise; effect sizes of several releases add up in squares.",
        "Dong, Roth and Su 2022; paper 003, Corollary 2",
        "in our copy of Corollary 2 μ stands under the root; N releases have effect size √N μ (correction 38).",
    )
    folded_formula: ClassVar[TradeOffFormula | None] = TradeOffFormula(
        r"j(\alpha) = F_{\chi^2_d(\kappa)}\bigl(F^{-1}_{\chi^2_d(0)}(1 - \alpha)\bigr), \quad "
        r"\kappa = \textstyle\sum_i \mu_i^2, \quad J = \min(j, j^{-1})^{**}",
        "RTM, unsampled Gaussian noise: only the distance from the centre tells, as the direction is unknown. It is "
        "minimax over that direction and no guarantee against an attacker who guesses it; J is the lower convex "
        "envelope of both orders.",
        "paper 000, Equations 2 to 4",
        "Releases of unequal noise are weighted, not averaged as in Lemma 8, and J is never put together from two "
        "cases (corrections 5, 6, 8, 9).",
    )

    def upper_tail(self, u: Floats) -> Floats:
        return ndtr(-u)

    def quantile(self, alpha: Floats) -> Floats:
        return -ndtri(alpha)

    def delta(self, epsilon: float) -> float:
        """Phi(-eps/mu + mu/2) - e^eps Phi(-eps/mu - mu/2), in logs (paper 003 Sec. 4.3, sign per correction 41)."""
        gain = log_ndtr(-epsilon / self.mu + 0.5 * self.mu)
        loss = epsilon + log_ndtr(-epsilon / self.mu - 0.5 * self.mu)
        return float(np.exp(gain) * -np.expm1(min(loss - gain, 0.0)))

    def area(self) -> float:
        """Phi(mu / sqrt 2)."""
        return float(ndtr(self.mu / np.sqrt(2.0)))

    @property
    def gaussian_mu(self) -> float:
        return self.mu

    def folded(self, dimension: int) -> Folded:
        """See LocationTradeOff (paper 000 Eqs. 4 and 5)."""
        return FoldedNormal(self.mu) if dimension == 1 else FoldedDistance(self.mu, float(dimension))


@value
class Gaussian(SampledMechanism):
    """Gaussian mechanism; ``noise_multiplier`` is the noise standard deviation in units of the L2 sensitivity.

    Valid in any dimension: the worst case is the shift along one direction.
    """

    name: ClassVar[str] = "Gaussian"
    scale_name: ClassVar[str] = "standard deviation"
    scale_sentence: ClassVar[str] = "Each record adds a vector of any dimension and L2 norm at most 1 sensitivity unit."
    norm: ClassVar[int | None] = 2
    noise_law: ClassVar[type[Noise] | None] = GaussianNoise
    several_records: ClassVar[bool] = True
    shift_law: ClassVar[type[LocationTradeOff] | None] = GaussianShift
    chi_square_latex: ClassVar[str] = r"e^{\mu^2} - 1"
