"""A sweep: one recipe, trained for several levels of attack success, attackers and seeds, beside two baselines."""

import zlib
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict
from functools import partial
from typing import Annotated, NamedTuple

import numpy as np

from numerics.gaussian_membership.calibration import MembershipTarget as Goal
from numerics.training.calibrated import Calibrated, Strategy, calibrated
from numerics.training.data_sets import data_set
from numerics.training.outcome import Outcome, outcomes
from numerics.training.plans import Plan
from numerics.training.private_sgd import Protection, train
from numerics.validation import Interval, Unknown, checked, value

LARGEST_WORKERS = 64


@value(kw_only=True)
class Trained(Outcome):
    """One model, and the row of a table; see Outcome for what it is good for and gives away.

    Attributes:
        strategy: how it was protected.
        goal: the attack success asked for, in the plan's kind; NaN for baselines.
        seed: which run.
        noise_multiplier: noise on a batch's sum in units of C.
        sampling: how batches were drawn; "" for the majority class.
        bound: whether the promise is certified or an estimate; "" for baselines.
        promised: attack success promised under its own notion, in the plan's kind; NaN for baselines.
        private_noise: noise that full knowledge would ask for with the same sampling and neighbours; NaN for baselines.
        guaranteed_epsilon: differential privacy of the noise added, at the plan's delta: at most this.
        guaranteed_power: true positive rate of any attack at the plan's alpha: at most this.
    """

    strategy: Strategy
    goal: Unknown = np.nan
    seed: int
    noise_multiplier: Unknown = 0.0
    sampling: str = ""
    bound: str = ""
    promised: Unknown = np.nan
    private_noise: Unknown = np.nan
    guaranteed_epsilon: Unknown = np.inf
    guaranteed_power: Unknown = 1.0


class SweepChunk(NamedTuple):
    """One chunk of a sweep: ``done`` of ``total`` units of work are finished.

    Attributes:
        done: finished units; a unit is one goal's calibration for all notions, or all runs of one model.
        total: units in all.
        calibrated: noise found in this chunk.
        trained: models trained in this chunk.
    """

    done: int
    total: int
    calibrated: tuple[Calibrated, ...]
    trained: tuple[Trained, ...]


@checked
def run(plan: Plan, workers: Annotated[int, Interval(1, LARGEST_WORKERS)] = 1) -> Generator[SweepChunk, None, None]:
    """Do the sweep in ``workers`` threads. Each row depends on the plan's part that it is about, on nothing else.

    The order of chunks may differ from run to run with several workers; ``summary`` sorts. Closing it stops the work.
    """
    jobs: list[_Job] = [partial(_majority, plan), partial(_non_private, plan)]
    jobs += [partial(_calibrate, plan, goal) for goal in plan.goals]
    total = 2 + len(plan.goals) * (1 + len(plan.notions))
    for done, found in enumerate(_in_turn(jobs) if workers == 1 else _in_threads(jobs, workers), 1):
        yield SweepChunk(done, total, found.calibrated, found.trained)


class _Result(NamedTuple):
    """What a job found, and the jobs that this makes possible."""

    calibrated: tuple[Calibrated, ...] = ()
    trained: tuple[Trained, ...] = ()
    next: tuple["_Job", ...] = ()


_Job = Callable[[], _Result]


def _in_turn(jobs: Sequence[_Job]) -> Generator[_Result, None, None]:
    waiting = list(jobs)
    while waiting:
        found = waiting.pop(0)()
        waiting = [*found.next, *waiting]
        yield found


def _in_threads(jobs: Sequence[_Job], workers: int) -> Generator[_Result, None, None]:
    pool = ThreadPoolExecutor(workers)
    try:
        pending: set[Future[_Result]] = {pool.submit(job) for job in jobs}
        while pending:
            finished, pending = wait(pending, return_when=FIRST_COMPLETED)
            for future in finished:
                pending |= {pool.submit(job) for job in future.result().next}
                yield future.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _calibrate(plan: Plan, goal: Goal) -> _Result:
    release = plan.recipe.release
    found = tuple(calibrated(notion, goal, release, plan.alpha, plan.delta) for notion in plan.notions)
    return _Result(found, next=tuple(partial(_protected, plan, noise) for noise in found))


def _protected(plan: Plan, noise: Calibrated) -> _Result:
    rows = (
        Trained(
            strategy=noise.notion,
            goal=noise.goal.goal,
            seed=seed,
            noise_multiplier=noise.noise_multiplier,
            sampling=str(noise.sampling),
            bound=str(noise.bound),
            promised=noise.promised,
            private_noise=noise.private_noise,
            guaranteed_epsilon=noise.guarantee.epsilon,
            guaranteed_power=noise.guarantee.power,
            **asdict(outcome),
        )
        for seed, outcome in enumerate(_trained(plan, noise.protection))
    )
    return _Result(trained=tuple(rows))


def _non_private(plan: Plan) -> _Result:
    protection = Protection(clipped=False)
    sampling = str(protection.sampling)
    rows = (
        Trained(strategy=Strategy.NON_PRIVATE, seed=seed, sampling=sampling, **asdict(outcome))
        for seed, outcome in enumerate(_trained(plan, protection))
    )
    return _Result(trained=tuple(rows))


def _majority(plan: Plan) -> _Result:
    """The members' most frequent class for everybody: no loss tells them apart, and nothing is promised."""
    found = data_set(plan.recipe.data)
    accuracy = float(np.mean(found.fresh_labels == np.bincount(found.labels).argmax()))
    outcome = Outcome(accuracy, 0.5, 0.0, 0.0, plan.alpha, 0.0)
    rows = (Trained(strategy=Strategy.MAJORITY, seed=seed, **asdict(outcome)) for seed in range(plan.seeds))
    return _Result(trained=tuple(rows))


def _trained(plan: Plan, protection: Protection) -> tuple[Outcome, ...]:
    """All runs under one protection.

    Each run starts from the same weights with the same random numbers under every protection, so that differences
    between protections are theirs: equal noise gives equal models.
    """
    generators = [generator_for(plan.recipe.label, seed) for seed in range(plan.seeds)]
    weights = train(plan.recipe, protection, generators)
    return outcomes(plan.recipe.model, weights, data_set(plan.recipe.data), plan.alpha, plan.delta)


def generator_for(what: str, seed: int) -> np.random.Generator:
    """Random numbers of the run ``seed`` of what is trained, independent of those of all else."""
    return np.random.default_rng(np.random.SeedSequence((seed, zlib.crc32(what.encode()))))
