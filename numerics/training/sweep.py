"""A sweep: one recipe, trained for several levels of attack success, attackers and seeds, beside two baselines."""

import zlib
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from numerics.calibration import PowerTarget
from numerics.gaussian_membership.calibration import MembershipTarget as Goal
from numerics.gaussian_membership.calibration import MuTarget
from numerics.training.calibrated import NOTIONS, Calibrated, Strategy, calibrated
from numerics.training.data_sets import data_set
from numerics.training.models import Softmax
from numerics.training.outcome import Outcome, outcomes
from numerics.training.private_sgd import Protection, Recipe, train
from numerics.validation import count, open_probability

LARGEST_GOALS, LARGEST_SEEDS, LARGEST_WORKERS = 40, 50, 64
ALPHA, DELTA = 0.01, 1e-5
GOALS: tuple[Goal, ...] = tuple(PowerTarget(power, ALPHA) for power in (0.012, 0.015, 0.02, 0.03, 0.05, 0.1, 0.2, 0.4))
# Chosen among 24 to 48 recipes per data set for accuracy on the held-out records, summed over no protection and three
# levels of full-knowledge protection (true positive rates 0.015, 0.04, 0.2): the same for all strategies.
_DEFAULTS: dict[str, tuple[float, int, int, float]] = {
    "digits": (0.5, 300, 30, 4.0),
    "breast cancer": (1.0, 190, 20, 2.0),
    "mnist": (0.5, 250, 15, 4.0),
}


def default_recipe(data: str) -> Recipe:
    """Softmax regression with clip, batch, epochs and learning rate that suit ``data``, a name in DATA_SETS.

    Reads the data. Raises ValueError for another name.
    """
    if data not in _DEFAULTS:
        raise ValueError(f"data must be one of {', '.join(map(repr, _DEFAULTS))}, got {data!r}.")
    return Recipe(data, Softmax(), *_DEFAULTS[data])


def mu_plan(recipe: Recipe, seeds: int = 5) -> Plan:
    """The set-up of paper 004 Fig. 3: twenty levels mu under full knowledge and where the other records are unknown."""
    levels = 0.4 * 125.0 ** (np.arange(20) / 19)
    return Plan(recipe, tuple(MuTarget(float(mu)) for mu in levels), (Strategy.FULL, Strategy.OTHERS), seeds)


@dataclass(frozen=True)
class Plan:
    """What is trained; hashable.

    Attributes:
        recipe: data, model and how it is trained.
        goals: largest acceptable attack success, levels of one kind.
        notions: the attackers, of NOTIONS.
        seeds: 0 ... seeds - 1 are the runs.
        alpha: false positive rate at which attacks on the trained models are stated, and guarantees.
        delta: delta of Epsilon* and of guarantees.

    Raises ValueError (TypeError for counts that are no whole numbers) at construction.
    """

    recipe: Recipe
    goals: tuple[Goal, ...] = GOALS
    notions: tuple[Strategy, ...] = NOTIONS
    seeds: int = 5
    alpha: float = ALPHA
    delta: float = DELTA

    def __post_init__(self) -> None:
        count("number of goals", len(self.goals), LARGEST_GOALS)
        count("seeds", self.seeds, LARGEST_SEEDS)
        open_probability("alpha", self.alpha)
        open_probability("delta", self.delta)
        if len({type(goal) for goal in self.goals}) > 1:
            raise ValueError("goals must be of one kind: powers, advantages, or levels mu.")
        if not set(self.notions) <= set(NOTIONS) or len(set(self.notions)) < len(self.notions):
            raise ValueError(f"notions must be different ones of {', '.join(map(str, NOTIONS))}.")
        if isinstance(self.goals[0], MuTarget) and Strategy.RECORD in self.notions:
            raise ValueError("notions must not include 'record unknown' for levels mu: its curves are not normal ones.")


@dataclass(frozen=True, kw_only=True)
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
    goal: float = np.nan
    seed: int
    noise_multiplier: float = 0.0
    sampling: str = ""
    bound: str = ""
    promised: float = np.nan
    private_noise: float = np.nan
    guaranteed_epsilon: float = np.inf
    guaranteed_power: float = 1.0


class Progress(NamedTuple):
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


