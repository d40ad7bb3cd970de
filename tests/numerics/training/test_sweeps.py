"""Sweeps and the paths of their models: what depends on what, files, and that the shipped ones keep their promises."""

import hashlib
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from numerics import calibration, gaussian_membership, training
from numerics.calibration import AdvantageTarget, PowerTarget
from numerics.epsilon_star import LEVEL
from numerics.gaussian_membership.calibration import MuTarget
from numerics.mechanisms import Adjacency, Gaussian, Sampling
from numerics.privacy_loss import Precision
from numerics.training.calibrated import guarantee
from numerics.training.path import checkpoints, follow
from numerics.training.private_sgd import along
from numerics.training.sweep import generator_for
from tests import ROOT
from tests.numerics.asked import checks_of

DATA = ROOT / "data"
PLANS = {
    "digits": training.Plan(training.default_recipe("digits")),
    "breast_cancer": training.Plan(training.default_recipe("breast cancer")),
    "mnist": training.Plan(training.default_recipe("mnist")),
    "gmip": training.mu_plan(),
}
"""Those of the shipped files, by their names."""
QUICK = (training.Strategy.FULL, training.Strategy.OTHERS)  # calibrated in no time
RECIPE = replace(training.default_recipe("breast cancer"), epochs=7)  # 14 steps: not a multiple of the checkpoints
PLAN = training.Plan(RECIPE, (PowerTarget(0.05, 0.01), PowerTarget(0.3, 0.01)), QUICK, 2)
NOISY = training.Protection(3.0)
FLIPPED = 0.011  # two of 190 held-out records may be decided otherwise by another machine's rounding
SEVEN_DIGITS = 1e-6
COARSER = Precision(width=1e-4)  # another grid than the script's: its guarantee is another upper bound
GRIDS = 2e-3  # relative; what the two grids' upper bounds differ by
each_file = pytest.mark.parametrize("name", PLANS)


def spared(goal: PowerTarget | AdvantageTarget) -> bool:
    """Whether the noise found for an unknown record misses the goal never, and by a thousandth of the gain at most."""
    found = training.record_unknown.noise_for(goal, Gaussian(1.0))
    guessing = goal.alpha if isinstance(goal, PowerTarget) else 0.0
    return found.met and found.reached.upper - guessing >= 0.9979 * (goal.goal - guessing)


NAMES = {
    **{name: getattr(module, name) for module in (training, calibration) for name in module.__all__},
    "MuTarget": MuTarget,
    "GradientRelease": gaussian_membership.GradientRelease,
    "Sampling": Sampling,
    "PLAN": PLAN,
    "SMALL": gaussian_membership.GradientRelease(380, 190, 40, 31),
    "replace": replace,
    "SHORT": training.Recipe("digits", training.Softmax(), 0.5, 100, 1, 1.0),
    "checkpoints": checkpoints,
    "next": next,
    "guarantee": guarantee,
    "spared": spared,
    "path_table": training.path_table,
    "table": training.table,
    "rng": np.random.default_rng(0),
}


_, _, test_values, test_refusals = checks_of(Path(__file__).with_name("table.toml"), NAMES)


def rows_of(plan: training.Plan, workers: int = 1):
    return [row for progress in training.run(plan, workers) for row in progress.trained]


def text_of(rows) -> str:
    """Rows in the summary's order; NaN is equal to itself there."""
    return training.table.write((row for cell in training.summary(rows) for row in cell.rows), {})


@cache
def steps():
    """The whole plan, with one worker."""
    return list(training.run(PLAN))


@cache
def all_rows():
    return [row for step in steps() for row in step.trained]


def test_a_row_depends_on_its_own_part_of_the_plan_alone_and_not_on_workers():
    rows = all_rows()
    assert text_of(rows) == text_of(rows[::-1]) == text_of(rows_of(PLAN, 3))
    part = text_of(rows_of(replace(PLAN, goals=PLAN.goals[1:], notions=(training.Strategy.OTHERS,))))
    assert set(part.splitlines()) < set(text_of(rows).splitlines())
    cells = [(cell.strategy, cell.goal) for cell in training.summary(rows)][:4]
    assert cells == [(notion, goal.goal) for notion in QUICK for goal in PLAN.goals]
    assert len({generator_for(what, seed).random() for what in ("a", "b") for seed in range(3)}) == 6


