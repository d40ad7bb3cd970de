"""The view on trained models: what it says of models that were trained, and which plan its controls make."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from numerics.calibration import AdvantageTarget, PowerTarget
from numerics.mechanisms import Sampling
from numerics.trade_off import Bound
from numerics.training import Plan, Strategy, Trained, default_recipe, mu_plan
from pages.weighing.trained import figures as trained_figures
from pages.weighing.trained import presets as trained_presets
from pages.weighing.trained import solve as trained_solve
from pages.weighing.trained import sweep
from pages.weighing.trained import taking as trained_taking
from pages.weighing.trained import words as trained_words
from pages.weighing.trained.plan import Chosen, Measure, Reached, Utility, goals
from pages.weighing.trained.sweep import BENCH, Sweep, Swept, found, seconds
from plotting.theme import Figure
from tests.page_visit import script_of, visited

SECONDS = 60  # the first run imports Plotly on a busy machine
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
        epsilon_star=0.1,
        epsilon_at_least=0.01 * seed,
        power_measured=0.02,
        power_at_least=0.005,
        noise_multiplier=0.0 if baseline or strategy is Strategy.OTHERS else 1.0 / (goal or 1.0),
        sampling=str(Sampling.POISSON),
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


def looked_at(goal: PowerTarget = LEVELS[0], utility: Utility = Utility.ACCURACY) -> Chosen:
    return Chosen(PLAN, Measure.FOUND, goal, utility, Reached.FOUND)


def traces(figure: Figure) -> dict[str, Any]:
    return {str(trace["name"]): trace for trace in figure.data}


def without(strategy: Strategy) -> Swept:
    return replace(SWEPT, rows=tuple(row for row in ROWS if row.strategy is not strategy))


def test_the_cost_is_the_difference_of_means_in_points() -> None:
    said = trained_words.sentence(SWEPT, looked_at())
    assert "full-knowledge attacker costs **14.0 points** of accuracy" in said
    assert "if the attacker cannot know the record, **5.0**" in said
    assert "if it cannot know the other records, **nothing**" in said  # .05 points: less than is shown


def test_one_point_is_not_plural() -> None:
    assert "costs **9.0 points**" in trained_words.sentence(SWEPT, looked_at(LEVELS[1]))
    near = tuple(replace(row, accuracy=0.95) if row.strategy is Strategy.FULL else row for row in ROWS)
    assert "costs **1.0 point** of" in trained_words.sentence(Swept(PLAN, near, None), looked_at())


def test_an_attacker_who_knows_less_may_cost_more_and_it_says_why() -> None:
    assert trained_words.more_noise(SWEPT, looked_at()) is None
    worse = tuple(replace(row, accuracy=0.7) if row.strategy is Strategy.OTHERS else row for row in ROWS)
    swept = Swept(PLAN, worse, None)
    assert "other records" not in trained_words.sentence(swept, looked_at())
    assert "26 points are lost" in str(trained_words.more_noise(swept, looked_at()))


def test_levels_that_were_not_trained_are_not_spoken_of() -> None:
    assert trained_words.sentence(without(Strategy.FULL), looked_at()) == "This level has not been trained."
    assert "cannot know the record" not in trained_words.sentence(without(Strategy.RECORD), looked_at())


def test_metrics_are_means_and_tell_the_range() -> None:
    row = {metric.label: metric for metric in trained_words.metrics(SWEPT, looked_at())}
    assert row["Accuracy without protection"].value == "96.0 %"
    assert row["Full knowledge"].value == "82.0 %"
    assert "80.0 % to 84.0 %" in row["Full knowledge"].help
    assert "No noise is needed" in row["Other records unknown"].help
    areas = trained_words.metrics(SWEPT, looked_at(utility=Utility.AUROC))
    assert areas[0].value == "97.0 %"


def test_the_table_puts_what_was_measured_beside_what_was_promised() -> None:
    table = trained_words.table(SWEPT, looked_at())
    assert table["attacker"][0] == "full knowledge (DP)"
    assert table["attacker"][-1] == "no protection"
    assert table["promised to its attacker"][0] == "found ≤ 0.0200 (certified)"
    assert table["promised to its attacker"][-1] == "nothing"
    assert table["measured: ε* at least"][0] == "0.00500"  # the median of the runs
    assert table["promised to anybody: ε at δ = 10⁻⁵"][-1] == "∞"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"power_at_least": 0.5, "guaranteed_power": 0.45}, "holds for everybody"),
        ({"power_at_least": 0.021, "guaranteed_power": 0.9}, "finds more than was promised"),
        ({}, None),
    ],
)
def test_a_promise_that_was_passed_is_said(change: dict[str, float], said: str | None) -> None:
    rows = tuple(replace(row, **change) if row.strategy is Strategy.RECORD else row for row in ROWS)  # type: ignore[arg-type]
    warning = trained_words.weakness(Swept(PLAN, rows, None), looked_at())
    assert warning is None if said is None else said in str(warning)


def test_weak_levels_are_called_weak() -> None:
    weak = replace(PLAN, goals=(PowerTarget(0.4, 0.01),))
    chosen = Chosen(weak, Measure.FOUND, weak.goals[0], Utility.ACCURACY, Reached.FOUND)
    assert "Weak protection" in str(trained_words.weakness(Swept(weak, (), None), chosen))


def test_the_figures_draw_the_means_with_their_range() -> None:
    cost = traces(trained_figures.cost(SWEPT, looked_at()))
    full = cost["full knowledge (DP) (certified)"]
    assert list(full["y"]) == pytest.approx([0.82, 0.87])
    assert list(full["error_y"]["array"]) == pytest.approx([0.02, 0.0], abs=1e-7)
    assert list(full["x"]) == pytest.approx([0.02, 0.1], rel=0.05)
    reached = traces(trained_figures.reached(SWEPT, looked_at()))
    shares = reached["full knowledge (DP) (audit)"]
    assert list(shares["y"]) == pytest.approx([0.02, 0.02])
    assert list(shares["error_y"]["arrayminus"]) == pytest.approx([0.015, 0.015])  # down to the lower limits
    assert list(reached["promised: at most"]["y"]) == pytest.approx([0.02, 0.1])
    assert {name for name in reached if "audit" in name} == {
        "full knowledge (DP) (audit)",
        "record unknown (RTM) (audit)",
        "other records unknown (GMIP) (audit)",
    }


@pytest.mark.parametrize("lowest", [0.2, 0.6, 0.97])
def test_no_tick_says_more_than_all(lowest: float) -> None:
    """The axis ends closer above 100 % than any tick could be."""
    rows = tuple(replace(row, accuracy=lowest) if row.strategy is Strategy.FULL else row for row in ROWS)
    figure = trained_figures.cost(Swept(PLAN, rows, None), looked_at())
    bottom, top = figure.layout.yaxis.range
    assert bottom < lowest
    assert 1.0 < top < 1.0 + 0.05 * (top - bottom)


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (0.86, "at most 100 of 1,000 members found"),
        (0.81, "at most 20 of 1,000 members found"),
        (0.99, "no level that was trained keeps it"),
    ],
)
def test_the_strictest_level_that_keeps_the_wanted_accuracy(wanted: float, said: str) -> None:
    assert said in trained_solve.said(SWEPT, looked_at(), Strategy.FULL, wanted)


def test_a_level_below_one_that_fails_does_not_count() -> None:
    """Where chance makes a stricter level better than a looser one, the looser one's failure still stands."""
    odd = tuple(
        replace(row, accuracy=0.9 if row.goal == LEVELS[0].goal else 0.5) if row.strategy is Strategy.FULL else row
        for row in ROWS
    )
    assert "no level" in trained_solve.said(Swept(PLAN, odd, None), looked_at(), Strategy.FULL, 0.8)


