"""The one place that names what is internal to ``numerics.epsilon_star``: its tests reach it through here."""

import numpy as np

from data.make_paper_001 import of_losses
from numerics.epsilon_star import LossScale, Method
from numerics.epsilon_star.aggregates import (
    LossBins,
    Moments,
    Summary,
    check_groups,
    confident,
    empirical,
    parametric,
    wanted_for_bound,
    wanted_for_counts,
)
from numerics.epsilon_star.confidence import (
    Ascending,
    CutPValues,
    Cuts,
    LowerBound,
    log_limits,
    lower_bound,
    p_values,
)
from numerics.epsilon_star.estimators import Caveat, over_instances
from numerics.epsilon_star.laws import Mixture, NormalLaw, normal_values
from numerics.epsilon_star.mixtures import (
    ComponentChoice,
    chosen_mixture,
    fit_mixture,
    goodness_of_fit,
    ks_p_value,
    thinned,
)
from numerics.epsilon_star.rates import LogRates, Term, counted_maxima
from numerics.epsilon_star.resampling import (
    PermutationNull,
    binned,
    bootstrap,
    estimates,
    shuffled,
)
from numerics.epsilon_star.scores import (
    binary_losses,
    binary_losses_from_logits,
    class_losses,
    class_losses_from_logits,
    smallest_told,
)
from numerics.epsilon_star.simulations import GammaLosses, NormalLosses
from numerics.epsilon_star.summary import summarise
from numerics.epsilon_star.verdict import (
    Reason,
    ScoreShape,
    Standing,
    critical_distance,
    distance,
    shape_of,
    tied_at_ends,
    verdict_of,
)
from numerics.trade_off import Floats

SHUFFLING = "numerics.epsilon_star.resampling"
"""Where the numbers of shuffles and of losses that are shuffled stand."""


def null_of(
    train: Floats, population: Floats, method: Method, clip: float | None, scale: LossScale | None, delta: float = 1e-5
) -> PermutationNull:
    """All that shuffled labels show."""
    return shuffled(train, population, delta, method, clip, scale)


def bound(train: Floats, population: Floats, delta: float = 1e-5, level: float = 0.95) -> LowerBound:
    return lower_bound(Ascending(np.sort(train)), Ascending(np.sort(population)), delta, level)


def bound_of_counts(values: Floats, train: Floats, population: Floats, delta: float = 1e-5) -> LowerBound:
    """Of losses of which it is known how often each value comes."""
    return lower_bound(Ascending(values, train), Ascending(values, population), delta)


def cut(named: int, named_size: int, rank: int, wronged_size: int) -> Cuts:
    """One threshold: so many of the named group beyond that loss of the other."""
    return Cuts(np.array([float(named)]), named_size, np.array([float(rank)]), wronged_size)


def ratio_of_rates(t: float, eta: float, delta: float) -> float:
    """Epsilon* of a single pair of error rates."""
    rates = LogRates(*(np.log(np.array([rate])) for rate in (t, 1 - t, eta, 1 - eta)))
    return max(0.0, *(float(ratio[0]) for ratio in rates.log_ratios(delta).values()))


def counted_ratios(train: Floats, population: Floats, delta: float, clip: float | None) -> dict[Term, float]:
    """The largest log ratio of each kind over all thresholds; both groups ascending."""
    maxima, _ = counted_maxima(train, population, delta, clip)
    return {maximum.term: maximum.log_ratio for maximum in maxima}
