"""The lower confidence bound on Epsilon*: how often it claims too much, and how near it comes to what data can show."""

from collections.abc import Callable
from functools import partial
from time import perf_counter

import numpy as np
from scipy import stats

from benchmarks.timing import table
from numerics.epsilon_star import EMPIRICAL_CLIP, LossScale, Method, Transform, estimate, from_laws, lower_bound
from numerics.epsilon_star.confidence import Ascending
from numerics.epsilon_star.error_ratios import TailLaw
from numerics.epsilon_star.permutation import shuffled
from numerics.epsilon_star.resampling import binned, bootstrap

LEVEL = 0.95
DELTA = 1e-5
SEEN = 100  # losses that both groups expect beyond a threshold which counts as visible
Pair = tuple[TailLaw, TailLaw]
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


def visible(train: TailLaw, population: TailLaw, n: int) -> float:
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


def finite_samples(rounds: int) -> str:
    """Means and standard errors of the estimates for Gamma(2) against Gamma(2 + d), delta 1e-5 (correction 25)."""
    ways = ((Method.PARAMETRIC, DELTA), (Method.PARAMETRIC, None), (Method.EMPIRICAL, EMPIRICAL_CLIP))
    rows = []
    for n, runs in ((1_000, 400), (10_000, 200), (100_000, 60)):
        for d in range(4):
            rng = np.random.default_rng(d)
            values = []
            for _ in range(min(runs, 10 * rounds)):
                train, population = np.sort(rng.gamma(2.0, 5.0, n)), np.sort(rng.gamma(2.0 + d, 5.0, n))
                values.append(
                    [
                        estimate(train, population, DELTA, method, clip, scale=LossScale.PRINTED).value
                        for method, clip in ways
                    ]
                )
            errors = np.std(values, axis=0) / np.sqrt(len(values))
            cells = [f"{mean:.3f} ({error:.3f})" for mean, error in zip(np.mean(values, axis=0), errors, strict=True)]
            rows.append([f"{n:,}", str(d), str(len(values)), *cells])
    return table(["losses each", "d", "runs", "parametric, clip delta", "parametric", "empirical, clip 0.001"], rows)


def resampled(_: int) -> str:
    """Times of 1,000 bootstrap replicates of 1 million losses, sorting and binning included; and of shuffles."""
    rng = np.random.default_rng(0)
    train, population = (np.sort(rng.gamma(shape, 5.0, 500_000)) for shape in (2.0, 2.1))
    transform = Transform(LossScale.NATS, float(min(train[0], population[0])), float(max(train[-1], population[-1])))
    rows = []
    for method, clip in ((Method.EMPIRICAL, EMPIRICAL_CLIP), (Method.PARAMETRIC, None)):
        start = perf_counter()
        *_, last = bootstrap(binned(train, population, transform), method, DELTA, clip)
        low, high = last.interval()
        rows.append([str(method), "bootstrap", f"{perf_counter() - start:.2f} s", f"{low:.3f} to {high:.3f}"])
        start = perf_counter()
        *_, null = shuffled(train, population, DELTA, method, clip, LossScale.NATS)
        rows.append([str(method), "shuffled", f"{perf_counter() - start:.2f} s", f"up to {null.upper:.3f}"])
    return table(["method", "values", "time", "95 % of them"], rows)


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
    for section in (ten_million, resampled, finite_samples):
        print(section(40), flush=True)
    print(claims(1000))
