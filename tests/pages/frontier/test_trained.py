"""The view on trained models: what is shipped, what is trained on demand or left, and the snippet that repeats it."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from numerics.calibration import AdvantageTarget, PowerTarget
from numerics.training import Plan, Strategy, default_recipe, mu_plan
from pages.frontier.trained import formulas
from pages.frontier.trained import presets as trained_presets
from pages.frontier.trained import task as sweep
from pages.frontier.trained import words as trained_words
from pages.frontier.trained.controls import Reached, TrainingChoice, Utility, title
from pages.frontier.trained.task import RUNNER, TrainingSweep, found, seconds
from tests.pages.frontier.trained_models import LEVELS, PLAN, looked_at
from tests.pages.frontier.trained_visit import page


def headline(app: AppTest) -> str:
    return next(str(block.value) for block in app.markdown if str(block.value).startswith("## "))


@pytest.mark.parametrize("data", ["digits", "breast cancer", "mnist"])
def test_what_is_shipped_shows_at_once(data: str) -> None:
    app = page(train_data=title(data))
    assert re.search(
        r"For at most 200 of 10,000 found, choose noise \*\*[\d.]+\*\*: accuracy \*\*[\d.]+ %\*\*", headline(app)
    )
    assert not [button for button in app.button if button.label == "Train"]
    plan = Plan(default_recipe(data))
    swept = found(plan)
    assert swept is not None
    assert {row.goal for row in swept.rows if not np.isnan(row.goal)} == {goal.goal for goal in plan.goals}


def test_another_recipe_is_trained_on_demand() -> None:
    app = page(train_data="breast cancer", train_seeds="1")
    assert headline(app) == "## Train these models, and the answer is here."
    (button,) = (button for button in app.button if button.label == "Train")
    button.click().run()
    assert not app.exception
    assert app.session_state[RUNNER.running_key].task.plan.seeds == 1


def test_a_recipe_that_does_not_fit_is_refused_in_words() -> None:
    app = page(train_data="breast cancer", train_breast_cancer_batch="5000")
    assert any("batch" in warning.value for warning in app.warning)


def test_cancelled_training_keeps_what_there_is() -> None:
    task = TrainingSweep(replace(PLAN, notions=(Strategy.OTHERS,), seeds=1))
    chunks = []
    for chunk in task.start():
        chunks.append(chunk)
        if len(chunk.trained) and chunk.trained[0].strategy is Strategy.OTHERS:
            break
    left = task.result(chunks, 1.0)
    assert not left.finished
    assert left.at(Strategy.OTHERS, LEVELS[0].goal) is not None
    assert left.at(Strategy.OTHERS, LEVELS[1].goal) is None
    assert trained_words.sentence(left, looked_at()) == "This level has not been trained."
    assert seconds(task.plan) > 0.0


@pytest.mark.parametrize("preset", trained_presets.PRESETS, ids=lambda preset: preset.name)
def test_a_figure_of_a_paper_makes_its_plan_and_shows_at_once(preset: trained_presets.TrainingPreset) -> None:
    app = page(train_data="MNIST", train_model="one hidden layer")
    (button,) = (button for button in app.button if button.label == preset.name)
    button.click().run()
    assert not app.exception
    assert re.search("^## For .*at most .*, choose noise", headline(app))
    swept = found(preset.plan)
    assert swept is not None
    (table,) = (frame.value for frame in app.dataframe)
    free = swept.at(Strategy.NON_PRIVATE)
    assert free is not None
    rows = dict(zip(table["attacker"], table["accuracy (runs)"], strict=True))
    assert rows["no protection"].startswith(f"{100.0 * free.accuracy.mean:.1f} %")
    expected = {f"{strategy} ({trained_words.NOTATION[strategy]})" for strategy in swept.plan.notions}
    assert set(rows) == {"no protection", *expected, *(["majority class"] if swept.at(Strategy.MAJORITY) else [])}


def test_the_snippet_trains_the_same_models(capsys: pytest.CaptureFixture[str]) -> None:
    recipe = replace(default_recipe("breast cancer"), epochs=2)
    plan = Plan(recipe, (PowerTarget(0.1, 0.01),), (Strategy.FULL,), seeds=1)
    chosen = TrainingChoice(plan, plan.goals[0], Utility.ACCURACY, Reached.FOUND)
    exec(formulas.snippet(chosen), {})
    printed = capsys.readouterr().out.splitlines()
    cells = TrainingSweep(plan).result(list(TrainingSweep(plan).start()), 1.0).cells
    assert printed == [
        f"{cell.strategy} {cell.goal} {cell.accuracy.mean} {cell.rows[0].noise_multiplier}" for cell in cells
    ]


@pytest.mark.parametrize("plan", [mu_plan(), replace(PLAN, goals=(AdvantageTarget(0.1),))], ids=["mu", "advantage"])
def test_the_snippet_names_every_kind_of_level(plan: Plan) -> None:
    chosen = TrainingChoice(plan, plan.goals[0], Utility.AUROC, Reached.FOUND)
    made: dict[str, Any] = {}
    exec(formulas.snippet(chosen).partition("for cell in")[0], made)
    assert made["plan"] == plan


def test_what_is_shipped_is_found_without_the_data_of_other_plans(monkeypatch: pytest.MonkeyPatch) -> None:
    def read() -> Plan:
        raise AssertionError("data that this plan has no use for were read")

    monkeypatch.setattr(sweep, "mu_plan", read)
    assert found(Plan(default_recipe("digits"))) is not None
    assert found(replace(PLAN, seeds=3)) is None


def test_members_found_are_measured_between_two_limits() -> None:
    """Of every shipped model: a promise can be compared with what is measured only where both ends are known."""
    for name in ("digits", "breast cancer", "mnist"):
        swept = found(Plan(default_recipe(name)))
        assert swept is not None
        for row in swept.rows:
            assert row.power_at_least <= row.power_measured <= row.power_at_most <= 1.0
        assert any(row.power_at_most < 0.1 for row in swept.rows)
