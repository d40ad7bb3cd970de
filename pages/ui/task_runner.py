"""Long computations in chunks: a background job works on them while the page shows how far it is, and can be left.

Leaving the page pauses the work, closing the tab ends it; within a chunk, it ends at the next look at a deadline. Of
finished work only the results are kept, in the session: they may rest on an upload.
"""

from collections.abc import Generator, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import streamlit as st

from pages.server.background_job import BackgroundJob
from pages.server.budget import Visit

_KEPT = 24  # results
_EVERY = 0.5  # seconds between two looks at how far it is
_MOMENT = 0.3  # seconds that a drawing waits for work that takes no more
_PATIENCE = 5.0  # seconds that the work goes on without a look: on a busy server some are late


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


@dataclass(eq=False)
class Run:
    """A task under way, in its ``job``."""

    task: Task
    job: BackgroundJob = field(init=False)
    _found: object = None  # once all is done

    def __post_init__(self) -> None:
        self.job = BackgroundJob(self._steps(self.task.start()), Visit().is_closed, _PATIENCE)

    def _steps(self, steps: Generator[Any, None, None]) -> Iterator[Any]:
        """The task's, and then what they say, which may take as long."""
        yield from steps
        if self.share == 1.0:
            self._found = self.task.result(tuple(self.job.chunks), self.job.seconds)

    @property
    def share(self) -> float:
        """Share of the work that is done."""
        chunks = self.job.chunks
        return float(chunks[-1].done / chunks[-1].total) if chunks else 0.0

    def result(self) -> object:
        """Stop, and say what the chunks there are say."""
        self.job.cancel()
        return self._found or self.task.result(tuple(self.job.chunks), self.job.seconds)


@dataclass(frozen=True)
class TaskRunner:
    """Where one kind of task is worked on: one at a time in a session, with the results of earlier ones.

    Attributes:
        name: also the start of the widgets' keys.
    """

    name: str

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
            st.session_state[self.running_key] = Run(task)
        except ValueError as refusal:
            self._refuse(task, refusal)

    def stop(self) -> None:
        """End the task under way; keep what it has, unless an earlier run got farther. For a button's ``on_click``."""
        run = self.running
        if run is None:
            return
        results = self._results()
        earlier = results.get(run.task, (0.0, None))
        found = earlier if earlier[0] > run.share else (run.share, run.result())
        run.job.cancel()
        del st.session_state[self.running_key]
        results.pop(run.task, None)
        results[run.task] = found
        while len(results) > _KEPT:
            del results[next(iter(results))]

    def _refuse(self, task: Task, reason: ValueError) -> None:
        """Give ``task`` up, and remember why."""
        st.session_state.pop(self.running_key, None)
        st.session_state[self._refusal_key] = (task, str(reason))

    def draw_start(self, task: Task, seconds: float | None = None) -> None:
        """Draw the button that starts ``task``, with how long it takes, and the progress of what is under way.

        Where ``task`` was started and cannot be done it is said why; what an earlier run found stays as it is.
        """
        found = self.result_of(task)
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                "Start" if found is None else "Run again",
                key=f"{self.name}_start",
                on_click=self.start,
                args=(task,),
                disabled=self.running is not None,
            )
            if seconds is not None:
                st.caption(f"About {seconds:.0f} s on one core." if seconds >= 1.0 else "A moment.")
        if self.running is not None:
            self._draw_progress()
        refusal = st.session_state.get(self._refusal_key)
        if refusal is not None and refusal[0] == task:
            st.warning(f"**Not run:** {refusal[1]}", icon=":material/block:")

    @st.fragment(run_every=_EVERY)
    def _draw_progress(self) -> None:
        """Draw the progress of the task under way, which goes on meanwhile; after its end, the page with the result."""
        run = self.running
        if run is None:
            st.rerun()
        run.job.watch()
        with st.container(horizontal=True, vertical_alignment="center"):
            st.progress(run.share, run.task.words(run.job.chunks, run.job.seconds))
            cancelled = "What is done until then stays usable."
            st.button("Cancel", key=f"{self.name}_cancel", on_click=self.stop, help=cancelled)
        if not run.job.wait(_MOMENT):
            return
        failure = run.job.failure
        if isinstance(failure, ValueError):
            self._refuse(run.task, failure)
        else:
            self.stop()
        if failure is not None and not isinstance(failure, ValueError):
            raise failure
        st.rerun()

    @property
    def _refusal_key(self) -> str:
        return f"{self.name}_refusal"

    def _results(self) -> dict[Task, tuple[float, object]]:
        """How far each task got, and what came of it."""
        results: dict[Task, tuple[float, object]] = st.session_state.setdefault(f"{self.name}_results", {})
        return results
