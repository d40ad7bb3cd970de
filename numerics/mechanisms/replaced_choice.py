"""One choice by the exponential mechanism from a Poisson sample, of which one record is replaced by another.

Of an event that has the chance m without either record, the one raises the odds by e^epsilon at most, and the other
lowers them by that. A choice between two candidates has both at once where the one record prefers the first and the
other the second, as far as they may: the first is then the event, and m any chance, by the scores of all others. So

    alpha = (1 - r) m + r c m / (c m + 1 - m),    power = (1 - r) m + r m / (m + c (1 - m)),    c = e^-epsilon,

is what the best attack on the worst scores reaches at every m: EXACT. Other scores are the worst at each m, so no
choice has all of the area, nor do several have the product. The curve is its own mirror image, m to 1 - m.
"""

from typing import ClassVar

import numpy as np
import scipy
from scipy.special import log_expit

from numerics.mechanisms.shift import Shift, ShiftFormula
from numerics.trade_off import Floats
from numerics.validation import PositiveProbability, value

_FURTHEST = 700.0  # log odds of a chance that is told from 0
_NEAR = 0.01  # below which the series has all digits


@value
class ReplacedChoice(Shift):
    """The best of all tests between one record and another, in the sample with probability ``rate``; ``mu`` is epsilon.

    Epsilon is that of one record more or less.
    """

    rate: PositiveProbability = 1.0

    formula: ClassVar[ShiftFormula] = ShiftFormula(
        r"\alpha = (1-p)\, m + \frac{p\, m}{m + (1-m)\, e^{\varepsilon}}, \quad "
        r"f = (1-p)(1-m) + \frac{p\,(1-m)}{1 - m + m\, e^{\varepsilon}}",
        "Whoever looks at one choice from a sample: of all scores the worst at every false positive rate. m is the "
        "chance of a choice that the one record makes likelier and the other less likely, if neither is drawn.",
        "bounded range (Durfee and Rogers 2019), and two candidates",
    )

    def power(self, alpha: Floats) -> Floats:
        m, rest = self._of_alpha(alpha), self._of_power(1.0 - alpha, alpha - (1.0 - self.rate))
        return self._mixed(m, rest)

    def beta(self, alpha: Floats) -> Floats:
        return self._mixed_down(self._of_power(1.0 - alpha, alpha - (1.0 - self.rate)), self._of_alpha(alpha))

    def alpha_for(self, power: Floats) -> Floats:
        return self._mixed_down(self._of_power(power, self.rate - power), self._of_alpha(1.0 - power))

    @property
    def _ratio(self) -> float:
        return float(np.exp(-self.mu))

    def _mixed(self, m: Floats, rest: Floats) -> Floats:
        """The power where the event has the chance ``m`` = 1 - ``rest``; 0 for 0 also where the ratio underflows."""
        drawn = np.divide(m, m + self._ratio * rest, out=np.zeros(np.shape(m)), where=m > 0.0)
        return np.asarray((1.0 - self.rate) * m + self.rate * drawn)

    def _mixed_down(self, m: Floats, rest: Floats) -> Floats:
        """Its false positive rate; of the opposite event it is the false negative rate."""
        part = self._ratio * m
        drawn = np.divide(part, part + rest, out=np.ones(np.shape(m)), where=rest > 0.0)
        return np.asarray((1.0 - self.rate) * m + self.rate * drawn)

    def _of_alpha(self, alpha: Floats) -> Floats:
        """The m of a false positive rate: smaller root of (1-r) s m^2 - (1 - r s + s alpha) m + alpha, s = 1 - c."""
        steep, most = -np.expm1(-self.mu), 1.0 - self.rate + self.rate * self._ratio
        spread = 4.0 * alpha * steep * self.rate * self._ratio
        return np.asarray(2.0 * alpha / (most + alpha * steep + np.sqrt((most - alpha * steep) ** 2 + spread)))

    def _of_power(self, power: Floats, left: Floats) -> Floats:
        """The m of a power = r - ``left``: the positive root of (1-r) s m^2 + (c + s left) m - c power."""
        steep, c = -np.expm1(-self.mu), self._ratio
        half = 0.5 * (c + steep * left)
        root = np.sqrt(half**2 + (1.0 - self.rate) * steep * c * power)
        with np.errstate(divide="ignore", invalid="ignore"):
            far = (root - half) / ((1.0 - self.rate) * steep)
            return np.asarray(np.where(half > 0.0, c * power / (half + root), far))

    @property
    def balanced(self) -> float:
        """Where m is 1/2."""
        return float(self._mixed_down(np.array(0.5), np.array(0.5)))

    def delta(self, epsilon: float) -> float:
        """Power less e^epsilon alpha where the likelihood ratio is e^epsilon; 0 from the largest on.

        With u the log odds of m, power - alpha = r (1 - c^2) times the logistic function of mu + u and of mu - u.
        """
        end = 2.0 * self.mu + _FURTHEST
        if epsilon >= self._loss(-end):
            return 0.0
        odds = scipy.optimize.brentq(lambda odds: self._loss(odds) - epsilon, -end, end, xtol=1e-13)
        gap = self._logs[1] + log_expit(self.mu + odds) + log_expit(self.mu - odds) + np.log(-np.expm1(-2.0 * self.mu))
        with np.errstate(divide="ignore"):
            paid = self._log_mixed(odds, odds - self.mu) + epsilon + np.log(-np.expm1(-epsilon))  # of alpha beyond one
        return float(np.exp(gap) * -np.expm1(min(paid - gap, 0.0)))

    def _log_mixed(self, odds: float, drawn: float) -> float:
        """Log of a chance with these log odds without the record and with it."""
        out, record = self._logs
        return float(np.logaddexp(out + log_expit(odds), record + log_expit(drawn)))

    @property
    def _logs(self) -> tuple[float, float]:
        return float(np.log1p(-self.rate)) if self.rate < 1.0 else -np.inf, float(np.log(self.rate))

    def _loss(self, odds: float) -> float:
        """Log of the likelihood ratio, at the log odds of m, in which it falls: it is odd."""
        up, down = (self._log_slope(each) for each in (odds, -odds))
        return up - down

    def _log_slope(self, odds: float) -> float:
        """Log of the slope of the power in m: the odds grow by e^mu, and m by the slope of that."""
        drawn = log_expit(odds + self.mu) + log_expit(-odds - self.mu) - log_expit(odds) - log_expit(-odds)
        out, record = self._logs
        return float(np.logaddexp(out, record + drawn))

    def area(self) -> float:
        """Of both drawn or not: areas between choices that differ by epsilon, and by twice that."""
        once, twice = _area(self.mu), _area(2.0 * self.mu)
        return 0.5 * (1.0 - self.rate) ** 2 + 2.0 * self.rate * (1.0 - self.rate) * once + self.rate**2 * twice


def _area(epsilon: float) -> float:
    """Area below power where the odds of an alarm grow by e^epsilon; by its series where that is next to 1."""
    if epsilon < _NEAR:
        return 0.5 + epsilon / 6.0 * (1.0 - epsilon**2 / 30.0)
    q = float(np.exp(-epsilon))
    return (1.0 - q - q * epsilon) / (1.0 - q) ** 2
