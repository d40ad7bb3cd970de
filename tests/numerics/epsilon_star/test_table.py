"""Every number of epsilon* that has a source, and everything that is refused, from one table."""

from collections import deque
from pathlib import Path

import numpy as np
from scipy import stats

from numerics import epsilon_star
from numerics.epsilon_star import EpsilonStar, LossScale, Method, Transform, estimate
from numerics.trade_off import Floats
from tests.numerics.asked import checks_of
from tests.numerics.epsilon_star import inside
from tests.numerics.epsilon_star.samples import MEMBERS, OUTSIDERS, in_bins


def fit(train: Floats, population: Floats, scale: LossScale = LossScale.PRINTED) -> EpsilonStar:
    return estimate(train, population, 1e-5, Method.PARAMETRIC, scale=scale)


def saturated(log_odds: Floats, clip: float) -> Floats:
    """Losses of probabilities that are rounded to hundredths."""
    p = np.round(1.0 / (1.0 + np.exp(-log_odds)), 2)
    return np.asarray(np.log(np.maximum(1.0 - p, clip)) - np.log(np.maximum(p, clip)))


def null_of(train: Floats, population: Floats) -> inside.Null:
    return deque(inside.shuffled(train, population, 1e-5, Method.PARAMETRIC, None, LossScale.LOG_ODDS, 1), 1).pop()


def normal_values(one: tuple[float, float], other: tuple[float, float], delta: float) -> Floats:
    """The quick way for many pairs of normal laws, asked for one."""
    pairs = [(np.array([float(mean)]), np.array([float(sd)])) for mean, sd in (one, other)]
    return inside.normal_values(pairs[0], pairs[1], np.array([delta]), None)


NAMES = {
    **{name: getattr(epsilon_star, name) for name in epsilon_star.__all__},
    **vars(inside),
    "gamma": stats.gamma,
    "student": stats.t,
    "peak": lambda found, term: next(peak for peak in found.peaks if peak.term is term),
    "over": lambda found: float(found[0]),
    "normal_values": normal_values,
    "fit": fit,
    "null_of": null_of,
    "in_bins": in_bins,
    "saturated": saturated,
    "cross_entropy": lambda log_odds: np.logaddexp(0.0, -log_odds),
    "MEMBERS": MEMBERS,
    "OUTSIDERS": OUTSIDERS,
    "GOOD": np.linspace(0.0, 1.0, 100),
    "BINS": inside.LossBins.of(np.array([0.0, 1.0]), np.array([0.5, 2.0]), np.ones(2), np.ones(2)),
    "Transform": Transform,
}

test_references, test_negatives, test_values, test_refusals = checks_of(Path(__file__).with_name("table.toml"), NAMES)
