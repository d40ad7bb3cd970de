"""jax-privacy's and TensorFlow Privacy's audits beside ours of one run, on the same simulated scores of canaries.

Both are in requirements-peers.txt, and no part of the app. jax-privacy gets 95 % confidence and its default strategy,
which divides the risk by the number of thresholds it keeps, and guesses "in" only. Its test of a curve takes mu-GDP for
the truth and turns the mu refuted into an epsilon, which is a bound for normal noise alone. TensorFlow Privacy has no
audit of one run: its bound takes each canary for a run of its own, knows no delta, and does not correct for its choice
of the best threshold.
"""

from collections.abc import Callable
from functools import partial
from time import process_time
from types import ModuleType
from typing import NamedTuple

import numpy as np
from scipy.special import expit

from benchmarks.audit_peers import Audit, peer, tensorflow
from benchmarks.one_run import Bits, Draw, canaries_drawn
from benchmarks.timing import milliseconds, table
from numerics.audits import ApproximateClaim
from numerics.audits.one_run import Canaries, odds, parameter_refuted
from numerics.epsilon_star import LEVEL
from numerics.mechanisms import Gaussian
from numerics.trade_off import Floats

SIZES = (300, 1_000, 3_000)
_DELTA = 1e-5


class Case(NamedTuple):
    """How scores of canaries with these coins are drawn, and the epsilon at delta 1e-5 of that mechanism."""

    name: str
    draw: Draw
    truth: float


def cases() -> list[Case]:
    """Normal noise of two sizes, and coins told rightly with probability e / (1 + e)."""
    normal = [
        Case(
            f"Gaussian, mu {mu:g}",
            lambda rng, coins, mu=mu: rng.standard_normal(len(coins)) + mu * coins,  # type: ignore[misc]
            Gaussian(1.0 / mu).epsilon(_DELTA).upper,
        )
        for mu in (1.0, 2.0)
    ]
    return [*normal, Case("randomised response, epsilon 1", _told, 1.0)]


def _told(rng: np.random.Generator, coins: Bits) -> Floats:
    """With lots in the last digits: equal scores would be one threshold."""
    told = np.where(rng.random(len(coins)) < expit(1.0), coins, ~coins)
    return told + 1e-6 * rng.random(len(coins))


def compare(rounds: int) -> str:
    """Table over mechanisms, numbers of canaries and libraries: bounds above the truth, at most 5 % is right."""
    module = peer("jax_privacy.auditing")
    audits: dict[str, Callable[[Canaries], float]] = {
        "ours, curve": _curve,
        "ours, odds": lambda canaries: odds.epsilon_at_least(canaries.guesses(), _DELTA, LEVEL),
        "jax-privacy, odds": partial(_theirs, module, "epsilon_one_run"),
        "jax-privacy, curve": partial(_theirs, module, "epsilon_one_run_fdp"),
        "TensorFlow Privacy": partial(_as_many_runs, tensorflow()),
    }
    header = ["mechanism", "truth", "canaries", "bound", "runs", "claims too much", "median", "CPU"]
    return table(header, [row for case in cases() for m in SIZES for row in _rows(case, m, audits, rounds)])


def _rows(case: Case, size: int, audits: dict[str, Callable[[Canaries], float]], rounds: int) -> list[list[str]]:
    values: dict[str, list[float]] = {name: [] for name in audits}
    seconds = dict.fromkeys(audits, 0.0)
    for run in range(rounds):
        canaries = canaries_drawn(case.draw, size, run)
        for name, audit in audits.items():
            begun = process_time()
            values[name].append(audit(canaries))
            seconds[name] += process_time() - begun
    return [
        [
            *(case.name, f"{case.truth:.3f}", f"{size:,}", name, str(rounds)),
            *(f"{np.mean(np.array(found) > case.truth):.1%}", f"{np.median(found):.3f}"),
            milliseconds(seconds[name] / rounds),
        ]
        for name, found in values.items()
    ]


def _curve(canaries: Canaries) -> float:
    return parameter_refuted(canaries.guesses(), ApproximateClaim(1.0, _DELTA), LEVEL) or 0.0


def _theirs(module: ModuleType, bound: str, canaries: Canaries) -> float:
    auditor = module.CanaryScoreAuditor(canaries.score[canaries.included], canaries.score[~canaries.included])
    return float(getattr(auditor, bound)(1.0 - LEVEL, _DELTA))


def _as_many_runs(audit: Audit, canaries: Canaries) -> float:
    return audit(-canaries.score[canaries.included], -canaries.score[~canaries.included], _DELTA)


if __name__ == "__main__":
    print(compare(100))
