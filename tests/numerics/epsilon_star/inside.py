"""The one place that names what is internal to ``numerics.epsilon_star``: its tests reach it through here."""

from collections import deque

import numpy as np

from numerics.epsilon_star import LossScale, Method
from numerics.epsilon_star.audit_caveats import Caveat
from numerics.epsilon_star.confidence import Ascending, Counted, LowerBound, lower_bound
from numerics.epsilon_star.counted_rates import counted_peaks
from numerics.epsilon_star.error_ratios import LogRates, NormalLaw, Term
from numerics.epsilon_star.from_aggregates import Moments, Summary, check_groups, confident, empirical, parametric
from numerics.epsilon_star.loss_bins import LossBins, wanted_for_bound, wanted_for_counts
from numerics.epsilon_star.loss_summary import summarise
from numerics.epsilon_star.mechanism_level import of_laws, of_losses
from numerics.epsilon_star.mixtures import (
    ComponentChoice,
    Mixture,
    chosen_mixture,
    fit_mixture,
    goodness_of_fit,
    ks_p_value,
    thinned,
)
from numerics.epsilon_star.normal_ratios import normal_values
from numerics.epsilon_star.permutation import SHUFFLES_OF_MIXTURES, Null, shuffled
from numerics.epsilon_star.predictions import (
    binary_losses,
    binary_losses_from_logits,
    class_losses,
    class_losses_from_logits,
    smallest_told,
)
from numerics.epsilon_star.ratio_limits import Cuts, log_limits, p_values
from numerics.epsilon_star.resampling import BinnedLosses, binned, bootstrap
from numerics.epsilon_star.simulations import GammaLosses, NormalLosses
from numerics.epsilon_star.sweeps import over_deltas, over_instances
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

SHUFFLING = "numerics.epsilon_star.permutation"
"""Where the numbers of shuffles and of losses that are shuffled stand."""


def null_of(
    train: Floats, population: Floats, method: Method, clip: float | None, scale: LossScale | None, delta: float = 1e-5
) -> Null:
    """All that shuffled labels show."""
    return deque(shuffled(train, population, delta, method, clip, scale, 1), 1).pop()


def bound(train: Floats, population: Floats, delta: float = 1e-5, level: float = 0.95) -> LowerBound:
    return lower_bound(Ascending(np.sort(train)), Ascending(np.sort(population)), delta, level)


def bound_of_counts(values: Floats, train: Floats, population: Floats, delta: float = 1e-5) -> LowerBound:
    """Of losses of which it is known how often each value comes."""
    return lower_bound(Counted(values, train), Counted(values, population), delta)


def cut(named: int, named_size: int, rank: int, wronged_size: int) -> Cuts:
    """One threshold: so many of the named group beyond that loss of the other."""
    return Cuts(np.array([float(named)]), named_size, np.array([float(rank)]), wronged_size)


def ratio_of_rates(t: float, eta: float, delta: float) -> float:
    """Epsilon* of a single pair of error rates."""
    rates = LogRates(*(np.log(np.array([rate])) for rate in (t, 1 - t, eta, 1 - eta)))
    return max(0.0, *(float(ratio[0]) for ratio in rates.log_ratios(delta).values()))


def counted_ratios(train: Floats, population: Floats, delta: float, clip: float | None) -> dict[Term, float]:
    """The largest log ratio of each kind over all thresholds; both groups ascending."""
    peaks, _ = counted_peaks(train, population, delta, clip)
    return {peak.term: peak.log_ratio for peak in peaks}
