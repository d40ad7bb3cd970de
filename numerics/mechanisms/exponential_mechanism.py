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
from scipy.special import log_expit

from numerics.mechanisms.adaptive_choices import worst_choices
from numerics.mechanisms.base import SampledMechanism
from numerics.mechanisms.logistic import LogisticNoise, LogisticShift
from numerics.mechanisms.noise import sampled_loss
from numerics.mechanisms.replaced_choice import ReplacedChoice
from numerics.mechanisms.sampled_once import SampledOnce
from numerics.mechanisms.shift import Folded, Shift, ShiftFormula
from numerics.privacy_loss.dominating_pairs import Atom, LossLaw, zcdp_of_range
from numerics.privacy_loss.finite_pair import FinitePair, two_outcomes
from numerics.privacy_loss.window_plan import AdaptivePair, Phases
from numerics.sampling import Adjacency, Sampling
from numerics.sampling.batches import composed
from numerics.sampling.poisson import SampledPair
from numerics.sampling.tabulated import TabulatedPair
from numerics.validation import Positive, value

_WORDS = "choices by the exponential mechanism"
_MOST_TOGETHER, _FEWEST_CELLS = 32, 16  # choices in a group, and cells that the largest loss is cut into then: 10 ms
_CELLS_IN_1, _CELLS_BELOW = 8.0, 4.0  # in a loss of 1, and between the smallest loss and 0, at least
_LARGEST_SAMPLED = 2.0  # epsilon of choices from a sample; beyond, chords below 0 lie too far above the curve


@value
class ExponentialMechanismShift(LogisticShift):
    """The best of all tests between neighbours; ``mu`` is epsilon."""

    formula: ClassVar[ShiftFormula] = ShiftFormula(
        r"\alpha + f(\alpha) + (e^{\varepsilon} - 1)\, \alpha\, f(\alpha) = 1, \quad "
        r"\text{advantage} = \tanh(\varepsilon / 4)",
        "Whoever looks at one choice: of all scores the worst at every false positive rate. Pure epsilon alone would "
        "allow an advantage of tanh(ε/2).",
        "Durfee and Rogers 2019; Dong, Durfee and Rogers 2020",
    )
    folded_formula: ClassVar[ShiftFormula | None] = None

    def folded(self, dimension: int) -> Folded | None:
        """None: nothing is folded, as no noise is added to a sum."""
        return None


@dataclass(frozen=True)
class ChoicesPair(TabulatedPair):
    """The worst of ``choices`` choices, each of which may depend on those before (see ``adaptive_choices``).

    Attributes:
        epsilon: of one of them, for the record that is in the sample.
        rate: Poisson sampling rate.
        choices: their number.
    """

    epsilon: float
    rate: float
    choices: int

    is_reached: ClassVar[bool] = False
    words: ClassVar[str] = _WORDS

    @property
    def is_symmetric(self) -> bool:
        return self.rate == 1.0

    @property
    def participation(self) -> float:
        return float(-np.expm1(self.choices * np.log1p(-self.rate))) if self.rate < 1.0 else 1.0

    def tabulated(self) -> LossLaw:
        """See TabulatedPair. The fewer choices, the finer for the same work."""
        cells = int(_FEWEST_CELLS * (_MOST_TOGETHER / self.choices) ** (2.0 / 3.0))
        return worst_choices(self.epsilon, self.rate, self.choices, cells)


