"""The view on trained models: what is shipped, what is trained on demand or left, and the snippet that repeats it."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from numerics.calibration import AdvantageTarget, PowerTarget
from numerics.mechanisms import Gaussian
from numerics.trade_off import Order
from numerics.training import Plan, Strategy, default_recipe, mu_plan
from pages.frontier import screen
from pages.frontier.limits import RailLimit
from pages.frontier.screen import Recommendation
from pages.frontier.trained import figures, formulas, solve_for
from pages.frontier.trained import presets as trained_presets
from pages.frontier.trained import task as sweep
from pages.frontier.trained import words as trained_words
from pages.frontier.trained.controls import Reached, TrainingChoice, Utility
from pages.frontier.trained.task import TrainingSweep, found, seconds
from pages.ui import memo
from pages.ui.memo import assumptions
from tests.html import Elements
from tests.pages.frontier.trained_models import LEVELS, PLAN, SWEPT, looked_at


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


def test_members_found_by_the_limit_of_the_sidebar_are_held_by_the_noise_they_were_trained_with() -> None:
    recipe = SWEPT.plan.recipe
    strict, loose = sorted(SWEPT.levels(Strategy.FULL), key=lambda cell: cell.goal)
    at_strict, at_loose = (
        Gaussian(cell.rows[0].noise_multiplier, recipe.sampling_rate, recipe.steps).power(1e-3, Order.ADD).upper
        for cell in (strict, loose)
    )
    assert 1.01 * at_strict < 0.99 * at_loose
    assert solve_for.loosest(SWEPT, RailLimit(1.01 * at_loose, 1e-3)) == loose.goal
    assert solve_for.loosest(SWEPT, RailLimit(0.99 * at_loose, 1e-3)) == strict.goal
    assert solve_for.loosest(SWEPT, RailLimit(0.99 * at_strict, 1e-3)) is None


@pytest.mark.parametrize("preset", trained_presets.PRESETS, ids=lambda preset: preset.name)
def test_a_figure_of_a_paper_has_its_models(preset: trained_presets.TrainingPreset) -> None:
    swept = found(preset.plan)
    assert swept is not None
    free = swept.at(Strategy.NON_PRIVATE)
    assert free is not None
    chosen = TrainingChoice(preset.plan, preset.plan.goals[0], Utility.ACCURACY, Reached.FOUND)
    table = trained_words.table(swept, chosen)
    rows = dict(zip(table["attacker"], table["accuracy (runs)"], strict=True))
    assert rows["no protection"].startswith(f"{100.0 * free.accuracy.mean:.1f} %")
    expected = {f"{strategy} ({trained_words.NOTATION[strategy]})" for strategy in swept.plan.notions}
    assert set(rows) == {"no protection", *expected, *(["majority class"] if swept.at(Strategy.MAJORITY) else [])}


@pytest.mark.parametrize("data", ["digits", "breast cancer", "mnist"])
def test_what_is_shipped_has_every_level(data: str) -> None:
    plan = Plan(default_recipe(data))
    swept = found(plan)
    assert swept is not None
    assert {row.goal for row in swept.rows if not np.isnan(row.goal)} == {goal.goal for goal in plan.goals}


def test_the_memo_says_the_answer_without_its_icons(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pages.ui.address.permalink", lambda **_: "https://privacy.example.org/frontier")
    answer = Recommendation("Choose noise **2**.", verdict=":green[:material/check_circle:] Limit met (certified).")
    said = screen.memo(answer, "a mean", assumptions(Gaussian(1.0)), "what is shown")
    text = Elements(memo.page(said, figures.cost(SWEPT, looked_at(), PLAN.notions))).text
    for words in ("Choose noise 2.", "Limit met (certified).", "a mean", "what is shown", "lacks this one record"):
        assert words in text
    assert "material" not in text
