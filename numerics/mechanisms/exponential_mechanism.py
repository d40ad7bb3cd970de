"""The exponential mechanism: one of several candidates is chosen, the better by its score the likelier.

Choosing the largest score after adding Gumbel noise is the same mechanism. With P(i) proportional to
e^(epsilon score_i / (2 sensitivity)) all losses of two neighbours lie in an interval of length epsilon that holds 0
(bounded range: Durfee and Rogers 2019). The worst pair whose largest loss is t is a law on two outcomes, the losses t
and t - epsilon; of all of these the best attack at every false positive rate is that of a logistic shift by epsilon.

From a Poisson sample: let R be the law without the record, A and B those with one record or another. Bounded range
says that the log odds of any event are under A at most epsilon above those under R, and under B at most epsilon below:
just as logistic noise moved by epsilon either way. A choice between two candidates can have both extremes at once. So
at every chance under R the worst is what Poisson sampling makes of logistic noise, replaced records included.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import scipy
from scipy.special import log_expit

from numerics.mechanisms.adaptive_choices import WORDS, ChoicesPair, RepeatedChoice, most_together
from numerics.mechanisms.base import SampledMechanism
from numerics.mechanisms.location import Folded, LocationTradeOff, Subsampled, TradeOffFormula
from numerics.mechanisms.logistic import LogisticNoise, LogisticShift
from numerics.privacy_loss.pairs import ComposedPairs, composed, sampled_loss, zcdp_of_range
from numerics.sampling import Adjacency, Sampling
from numerics.sampling.poisson import SampledPair
from numerics.trade_off import Floats
from numerics.validation import Positive, PositiveProbability, value

# One choice by the exponential mechanism from a Poisson sample, of which one record is replaced by another.
#
# Of an event that has the chance m without either record, the one raises the odds by e^epsilon at most, and the other
# lowers them by that. A choice between two candidates has both at once where the one record prefers the first and the
# other the second, as far as they may: the first is then the event, and m any chance, by the scores of all others. So
#
#     alpha = (1 - r) m + r c m / (c m + 1 - m),    power = (1 - r) m + r m / (m + c (1 - m)),    c = e^-epsilon,
#
# is what the best attack on the worst scores reaches at every m: EXACT. Other scores are the worst at each m, so no
# choice has all of the area, nor do several have the product. The curve is its own mirror image, m to 1 - m.


_FURTHEST = 700.0  # log odds of a chance that is told from 0
_NEAR = 0.01  # below which the series has all digits


@value
class ReplacedChoice(LocationTradeOff):
    """The best of all tests between one record and another, in the sample with probability ``rate``; ``mu`` is epsilon.

    Epsilon is that of one record more or less.
    """

    rate: PositiveProbability = 1.0

    formula = TradeOffFormula(
        r"\alpha = (1-p)\, m + \frac{p\, m}{m + (1-m)\, e^{\varepsilon}}, \quad "
        r"f = (1-p)(1-m) + \frac{p\,(1-m)}{1 - m + m\, e^{\varepsilon}}",
        "Whoever looks at one choice from a sample: of all scores the worst at every false positive rate. m is the "
        "chance of a choice that the one record makes likelier and the other less likely, if neither is drawn.",
        "bounded range (Durfee and Rogers 2019), and two candidates",
    )

    def power(self, alpha: Floats) -> Floats:
        m, rest = self._of_alpha(alpha), self._of_power(1.0 - alpha, alpha - (1.0 - self.rate))
        # 0 for 0 also where the ratio underflows.
        drawn = np.divide(m, m + self._ratio * rest, out=np.zeros(np.shape(m)), where=m > 0.0)
        return (1.0 - self.rate) * m + self.rate * drawn

    def beta(self, alpha: Floats) -> Floats:
        return self._mixed_down(self._of_power(1.0 - alpha, alpha - (1.0 - self.rate)), self._of_alpha(alpha))

    def alpha_for(self, power: Floats) -> Floats:
        return self._mixed_down(self._of_power(power, self.rate - power), self._of_alpha(1.0 - power))

    @property
    def _ratio(self) -> float:
        return float(np.exp(-self.mu))

    def _mixed_down(self, m: Floats, rest: Floats) -> Floats:
        """False positive rate where the event has the chance ``m`` = 1 - ``rest``; of the other, false negatives."""
        part = self._ratio * m
        drawn = np.divide(part, part + rest, out=np.ones(np.shape(m)), where=rest > 0.0)
        return (1.0 - self.rate) * m + self.rate * drawn

    def _of_alpha(self, alpha: Floats) -> Floats:
        """The m of a false positive rate: smaller root of (1-r) s m^2 - (1 - r s + s alpha) m + alpha, s = 1 - c."""
        steep, most = -np.expm1(-self.mu), 1.0 - self.rate + self.rate * self._ratio
        spread = 4.0 * alpha * steep * self.rate * self._ratio
        return 2.0 * alpha / (most + alpha * steep + np.sqrt((most - alpha * steep) ** 2 + spread))

    def _of_power(self, power: Floats, left: Floats) -> Floats:
        """The m of a power = r - ``left``: the positive root of (1-r) s m^2 + (c + s left) m - c power."""
        steep, c = -np.expm1(-self.mu), self._ratio
        half = 0.5 * (c + steep * left)
        root = np.sqrt(half**2 + (1.0 - self.rate) * steep * c * power)
        with np.errstate(divide="ignore", invalid="ignore"):
            far = (root - half) / ((1.0 - self.rate) * steep)
            return np.where(half > 0.0, c * power / (half + root), far)

    @property
    def balanced(self) -> float:
        """Where m is 1/2."""
        return float(self._mixed_down(np.array(0.5), np.array(0.5)))

    def delta(self, epsilon: float) -> float:
        """Power less e^epsilon alpha where the likelihood ratio is e^epsilon; 0 from the largest on.

        With u the log odds of m, power - alpha = r (1 - c^2) times the logistic function of mu + u and of mu - u.
        """
        out = float(np.log1p(-self.rate)) if self.rate < 1.0 else -np.inf
        record = float(np.log(self.rate))

        def log_slope(odds: float) -> float:
            """Log of the slope of the power in m: the odds grow by e^mu, and m by the slope of that."""
            drawn = log_expit(odds + self.mu) + log_expit(-odds - self.mu) - log_expit(odds) - log_expit(-odds)
            return float(np.logaddexp(out, record + drawn))

        def loss(odds: float) -> float:
            """Log of the likelihood ratio, at the log odds of m, in which it falls: it is odd."""
            return log_slope(odds) - log_slope(-odds)

        end = 2.0 * self.mu + _FURTHEST
        if epsilon >= loss(-end):
            return 0.0
        odds = scipy.optimize.brentq(lambda odds: loss(odds) - epsilon, -end, end, xtol=1e-13)
        gap = record + log_expit(self.mu + odds) + log_expit(self.mu - odds) + np.log(-np.expm1(-2.0 * self.mu))
        alpha = float(np.logaddexp(out + log_expit(odds), record + log_expit(odds - self.mu)))
        with np.errstate(divide="ignore"):
            paid = alpha + epsilon + np.log(-np.expm1(-epsilon))  # of alpha beyond one
        return float(np.exp(gap) * -np.expm1(min(paid - gap, 0.0)))

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


_CELLS_IN_1, _CELLS_BELOW = 8.0, 4.0  # in a loss of 1, and between the smallest loss and 0, at least
_LARGEST_SAMPLED = 2.0  # epsilon of choices from a sample; beyond, chords below 0 lie too far above the curve


@value
class ExponentialMechanismShift(LogisticShift):
    """The best of all tests between neighbours; ``mu`` is epsilon."""

    formula = TradeOffFormula(
        r"\alpha + f(\alpha) + (e^{\varepsilon} - 1)\, \alpha\, f(\alpha) = 1, \quad "
        r"\text{advantage} = \tanh(\varepsilon / 4)",
        "Whoever looks at one choice: of all scores the worst at every false positive rate. Pure epsilon alone would "
        "allow an advantage of tanh(ε/2).",
        "Durfee and Rogers 2019; Dong, Durfee and Rogers 2020",
    )
    folded_formula: ClassVar[TradeOffFormula | None] = None

    def folded(self, dimension: int) -> Folded | None:
        """None: nothing is folded, as no noise is added to a sum."""
        return None


@dataclass(frozen=True)
class ChoicePair(SampledPair):
    """The logistic pair of one choice, each of whose points a choice reaches, another pair of neighbours each.

    No neighbours have all of them. So what is composed of it, with whatever else, no attack on choices reaches.
    """

    is_reached = False
    is_adaptive = True
    words = WORDS

    def together(self, steps: int) -> ComposedPairs:
        """See DominatingPair: in groups for which the worst of all ways to choose is known."""
        size = min(self._group, steps)
        whole, rest = divmod(steps, size)
        groups, epsilon = ((size, whole), (rest, min(rest, 1))), 1.0 / self.noise.scale
        return composed(
            *((self if size == 1 else ChoicesPair(epsilon, self.rate, size), count) for size, count in groups)
        )

    @property
    def _group(self) -> int:
        """Of how many choices the worst is sought: as many as a lattice of this fineness leaves; 1 for none."""
        epsilon = 1.0 / self.noise.scale
        if self.rate < 1.0 and (self.replace_one or epsilon > _LARGEST_SAMPLED):
            return 1
        top, bottom = np.abs(sampled_loss(np.array([epsilon, -epsilon]), self.rate))
        return most_together(max(_CELLS_IN_1 * top, _CELLS_BELOW * top / bottom))

    @property
    def zcdp(self) -> float | None:
        """By the range of each pair of neighbours, not by that of this one; replaced, it is twice as wide."""
        widest = float(sampled_loss(np.array([1.0 / self.noise.scale]), self.rate)[0])
        return zcdp_of_range(2.0 * widest if self.replace_one else widest)

    def renyi(self, order: int) -> float | None:
        """See DominatingPair. Of one choice from all records the worst of all largest losses t: EXACT.

        With x = e^t the moment is (A x^(o-1) - B x^o) / (1 - e^-epsilon), A = 1 - e^(-o epsilon) and
        B = e^-epsilon - e^(-o epsilon), and largest at x = (o - 1) A / (o B). Of a sample a guarantee: that of the
        logistic pair, or what rho allows at this order, whichever is less.
        """
        if self.rate < 1.0:
            allowed = None if self.zcdp is None else order * self.zcdp
            return min((each for each in (super().renyi(order), allowed) if each is not None), default=None)
        epsilon = 1.0 / self.noise.scale
        log_a = float(np.log(-np.expm1(-order * epsilon)))
        log_b = float(np.log(-np.expm1(-(order - 1.0) * epsilon))) - epsilon
        worst = np.log1p(-1.0 / order) + log_a - log_b
        rest = log_a - np.log(order) - np.log(-np.expm1(-epsilon))
        return float(max(worst + rest / (order - 1.0), 0.0))


# The mechanism.


@value
class ExponentialMechanism(SampledMechanism):
    """Exponential mechanism, or report-noisy-max by Gumbel noise; ``noise_multiplier`` is 1/epsilon.

    Epsilon is that of one record more or less; replaced, it moves every score twice as far.
    """

    name: ClassVar[str] = "Exponential mechanism"
    scale_name: ClassVar[str] = "scale 1/epsilon"
    scale_sentence: ClassVar[str] = (
        "One of several candidates is chosen, and each record changes any score by at most 1 sensitivity unit. One "
        "choice: exact. Several: the guarantee is proven, also where a choice depends on the earlier ones. The attack "
        "shown asks for one of two candidates each time, with the scores that are best after what was chosen before; "
        "at every false positive rate it is another one. Of more than 64 choices it adapts the last 64 only."
    )
    is_epsilon: ClassVar[bool] = True
    has_direction: ClassVar[bool] = False
    samplings: ClassVar[tuple[Sampling, ...]] = (Sampling.POISSON,)

    def shift(self, distance: Positive) -> LocationTradeOff:
        return ExponentialMechanismShift(distance / self.noise_multiplier)

    @property
    def closed_form(self) -> Subsampled | None:
        if self.sampling_rate < 1.0 and self._replaced and self.steps == 1:
            return Subsampled(ReplacedChoice(1.0 / self.noise_multiplier, self.sampling_rate))
        return super().closed_form

    @property
    def _replaced(self) -> bool:
        return self.adjacency is Adjacency.REPLACE_ONE

    @property
    def pairs(self) -> ComposedPairs:
        if self.sampling_rate == 1.0:
            return ((ChoicePair(LogisticNoise(self.noise_multiplier / self.reach), 1.0), self.steps),)
        return ((ChoicePair(LogisticNoise(self.noise_multiplier), self.sampling_rate, self._replaced), self.steps),)

    @property
    def attack_pairs(self) -> ComposedPairs:
        """Choices between two candidates whose losses are as far from 0."""
        if self.sampling_rate == 1.0:
            return ((RepeatedChoice.between(self.effect_size, 1.0, False), self.steps),)
        return ((RepeatedChoice.between(1.0 / self.noise_multiplier, self.sampling_rate, self._replaced), self.steps),)