def run(plan: Plan, workers: int = 1) -> Generator[Progress, None, None]:
    """Do the sweep in ``workers`` threads. Each row depends on the plan's part that it is about, on nothing else.

    The order of chunks may differ from run to run with several workers; ``summary`` sorts. Closing it stops the work.
    """
    count("workers", workers, LARGEST_WORKERS)
    jobs: list[_Job] = [partial(_majority, plan), partial(_non_private, plan)]
    jobs += [partial(_calibrate, plan, goal) for goal in plan.goals]
    total = 2 + len(plan.goals) * (1 + len(plan.notions))
    for done, found in enumerate(_in_turn(jobs) if workers == 1 else _in_threads(jobs, workers), 1):
        yield Progress(done, total, found.calibrated, found.trained)


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
    found = _trained(plan, noise.protection, f"{noise.notion} {noise.goal.label}")
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
        for seed, outcome in enumerate(found)
    )
    return _Result(trained=tuple(rows))


def _non_private(plan: Plan) -> _Result:
    protection = Protection(clipped=False)
    found = _trained(plan, protection, Strategy.NON_PRIVATE)
    sampling = str(protection.sampling)
    rows = (
        Trained(strategy=Strategy.NON_PRIVATE, seed=seed, sampling=sampling, **asdict(outcome))
        for seed, outcome in enumerate(found)
    )
    return _Result(trained=tuple(rows))


def _majority(plan: Plan) -> _Result:
    """The members' most frequent class for everybody: no loss tells them apart, and nothing is promised."""
    found = data_set(plan.recipe.data)
    accuracy = float(np.mean(found.fresh_labels == np.bincount(found.labels).argmax()))
    outcome = Outcome(accuracy, 0.5, 0.0, 0.0, plan.alpha, 0.0)
    rows = (Trained(strategy=Strategy.MAJORITY, seed=seed, **asdict(outcome)) for seed in range(plan.seeds))
    return _Result(trained=tuple(rows))


def _trained(plan: Plan, protection: Protection, what: str) -> tuple[Outcome, ...]:
    generators = [generator_for(f"{plan.recipe.label} {what}", seed) for seed in range(plan.seeds)]
    weights = train(plan.recipe, protection, generators)
    return outcomes(plan.recipe.model, weights, data_set(plan.recipe.data), plan.alpha, plan.delta)


def generator_for(what: str, seed: int) -> np.random.Generator:
    """Random numbers of the run ``seed`` of what is trained, independent of those of all else."""
    return np.random.default_rng(np.random.SeedSequence((seed, zlib.crc32(what.encode()))))


@dataclass(frozen=True)
class Spread:
    """Mean, extremes and standard deviation (n - 1; 0 for one) of several runs."""

    mean: float
    least: float
    most: float
    deviation: float

    @classmethod
    def of(cls, values: Iterable[float]) -> "Spread":
        """Of at least one value."""
        numbers = np.array(list(values))
        deviation = float(numbers.std(ddof=1)) if len(numbers) > 1 else 0.0
        return cls(float(numbers.mean()), float(numbers.min()), float(numbers.max()), deviation)


@dataclass(frozen=True)
class Cell:
    """All runs of one strategy and goal.

    Attributes:
        strategy: how they were protected.
        goal: the attack success asked for; NaN for baselines.
        accuracy: on held-out records.
        auroc: on held-out records.
        rows: the runs, by seed.
    """

    strategy: Strategy
    goal: float
    accuracy: Spread
    auroc: Spread
    rows: tuple[Trained, ...]


def summary(rows: Iterable[Trained]) -> tuple[Cell, ...]:
    """Cells in the order of Strategy, then of goals, whatever the order of ``rows``."""
    groups: dict[tuple[int, float], list[Trained]] = {}
    order = list(Strategy)
    for row in rows:
        groups.setdefault((order.index(row.strategy), -1.0 if np.isnan(row.goal) else row.goal), []).append(row)
    return tuple(_cell(sorted(group, key=lambda row: row.seed)) for _, group in sorted(groups.items()))


def _cell(group: Sequence[Trained]) -> Cell:
    accuracy, auroc = (Spread.of(getattr(row, name) for row in group) for name in ("accuracy", "auroc"))
    return Cell(group[0].strategy, group[0].goal, accuracy, auroc, tuple(group))
