"""Released statistics: what one record changes, and what noise does to them, by brute force and by simulation."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtr

from numerics.frontier import Count, Histogram, Mean, RegressionCoefficient, Statistic, StatisticNoise
from numerics.frontier.counts import largest_of_normals
from numerics.frontier.releases import Choice, Survey, WholeHistogram
from numerics.mechanisms import Adjacency
from numerics.trade_off import Floats

ADD, REPLACE = Adjacency.ADD_REMOVE, Adjacency.REPLACE_ONE
DRAWS = 40_000
SIMULATED = 0.02  # relative; the standard error of a spread over 40,000 draws is 0.4 to 1 %
PEOPLE = 50
STATISTICS = (
    *(Mean(PEOPLE), Mean(PEOPLE, 7), Count(PEOPLE), Histogram(PEOPLE, 6)),
    *(RegressionCoefficient(PEOPLE, 2), RegressionCoefficient(PEOPLE, 3, 0.4)),
)
every_statistic = pytest.mark.parametrize("statistic", STATISTICS, ids=str)


def contributions(statistic: Statistic) -> Floats:
    """Every extreme contribution of one record, (m, d), among them those that the largest changes come from."""
    if isinstance(statistic, Count):
        return np.array([[0.0], [1.0]])
    if isinstance(statistic, Histogram):
        return np.eye(statistic.bins)
    signs = np.array(list(product((-1.0, 0.0, 1.0), repeat=statistic.dimension)))
    return np.asarray(signs / np.maximum(np.linalg.norm(signs, axis=1, keepdims=True), 1.0))


@every_statistic
def test_what_a_record_changes_by_brute_force(statistic):
    """Sensitivities are the largest changes, the radius holds every contribution, people differ in free dimensions."""
    records = contributions(statistic)
    apart = records[:: max(len(records) // 300, 1)] if len(records) > 300 else records
    for norm, stated in ((2, statistic.sensitivity), (1, statistic.l1_sensitivity)):
        assert stated(ADD) == pytest.approx(np.linalg.norm(records, norm, axis=1).max())
        replaced = max(np.linalg.norm(records - one, norm, axis=1).max() for one in (*apart, records[0], records[-1]))
        assert replaced <= stated(REPLACE) + 1e-12
        assert len(apart) < len(records) or replaced == pytest.approx(stated(REPLACE))
    assert np.linalg.norm(records - records.mean(axis=0), axis=1).max() == pytest.approx(statistic.radius)
    assert np.linalg.matrix_rank(np.cov(records, rowvar=False)) == statistic.free_dimension


@settings(max_examples=20)
@given(st.integers(1, 5), st.integers(0, 2**32 - 1))
def test_no_products_of_x_and_y_change_the_coefficient_more(dimension, seed):
    """The sum that the regression releases is of x y; records are drawn anywhere in their balls."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((40, dimension))
    products = x * rng.uniform(-1, 1, (40, 1)) / np.linalg.norm(x, axis=1, keepdims=True)
    statistic = RegressionCoefficient(PEOPLE, dimension)
    for norm, stated in ((2, statistic.sensitivity), (1, statistic.l1_sensitivity)):
        assert np.linalg.norm(products, norm, axis=1).max() <= stated(ADD) + 1e-12
        assert np.linalg.norm(products[:, None] - products, norm, axis=2).max() <= stated(REPLACE) + 1e-12


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
    scaling = {Mean: lambda _: 1.0 / PEOPLE, Count: lambda _: 1.0}
    scaling[RegressionCoefficient] = lambda one: one.dimension / one.spread / PEOPLE
    return float(np.sqrt(np.mean(errors**2)) * scaling[type(statistic)](statistic))


@every_statistic
def test_errors_are_those_of_simulated_noise_and_of_the_most_varied_people(statistic):
    for law in StatisticNoise:
        error = measured(statistic, noise_of(law, statistic.dimension))
        assert statistic.unit_error(law) == pytest.approx(error, rel=SIMULATED)
    rng, records = np.random.default_rng(11), contributions(statistic)
    if not isinstance(statistic, Count | Histogram):  # both ends of every axis
        records = records[np.isclose(np.linalg.norm(records, axis=1), 1.0) & (np.count_nonzero(records, axis=1) == 1)]
    sums = records[rng.integers(len(records), size=(6000, PEOPLE))].sum(axis=1)
    found = measured(statistic, sums - PEOPLE * records.mean(axis=0))
    if isinstance(statistic, RegressionCoefficient):
        found *= np.sqrt(statistic.spread)  # x y has mean square v where y is 1 or -1, and here 1
    # Of several counts the worst is only bounded.
    assert 0.93 * statistic.sampling_error <= found <= statistic.sampling_error * (1 + SIMULATED)


