"""Releases drawn at random over all that the controls allow: refusals, infinite limits, CPU time, and dp-accounting.

``python -m benchmarks.random_releases 1000`` asks each release for its curve, its epsilon and its power.
"""

import argparse
import math
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.timing import milliseconds, table
from numerics.mechanisms import Adjacency, Gaussian, Laplace, SampledMechanism, Sampling
from numerics.privacy_loss.certify import forget
from numerics.trade_off import Bracket, Order, TradeOffCurve, alpha_grid

ALPHA = alpha_grid(400)
# dp-accounting rounds losses to this interval; where its epsilon is finite and its own lists stay short, it is asked.
PEER_INTERVAL = 1e-4
_PEER_LARGEST = 40.0


class Drawn(NamedTuple):
    """A release and what is asked of it."""

    release: SampledMechanism
    delta: float
    alpha: float


def drawn(rng: np.random.Generator) -> Drawn:
    """A release from noise 1e-3 ... 1e3, rate 1e-7 ... 1, 1 ... 1e6 steps, with delta 1e-12 ... .1, alpha from 1e-9."""
    noise, rate, steps, delta, alpha = 10.0 ** rng.uniform((-3, -7, 0, -12, -9), (3, 0, 6, -1, 0))
    kind = (Gaussian, Laplace)[rng.integers(2)]
    adjacency, sampling = (
        (Adjacency.ADD_REMOVE, Sampling.POISSON),
        (Adjacency.REPLACE_ONE, Sampling.POISSON),
        (Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE),
    )[rng.integers(3)]
    return Drawn(kind(float(noise), float(rate), int(steps), adjacency, sampling), float(delta), float(alpha))


class Answer(NamedTuple):
    """What came of a question, and CPU seconds."""

    result: Any
    seconds: float


def asked(question: Callable[[], Any]) -> Answer:
    """The answer from scratch."""
    forget()
    start = time.process_time()
    result = question()
    return Answer(result, time.process_time() - start)


def answers(one: Drawn) -> dict[str, Answer]:
    """Curve of both orders, epsilon and power, each at the library's own precision."""
    return {
        "curve": asked(lambda: one.release.trade_off(ALPHA, Order.SYMMETRIC)),
        "epsilon": asked(lambda: one.release.epsilon(one.delta)),
        "power": asked(lambda: one.release.power(one.alpha)),
    }


def width(result: Bracket | TradeOffCurve) -> float:
    """Of the bracket; of a curve the largest."""
    if isinstance(result, Bracket):
        return result.width
    return float(np.max(result.upper.beta - result.lower.beta)) if result.lower and result.upper else 0.0


def summary(found: list[dict[str, Answer]]) -> str:
    """Table of counts and CPU times, a row a question."""
    rows = []
    for name in found[0]:
        column = [one[name] for one in found]
        seconds = np.array([answer.seconds for answer in column])
        widths = [width(answer.result) for answer in column]
        wide = sum(value == math.inf for value in widths)
        times = [milliseconds(float(np.quantile(seconds, share))) for share in (0.5, 0.9, 0.99, 1.0)]
        narrow = f"{sorted(widths)[int(0.95 * len(widths))]:.1e}"
        rows.append([name, str(len(column)), str(wide), narrow, *times])
    header = ["question", "asked", "infinite", "95 % as narrow as", "p50", "p90", "p99", "longest"]
    return table(header, rows)


def peer_epsilon(one: Drawn) -> float | None:
    """Epsilon by dp-accounting's guarantee; None for what it has no mechanism for or would take minutes over."""
    from dp_accounting.pld import privacy_loss_distribution as pld  # noqa: PLC0415 - of the benchmarks' own packages

    release = one.release
    per_step = _step_reach(release)
    if release.adjacency is not Adjacency.ADD_REMOVE or per_step > _PEER_LARGEST:
        return None
    make = pld.from_gaussian_mechanism if isinstance(release, Gaussian) else pld.from_laplace_mechanism
    settings = {"sampling_prob": release.sampling_rate, "value_discretization_interval": PEER_INTERVAL}
    composed = make(release.noise_multiplier, **settings).self_compose(release.steps)
    return float(composed.get_epsilon_for_delta(one.delta))


def _step_reach(release: SampledMechanism) -> float:
    ((pair, _),) = release.pairs
    return max(map(abs, pair.loss_range(1e-15)))


def main() -> None:
    """Draw releases, ask, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("releases", type=int, nargs="?", default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--peer", type=int, default=0, help="ask dp-accounting about the first so many as well")
    parser.add_argument("--slow", type=float, default=2.0, help="name what takes longer, in CPU seconds")
    chosen = parser.parse_args()
    threadpool_limits(1)
    rng = np.random.default_rng(chosen.seed)
    found = []
    for index in range(chosen.releases):
        one = drawn(rng)
        found.append(answers(one))
        for name, answer in found[-1].items():
            if answer.seconds > chosen.slow or width(answer.result) == math.inf:
                print(f"{name}: {one}: {width(answer.result):.2g} wide, {answer.seconds:.2f} s", flush=True)
        theirs = peer_epsilon(one) if index < chosen.peer else None
        ours = found[-1]["epsilon"].result
        if theirs is not None and not ours.lower <= theirs * (1 + 1e-9):
            print(f"dp-accounting has less: {one}: {theirs} against {ours}", flush=True)
        if theirs is not None and ours.upper > theirs * 1.01 + 1e-3:
            print(f"dp-accounting is narrower: {one}: {theirs} against {ours}", flush=True)
    print(summary(found))


if __name__ == "__main__":
    main()
