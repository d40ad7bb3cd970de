"""Gaussian membership inference privacy of one step (paper 004)."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from numerics.audits import log_p_value, statistic
from numerics.gaussian_membership import GradientRelease, StepTest, composition, level, step_mu
from numerics.mechanisms.gaussian import GaussianShift
from numerics.trade_off import Bound, alpha_grid
from tests.reference import Reference, each
from tests.strategies import log_uniform

ROUNDING = 1e-12
QUANTILE = 1e-10  # of the noncentral chi-square inversion
SIGMAS = 4.5  # of a simulation; one in 150,000 runs with another seed would fail


def step_of(row: Reference) -> StepTest:
    size, clip = row.number("n"), row.number("C")
    effective = size + row.number("tau2") * size**2 / clip**2
    return StepTest(effective, row.count("d"), row.number("K"))


def steps() -> st.SearchStrategy[StepTest]:
    return st.builds(StepTest, log_uniform(1.5, 1e4), log_uniform(1.0, 1e4).map(round), log_uniform(1e-2, 1e3))


# --- one step


@each("GMIP Eq 8")
def test_step(row: Reference):
    alpha = np.array([row.number("alpha")])
    step = step_of(row)
    assert step.beta(alpha)[0] == pytest.approx(row.expected, rel=QUANTILE)
    assert step.power(alpha)[0] == pytest.approx(1.0 - row.expected, rel=1e-9)


@each("mu_step")
def test_step_mu(row: Reference):
    assert step_of(row).mu == pytest.approx(row.expected, rel=ROUNDING)


@each("n_effective")
def test_effective_size(row: Reference):
    noise = np.sqrt(row.number("tau2")) * row.number("n") / row.number("C")
    release = GradientRelease(1000, row.count("n"), 1, 20, float(noise))
    assert release.effective_size == pytest.approx(row.expected, rel=ROUNDING)
    assert release.noise_multiplier / release.batch_size * row.number("C") == pytest.approx(
        np.sqrt(row.number("tau2")), rel=ROUNDING
    )


@each("Table 3 mu_step")
def test_table_3(row: Reference):
    assert step_mu(row.number("n"), row.number("d")) == pytest.approx(row.expected, rel=ROUNDING)


@each("Table 3 five steps")
def test_table_3_composed(row: Reference):
    size = row.count("n")
    found = level(GradientRelease(size, size, 5, row.count("d")))
    assert found.mu == pytest.approx(row.expected, rel=ROUNDING)
    assert found.bound is Bound.ESTIMATE
    assert not found.set_by_privacy


@settings(max_examples=30)
@given(step=steps())
def test_a_step_is_a_trade_off_function(step):
    curve = step.trade_off(alpha_grid(60))
    assert np.all(np.diff(curve.beta) <= 0.0)
    assert np.all(curve.beta >= 0.0)
    assert np.all(curve.beta <= 1.0 - curve.alpha + 1e-9)
    assert np.allclose(curve.beta + curve.power, 1.0, rtol=0.0, atol=1e-9)
    inside = (curve.alpha > 1e-7) & (curve.alpha < 1.0 - 1e-7)
    slopes = np.diff(curve.power[inside]) / np.diff(curve.alpha[inside])
    assert np.all(np.diff(slopes) <= 1e-6 * slopes[:-1])


@settings(max_examples=30)
@given(step=steps(), factor=st.floats(1.01, 10.0), alpha=log_uniform(1e-9, 0.9))
def test_larger_susceptibility_is_found_more_easily_and_larger_batches_hide_more(step, factor, alpha):
    at = np.array([alpha])
    exposed = StepTest(step.effective_size, step.dimension, factor * step.susceptibility)
    hidden = StepTest(factor * step.effective_size, step.dimension, step.susceptibility)
    assert exposed.power(at)[0] >= step.power(at)[0] * (1.0 - 1e-9)
    assert hidden.power(at)[0] <= step.power(at)[0] * (1.0 + 1e-9)


@settings(max_examples=30)
@given(step=steps(), log_ratio=st.floats(-3.0, 10.0))
def test_rates_by_threshold_lie_on_the_curve_with_that_slope(step, log_ratio):
    alpha, power = step.rates(np.array([log_ratio]))
    assume(1e-12 < alpha[0] < 1.0 - 1e-3)
    assert step.power(alpha)[0] == pytest.approx(power[0], rel=1e-8)
    near = alpha * np.array([1.0 - 1e-4, 1.0 + 1e-4])
    curve = step.trade_off(near)
    gain = np.diff(curve.power) if power[0] < 0.5 else -np.diff(curve.beta)  # the smaller of the two keeps its digits
    slope = gain / np.diff(near)
    assert np.log(slope[0]) == pytest.approx(log_ratio, abs=1e-3)


@settings(max_examples=20)
@given(step=steps())
def test_advantage_is_the_largest_gap(step):
    alpha = np.linspace(0.001, 0.999, 200)
    gaps = step.power(alpha) - alpha
    assert step.advantage() >= np.max(gaps) - 1e-9
    assert step.advantage() <= np.max(gaps) + 0.01


@pytest.mark.parametrize(
    ("size", "dimension", "susceptibility"), [(500.0, 650, 650.0), (1e4, 10**6, 1e6), (2.0, 10**6, 1e6), (1e6, 1, 1e3)]
)
def test_large_batches_and_dimensions(size, dimension, susceptibility):
    """The ends are exact, nothing warns, and the normal approximation is good."""
    step = StepTest(size, dimension, susceptibility)
    alpha = np.array([0.0, 1e-9, 1e-3, 0.5, 1.0 - 1e-9, 1.0])
    power, beta = step.power(alpha), step.beta(alpha)
    assert (power[0], power[-1], beta[0], beta[-1]) == (0.0, 1.0, 1.0, 0.0)
    normal = GaussianShift(step.mu)
    assert power[2:4] == pytest.approx(normal.power(alpha[2:4]), rel=0.05)


def test_small_rates_keep_their_digits():
    """As the series and the saddlepoint both have it."""
    assert StepTest(500.0, 650, 650.0).power(np.array([1e-9]))[0] == pytest.approx(5.812498460033e-07, rel=1e-9)


def test_eq_8_by_simulating_gradients():
    """Mean of 50 normal gradients in 20 dimensions with noise, with and without the gradient looked for."""
    size, dimension, noise, draws, alpha = 50, 20, 2.5, 40_000, 0.05
    generator = np.random.default_rng(1)
    target = np.full(dimension, np.sqrt(15.0 / dimension))

    def released(present: bool) -> np.ndarray:
        others = np.sqrt(size - present) * generator.standard_normal((draws, dimension))
        return np.asarray((others + present * target + noise * generator.standard_normal((draws, dimension))) / size)

    outside, inside = (statistic(released(present), target, size, noise) for present in (False, True))
    effective = size + noise**2
    accused = log_p_value(inside, dimension, 15.0 * effective) <= np.log(alpha)
    falsely = log_p_value(outside, dimension, 15.0 * effective) <= np.log(alpha)
    assert np.mean(falsely) == pytest.approx(alpha, abs=SIGMAS * np.sqrt(alpha / draws))
    expected = StepTest(effective, dimension, 15.0).power(np.array([alpha]))[0]
    assert np.mean(accused) == pytest.approx(expected, abs=SIGMAS * np.sqrt(expected / draws))


def test_approximation_is_poor_for_small_batches():
    """Correction 44: d = 2, n = 5, alpha = .01 or so; the exact step differs from its effect size by a per cent."""
    step = StepTest(5.0, 2, 2.0)
    alpha = np.array([0.01])
    assert abs(step.beta(alpha)[0] - GaussianShift(step.mu).beta(alpha)[0]) > 0.01


# --- parameters


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((100, 200, 1, 5), "batch_size must be between 1 and 100"),
        ((100, 1, 1, 5), "batch_size must be at least 2"),
        ((100, 10, 0, 5), "steps must be between 1"),
        ((100, 10, 1, 5, -1.0), "noise_multiplier must not be negative"),
        ((100, 10, 1, 5, float("inf")), "noise_multiplier must be finite"),
    ],
)
def test_parameters_of_a_release_are_checked(arguments, message):
    with pytest.raises(ValueError, match=message):
        GradientRelease(*arguments)


def test_parameters_of_a_step_are_checked():
    with pytest.raises(ValueError, match="effective_size must be above 1"):
        StepTest(1.0, 5, 5.0)
    with pytest.raises(ValueError, match="susceptibility must not be negative"):
        StepTest(2.0, 5, -1.0)
    with pytest.raises(ValueError, match="private must be positive"):
        composition.relaxed_mu(0.0, 5, 5)
