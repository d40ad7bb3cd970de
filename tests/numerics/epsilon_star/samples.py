"""Losses that several tests of epsilon* ask about."""

import numpy as np
from scipy import stats

from numerics.epsilon_star import LossScale, Method, Transform
from numerics.trade_off import Floats
from tests.numerics.epsilon_star.inside import LossBins, Moments, Summary, binned, bootstrap, estimates

QUANTILES = stats.norm.ppf((np.arange(1, 1001) - 0.5) / 1000)
MEMBERS, OUTSIDERS = 3.0 + 2.0 * QUANTILES, 2.0 + 2.0 * QUANTILES
"""Log odds of right answers, those of the reference values."""


def gammas(n: int, shape: float = 3.0, seed: int = 0) -> tuple[Floats, Floats]:
    """Losses of a Gamma(2) law and of one of another shape, ascending."""
    rng = np.random.default_rng(seed)
    return np.sort(rng.gamma(2, 5, n)), np.sort(rng.gamma(shape, 5, n))


def printed(train: Floats, population: Floats) -> Transform:
    """The paper's scale for these losses."""
    both = np.concatenate([train, population])
    return Transform(LossScale.PRINTED, float(both.min()), float(both.max()))


def value_in_bins(groups: tuple[Floats, Floats], method: Method, delta: float, clip: float | None) -> float:
    """The estimate itself, from the bins that are resampled."""
    counts, moments = binned((np.sort(groups[0]), np.sort(groups[1])), printed(*groups))
    ends = np.arange(len(counts[0]))
    return float(estimates((counts[0][None], counts[1][None]), moments, ends, method, delta, clip)[0])


def resampled(groups: tuple[Floats, Floats], method: Method, clip: float | None, replicates: int = 50) -> Floats:
    return bootstrap(*groups, printed(*groups), method, 1e-5, clip, replicates)


def counted_between(train: Floats, population: Floats, edges: Floats) -> LossBins:
    """Losses counted between the edges, as a database would."""
    number = [np.searchsorted(edges, losses) for losses in (train, population)]
    losses, place = np.concatenate([train, population]), np.concatenate(number)
    bins = np.unique(place)
    lowest, highest = (np.array([choose(losses[place == one]) for one in bins]) for choose in (np.min, np.max))
    members, outsiders = (np.array([float(np.sum(own == one)) for one in bins]) for own in number)
    return LossBins.of(lowest, highest, members, outsiders)


def summary(train: Floats, population: Floats, edges: Floats) -> Summary:
    """All that is known of losses of which only bins and moments are."""
    transform = printed(train, population)
    moments = [
        Moments(len(own), float(own.min()), float(own.max()), float(score.mean()), float(score.var()))
        for own in (train, population)
        for score in [transform.scores(own)]
    ]
    return Summary(moments[0], moments[1], counted_between(train, population, edges), LossScale.PRINTED)
