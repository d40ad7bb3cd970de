"""How much the estimate varies: bootstrap interval; and mixtures where labels are shuffled, which takes minutes."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import streamlit as st

from losses import Groups
from numerics.epsilon_star import LossScale, Method, Transform, ascending
from numerics.epsilon_star.mixtures import ComponentChoice
from numerics.epsilon_star.resampling import (
    REPLICATES,
    SHUFFLES_OF_MIXTURES,
    PermutationNull,
    Replicates,
    binned,
    bootstrap,
    shuffled,
)
from pages.audit.epsilon_star.audits import EpsilonStarAudit
from pages.audit.epsilon_star.source import LossSource
from pages.ui.task_runner import TaskRunner
from reports.losses_audit import percent

RUNNER = TaskRunner("audit.bootstrap")
_LEVEL = 0.95
_SECONDS_PER_REPLICATE = 5e-3
_SECONDS_PER_MIXTURE = 4.0
_WORDS = (
    "**How much would the number vary?** New samples of the same sizes are drawn from the losses with replacement "
    "(bootstrap). The interval says how much the estimate varies, not how far it is from the truth; the lower "
    "confidence bound above is the one to rely on."
)
_SHUFFLED = (
    "**Is it more than luck?** Who was a member is shuffled, and mixtures are fitted anew each time. Until that is "
    "done, the estimate is not checked against a null of these losses."
)


class Chunk(NamedTuple):
    """What was found so far; ``done`` of ``total`` draws."""

    done: int
    total: int
    found: Replicates | PermutationNull


@dataclass(frozen=True)
class Resampling:
    """An estimate that is drawn anew. See task_runner.Task; kept by everything but the losses themselves."""

    key: tuple[str, ...]
    method: Method
    delta: float
    clip: float | None
    transform: Transform
    components: int | ComponentChoice
    groups: Callable[[], Groups] = field(compare=False)

    def start(self) -> Generator[Chunk, None, None]:
        """Replicates of the sample; of mixtures shuffles of the labels."""
        groups = self.groups()
        train, population = ascending(groups.train), ascending(groups.population)
        if self.method is Method.MIXTURE:
            scale = LossScale(self.transform.scale)
            for null in shuffled(train, population, self.delta, self.method, self.clip, scale, self.components):
                yield Chunk(len(null.values), null.total, null)
            return
        for replicates in bootstrap(binned(train, population, self.transform), self.method, self.delta, self.clip):
            yield Chunk(len(replicates.values), replicates.total, replicates)

    def words(self, chunks: Sequence[Chunk], seconds: float) -> str:
        """How far it is."""
        if not chunks:
            return "Resampling …"
        return f"Resampling: {chunks[-1].done:,} of {chunks[-1].total:,}, {seconds:.0f} s"

    def result(self, chunks: Sequence[Chunk], seconds: float) -> Replicates | PermutationNull | None:
        """What the draws there are say."""
        return chunks[-1].found if chunks else None


def _task_of(source: LossSource, audit: EpsilonStarAudit) -> Resampling | None:
    """The resampling that belongs to an audit; None without an estimate."""
    found = audit.estimated
    if found is None:
        return None
    transform, components = audit.summary.transform, audit.options.components
    return Resampling(source.key, found.method, found.delta, found.clip, transform, components, source.groups)


def interval_of(source: LossSource, audit: EpsilonStarAudit) -> tuple[float, float] | None:
    """The bootstrap interval that this session found."""
    task = _task_of(source, audit)
    found = None if task is None else RUNNER.result_of(task)
    return found.interval(_LEVEL) if isinstance(found, Replicates) else None


def checked(source: LossSource | None, audit: EpsilonStarAudit | None) -> EpsilonStarAudit | None:
    """The audit with the shuffles of mixtures that this session made, if all of them are done."""
    task = None if source is None or audit is None else _task_of(source, audit)
    found = None if task is None else RUNNER.result_of(task)
    if audit is None or not isinstance(found, PermutationNull) or len(found.values) < found.total:
        return audit
    return replace(audit, null=found)


def draw(source: LossSource, audit: EpsilonStarAudit) -> None:
    """Draw the start, the progress, and what was found."""
    task = _task_of(source, audit)
    if task is None:
        st.markdown("There is no estimate to draw anew. The lower bound needs none of that.")
        return
    is_mixture = task.method is Method.MIXTURE
    st.markdown(_SHUFFLED if is_mixture else _WORDS)
    RUNNER.draw_start(
        task, SHUFFLES_OF_MIXTURES * _SECONDS_PER_MIXTURE if is_mixture else REPLICATES * _SECONDS_PER_REPLICATE
    )
    found = RUNNER.result_of(task)
    if isinstance(found, Replicates):
        st.table(table(found), hide_index=True)


def table(found: Replicates) -> dict[str, list[str]]:
    """Columns of the table: what was drawn, how often, mean, and the middle 95 %."""
    low, high = found.interval(_LEVEL)
    return {
        "drawn": ["this sample, drawn anew"],
        "replicates": [f"{len(found.values):,}"],
        "mean of ε*": [f"{found.mean:.4g}"],
        f"middle {percent(_LEVEL)}": [f"{low:.4g} to {high:.4g}"],
    }
