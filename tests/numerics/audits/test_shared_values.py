"""The permutation test of rows that share a value: its level at the null, and what it finds."""

import numpy as np
import pytest
from scipy import stats

from numerics.audits import are_alike

RUNS, RISK = 1000, 0.02
LEVEL = int(stats.binom.isf(1e-3, RUNS, RISK))


def uneven(rng: np.random.Generator, rows: int = 300) -> np.ndarray:
    """A few large clusters and many small ones."""
    return np.minimum(rng.geometric(0.02, rows), 60)


@pytest.mark.parametrize("heavy", [False, True])
def test_the_level_holds_for_heavy_tails_and_uneven_clusters(heavy: bool) -> None:
    rng = np.random.default_rng(1)
    draw = rng.standard_cauchy if heavy else rng.standard_normal
    found = sum(are_alike(draw(300), uneven(rng), np.arange(300) % 2, RISK, seed=run) for run in range(RUNS))
    assert found <= LEVEL


@pytest.mark.parametrize("rows", [2, 10])
def test_rows_that_are_alike_are_found_with_their_order_and_scale_changed(rows: int) -> None:
    rng = np.random.default_rng(2)
    own = np.repeat(rng.standard_normal(400), rows)
    scores, values = own + rng.standard_normal(len(own)), np.repeat(np.arange(400), rows)
    mixed = rng.permutation(len(own))
    assert are_alike(scores, values, np.zeros(len(own), int), 1e-3)
    assert are_alike(np.exp(3.0 * scores[mixed]), values[mixed] * 7, np.zeros(len(own), int), 1e-3)


def test_differences_between_strata_are_no_likeness() -> None:
    """Two models whose losses differ, and a value for each: within a model all values are one."""
    rng = np.random.default_rng(3)
    model = np.repeat([0, 1], 300)
    scores = rng.standard_normal(600) + 5.0 * model
    assert are_alike(scores, model, np.zeros(600, int), 1e-3)
    assert not are_alike(scores, model, model, 1e-3)
    assert not are_alike(scores, rng.permutation(60).repeat(10)[np.argsort(rng.random(600))], model, 1e-3)


def test_values_that_do_not_repeat_tell_nothing() -> None:
    assert not are_alike(np.arange(50.0), np.arange(50), np.zeros(50, int), 0.5)
