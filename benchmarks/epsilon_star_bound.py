"""The lower confidence bound on Epsilon*: how often it claims too much, and how near it comes to what data can show."""

from collections.abc import Callable
from functools import partial
from time import perf_counter

import numpy as np
from scipy import stats

from benchmarks.timing import table
from numerics.epsilon_star import Method, estimate, from_laws, lower_bound
from numerics.epsilon_star.confidence import Ascending
from numerics.epsilon_star.error_ratios import Law

LEVEL = 0.95
DELTA = 1e-5
SEEN = 100  # losses that both groups expect beyond a threshold which counts as visible
Pair = tuple[Law, Law]
Draw = Callable[[np.random.Generator, int], tuple[np.ndarray, np.ndarray]]

NULLS: dict[str, Callable[[np.random.Generator, int], np.ndarray]] = {
    "Gamma(2)": lambda rng, n: rng.gamma(2.0, 5.0, n),
    "0 or 1 (10 %)": lambda rng, n: (rng.random(n) < 0.1).astype(float),
}
PAIRS: dict[str, Pair] = {
    "N(0,1), N(0.25,1)": (stats.norm(0, 1), stats.norm(0.25, 1)),
    "N(0,1), N(0.5,1)": (stats.norm(0, 1), stats.norm(0.5, 1)),
    "N(0,1), N(1,1)": (stats.norm(0, 1), stats.norm(1, 1)),
    "N(0,1), N(3,1)": (stats.norm(0, 1), stats.norm(3, 1)),
    "N(0,1), N(0,1.2)": (stats.norm(0, 1), stats.norm(0, 1.2)),
    "N(0,1), N(0,1.5)": (stats.norm(0, 1), stats.norm(0, 1.5)),
    "Gamma(2), Gamma(3)": (stats.gamma(2), stats.gamma(3)),
}


def claims(rounds: int) -> str:
    """Table over laws and sizes: share of runs that claim too much, at most 5 %, and the median beside the visible."""
    header = ["train, population", "losses each", "runs", "claims too much", "median bound", "visible", "ratio", "time"]
    rows = [_row(name, partial(_same, law), 0.0, 0.0, n, rounds) for name, law in NULLS.items() for n in _sizes()]
    for name, laws in PAIRS.items():
        truth = from_laws(*laws, DELTA).value
        rows += [_row(name, partial(_pair, laws), truth, visible(*laws, n), n, rounds) for n in _sizes()]
    return table(header, rows)


def _sizes() -> tuple[int, ...]:
    return 100, 1_000, 10_000, 100_000


def _same(
    law: Callable[[np.random.Generator, int], np.ndarray], rng: np.random.Generator, n: int
) -> tuple[np.ndarray, np.ndarray]:
    return law(rng, n), law(rng, n)


def _pair(laws: Pair, rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    train, population = (law.rvs(size=n, random_state=rng) for law in laws)
    return train, population


def _row(name: str, draw: Draw, truth: float, seen: float, n: int, rounds: int) -> list[str]:
    rng, values, seconds = np.random.default_rng(n), [], []
    for _ in range(rounds):
        train, population = map(np.sort, draw(rng, n))
        start = perf_counter()
        values.append(lower_bound(Ascending(train), Ascending(population), DELTA, LEVEL).value)
        seconds.append(perf_counter() - start)
    median = float(np.median(values))
    ratio = f"{median / seen:.2f}" if seen > 0.0 else "-"
    wrong = f"{np.mean(np.array(values) > truth):.1%}"
    cells = [name, f"{n:,}", str(rounds), wrong, f"{median:.3f}", f"{seen:.3f}", ratio]
    return [*cells, f"{np.median(seconds) * 1e3:.1f} ms"]


def visible(train: Law, population: Law, n: int) -> float:
    """Largest of the four ratios' logs over thresholds beyond which both groups expect at least ``SEEN`` losses."""
    share = SEEN / n
    if share >= 0.5:
        return 0.0
    ends = [(law.ppf(share), law.isf(share)) for law in (train, population)]
    low = np.linspace(max(end[0] for end in ends), train.isf(1e-9), 100_001)
    high = np.linspace(train.ppf(1e-9), min(end[1] for end in ends), 100_001)
    below = [np.exp(law.logcdf(low)) for law in (train, population)]
    above = [np.exp(law.logsf(high)) for law in (train, population)]
    ratios = [(a - DELTA) / b for a, b in (below, below[::-1], above, above[::-1])]
    return float(np.log(max(1.0, *(np.max(ratio) for ratio in ratios))))


def ten_million(rounds: int) -> str:
    """Time of the bound for ascending losses, and of the whole estimate for losses in random order."""
    rows = []
    for n in (10**6, 10**7):
        rng = np.random.default_rng(0)
        train, population = rng.normal(0, 1, n), rng.normal(1, 1, n)
        ascending = np.sort(train), np.sort(population)
        bound, whole = [], []
        for _ in range(min(rounds, 3)):
            start = perf_counter()
            lower_bound(Ascending(ascending[0]), Ascending(ascending[1]), DELTA, LEVEL)
            bound.append(perf_counter() - start)
            start = perf_counter()
            estimate(train, population, DELTA, Method.CONFIDENCE)
            whole.append(perf_counter() - start)
        rows.append([f"{n:,}", f"{np.median(bound):.3f} s", f"{np.median(whole):.2f} s"])
    return table(["losses each", "bound, ascending losses", "estimate, any order"], rows)


if __name__ == "__main__":
    print(ten_million(3), flush=True)
    print(claims(1000))
