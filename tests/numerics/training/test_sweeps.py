"""Sweeps and the paths of their models: what depends on what, files, and that the shipped ones keep their promises."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from data import written
from numerics import training
from numerics.calibration import PowerTarget
from numerics.epsilon_star import LEVEL
from numerics.mechanisms import Adjacency, Gaussian, Sampling
from numerics.privacy_loss import Precision
from numerics.training import Strategy, tables
from numerics.training.path import checkpoints, follow
from numerics.training.private_sgd import along
from numerics.training.sweep import generator_for
from tests import ROOT

DATA = ROOT / "data"
PLANS = {name: training.Plan(training.default_recipe(name.replace("_", " "))) for name in ("digits", "breast_cancer")}
PLANS |= {"mnist": training.Plan(training.default_recipe("mnist")), "gmip": training.mu_plan()}
QUICK = (Strategy.FULL, Strategy.OTHERS)  # calibrated in no time
RECIPE = replace(training.default_recipe("breast cancer"), epochs=7)  # 14 steps: not a multiple of the checkpoints
PLAN = training.Plan(RECIPE, (PowerTarget(0.05, 0.01), PowerTarget(0.3, 0.01)), QUICK, 2)
FLIPPED = 0.011  # two of 190 held-out records may be decided otherwise by another machine's rounding
SEVEN_DIGITS = 1e-6
COARSER = Precision(width=1e-4)  # another grid than the script's: its guarantee is another upper bound
GRIDS = 2e-3  # relative; what the two grids' upper bounds differ by
each_file = pytest.mark.parametrize("name", PLANS)


def rows_of(plan: training.Plan, workers: int = 1):
    return [row for progress in training.run(plan, workers) for row in progress.trained]


def text_of(rows) -> str:
    """Rows in the summary's order; NaN is equal to itself there."""
    return written.sweep((row for cell in training.summary(rows) for row in cell.rows), {})


@cache
def steps():
    """The whole plan, with one worker."""
    return list(training.run(PLAN))


def test_a_row_depends_on_its_own_part_of_the_plan_alone_and_not_on_workers():
    rows = [row for step in steps() for row in step.trained]
    assert text_of(rows) == text_of(rows[::-1]) == text_of(rows_of(PLAN, 3))
    part = text_of(rows_of(replace(PLAN, goals=PLAN.goals[1:], notions=(Strategy.OTHERS,))))
    assert set(part.splitlines()) < set(text_of(rows).splitlines())
    order = [(cell.strategy, cell.goal) for cell in training.summary(rows)][:4]
    assert order == [(notion, goal.goal) for notion in QUICK for goal in PLAN.goals]
    # Baselines, and the same models by hand.
    cells = {cell.strategy: cell for cell in training.summary(rows)}
    majority, free = cells[Strategy.MAJORITY], cells[Strategy.NON_PRIVATE]
    assert majority.accuracy.mean == pytest.approx(119 / 190)
    assert (majority.auroc.mean, majority.rows[0].epsilon_star_estimate_as_printed) == (0.5, 0.0)
    assert (free.accuracy.mean > 0.9, free.rows[0].guaranteed_epsilon) == (True, np.inf)
    generators = [generator_for(RECIPE.label, seed) for seed in range(2)]
    weights = training.train(RECIPE, training.Protection(clipped=False), generators)
    expected = training.outcomes(RECIPE.model, weights, training.data_set(RECIPE.data), PLAN.alpha, PLAN.delta)
    assert [row.accuracy for row in free.rows] == [one.accuracy for one in expected]