def test_baselines():
    cells = {cell.strategy: cell for cell in training.summary(all_rows())}
    majority, free = cells[training.Strategy.MAJORITY], cells[training.Strategy.NON_PRIVATE]
    assert majority.accuracy.mean == pytest.approx(119 / 190)
    assert (majority.auroc.mean, majority.rows[0].epsilon_star_estimate_as_printed) == (0.5, 0.0)
    assert free.accuracy.mean > 0.9
    assert free.rows[0].guaranteed_epsilon == np.inf
    weights = training.train(
        RECIPE, training.Protection(clipped=False), [generator_for(RECIPE.label, seed) for seed in range(2)]
    )
    expected = training.outcomes(RECIPE.model, weights, training.data_set(RECIPE.data), PLAN.alpha, PLAN.delta)
    assert [row.accuracy for row in free.rows] == [one.accuracy for one in expected]  # the same models, by hand
    found = training.Spread.of([1.0, 2.0, 6.0])
    assert (found.mean, found.least, found.most, found.deviation) == pytest.approx((3.0, 1.0, 6.0, np.sqrt(7.0)))
    assert training.Spread.of([4.0]).deviation == 0.0


def test_equal_noise_gives_equal_models():
    """Same batches, starting weights and noise under every protection: only the protection makes a difference."""
    recipe = training.Recipe(
        "digits", training.Softmax(), 1.0, 100, 1, 1.0
    )  # more weights than records in a batch hide nobody
    cells = {
        cell.strategy: cell
        for cell in training.summary(rows_of(training.Plan(recipe, training.mu_plan().goals[:1], QUICK, 2)))
    }
    full, others = cells[training.Strategy.FULL].rows, cells[training.Strategy.OTHERS].rows
    assert full[0].noise_multiplier == others[0].noise_multiplier > 0.0
    found = [[(row.accuracy, row.epsilon_star_estimate_as_printed) for row in rows] for rows in (full, others)]
    assert found[0] == found[1]
    assert found[0][0] != found[0][1]


# Paths.


def test_looking_changes_nothing_and_measures_as_at_the_end():
    """The same weights bit by bit, and each is what training that stops there makes."""

    def both() -> list[np.random.Generator]:
        return [np.random.default_rng(seed) for seed in range(2)]

    watched, followed = list(along(RECIPE, NOISY, both(), (4, 14))), follow(RECIPE, NOISY, both())
    assert np.array_equal(watched[-1], training.train(RECIPE, NOISY, both()))
    assert np.array_equal(watched[0], training.train(replace(RECIPE, epochs=2), NOISY, both()))
    assert np.array_equal(followed.weights, watched[-1])
    for found, epochs in ((followed.stages[0], 1), (followed.stages[-1], 7)):
        weights = training.train(replace(RECIPE, epochs=epochs), NOISY, both())
        expected = training.outcomes(RECIPE.model, weights, training.data_set(RECIPE.data), 0.01, 1e-5)
        assert found.accuracy == tuple(one.accuracy for one in expected)
        assert found.auroc == tuple(one.auroc for one in expected)


def test_files_read_back_and_never_promise_too_much():
    text = training.table.write(all_rows(), {"a": "b"})
    assert text.startswith("# a: b\nstrategy,goal,seed,")
    assert training.table.write(training.table.read(text), {"a": "b"}) == text
    points = [point for step in steps() for point in step.path]
    text = training.path_table.write(points, {"a": "b"})
    assert text.startswith("# a: b\nstrategy,goal,step,guaranteed_epsilon,")
    again = training.path_table.read(text)
    assert training.path_table.write(again, {"a": "b"}) == text
    for point, read in zip(points, again, strict=True):
        assert (read.strategy, read.step) == (point.strategy, point.step)
        assert read.accuracy == pytest.approx(point.accuracy, rel=SEVEN_DIGITS)
        assert read.auroc == pytest.approx(point.auroc, rel=SEVEN_DIGITS)
        for name in ("guaranteed_epsilon", "guaranteed_power"):
            stored, exact = getattr(read, name), getattr(point, name)
            assert stored == exact or exact < stored < exact * (1.0 + SEVEN_DIGITS)
    unequal = training.Checkpoint(
        strategy=training.Strategy.FULL, goal=0.1, step=1, accuracy=(0.5, 0.6), auroc=(0.5, 0.6)
    )
    with pytest.raises(ValueError, match="equal numbers of runs"):
        training.path_table.write([unequal, replace(unequal, accuracy=(0.5,), auroc=(0.5,))], {})


# What is shipped.


@cache
def cells(name: str) -> list[tuple[training.Cell, list[training.Checkpoint]]]:
    """What the shipped sweep has, beside its path; NaN is no key."""
    paths: dict[tuple[training.Strategy, str], list[training.Checkpoint]] = {}
    for point in training.path_table.shipped(name):
        paths.setdefault((point.strategy, f"{point.goal:g}"), []).append(point)
    kept = [
        cell for cell in training.summary(training.shipped(name)) if cell.strategy is not training.Strategy.MAJORITY
    ]
    assert len(kept) == len(paths)
    return [(cell, paths[cell.strategy, f"{cell.goal:g}"]) for cell in kept]


