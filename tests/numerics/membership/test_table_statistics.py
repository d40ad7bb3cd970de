"""Statistics of a table's half: every swap by enumeration, which shares no code, and what drawn swaps say of them."""

from collections.abc import Callable
from functools import reduce
from itertools import combinations
from statistics import linear_regression, mean, median
from typing import Any

import numpy as np
import pytest

from numerics.membership import swap_audit
from numerics.membership.one_swap import OneSwap, SwapNoise
from numerics.membership.swap_audit import audited_scale
from numerics.membership.table_statistics import Histogram, Slope, TrimmedMean

RNG = np.random.default_rng(4)
X, Y, BINS = RNG.lognormal(size=10), RNG.normal(size=10).round(1), np.array([0, 1, 1, 2, 1, 0, 1, 1, 0, 1])
CASES: dict[str, tuple[Any, Callable[[list[int]], Any]]] = {
    "mean": (TrimmedMean(X), lambda half: mean(X[half])),
    "median": (TrimmedMean(X, 0.5), lambda half: median(X[half])),
    "trimmed mean": (TrimmedMean(Y, 0.2), lambda half: mean(sorted(Y[half])[1:-1])),
    "slope": (Slope(X, Y), lambda half: linear_regression(X[half], Y[half]).slope),
    "histogram": (Histogram(BINS), lambda half: np.bincount(BINS[half], minlength=3)),
}
SHOWN = {SwapNoise.LAPLACE: lambda t: 1 - np.exp(-t / 2), SwapNoise.GAUSSIAN: SwapNoise.GAUSSIAN.advantage}


def swaps_of(value, record):
    """Of every half with the record and everybody outside: the half, who comes, and how far the statistic moves."""
    for half in map(list, combinations(range(10), 5)):
        for new in set(range(10)) - set(half) if record in half else ():
            other = [new if one == record else one for one in half]
            yield half, new, float(np.linalg.norm(np.subtract(value(half), value(other))))


@pytest.mark.parametrize("case", CASES)
def test_every_swap_by_enumeration(case):
    statistic, value = CASES[case]
    sizes = [[size for *_, size in swaps_of(value, record)] for record in range(10)]
    assert statistic.largest == pytest.approx(max(map(max, sizes)))
    noise = SwapNoise.GAUSSIAN if case == "histogram" else SwapNoise.LAPLACE
    wanted = [0.5 * np.mean([SHOWN[noise](size / 0.7) for size in each]) for each in sizes]
    assert statistic.swaps(noise).etas(0.7) == pytest.approx(wanted)
    half, new, size = list(swaps_of(value, 3))[77]
    others = [new, *(set(range(10)) - {new, *half})]
    assert statistic.moved(np.array([3, *(set(half) - {3})]), np.array(others))[0] == pytest.approx(size)


@pytest.mark.parametrize("names", [["median"], ["slope"], ["mean", "slope"]])
def test_drawn_swaps_ask_for_a_little_more_than_all_of_them(names):
    """All swaps of all records keep eta at the scale of the audit, with room for its margin."""
    statistics = tuple(CASES[name][0] for name in names)
    found = audited_scale(statistics, SwapNoise.GAUSSIAN, 0.1, (1.0,) * len(names))
    eta = reduce(OneSwap.then, (each.swaps(SwapNoise.GAUSSIAN) for each in statistics)).eta(found.scale)
    assert 0.08 < eta < found.eta <= 0.1
    assert found.confidence == 0.95


def test_the_margin_is_that_of_maurer_and_pontil():
    """Of 1,000 zeros and 1,000 ones the variance is 500/1,999; log(2/.02) is 4.605170..."""
    found = swap_audit._at_most(np.array([[1000.0], [1000.0]]), 2000, 2000, 0.02)
    margin = (2 * 500 / 1999 * 4.605170185988092 / 2000) ** 0.5 + 7 * 4.605170185988092 / 5997
    assert found == pytest.approx([0.5 + margin], rel=1e-12)


@pytest.mark.parametrize("noise", SHOWN)
def test_all_records_of_a_long_column_at_once(noise):
    """Far outliers, ties, and scales at which everything or nothing is seen; bins never say less than pairs."""
    data = np.concatenate((RNG.normal(size=2500), [1e6, 7.0, 7.0, 7.0]))
    for scale in (1e-5, 1e-3, 1.0, 1e4):
        pairs = SHOWN[noise](np.abs(data[:, None] - data) / (1252 * scale)).sum(axis=1) / 2503
        found = OneSwap.of_mean(data, noise, scale).advantages()
        if noise is SwapNoise.LAPLACE:
            assert found == pytest.approx(pairs, rel=1e-9)
        else:
            assert np.all(found >= pairs - 1e-15)
            assert found.max() <= pairs.max() + 1e6 / 1252 / scale / 2**18 + 1e-10
    goal = OneSwap.of_mean(data, noise)
    assert 0.0421 < goal.eta(goal.scale_for(0.0422)) <= 0.0422
