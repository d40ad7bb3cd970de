"""Along the training: what is said and drawn of made-up paths, and that the page shows the shipped ones."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from numerics.calibration import PowerTarget
from numerics.training import NOTIONS, Checkpoint, Plan, Strategy, default_recipe, mu_plan
from pages.frontier.trained import path, view
from pages.frontier.trained.controls import Reached, TrainingChoice, Utility
from pages.frontier.trained.path import shown_levels
from pages.frontier.trained.task import Swept, TrainingSweep, found
from plotting.theme import Figure
from tests.pages.frontier.trained_models import LEVELS, PLAN, SWEPT, looked_at

STEPS = PLAN.recipe.steps
SINGLE = 1e-6  # coordinates are sent in single precision
EPSILON = Reached.EPSILON


def way(strategy: Strategy, goal: float, accuracies: tuple[float, ...], powers: tuple[float, ...]) -> list[Checkpoint]:
    """Two runs, a point apart, after even shares of the steps; epsilon is about ten times the members found."""
    return [
        Checkpoint(
            strategy=strategy,
            goal=goal,
            step=STEPS * number // len(accuracies),
            guaranteed_epsilon=np.inf if power == 1.0 else 10.0 * power - 0.0005,
            guaranteed_power=power,
            accuracy=(accuracy - 0.005, accuracy + 0.005),
            auroc=(0.9, 0.9),
        )
        for number, (accuracy, power) in enumerate(zip(accuracies, powers, strict=True), 1)
    ]


WAYS = (
    *way(Strategy.FULL, 0.02, (0.6, 0.8, 0.82), (0.012, 0.0165, 0.02)),
    *way(Strategy.FULL, 0.1, (0.8, 0.9, 0.87), (0.03, 0.06, 0.1)),
    *way(Strategy.OTHERS, 0.02, (0.9, 0.95, 0.96), (1.0, 1.0, 1.0)),
    *way(Strategy.NON_PRIVATE, float("nan"), (0.9, 0.95, 0.96), (1.0, 1.0, 1.0)),
)
FOLLOWED = replace(SWEPT, path=WAYS)


def said(
    strategy: Strategy = Strategy.FULL, goal: PowerTarget = LEVELS[0], swept: Swept = FOLLOWED, **chosen: object
) -> str:
    return path.sentence(swept, replace(looked_at(goal), **chosen), strategy)  # type: ignore[arg-type]


def lines(figure: Figure) -> dict[str, Any]:
    return {str(trace["name"]): trace for trace in figure.data if trace["name"]}


def test_half_of_the_training_and_the_rest_in_a_sentence() -> None:
    half = -(-STEPS // 2)
    assert WAYS[1].step >= half  # the second of three checkpoints is the first that has half of the steps
    assert said() == (
        f"Half of the training ({WAYS[1].step} of {STEPS} steps) already brings **80.0 %** accuracy and lets any "
        "attacker find at most **165 of 10,000** members; the second half adds **2.0 points** and lets it find "
        "**35 more**."
    )


def test_a_second_half_that_costs_accuracy_says_so() -> None:
    assert "the second half costs **3 points** and lets it find **400 more**" in said(goal=LEVELS[1])


def test_a_change_too_small_to_show_is_nothing() -> None:
    flat = replace(SWEPT, path=tuple(way(Strategy.FULL, 0.02, (0.8, 0.8), (0.015, 0.02))))
    assert "the second half adds nothing to it and lets it find **50 more**" in said(swept=flat)


def test_counts_are_of_enough_people_to_differ_and_never_too_small() -> None:
    near = replace(SWEPT, path=tuple(way(Strategy.FULL, 0.02, (0.7, 0.8), (0.01138, 0.012))))
    assert "at most **114 of 10,000** members; the second half" in said(swept=near)
    assert "**6 more**" in said(swept=near)
    same = replace(SWEPT, path=tuple(way(Strategy.FULL, 0.02, (0.7, 0.8), (0.012, 0.012))))
    assert "lets it find nobody more" in said(swept=same)


def test_the_promise_follows_the_control_of_the_figure_beside() -> None:
    words = said(reached=EPSILON)
    assert "promises an ε of at most **0.165**" in words
    assert "takes ε to **0.200**" in words
    assert "**90.0 %** AUROC" in said(utility=Utility.AUROC)


def test_without_noise_nothing_is_promised_and_nothing_is_drawn() -> None:
    words = said(Strategy.OTHERS)
    assert "; the second half adds **1.0 point**. No noise is added at this level" in words
    assert "at most" not in words
    assert path.promised_levels(FOLLOWED, Strategy.OTHERS) == []
    assert path.note(FOLLOWED, looked_at(), Strategy.OTHERS).endswith("they are in the data alone.")
    assert "in the data alone" not in path.note(FOLLOWED, looked_at(), Strategy.FULL)


def test_too_little_noise_to_certify_is_not_called_none() -> None:
    words = said(swept=replace(SWEPT, path=tuple(way(Strategy.FULL, 0.02, (0.7, 0.8), (1.0, 1.0)))))
    assert "Too little noise is added at this level" in words


def test_no_protection_is_told_in_words() -> None:
    note = path.note(FOLLOWED, looked_at(), Strategy.FULL)
    assert "Without protection half of the training brings 95.0 %, all of it 96.0 %; nothing is promised." in note


def test_levels_that_were_not_followed_are_not_spoken_of() -> None:
    assert said(Strategy.RECORD) == "This level has not been trained."


def test_one_step_has_no_halves() -> None:
    one = replace(SWEPT, path=tuple(way(Strategy.FULL, 0.02, (0.8,), (0.02,))))
    assert said(swept=one).startswith("The one training step brings **80.0 %** accuracy and lets any attacker")
    quiet = replace(SWEPT, path=tuple(way(Strategy.OTHERS, 0.02, (0.8,), (1.0,))))
    assert said(Strategy.OTHERS, swept=quiet).startswith("The one training step brings **80.0 %** accuracy. No noise")


def test_the_figure_draws_means_over_promises_with_their_range() -> None:
    figure = path.figure(FOLLOWED, looked_at(), Strategy.FULL)
    drawn = lines(figure)
    assert set(drawn) == {"limit 200, chosen", "limit 1000", "no protection, at the end"}
    chosen = drawn["limit 200, chosen"]
    assert list(chosen["x"]) == pytest.approx([120.0, 165.0, 200.0], rel=SINGLE)
    assert list(chosen["y"]) == pytest.approx([0.6, 0.8, 0.82], rel=SINGLE)
    assert chosen["line"]["width"] > drawn["limit 1000"]["line"]["width"]
    assert chosen["legendrank"] < drawn["limit 1000"]["legendrank"]
    assert "at most 120 of 10,000 found" in chosen["text"][0]
    assert list(drawn["no protection, at the end"]["y"]) == pytest.approx([0.96, 0.96])
    edges = [trace for trace in figure.data if list(trace["x"]) == list(chosen["x"]) and not trace["name"]]
    assert [list(edge["y"]) for edge in edges] == [
        pytest.approx([0.595, 0.795, 0.815], rel=SINGLE),
        pytest.approx([0.605, 0.805, 0.825], rel=SINGLE),
    ]
    Figure(figure.to_dict())  # pages skip Plotly's own check of attributes; here it runs
    epsilon = lines(path.figure(FOLLOWED, replace(looked_at(), reached=EPSILON), Strategy.FULL))
    assert list(epsilon["limit 1000"]["x"]) == pytest.approx([0.2995, 0.5995, 0.9995], rel=SINGLE)


def test_few_levels_are_drawn_and_the_chosen_one_is_among_them() -> None:
    levels = [0.01, 0.02, 0.03, 0.04, 0.05, 0.06]
    assert shown_levels(levels, 0.04) == {0.01: 0, 0.04: 1, 0.06: 2}
    assert list(shown_levels(levels, 0.02).items()) == [(0.01, 0), (0.02, 3), (0.04, 1), (0.06, 2)]
    assert list(shown_levels(levels[:1], 0.5)) == [0.01]
    assert list(shown_levels(levels[:2], 0.02)) == [0.01, 0.02]


def test_training_on_the_page_follows_its_models_too() -> None:
    plan = replace(PLAN, notions=(Strategy.FULL,), seeds=1, goals=LEVELS[:1])
    task = TrainingSweep(plan)
    swept = task.result(list(task.start()), 1.0)
    (cell,) = swept.levels(Strategy.FULL)
    assert swept.along(Strategy.FULL, LEVELS[0].goal)[-1].accuracy == (cell.rows[0].accuracy,)
    assert swept.along(Strategy.NON_PRIVATE)[-1].step == STEPS


@pytest.mark.parametrize("plan", [Plan(default_recipe("digits")), mu_plan()], ids=["digits", "gmip"])
def test_the_downloaded_checkpoints_are_complete(plan: Plan) -> None:
    swept = found(plan)
    assert swept is not None
    rows = [line.split(",") for line in view.checkpoints_table(swept).splitlines() if not line.startswith("#")]
    assert rows[0][:5] == ["strategy", "goal", "step", "guaranteed_epsilon", "guaranteed_power"]
    assert len(rows[0]) == 5 + 2 * plan.seeds
    assert len(rows) == 1 + 12 * (1 + len(plan.notions) * len(plan.goals))
    end = swept.along(plan.notions[0], plan.goals[1].goal)[-1]
    assert rows[24][4 : 5 + plan.seeds] == list(map(str, (end.guaranteed_power, *end.accuracy)))


@pytest.mark.parametrize(
    ("data", "halves"), [("digits", "60 of 120"), ("breast cancer", "10 of 20"), ("mnist", "98 of 195")]
)
def test_every_attacker_of_what_is_shipped_has_its_sentence(data: str, halves: str) -> None:
    plan = Plan(default_recipe(data))
    swept = found(plan)
    assert swept is not None
    chosen = TrainingChoice(plan, plan.goals[2], Utility.ACCURACY, Reached.FOUND)
    for notion in NOTIONS:
        words = path.sentence(swept, chosen, notion)
        assert "lets any attacker find at most" in words
        assert words.startswith(f"Half of the training ({halves} steps) already brings")
        assert path.figure(swept, chosen, notion).data
