"""Statistics of a table's half: every swap by enumeration, which shares no code, and all records of a long column."""

from itertools import combinations, product
from statistics import linear_regression, mean, median
from typing import Any

import numpy as np
import pytest
from scipy.special import erf

from numerics.membership.one_swap import OneSwap, SwapNoise
from numerics.membership.table_statistics import Histogram, Slope, TrimmedMean

RNG = np.random.default_rng(4)
X, Y, BINS = np.r_[RNG.lognormal(size=9), 1e7], RNG.normal(size=10).round(1), np.array([0, 1, 1, 2, 1, 0, 1, 1, 0, 1])
CASES: dict[str, Any] = {
    "mean": (TrimmedMean(X), lambda half: mean(X[half])),
    "median": (TrimmedMean(X, 0.5), lambda half: median(X[half])),
    "trimmed mean": (TrimmedMean(Y, 0.2), lambda half: mean(sorted(Y[half])[1:-1])),
    "slope": (Slope(X, Y), lambda half: linear_regression(X[half], Y[half]).slope),
    "histogram": (Histogram(BINS), lambda half: np.bincount(BINS[half], minlength=3)),
}
SHOWN = {SwapNoise.LAPLACE: lambda t: 1 - np.exp(-t / 2), SwapNoise.GAUSSIAN: lambda t: erf(t / 8**0.5)}


def swaps_of(value, record):
    """Of every half with the record and everybody outside: the half, who comes, and how far the statistic moves."""
    for half, new in product(map(list, combinations(range(10), 5)), range(10)):
        if record in half and new not in half:
            other = [new if one == record else one for one in half]
            yield half, new, float(np.linalg.norm(np.subtract(value(half), value(other))))


@pytest.mark.parametrize("case", CASES)
def test_every_swap_by_enumeration(case):
    statistic, value = CASES[case]
    sizes = [[size for *_, size in swaps_of(value, record)] for record in range(10)]
    assert statistic.largest == pytest.approx(max(map(max, sizes)))
    noise = SwapNoise.GAUSSIAN if case == "histogram" else SwapNoise.LAPLACE
    assert statistic.swaps(noise).etas(0.7) == pytest.approx(
        [0.5 * np.mean(SHOWN[noise](np.divide(each, 0.7))) for each in sizes]
    )
    half, new, size = list(swaps_of(value, 3))[77]
    others = [new, *(set(range(10)) - {new, *half})]
    assert statistic.moved(np.array([3, *(set(half) - {3})]), np.array(others))[0] == pytest.approx(size)


@pytest.mark.parametrize("noise", SHOWN)
def test_all_records_of_a_long_column_at_once(noise):
    """Far outliers, ties, and scales at which everything or nothing is seen; bins never say less than pairs."""
    data = np.concatenate((np.random.default_rng(5).normal(size=2500), [1e6, 7.0, 7.0, 7.0]))
    for scale in (1e-5, 1e-3, 1.0, 1e4):
        pairs = SHOWN[noise](np.abs(data[:, None] - data) / (1252 * scale)).sum(axis=1) / 2503
        found = OneSwap.of_mean(data, noise, scale).advantages()
        room = 0.0 if noise is SwapNoise.LAPLACE else 1e6 / 1252 / scale / 2**18 + 1e-10
        assert np.all((found >= pairs * (1.0 - 1e-9)) & (found <= pairs * (1.0 + 1e-9) + room))
