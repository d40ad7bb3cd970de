"""Sweeps: what depends on what, progress, files, and the sweeps that are shipped."""

import hashlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from numerics.calibration import AdvantageTarget, PowerTarget
from numerics.epsilon_star import LEVEL
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
    shipped,
    summary,
    table,
    train,
)
from numerics.training.sweep import generator_for
from tests.shipped_plans import PLANS

DATA = Path(__file__).parents[1] / "data"
QUICK = (Strategy.FULL, Strategy.OTHERS)  # calibrated in no time
RECIPE = replace(default_recipe("breast cancer"), epochs=3)
PLAN = Plan(RECIPE, (PowerTarget(0.05, 0.01), PowerTarget(0.3, 0.01)), QUICK, 2)
FLIPPED = 0.011  # two of 190 held-out records may be decided otherwise by another machine's rounding

each_file = pytest.mark.parametrize("name", PLANS)


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


@each_file
def test_shipped_sweep_is_the_plan(name: str):
    plan, rows = PLANS[name], shipped(name)
    goals = {float(f"{goal.goal:.7g}") for goal in plan.goals}
    expected = {(notion, goal, seed) for notion in plan.notions for goal in goals for seed in range(plan.seeds)}
    protected = [row for row in rows if row.strategy in NOTIONS]
    assert {(row.strategy, row.goal, row.seed) for row in protected} == expected
    assert len(rows) == len(expected) + 2 * plan.seeds
    text = (DATA / f"sweep_{name}.csv").read_text(encoding="utf-8")
    assert all(f"# {key}: {value}\n" in text for key, value in table.plan_header(plan).items())


@each_file
def test_shipped_sweep_keeps_its_promises(name: str):
    """Also: what was measured is not above what differential privacy guarantees, but for the risk of each bound."""
    above = 0
    for cell in summary(shipped(name)):
        for row in cell.rows:
            if row.strategy in NOTIONS:
                assert row.promised <= row.goal * (1 + 1e-6)
                assert row.noise_multiplier <= row.private_noise
            above += row.power_at_least > row.guaranteed_power or row.epsilon_at_least > row.guaranteed_epsilon
        assert np.median([row.epsilon_at_least for row in cell.rows]) <= cell.rows[0].guaranteed_epsilon
        assert np.median([row.power_at_least for row in cell.rows]) <= cell.rows[0].guaranteed_power
    assert above <= (1.0 - LEVEL) * len(shipped(name))


@each_file
def test_protection_costs_accuracy(name: str):
    """More noise, less accuracy, but for the scatter of five runs; and the least protection is near to none."""
    cells = summary(shipped(name))
    free, full = (
        [cell.accuracy.mean for cell in cells if cell.strategy is strategy]
        for strategy in (Strategy.NON_PRIVATE, Strategy.FULL)
    )
    assert full[0] < full[len(full) // 2] <= max(full) < free[0] + 0.005
    assert full[-1] > free[0] - 0.05


def test_shipped_sweep_is_what_the_script_makes():
    """Two models of the smallest data set once more."""
    plan = replace(PLANS["breast_cancer"], goals=(PowerTarget(0.03, 0.01),), notions=(Strategy.FULL,))
    found = {(row.strategy, row.seed): row for row in rows_of(plan)}
    kept = [row for row in shipped("breast_cancer") if (row.strategy, row.goal) == (Strategy.FULL, 0.03)]
    assert len(kept) == plan.seeds
    for row in kept:
        again = found[row.strategy, row.seed]
        assert again.noise_multiplier == pytest.approx(row.noise_multiplier, rel=1e-5)
        assert again.accuracy == pytest.approx(row.accuracy, abs=FLIPPED)


@pytest.mark.parametrize("name", [*PLANS, "landscape"])
def test_hash_stated_in_the_readme(name: str):
    data = (DATA / f"sweep_{name}.csv").read_bytes()
    readme = (DATA / "README.md").read_text(encoding="utf-8")
    assert f"{hashlib.sha256(data).hexdigest()}  sweep_{name}.csv" in readme
    assert len(data) < 50_000


def test_landscape_has_five_runs_of_everything():
    lines = [line for line in (DATA / "sweep_landscape.csv").read_text().splitlines() if not line.startswith("#")]
    assert (
        lines[0]
        == "strategy,run,accuracy,auroc,epsilon_star_estimate_as_printed,epsilon,clip,batch,learning_rate,epochs"
    )
    cells = [line.split(",") for line in lines[1:]]
    assert len(cells) == 5 * (3 + 4 * 3 * 2 * 2)
    strategies = {row[0] for row in cells}
    promises = {f"DP-SGD epsilon {epsilon}" for epsilon in (1, 3, 10, 100)}
    assert strategies == promises | {"10 epochs", "50 epochs", "100 epochs"}


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
