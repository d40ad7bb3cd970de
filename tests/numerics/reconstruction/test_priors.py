"""Priors: the largest ball against brute force, its laws, and named laws against their definitions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr

from numerics.reconstruction import Fixed, Geometric, Normal, Prior, Uniform, Zipf, largest_ball

# Sums of up to a thousand terms.
ROUNDING = 1e-13

# Quarters add up without rounding, so that brute force and the sliding window agree on what is inside.
QUARTERS = st.integers(-40, 40).map(lambda whole: whole / 4.0)
ROWS = st.lists(st.tuples(st.floats(0.0, 10.0), QUARTERS), min_size=1, max_size=12).filter(
    lambda rows: sum(weight for weight, _ in rows) > 1e-6
)
RADII = st.integers(0, 60).map(lambda whole: whole / 8.0)


def columns(rows: list[tuple[float, float]]) -> tuple[np.ndarray, np.ndarray]:
    weights, values = zip(*rows, strict=True)
    return np.array(weights), np.array(values)


@given(rows=ROWS, radius=RADII)
def test_largest_ball_is_that_of_brute_force(rows, radius):
    weights, values = columns(rows)
    # The best ball can be moved until its lower end is a candidate.
    masses = [weights[(values >= low) & (values <= low + 2.0 * radius)].sum() for low in values]
    assert largest_ball(weights, values, radius) == pytest.approx(max(masses) / weights.sum(), rel=ROUNDING)


@given(rows=ROWS, radius=RADII, factor=st.floats(1e-6, 1e6), seed=st.integers(0, 99))
def test_largest_ball_knows_no_order_and_no_unit(rows, radius, factor, seed):
    weights, values = columns(rows)
    kappa = largest_ball(weights, values, radius)
    shuffled = np.random.default_rng(seed).permutation(len(weights))
    assert largest_ball(weights[shuffled], values[shuffled], radius) == pytest.approx(kappa, rel=ROUNDING)
    assert largest_ball(factor * weights, values + 8.0, radius) == pytest.approx(kappa, rel=ROUNDING)
    assert largest_ball(weights, 4.0 * values, 4.0 * radius) == pytest.approx(kappa, rel=ROUNDING)


@given(rows=ROWS, radius=RADII, further=RADII)
def test_larger_errors_make_larger_balls(rows, radius, further):
    weights, values = columns(rows)
    near, far = (largest_ball(weights, values, size) for size in (radius, radius + further))
    assert 1.0 / len(weights) * (1.0 - ROUNDING) <= near <= far * (1.0 + ROUNDING)
    assert largest_ball(weights, values, 20.0) == pytest.approx(1.0, rel=ROUNDING)
    assert largest_ball(weights) <= largest_ball(weights, values) * (1.0 + ROUNDING)


def test_equal_values_are_one_candidate():
    assert largest_ball([1, 2, 1], [3.0, 5.0, 3.0]) == 0.5
    assert largest_ball([1, 2, 1]) == 0.5
    assert largest_ball([2, 3, 2], [3.0, 5.0, 3.0]) == 4.0 / 7.0


def test_both_ends_of_a_ball_belong_to_it():
    assert largest_ball([1, 1, 1, 1], [0.0, 1.0, 2.0, 3.0], 1.0) == 0.75
    assert largest_ball([1, 1, 1, 1], [0.0, 1.0, 2.0, 3.0], 0.999) == 0.5
    # 0.7 + 2 x 0.1 is below 0.9 in binary.
    assert largest_ball([1, 1, 1], [0.7, 0.9, 5.0], 0.1) == 2.0 / 3.0


def test_a_million_candidates_are_added_up_to_rounding():
    generator = np.random.default_rng(1)
    weights, values = generator.random(1_000_000), generator.integers(0, 1_000_000, 1_000_000) / 8.0
    assert largest_ball(weights, values, 1e6) == 1.0
    exact = np.bincount((8.0 * values).astype(int), weights).max() / weights.sum()
    assert largest_ball(weights, values) == pytest.approx(exact, rel=1e-10)


def test_weights_of_any_size():
    assert largest_ball([1e308, 1e308, 1e308, 1e308]) == 0.25
    assert largest_ball([5e-324, 5e-324], [-1e308, 1e308], 1e308) == 1.0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([],), "weights must be a vector of at least one number"),
        (([[1.0, 2.0]],), "weights must be a vector"),
        (([1.0, -0.5],), "weights must not be negative, got -0.5"),
        (([1.0, np.nan],), "weights must be finite, got 1 values that are not"),
        (([0.0, 0.0],), "sum of weights must be positive"),
        (([1.0, 2.0], [1.0]), "values must be as many as weights .2., got 1"),
        (([1.0, 2.0], [1.0, np.inf]), "values must be finite"),
        (([1.0, 2.0], [1.0, 2.0], -1.0), "radius must be between 0"),
        (([1.0, 2.0], [1.0, 2.0], np.nan), "radius must be between 0"),
        (([1.0, 2.0], None, 1.0), "radius without values must be between 0 and 0, got 1.0"),
    ],
)
def test_largest_ball_refuses(arguments, message):
    with pytest.raises(ValueError, match=message):
        largest_ball(*arguments)


@pytest.mark.parametrize("exponent", [0.0, 0.3, 1.0, 1.0 + 1e-9, 1.5, 2.0, 50.0])
@pytest.mark.parametrize("candidates", [1, 7, 1_000, 1_001, 200_000])
def test_zipf_against_its_terms(exponent, candidates):
    terms = np.arange(1.0, candidates + 1.0) ** -exponent
    assert Zipf(exponent, candidates).kappa == pytest.approx(largest_ball(terms), rel=ROUNDING)


def test_zipf_of_more_candidates_than_can_be_added_up():
    # Sum of 1/k: log n + Euler's constant + 1 / (2n); of 1/k^2: pi^2 / 6 in the limit.
    assert 1.0 / Zipf(1.0, 10**18).kappa == pytest.approx(18.0 * np.log(10.0) + np.euler_gamma, rel=ROUNDING)
    assert 1.0 / Zipf(2.0, 10**18).kappa == pytest.approx(np.pi**2 / 6.0, rel=ROUNDING)
    assert Zipf(0.0, 10**18).kappa == pytest.approx(1e-18, rel=ROUNDING)


def test_named_laws():
    assert Fixed(1e-9).kappa == 1e-9
    assert Uniform(1000).kappa == 1e-3
    assert Geometric(0.25).kappa == 0.25
    assert Normal(10.0, 1.0).kappa == pytest.approx(2.0 * ndtr(0.1) - 1.0, rel=ROUNDING)
    assert Normal(1e12, 1e-3).kappa == pytest.approx(1e-15 * np.sqrt(2.0 / np.pi), rel=ROUNDING)


def test_normal_law_is_the_largest_ball_of_a_fine_grid():
    years = np.linspace(-80.0, 80.0, 160_001)
    density = np.exp(-0.5 * (years / 10.0) ** 2)
    # A closed interval holds half a cell more than the integral at either end: 5e-4 of 1 year.
    assert largest_ball(density, years, 1.0) == pytest.approx(Normal(10.0, 1.0).kappa, rel=1e-3)


@pytest.mark.parametrize(
    ("prior", "label"),
    [
        (Fixed(0.001), "a guess that is right with probability 0.001"),
        (Uniform(1_000_000), "1,000,000 equally likely candidates"),
        (Zipf(1.2, 5000), "5,000 candidates, the k-th as likely as k^-1.2"),
        (Geometric(0.1), "candidates of which each takes 0.1 of the probability left"),
        (Normal(12.0, 1.0), "a normal number of standard deviation 12, to within 1"),
    ],
)
def test_laws_say_what_they_are(prior: Prior, label):
    assert prior.label == label
    assert 0.0 < prior.kappa <= 1.0


@pytest.mark.parametrize(
    ("law", "arguments", "error"),
    [
        (Fixed, (0.0,), ValueError),
        (Fixed, (1.1,), ValueError),
        (Uniform, (0,), ValueError),
        (Uniform, (2.5,), TypeError),
        (Zipf, (-1.0, 10), ValueError),
        (Zipf, (np.nan, 10), ValueError),
        (Zipf, (1.0, 0), ValueError),
        (Geometric, (0.0,), ValueError),
        (Geometric, (np.nan,), ValueError),
        (Normal, (0.0, 1.0), ValueError),
        (Normal, (1.0, -1.0), ValueError),
        (Normal, (np.inf, 1.0), ValueError),
    ],
)
def test_laws_refuse(law, arguments, error):
    with pytest.raises(error, match="must be"):
        law(*arguments)
