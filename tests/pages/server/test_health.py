"""A server that works through its visitors is well however many wait; one whose work gives no sign is not."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Thread

import pytest
from starlette.requests import Request
from streamlit import runtime

from pages.server import health, turns
from pages.server.budget import Budget
from pages.server.shared_cache import SharedCache
from pages.server.turns import ANSWERS, ELSEWHERE, RUNS, SLOW, Turns
from tests.pages.server.test_turns import LONG

LATE = health.LONGEST_SILENCE + 1.0


class Clock:
    """Seconds that pass when they are told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        """The time."""
        return self.now


class Listening:
    """Streamlit's side of a server that listens."""

    @property
    async def is_ready_for_browser_connection(self) -> tuple[bool, str]:
        """As ``Runtime`` says it."""
        return True, "ok"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(turns, "monotonic", found)
    monkeypatch.setattr(runtime, "get_instance", Listening)
    return found


def status() -> int:
    """What the endpoint answers, asked in a thread of its own: browser tests leave an event loop running in theirs."""
    with ThreadPoolExecutor(1) as thread:
        answer = thread.submit(asyncio.run, health.health(Request({"type": "http"})))
        return answer.result().status_code


class Question:
    """A question that is held within, and looks at its deadline when it is told to."""

    def __init__(self, kind: Turns) -> None:
        self.begun, self.look, self.looked, self.over = Event(), Event(), Event(), Event()
        self.budget = Budget()
        self._asked = SharedCache(self._compute, kind)
        self._thread = Thread(target=self._asked, daemon=True)
        self._thread.start()
        assert self.begun.wait(LONG)

    def _compute(self) -> None:
        self.begun.set()
        assert self.look.wait(LONG)
        self.budget.check()
        self.looked.set()
        assert self.over.wait(LONG)

    def end(self) -> None:
        self.look.set()
        self.over.set()
        self._thread.join(LONG)
        assert not self._thread.is_alive()


@pytest.fixture(params=[SLOW, ANSWERS, ELSEWHERE], ids=["slow", "answers", "elsewhere"])
def question(request: pytest.FixtureRequest, clock: Clock) -> Iterator[Question]:
    found = Question(request.param)
    yield found
    found.end()


@pytest.mark.usefixtures("clock")
def test_a_server_on_which_nobody_computes_is_well() -> None:
    assert status() == 200


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


def test_who_waits_for_answers_of_others_is_not_stuck(clock: Clock) -> None:
    """A long question asks a short one, for which many wait: all of these are answered, one after the other."""
    held, over = [Event(), Event()], Event()

    def short(has: Event) -> None:
        with ANSWERS.turn():
            has.set()
            assert over.wait(LONG)

    def long() -> None:
        with SLOW.turn(), ANSWERS.turn():
            pass

    threads = [Thread(target=short, args=(has,), daemon=True) for has in held] + [Thread(target=long, daemon=True)]
    for thread in threads[:2]:
        thread.start()
    assert all(has.wait(LONG) for has in held)
    threads[2].start()
    while not ANSWERS.is_wanted:
        pass
    for number in ANSWERS._heard:
        ANSWERS._heard[number] += LATE  # as if both had begun only now
    clock.now += LATE
    assert SLOW.silence == LATE
    assert status() == 200
    over.set()
    for thread in threads:
        thread.join(LONG)
    assert status() == 200


def test_a_server_that_does_not_listen_is_not_well(monkeypatch: pytest.MonkeyPatch) -> None:
    class Starting:
        @property
        async def is_ready_for_browser_connection(self) -> tuple[bool, str]:
            return False, "unavailable"

    monkeypatch.setattr(runtime, "get_instance", Starting)
    assert status() == 503
