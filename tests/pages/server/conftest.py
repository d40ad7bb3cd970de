"""Time, loops and threads as tests of waiting need them: seconds pass as they are told, threads end with the test."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Thread
from typing import Any

import pytest

from pages.server import budget, health

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
    monkeypatch.setattr(health, "monotonic", found)
    monkeypatch.setattr(budget, "thread_time", found)
    return found


def in_a_loop(asked: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    """What a coroutine answers, run in a thread of its own: browser tests leave an event loop running in this one."""
    with ThreadPoolExecutor(1) as elsewhere:
        return elsewhere.submit(lambda: asyncio.run(asked())).result()


class Threads:
    """Threads of a test, which end with it."""

    def __init__(self) -> None:
        self._started: list[Thread] = []

    def start(self, work: Callable[[], object]) -> Thread:
        thread = Thread(target=work, daemon=True)
        self._started.append(thread)
        thread.start()
        return thread

    def join(self) -> None:
        for thread in self._started:
            thread.join(LONG)
        assert not any(thread.is_alive() for thread in self._started)


@pytest.fixture
def threads() -> Iterator[Threads]:
    found = Threads()
    yield found
    found.join()
