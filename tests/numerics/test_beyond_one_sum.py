"""Correlated noise and the final model alone: enumeration of patterns, simulated training, quadratic losses."""

from itertools import combinations, pairwise
from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.banded_noise import BandedNoise, square_root_factor
from numerics.final_model import ConvexLoss, bounded_mu, composed_mu, cyclic_mu, strongly_convex_mu

RELATIVE = 1e-12


def by_enumeration(noise: BandedNoise) -> float:
    steps, best = range(len(noise.matrix)), 0.0
    for count in range(1, noise.participations + 1):
        for pattern in combinations(steps, count):
            if all(b - a >= noise.separation for a, b in pairwise(pattern)):
                best = max(best, float(np.linalg.norm(noise.matrix[:, list(pattern)].sum(axis=1))))
    return best


@given(st.integers(1, 9), st.integers(1, 9), st.integers(1, 5), st.integers(1, 4), st.integers(0, 2**31), st.booleans())
@settings(max_examples=40)
def test_sensitivity_is_the_largest_of_all_patterns(steps, bands, separation, participations, seed, toeplitz):
    values = np.random.default_rng(seed).random((steps, steps))
    drawn = values * np.tri(steps) * (1.0 - np.tri(steps, k=-bands))
    matrix = square_root_factor(steps, bands) if toeplitz else drawn + np.eye(steps)
    noise = BandedNoise(matrix, separation, participations)
    assert noise.sensitivity == pytest.approx(by_enumeration(noise), rel=RELATIVE)


@given(st.integers(1, 60), st.integers(1, 12), st.booleans())
@settings(max_examples=15)
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


RELATIVE = 1e-11
LOSSES = st.builds(
    lambda smoothness, share, step: ConvexLoss(step / smoothness, smoothness, share * smoothness),
    st.floats(0.1, 10.0),
    st.floats(0.01, 1.0),
    st.floats(0.01, 1.95),
)


@given(LOSSES, st.integers(1, 200), st.floats(0.01, 2.0))
@settings(max_examples=25)
def test_a_quadratic_loss_reaches_the_bound_and_no_schedule_of_shifts_is_better(loss, steps, effect):
    """The final model of m x^2 / 2: shifts and noise of every step, faded; and Cauchy-Schwarz for the recursion."""
    c = 1.0 - loss.approach
    faded = (1.0 - loss.step_size * loss.strong_convexity) ** np.arange(steps)
    quadratic = effect * abs(np.sum(faded)) / np.sqrt(np.sum(faded**2))
    found = strongly_convex_mu(effect, steps, loss)
    assert found.lower == pytest.approx(quadratic, rel=1e-9)
    assert found.lower <= found.upper <= composed_mu(effect, steps)
    if loss.step_size * (loss.strong_convexity + loss.smoothness) <= 2.0:
        assert found.lower == found.upper
    assert found.upper <= effect * sqrt((1.0 + c) / (1.0 - c)) * (1.0 + 1e-12)


@given(LOSSES, st.integers(1, 30), st.integers(1, 40), st.floats(0.01, 2.0))
@settings(max_examples=15)
def test_cyclic_brackets_and_limits(loss, batches, epochs, effect):
    found = cyclic_mu(effect, batches, epochs, loss)
    assert 0.0 < found.lower <= found.upper <= composed_mu(effect, epochs) * (1.0 + 1e-12)
    r = 1.0 - loss.step_size * loss.strong_convexity
    shifts = abs(np.sum(r ** (batches * np.arange(epochs))))
    noise = np.sqrt(np.sum(r ** (2.0 * np.arange(batches * epochs))))
    assert found.lower == pytest.approx(min(effect * shifts / noise, found.upper), rel=1e-8)
    if batches == 1:
        assert found.upper >= strongly_convex_mu(effect, epochs, loss).upper * (1.0 - 1e-9)  # valid, not the sharpest
    if epochs == 1:
        assert found.upper == pytest.approx(effect, rel=1e-12)


@pytest.mark.parametrize("steps", [1, 20, 400])
def test_a_bounded_set_by_search_over_the_last_steps(steps):
    """Altschuler and Talwar's bound at every number of last steps; never more than all steps composed."""
    pull, sigma, eta, diameter = 0.02, 0.4, 0.5, 0.3
    k = np.arange(1.0, steps + 1.0)
    by_search = np.min((diameter + k * eta * pull) / (eta * sigma * np.sqrt(k)))
    found = bounded_mu(pull / sigma, steps, ConvexLoss(eta, 1.0), diameter, pull)
    assert found == pytest.approx(min(by_search, composed_mu(pull / sigma, steps)), rel=RELATIVE)


def test_patterns_that_are_too_many_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numerics.banded_noise._MOST_STATES", 2000)
    with pytest.raises(ValueError, match="fewer bands or a wider separation"):
        _ = BandedNoise(square_root_factor(60, 60), 1, 30).sensitivity
