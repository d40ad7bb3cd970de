"""How good models become while they are trained, and what is promised of those that there are until then.

What is promised after k steps is the guarantee of k steps with the same noise, sampling and neighbours, computed anew
for each k: not a share of the final one. It holds for somebody who sees every model up to there.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, NamedTuple

import numpy as np

from numerics.mechanisms import LARGEST_STEPS
from numerics.trade_off import Floats
from numerics.training.calibrated import Strategy, guarantee
from numerics.training.data_sets import data_set
from numerics.training.outcome import Usefulness, usefulness
from numerics.training.plans import Plan
from numerics.training.private_sgd import Protection, Recipe, along
from numerics.validation import Interval, Unknown, checked, value

POINTS = 12
"""Checkpoints of a training; an even number, so that half of it is one."""


@value(kw_only=True)
class Checkpoint:
    """All runs of one strategy and goal after some steps.

    Attributes:
        strategy: how they are protected.
        goal: the attack success that the whole training is to permit, in the plan's kind; NaN without protection.
        step: steps taken, from 1; the last is the final models'.
        guaranteed_epsilon: differential privacy of all steps until then, at the plan's delta: at most this.
        guaranteed_power: true positive rate of any attack on them at the plan's alpha: at most this.
        accuracy: of each run on held-out records, by seed.
        auroc: likewise.
    """

    strategy: Strategy
    goal: Unknown
    step: int
    guaranteed_epsilon: Unknown = np.inf
    guaranteed_power: Unknown = 1.0
    accuracy: tuple[Unknown, ...]
    auroc: tuple[Unknown, ...]


class Followed(NamedTuple):
    """Training that was watched: final weights (models, d), and what the models were good for at each checkpoint."""

    weights: Floats
    stages: tuple[Usefulness, ...]


@checked
def checkpoints(steps: Annotated[int, Interval(1, LARGEST_STEPS)]) -> tuple[int, ...]:
    """At most POINTS numbers of steps, evenly spaced and rounded up, of which ``steps`` is the last.

    Raises ValueError (TypeError for what is no whole number) where there is no step.
    """
    return tuple(sorted({-(-steps * part // POINTS) for part in range(1, POINTS + 1)}))


@checked
def follow(recipe: Recipe, protection: Protection, generators: Sequence[np.random.Generator]) -> Followed:
    """Train as ``private_sgd.train`` does, and look at the models at every checkpoint."""
    stages, found = [], data_set(recipe.data)
    for weights in along(recipe, protection, generators, checkpoints(recipe.steps)):
        stages.append(usefulness(recipe.model, weights, found))
    return Followed(weights, tuple(stages))


@checked
def path(
    plan: Plan, strategy: Strategy, goal: Unknown, protection: Protection, followed: Followed
) -> tuple[Checkpoint, ...]:
    """What was followed, with what differential privacy promises after each checkpoint's steps."""
    release, made = plan.recipe.release, []
    for step, useful in zip(checkpoints(release.steps), followed.stages, strict=True):
        until = replace(release, steps=step)
        promised = guarantee(protection.noise_multiplier, protection.sampling, until, plan.alpha, plan.delta)
        made.append(
            Checkpoint(
                strategy=strategy,
                goal=goal,
                step=step,
                guaranteed_epsilon=promised.epsilon,
                guaranteed_power=promised.power,
                accuracy=useful.accuracy,
                auroc=useful.auroc,
            )
        )
    return tuple(made)
