"""The exponential mechanism: one of several candidates is chosen, the better by its score the likelier.

Choosing the largest score after adding Gumbel noise is the same mechanism. With P(i) proportional to
e^(epsilon score_i / (2 sensitivity)) all losses of two neighbours lie in an interval of length epsilon that holds 0
(bounded range: Durfee and Rogers 2019). The worst pair whose largest loss is t is a law on two outcomes, the losses t
and t - epsilon; of all of these the best attack at every false positive rate is that of a logistic shift by epsilon.
"""

from dataclasses import dataclass
from typing import ClassVar

from numerics.mechanisms.base import SampledMechanism
from numerics.mechanisms.logistic import LogisticNoise, LogisticShift
from numerics.mechanisms.shift import Folded, Formula, Shift
from numerics.privacy_loss.finite_pair import two_outcomes
from numerics.privacy_loss.window_plan import Phases
from numerics.sampling.poisson import SampledPair
from numerics.validation import Positive, checked


@dataclass(frozen=True)
@checked
class ExponentialMechanismShift(LogisticShift):
    """The best of all tests between neighbours; ``mu`` is epsilon."""

    formula: ClassVar[Formula] = Formula(
        r"\alpha + f(\alpha) + (e^{\varepsilon} - 1)\, \alpha\, f(\alpha) = 1, \quad "
        r"\text{advantage} = \tanh(\varepsilon / 4)",
        "Whoever looks at one choice: of all scores the worst at every false positive rate. Pure epsilon alone would "
        "allow an advantage of tanh(ε/2).",
        "Durfee and Rogers 2019; Dong, Durfee and Rogers 2020",
    )
    folded_formula: ClassVar[Formula | None] = None

    def folded(self, dimension: int) -> Folded | None:
        """None: nothing is folded, as no noise is added to a sum."""
        return None


@dataclass(frozen=True)
class ChoicePair(SampledPair):
    """The logistic pair. It dominates choices, be they chosen by what was released before.

    One choice reaches each of its points, another pair of neighbours each: no neighbours have all of them. So what is
    composed of it, with whatever else, no attack on choices reaches.
    """

    is_reached: ClassVar[bool] = False
    words: ClassVar[str] = "choices by the exponential mechanism"


@dataclass(frozen=True)
@checked
class ExponentialMechanism(SampledMechanism):
    """Exponential mechanism, or report-noisy-max by Gumbel noise; ``noise_multiplier`` is 1/epsilon.

    Epsilon is that of one record more or less; replaced, it moves every score twice as far.
    """

    name: ClassVar[str] = "Exponential mechanism"
    scale_name: ClassVar[str] = "scale 1/epsilon"
    scale_sentence: ClassVar[str] = (
        "One of several candidates is chosen, and each record changes any score by at most 1 sensitivity unit. One "
        "choice: exact. Several: the guarantee is proven, also where a choice depends on the earlier ones; the attack "
        "is one on scores that are chosen for it, and what lies between is open."
    )
    is_epsilon: ClassVar[bool] = True
    is_sampled: ClassVar[bool] = False
    limits: ClassVar[str] = "What a choice from a sample of the records gives away is not computed here."

    def shift(self, distance: Positive) -> Shift:
        """See SampledMechanism."""
        return ExponentialMechanismShift(distance / self.noise_multiplier)

    @property
    def pairs(self) -> Phases:
        """See Analysis."""
        return ((ChoicePair(LogisticNoise(self.noise_multiplier / self.reach), 1.0), self.steps),)

    @property
    def attack_pairs(self) -> Phases:
        """See Analysis: choices between two candidates whose losses are as far from 0."""
        epsilon = self.effect_size
        return ((two_outcomes(0.5 * epsilon, epsilon, ChoicePair.words), self.steps),)