@pytest.mark.parametrize("measure", [Measure.FOUND, Measure.ADVANTAGE])
@pytest.mark.parametrize("alpha", [0.1, 0.01, 0.001])
def test_levels_ascend_and_differ(measure: Measure, alpha: float) -> None:
    values = [goal.goal for goal in goals(measure, alpha)]
    assert values == sorted(set(values))
    assert len(values) == 8
    if measure is Measure.FOUND:
        assert values[0] > alpha


def test_the_downloaded_table_has_every_model() -> None:
    text = trained_taking.table(SWEPT)
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert len(lines) == 1 + len(ROWS)
    assert "strategy" in lines[0]


def page(**query: str) -> AppTest:
    return visited(AppTest.from_string(script_of("pages/utility_frontier.py"), default_timeout=SECONDS), query)


def headline(app: AppTest) -> str:
    return next(str(block.value) for block in app.markdown if str(block.value).startswith("## "))


@pytest.mark.parametrize("data", ["digits", "breast cancer", "mnist"])
def test_what_is_shipped_shows_at_once(data: str) -> None:
    app = page(train_data=data)
    assert "Protecting against the full-knowledge attacker costs" in headline(app)
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
    assert app.session_state[BENCH.running_key].task.plan.seeds == 1


def test_a_recipe_that_does_not_fit_is_refused_in_words() -> None:
    app = page(train_data="breast cancer", train_breast_cancer_batch="5000")
    assert any("batch" in warning.value for warning in app.warning)


