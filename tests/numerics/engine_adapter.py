"""The one place where tests reach inside the engine: what is renamed there is renamed here, and nowhere else."""

from numerics.approximations.expansions import cumulants
from numerics.mechanisms import Mechanism, SampledMechanism
from numerics.privacy_loss import Precision, refinement
from numerics.privacy_loss.certify import certify, certify_number, forget
from numerics.privacy_loss.pairs import ComposedPairs
from numerics.privacy_loss.questions import EpsilonAt, epsilon_reach
from numerics.sampling.poisson import sampled_pairs
from numerics.trade_off import Bracket, Floats, Order

__all__ = ["epsilon_at", "epsilon_reach", "forget", "product", "refinement", "step_cumulants"]


def step_cumulants(release: SampledMechanism) -> tuple[Floats, Floats]:
    """Cumulants (6,) of one Poisson step's log likelihood ratio, without the record and with it."""
    law = cumulants(sampled_pairs(release.pairs)[0][0])
    return law.null, law.alternative


def epsilon_at(phases: ComposedPairs, delta: float, width: float) -> Bracket:
    """Epsilon by the engine alone, without any closed form."""
    return certify_number(phases, EpsilonAt(delta), width)


def product(release: Mechanism, alpha: float, order: Order = Order.ADD) -> Bracket:
    """Power for the composition of the release's own steps, whatever is known of choices that depend on each other."""
    return certify(release.pairs, Precision()).power(alpha, order)
