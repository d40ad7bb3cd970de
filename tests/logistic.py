"""A mechanism that exists in the tests only: logistic noise, added as a newcomer would add one.

It has what the certified engine and the closed forms ask for and nothing else, so every operation that knows Gaussian
and Laplace noise alone has to refuse it by name. Its density is log-concave, so the likelihood ratio of a shift never
falls; it is smooth like Gaussian noise and has a finite pure epsilon like Laplace noise.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import expit, log_expit, logit

from numerics.mechanisms import SampledMechanism
from numerics.mechanisms.noise import Noise, cells_between
from numerics.mechanisms.shift import Shift
from numerics.trade_off import Floats


@dataclass(frozen=True)
class LogisticNoise(Noise):
    """Density e^-u / (s (1 + e^-u)^2) at u = x / s."""

    def cells(self, edges: Floats, centre: float) -> Floats:
        return cells_between(expit, lambda u: np.asarray(expit(-u)), (edges - centre) / self.scale)

    def reach(self, tail: float) -> float:
        return float(self.scale * (np.log1p(-tail) - np.log(tail)))

    def shift_loss(self, x: Floats) -> Floats:
        """1/s + 2 log (1 + e^-u) / (1 + e^(1/s - u)) above 1/2, and mirrored below."""
        u = np.abs(x - 0.5) / self.scale
        half = 0.5 / self.scale
        with np.errstate(over="ignore"):
            above = 2.0 * (half + np.log1p(np.exp(-u - half)) - np.log1p(np.exp(half - u)))
            inner = np.minimum(u, half)
            near = 2.0 * (np.logaddexp(0.0, inner + half) - np.logaddexp(0.0, inner - half) - half)
        return np.sign(x - 0.5) * np.where(u > half, above, near)

    def shift_position(self, loss: Floats) -> Floats:
        """With h = loss / 2 and c = 1 / (2 s): e^-u = (1 - e^(h - c)) / (e^(h + c) - 1)."""
        h, c = 0.5 * loss, 0.5 / self.scale
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            inside = -self.scale * (np.log(-np.expm1(h - c)) - h - c - np.log(-np.expm1(-h - c)))
        return np.where(h >= c, np.inf, np.where(h <= -c, -np.inf, inside))


@dataclass(frozen=True)
class LogisticShift(Shift):
    """F(F^-1(1 - alpha) - mu), with F the logistic distribution function."""

    def power(self, alpha: Floats) -> Floats:
        return np.asarray(expit(logit(alpha) + self.mu))

    def beta(self, alpha: Floats) -> Floats:
        return np.asarray(expit(-logit(alpha) - self.mu))

    def alpha_for(self, power: Floats) -> Floats:
        return np.asarray(expit(logit(power) - self.mu))

    @property
    def balanced(self) -> float:
        return float(expit(-0.5 * self.mu))

    def delta(self, epsilon: float) -> float:
        """Power less e^epsilon alpha where the likelihood ratio is e^epsilon."""
        if epsilon >= self.mu:
            return 0.0
        z = float(LogisticNoise(1.0 / self.mu).shift_position(np.array([epsilon]))[0]) * self.mu
        return float(expit(self.mu - z) - np.exp(epsilon + log_expit(-z)))

    def area(self) -> float:
        """Integral of alpha r / (1 - alpha + alpha r) with r = e^mu."""
        q = np.exp(-self.mu)
        return float((1.0 - q - q * self.mu) / (1.0 - q) ** 2)


@dataclass(frozen=True)
class Logistic(SampledMechanism):
    name: ClassVar[str] = "Logistic"
    scale_sentence: ClassVar[str] = "Each record adds a number of size at most 1 sensitivity unit."
    noise_law: ClassVar[type[Noise]] = LogisticNoise
    shift_law: ClassVar[type[Shift] | None] = LogisticShift
