"""What the view on trained models says and draws of models that were trained: costs, promises, levels, tables."""

from dataclasses import replace
from typing import Any

import pytest

from numerics.calibration import PowerTarget
from numerics.mechanisms import Sampling
from numerics.training import Strategy
from pages.frontier.trained import figures as trained_figures
from pages.frontier.trained import solve_for as trained_solve
from pages.frontier.trained import tables
from pages.frontier.trained import words as trained_words
from pages.frontier.trained.controls import Chosen, Measure, Reached, Utility, goals
from pages.frontier.trained.task import Swept
from plotting.theme import Figure
from tests.pages.frontier.trained_models import LEVELS, PLAN, ROWS, SWEPT, looked_at


def traces(figure: Figure) -> dict[str, Any]:
    return {str(trace["name"]): trace for trace in figure.data}


def without(strategy: Strategy) -> Swept:
    return replace(SWEPT, rows=tuple(row for row in ROWS if row.strategy is not strategy))


def test_the_cost_is_the_difference_of_means_in_points() -> None:
    said = trained_words.sentence(SWEPT, looked_at())
    assert "full-knowledge attacker costs **14 points** of accuracy" in said
    assert "if the attacker cannot know the record, **5**" in said
    assert "other records" not in said  # their level answers another question


def test_one_point_is_not_plural() -> None:
    assert "costs **9.0 points**" in trained_words.sentence(SWEPT, looked_at(LEVELS[1]))
    near = tuple(replace(row, accuracy=0.95) if row.strategy is Strategy.FULL else row for row in ROWS)
    assert "costs **1.0 point** of" in trained_words.sentence(Swept(PLAN, near, None), looked_at())


def test_levels_about_other_neighbours_and_batches_stand_apart() -> None:
    beside, apart = trained_words.beside(SWEPT), trained_words.apart(SWEPT)
    assert (beside, apart) == ([Strategy.FULL, Strategy.RECORD], [Strategy.OTHERS])
    said = trained_words.apart_sentence(SWEPT, Strategy.OTHERS, looked_at())
    assert "Other records unknown: protection costs **nothing**" in str(said)  # .05 points
    assert "Other records unknown" not in {metric.label for metric in trained_words.metrics(SWEPT, looked_at())}
    for figure in (trained_figures.cost(SWEPT, looked_at(), beside), trained_figures.reached(SWEPT, looked_at())):
        assert not [name for name in traces(figure) if "GMIP" in name]


def test_levels_of_the_same_batches_stand_beside_each_other() -> None:
    alike = tuple(replace(row, sampling=str(Sampling.FIXED_SIZE)) for row in ROWS)
    swept = Swept(PLAN, alike, None)
    assert trained_words.apart(swept) == []
    assert "if it cannot know the other records, **nothing**" in trained_words.sentence(swept, looked_at())
    assert trained_words.beside(Swept(PLAN, (), None)) == list(PLAN.notions)  # nothing is known yet


def test_levels_that_were_not_trained_are_not_spoken_of() -> None:
    assert trained_words.sentence(without(Strategy.FULL), looked_at()) == "This level has not been trained."
    assert "cannot know the record" not in trained_words.sentence(without(Strategy.RECORD), looked_at())


def test_metrics_are_means_and_tell_the_range() -> None:
    row = {metric.label: metric for metric in trained_words.metrics(SWEPT, looked_at())}
    assert row["Accuracy without protection"].value == "96.0 %"
    assert row["Full knowledge"].value == "82.0 %"
    assert "80.0 % to 84.0 %" in row["Full knowledge"].help
    assert "Poisson batches" in row["Record unknown"].help
    areas = trained_words.metrics(SWEPT, looked_at(utility=Utility.AUROC))
    assert areas[0].value == "97.0 %"


def test_the_table_puts_what_was_measured_beside_what_was_promised() -> None:
    table = trained_words.table(SWEPT, looked_at())
    assert table["attacker"][0] == "full knowledge (DP)"
    assert table["attacker"][-1] == "no protection"
    assert table["promised to its attacker"][0] == "found ≤ 0.0200 (certified)"
    assert table["promised to its attacker"][-1] == "nothing"
    assert table["measured: ε* at least"][0] == "0.005"  # the median of the runs
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
    cost = traces(trained_figures.cost(SWEPT, looked_at(), trained_words.beside(SWEPT)))
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
    }


@pytest.mark.parametrize("lowest", [0.2, 0.6, 0.97])
def test_no_tick_says_more_than_all(lowest: float) -> None:
    """The axis ends closer above 100 % than any tick could be."""
    rows = tuple(replace(row, accuracy=lowest) if row.strategy is Strategy.FULL else row for row in ROWS)
    figure = trained_figures.cost(Swept(PLAN, rows, None), looked_at(), PLAN.notions)
    bottom, top = figure.layout.yaxis.range
    assert bottom < lowest
    assert 1.0 < top < 1.0 + 0.05 * (top - bottom)


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (0.86, "at most 1,000 of 10,000 members found"),
        (0.81, "at most 200 of 10,000 members found"),
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
    text = tables.models_table(SWEPT)
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert len(lines) == 1 + len(ROWS)
    assert "strategy" in lines[0]


def test_the_runs_are_put_together_once() -> None:
    swept = Swept(PLAN, ROWS, 1.0)
    assert swept.cells is swept.cells
