"""A server that works through its visitors is well however many wait; one whose work gives no sign is not."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from starlette.requests import Request
from streamlit import runtime

from pages.server import health
from pages.server.budget import Budget
from pages.server.shared_cache import SharedCache
from pages.server.turns import ANSWERS, ELSEWHERE, RUNS, SLOW, Turns
from tests.pages.server.conftest import LONG, Clock, Threads

LATE = health.LONGEST_SILENCE + 1.0


class Listening:
    """Streamlit's side of a server that listens, or does not yet."""

    ready = (True, "ok")

    @property
    async def is_ready_for_browser_connection(self) -> tuple[bool, str]:
        """As ``Runtime`` says it."""
        return self.ready


@pytest.fixture(autouse=True)
def listening(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtime, "get_instance", Listening)


def status() -> int:
    """What the endpoint answers, asked in a thread of its own: browser tests leave an event loop running in theirs."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, health.health(Request({"type": "http"}))).result().status_code


class Question:
    """A question that is held within, and looks at its deadline when it is told to."""

    def __init__(self, kind: Turns, threads: Threads) -> None:
        self.begun, self.look, self.looked, self.over = Event(), Event(), Event(), Event()
        self._thread = threads.start(SharedCache(self._compute, kind))
        assert self.begun.wait(LONG)

    def _compute(self) -> None:
        self.begun.set()
        assert self.look.wait(LONG)
        Budget().check()
        self.looked.set()
        assert self.over.wait(LONG)

    def end(self) -> None:
        self.look.set()
        self.over.set()
        self._thread.join(LONG)


@pytest.fixture(params=[SLOW, ANSWERS, ELSEWHERE], ids=["slow", "answers", "elsewhere"])
def question(request: pytest.FixtureRequest, threads: Threads, clock: Clock) -> Iterator[Question]:
    found = Question(request.param, threads)
    yield found
    found.end()


def test_answers_that_give_no_sign_are_stuck_whoever_else_is_served(question: Question, clock: Clock) -> None:
    assert status() == 200
    clock.now += LATE
    with RUNS.turn(), ANSWERS.turn():  # of another visitor, who is served
        assert status() == 503
    question.end()
    assert status() == 200


def test_work_that_takes_long_and_looks_at_its_deadline_is_well(question: Question, clock: Clock) -> None:
    clock.now += LATE
    question.look.set()
    assert question.looked.wait(LONG)
    assert status() == 200
    clock.now += LATE
    assert status() == 503


def test_who_waits_for_answers_of_others_is_not_stuck(threads: Threads, clock: Clock) -> None:
    """A long question asks a short one, for which many wait: all of these are answered, one after the other."""
    has_slow, shorts_begin = Event(), Event()

    def ask() -> None:
        with SLOW.turn():
            has_slow.set()
            assert shorts_begin.wait(LONG)
            with ANSWERS.turn():
                pass

    long = threads.start(ask)
    assert has_slow.wait(LONG)
    clock.now += LATE
    shorts = [Question(ANSWERS, threads) for _ in range(2)]
    threads.queued[long].clear()
    shorts_begin.set()
    assert threads.queued[long].wait(LONG)
    assert SLOW.silence == LATE
    assert status() == 200
    for short in shorts:
        short.end()
    threads.join()
    assert status() == 200


def test_a_server_that_does_not_listen_is_not_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Listening, "ready", (False, "unavailable"))
    assert status() == 503