@each_file
def test_a_shipped_sweep_is_its_plan_and_keeps_its_promises(name):
    """What was measured is not above what differential privacy guarantees, but for the risk of each bound."""
    plan, rows, above = PLANS[name], training.shipped(name), 0
    goals = {float(f"{goal.goal:.7g}") for goal in plan.goals}
    expected = {(notion, goal, seed) for notion in plan.notions for goal in goals for seed in range(plan.seeds)}
    assert {(row.strategy, row.goal, row.seed) for row in rows if row.strategy in training.NOTIONS} == expected
    assert len(rows) == len(expected) + 2 * plan.seeds
    text = (DATA / f"sweep_{name}.csv").read_text(encoding="utf-8")
    assert all(f"# {key}: {value}\n" in text for key, value in training.table.plan_header(plan).items())
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
        for strategy in (training.Strategy.NON_PRIVATE, training.Strategy.FULL)
    )
    assert full[0] < full[len(full) // 2] <= max(full) < free[0] + 0.005  # but for the scatter of five runs
    assert full[-1] > free[0] - 0.05


@each_file
def test_a_shipped_path_ends_at_its_models_and_its_promises_grow(name):
    for cell, path in cells(name):
        row, end = cell.rows[0], path[-1]
        assert [point.step for point in path] == list(checkpoints(PLANS[name].recipe.steps))
        assert end.accuracy == tuple(row.accuracy for row in cell.rows)
        assert end.auroc == pytest.approx([row.auroc for row in cell.rows], rel=SEVEN_DIGITS)
        for promise, most in (("guaranteed_epsilon", np.inf), ("guaranteed_power", 1.0)):
            values = [getattr(point, promise) for point in path]
            assert values[-1] == pytest.approx(getattr(row, promise), rel=2 * SEVEN_DIGITS)
            assert all(np.diff(values) > 0.0) if row.noise_multiplier > 0.0 else set(values) == {most}
        if cell.strategy is training.Strategy.FULL and name != "gmip":
            assert end.guaranteed_power <= cell.goal


@each_file
@pytest.mark.parametrize("notion", training.NOTIONS)
def test_what_is_promised_is_certified_for_so_many_steps(name, notion):
    """The mechanism by its parameters, on another grid: above the attack that exists, and what is certified there."""
    rate, plan = PLANS[name].recipe.sampling_rate, PLANS[name]
    protected = [(cell, path) for cell, path in cells(name) if cell.strategy is notion and path[0].guaranteed_power < 1]
    for cell, path in protected[:: max(len(protected) - 1, 1)]:
        sampling = Sampling(cell.rows[0].sampling)
        neighbours = Adjacency.REPLACE_ONE if sampling is Sampling.FIXED_SIZE else Adjacency.ADD_REMOVE
        for point in (path[0], path[5]):
            mechanism = Gaussian(cell.rows[0].noise_multiplier, rate, point.step, neighbours, sampling)
            power = mechanism.power(plan.alpha, precision=COARSER)
            epsilon = mechanism.epsilon(plan.delta, float("inf"), COARSER)
            assert power.lower <= point.guaranteed_power == pytest.approx(power.upper, rel=GRIDS)
            assert epsilon.lower <= point.guaranteed_epsilon == pytest.approx(epsilon.upper, rel=GRIDS)


def test_shipped_sweep_is_what_the_script_makes():
    """Two models of the smallest data set once more."""
    plan = replace(PLANS["breast_cancer"], goals=(PowerTarget(0.03, 0.01),), notions=(training.Strategy.FULL,))
    found = {(row.strategy, row.seed): row for row in rows_of(plan)}
    kept = [
        row for row in training.shipped("breast_cancer") if (row.strategy, row.goal) == (training.Strategy.FULL, 0.03)
    ]
    assert len(kept) == plan.seeds
    for row in kept:
        again = found[row.strategy, row.seed]
        assert again.noise_multiplier == pytest.approx(row.noise_multiplier, rel=1e-5)
        assert again.accuracy == pytest.approx(row.accuracy, abs=FLIPPED)


FILES = [f"sweep_{name}.csv" for name in (*PLANS, "landscape")] + [f"path_{name}.csv" for name in PLANS]


@pytest.mark.parametrize("file", FILES)
def test_files_have_the_hash_stated_in_the_readme_and_say_where_they_are_from(file):
    data = (DATA / file).read_bytes()
    assert f"{hashlib.sha256(data).hexdigest()}  {file}" in (DATA / "README.md").read_text(encoding="utf-8")
    assert len(data) < 75_000
    if file.startswith("path_"):
        sweep = (DATA / file.replace("path", "sweep")).read_text(encoding="utf-8")
        plan = [line for line in sweep.splitlines() if line.startswith("#")][2:]
        assert all(line in data.decode() for line in plan)
        assert all(f"# {key}: {value}\n" in data.decode() for key, value in training.path_table.ABOUT.items())
