"""Clopper-Pearson bounds of jax-privacy and TensorFlow Privacy beside our lower bound, on the same simulated losses.

The peers are in requirements-peers.txt, and no part of the app. Each gets minus the losses as scores, 95 % confidence
and both sides of the threshold. jax-privacy's default strategy divides the risk by the number of thresholds it keeps.
TensorFlow Privacy knows no delta and does not correct for its choice of the best threshold; its way to list thresholds
needs an older scikit-learn, so it gets them: the middles between neighbouring losses, which give the same counts.
"""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from time import perf_counter
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from benchmarks.timing import milliseconds, table
from numerics.epsilon_star import LEVEL, from_laws, lower_bound
from numerics.epsilon_star.confidence import Ascending
from numerics.trade_off import Floats

SIZES = (1_000, 10_000)
Audit = Callable[[Floats, Floats, float], float]


class Case(NamedTuple):
    """Laws of the train and the population losses, and epsilon* of them at ``delta``."""

    name: str
    train: Any  # a frozen law of SciPy
    population: Any
    delta: float
    truth: float


def cases() -> list[Case]:
    """One law for both groups; two normal laws; two Laplace laws, whose ratio is e at every threshold in the tails."""
    same, first, second = stats.gamma(2), stats.norm(0, 1), stats.norm(1, 1)
    return [
        Case("Gamma(2), Gamma(2)", same, same, 0.0, 0.0),
        Case("N(0,1), N(1,1)", first, second, 1e-5, from_laws(first, second, 1e-5).value),
        Case("Laplace(0), Laplace(1)", stats.laplace(0), stats.laplace(1), 0.0, 1.0),
    ]


def compare(rounds: int) -> str:
    """Table over laws, sizes and libraries: share of runs above the truth, at most 5 % is right, and the median."""
    audits: dict[str, Audit] = {"this bound": _ours, "jax-privacy": _jax_privacy(), "TensorFlow Privacy": tensorflow()}
    header = [
        "train, population",
        "delta",
        "truth",
        "losses each",
        "bound",
        "runs",
        "claims too much",
        "median",
        "time",
    ]
    rows = [row for case in cases() for n in SIZES for row in _rows(case, n, audits, rounds)]
    return table(header, rows)


def _rows(case: Case, n: int, audits: dict[str, Audit], rounds: int) -> list[list[str]]:
    rng = np.random.default_rng(n)
    values: dict[str, list[float]] = {name: [] for name in audits}
    seconds: dict[str, list[float]] = {name: [] for name in audits}
    for _ in range(rounds):
        train, population = (np.sort(law.rvs(size=n, random_state=rng)) for law in (case.train, case.population))
        for name, audit in audits.items():
            begun = perf_counter()
            values[name].append(audit(train, population, case.delta))
            seconds[name].append(perf_counter() - begun)
    start = [case.name, f"{case.delta:g}", f"{case.truth:.3f}", f"{n:,}"]
    return [[*start, name, *_summary(values[name], seconds[name], case.truth)] for name in audits]


def _summary(values: list[float], seconds: list[float], truth: float) -> list[str]:
    wrong = f"{np.mean(np.array(values) > truth):.1%}"
    return [str(len(values)), wrong, f"{np.median(values):.3f}", milliseconds(float(np.median(seconds)))]


def _ours(train: Floats, population: Floats, delta: float) -> float:
    return lower_bound(Ascending(train), Ascending(population), delta, LEVEL).value


def _jax_privacy() -> Audit:
    return partial(_by_jax_privacy, peer("jax_privacy.auditing"))


def _by_jax_privacy(auditing: ModuleType, train: Floats, population: Floats, delta: float) -> float:
    auditor = auditing.CanaryScoreAuditor(-train, -population)
    return float(auditor.epsilon_clopper_pearson(1.0 - LEVEL, delta, one_sided=False))


def tensorflow() -> Audit:
    """TensorFlow Privacy's bound for losses, lower ones being the members'; it knows no delta."""
    return partial(_by_tensorflow, peer("tensorflow_privacy.privacy.privacy_tests.epsilon_lower_bound"))


def _by_tensorflow(module: ModuleType, train: Floats, population: Floats, _delta: float) -> float:
    scores = np.sort(-np.concatenate([train, population]))
    thresholds = (scores[:-1] + scores[1:]) / 2.0
    audit = module.EpsilonLowerBound(-train, -population, 1.0 - LEVEL, thresholds=thresholds)
    best = audit.compute_epsilon_lower_bound(module.BoundMethod.CLOPPER_PEARSON, k=1)
    return max(0.0, float(best[0]))


def peer(name: str) -> ModuleType:
    """The module of a peer; ends the program in words where it is missing."""
    try:
        return import_module(name)
    except ImportError as error:
        message = f"{name} is missing ({error}): install requirements-peers.txt as its first lines say."
        raise SystemExit(message) from error


if __name__ == "__main__":
    print(compare(200))
