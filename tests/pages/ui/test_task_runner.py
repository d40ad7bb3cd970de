"""Tasks that run a slice at a time: what happens when one is stopped from elsewhere."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from threading import Event, Thread
from time import thread_time

import pytest
from streamlit.testing.v1 import AppTest

from numerics.deadline import UNLIMITED, Deadline
from pages.server.budget import Budget, within
from pages.server.shared_cache import SharedCache
from pages.ui import task_runner
from pages.ui.certificate.task import PartsDone
from pages.ui.task_runner import Run

LONG = 5.0  # seconds that nothing here takes unless it hangs


@dataclass(frozen=True, eq=False)
class Counting:
    """Two parts, the second of which ends when it is told to. See task_runner.Task."""

    began: Event
    go_on: Event

    def start(self) -> Generator[PartsDone, None, None]:
        yield PartsDone(1, 2, "")
        self.began.set()
        assert self.go_on.wait(LONG)
        yield PartsDone(2, 2, "")

    def words(self, chunks: Sequence[PartsDone], seconds: float) -> str:
        return f"{len(chunks)}, {seconds}"

    def result(self, chunks: Sequence[PartsDone], seconds: float) -> int:
        del seconds
        return len(chunks)


@dataclass(frozen=True)
class Asking:
    """Three parts, each a question that others share; the second takes long. See task_runner.Task."""

    question: SharedCache[[float], float]

    def start(self) -> Generator[PartsDone, None, None]:
        for number, seconds in enumerate((0.0, 0.1, 0.2), start=1):
            self.question(seconds)
            yield PartsDone(number, 3, "")

    def words(self, chunks: Sequence[PartsDone], seconds: float) -> str:
        return f"{len(chunks)}, {seconds}"

    def result(self, chunks: Sequence[PartsDone], seconds: float) -> int:
        del seconds
        return len(chunks)


SHOWN: list[Asking] = []
SCRIPT = """
import streamlit as st
from pages.ui.task_runner import TaskRunner
from tests.pages.ui import test_task_runner

task, runner = test_task_runner.SHOWN[0], TaskRunner("asking")
runner.draw_start(task, 1.0)
st.text(str(runner.result_of(task)))
"""


@pytest.fixture
def asking() -> Asking:
    def computed(seconds: float, deadline: Deadline = UNLIMITED) -> float:
        began = thread_time()
        while thread_time() - began < seconds:
            deadline.check()
        return seconds

    return Asking(SharedCache(computed))


def test_a_chunk_ends_when_nobody_waits_for_it_and_the_task_can_go_on(asking: Asking) -> None:
    run, left = Run(asking, asking.start()), Event()
    with within(Budget(is_left=left.is_set)):
        assert not run.advance(0.0)
        left.set()
        assert not run.advance(LONG)
        assert (len(asking.question), run.share) == (1, 0.0)
        left.clear()
        assert run.advance(LONG)
    assert (len(asking.question), run.result()) == (3, 3)


def test_a_page_that_is_left_within_a_chunk_ends_it(asking: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    left = Event()
    monkeypatch.setattr(task_runner, "moved_on", lambda: left.is_set)
    SHOWN[:] = [asking]
    app = AppTest.from_string(SCRIPT, default_timeout=LONG).run()
    left.set()
    app.button(key="asking_start").click().run()
    assert (len(asking.question), app.session_state["asking_running"].share) == (0, 0.0)
    left.clear()
    while "asking_running" in app.session_state:
        app.run()
    assert len(asking.question) == 3
    assert not app.exception


def refused(self: Asking) -> Generator[PartsDone, None, None]:
    del self
    raise ValueError("there is only one step.")


def refused_later(self: Asking) -> Generator[PartsDone, None, None]:
    yield PartsDone(1, 3, "")
    yield from refused(self)


@pytest.mark.parametrize("start", [refused, refused_later])
def test_what_was_found_stays_where_a_later_run_is_refused(
    start: Callable[[Asking], Generator[PartsDone, None, None]], asking: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Asking, "start", start)
    SHOWN[:] = [asking]
    app = AppTest.from_string(SCRIPT, default_timeout=LONG)
    app.session_state["asking_results"] = {asking: (1.0, 3)}
    app.run().button(key="asking_start").click().run()
    while "asking_running" in app.session_state:
        app.run()
    assert [one.value for one in app.warning] == ["**Not run:** there is only one step."]
    assert not app.button(key="asking_start").disabled
    assert [one.value for one in app.text] == ["3"]


def test_how_long_a_task_takes_is_said_where_it_is_more_than_a_moment() -> None:
    script = "from pages.ui.task_runner import TaskRunner\nfor name, seconds in (('a', 0.4), ('b', 3.0)):\n"
    app = AppTest.from_string(f"{script}    TaskRunner(name).draw_start(None, seconds)").run()
    assert [caption.value for caption in app.caption] == ["A moment.", "About 3 s on one core."]


def test_a_task_may_be_stopped_while_another_run_of_the_page_is_within_a_chunk() -> None:
    """As a slider does that is moved meanwhile: the run before it is broken off, but only after its chunk."""
    task = Counting(Event(), Event())
    run = Run(task, task.start())
    elsewhere = Thread(target=run.advance, args=(LONG,), daemon=True)
    elsewhere.start()
    assert task.began.wait(LONG)
    assert (run.result(), run.share) == (1, 0.5)
    task.go_on.set()
    elsewhere.join(LONG)
    assert not elsewhere.is_alive()
