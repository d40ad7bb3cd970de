"""What a sweep trains: the recipes that suit the data sets, and the levels of attack success to keep."""

from typing import Annotated

import numpy as np

from numerics.calibration import PowerTarget
from numerics.gaussian_membership.calibration import MembershipTarget as Goal
from numerics.gaussian_membership.calibration import MuTarget
from numerics.training.calibrated import NOTIONS, Strategy
from numerics.training.models import Softmax
from numerics.training.private_sgd import Recipe
from numerics.validation import Interval, OpenProbability, checked, value

LARGEST_GOALS, LARGEST_SEEDS = 40, 50
Seeds = Annotated[int, Interval(1, LARGEST_SEEDS)]
ALPHA, DELTA = 0.01, 1e-5
GOALS: tuple[Goal, ...] = tuple(PowerTarget(power, ALPHA) for power in (0.012, 0.015, 0.02, 0.03, 0.05, 0.1, 0.2, 0.4))
# Among the best of 48 to 108 recipes tried per data set, by accuracy on the held-out records summed over no protection
# and three levels of full-knowledge protection (true positive rates 0.015, 0.04, 0.2); of near ties a quick one.
_DEFAULTS: dict[str, tuple[float, int, int, float]] = {
    "digits": (0.5, 599, 60, 4.0),
    "breast cancer": (1.0, 189, 10, 2.0),
    "mnist": (0.5, 250, 15, 4.0),
}


@value
class Plan:
    """What is trained; hashable.

    Attributes:
        recipe: data, model and how it is trained.
        goals: largest acceptable attack success, levels of one kind.
        notions: the attackers, of NOTIONS.
        seeds: 0 ... seeds - 1 are the runs.
        alpha: false positive rate at which attacks on the trained models are stated, and guarantees.
        delta: delta of Epsilon* and of guarantees.

    Raises ValueError (TypeError for counts that are no whole numbers) at construction.
    """

    recipe: Recipe
    goals: tuple[Goal, ...] = GOALS
    notions: tuple[Strategy, ...] = NOTIONS
    seeds: Seeds = 5
    alpha: OpenProbability = ALPHA
    delta: OpenProbability = DELTA

    def __post_init__(self) -> None:
        Interval(1, LARGEST_GOALS).check("number of goals", len(self.goals))
        if len({type(goal) for goal in self.goals}) > 1:
            raise ValueError("goals must be of one kind: powers, advantages, or levels mu.")
        if not set(self.notions) <= set(NOTIONS) or len(set(self.notions)) < len(self.notions):
            raise ValueError(f"notions must be different ones of {', '.join(map(str, NOTIONS))}.")
        if isinstance(self.goals[0], MuTarget) and Strategy.RECORD in self.notions:
            raise ValueError("notions must not include 'record unknown' for levels mu: its curves are not normal ones.")


@checked
def default_recipe(data: str) -> Recipe:
    """Softmax regression with clip, batch, epochs and learning rate that suit ``data``, a name in DATA_SETS.

    Reads the data. Raises ValueError for another name.
    """
    if data not in _DEFAULTS:
        raise ValueError(f"data must be one of {', '.join(map(repr, _DEFAULTS))}, got {data!r}.")
    return Recipe(data, Softmax(), *_DEFAULTS[data])


@checked
def mu_plan(recipe: Recipe | None = None, seeds: Seeds = 5) -> Plan:
    """The set-up of paper 004 Fig. 3: twenty levels mu under full knowledge and where the other records are unknown.

    ``recipe`` is by default one with few weights for its batches: softmax regression of breast cancer, whose records
    hide each other from mu = 1.36 up.
    """
    levels = 0.4 * 125.0 ** (np.arange(20) / 19)
    recipe = recipe or Recipe("breast cancer", Softmax(), 1.0, 38, 10, 1.0)
    return Plan(recipe, tuple(MuTarget(float(mu)) for mu in levels), (Strategy.FULL, Strategy.OTHERS), seeds)
