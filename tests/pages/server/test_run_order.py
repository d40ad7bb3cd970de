"""Pages are drawn one at a time, in the order in which they were asked for, and nobody waits for ever."""

from collections import deque
from collections.abc import Callable
from threading import Event

import pytest

from pages.server import run_order
from pages.server.run_order import RUNS
from pages.server.shared_cache import SharedCache, session_cache
from tests.pages.server.conftest import LONG, Threads


class Arrivals(deque[Event]):
    """A queue that says when somebody has come."""

    def __init__(self) -> None:
        super().__init__()
        self.came = Event()

    def append(self, one: Event) -> None:
        super().append(one)
        self.came.set()


@pytest.fixture
def arrivals(monkeypatch: pytest.MonkeyPatch) -> Arrivals:
    found = Arrivals()
    monkeypatch.setattr(RUNS, "_waiting", found)
    return found


@pytest.mark.parametrize("leaves", [True, False], ids=["who leaves", "who ends"])
def test_runs_go_on_in_the_order_in_which_they_came(leaves: bool, arrivals: Arrivals, threads: Threads) -> None:
    order = list[str]()

    def run(name: str) -> Callable[[], None]:
        def draw() -> None:
            with RUNS.turn():
                order.append(name if RUNS.is_held else f"{name} without a turn")

        return draw

    with RUNS.turn():
        assert not RUNS.is_busy()
        for name in ("first", "second", "third"):
            arrivals.came.clear()
            threads.start(run(name))
            assert arrivals.came.wait(LONG)
        assert RUNS.is_busy()
        order.append("holder")
        if leaves:
            RUNS.leave()
            threads.join()
            order.append("holder")
    threads.join()
    assert not RUNS.is_busy()
    assert order == ["holder", "first", "second", "third", *["holder"] * leaves]


def test_who_has_no_patience_goes_on_without_a_turn_and_stands_in_nobodys_way(
    monkeypatch: pytest.MonkeyPatch, threads: Threads
) -> None:
    held = list[bool]()

    def run() -> None:
        with RUNS.turn():
            held.append(RUNS.is_held)

    with RUNS.turn():
        with monkeypatch.context() as impatient:
            impatient.setattr(run_order, "PATIENCE", 0.0)
            threads.start(run)
            threads.join()
        assert not RUNS._waiting
    run()
    assert held == [False, True]


def test_a_run_leaves_before_what_may_take_long_and_keeps_its_turn_for_a_moment() -> None:
    def quick() -> bool:
        return RUNS.is_held

    def slow(deadline: object = None) -> bool:
        return RUNS.is_held

    with RUNS.turn():
        assert SharedCache(quick)()
        assert not SharedCache(slow)()
    with RUNS.turn():
        assert not session_cache("kind", "key", 1, quick)
    with RUNS.turn():
        assert RUNS.is_held
