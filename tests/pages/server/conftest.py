"""Threads and time as tests of turns need them: a thread says that it waits, and seconds pass when they are told to."""

from bisect import insort
from collections import defaultdict
from collections.abc import Callable, Iterator
from threading import Event, Thread, current_thread
from typing import Any

import pytest

from pages.server import budget, turns

LONG = 20.0  # seconds that nothing here takes unless it hangs


class Clock:
    """Seconds of processor time and on the wall, which pass when they are told to."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now

    def compute(self, seconds: float, look: Callable[[], object] = lambda: None) -> float:
        """Compute for so long, looking at a deadline a hundred times a second."""
        for _ in range(round(100 * seconds)):
            self.now += 0.01
            look()
        return seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(turns, "monotonic", found)
    monkeypatch.setattr(budget, "monotonic", found)
    monkeypatch.setattr(budget, "thread_time", found)
    return found


class Threads:
    """Threads of a test, which end with it."""

    def __init__(self) -> None:
        self.queued: dict[Thread, Event] = defaultdict(Event)
        self._started: list[Thread] = []

    def start(self, work: Callable[[], object]) -> Thread:
        thread = Thread(target=work, daemon=True)
        self._started.append(thread)
        thread.start()
        return thread

    def wait(self, work: Callable[[], object]) -> Thread:
        """Let a thread begin, and wait until it has come to a queue for a turn."""
        thread = self.start(work)
        assert self.queued[thread].wait(LONG)
        return thread

    def join(self) -> None:
        for thread in self._started:
            thread.join(LONG)
        assert not any(thread.is_alive() for thread in self._started)


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> Iterator[Threads]:
    """Threads whose arrival in a queue is known."""
    found = Threads()

    def arrive(queue: list[Any], waiting: Any) -> None:
        insort(queue, waiting)
        found.queued[current_thread()].set()

    monkeypatch.setattr(turns, "insort", arrive)
    yield found
    found.join()
