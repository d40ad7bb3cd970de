"""Released statistics: what one record changes, and what noise does to them, by brute force and by simulation."""

from itertools import product

import numpy as np
import pytest

from numerics.frontier import Count, Histogram, Mean, RegressionCoefficient, Statistic, StatisticNoise
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
