"""Training that is watched: looking changes nothing, promises are those of the steps taken, files, shipped paths."""

import hashlib
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from numerics.calibration import PowerTarget
from numerics.mechanisms import Adjacency, Gaussian, Sampling
from numerics.privacy_loss import Precision
from numerics.training import (
    NOTIONS,
    Cell,
    Checkpoint,
    Plan,
    Protection,
    Strategy,
    default_recipe,
    outcomes,
    path_table,
    run,
    shipped,
    summary,
    train,
)
from numerics.training.data_sets import data_set
from numerics.training.path import POINTS, checkpoints, follow
from numerics.training.private_sgd import along
from tests import ROOT
from tests.shipped_plans import PLANS

DATA = ROOT / "data"
RECIPE = replace(default_recipe("breast cancer"), epochs=7)  # 14 steps: not a multiple of the checkpoints
PLAN = Plan(RECIPE, (PowerTarget(0.1, 0.01),), (Strategy.FULL, Strategy.OTHERS), 2)
NOISY = Protection(3.0)
LARGEST = 75_000  # bytes
SEVEN_DIGITS = 1e-6
COARSER = Precision(width=1e-4)  # another grid than the script's: its guarantee is another upper bound
GRIDS = 2e-3  # relative; what the two grids' upper bounds differ by

each_file = pytest.mark.parametrize("name", PLANS)


def generators() -> list[np.random.Generator]:
    return [np.random.default_rng(seed) for seed in range(2)]


@cache
def paths(name: str) -> dict[tuple[Strategy, str], list[Checkpoint]]:
    """The shipped checkpoints by strategy and level; NaN is no key."""
    found: dict[tuple[Strategy, str], list[Checkpoint]] = {}
    for point in path_table.shipped(name):
        found.setdefault((point.strategy, f"{point.goal:g}"), []).append(point)
    return found


def cells(name: str) -> list[tuple[Cell, list[Checkpoint]]]:
    """What the shipped sweep has, beside its path."""
    kept = [cell for cell in summary(shipped(name)) if cell.strategy is not Strategy.MAJORITY]
    assert len(kept) == len(paths(name))
    return [(cell, paths(name)[cell.strategy, f"{cell.goal:g}"]) for cell in kept]


@pytest.fixture(scope="module")
def trained():
    """What the quick plan makes."""
    return list(run(PLAN))


