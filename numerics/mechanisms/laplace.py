"""The Laplace mechanism: double exponential noise."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from numerics.mechanisms.base import SampledMechanism
from numerics.mechanisms.location import Folded, LocationTradeOff, ShiftTradeOff, TradeOffFormula
from numerics.mechanisms.noise import Noise, Standard, cells_between
from numerics.privacy_loss.pairs import sampled_loss, unsampled_loss
from numerics.trade_off import CurvePoints, Floats
from numerics.validation import value

_EFFECTIVELY_INFINITE = 700.0


@dataclass(frozen=True)
class LaplaceNoise(Noise):
    """Laplace noise of scale b = ``scale``, in units of the L1 sensitivity. The loss has an atom at either end.

    Draws are differences of two exponential ones: three times as fast as NumPy's own.
    """

    flat_beyond: ClassVar[float] = 0.0
    standard: ClassVar[Standard | None] = Standard(
        lambda u: -np.abs(u) - np.log(2.0),
        40.0,
        lambda generator, shape: generator.standard_exponential(shape) - generator.standard_exponential(shape),
    )

    def cells(self, edges: Floats, centre: float) -> Floats:
        return cells_between(lambda u: 0.5 * np.exp(-u), (edges - centre) / self.scale)

    def reach(self, tail: float) -> float:
        """The loss is constant beyond the two centres, so nothing further out is ever needed."""
        return 1.0

    def shift_loss(self, x: Floats) -> Floats:
        """See Noise: (|x| - |x - 1|) / b."""
        return np.clip(2.0 * x - 1.0, -1.0, 1.0) / self.scale

    def shift_position(self, loss: Floats) -> Floats:
        """See Noise. A loss at or above 1/b holds the whole upper atom, one below -1/b nothing."""
        inside = 0.5 * (self.scale * np.clip(loss, -1.0 / self.scale, 1.0 / self.scale) + 1.0)
        # The atoms sit at the ends; the slack keeps an edge that equals an end from losing its atom to rounding.
        slack = 1e-12 / self.scale
        above = np.where(loss >= 1.0 / self.scale - slack, np.inf, inside)
        return np.where(loss < -1.0 / self.scale - slack, -np.inf, above)

    def opposed_position(self, loss: Floats, rate: float) -> Floats:
        """For x in [0, 1] the replaced record is already at its end, so the loss is the add/remove one, shifted.

        loss = log(1-p + p e^{(2x-1)/b}) - log(1-p + p e^{-1/b}); odd in x.
        """
        floor, ceiling = sampled_loss(np.array([-1.0, 1.0]) / self.scale, rate)
        position = np.clip(0.5 * (self.scale * unsampled_loss(np.abs(loss) + floor, rate) + 1.0), 0.0, 1.0)
        top = ceiling - floor
        slack = 1e-12 * top
        above = np.where(loss >= top - slack, np.inf, np.sign(loss) * position)
        return np.where(loss < -top - slack, -np.inf, above)

    def overlap(self, shift: float, other: float) -> float:
        """See Noise: 2/3 e^mu + 1/3 e^{-2mu} - 1 for equal, 2 e^{-mu} - e^{-2mu} - 1 for opposite unit shifts."""
        mu = abs(shift) / self.scale
        with np.errstate(over="ignore"):
            if shift == other:
                return float((2.0 * np.expm1(mu) + np.expm1(-2.0 * mu)) / 3.0)
            return float(-(np.expm1(-mu) ** 2))

    def log_moment(self, order: float) -> float:
        """See Noise: log of (o e^{(o - 1) mu} + (o - 1) e^{-o mu}) / (2 o - 1), for whole orders (Mironov 2017)."""
        if order in (0.0, 1.0):
            return 0.0
        mu, of = 1.0 / self.scale, 2.0 * order - 1.0
        return float(np.logaddexp(np.log(order / of) + (order - 1.0) * mu, np.log((order - 1.0) / of) - order * mu))

    def folded_position(self, loss: Floats) -> Floats:
        """See Noise. The largest loss is that of everything beyond the centre of the record."""
        top = np.logaddexp(1.0 / self.scale, -1.0 / self.scale) - np.log(2.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            inside = np.log(np.expm1(loss + 1.0 / self.scale + np.log(2.0)))
        inside = np.where(loss + 1.0 / self.scale > 0.0, 0.5 * self.scale * inside, 0.0)
        return np.where(loss >= top * (1.0 - 1e-12), np.inf, np.maximum(inside, 0.0))


@value
class FoldedLaplace(Folded):
    """One release of Laplace noise in one dimension (paper 000 Eqs. 2 and 3, threshold per correction 2)."""

    def errors(self, alpha: Floats, rest: Floats) -> CurvePoints:
        """-e^-mu sinh(log alpha) from e^-mu on, else 1 - alpha cosh mu."""
        with np.errstate(divide="ignore"):
            flat = np.log(alpha) < -self.mu
            guess = np.exp(np.log(alpha) + self._log_cosh)
        seen = np.where(flat, 1.0, alpha)
        beta = 0.5 * np.exp(-self.mu) * rest * (1.0 + seen) / seen
        return CurvePoints(alpha, np.where(flat, 1.0 - guess, beta), np.where(flat, guess, 1.0 - beta))

    def inverse(self, alpha: Floats, rest: Floats) -> CurvePoints:
        """1/(alpha e^mu + sqrt(alpha^2 e^2mu + 1)) below (1 - e^-2mu)/2, then (1 - alpha)/cosh mu."""
        with np.errstate(divide="ignore"):
            t = np.exp(np.minimum(np.log(alpha) + self.mu, 0.5 * _EFFECTIVELY_INFINITE))
        gain = t + t**2 / (1.0 + np.hypot(t, 1.0))
        flat = rest * np.exp(-self._log_cosh)
        steep = alpha < self.inverse_threshold
        beta, power = 1.0 / (1.0 + gain), gain / (1.0 + gain)
        return CurvePoints(alpha, np.where(steep, beta, flat), np.where(steep, power, 1.0 - flat))

    @property
    def inverse_threshold(self) -> float:
        """(1 - e^{-2 mu})/2: where j^-1 turns into a straight line."""
        return float(-0.5 * np.expm1(-2.0 * self.mu))

    @property
    def balanced(self) -> float:
        """(2 e^mu - 1)^{-1/2} (correction 6)."""
        return float(np.exp(-0.5 * (self.mu + np.log(2.0 - np.exp(-self.mu)))))

    @property
    def _log_cosh(self) -> float:
        return float(self.mu + np.log1p(np.exp(-2.0 * self.mu)) - np.log(2.0))


@value
class LaplaceShift(ShiftTradeOff):
    """Trade-off function of Laplace noise (paper 000 Eq. 19, paper 003 Eq. 1)."""

    formula = TradeOffFormula(
        r"f(\alpha) = \begin{cases} 1 - \alpha e^{\mu} & \alpha < \tfrac12 e^{-\mu} \\ \tfrac14 e^{-\mu} / \alpha & "
        r"\tfrac12 e^{-\mu} \le \alpha \le \tfrac12 \\ (1 - \alpha)\, e^{-\mu} & \alpha > \tfrac12 \end{cases}",
        "Members missed by the best test of Laplace noise of scale b, μ = Δ/b.",
        "paper 000, Equation 19",
    )
    folded_formula: ClassVar[TradeOffFormula | None] = TradeOffFormula(
        r"j(\alpha) = \begin{cases} 1 - \alpha \cosh\mu & \alpha < e^{-\mu} \\ -e^{-\mu} \sinh\log\alpha & "
        r"\alpha \ge e^{-\mu} \end{cases}, \quad J = \min(j, j^{-1})^{**}",
        "RTM, one release of Laplace noise on one number: only the distance from the centre tells, as the side is "
        "unknown. It is minimax over the side and no guarantee against an attacker who guesses it; J is the lower "
        "convex envelope of both orders.",
        "paper 000, Equations 2 and 3",
        "J is never put together from two cases (corrections 5 and 6); the inverse has the threshold of the proof of "
        "Theorem 1 (correction 2).",
    )

    def upper_tail(self, u: Floats) -> Floats:
        tail = 0.5 * np.exp(-np.abs(u))
        return np.where(u >= 0.0, tail, 1.0 - tail)

    def quantile(self, alpha: Floats) -> Floats:
        with np.errstate(divide="ignore"):
            return np.where(alpha <= 0.5, -np.log(2.0 * alpha), np.log(2.0 * (1.0 - alpha)))

    def delta(self, epsilon: float) -> float:
        """1 - e^{(eps - mu)/2} for eps below mu, else 0."""
        return float(-np.expm1(min(0.5 * (epsilon - self.mu), 0.0)))

    def area(self) -> float:
        """P(L_1 + mu > L_0) for independent standard Laplace variables: 1 - e^-mu (2 + mu)/4."""
        return float(1.0 - 0.25 * np.exp(-self.mu) * (2.0 + self.mu))

    def folded(self, dimension: int) -> Folded:
        return FoldedLaplace(self.mu)


@value
class Laplace(SampledMechanism):
    """Laplace mechanism; ``noise_multiplier`` is the scale b in units of the L1 sensitivity."""

    name: ClassVar[str] = "Laplace"
    scale_sentence: ClassVar[str] = "Each record adds a vector of any dimension and L1 norm at most 1 sensitivity unit."
    norm: ClassVar[int | None] = 1
    noise_law: ClassVar[type[Noise] | None] = LaplaceNoise
    several_records: ClassVar[bool] = True
    shift_law: ClassVar[type[LocationTradeOff] | None] = LaplaceShift
    chi_square_latex: ClassVar[str] = r"\tfrac23 e^{\mu} + \tfrac13 e^{-2\mu} - 1"
