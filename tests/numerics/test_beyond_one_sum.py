"""Correlated noise and the final model alone: enumeration of patterns, simulated training, quadratic losses."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.banded_noise import BandedNoise, square_root_factor
from numerics.final_model import ConvexLoss, composed_mu, cyclic_mu, strongly_convex_mu


def drawn(steps: int, bands: int, toeplitz: bool, seed: int = 1) -> np.ndarray:
    values = np.random.default_rng(seed).random((steps, steps)) + np.eye(steps)
    return square_root_factor(steps, bands) if toeplitz else values * np.tri(steps) * (1.0 - np.tri(steps, k=-bands))


@settings(max_examples=40)
@given(st.integers(1, 9), st.integers(1, 9), st.integers(1, 5), st.integers(1, 4), st.integers(0, 99), st.booleans())
def test_sensitivity_is_the_largest_of_all_patterns_and_noise_that_of_simulated_training(
    steps: int, bands: int, separation: int, participations: int, seed: int, toeplitz: bool
) -> None:
    """Each unit of noise is followed through the recursion z_t = (w_t - sum_d c_d z_(t-d)) / c_0 by itself."""
    matrix, best, total = drawn(steps, bands, toeplitz, seed), 0.0, 0.0
    for count in range(1, participations + 1):
        for pattern in combinations(range(steps), count):
            if all(b - a >= separation for a, b in pairwise(pattern)):
                best = max(best, float(np.linalg.norm(matrix[:, list(pattern)].sum(axis=1))))
    for unit in np.eye(steps):
        correlated = np.zeros(steps)
        for step in range(steps):
            before = matrix[step, :step] @ correlated[:step]
            correlated[step] = (unit[step] - before) / matrix[step, step]
        total += float(np.sum(np.cumsum(correlated) ** 2))
    noise = BandedNoise(matrix, separation, participations)
    assert noise.sensitivity == pytest.approx(best, rel=1e-12)
    assert noise.running_sum_error == pytest.approx(np.sqrt(total / steps), rel=1e-9)


@settings(max_examples=25)
@given(
    st.builds(
        lambda smoothness, share, step: ConvexLoss(step / smoothness, smoothness, share * smoothness),
        st.floats(0.1, 10.0),
        st.floats(0.01, 1.0),
        st.floats(0.01, 1.95),
    ),
    st.integers(1, 40),
    st.integers(1, 30),
    st.floats(0.01, 2.0),
)
def test_a_quadratic_loss_reaches_the_bounds_of_the_final_model(
    loss: ConvexLoss, steps: int, batches: int, effect: float
) -> None:
    """The final model of m x^2 / 2: shifts and noise of every step, faded; and Cauchy-Schwarz for the recursion."""
    c, r = 1.0 - loss.approach, 1.0 - loss.step_size * loss.strong_convexity
    faded, found = r ** np.arange(steps), strongly_convex_mu(effect, steps, loss)
    assert found.lower == pytest.approx(effect * abs(np.sum(faded)) / np.sqrt(np.sum(faded**2)), rel=1e-9)
    assert found.lower <= found.upper <= composed_mu(effect, steps)
    if loss.step_size * (loss.strong_convexity + loss.smoothness) <= 2.0:
        assert found.lower == found.upper
    assert found.upper <= effect * np.sqrt((1.0 + c) / (1.0 - c)) * (1.0 + 1e-12)
    cyclic = cyclic_mu(effect, batches, steps, loss)
    assert 0.0 < cyclic.lower <= cyclic.upper <= composed_mu(effect, steps) * (1.0 + 1e-12)
    shifts = abs(np.sum(r ** (batches * np.arange(steps))))
    noise = np.sqrt(np.sum(r ** (2.0 * np.arange(batches * steps))))
    assert cyclic.lower == pytest.approx(min(effect * shifts / noise, cyclic.upper), rel=1e-8)
    if batches == 1:
        assert cyclic.upper >= found.upper * (1.0 - 1e-9)  # valid, not the sharpest
