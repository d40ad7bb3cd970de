"""Every number of epsilon* that has a source or a second method, and everything that is refused, from one table."""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from scipy import stats
from scipy.special import softmax

from losses import SAMPLES
from numerics import epsilon_star, trade_off
from numerics.epsilon_star import EpsilonStar, LossScale, Method, estimate
from numerics.trade_off import Floats
from tests.numerics.epsilon_star import inside, samples
from tests.numerics.epsilon_star.samples import MEMBERS, OUTSIDERS
from tests.tables import Table

PLAIN = estimate(-MEMBERS, -OUTSIDERS, 0.05, Method.PARAMETRIC, scale=LossScale.LOG_ODDS)
AT = inside.bound(-MEMBERS, -OUTSIDERS, 0.05)
NOISE = np.random.default_rng(6)
LOGITS, LABEL = NOISE.normal(0, 15, (2000, 5)), NOISE.integers(0, 5, 2000)
GROUPS = SAMPLES[0].groups()
OVERFITTED = epsilon_star.ascending(GROUPS.train), epsilon_star.ascending(GROUPS.population)
gamma, from_laws, student = cache(stats.gamma), cache(epsilon_star.from_laws), stats.t


def fit(train: Floats, population: Floats, scale: LossScale = LossScale.PRINTED) -> EpsilonStar:
    return estimate(train, population, 1e-5, Method.PARAMETRIC, scale=scale)


def saturated(log_odds: Floats, clip: float) -> Floats:
    """Losses of probabilities that are rounded to hundredths."""
    p = np.round(1.0 / (1.0 + np.exp(-log_odds)), 2)
    return np.asarray(np.log(np.maximum(1.0 - p, clip)) - np.log(np.maximum(p, clip)))


def maximum(found: EpsilonStar, term: inside.Term) -> Any:
    return next(each for each in found.maxima if each.term is term)


def normal_pair(one: tuple[float, float], other: tuple[float, float], delta: float) -> float:
    """The quick way for many pairs of normal laws, asked for one."""
    pairs = [(np.array([float(mean)]), np.array([float(sd)])) for mean, sd in (one, other)]
    return float(inside.normal_values(pairs[0], pairs[1], np.array([delta]), None)[0])


def worth(**changed: Any) -> EpsilonStar:
    """The estimate without a flaw, with another largest ratio or place."""
    first, *others = PLAIN.maxima
    return replace(PLAIN, maxima=(first._replace(**changed), *others))


def with_spreads(ratio: float) -> EpsilonStar:
    return replace(PLAIN, laws=(inside.NormalLaw(-3.0, 2.0 * ratio), inside.NormalLaw(-2.0, 2.0)))


def judged(found: EpsilonStar, shape: inside.ScoreShape | None, p_value: float | None, at: Any = AT) -> list[Any]:
    """Where it stands and why; nothing if nothing is held against it."""
    verdict = inside.verdict_of(found, at, shape, p_value)
    assert verdict.words.startswith("".join(verdict.reasons[:1]))
    return [] if verdict.standing is inside.Standing.PLAIN else [verdict.standing, *verdict.reasons]


def overfitted(scale: LossScale) -> list[Any]:
    """What the sample of an overfitted model is judged to show on this scale."""
    found = estimate(*OVERFITTED, None, Method.PARAMETRIC, scale=scale)
    assert found.transform is not None
    return judged(found, inside.shape_of(*OVERFITTED, found.transform), 0.005, inside.bound(*OVERFITTED, found.delta))


def apart(kind: type[np.floating[Any]]) -> Floats:
    """How far losses of probabilities in this number type are from those of their logits."""
    found = inside.class_losses(
        softmax(LOGITS, axis=1).astype(kind), LABEL, inside.smallest_told(float(np.finfo(kind).eps))
    )
    assert found.rows == 0
    return np.abs(found.losses - inside.class_losses_from_logits(LOGITS, LABEL))


def is_drawn(losses: Floats) -> bool:
    """Whether each loss is in the bin that is drawn, however near to an edge."""
    found = inside.summarise(losses, losses, epsilon_star.Transform(LossScale.LOG_ODDS, losses[0], losses[-1]))
    counts = np.histogram(losses, found.edges)[0]
    return np.array_equal(found.train.density, counts / (len(losses) * np.diff(found.edges)))


NAMES = {**vars(epsilon_star), **vars(inside), **vars(samples), **vars(trade_off), **globals()}


def test_table() -> None:
    Table(__file__, NAMES).check()
