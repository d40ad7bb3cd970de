"""The view on trained models: what is shipped, the level that keeps a limit, and the snippet that repeats it."""

from functools import partial
from typing import Any

import numpy as np
import pytest

from numerics.calibration import PowerTarget
from numerics.mechanisms import Gaussian, Sampling
from numerics.trade_off import Bound, Order
from numerics.training import DATA_SETS, Plan, Strategy, Trained, default_recipe, run, summary
from pages.frontier.limit import Limit
from pages.frontier.trained import snippet
from pages.frontier.trained_answer import Swept, TrainingChoice, swept

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
    made: Any = partial(Trained, strategy=strategy, seed=seed, accuracy=accuracy, auroc=accuracy + 0.01)
    made = partial(made, power_measured=0.02, power_at_least=0.005, power_at_most=0.04, epsilon_at_least=0.01 * seed)
    kind = Bound.CERTIFIED if strategy is Strategy.FULL else Bound.ESTIMATE
    if goal is not None:
        made = partial(made, goal=goal, promised=goal, guaranteed_epsilon=1.0, guaranteed_power=goal, bound=str(kind))
    sampling = Sampling.FIXED_SIZE if strategy is Strategy.OTHERS else Sampling.POISSON
    noise = 0.0 if goal is None or strategy is Strategy.OTHERS else 1.0 / goal
    found: Trained = made(noise_multiplier=noise, sampling=str(sampling), epsilon_star_estimate_as_printed=0.1)
    return found


ROWS = tuple(
    model(strategy, goal, seed, accuracy)
    for strategy, levels in ACCURACIES.items()
    for goal, accuracies in levels.items()
    for seed, accuracy in enumerate(accuracies)
)
SWEPT = Swept(PLAN, ROWS)


def test_the_snippet_trains_the_same_models(capsys: pytest.CaptureFixture[str]) -> None:
    plan = Plan(default_recipe("breast cancer"), LEVELS[1:], (Strategy.FULL,), seeds=1)
    exec(snippet(plan), {})
    assert capsys.readouterr().out.splitlines() == [
        f"{cell.strategy} {cell.goal} {cell.accuracy.mean} {cell.rows[0].noise_multiplier}"
        for cell in summary(row for step in run(plan) for row in step.trained)
    ]


@pytest.mark.parametrize("data", DATA_SETS)
def test_what_is_shipped_has_every_level_and_the_noise_chosen_keeps_the_limit_at_its_own_rate(data: str) -> None:
    """A promise can be compared with what is measured only where both ends are known."""
    found = swept(data)
    plan, levels = found.plan, [goal.goal for goal in found.plan.goals]
    assert {row.goal for row in found.rows if not np.isnan(row.goal)} == set(levels)
    for row in found.rows:
        assert row.power_at_least <= row.power_measured <= row.power_at_most <= 1.0
    assert any(row.power_at_most < 0.1 for row in found.rows)
    noise = {cell.goal: cell.rows[0].noise_multiplier for cell in found.levels(Strategy.FULL)}
    rate, steps = plan.recipe.sampling_rate, plan.recipe.steps
    for alpha in (1e-3, 0.05):
        powers = [Gaussian(noise[level], rate, steps).power(alpha, Order.ADD).upper for level in levels]
        for limit in (*(power * share for power in powers[2:4] for share in (0.999, 1.001)), 0.999 * powers[0]):
            chosen = TrainingChoice(found, Limit(limit, alpha))
            kept = [power <= limit and level <= chosen.most for power, level in zip(powers, levels, strict=True)]
            assert chosen.level == (levels[kept.index(False) - 1] if any(kept) else None)
