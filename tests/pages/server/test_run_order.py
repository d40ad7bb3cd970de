"""Pages are drawn one at a time, in the order in which they were asked for, and nobody waits for ever."""

from bisect import insort
from collections.abc import Callable
from threading import Event
from typing import Any

import pytest

from numerics.deadline import UNLIMITED, Deadline
from pages.server import run_order
from pages.server.run_order import RUNS
from pages.server.shared_cache import SharedCache, session_cache
from tests.pages.server.conftest import LONG, Threads


class Runs:
    """Threads that note their turns; who begins one waits until it has come to the queue."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, threads: Threads) -> None:
        self.order, self.came, self._threads = list[str](), Event(), threads
        monkeypatch.setattr(run_order, "insort", self._arrive)

    def _arrive(self, queue: list[Any], waiting: Any) -> None:
        insort(queue, waiting)
        self.came.set()

    def note(self, name: str) -> None:
        self.order.append(name if RUNS.is_held else f"{name} without a turn")

    def begin(self, name: str, ask: Callable[[], object] = lambda: None) -> None:
        def run() -> None:
            with RUNS.turn():
                ask()
                self.note(name)

        self.until(lambda: self._threads.start(run))

    def until(self, work: Callable[[], object]) -> None:
        self.came.clear()
        work()
        assert self.came.wait(LONG)


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch, threads: Threads) -> Runs:
    return Runs(monkeypatch, threads)


@pytest.mark.parametrize("leaves", [True, False])
def test_runs_go_on_in_the_order_in_which_they_came(leaves: bool, runs: Runs, threads: Threads) -> None:
    with RUNS.turn():
        assert not RUNS.is_busy()
        for name in ("first", "second", "third"):
            runs.begin(name)
        assert RUNS.is_busy()
        runs.note("holder")
        if leaves:
            RUNS.leave()
            threads.join()
            RUNS.come_back()
            runs.note("holder")
    threads.join()
    assert not RUNS.is_busy()
    assert runs.order == ["holder", "first", "second", "third", *["holder"] * leaves]


def test_who_has_no_patience_goes_on_without_a_turn_and_stands_in_nobodys_way(
    monkeypatch: pytest.MonkeyPatch, runs: Runs, threads: Threads
) -> None:
    with RUNS.turn(), monkeypatch.context() as impatient:
        impatient.setattr(run_order, "PATIENCE", 1e-9)
        runs.begin("first", RUNS.come_back)
        threads.join()
    runs.begin("second")
    threads.join()
    assert runs.order == ["first without a turn", "second"]


def test_a_run_leaves_for_what_may_take_long_and_goes_on_before_those_who_came_later(
    runs: Runs, threads: Threads
) -> None:
    is_away, is_over = Event(), Event()

    def slow(deadline: object = None) -> None:
        del deadline
        runs.note("slow")
        is_away.set()
        assert is_over.wait(LONG)

    runs.begin("first", SharedCache(slow))
    assert is_away.wait(LONG)
    with RUNS.turn():
        runs.begin("newcomer")
        runs.until(is_over.set)
    threads.join()
    assert runs.order == ["slow without a turn", "first", "newcomer"]


def test_a_run_keeps_its_turn_for_a_moment_and_leaves_for_what_is_made_of_an_upload() -> None:
    with RUNS.turn():
        assert SharedCache(lambda: RUNS.is_held)()
        assert not session_cache("kind", "key", 1, lambda: RUNS.is_held)
        assert RUNS.is_held

        def slow(deadline: Deadline = UNLIMITED) -> bool:
            del deadline
            session_cache("kind", "key", 1, lambda: None)
            return RUNS.is_held

        assert not SharedCache(slow)(), "who computes does not come back for what it asks meanwhile"
        assert RUNS.is_held
    RUNS.come_back()
    assert not RUNS.is_held, "outside of a run"
