"""Monte Carlo as it was done first, as a task that runs a slice at a time."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass

import numpy as np

from numerics import reconstruction
from numerics.approximations.expansions import estimate
from numerics.lazy_property import lazy_property
from numerics.mechanisms import Mechanism
from numerics.reconstruction import SampleChunk
from numerics.trade_off import Floats
from pages.ui.cached_reconstruction import PRIORS
from pages.ui.task_runner import TaskRunner
from plotting.curves import EstimatedCurve

RUNNER = TaskRunner("reconstruct.hayes", kept=3)  # 8 MB each
_SECONDS_PER_DRAW = 3e-8
# Arrays in use at once, of a chunk's drawn numbers, and of all losses; a test compares them with what is allocated.
_ARRAYS_OF_A_DRAW, _ARRAYS_OF_A_SUM = 4, 4
_LIMIT = "Hayes et al., Algorithm 1: subject to its standard error, and not usable where too few draws are kept."


@dataclass(frozen=True)
class MonteCarloTask:
    """``samples`` releases without the record, drawn step by step. See task_runner.Task."""

    release: Mechanism
    samples: int

    def start(self) -> Generator[SampleChunk, None, None]:
        """The samples, in chunks; raises ValueError where that takes too long, or where the sampling is not Poisson."""
        return reconstruction.hayes(self.release, self.samples)

    def words(self, chunks: Sequence[SampleChunk], seconds: float) -> str:
        """How far it is."""
        done = chunks[-1].done if chunks else 0
        return f"Monte Carlo: {done:,} of {self.samples:,} samples, {seconds:.0f} s"

    def result(self, chunks: Sequence[SampleChunk], seconds: float) -> "Sampled":
        """The estimate from the samples there are."""
        losses = np.concatenate([chunk.losses for chunk in chunks]) if chunks else np.empty(0)
        largest = max((chunk.losses.nbytes for chunk in chunks), default=0)
        return Sampled(self, losses, seconds, largest)

    @property
    def seconds(self) -> float:
        """About how long it takes."""
        return _SECONDS_PER_DRAW * reconstruction.draws(self.release, self.samples)


@dataclass(frozen=True, eq=False)
class Sampled:
    """What was drawn: one summed log-likelihood ratio a sample, ``chunk`` bytes of them at a time."""

    task: MonteCarloTask
    losses: Floats
    seconds: float
    chunk: int

    @property
    def memory(self) -> int:
        """About the most bytes in use at once: while a chunk's steps are drawn, or while the losses are summed up."""
        steps = reconstruction.draws(self.task.release, 1)
        return max(self.losses.nbytes + _ARRAYS_OF_A_DRAW * self.chunk * steps, _ARRAYS_OF_A_SUM * self.losses.nbytes)

    def at(self, prior: float) -> tuple[float, float, bool]:
        """Estimate at ``prior``, its standard error, and whether it is usable."""
        found = reconstruction.hayes_estimate(self.losses, np.array([prior]))
        return float(found.success[0]), float(found.standard_error[0]), bool(found.usable[0])

    @lazy_property
    def overlay(self) -> EstimatedCurve:
        """The estimated curve; nothing (NaN) where it is not usable. Sorts all losses, so it is made once."""
        found = reconstruction.hayes_estimate(self.losses, PRIORS)
        power = np.where(found.usable, found.success, np.nan)
        label = f"Monte Carlo (Algorithm 1), {len(self.losses):,} samples"
        curve = estimate(self.task.release, PRIORS, 1.0 - power, power, label=label, limit=_LIMIT)
        return EstimatedCurve(curve, np.where(found.usable, found.standard_error, np.nan))


def result_of(release: Mechanism) -> Sampled | None:
    """The largest sample that this session drew of ``release``."""
    found = [RUNNER.result_of(MonteCarloTask(release, samples)) for samples in SAMPLES]
    drawn: list[Sampled] = [one for one in found if one is not None and len(one.losses)]
    return max(drawn, key=lambda one: len(one.losses), default=None)


SAMPLES = (10_000, 100_000, 1_000_000)