@dataclass(frozen=True)
class ChoicePair(SampledPair, AdaptivePair):
    """The logistic pair of one choice, each of whose points a choice reaches, another pair of neighbours each.

    No neighbours have all of them. So what is composed of it, with whatever else, no attack on choices reaches.
    """

    is_reached: ClassVar[bool] = False
    words: ClassVar[str] = _WORDS

    def together(self, steps: int) -> Phases:
        """See AdaptivePair: in groups for which the worst of all ways to choose is known."""
        size = min(self._group, steps)
        whole, rest = divmod(steps, size)
        groups = ((size, whole), (rest, min(rest, 1)))
        return composed(*((self if size == 1 else self._several(size), count) for size, count in groups))

    def _several(self, choices: int) -> ChoicesPair:
        return ChoicesPair(1.0 / self.noise.scale, self.rate, choices)

    @property
    def _group(self) -> int:
        """Of how many choices the worst is sought: as many as a lattice of this fineness leaves; 1 for none."""
        epsilon = 1.0 / self.noise.scale
        if self.rate < 1.0 and (self.replace_one or epsilon > _LARGEST_SAMPLED):
            return 1
        top, bottom = np.abs(sampled_loss(np.array([epsilon, -epsilon]), self.rate))
        finer = max(1.0, _CELLS_IN_1 * top / _FEWEST_CELLS, _CELLS_BELOW * top / bottom / _FEWEST_CELLS)
        return max(int(_MOST_TOGETHER * finer**-1.5), 1)

    @property
    def _range(self) -> float:
        """Width of an interval that holds all losses of two neighbours; twice that of one without the record."""
        widest = float(sampled_loss(np.array([1.0 / self.noise.scale]), self.rate)[0])
        return 2.0 * widest if self.replace_one else widest

    @property
    def zcdp(self) -> float | None:
        """See DominatingPair: by the range of each pair of neighbours, not by that of this one."""
        return zcdp_of_range(self._range)

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
        "shown is one on the same scores every time, and not the best known: choices that depend on the earlier ones "
        "reach more."
    )
    is_epsilon: ClassVar[bool] = True
    samplings: ClassVar[tuple[Sampling, ...]] = (Sampling.POISSON,)

    def shift(self, distance: Positive) -> Shift:
        return ExponentialMechanismShift(distance / self.noise_multiplier)

    @property
    def closed_form(self) -> SampledOnce | None:
        if self.sampling_rate < 1.0 and self._replaced and self.steps == 1:
            return SampledOnce(ReplacedChoice(1.0 / self.noise_multiplier, self.sampling_rate))
        return super().closed_form

    @property
    def _replaced(self) -> bool:
        return self.adjacency is Adjacency.REPLACE_ONE

    @property
    def pairs(self) -> Phases:
        if self.sampling_rate == 1.0:
            return ((ChoicePair(LogisticNoise(self.noise_multiplier / self.reach), 1.0), self.steps),)
        return ((ChoicePair(LogisticNoise(self.noise_multiplier), self.sampling_rate, self._replaced), self.steps),)

    @property
    def attack_pairs(self) -> Phases:
        """See Analysis: choices between two candidates whose losses are as far from 0."""
        return ((self._two_candidates(), self.steps),)

    def _two_candidates(self) -> FinitePair:
        """Without the record the log odds of the first are ``start``; it moves them by epsilon, another by -epsilon."""
        if self.sampling_rate == 1.0:
            epsilon = self.effect_size
            return two_outcomes(0.5 * epsilon, epsilon, ChoicePair.words)
        epsilon = 1.0 / self.noise_multiplier
        start = 0.0 if self._replaced else -0.5 * epsilon
        p = self._logs(start, start + epsilon)
        q = self._logs(start, start - epsilon) if self._replaced else self._logs(start, start)
        first, second = (Atom(p[each] - q[each], float(np.exp(p[each])), float(np.exp(q[each]))) for each in (0, 1))
        return FinitePair((second, first), ChoicePair.words)

    def _logs(self, absent: float, present: float) -> tuple[float, float]:
        """Log chances of either candidate, whose log odds are ``absent`` or, where the record is drawn, ``present``."""
        out, drawn = np.log1p(-self.sampling_rate), np.log(self.sampling_rate)
        one, other = (
            float(np.logaddexp(out + log_expit(sign * absent), drawn + log_expit(sign * present)))
            for sign in (1.0, -1.0)
        )
        return one, other
