"""Pages are drawn one at a time, in the order in which they were asked for, and nobody waits for ever."""

from bisect import insort
from collections.abc import Callable
from threading import Event
from typing import Any

import pytest

from pages.server import run_order
from pages.server.run_order import RUNS
from pages.server.shared_cache import SharedCache, session_cache
from tests.pages.server.conftest import LONG, Threads


@pytest.fixture
def came(monkeypatch: pytest.MonkeyPatch) -> Event:
    """Set when somebody has come to the queue."""
    found = Event()

    def arrive(queue: list[Any], waiting: Any) -> None:
        insort(queue, waiting)
        found.set()

    monkeypatch.setattr(run_order, "insort", arrive)
    return found


@pytest.mark.parametrize("leaves", [True, False], ids=["who leaves", "who ends"])
def test_runs_go_on_in_the_order_in_which_they_came(leaves: bool, came: Event, threads: Threads) -> None:
    order = list[str]()

    def run(name: str) -> Callable[[], None]:
        def draw() -> None:
            with RUNS.turn():
                order.append(name if RUNS.is_held else f"{name} without a turn")

        return draw

    with RUNS.turn():
        assert not RUNS.is_busy()
        for name in ("first", "second", "third"):
            came.clear()
            threads.start(run(name))
            assert came.wait(LONG)
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


def test_a_run_leaves_for_what_may_take_long_and_goes_on_before_those_who_came_later(
    came: Event, threads: Threads
) -> None:
    order, is_away, is_over = list[str](), Event(), Event()

    def slow(deadline: object = None) -> None:
        del deadline
        order.append("in turn" if RUNS.is_held else "away")
        is_away.set()
        assert is_over.wait(LONG)

    def run() -> None:
        with RUNS.turn():
            SharedCache(slow)()
            order.append("first" if RUNS.is_held else "first without a turn")

    def newcomer() -> None:
        with RUNS.turn():
            order.append("newcomer")

    threads.start(run)
    assert is_away.wait(LONG)
    with RUNS.turn():
        for work in (lambda: threads.start(newcomer), is_over.set):
            came.clear()
            work()
            assert came.wait(LONG)
    threads.join()
    assert order == ["away", "first", "newcomer"]


def test_a_run_keeps_its_turn_for_a_moment_and_leaves_for_what_is_made_of_an_upload() -> None:
    with RUNS.turn():
        assert SharedCache(lambda: RUNS.is_held)()
        assert not session_cache("kind", "key", 1, lambda: RUNS.is_held)
        assert RUNS.is_held
    RUNS.come_back()
    assert not RUNS.is_held, "outside of a run"
