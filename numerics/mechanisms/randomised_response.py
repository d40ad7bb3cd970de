"""Randomised response: everybody names their own answer, or by chance any other.

With k answers the true one has probability e^epsilon / (e^epsilon + k - 1), every other one 1 / (e^epsilon + k - 1).
Two people with different answers are told apart by the outcomes of loss epsilon, 0 and -epsilon; with k = 2 there is
none of loss 0, and the curve is all that epsilon alone allows; with more answers it lies above that.
"""

from typing import Annotated, ClassVar

import numpy as np

from numerics.lazy_property import lazy_property
from numerics.mechanisms.base import Parameter, SampledMechanism
from numerics.mechanisms.location import LocationTradeOff, PiecewiseLinear, TradeOffFormula
from numerics.privacy_loss.pairs import ComposedPairs, FinitePair, LossLaw
from numerics.sampling import Adjacency
from numerics.validation import Interval, Positive, value

LARGEST_CATEGORIES = 1_000_000


@value
class RandomisedResponseShift(PiecewiseLinear):
    """The test of one answer against another; ``mu`` is epsilon."""

    categories: Annotated[int, Interval(2, LARGEST_CATEGORIES)] = 2

    formula = TradeOffFormula(
        r"\text{corners } (\alpha, 1 - f) = \tfrac{1}{e^{\varepsilon} + k - 1}\,(1, e^{\varepsilon}), \quad "
        r"\tfrac{1}{e^{\varepsilon} + k - 1}\,(k - 1, e^{\varepsilon} + k - 2)",
        "Two people with different answers: one outcome speaks for either, and k - 2 say nothing.",
        "Kairouz, Bonawitz and Ramage 2016; Neyman-Pearson",
    )

    @lazy_property
    def law(self) -> LossLaw:
        """See PiecewiseLinear; divided by e^epsilon, which may overflow."""
        rare, neutral = float(np.exp(-self.mu)), self.categories - 2
        masses = np.array([rare, neutral * rare, 1.0]) / (1.0 + (self.categories - 1) * rare)
        kept = slice(None) if neutral else slice(None, None, 2)
        loss = np.array([-self.mu, 0.0, self.mu])
        return LossLaw(loss[kept], masses[kept], masses[::-1][kept])


@value
class RandomisedResponse(SampledMechanism):
    """One person's answer out of ``categories``; ``noise_multiplier`` is 1/epsilon, ``steps`` how often they answer."""

    adjacency: Adjacency = Adjacency.REPLACE_ONE
    categories: Annotated[int, Interval(2, LARGEST_CATEGORIES)] = 4

    name: ClassVar[str] = "Randomised response"
    scale_name: ClassVar[str] = "scale 1/epsilon"
    scale_sentence: ClassVar[str] = (
        "Each person names their own category, or by chance another one, before anybody collects the answers."
    )
    is_epsilon: ClassVar[bool] = True
    has_direction: ClassVar[bool] = False
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter(
            "categories",
            "Categories, k",
            "How many answers there are to choose from. With more of them one outcome more often says nothing.",
            2,
            LARGEST_CATEGORIES,
            is_whole=True,
        ),
    )
    adjacencies: ClassVar[tuple[Adjacency, ...]] = (Adjacency.REPLACE_ONE,)
    is_sampled: ClassVar[bool] = False
    limits: ClassVar[str] = (
        "Everybody answers for themselves: neighbours differ in one person's answer, and who is asked is known."
    )

    @property
    def reach(self) -> float:
        """See SampledMechanism: epsilon is that of two answers."""
        return 1.0

    def shift(self, distance: Positive) -> LocationTradeOff:
        return RandomisedResponseShift(distance / self.noise_multiplier, self.categories)

    @property
    def pairs(self) -> ComposedPairs:
        law = RandomisedResponseShift(self.effect_size, self.categories).law
        return ((FinitePair.of(law, "answers by randomised response"), self.steps),)