@pytest.mark.parametrize("steps", [1, 5, 12, 14, 120, 195])
def test_checkpoints_are_even_and_end_at_the_last_step(steps: int) -> None:
    found = checkpoints(steps)
    assert found[-1] == steps
    assert len(found) == min(steps, POINTS)
    gaps = np.diff((0, *found))
    assert gaps.min() >= 1
    assert gaps.max() - gaps.min() <= 1
    assert -(-steps // 2) in found  # what is said of half of the training is one of them


def test_no_steps_have_no_checkpoints() -> None:
    with pytest.raises(ValueError, match="steps must be"):
        checkpoints(0)


def test_looking_changes_nothing() -> None:
    """The same weights bit by bit, and each is what training that stops there makes."""
    watched = list(along(RECIPE, NOISY, generators(), (4, 14)))
    assert np.array_equal(watched[-1], train(RECIPE, NOISY, generators()))
    assert np.array_equal(watched[0], train(replace(RECIPE, epochs=2), NOISY, generators()))
    assert np.array_equal(follow(RECIPE, NOISY, generators()).weights, watched[-1])


def test_what_models_are_good_for_on_the_way_is_measured_as_at_the_end() -> None:
    stages = follow(RECIPE, NOISY, generators()).stages
    for found, epochs in ((stages[0], 1), (stages[-1], 7)):
        weights = train(replace(RECIPE, epochs=epochs), NOISY, generators())
        expected = outcomes(RECIPE.model, weights, data_set(RECIPE.data), 0.01, 1e-5)
        assert found.accuracy == tuple(one.accuracy for one in expected)
        assert found.auroc == tuple(one.auroc for one in expected)


def test_a_sweep_gives_the_path_of_every_model_it_trains(trained) -> None:
    with_models = [step for step in trained if step.trained and step.trained[0].strategy is not Strategy.MAJORITY]
    assert len(with_models) == 3
    for step in with_models:
        rows, end = step.trained, step.path[-1]
        assert [point.step for point in step.path] == list(checkpoints(RECIPE.steps))
        assert (end.strategy, f"{end.goal}") == (rows[0].strategy, f"{rows[0].goal}")
        assert end.accuracy == tuple(row.accuracy for row in rows)
        assert end.auroc == tuple(row.auroc for row in rows)
        assert (end.guaranteed_epsilon, end.guaranteed_power) == (
            rows[0].guaranteed_epsilon,
            rows[0].guaranteed_power,
        )


def test_a_sweep_promises_what_is_certified_for_the_steps_so_far(trained) -> None:
    """The mechanism by its parameters, for the first third of the steps."""
    (step,) = (step for step in trained if step.path and step.path[0].strategy is Strategy.FULL)
    point = step.path[3]
    mechanism = Gaussian(step.trained[0].noise_multiplier, RECIPE.sampling_rate, point.step)
    power = mechanism.power(PLAN.alpha, precision=COARSER)
    assert power.lower <= point.guaranteed_power == pytest.approx(power.upper, rel=GRIDS)
    assert point.guaranteed_power < 0.6 * step.path[-1].guaranteed_power


def test_files_read_back_and_never_promise_too_much(trained) -> None:
    points = [point for step in trained for point in step.path]
    text = path_table.write(points, {"a": "b"})
    again = path_table.read(text)
    assert text.startswith("# a: b\nstrategy,goal,step,guaranteed_epsilon,")
    assert path_table.write(again, {"a": "b"}) == text
    for point, read in zip(points, again, strict=True):
        assert (read.strategy, read.step) == (point.strategy, point.step)
        assert read.accuracy == pytest.approx(point.accuracy, rel=SEVEN_DIGITS)
        assert read.auroc == pytest.approx(point.auroc, rel=SEVEN_DIGITS)
        for name in ("guaranteed_epsilon", "guaranteed_power"):
            stored, exact = getattr(read, name), getattr(point, name)
            assert stored == exact or exact < stored < exact * (1.0 + SEVEN_DIGITS)


def test_unequal_runs_and_other_tables_are_refused() -> None:
    point = Checkpoint(strategy=Strategy.FULL, goal=0.1, step=1, accuracy=(0.5, 0.6), auroc=(0.5, 0.6))
    with pytest.raises(ValueError, match="equal numbers of runs"):
        path_table.write([point, replace(point, accuracy=(0.5,), auroc=(0.5,))], {})
    for text in ("", "strategy,goal\nfull knowledge,1\n"):
        with pytest.raises(ValueError, match="columns must be"):
            path_table.read(text)


@each_file
def test_a_shipped_path_ends_at_the_models_of_the_shipped_sweep(name: str) -> None:
    for cell, path in cells(name):
        assert [point.step for point in path] == list(checkpoints(PLANS[name].recipe.steps))
        assert path[-1].accuracy == tuple(row.accuracy for row in cell.rows)
        assert path[-1].auroc == pytest.approx([row.auroc for row in cell.rows], rel=SEVEN_DIGITS)
        row, end = cell.rows[0], path[-1]
        assert end.guaranteed_epsilon == pytest.approx(row.guaranteed_epsilon, rel=2 * SEVEN_DIGITS)
        assert end.guaranteed_power == pytest.approx(row.guaranteed_power, rel=2 * SEVEN_DIGITS)
        if cell.strategy is Strategy.FULL and name != "gmip":
            assert end.guaranteed_power <= cell.goal


@each_file
def test_what_is_promised_grows_with_the_steps(name: str) -> None:
    for cell, path in cells(name):
        for promise in ("guaranteed_epsilon", "guaranteed_power"):
            values = [getattr(point, promise) for point in path]
            if cell.rows[0].noise_multiplier > 0.0:
                assert all(np.diff(values) > 0.0)
            else:
                assert set(values) == {np.inf if promise == "guaranteed_epsilon" else 1.0}


@each_file
@pytest.mark.parametrize("notion", NOTIONS)
def test_what_is_promised_is_certified_for_so_many_steps(name: str, notion: Strategy) -> None:
    """The mechanism by its parameters, on another grid: above the attack that exists, and what is certified there."""
    plan = PLANS[name]
    protected = [(cell, path) for cell, path in cells(name) if cell.strategy is notion and path[0].guaranteed_power < 1]
    for cell, path in protected[:: max(len(protected) - 1, 1)]:
        row = cell.rows[0]
        neighbours = Adjacency.REPLACE_ONE if row.sampling == Sampling.FIXED_SIZE else Adjacency.ADD_REMOVE
        for point in (path[0], path[5]):
            mechanism = Gaussian(
                row.noise_multiplier, plan.recipe.sampling_rate, point.step, neighbours, Sampling(row.sampling)
            )
            power = mechanism.power(plan.alpha, precision=COARSER)
            epsilon = mechanism.epsilon(plan.delta, float("inf"), COARSER)
            assert power.lower <= point.guaranteed_power == pytest.approx(power.upper, rel=GRIDS)
            assert epsilon.lower <= point.guaranteed_epsilon == pytest.approx(epsilon.upper, rel=GRIDS)


@each_file
def test_a_shipped_path_says_where_it_is_from(name: str) -> None:
    data = (DATA / f"path_{name}.csv").read_bytes()
    assert f"{hashlib.sha256(data).hexdigest()}  path_{name}.csv" in (DATA / "README.md").read_text(encoding="utf-8")
    assert len(data) < LARGEST
    sweep = (DATA / f"sweep_{name}.csv").read_text(encoding="utf-8")
    plan = [line for line in sweep.splitlines() if line.startswith("#")][2:]
    text = data.decode()
    assert all(line in text for line in plan)
    assert all(f"# {key}: {value}\n" in text for key, value in path_table.ABOUT.items())
