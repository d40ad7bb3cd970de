"""How much the estimate varies: bootstrap interval, and what it would be if there were nothing to find."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import streamlit as st

from losses import Groups
from numerics.epsilon_star import Method, ascending
from numerics.epsilon_star.resampling import REPLICATES, Replicates, binned, bootstrap, null_values
from pages.measuring.audits import Audit, percent
from pages.measuring.source import Source
from pages.shared.slices import Bench

BENCH = Bench("bootstrap")
_LEVEL = 0.95
_SECONDS_PER_REPLICATE = 5e-3
_WORDS = (
    "**How much would the number vary?** New samples of the same sizes are drawn from the losses with replacement "
    "(bootstrap), and with both groups mixed and dealt anew (nothing to find). The interval says how much the estimate "
    "varies, not how far it is from the truth; the lower confidence bound above is the one to rely on."
)


class Chunk(NamedTuple):
    """Replicates so far, of the one kind or the other; ``done`` of ``total`` replicates of both kinds."""

    done: int
    total: int
    is_null: bool
    replicates: Replicates


@dataclass(frozen=True)
class Resampling:
    """An estimate whose variation is wanted. See slices.Task; kept by everything but the losses themselves."""

    key: tuple[str, ...]
    method: Method
    delta: float
    clip: float | None
    groups: Callable[[], Groups] = field(compare=False)

    def check(self) -> None:
        """Raise ValueError for a method that is not resampled."""
        if self.method not in (Method.EMPIRICAL, Method.PARAMETRIC):
            raise ValueError(f"{self.method} are not resampled: every replicate would be fitted anew.")

    def start(self) -> Generator[Chunk, None, None]:
        """Both kinds of replicates, one after the other."""
        groups, total = self.groups(), 2 * REPLICATES
        losses = binned(ascending(groups.train), ascending(groups.population))
        for is_null, run in enumerate((bootstrap, null_values)):
            for replicates in run(losses, self.method, self.delta, self.clip):
                yield Chunk(is_null * REPLICATES + len(replicates.values), total, bool(is_null), replicates)

    def words(self, chunks: Sequence[Chunk], seconds: float) -> str:
        """How far it is."""
        done = chunks[-1].done if chunks else 0
        return f"Resampling: {done:,} of {2 * REPLICATES:,} replicates, {seconds:.0f} s"

    def result(self, chunks: Sequence[Chunk], seconds: float) -> "Resampled":
        """What the replicates there are say."""
        found = {chunk.is_null: chunk.replicates for chunk in chunks}
        return Resampled(found.get(False), found.get(True))


class Resampled(NamedTuple):
    """Replicates of the sample and of nothing to find; None where none were drawn."""

    sample: Replicates | None
    null: Replicates | None


def task_of(source: Source, audit: Audit) -> Resampling:
    """The resampling that belongs to an audit."""
    result = audit.result
    return Resampling(source.key, result.method, result.delta, result.clip, source.groups)


def result_of(source: Source, audit: Audit) -> Resampled | None:
    """What this session found for it."""
    found: Resampled | None = BENCH.result_of(task_of(source, audit))
    return found


def draw(source: Source, audit: Audit) -> None:
    """Draw the start, the progress, and what was found."""
    st.markdown(_WORDS)
    task = task_of(source, audit)
    task.check()
    BENCH.draw_start(task, 2 * REPLICATES * _SECONDS_PER_REPLICATE)
    if refusal := BENCH.refusal_of(task):
        raise ValueError(refusal)
    found = result_of(source, audit)
    if found is not None:
        st.table(table(found), hide_index=True)


def table(found: Resampled) -> dict[str, list[str]]:
    """Columns of the table: what was drawn, how often, mean, and the middle 95 %."""
    rows = [("this sample, drawn anew", found.sample), ("nothing to find", found.null)]
    drawn = [(name, kind) for name, kind in rows if kind is not None]
    limits = [kind.interval(_LEVEL) for _, kind in drawn]
    return {
        "drawn": [name for name, _ in drawn],
        "replicates": [f"{len(kind.values):,}" for _, kind in drawn],
        "mean of ε*": [f"{kind.mean:.4g}" for _, kind in drawn],
        f"middle {percent(_LEVEL)}": [f"{low:.4g} to {high:.4g}" for low, high in limits],
    }
