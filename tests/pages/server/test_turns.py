"""Few threads compute at a time, whoever asks; who has computed least goes first, and nobody waits for ever.

A server that works through its visitors is well, however many wait; one whose work gives no sign is not.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

import pytest
from starlette.requests import Request
from streamlit import runtime

from pages.server import health
from pages.server.budget import Budget
from pages.server.session_cache import session_cache
from pages.server.shared_cache import SharedCache
from pages.server.turns import ANSWERS, ELSEWHERE, RUNS, SLOW, FairTurn, Turns
from tests.pages.server.conftest import LONG, Clock, Threads


def taking(
    turns: Turns, order: list[str], name: str, spent: float = 0.0, since: float | None = None
) -> Callable[[], None]:
    """Take a turn, and note it."""

    def take() -> None:
        with turns.turn(LONG, spent, since) as mine:
            assert mine
            order.append(name)

    return take


@pytest.mark.parametrize("at_once", [1, 2])
def test_no_more_threads_compute_than_have_a_turn(at_once: int, threads: Threads) -> None:
    turns, inside, over = Turns(at_once), Barrier(at_once + 1), Event()

    def hold() -> None:
        with turns.turn(LONG), turns.turn(LONG):  # what a thread computes within its turn waits for no other
            inside.wait(LONG)
            assert over.wait(LONG)

    for _ in range(at_once):
        threads.start(hold)
    inside.wait(LONG)
    with turns.turn(patience=0.0) as mine:
        assert not mine
    waits = threads.wait(taking(turns, [], "last"))  # an impatient one left before does not stand in its way
    over.set()
    waits.join(LONG)
    with turns.turn(patience=0.0) as mine:
        assert mine


@pytest.mark.parametrize(
    ("came", "order"),
    [
        ([("much", 3.0, None), ("little", 1.0, None), ("more", 2.0, None)], ["little", "more", "much"]),
        ([("newcomer", 0.0, None), ("a run that began before", 0.0, 0.0)], ["a run that began before", "newcomer"]),
        ([("first", 0.0, None), ("second", 0.0, None)], ["first", "second"]),
    ],
)
def test_who_has_computed_least_goes_first(
    came: list[tuple[str, float, float | None]], order: list[str], threads: Threads
) -> None:
    turn, went = FairTurn(Turns(1)), list[str]()
    with turn.turn():
        for one in came:
            threads.wait(taking(turn, went, *one))
    threads.join()
    assert went == order
    assert Budget(2.0).waits_since is not None  # a run's questions are one visit
    assert Budget().waits_since is None  # what is asked for by itself would come before everybody else some day


def test_who_has_an_inner_turn_never_waits_for_an_outer_one(threads: Threads) -> None:
    inner = Turns(1)
    outer, both = FairTurn(inner), Barrier(2)

    def nest(first: Turns, second: Turns) -> None:
        with first.turn(LONG):
            both.wait(LONG)
            with second.turn(LONG) as mine:
                assert mine

    threads.start(lambda: nest(outer, inner))
    threads.start(lambda: nest(inner, outer))
    threads.join()


def test_who_pauses_lets_others_go_and_goes_on_before_those_who_came_later(threads: Threads) -> None:
    turns, order, paused, gate = Turns(1), list[str](), Event(), Event()

    def page() -> None:
        with turns.turn():
            with turns.paused():
                paused.set()
                assert gate.wait(LONG)
            order.append("page" if turns.held else "page without a turn")

    first = threads.start(page)
    assert paused.wait(LONG)
    with turns.turn(LONG) as free:
        assert free
        threads.wait(taking(turns, order, "newcomer"))
        threads.queued[first].clear()
        gate.set()
        assert threads.queued[first].wait(LONG)
    threads.join()
    assert order == ["page", "newcomer"]
    with turns.paused(), turns.turn(patience=0.0) as free:
        assert free


def test_a_pages_run_gives_its_turn_back_for_what_takes_long_and_keeps_it_for_a_moment() -> None:
    held = list[bool]()
    slow, quick = (SharedCache(lambda: held.append(RUNS.held), turns) for turns in (SLOW, ANSWERS))
    with RUNS.turn():
        slow()
        quick()
        session_cache("kind", "key", 1, lambda: held.append(RUNS.held))
    assert held == [False, True, False]


class Listening:
    """Streamlit's side of a server that listens, or does not yet."""

    ready = (True, "ok")

    @property
    async def is_ready_for_browser_connection(self) -> tuple[bool, str]:
        return self.ready


def status(monkeypatch: pytest.MonkeyPatch) -> int:
    """What ``/health`` answers, asked in a thread of its own: browser tests leave an event loop running in theirs."""
    monkeypatch.setattr(runtime, "get_instance", Listening)
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, health.health(Request({"type": "http"}))).result().status_code


@pytest.mark.parametrize("kind", [SLOW, ANSWERS, ELSEWHERE], ids=["slow", "answers", "elsewhere"])
def test_work_that_looks_at_its_deadline_is_well_and_silent_work_is_stuck_whoever_else_is_served(
    kind: Turns, threads: Threads, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, look, looked, over = Event(), Event(), Event(), Event()

    def compute() -> None:
        begun.set()
        assert look.wait(LONG)
        Budget().check()
        looked.set()
        assert over.wait(LONG)

    working = threads.start(SharedCache(compute, kind))
    assert begun.wait(LONG)
    seen = [status(monkeypatch)]
    clock.now += health.LONGEST_SILENCE + 1.0
    with RUNS.turn(), ANSWERS.turn():  # of another visitor, who is served
        seen.append(status(monkeypatch))
    look.set()
    assert looked.wait(LONG)
    seen.append(status(monkeypatch))
    clock.now += health.LONGEST_SILENCE + 1.0
    seen.append(status(monkeypatch))
    over.set()
    working.join(LONG)
    seen.append(status(monkeypatch))
    monkeypatch.setattr(Listening, "ready", (False, "unavailable"))
    assert [*seen, status(monkeypatch)] == [200, 503, 200, 503, 200, 503]
