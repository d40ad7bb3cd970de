"""The one place where tests reach inside the engine: what is renamed there is renamed here, and nowhere else.

Names on this side are the field's. ``tests/numerics/privacy_loss`` says what each must be.
"""

from numerics.approximations.step_laws import cumulants
from numerics.mechanisms import Mechanism, SampledMechanism
from numerics.mechanisms.adaptive_choices import worst_choices
from numerics.mechanisms.discrete_gaussian import DiscreteGaussianNoise
from numerics.mechanisms.discrete_laplace import DiscreteLaplaceNoise
from numerics.mechanisms.folded_distance import FoldedDistance
from numerics.mechanisms.gaussian import FoldedNormal, GaussianNoise, GaussianShift
from numerics.mechanisms.laplace import LaplaceNoise, LaplaceShift
from numerics.mechanisms.logistic import FoldedLogistic, LogisticNoise, LogisticShift
from numerics.mechanisms.noise import sampled_loss, unsampled_loss
from numerics.mechanisms.normal_loss import NormalLoss
from numerics.mechanisms.sampled_once import SampledOnce
from numerics.privacy_loss import Precision, lattices
from numerics.privacy_loss.certify import certify, certify_number, forget
from numerics.privacy_loss.composition import Blocks, SumLayout, upper_tail
from numerics.privacy_loss.dominating_pairs import Atom
from numerics.privacy_loss.finite_pair import FinitePair
from numerics.privacy_loss.lattice import connect_the_dots, rounded
from numerics.privacy_loss.moments import epsilon_reach
from numerics.privacy_loss.questions import EpsilonAt
from numerics.privacy_loss.smooth_loss import Nodes
from numerics.privacy_loss.smooth_sum import _logs as log_characteristic
from numerics.privacy_loss.smooth_sum import smooth_sums
from numerics.privacy_loss.transform import WINDOW_TAIL, Masses, window
from numerics.privacy_loss.vertices import Half, capped, half, tangents
from numerics.privacy_loss.window_plan import Phases, plan, tilts
from numerics.relaxed.envelope import envelope
from numerics.relaxed.folded import FoldedOnce
from numerics.sampling.person import PersonPair
from numerics.sampling.poisson import SampledPair, sampled_pairs
from numerics.trade_off import Bracket, Floats, Order
from tests.secant import SecantNoise

# fmt: off
__all__ = [
    "WINDOW_TAIL", "Atom", "Blocks", "DiscreteGaussianNoise", "DiscreteLaplaceNoise", "FinitePair", "FoldedDistance",
    "FoldedLogistic", "FoldedNormal", "FoldedOnce", "GaussianNoise", "GaussianShift", "Half", "LaplaceNoise",
    "LaplaceShift", "LogisticNoise", "LogisticShift", "Masses", "Nodes", "NormalLoss", "PersonPair", "SampledOnce",
    "SampledPair", "SecantNoise", "SumLayout", "capped", "connect_the_dots", "envelope", "epsilon_at", "epsilon_reach",
    "forget", "half", "lattices", "log_characteristic", "plan", "product", "rounded", "sampled_loss", "smooth_sums",
    "step_cumulants", "tangents", "tilts", "unsampled_loss", "upper_tail", "window", "worst_choices",
]
# fmt: on


def step_cumulants(release: SampledMechanism) -> tuple[Floats, Floats]:
    """Cumulants (6,) of one Poisson step's log likelihood ratio, without the record and with it."""
    law = cumulants(sampled_pairs(release.pairs)[0][0])
    return law.null, law.alternative


def epsilon_at(phases: Phases, delta: float, width: float) -> Bracket:
    """Epsilon by the engine alone, without any closed form."""
    return certify_number(phases, EpsilonAt(delta), width)


def product(release: Mechanism, alpha: float, order: Order = Order.ADD) -> Bracket:
    """Power for the composition of the release's own steps, whatever is known of choices that depend on each other."""
    return certify(release.pairs, Precision()).power(alpha, order)
