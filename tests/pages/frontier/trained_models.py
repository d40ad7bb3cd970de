"""A plan whose models need no training: what each of them reached is made up, and known."""

import numpy as np

from numerics.calibration import PowerTarget
from numerics.mechanisms import Sampling
from numerics.trade_off import Bound
from numerics.training import Plan, Strategy, Trained, default_recipe
from pages.frontier.trained.controls import Reached, TrainingChoice, Utility
from pages.frontier.trained.task import Swept

LEVELS = (PowerTarget(0.02, 0.01), PowerTarget(0.1, 0.01))
PLAN = Plan(default_recipe("breast cancer"), LEVELS, seeds=2)
ACCURACIES: dict[Strategy, dict[float | None, tuple[float, float]]] = {
    Strategy.NON_PRIVATE: {None: (0.95, 0.97)},
    Strategy.MAJORITY: {None: (0.6, 0.6)},
    Strategy.FULL: {0.02: (0.80, 0.84), 0.1: (0.87, 0.87)},
    Strategy.RECORD: {0.02: (0.90, 0.92), 0.1: (0.94, 0.95)},
    Strategy.OTHERS: {0.02: (0.959, 0.96), 0.1: (0.96, 0.96)},
}


def model(strategy: Strategy, goal: float | None, seed: int, accuracy: float) -> Trained:
    baseline = goal is None
    return Trained(
        strategy=strategy,
        goal=np.nan if goal is None else goal,
        seed=seed,
        accuracy=accuracy,
        auroc=accuracy + 0.01,
        epsilon_star_estimate_as_printed=0.1,
        epsilon_at_least=0.01 * seed,
        power_measured=0.02,
        power_at_least=0.005,
        power_at_most=0.04,
        noise_multiplier=0.0 if baseline or strategy is Strategy.OTHERS else 1.0 / (goal or 1.0),
        sampling=str(Sampling.FIXED_SIZE if strategy is Strategy.OTHERS else Sampling.POISSON),
        bound="" if baseline else str(Bound.CERTIFIED if strategy is Strategy.FULL else Bound.ESTIMATE),
        promised=np.nan if goal is None else goal,
        guaranteed_epsilon=np.inf if baseline else 1.0,
        guaranteed_power=1.0 if goal is None else goal,
    )


ROWS = tuple(
    model(strategy, goal, seed, accuracy)
    for strategy, levels in ACCURACIES.items()
    for goal, accuracies in levels.items()
    for seed, accuracy in enumerate(accuracies)
)
SWEPT = Swept(PLAN, ROWS, 1.0)


def looked_at(goal: PowerTarget = LEVELS[0], utility: Utility = Utility.ACCURACY) -> TrainingChoice:
    return TrainingChoice(PLAN, goal, utility, Reached.FOUND)
