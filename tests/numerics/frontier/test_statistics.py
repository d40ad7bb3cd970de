"""Released statistics: what one record changes, and what noise does to them, by brute force and by simulation."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr

from numerics.frontier import Count, Histogram, Mean, RegressionCoefficient, Statistic, StatisticNoise
from numerics.frontier.counts import largest_of_normals
from numerics.mechanisms import Adjacency
from numerics.trade_off import Floats

ADD, REPLACE = Adjacency.ADD_REMOVE, Adjacency.REPLACE_ONE
ROUNDING = 1e-12
DRAWS = 40_000
SIMULATED = 0.02  # relative; the standard error of a spread over 40,000 draws is 0.4 to 1 %
PEOPLE = 50
STATISTICS = (Mean(PEOPLE), Mean(PEOPLE, 7), Count(PEOPLE), Histogram(PEOPLE, 6), RegressionCoefficient(PEOPLE, 3, 0.4))
BINS = Histogram(PEOPLE, 3)


def contributions(statistic: Statistic) -> Floats:
    """Every extreme contribution of one record, (m, d), among them those that the largest changes come from."""
    if isinstance(statistic, Count):
        return np.array([[0.0], [1.0]])
    if isinstance(statistic, Histogram):
        return np.eye(statistic.bins)
    signs = np.array(list(product((-1.0, 0.0, 1.0), repeat=statistic.dimension)))
    return np.asarray(signs / np.maximum(np.linalg.norm(signs, axis=1, keepdims=True), 1.0))


@pytest.mark.parametrize("norm", [1, 2])
@pytest.mark.parametrize(
    "statistic", [Mean(PEOPLE), Mean(PEOPLE, 3), Count(PEOPLE), BINS, RegressionCoefficient(PEOPLE, 2)], ids=str
)
def test_sensitivity_is_the_largest_change_and_is_reached(statistic: Statistic, norm: int) -> None:
    records = contributions(statistic)
    added = np.linalg.norm(records, norm, axis=1).max()
    replaced = np.linalg.norm(records[:, None] - records, norm, axis=2).max()
    stated = statistic.sensitivity if norm == 2 else statistic.l1_sensitivity
    assert stated(ADD) == pytest.approx(added)
    assert stated(REPLACE) == pytest.approx(replaced)


@given(st.integers(1, 5), st.integers(0, 2**32 - 1))
def test_no_products_of_x_and_y_change_the_coefficient_more(dimension: int, seed: int) -> None:
    """The sum that the regression releases is of x y; records are drawn anywhere in their balls."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((40, dimension))
    x *= rng.uniform(0, 1, (40, 1)) / np.linalg.norm(x, axis=1, keepdims=True)
    products = x * rng.uniform(-1, 1, (40, 1))
    statistic = RegressionCoefficient(PEOPLE, dimension)
    for norm, stated in ((2, statistic.sensitivity), (1, statistic.l1_sensitivity)):
        assert np.linalg.norm(products, norm, axis=1).max() <= stated(ADD) + ROUNDING
        gaps = np.linalg.norm(products[:, None] - products, norm, axis=2)
        assert gaps.max() <= stated(REPLACE) + ROUNDING


@pytest.mark.parametrize("statistic", STATISTICS, ids=str)
def test_radius_holds_every_contribution(statistic: Statistic) -> None:
    records = contributions(statistic)
    centre = records.mean(axis=0)
    assert np.linalg.norm(records - centre, axis=1).max() == pytest.approx(statistic.radius)


@pytest.mark.parametrize("statistic", STATISTICS, ids=str)
def test_people_differ_in_the_free_dimensions(statistic: Statistic) -> None:
    assert np.linalg.matrix_rank(np.cov(contributions(statistic), rowvar=False)) == statistic.free_dimension


@pytest.mark.parametrize("bins", [2, 10])
def test_sampling_error_of_bins_filled_alike(bins: int) -> None:
    """Of two bins, which err alike, too; of a few more it is an upper limit that is near."""
    counts = np.random.default_rng(7).multinomial(10_000, np.full(bins, 1 / bins), size=DRAWS)
    reached = np.abs(counts - 10_000 / bins).max(axis=1).mean()
    assert Histogram(10_000, bins).sampling_error == pytest.approx(reached, rel=SIMULATED)


def noise_of(law: StatisticNoise, dimension: int) -> Floats:
    """Noise (draws, d) of scale 1."""
    rng = np.random.default_rng(3)
    normal = rng.standard_normal((DRAWS, dimension))
    if law is StatisticNoise.GAUSSIAN:
        return normal
    if law is StatisticNoise.LAPLACE:
        return rng.laplace(size=(DRAWS, dimension))
    radius = rng.gamma(dimension, size=(DRAWS, 1))
    return np.asarray(radius * normal / np.linalg.norm(normal, axis=1, keepdims=True))


