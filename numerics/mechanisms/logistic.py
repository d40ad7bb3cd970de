"""The logistic mechanism: noise as smooth as normal noise whose tails are those of Laplace noise.

Its density at scale 1 is 1 / (2 (1 + cosh x)), which is log-concave, and its distribution function is the logistic
function. With C = cosh x and M = cosh mu, the even mixture of both shifts has the likelihood ratio
(1 + C) (1 + C M) / (C + M)^2. That never falls in C: its logarithm has the derivative
(M - 1) (M + 2 + C (2 M + 1)) / ((1 + C) (1 + C M) (C + M)). So the folded test has closed forms.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import expit, log_expit, logit

from numerics.mechanisms.base import SampledMechanism
from numerics.mechanisms.location import Folded, LocationTradeOff, ShiftTradeOff, TradeOffFormula
from numerics.mechanisms.noise import Noise, Standard, arccosh_exp, cells_between, log_cosh, log_sinh
from numerics.trade_off import CurvePoints, Floats
from numerics.validation import value

_EFFECTIVELY_INFINITE = 700.0
_ODD_FACTORIALS = np.cumprod([float(2 * k * (2 * k + 1)) for k in range(1, 10)])


@dataclass(frozen=True)
class LogisticNoise(Noise):
    """Logistic noise of scale s = ``scale``; its variance is pi^2 s^2 / 3. The loss stays below 1/s."""

    standard: ClassVar[Standard | None] = Standard(
        lambda u: -np.abs(u) - 2.0 * np.log1p(np.exp(-np.abs(u))),
        40.0,
        lambda generator, shape: generator.logistic(size=shape),
    )

    def cells(self, edges: Floats, centre: float) -> Floats:
        return cells_between(lambda u: expit(-u), (edges - centre) / self.scale)

    def reach(self, tail: float) -> float:
        return float(self.scale * (np.log1p(-tail) - np.log(tail)))

    def shift_loss(self, x: Floats) -> Floats:
        """See Noise: 1/s + 2 log (1 + e^-u) / (1 + e^(1/s - u)) above 1/2, and mirrored below."""
        u = np.abs(x - 0.5) / self.scale
        half = 0.5 / self.scale
        with np.errstate(over="ignore"):
            above = 2.0 * (half + np.log1p(np.exp(-u - half)) - np.log1p(np.exp(half - u)))
            inner = np.minimum(u, half)
            near = 2.0 * (np.logaddexp(0.0, inner + half) - np.logaddexp(0.0, inner - half) - half)
        return np.sign(x - 0.5) * np.where(u > half, above, near)

    def shift_position(self, loss: Floats) -> Floats:
        """See Noise. With h = loss / 2 and c = 1 / (2 s): e^-u = (1 - e^(h - c)) / (e^(h + c) - 1)."""
        h, c = 0.5 * loss, 0.5 / self.scale
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            inside = -self.scale * (np.log(-np.expm1(h - c)) - h - c - np.log(-np.expm1(-h - c)))
        return np.where(h >= c, np.inf, np.where(h <= -c, -np.inf, inside))

    def overlap(self, shift: float, other: float) -> float | None:
        """See Noise: 2/3 (cosh mu - 1) for equal shifts."""
        with np.errstate(over="ignore"):
            return float(4.0 / 3.0 * np.sinh(0.5 * shift / self.scale) ** 2) if shift == other else None

    def log_moment(self, order: float) -> float:
        """See Noise: with a = e^mu the ratio is a / (a + (1 - a) u)^2 at the quantile u, and its power has a primitive.

        Log of a^o (1 - a^(1 - 2o)) / ((2o - 1) (a - 1)), for whole orders.
        """
        mu, odd = 1.0 / self.scale, 2.0 * order - 1.0
        size = abs(odd) * mu  # order 0 is a^1 - 1 over a - 1
        top = order * mu if odd > 0.0 else order * mu + size
        return float(top + np.log(-np.expm1(-size)) - np.log(abs(odd)) - mu - np.log(-np.expm1(-mu)))

    def folded_position(self, loss: Floats) -> Floats:
        """See Noise: the greater root of a quadratic equation in C, in two forms of which one does not cancel."""
        log_m = float(log_cosh(np.array(1.0 / self.scale)))
        w, n, d = np.exp(-log_m), -np.expm1(-log_m), -np.expm1(loss - log_m)  # 1/M, 1 - 1/M and 1 - e^loss / M
        with np.errstate(divide="ignore", invalid="ignore"):
            root = np.sqrt((3.0 - n) ** 2 - 4.0 * d * (2.0 - n))
            near_top = log_m + np.log(n * (3.0 - n + root) / (2.0 * d) - 1.0)
            half_log = 0.5 * np.logaddexp(0.0, np.log(4.0 * (1.0 + w)) + loss + log_m)
            total = np.logaddexp(half_log + np.log(n), np.log(2.0) + loss)
            below = total + np.log1p(-(1.0 + w) * np.exp(-total)) - np.log(2.0 * d)
            position = self.scale * arccosh_exp(np.nan_to_num(np.where(d < 0.5, near_top, below), nan=0.0))
        return np.where(d <= 0.0, np.inf, position)


@value
class FoldedLogistic(Folded):
    """One release of logistic noise in one dimension; with t the critical distance, alpha = 2 / (1 + e^t)."""

    def errors(self, alpha: Floats, rest: Floats) -> CurvePoints:
        """Sinh t / (cosh t + M)."""
        with np.errstate(divide="ignore", over="ignore"):
            t = np.where(alpha < 0.5, np.log1p(rest) - np.log(alpha), 2.0 * np.arctanh(np.minimum(rest, 0.5)))
            within = 1.0 + np.exp(-2.0 * t) + np.exp(self.mu - t) + np.exp(-self.mu - t)
        return CurvePoints(alpha, -np.expm1(-2.0 * t) / within, expit(self.mu - t) + expit(-self.mu - t))

    def inverse(self, alpha: Floats, rest: Floats) -> CurvePoints:
        """Tanh(t / 2) with sinh t / (cosh t + M) = alpha: a quadratic equation in e^t, solved for e^t - 1."""
        with np.errstate(divide="ignore", over="ignore"):
            cosh, sinh = (
                np.exp(np.minimum(np.log(alpha) + float(part(np.array(self.mu))), _EFFECTIVELY_INFINITE))
                for part in (log_cosh, log_sinh)
            )
            gain = (alpha + cosh + sinh * (sinh / (1.0 + np.hypot(1.0, sinh)))) / rest
            return CurvePoints(alpha, 2.0 / (2.0 + gain), 1.0 / (1.0 + 2.0 / gain))

    @property
    def balanced(self) -> float:
        """2 / (1 + e^t) with C^2 - C = 1 + M, where the ratio is 1."""
        log_m = log_cosh(np.array(self.mu))
        root = 0.5 * np.logaddexp(np.log(5.0), np.log(4.0) + log_m)
        return float(2.0 * expit(-arccosh_exp(np.logaddexp(0.0, root) - np.log(2.0))))


@value
class LogisticShift(ShiftTradeOff):
    """F(F^-1(1 - alpha) - mu), with F the logistic function: the shift adds mu to the log odds of the test."""

    formula = TradeOffFormula(
        r"f(\alpha) = \frac{1 - \alpha}{1 - \alpha + \alpha e^{\mu}}",
        "Members missed by the best test of logistic noise of scale s, μ = Δ/s: it multiplies the odds of an alarm.",
        "Dong, Roth and Su 2022, Section 2, for log-concave noise",
    )
    folded_formula: ClassVar[TradeOffFormula | None] = TradeOffFormula(
        r"j(\alpha) = \frac{\sinh t}{\cosh t + \cosh\mu}, \quad e^t = \frac{2 - \alpha}{\alpha}, \quad "
        r"J = \min(j, j^{-1})^{**}",
        "RTM, one release of logistic noise: only the distance from the centre tells, as the side is unknown. It is "
        "minimax over the side and no guarantee against an attacker who guesses it; J is the lower convex envelope of "
        "both orders.",
        "paper 000, for noise whose folded likelihood ratio never falls with the distance",
    )

    def upper_tail(self, u: Floats) -> Floats:
        return expit(-u)

    def quantile(self, alpha: Floats) -> Floats:
        return -logit(alpha)

    def delta(self, epsilon: float) -> float:
        """Power less e^epsilon alpha where the likelihood ratio is e^epsilon, in logs; 0 from mu on."""
        if epsilon >= self.mu:
            return 0.0
        z = float(LogisticNoise(1.0 / self.mu).shift_position(np.array([epsilon]))[0]) * self.mu
        gain, loss = log_expit(self.mu - z), epsilon + log_expit(-z)
        return float(np.exp(gain) * -np.expm1(min(loss - gain, 0.0)))

    def area(self) -> float:
        """1/2 + (sinh mu - mu) / (4 sinh^2 mu/2); by its series where mu is small."""
        if self.mu >= 1.0:
            q = np.exp(-self.mu)
            return float((1.0 - q - q * self.mu) / (1.0 - q) ** 2)
        odd = float(np.sum(self.mu ** (2.0 * np.arange(len(_ODD_FACTORIALS)) + 1.0) / _ODD_FACTORIALS))
        return 0.5 + 0.25 * odd * (self.mu / np.sinh(0.5 * self.mu)) ** 2 if self.mu > 0.0 else 0.5

    def folded(self, dimension: int) -> Folded | None:
        return FoldedLogistic(self.mu)


@value
class Logistic(SampledMechanism):
    """Logistic mechanism on one number; ``noise_multiplier`` is the scale s in units of the largest change."""

    name: ClassVar[str] = "Logistic"
    scale_sentence: ClassVar[str] = "Each record adds one number of size at most 1 sensitivity unit."
    noise_law: ClassVar[type[Noise] | None] = LogisticNoise
    several_records: ClassVar[bool] = True
    shift_law: ClassVar[type[LocationTradeOff] | None] = LogisticShift
    chi_square_latex: ClassVar[str] = r"\tfrac23 (\cosh\mu - 1)"
