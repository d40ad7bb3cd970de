"""How likely is a record reconstructed? Reconstruction robustness (ReRo, paper 003).

The attacker has candidates for the record and guesses right with probability kappa (the prior) before the release, and
with probability gamma afterwards. ``mechanism.reconstruction(prior)`` is gamma, between its guarantee and what a test
of presence reaches (an attack on more than two exact candidates may stay below both); ``readings`` asks the inverse
question, what (epsilon, delta) alone says, what else the curve bounds (an attribute, a person singled out), and how
much noise it takes, ``priors`` what kappa is, and ``monte_carlo`` estimates gamma the way it was done first, for paper
003's Fig. 1 too.

Against an attacker who does not know the record, gamma is ``relaxed.power(mechanism, prior)`` (paper 000 Sec. 7.1,
add-one order, not the worse of both). The two notions clash (correction 16): candidates are directions to test, and
the relaxed attacker has none. That number bounds attackers without candidates only.
"""

from numerics.reconstruction.monte_carlo import (
    FEWEST_DRAWS,
    HayesEstimate,
    SampleChunk,
    hayes,
    hayes_estimate,
)
from numerics.reconstruction.priors import (
    Bits,
    Distance,
    Fixed,
    Normal,
    NormalVector,
    Prior,
    Uniform,
    UniformVector,
    largest_ball,
    largest_ball_of_vectors,
)
from numerics.reconstruction.readings import (
    AttributeTarget,
    EpsilonDeltaBound,
    LargestGain,
    ReconstructionTarget,
    SinglingOut,
    attribute_inference,
    from_epsilon_delta,
    largest_gain,
    largest_prior,
    singling_out,
)

__all__ = [
    "FEWEST_DRAWS",
    "AttributeTarget",
    "Bits",
    "Distance",
    "EpsilonDeltaBound",
    "Fixed",
    "HayesEstimate",
    "LargestGain",
    "Normal",
    "NormalVector",
    "Prior",
    "ReconstructionTarget",
    "SampleChunk",
    "SinglingOut",
    "Uniform",
    "UniformVector",
    "attribute_inference",
    "from_epsilon_delta",
    "hayes",
    "hayes_estimate",
    "largest_ball",
    "largest_ball_of_vectors",
    "largest_gain",
    "largest_prior",
    "singling_out",
]
