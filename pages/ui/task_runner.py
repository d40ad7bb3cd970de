"""Long computations done a slice at a time, so that the page stays alive, shows progress and can be left.

The generator that computes waits in the session between the slices; the browser asks for the next one. Leaving the page
pauses it, closing the tab ends it; within a chunk, it ends at the next look at a deadline. Of finished work only the
results are kept, in the session.

This is for work that comes in chunks and whose result is the session's: it may rest on an upload, which no other thread
may answer for. What is one long question, whose answer is everybody's, cannot be worked on between two drawings:
``longer_work`` has a thread for it.
"""

from collections.abc import Generator, Hashable, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from inspect import GEN_RUNNING, getgeneratorstate
from time import perf_counter
from typing import Any, Protocol

import streamlit as st

from numerics.deadline import DeadlineError
from pages.server.budget import Budget, within
from pages.server.presence import moved_on
from pages.server.turns import RUNS, SLOW

SLICE = 0.4  # seconds of work between two chances to cancel
# Seconds. The browser asks for the next slice this often, with all its controls; by the end of a slice it has done so.
_EVERY = 0.25
_PATIENCE = 0.1  # seconds to wait for a turn


class Task(Hashable, Protocol):
    """What is to be computed; results are kept by it."""

    def start(self) -> Generator[Any, None, None]:
        """The generator that does it; raises ValueError where it cannot be done.

        What it yields says by its attributes that ``done`` of ``total`` units are finished.
        """
        ...

    def words(self, chunks: Sequence[Any], seconds: float) -> str:
        """How far it is."""
        ...

    def result(self, chunks: Sequence[Any], seconds: float) -> object:
        """What the chunks there are say; also of work that was cancelled."""
        ...


@dataclass
class Run:
    """A task under way."""

    task: Task
    steps: Generator[Any, None, None]
    chunks: list[Any] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def share(self) -> float:
        """Share of the work that is done."""
        return float(self.chunks[-1].done / self.chunks[-1].total) if self.chunks else 0.0

    def advance(self, seconds: float) -> bool:
        """Work for about ``seconds``, a chunk at least; whether the task is finished."""
        if getgeneratorstate(self.steps) == GEN_RUNNING:
            return False  # a run of the page that was broken off is still within a chunk
        began = perf_counter()
        try:
            for step in self.steps:
                self.chunks.append(step)
                if perf_counter() - began >= seconds:
                    break
        except DeadlineError:
            self._begin_anew()
        finally:
            self.seconds += perf_counter() - began
        return self.share == 1.0

    def _begin_anew(self) -> None:
        """A chunk was broken off as nobody waited for it. What it asked the caches and they answered stays there."""
        self.steps, self.chunks = self.task.start(), []

    def result(self) -> object:
        """Stop, and say what the chunks there are say."""
        with suppress(ValueError):  # a run of the page that was broken off may still be within its last chunk
            self.steps.close()
        return self.task.result(self.chunks, self.seconds)


@dataclass(frozen=True)
class TaskRunner:
    """Where one kind of task is worked on: one at a time in a session, with the results of earlier ones.

    Attributes:
        name: also the start of the widgets' keys.
        kept: how many results are kept.
    """

    name: str
    kept: int = 24

    @property
    def running(self) -> Run | None:
        """The task under way in this session."""
        run: Run | None = st.session_state.get(self.running_key)
        return run

    @property
    def running_key(self) -> str:
        """Where the session keeps the task under way."""
        return f"{self.name}_running"

    def result_of(self, task: Task) -> Any:
        """What this session found for ``task``; None before."""
        return self._results().get(task, (0.0, None))[1]

    def start(self, task: Task) -> None:
        """Start ``task``, if it can be done. For a button's ``on_click``."""
        self.stop()
        st.session_state.pop(self._refusal_key, None)
        try:
            st.session_state[self.running_key] = Run(task, task.start())
        except ValueError as refusal:
            self.refuse(task, refusal)

    def stop(self) -> None:
        """End the task under way; keep what it has, unless an earlier run got farther. For a button's ``on_click``."""
        run = self.running
        if run is None:
            return
        results = self._results()
        earlier = results.get(run.task, (0.0, None))
        found = earlier if earlier[0] > run.share else (run.share, run.result())  # may be broken off: it is still there
        del st.session_state[self.running_key]
        results.pop(run.task, None)
        results[run.task] = found
        while len(results) > self.kept:
            del results[next(iter(results))]

    def refuse(self, task: Task, reason: ValueError) -> None:
        """Give ``task`` up, and remember why."""
        st.session_state.pop(self.running_key, None)
        st.session_state[self._refusal_key] = (task, str(reason))

    def draw_start(self, task: Task, seconds: float | None = None, label: str = "Start") -> None:
        """Draw the button that starts ``task``, with how long it takes, and the progress of what is under way.

        Where ``task`` was started and cannot be done it is said why; what an earlier run found stays as it is.
        """
        found = self.result_of(task)
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                label if found is None else "Run again",
                key=f"{self.name}_start",
                on_click=self.start,
                args=(task,),
                disabled=self.running is not None,
            )
            if seconds is not None:
                st.caption(f"About {seconds:.0f} s on one core." if seconds >= 1.0 else "A moment.")
        if self.running is not None:
            _draw_progress(self)
        refusal = st.session_state.get(self._refusal_key)
        if refusal is not None and refusal[0] == task:
            st.warning(f"**Not run:** {refusal[1]}", icon=":material/block:")

    @property
    def _refusal_key(self) -> str:
        return f"{self.name}_refusal"

    def _results(self) -> dict[Task, tuple[float, object]]:
        """How far each task got, and what came of it."""
        results: dict[Task, tuple[float, object]] = st.session_state.setdefault(f"{self.name}_results", {})
        return results


@st.fragment(run_every=_EVERY)
def _draw_progress(runner: TaskRunner) -> None:
    """Draw the progress of the task under way, and work on it for a moment."""
    run = runner.running
    if run is None:
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(run.share, run.task.words(run.chunks, run.seconds))
        cancelled = "What is done until then stays usable."
        st.button("Cancel", key=f"{runner.name}_cancel", on_click=runner.stop, help=cancelled)
    try:
        # Without a turn, another session computes: this one stays free to answer its visitor.
        # What the visitor asked for may take long, whatever the page around it may.
        with RUNS.paused(), SLOW.turn(_PATIENCE, run.seconds) as mine, _budget(run):
            finished = mine and run.advance(SLICE)
    except ValueError as refusal:
        runner.refuse(run.task, refusal)
        st.rerun()
    if finished:
        with st.spinner("Summing up …", show_time=True), RUNS.paused(), _budget(run), suppress(DeadlineError):
            runner.stop()
        st.rerun()


def _budget(run: Run) -> AbstractContextManager[None]:
    """As long as it takes, while the visitor waits for it; a generator that began anew is asked again later."""
    return within(Budget(spent=run.seconds, is_left=moved_on()))
