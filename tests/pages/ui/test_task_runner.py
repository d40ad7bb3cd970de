"""Tasks that run a slice at a time: what happens when one is stopped from elsewhere."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from threading import Event, Thread

from streamlit.testing.v1 import AppTest

from pages.ui.certificate.task import Part
from pages.ui.task_runner import Run

LONG = 5.0  # seconds that nothing here takes unless it hangs


@dataclass(frozen=True, eq=False)
class Counting:
    """Two parts, the second of which ends when it is told to. See task_runner.Task."""

    began: Event
    go_on: Event

    def check(self) -> None:
        """Nothing is refused."""

    def start(self) -> Generator[Part, None, None]:
        yield Part(1, 2, "")
        self.began.set()
        assert self.go_on.wait(LONG)
        yield Part(2, 2, "")

    def words(self, chunks: Sequence[Part], seconds: float) -> str:
        return f"{len(chunks)}, {seconds}"

    def result(self, chunks: Sequence[Part], seconds: float) -> int:
        del seconds
        return len(chunks)


def test_the_share_that_is_done_is_that_of_the_last_part() -> None:
    task = Counting(Event(), Event())
    task.go_on.set()
    run = Run(task, task.start())
    shares, ended = [run.share], False
    while not ended:
        ended = run.advance(0.0)
        shares.append(run.share)
    assert shares == [0.0, 0.5, 1.0]


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
    assert run.result() == 1
    task.go_on.set()
    elsewhere.join(LONG)
    assert not elsewhere.is_alive()
