"""Sweeps: what depends on what, progress and files."""

from dataclasses import replace

import numpy as np
import pytest

from numerics.calibration import AdvantageTarget, PowerTarget
from numerics.gaussian_membership.calibration import MuTarget
from numerics.training import (
    NOTIONS,
    Plan,
    Protection,
    Recipe,
    Softmax,
    Spread,
    Strategy,
    data_set,
    default_recipe,
    mu_plan,
    outcomes,
    run,
    summary,
    table,
    train,
)
from numerics.training.sweep import generator_for

QUICK = (Strategy.FULL, Strategy.OTHERS)  # calibrated in no time
RECIPE = replace(default_recipe("breast cancer"), epochs=3)
PLAN = Plan(RECIPE, (PowerTarget(0.05, 0.01), PowerTarget(0.3, 0.01)), QUICK, 2)


def rows_of(plan: Plan, workers: int = 1):
    return [row for progress in run(plan, workers) for row in progress.trained]


def text_of(rows) -> str:
    """Rows in the summary's order; NaN is equal to itself there."""
    return table.write((row for cell in summary(rows) for row in cell.rows), {})


@pytest.fixture(scope="module")
def steps():
    """The whole plan, with one worker."""
    return list(run(PLAN))


@pytest.fixture(scope="module")
def rows(steps):
    """Its rows."""
    return [row for step in steps for row in step.trained]


def test_results_are_independent_of_the_number_of_workers(rows):
    assert text_of(rows) == text_of(rows_of(PLAN, 3))


def test_a_row_depends_on_its_own_part_of_the_plan_alone(rows):
    part = text_of(rows_of(replace(PLAN, goals=PLAN.goals[1:], notions=(Strategy.OTHERS,))))
    assert set(part.splitlines()) < set(text_of(rows).splitlines())


def test_summary_puts_rows_in_order(rows):
    assert text_of(rows[::-1]) == text_of(rows)
    cells = [(cell.strategy, cell.goal) for cell in summary(rows)][:4]
    assert cells == [(notion, goal.goal) for notion in QUICK for goal in PLAN.goals]


def test_progress_counts_up_and_can_be_left(steps):
    assert [step.done for step in steps] == list(range(1, 9))
    assert {step.total for step in steps} == {8}
    assert sum(len(step.calibrated) for step in steps) == 4
    assert sum(len(step.trained) for step in steps) == 2 * (2 + 4)
    for workers in (1, 2):
        left = run(PLAN, workers)
        next(left)
        left.close()
        assert next(left, None) is None


def test_baselines(rows):
    cells = {cell.strategy: cell for cell in summary(rows)}
    majority, free = cells[Strategy.MAJORITY], cells[Strategy.NON_PRIVATE]
    assert majority.accuracy.mean == pytest.approx(119 / 190)
    assert (majority.auroc.mean, majority.rows[0].epsilon_star_estimate_as_printed) == (0.5, 0.0)
    assert free.accuracy.mean > 0.9
    assert free.rows[0].guaranteed_epsilon == np.inf
    assert free.accuracy.least <= free.accuracy.mean <= free.accuracy.most


def test_without_protection_nothing_is_clipped(rows):
    """The same models once more, by hand."""
    free = [row for row in rows if row.strategy is Strategy.NON_PRIVATE]
    generators = [generator_for(RECIPE.label, seed) for seed in range(PLAN.seeds)]
    weights = train(RECIPE, Protection(clipped=False), generators)
    expected = outcomes(RECIPE.model, weights, data_set(RECIPE.data), PLAN.alpha, PLAN.delta)
    assert [(row.accuracy, row.epsilon_star_estimate_as_printed) for row in free] == [
        (one.accuracy, one.epsilon_star_estimate_as_printed) for one in expected
    ]


def test_spread():
    found = Spread.of([1.0, 2.0, 6.0])
    assert (found.mean, found.least, found.most) == (3.0, 1.0, 6.0)
    assert found.deviation == pytest.approx(np.sqrt(7.0))
    assert Spread.of([4.0]).deviation == 0.0


def test_seeds_of_different_things_differ():
    draws = {generator_for(what, seed).random() for what in ("a", "b") for seed in range(3)}
    assert len(draws) == 6
    assert generator_for("a", 1).random() in draws


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"goals": ()}, "number of goals"),
        ({"goals": (PowerTarget(0.1, 0.01), AdvantageTarget(0.1))}, "one kind"),
        ({"seeds": 0}, "seeds must be"),
        ({"notions": (Strategy.MAJORITY,)}, "notions must be"),
        ({"notions": (Strategy.FULL, Strategy.FULL)}, "notions must be"),
        ({"goals": (MuTarget(1.0),), "notions": NOTIONS}, "record unknown"),
        ({"alpha": 0.0}, "alpha must be"),
        ({"delta": 1.0}, "delta must be"),
    ],
)
def test_plans_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        replace(PLAN, **change)


def test_workers_and_data_are_refused():
    with pytest.raises(ValueError, match="workers must be"):
        next(run(PLAN, 0))
    with pytest.raises(ValueError, match="data must be"):
        default_recipe("adult")


def test_table_reads_what_it_writes(rows):
    text = table.write(rows, {"a": "b"})
    again = table.read(text)
    assert text.startswith("# a: b\nstrategy,goal,seed,")
    assert table.write(again, {"a": "b"}) == text
    assert again[0].strategy is rows[0].strategy
    assert again[-1].epsilon_star_estimate_as_printed == pytest.approx(
        rows[-1].epsilon_star_estimate_as_printed, rel=1e-6
    )


@pytest.mark.parametrize("text", ["", "strategy,goal\nfull knowledge,1\n"])
def test_other_tables_are_refused(text: str):
    with pytest.raises(ValueError, match="columns must be"):
        table.read(text)


def test_equal_noise_gives_equal_models():
    """Same batches, starting weights and noise under every protection: only the protection makes a difference."""
    recipe = Recipe("digits", Softmax(), 1.0, 100, 1, 1.0)  # more weights than records in a batch hide nobody
    plan = Plan(recipe, mu_plan().goals[:1], QUICK, 2)
    cells = {cell.strategy: cell for cell in summary(row for step in run(plan) for row in step.trained)}
    full, others = cells[Strategy.FULL], cells[Strategy.OTHERS]
    assert full.rows[0].noise_multiplier == others.rows[0].noise_multiplier > 0.0
    assert [row.accuracy for row in full.rows] == [row.accuracy for row in others.rows]
    assert (
        full.rows[0].epsilon_star_estimate_as_printed
        == others.rows[0].epsilon_star_estimate_as_printed
        != full.rows[1].epsilon_star_estimate_as_printed
    )
