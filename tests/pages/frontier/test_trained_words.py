"""What the view on trained models says and draws of models that were trained: costs, promises, levels, tables."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from numerics.calibration import PowerTarget
from numerics.mechanisms import Sampling
from numerics.training import Strategy
from pages.frontier.limits import LimitOn
from pages.frontier.trained import figures as trained_figures
from pages.frontier.trained import solve_for as trained_solve
from pages.frontier.trained import view
from pages.frontier.trained import words as trained_words
from pages.frontier.trained.controls import Reached, TrainingChoice, Utility
from pages.frontier.trained.levels import goals
from pages.frontier.trained.task import Swept
from plotting.theme import Figure
from tests.pages.frontier.trained_models import LEVELS, PLAN, ROWS, SWEPT, looked_at


def traces(figure: Figure) -> dict[str, Any]:
    return {str(trace["name"]): trace for trace in figure.data}


def without(strategy: Strategy) -> Swept:
    return replace(SWEPT, rows=tuple(row for row in ROWS if row.strategy is not strategy))


def test_the_noise_to_choose_comes_first_then_its_cost_the_difference_of_means_in_points() -> None:
    assert trained_words.sentence(SWEPT, looked_at()) == (
        "For at most 200 of 10,000 found, choose noise **50**: accuracy **82.0 %**, **14 points less** than without "
        "protection."
    )
    verdict = trained_words.verdict(SWEPT, looked_at())
    assert "Certified, while falsely accusing 100." in verdict
    assert "Record unknown: noise **50**, 5 points less (estimate)." in verdict
    assert "Other records" not in verdict  # their level answers another question


def test_the_noise_to_choose_is_rounded_up() -> None:
    odd = tuple(replace(row, noise_multiplier=20.1426) if row.strategy is Strategy.FULL else row for row in ROWS)
    assert "choose noise **20.2**" in trained_words.sentence(Swept(PLAN, odd, None), looked_at())


def test_one_point_is_not_plural_and_none_is_no_less() -> None:
    assert "**9 points less**" in trained_words.sentence(SWEPT, looked_at(LEVELS[1]))
    for accuracy, said in ((0.95, "**1.0 point less**"), (0.96, "**no less**"), (0.98, "**2.0 points more**")):
        near = tuple(replace(row, accuracy=accuracy) if row.strategy is Strategy.FULL else row for row in ROWS)
        assert said in trained_words.sentence(Swept(PLAN, near, None), looked_at())


def test_a_weaker_attacker_that_costs_more_says_why_at_once() -> None:
    assert trained_words.reason(SWEPT, looked_at()) == ""
    dear = {Strategy.OTHERS: 0.7, Strategy.RECORD: 0.8}
    rows = tuple(replace(row, accuracy=dear.get(row.strategy, row.accuracy)) for row in ROWS)
    said = trained_words.answer(Swept(PLAN, rows, None), looked_at()).reason
    assert "Record unknown: 16 points less, by chance: its noise is no larger." in said
    assert "Other records" not in said  # they stand apart, below, with their own reason
    assert "*replaced* record, which moves sums twice as far" in trained_words.APART


def test_levels_about_other_neighbours_and_batches_stand_apart() -> None:
    beside, apart = trained_words.beside(SWEPT), trained_words.apart(SWEPT)
    assert (beside, apart) == ([Strategy.FULL, Strategy.RECORD], [Strategy.OTHERS])
    said = trained_words.apart_sentence(SWEPT, Strategy.OTHERS, looked_at())
    assert "Other records unknown: protection costs **nothing**" in str(said)  # .05 points
    for figure in (trained_figures.cost(SWEPT, looked_at(), beside), trained_figures.reached(SWEPT, looked_at())):
        assert not [name for name in traces(figure) if "other records" in name]


def test_levels_of_the_same_batches_stand_beside_each_other() -> None:
    alike = tuple(replace(row, sampling=str(Sampling.FIXED_SIZE)) for row in ROWS)
    swept = Swept(PLAN, alike, None)
    assert trained_words.apart(swept) == []
    assert "Other records unknown: **no noise**, no less" in trained_words.verdict(swept, looked_at())
    assert trained_words.beside(Swept(PLAN, (), None)) == list(PLAN.notions)  # nothing is known yet


def test_levels_that_were_not_trained_are_not_spoken_of() -> None:
    assert trained_words.sentence(without(Strategy.FULL), looked_at()) == "This level has not been trained."
    assert "Record unknown" not in trained_words.verdict(without(Strategy.RECORD), looked_at())


def test_the_table_has_means_and_tells_the_range() -> None:
    table = trained_words.table(SWEPT, looked_at())
    rows = dict(zip(table["attacker"], table["accuracy (runs)"], strict=True))
    assert rows["no protection"] == "96.0 % (95.0 % to 97.0 %)"
    assert rows["full knowledge (DP)"] == "82.0 % (80.0 % to 84.0 %)"
    assert rows["majority class"] == "60.0 %"
    areas = trained_words.table(SWEPT, looked_at(utility=Utility.AUROC))
    assert areas["AUROC (runs)"][table["attacker"].index("no protection")].startswith("97.0 %")


def test_the_table_puts_what_was_measured_beside_what_was_promised() -> None:
    table = trained_words.table(SWEPT, looked_at())
    assert table["attacker"][0] == "full knowledge (DP)"
    assert table["attacker"][-2:] == ["no protection", "majority class"]
    assert table["promised to its attacker"][0] == "found ≤ 0.0200 (certified)"
    assert table["promised to its attacker"][-1] == "nothing"
    assert table["measured: ε* at least"][0] == "0.005"  # the median of the runs
    assert table["promised to anybody: ε at δ = 10⁻⁵"][-1] == "∞"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"power_at_least": 0.5, "guaranteed_power": 0.45}, "holds for everybody"),
        ({"power_at_least": 0.021, "guaranteed_power": 0.9}, "finds more than was promised"),
        ({}, ""),
    ],
)
def test_a_promise_that_was_passed_is_said(change: dict[str, float], said: str) -> None:
    rows = tuple(replace(row, **change) if row.strategy is Strategy.RECORD else row for row in ROWS)  # type: ignore[arg-type]
    warning = trained_words.weakness(Swept(PLAN, rows, None), looked_at())
    assert said in warning
    assert bool(warning) is bool(said)


def test_weak_levels_are_called_weak() -> None:
    weak = replace(PLAN, goals=(PowerTarget(0.4, 0.01),))
    chosen = TrainingChoice(weak, weak.goals[0], Utility.ACCURACY, Reached.FOUND)
    assert "Weak protection" in trained_words.weakness(Swept(weak, (), None), chosen)


def test_the_first_figure_draws_the_means_with_their_range() -> None:
    cost = traces(trained_figures.cost(SWEPT, looked_at(), trained_words.beside(SWEPT)))
    full = cost["all known (certified)"]
    assert list(full["y"]) == pytest.approx([0.82, 0.87])
    assert list(full["error_y"]["array"]) == pytest.approx([0.02, 0.0], abs=1e-7)
    assert list(full["x"]) == pytest.approx([200.0, 1000.0], rel=0.05)


def test_promise_and_measurement_can_be_read_on_one_axis_of_people() -> None:
    figure = trained_figures.reached(SWEPT, looked_at())
    reached = traces(figure)
    shares = reached["all known (audit)"]
    assert list(shares["y"]) == pytest.approx([200.0, 200.0])
    assert list(shares["error_y"]["arrayminus"]) == pytest.approx([150.0, 150.0])  # down to the lower limits
    assert list(shares["error_y"]["array"]) == pytest.approx([200.0, 200.0])  # up to the upper ones
    assert list(reached["promised: at most"]["y"]) == pytest.approx([200.0, 1000.0])
    assert list(reached["blind guessing"]["y"]) == [100.0, 100.0]
    assert {name for name in reached if "audit" in name} == {"all known (audit)", "record unknown (audit)"}
    assert figure.layout.yaxis.type == "log"
    assert figure.layout.shapes[0].x0 == 200.0  # the limit


def test_what_is_below_the_axis_lies_on_its_floor_which_says_so() -> None:
    nothing = tuple(replace(row, power_at_least=0.0, power_measured=0.0, epsilon_at_least=0.0) for row in ROWS)
    swept = Swept(PLAN, nothing, None)
    for reached, floor in ((Reached.FOUND, 1.0), (Reached.EPSILON, 0.01)):
        figure = trained_figures.reached(swept, replace(looked_at(), reached=reached))
        drawn = traces(figure)["all known (audit)"]
        assert set(drawn["y"]) == {np.float32(floor)}
        assert ": 0 (" in drawn["text"][0]  # what hovers is the number itself
        assert figure.layout.yaxis.ticktext[0] == f"≤ {floor:g}"
        Figure(figure.to_dict())  # pages skip Plotly's own check of attributes; here it runs


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
        (0.86, "at most 1,000 of 10,000 found"),
        (0.81, "at most 200 of 10,000 found"),
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


@pytest.mark.parametrize("measure", [LimitOn.FOUND, LimitOn.ADVANTAGE])
@pytest.mark.parametrize("alpha", [0.1, 0.01, 0.001])
def test_levels_ascend_and_differ(measure: LimitOn, alpha: float) -> None:
    values = [goal.goal for goal in goals(measure, alpha)]
    assert values == sorted(set(values))
    assert len(values) == 8
    if measure is LimitOn.FOUND:
        assert values[0] > alpha


def test_the_downloaded_table_has_every_model() -> None:
    text = view.models_table(SWEPT)
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert len(lines) == 1 + len(ROWS)
    assert "strategy" in lines[0]
