"""Simulated losses of known laws, computed once and shared by all sessions: nobody's data are in them."""

from collections.abc import Mapping

from numerics.epsilon_star import simulations
from numerics.epsilon_star.simulations import Estimate, Pair, RatioCurve, Truth
from numerics.trade_off import Floats
from pages.server.shared_cache import shared_cache
from pages.server.turns import SLOW

_KEPT = 256


@shared_cache(_KEPT)
def truth(pair: Pair, delta: float) -> Truth:
    """Epsilon* of the laws, exact and cut."""
    return simulations.truth(pair, delta)


@shared_cache(_KEPT, SLOW)
def simulate(pair: Pair, size: int, delta: float) -> Mapping[Estimate, Floats]:
    """Every estimate in ten samples."""
    return simulations.simulate(pair, size, delta)


@shared_cache(_KEPT, SLOW)
def ratio_curves(pair: Pair, delta: float, size: int | None = None) -> tuple[RatioCurve, ...]:
    """The first two ratios over thresholds; of the laws, or counted."""
    return simulations.ratio_curves(pair, delta, size)