def measured(statistic: Statistic, errors: Floats) -> float:
    """The error of the sum (draws, d) in the statistic's own measure, with its scaling written out."""
    if isinstance(statistic, Histogram):
        return float(np.abs(errors).max(axis=1).mean())
    scaling = {Mean: 1.0 / PEOPLE, Count: 1.0, RegressionCoefficient: 3.0 / 0.4 / PEOPLE}[type(statistic)]
    return float(np.sqrt(np.mean(errors**2)) * scaling)


@pytest.mark.parametrize("law", list(StatisticNoise))
@pytest.mark.parametrize("statistic", STATISTICS, ids=str)
def test_error_is_that_of_simulated_noise(statistic: Statistic, law: StatisticNoise) -> None:
    error = measured(statistic, noise_of(law, statistic.dimension))
    assert statistic.unit_error(law) == pytest.approx(error, rel=SIMULATED)


def test_regression_coefficients_are_those_of_simulated_data() -> None:
    """From records to the coefficient: the noise on the sum of x y and the known spread, nothing else."""
    rng = np.random.default_rng(5)
    n, spread, s, truth = 400, 0.25, 8.0, 0.6
    x = rng.choice((-0.5, 0.5), (4000, n))
    y = np.clip(truth * x + rng.uniform(-0.5, 0.5, (4000, n)), -1, 1)
    without = (x * y).sum(axis=1) / (n * spread)
    noisy = without + rng.standard_normal(4000) * s / (n * spread)
    statistic = RegressionCoefficient(n, 1, spread)
    assert np.std(noisy - without) == pytest.approx(
        s * statistic.unit_error(StatisticNoise.GAUSSIAN), rel=3 * SIMULATED
    )
    assert without.mean() == pytest.approx(truth, abs=SIMULATED)
    assert np.std(without) <= statistic.sampling_error


@pytest.mark.parametrize("statistic", STATISTICS, ids=str)
def test_sampling_error_is_reached_by_the_most_varied_people(statistic: Statistic) -> None:
    rng = np.random.default_rng(11)
    records = contributions(statistic)
    if not isinstance(statistic, Count | Histogram):
        records = records[np.isclose(np.linalg.norm(records, axis=1), 1.0)]
        records = records[np.count_nonzero(records, axis=1) == 1]  # both ends of every axis
    sums = records[rng.integers(len(records), size=(6000, PEOPLE))].sum(axis=1)
    found = measured(statistic, sums - PEOPLE * records.mean(axis=0))
    if isinstance(statistic, RegressionCoefficient):
        found *= np.sqrt(0.4)  # x y has mean square v where y is 1 or -1, and here 1
    assert found <= statistic.sampling_error * (1 + SIMULATED)
    assert found >= 0.93 * statistic.sampling_error  # the worst of several counts is only bounded


@pytest.mark.parametrize("people", [2, 3, 20])
def test_spread_over_halves_is_the_largest_and_is_reached(people: int) -> None:
    rng = np.random.default_rng(2)
    pool = np.repeat([-1.0, 1.0], people)
    halves = np.array([rng.permutation(pool)[:people].sum() for _ in range(20_000)])
    assert np.sqrt(np.mean(halves**2)) == pytest.approx(Mean(people).half_spread, rel=SIMULATED)
    assert np.mean(np.abs(halves)) <= Mean(people).half_spread
    assert Count(people).half_spread == 0.5 * Mean(people).half_spread


@pytest.mark.parametrize("count", [1, 2, 10, 1000, 1_000_000])
def test_largest_of_normals_by_its_median_and_known_values(count: int) -> None:
    known = {1: np.sqrt(2 / np.pi), 2: 2 / np.sqrt(np.pi)}
    value = largest_of_normals(count)
    if count in known:
        assert value == pytest.approx(known[count], rel=1e-10)
    # The law of the largest is skewed to the right: its mean lies above the median, and below the 65 % quantile.
    assert 0.5 <= (2 * ndtr(value) - 1) ** count < 0.65


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Mean(1), "people must be between 2"),
        (lambda: Mean(10, 0), "dimensions must be between 1"),
        (lambda: Histogram(10, 1), "bins must be between 2"),
        (lambda: RegressionCoefficient(10, 1, 0.0), "spread must be above 0"),
    ],
)
def test_senseless_sizes_are_refused(make, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        make()