def test_regression_coefficients_are_those_of_simulated_data():
    """From records to the coefficient: the noise on the sum of x y and the known spread, nothing else."""
    rng, n, spread, s, truth = np.random.default_rng(5), 400, 0.25, 8.0, 0.6
    x = rng.choice((-0.5, 0.5), (4000, n))
    y = np.clip(truth * x + rng.uniform(-0.5, 0.5, (4000, n)), -1, 1)
    without = (x * y).sum(axis=1) / (n * spread)
    noisy = without + rng.standard_normal(4000) * s / (n * spread)
    statistic = RegressionCoefficient(n, 1, spread)
    expected = s * statistic.unit_error(StatisticNoise.GAUSSIAN)
    assert np.std(noisy - without) == pytest.approx(expected, rel=3 * SIMULATED)
    assert without.mean() == pytest.approx(truth, abs=SIMULATED)
    assert np.std(without) <= statistic.sampling_error


@pytest.mark.parametrize("people", [2, 3, 20])
def test_spread_over_halves_is_the_largest_and_is_reached(people):
    rng, pool = np.random.default_rng(2), np.repeat([-1.0, 1.0], people)
    halves = np.array([rng.permutation(pool)[:people].sum() for _ in range(10_000)])
    assert np.sqrt(np.mean(halves**2)) == pytest.approx(Mean(people).half_spread, rel=1.5 * SIMULATED)
    assert Count(people).half_spread == 0.5 * Mean(people).half_spread


@pytest.mark.parametrize("count", [1, 2, 10, 1_000_000])
def test_largest_of_normals_by_its_median_and_known_values(count):
    known = {1: np.sqrt(2 / np.pi), 2: 2 / np.sqrt(np.pi)}
    value = largest_of_normals(count)
    assert value == pytest.approx(known.get(count, value), rel=1e-10)
    # The law of the largest is skewed to the right: its mean lies above the median, and below the 65 % quantile.
    assert 0.5 <= (2 * ndtr(value) - 1) ** count < 0.65


@pytest.mark.parametrize("bins", [2, 20])
@pytest.mark.parametrize("noise", [0.3, 2.0, 15.0])
def test_the_worst_bin(bins, noise):
    """Of much noise it is that of Laplace noise: the largest of k standard exponentials is the k-th harmonic number."""
    generator, chance = np.random.default_rng(1), -np.expm1(-1.0 / noise)
    drawn = [generator.geometric(chance, (DRAWS, bins)) for _ in range(2)]
    largest = np.abs(drawn[0] - drawn[1]).max(axis=1)
    sure = 5.0 * largest.std() / np.sqrt(DRAWS)
    assert WholeHistogram(1000, bins).error(noise) == pytest.approx(largest.mean(), abs=sure)
    much = WholeHistogram(1000, bins).error(1e3 * noise)
    assert much == pytest.approx(1e3 * noise * np.sum(1.0 / np.arange(1, bins + 1)), rel=1e-3)


@pytest.mark.parametrize("categories", [2, 5])
@pytest.mark.parametrize("noise", [0.5, 3.0])
def test_a_share(categories, noise):
    generator, people, errors = np.random.default_rng(2), 400, []
    true = 1.0 / (1.0 + (categories - 1) * np.exp(-1.0 / noise))
    other = true * np.exp(-1.0 / noise)
    for share in (0.0, 0.3, 1.0):
        having = round(share * people)
        said = generator.binomial(having, true, DRAWS) + generator.binomial(people - having, other, DRAWS)
        estimate = (said / people - other) / (true - other)
        assert estimate.mean() == pytest.approx(share, abs=5.0 * estimate.std() / np.sqrt(DRAWS))
        errors.append(estimate.std())
    assert Survey(people, categories).error(noise) == pytest.approx(max(errors), rel=SIMULATED)


@pytest.mark.parametrize("candidates", [2, 3, 50])
def test_no_counts_make_a_choice_lack_more(candidates):
    generator, noise = np.random.default_rng(3), 1.5
    worst = Choice(1000, candidates).error(noise)

    def lack(behind: Floats) -> float:
        weight = np.exp(-np.append(0.0, behind) / noise)
        return float(np.append(0.0, behind) @ weight / weight.sum())

    assert max(lack(generator.uniform(0.0, 20.0, candidates - 1)) for _ in range(1000)) <= worst
    assert lack(np.full(candidates - 1, noise + worst)) == pytest.approx(worst, rel=1e-12)


@pytest.mark.parametrize("bins", [2, 10])
def test_sampling_error_of_bins_filled_alike(bins):
    """Of two bins, which err alike, too; of a few more it is an upper limit that is near."""
    counts = np.random.default_rng(7).multinomial(10_000, np.full(bins, 1 / bins), size=DRAWS)
    reached = np.abs(counts - 10_000 / bins).max(axis=1).mean()
    assert Histogram(10_000, bins).sampling_error == pytest.approx(reached, rel=SIMULATED)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Mean(1), "people must be between 2"),
        (lambda: Mean(10, 0), "dimensions must be between 1"),
        (lambda: Histogram(10, 1), "bins must be between 2"),
        (lambda: RegressionCoefficient(10, 1, 0.0), "spread must be above 0"),
    ],
)
def test_senseless_sizes_are_refused(make, words):
    with pytest.raises(ValueError, match=words):
        make()