def test_equal_noise_gives_equal_models():
    """Same batches, starting weights and noise under every protection: only the protection makes a difference."""
    recipe = training.Recipe("digits", training.Softmax(), 1.0, 100, 1, 1.0)  # its many weights hide nobody
    trained = rows_of(training.Plan(recipe, training.mu_plan().goals[:1], QUICK, 2))
    full, others = ([row for row in trained if row.strategy is strategy] for strategy in QUICK)
    assert full[0].noise_multiplier == others[0].noise_multiplier > 0.0
    found = [[(row.accuracy, row.epsilon_star_estimate_as_printed) for row in rows] for rows in (full, others)]
    assert found[0] == found[1]
    assert found[0][0] != found[0][1]


def test_looking_at_a_model_while_it_learns_changes_nothing_and_measures_as_at_the_end():
    """The same weights bit by bit, and each is what training that stops there makes."""
    noisy = training.Protection(3.0)

    def both() -> list[np.random.Generator]:
        return [np.random.default_rng(seed) for seed in range(2)]

    watched, followed = list(along(RECIPE, noisy, both(), (4, 14))), follow(RECIPE, noisy, both())
    assert np.array_equal(watched[-1], training.train(RECIPE, noisy, both()))
    assert np.array_equal(watched[0], training.train(replace(RECIPE, epochs=2), noisy, both()))
    assert np.array_equal(followed.weights, watched[-1])
    for found, epochs in ((followed.stages[0], 1), (followed.stages[-1], 7)):
        weights = training.train(replace(RECIPE, epochs=epochs), noisy, both())
        expected = training.outcomes(RECIPE.model, weights, training.data_set(RECIPE.data), 0.01, 1e-5)
        assert (found.accuracy, found.auroc) == tuple(zip(*((e.accuracy, e.auroc) for e in expected), strict=True))


def test_files_read_back_and_never_promise_too_much():
    text = written.sweep([row for step in steps() for row in step.trained], {"a": "b"})
    assert text.startswith("# a: b\nstrategy,goal,seed,")
    assert written.sweep(tables.read(text), {"a": "b"}) == text
    points = [point for step in steps() for point in step.path]
    text = written.path(points, {"a": "b"})
    assert text.startswith("# a: b\nstrategy,goal,step,guaranteed_epsilon,")
    again = tables.read_path(text)
    assert written.path(again, {"a": "b"}) == text
    for point, read in zip(points, again, strict=True):
        assert (read.strategy, read.step) == (point.strategy, point.step)
        assert (*read.accuracy, *read.auroc) == pytest.approx((*point.accuracy, *point.auroc), rel=SEVEN_DIGITS)
        for name in ("guaranteed_epsilon", "guaranteed_power"):
            stored, exact = getattr(read, name), getattr(point, name)
            assert stored == exact or exact < stored < exact * (1.0 + SEVEN_DIGITS)
    with pytest.raises(ValueError, match="equal numbers of runs"):
        written.path([points[0], replace(points[0], accuracy=(0.5,), auroc=(0.5,))], {})


# What is shipped.


