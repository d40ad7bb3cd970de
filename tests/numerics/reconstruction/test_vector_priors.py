"""The prior of records of many numbers: simulation, counting, and one number as before."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numerics.reconstruction import (
    Bits,
    Distance,
    Normal,
    NormalVector,
    UniformVector,
    largest_ball,
    largest_ball_of_vectors,
)
from tests.strategies import log_uniform

DRAWS = 200_000


@given(log_uniform(0.01, 100.0), log_uniform(0.01, 100.0))
def test_one_number_is_the_normal_prior(deviation, tolerance):
    assert NormalVector(1, deviation, tolerance).kappa == pytest.approx(Normal(deviation, tolerance).kappa, rel=1e-9)


@pytest.mark.parametrize(("dimension", "tolerance"), [(2, 0.5), (5, 0.8), (30, 0.9), (100, 1.0)])
def test_normal_and_uniform_vectors_by_simulation(dimension, tolerance):
    rng = np.random.default_rng(dimension)
    error = np.sqrt(np.mean((1.5 * rng.standard_normal((DRAWS // 10, dimension))) ** 2, axis=1))
    spread = 4.0 * np.sqrt(0.25 / len(error))
    assert NormalVector(dimension, 1.5, 1.5 * tolerance).kappa == pytest.approx(
        np.mean(error <= 1.5 * tolerance), abs=spread
    )
    within = np.all(np.abs(rng.random((DRAWS // 10, dimension)) - 0.5) <= 0.49, axis=1)
    assert UniformVector(dimension, 0.49).kappa == pytest.approx(np.mean(within), abs=spread)


def test_no_other_guess_than_the_mean_does_better():
    rng = np.random.default_rng(2)
    records = rng.standard_normal((DRAWS, 4))
    best = NormalVector(4, 1.0, 0.7).kappa
    for away in (0.3, 1.0):
        reached = np.mean(np.mean((records - away / 2.0) ** 2, axis=1) <= 0.49)
        assert reached < best


@pytest.mark.parametrize("dimension", [1, 3, 8])
def test_bits_by_counting_all_of_them(dimension):
    every = np.array(list(product((0, 1), repeat=dimension)))
    for wrong in range(dimension + 1):
        counted = np.mean(every.sum(axis=1) <= wrong)
        assert Bits(dimension, wrong).kappa == pytest.approx(counted, rel=1e-12)
        ball = largest_ball_of_vectors(np.ones(len(every)), every.astype(float), float(wrong), Distance.SUM)
        assert ball.lower == pytest.approx(counted, rel=1e-12)
    assert Bits(dimension, dimension + 5).kappa == 1.0


POINTS = st.lists(st.tuples(st.floats(-3.0, 3.0), st.floats(0.0, 1.0)), min_size=1, max_size=12)


@given(POINTS, st.floats(0.0, 4.0), st.sampled_from(Distance))
def test_one_dimension_lies_between_the_two_balls(pairs, radius, distance):
    values, weights = (np.array(each) for each in zip(*pairs, strict=True))
    weights = weights + 0.01
    exact = largest_ball(weights, values, radius)
    found = largest_ball_of_vectors(weights, values[:, None], radius, distance)
    assert found.lower - 1e-9 <= exact <= found.upper + 1e-9


@given(st.integers(1, 50), st.floats(0.01, 2.0), st.floats(0.01, 2.0))
def test_more_error_allowed_is_more_likely_and_more_numbers_less(dimension, low, high):
    small, large = sorted((low, high))
    assert UniformVector(dimension, small).kappa <= UniformVector(dimension, large).kappa
    assert NormalVector(dimension, 1.0, small).kappa <= NormalVector(dimension, 1.0, large).kappa
    assert UniformVector(dimension + 1, small).kappa <= UniformVector(dimension, small).kappa


def test_what_are_no_candidates_is_refused():
    points = np.zeros((3, 2))
    for weights, where in ((np.ones(2), points), (np.zeros(3), points), (np.array([1.0, -1.0, 1.0]), points)):
        with pytest.raises(ValueError, match=r"weights|points"):
            largest_ball_of_vectors(weights, where, 1.0)
    with pytest.raises(ValueError, match="number of points"):
        largest_ball_of_vectors(np.ones(20_001), np.zeros((20_001, 1)), 1.0)
