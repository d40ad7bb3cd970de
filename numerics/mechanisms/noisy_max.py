"""Choices of which epsilon is all that is proven: permute-and-flip, and the largest score after Laplace noise.

Permute-and-flip, which is the largest score after exponential noise (Ding, Kifer, Sayed Mohammad and Zhang 2021), has
no bounded range: scores (0, 0) against (D, -D) have losses epsilon + log(2 - e^-epsilon) apart. So the guarantee is
that of epsilon alone, and the attack that on these two candidates.
"""

from typing import ClassVar

import numpy as np

from numerics.mechanisms.base import SampledMechanism
from numerics.privacy_loss.pairs import Atom, ComposedPairs, FinitePair, two_outcomes
from numerics.validation import value

_PROVEN = (
    "One of several candidates is chosen, and each record changes any score by at most 1 sensitivity unit. What is "
    "proven is epsilon, also where a choice depends on the earlier ones; "
)


@value
class _PureEpsilon(SampledMechanism):
    """A choice with epsilon-differential privacy; ``noise_multiplier`` is 1/epsilon for one record more or less."""

    scale_name: ClassVar[str] = "scale 1/epsilon"
    is_epsilon: ClassVar[bool] = True
    has_direction: ClassVar[bool] = False
    is_sampled: ClassVar[bool] = False
    limits: ClassVar[str] = "What a choice from a sample of the records gives away is not computed here."

    @property
    def pairs(self) -> ComposedPairs:
        """See Analysis: two outcomes of losses epsilon and -epsilon dominate all that is epsilon-private."""
        epsilon = self.effect_size
        return ((two_outcomes(epsilon, 2.0 * epsilon, f"choices by {self.name}", is_reached=False), self.steps),)


@value
class PermuteAndFlip(_PureEpsilon):
    """Permute-and-flip, or report-noisy-max by exponential noise."""

    name: ClassVar[str] = "Permute-and-flip"
    scale_sentence: ClassVar[str] = (
        f"{_PROVEN}the attack shown is one on two candidates, and others may reach more. Its losses are up to "
        "ε + log(2 - e^-ε) apart, so nothing that holds for the exponential mechanism's range may be used."
    )

    @property
    def attack_pairs(self) -> ComposedPairs:
        """See Analysis: scores (D, -D) against (0, 0), which choose the second with e^-epsilon / 2 against 1/2."""
        rare = 0.5 * float(np.exp(-self.effect_size))
        first, second = float(np.log(2.0 * (1.0 - rare))), -self.effect_size
        candidates = Atom(second, rare, 0.5), Atom(first, 1.0 - rare, 0.5)
        return ((FinitePair(candidates, f"choices by {self.name}"), self.steps),)


@value
class LaplaceNoisyMax(_PureEpsilon):
    """Report-noisy-max by Laplace noise of scale 2 / epsilon on every score."""

    name: ClassVar[str] = "Laplace noisy max"
    scale_sentence: ClassVar[str] = (
        f"{_PROVEN}which attack comes closest to that is not computed here, so there is a guarantee alone."
    )
