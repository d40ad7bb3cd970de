"""The discrete Laplace, or geometric, mechanism: two-sided geometric noise on whole numbers.

P(X = x) = (1 - q) / (1 + q) q^|x| with q = e^(-epsilon / sensitivity) (Ghosh, Roughgarden and Sundararajan 2012).
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import logsumexp

from numerics.mechanisms.location import TradeOffFormula
from numerics.mechanisms.whole_numbers import LatticeNoise, WholeNumberMechanism
from numerics.privacy_loss.pairs import sampled_loss
from numerics.trade_off import Floats
from numerics.validation import value


@dataclass(frozen=True)
class DiscreteLaplaceNoise(LatticeNoise):
    """Two-sided geometric noise; ``scale`` is that of the Laplace noise with the same loss. Its ends are atoms."""

    flat_beyond: ClassVar[float] = 0.0
    formula: ClassVar[TradeOffFormula] = TradeOffFormula(
        r"\bigl(\alpha_j, 1 - f(\alpha_j)\bigr) = \bigl(\Pr[X \ge j],\ \Pr[X \ge j - \Delta]\bigr), \quad "
        r"\Pr[X = x] = \tfrac{1 - q}{1 + q}\, q^{|x|}, \quad q = e^{-\varepsilon/\Delta}",
        "Corners of the curve of two-sided geometric noise, joined by chords; with Δ = 1 all that ε alone allows.",
        "Ghosh, Roughgarden and Sundararajan 2012; Neyman-Pearson",
    )

    def tail(self, steps: Floats) -> Floats:
        """See LatticeNoise: q^(k+1) / (1 + q) above k and a half."""
        log_q = -1.0 / (self.scale * self.points)
        return np.exp((steps + 0.5) * log_q) / (1.0 + np.exp(log_q))

    def reach(self, tail: float) -> float:
        """The loss is constant beyond the two centres, so nothing further out is ever needed."""
        return 1.0

    def log_ratio(self, x: Floats) -> Floats:
        """See LatticeNoise: (|x| - |x - 1|) / b."""
        return np.clip(2.0 * x - 1.0, -1.0, 1.0) / self.scale

    def log_moment(self, order: float) -> float:
        """See Noise: the sum over the lattice points between the centres, and over both ends, whose losses are one."""
        log_q, j = -1.0 / (self.scale * self.points), np.arange(self.points + 1.0)
        inner = np.log(-np.expm1(log_q)) if self.points > 1 else 0.0
        masses = j * log_q + np.where((j == 0.0) | (j == self.points), 0.0, inner) - np.log1p(np.exp(log_q))
        return float(logsumexp(masses + order * self.log_ratio(j / self.points)))

    def shift_position(self, loss: Floats) -> Floats:
        """See Noise. The first lattice point and all below share one loss, and so do the last and all above."""
        last = np.floor(0.5 * (self.scale * np.clip(loss, -1.0 / self.scale, 1.0 / self.scale) + 1.0) * self.points)
        inside = np.where(last >= self.points, np.inf, self._above(last))
        return np.where(loss < -1.0 / self.scale, -np.inf, inside)

    def opposed_position(self, loss: Floats, rate: float) -> Floats:
        """See Noise: looked up among the losses, which are few."""
        x = np.arange(-self.points, self.points + 1) / self.points
        above, below = (sampled_loss(self.log_ratio(side), rate) for side in (x, -x))
        last = np.searchsorted(np.maximum.accumulate(above - below), loss, side="right").astype(np.float64)
        inside = np.where(last > 2.0 * self.points, np.inf, self._above(last - 1.0 - self.points))
        return np.where(last < 1.0, -np.inf, inside)


@value
class DiscreteLaplace(WholeNumberMechanism):
    """Discrete Laplace mechanism on one whole number; ``noise_multiplier`` is 1/epsilon for any ``sensitivity``."""

    name: ClassVar[str] = "Discrete Laplace"
    scale_name: ClassVar[str] = "scale 1/epsilon"
    scale_sentence: ClassVar[str] = (
        "Each record adds one whole number of size at most the sensitivity, and the noise is a whole number."
    )
    is_epsilon: ClassVar[bool] = True
    noise_law: ClassVar[type[LatticeNoise]] = DiscreteLaplaceNoise
