"""The view on trained models: what is shipped, what is trained on demand or left, and the snippet that repeats it."""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from numerics.calibration import AdvantageTarget, PowerTarget
from numerics.mechanisms import Gaussian, Sampling
from numerics.trade_off import Bound, Order
from numerics.training import NOTIONS, Plan, Strategy, Trained, default_recipe, mu_plan
from pages.frontier import along_training, trained_answer
from pages.frontier import trained_formulas as formulas
from pages.frontier.limits import RailLimit
from pages.frontier.trained_answer import Reached, Swept, TrainingChoice, TrainingSweep, Utility, found

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
SWEPT = Swept(PLAN, ROWS, 1.0)


def looked_at(goal: PowerTarget = LEVELS[0], utility: Utility = Utility.ACCURACY) -> TrainingChoice:
    return TrainingChoice(PLAN, goal, utility, Reached.FOUND)


def chosen_of(plan: Plan, place: int = 0) -> TrainingChoice:
    return TrainingChoice(plan, plan.goals[place], Utility.ACCURACY, Reached.FOUND)


def test_training_on_the_page_follows_its_models_and_cancelled_keeps_what_there_is() -> None:
    whole = TrainingSweep(replace(PLAN, notions=(Strategy.FULL,), seeds=1, goals=LEVELS[:1]))
    swept = whole.result(list(whole.start()), 1.0)
    (cell,) = swept.levels(Strategy.FULL)
    assert swept.along(Strategy.FULL, LEVELS[0].goal)[-1].accuracy == (cell.rows[0].accuracy,)
    assert swept.along(Strategy.NON_PRIVATE)[-1].step == PLAN.recipe.steps
    cancelled, chunks = TrainingSweep(replace(PLAN, notions=(Strategy.OTHERS,), seeds=1)), []
    for chunk in cancelled.start():
        chunks.append(chunk)
        if len(chunk.trained) and chunk.trained[0].strategy is Strategy.OTHERS:
            break
    left = cancelled.result(chunks, 1.0)
    assert not left.finished
    assert left.at(Strategy.OTHERS, LEVELS[0].goal) is not None
    assert left.at(Strategy.OTHERS, LEVELS[1].goal) is None
    assert trained_answer.sentence(left, looked_at()) == "This level has not been trained."


def test_the_snippet_trains_the_same_models(capsys: pytest.CaptureFixture[str]) -> None:
    plan = Plan(replace(default_recipe("breast cancer"), epochs=2), LEVELS[1:], (Strategy.FULL,), seeds=1)
    exec(formulas.snippet(chosen_of(plan)), {})
    cells = TrainingSweep(plan).result(list(TrainingSweep(plan).start()), 1.0).cells
    assert capsys.readouterr().out.splitlines() == [
        f"{cell.strategy} {cell.goal} {cell.accuracy.mean} {cell.rows[0].noise_multiplier}" for cell in cells
    ]
    for other in (mu_plan(), replace(PLAN, goals=(AdvantageTarget(0.1),))):  # every kind of level
        made: dict[str, Any] = {}
        exec(formulas.snippet(chosen_of(other)).partition("for cell in")[0], made)
        assert made["plan"] == other


@pytest.mark.parametrize(
    ("data", "halves"), [("digits", "60 of 120"), ("breast cancer", "10 of 20"), ("mnist", "98 of 195")]
)
def test_what_is_shipped_has_every_level_its_measurements_and_its_sentences(
    data: str, halves: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A promise can be compared with what is measured only where both ends are known."""
    monkeypatch.setattr(trained_answer, "mu_plan", lambda: pytest.fail("data that this plan has no use for were read"))
    plan = Plan(default_recipe(data))
    swept = found(plan)
    assert swept is not None
    assert found(replace(plan, seeds=3)) is None
    assert {row.goal for row in swept.rows if not np.isnan(row.goal)} == {goal.goal for goal in plan.goals}
    for row in swept.rows:
        assert row.power_at_least <= row.power_measured <= row.power_at_most <= 1.0
    assert any(row.power_at_most < 0.1 for row in swept.rows)
    for notion in NOTIONS:
        said = along_training.sentence(swept, chosen_of(plan, 2), notion)
        assert "lets any attacker find at most" in said
        assert said.startswith(f"Half of the training ({halves} steps) already brings")
        assert along_training.figure(swept, chosen_of(plan, 2), notion).data


def test_members_found_by_the_limit_of_the_sidebar_are_held_by_the_noise_they_were_trained_with() -> None:
    recipe = SWEPT.plan.recipe
    strict, loose = sorted(SWEPT.levels(Strategy.FULL), key=lambda cell: cell.goal)
    at_strict, at_loose = (
        Gaussian(cell.rows[0].noise_multiplier, recipe.sampling_rate, recipe.steps).power(1e-3, Order.ADD).upper
        for cell in (strict, loose)
    )
    for limit, level in ((1.01 * at_loose, loose.goal), (0.99 * at_loose, strict.goal), (0.99 * at_strict, None)):
        assert trained_answer.loosest(SWEPT, RailLimit(limit, 1e-3)) == level
