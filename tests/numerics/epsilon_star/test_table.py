"""Every number of epsilon* that has a source, and everything that is refused, from one table."""

from collections import deque
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats

from numerics import epsilon_star
from numerics.epsilon_star import EpsilonStar, LossScale, Method, Transform, estimate
from numerics.trade_off import Floats
from tests.numerics.asked import checks_of
from tests.numerics.epsilon_star import inside
from tests.numerics.epsilon_star.samples import MEMBERS, OUTSIDERS, in_bins, summary


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


PLAIN = estimate(-MEMBERS, -OUTSIDERS, 0.05, Method.PARAMETRIC, scale=LossScale.LOG_ODDS)
AT = inside.bound(-MEMBERS, -OUTSIDERS, 0.05)


def worth(**peak: Any) -> EpsilonStar:
    """The estimate without a flaw, with another largest ratio or place."""
    first, *others = PLAIN.peaks
    return replace(PLAIN, peaks=(first._replace(**peak), *others))


def with_spreads(ratio: float) -> EpsilonStar:
    return replace(PLAIN, laws=(inside.NormalLaw(-3.0, 2.0 * ratio), inside.NormalLaw(-2.0, 2.0)))


def judged(found: EpsilonStar, shape: inside.ScoreShape, p_value: float | None) -> list[Any]:
    """Where it stands and why; nothing if nothing is held against it."""
    verdict = inside.verdict_of(found, AT, shape, p_value)
    assert verdict.words == "".join(verdict.reasons)
    return [] if verdict.standing is inside.Standing.PLAIN else [verdict.standing, *verdict.reasons]


RNG, NOISE = np.random.default_rng(6), np.random.default_rng(6)
NAMES = {
    "PLAIN": PLAIN,
    "AT": AT,
    "NORMAL": inside.ScoreShape(True, 0.0, 0.0),
    "ODD": inside.ScoreShape(False, 0.0, 0.0),
    "worth": worth,
    "with_spreads": with_spreads,
    "judged": judged,
    "replace": replace,
    "summary": summary,
    "APART": (np.linspace(0.0, 1.0, 50), np.linspace(2.0, 3.0, 40)),
    "NOISE": NOISE,
    "UNEQUAL": (RNG.normal(0, 1, 1000), RNG.normal(1, 1.5, 1000)),
    "ONE_BIN": summary(np.linspace(0.0, 1.0, 100), np.linspace(0.0, 1.0, 100) ** 2, np.empty(0)),
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