@each_file
def test_a_shipped_sweep_is_its_plan_and_keeps_its_promises(name):
    """What was measured is not above what differential privacy guarantees, but for the risk of each bound."""
    plan, rows, above = PLANS[name], training.shipped(name), 0
    goals = {float(f"{goal.goal:.7g}") for goal in plan.goals}
    expected = {(notion, goal, seed) for notion in plan.notions for goal in goals for seed in range(plan.seeds)}
    assert {(row.strategy, row.goal, row.seed) for row in rows if row.strategy in training.NOTIONS} == expected
    assert len(rows) == len(expected) + 2 * plan.seeds
    for file, about in ((f"sweep_{name}.csv", {}), (f"path_{name}.csv", written.OF_A_PATH)):  # says what made it
        lines = (DATA / file).read_text(encoding="utf-8").splitlines()
        assert {f"# {key}: {value}" for key, value in (written.plan_header(plan) | about).items()} <= set(lines)
    for cell in training.summary(rows):
        for row in cell.rows:
            if row.strategy in training.NOTIONS:
                assert row.promised <= row.goal * (1 + 1e-6)
                assert row.noise_multiplier <= row.private_noise
            above += row.power_at_least > row.guaranteed_power or row.epsilon_at_least > row.guaranteed_epsilon
        assert np.median([row.epsilon_at_least for row in cell.rows]) <= cell.rows[0].guaranteed_epsilon
        assert np.median([row.power_at_least for row in cell.rows]) <= cell.rows[0].guaranteed_power
    assert above <= (1.0 - LEVEL) * len(rows)
    free, full = (
        [cell.accuracy.mean for cell in training.summary(rows) if cell.strategy is strategy]
        for strategy in (Strategy.NON_PRIVATE, Strategy.FULL)
    )
    assert full[0] < full[len(full) // 2] <= max(full) < free[0] + 0.005  # but for the scatter of five runs
    assert full[-1] > free[0] - 0.05


@each_file
def test_a_shipped_path_ends_at_its_models_and_its_promises_are_certified_and_grow(name):
    """By the mechanism's parameters on another grid: above the attack that exists, and what is certified there."""
    plan, seen = PLANS[name], set()
    paths: dict[tuple[Strategy, str], list[training.Checkpoint]] = {}
    for point in training.shipped_path(name):
        paths.setdefault((point.strategy, f"{point.goal:g}"), []).append(point)
    for cell in training.summary(training.shipped(name)):
        if cell.strategy is Strategy.MAJORITY:
            continue
        path, row = paths.pop((cell.strategy, f"{cell.goal:g}")), cell.rows[0]
        assert [point.step for point in path] == list(checkpoints(plan.recipe.steps))
        assert path[-1].accuracy == tuple(row.accuracy for row in cell.rows)
        assert path[-1].auroc == pytest.approx([row.auroc for row in cell.rows], rel=SEVEN_DIGITS)
        for promise, most in (("guaranteed_epsilon", np.inf), ("guaranteed_power", 1.0)):
            values = [getattr(point, promise) for point in path]
            assert values[-1] == pytest.approx(getattr(row, promise), rel=2 * SEVEN_DIGITS)
            assert all(np.diff(values) > 0.0) if row.noise_multiplier > 0.0 else set(values) == {most}
        if cell.strategy is Strategy.FULL and name != "gmip":
            assert path[-1].guaranteed_power <= cell.goal
        if cell.strategy in seen or path[0].guaranteed_power == 1.0:  # the first of each notion is enough
            continue
        seen.add(cell.strategy)
        sampling = Sampling(row.sampling)
        neighbours = Adjacency.REPLACE_ONE if sampling is Sampling.FIXED_SIZE else Adjacency.ADD_REMOVE
        for point in (path[0], path[5]):
            rate = plan.recipe.sampling_rate
            mechanism = Gaussian(row.noise_multiplier, rate, point.step, neighbours, sampling)
            power = mechanism.power(plan.alpha, precision=COARSER)
            epsilon = mechanism.epsilon(plan.delta, float("inf"), COARSER)
            assert power.lower <= point.guaranteed_power == pytest.approx(power.upper, rel=GRIDS)
            assert epsilon.lower <= point.guaranteed_epsilon == pytest.approx(epsilon.upper, rel=GRIDS)
    assert not paths


def test_a_shipped_sweep_is_what_the_script_makes():
    """Two models of the smallest data set once more."""
    plan = replace(PLANS["breast_cancer"], goals=(PowerTarget(0.03, 0.01),), notions=(Strategy.FULL,))
    found = {(row.strategy, row.seed): row for row in rows_of(plan)}
    kept = [r for r in training.shipped("breast_cancer") if (r.strategy, r.goal) == (Strategy.FULL, 0.03)]
    assert len(kept) == plan.seeds
    for row in kept:
        again = found[row.strategy, row.seed]
        assert again.noise_multiplier == pytest.approx(row.noise_multiplier, rel=1e-5)
        assert again.accuracy == pytest.approx(row.accuracy, abs=FLIPPED)
