"""Banded factors: sensitivity against enumeration of all patterns, cyclic sampling, and what is refused by name."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.banded_noise import BandedNoise, square_root_factor
from numerics.mechanisms import Gaussian
from tests.reference import PRACTICE, each

RELATIVE = 1e-12


def by_enumeration(noise: BandedNoise) -> float:
    steps, best = range(len(noise.matrix)), 0.0
    for count in range(1, noise.participations + 1):
        for pattern in combinations(steps, count):
            if all(b - a >= noise.separation for a, b in pairwise(pattern)):
                best = max(best, float(np.linalg.norm(noise.matrix[:, list(pattern)].sum(axis=1))))
    return best


def factor_of(row) -> BandedNoise:
    return BandedNoise(square_root_factor(row.count("n"), row.count("bands")), row.count("b"), row.count("k"))


@each(prefix="bandmf_sens", file=PRACTICE)
def test_sensitivity(row):
    noise = factor_of(row)
    assert noise.bands == row.count("bands")
    assert noise.sensitivity == pytest.approx(row.expected, rel=RELATIVE)


@each(prefix="NEG_bandmf", role="negative", file=PRACTICE)
def test_the_largest_column_is_not_enough_where_columns_overlap(row):
    noise = factor_of(row)
    assert np.sqrt(row.count("k")) * noise.column_norm == pytest.approx(row.expected, rel=1e-9)
    assert noise.sensitivity > 1.1 * row.expected
    with pytest.raises(ValueError, match=r"separation must be at least the number of bands \(3\).*got 2"):
        noise.amplified(1.0, 0.1)


@each(prefix="bandmf_cyclic", file=PRACTICE)
def test_cyclic_sampling(row):
    rounds, bands = row.count("rounds"), 3
    noise = BandedNoise(square_root_factor(rounds * bands, bands), bands, rounds)
    release = noise.amplified(row.number("noise_over_column_norm") * noise.column_norm, row.number("cyclic_rate"))
    assert release.noise_multiplier == pytest.approx(row.number("noise_over_column_norm"), rel=RELATIVE)
    assert (release.sampling_rate, release.steps) == (row.number("cyclic_rate"), rounds)
    found = release.epsilon(row.number("delta"))
    assert found.lower - 1e-9 <= row.expected <= found.upper + 1e-9


@given(st.integers(1, 9), st.integers(1, 9), st.integers(1, 5), st.integers(1, 4), st.integers(0, 2**31), st.booleans())
@settings(max_examples=80, deadline=None)
def test_sensitivity_is_the_largest_of_all_patterns(steps, bands, separation, participations, seed, toeplitz):
    values = np.random.default_rng(seed).random((steps, steps))
    drawn = values * np.tri(steps) * (1.0 - np.tri(steps, k=-bands))
    matrix = square_root_factor(steps, bands) if toeplitz else drawn + np.eye(steps)
    noise = BandedNoise(matrix, separation, participations)
    assert noise.sensitivity == pytest.approx(by_enumeration(noise), rel=RELATIVE)


@given(st.integers(1, 60), st.integers(1, 12), st.booleans())
@settings(max_examples=30, deadline=None)
def test_the_noise_in_running_sums_is_that_of_simulated_training(steps, bands, toeplitz):
    """Each unit of noise is followed through the recursion z_t = (w_t - sum_d c_d z_(t-d)) / c_0 by itself."""
    values = np.random.default_rng(steps * bands).random((steps, steps)) + np.eye(steps)
    matrix = square_root_factor(steps, bands) if toeplitz else values * np.tri(steps) * (1.0 - np.tri(steps, k=-bands))
    total = 0.0
    for unit in np.eye(steps):
        correlated = np.zeros(steps)
        for step in range(steps):
            correlated[step] = (unit[step] - matrix[step, :step] @ correlated[:step]) / matrix[step, step]
        total += float(np.sum(np.cumsum(correlated) ** 2))
    assert BandedNoise(matrix, 1, 1).running_sum_error == pytest.approx(np.sqrt(total / steps), rel=1e-9)


def test_independent_noise_adds_up_and_bands_cancel_it():
    assert BandedNoise(np.eye(25), 1, 25).running_sum_error == pytest.approx(np.sqrt(13.0), rel=RELATIVE)
    errors = [BandedNoise(square_root_factor(200, bands), bands, 1).running_sum_error for bands in (1, 2, 8, 32)]
    assert errors == sorted(errors, reverse=True)


def test_one_band_is_independent_noise():
    noise = BandedNoise(np.eye(10), 1, 10)
    assert noise.amplified(2.0, 0.3) == Gaussian(2.0, 0.3, 10)
    assert noise.release(2.0).gaussian_mu().upper == pytest.approx(Gaussian(2.0, steps=10).gaussian_mu().upper)


def test_amplification_helps_and_never_exceeds_what_holds_without():
    noise = BandedNoise(square_root_factor(40, 4), 4, 10)
    assert noise.amplified(2.0, 0.1).epsilon(1e-5).upper < noise.release(2.0).epsilon(1e-5).lower
    assert noise.amplified(2.0, 1.0).epsilon(1e-5).upper >= noise.release(2.0).epsilon(1e-5).upper * (1.0 - 1e-12)


def test_the_factor_is_the_root_of_prefix_sums():
    root = square_root_factor(30, 30)
    assert root @ root == pytest.approx(np.tri(30), abs=1e-13)
    assert list(square_root_factor(4, 3)[:, 0]) == [1.0, 0.5, 0.375, 0.0]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: BandedNoise(np.ones((2, 3)), 1, 1), r"matrix must be square, .* got the shape \(2, 3\)"),
        (lambda: BandedNoise(np.ones((2, 2)), 1, 1), "lower triangular"),
        (lambda: BandedNoise(np.array([[1.0, 0.0], [-0.5, 1.0]]), 1, 1), "products are not negative.* got .* -0.5"),
        (lambda: BandedNoise(np.zeros((2, 2)), 1, 1), "columns of positive length"),
        (lambda: BandedNoise(np.eye(4), 0, 1), "separation must be between 1 and"),
        (lambda: BandedNoise(np.eye(4), 2, 1).amplified(1.0, 0.5), "participations must be 2, as many as .* got 1"),
        (lambda: BandedNoise(square_root_factor(60, 60), 1, 30).sensitivity, "fewer bands or a wider separation"),
    ],
)
def test_what_is_not_certified_is_refused(make, message, monkeypatch):
    monkeypatch.setattr("numerics.banded_noise._MOST_STATES", 2000)
    with pytest.raises(ValueError, match=message):
        make()
