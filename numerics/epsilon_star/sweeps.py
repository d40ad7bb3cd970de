"""Epsilon* over many deltas, and over several models of one mechanism."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import logsumexp

from numerics.epsilon_star.confidence import LEVEL, Ascending, Level, lower_bound
from numerics.epsilon_star.error_ratios import Clip
from numerics.epsilon_star.estimators import estimate, from_laws
from numerics.epsilon_star.loss_scores import LossScale, ascending
from numerics.epsilon_star.mixtures import ComponentChoice
from numerics.epsilon_star.normal_ratios import normal_values
from numerics.epsilon_star.result import Method
from numerics.trade_off import Floats
from numerics.validation import PositiveCount, Unknown, checked


@checked
def over_deltas(
    train_losses: Floats,
    population_losses: Floats,
    deltas: Floats,
    method: Method = Method.CONFIDENCE,
    clip: Clip | None = None,
    level: Level = LEVEL,
    components: PositiveCount | ComponentChoice = ComponentChoice.BIC,
    scale: LossScale | None = None,
) -> Floats:
    """Epsilon* (k,) at each of ``deltas`` (k,); the losses are sorted and the laws fitted once. See ``estimate``.

    Confidence bounds hold at ``level`` for each delta by itself: choose the delta to report before looking.
    """
    train, population = ascending(train_losses), ascending(population_losses)
    first = estimate(train, population, float(deltas[0]), method, clip, level, components, scale)
    if method is Method.CONFIDENCE:
        groups = Ascending(train), Ascending(population)
        return np.array([lower_bound(*groups, float(delta), level).value for delta in deltas])
    if first.laws is None:
        return np.array([estimate(train, population, float(delta), method, clip).value for delta in deltas])
    if method is Method.MIXTURE:
        return np.array([from_laws(*first.laws, float(delta), clip).value for delta in deltas])
    fits = [(np.full(len(deltas), law.mean), np.full(len(deltas), law.sd)) for law in first.laws]
    return normal_values(fits[0], fits[1], np.asarray(deltas, dtype=float), clip)


@dataclass(frozen=True)
@checked
class Instances:
    """Epsilon* of several models trained by one mechanism.

    Attributes:
        least: smallest.
        mean: arithmetic mean.
        most: largest.
        log_mean_exp: log of the mean of e^epsilon*; with enough models the mechanism's own value, whose models are
            attacked at once, is at most this (paper 001 Theorem 2). With few models a sample's mean, no bound.
    """

    least: float
    mean: float
    most: float
    log_mean_exp: float


@checked
def over_instances(values: Sequence[Unknown]) -> Instances:
    """Summarise epsilon* of several models, all at one delta.

    Raises ValueError for no value, a negative one, or NaN.
    """
    every = np.array(values, dtype=float)
    if not len(every) or not np.all(every >= 0.0):
        raise ValueError(f"values must be one or more numbers that are not negative, got {list(values)!r}.")
    mean = float(logsumexp(every) - np.log(len(every)))
    return Instances(float(every.min()), float(every.mean()), float(every.max()), mean)
