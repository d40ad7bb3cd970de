"""How likely is a record reconstructed? Reconstruction robustness (ReRo, paper 003).

The attacker has candidates for the record and guesses right with probability kappa (the prior) before the release, and
with probability gamma afterwards. ``mechanism.reconstruction(prior)`` is gamma, between its guarantee and what a test
of presence reaches (an attack on more than two exact candidates may stay below both); ``readings`` asks the inverse
question, what (epsilon, delta) alone says, what else the curve bounds (an attribute), and how much noise it takes,
``priors`` what kappa is, and ``published`` has paper 003's Fig. 1.

Against an attacker who does not know the record, gamma is ``relaxed.power(mechanism, prior)`` (paper 000 Sec. 7.1,
add-one order, not the worse of both). The two notions clash (correction 16): candidates are directions to test, and
the relaxed attacker has none. That number bounds attackers without candidates only.
"""

from numerics.reconstruction.priors import Normal, Prior, Uniform, largest_ball
from numerics.reconstruction.readings import (
    AttributeTarget,
    EpsilonDeltaBound,
    LargestGain,
    ReconstructionTarget,
    attribute_inference,
    from_epsilon_delta,
    largest_gain,
    largest_prior,
)