def test_cancelled_training_keeps_what_there_is() -> None:
    task = Sweep(replace(PLAN, notions=(Strategy.OTHERS,), seeds=1))
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
def test_a_figure_of_a_paper_makes_its_plan_and_shows_at_once(preset: trained_presets.Preset) -> None:
    app = page(train_data="mnist", train_model="one hidden layer")
    (button,) = (button for button in app.button if button.label == preset.name)
    button.click().run()
    assert not app.exception
    assert "Protecting against the full-knowledge attacker" in headline(app)
    swept = found(preset.plan)
    assert swept is not None
    shown = {metric.label.lower(): metric.value for metric in app.metric}
    free = swept.at(Strategy.NON_PRIVATE)
    assert free is not None
    assert shown["accuracy without protection"] == f"{100.0 * free.accuracy.mean:.1f} %"
    assert set(shown) == {"accuracy without protection", "commonest class", *map(str, preset.plan.notions)}


def test_the_snippet_trains_the_same_models(capsys: pytest.CaptureFixture[str]) -> None:
    recipe = replace(default_recipe("breast cancer"), epochs=2)
    plan = Plan(recipe, (PowerTarget(0.1, 0.01),), (Strategy.FULL,), seeds=1)
    chosen = Chosen(plan, Measure.FOUND, plan.goals[0], Utility.ACCURACY, Reached.FOUND)
    exec(trained_taking.snippet(chosen), {})
    printed = capsys.readouterr().out.splitlines()
    cells = Sweep(plan).result(list(Sweep(plan).start()), 1.0).cells
    assert printed == [
        f"{cell.strategy} {cell.goal} {cell.accuracy.mean} {cell.rows[0].noise_multiplier}" for cell in cells
    ]


@pytest.mark.parametrize("plan", [mu_plan(), replace(PLAN, goals=(AdvantageTarget(0.1),))], ids=["mu", "advantage"])
def test_the_snippet_names_every_kind_of_level(plan: Plan) -> None:
    chosen = Chosen(plan, Measure.MU, plan.goals[0], Utility.AUROC, Reached.FOUND)
    made: dict[str, Any] = {}
    exec(trained_taking.snippet(chosen).partition("for cell in")[0], made)
    assert made["plan"] == plan


def test_what_is_shipped_is_found_without_the_data_of_other_plans(monkeypatch: pytest.MonkeyPatch) -> None:
    def read() -> Plan:
        raise AssertionError("data that this plan has no use for were read")

    monkeypatch.setattr(sweep, "mu_plan", read)
    assert found(Plan(default_recipe("digits"))) is not None
    assert found(replace(PLAN, seeds=3)) is None


def test_the_runs_are_put_together_once() -> None:
    swept = Swept(PLAN, ROWS, 1.0)
    assert swept.cells is swept.cells
