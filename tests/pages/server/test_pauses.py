"""Who computes for long gives its turn back, and goes on in a new one."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from time import sleep

from pages.server import session_cache as remembered
from pages.server.shared_cache import SharedCache
from pages.server.turns import ANSWERS, RUNS, SLOW, Turns, give_way
from tests.pages.server.test_turns import LONG


def test_who_pauses_lets_another_go_first_and_goes_on_in_a_new_turn() -> None:
    turns, order = Turns(1), list[str]()

    def other() -> None:
        with turns.turn():
            order.append("other")

    waiting = Thread(target=other, daemon=True)
    with turns.turn():
        waiting.start()
        with turns.paused():
            waiting.join(LONG)
            order.append("paused")
        order.append("on" if turns.held else "without")
    assert order == ["other", "paused", "on"]
    with turns.turn(patience=0.0) as free:
        assert free


def test_who_has_no_turn_pauses_nothing() -> None:
    turns = Turns(1)
    with turns.paused(), turns.turn(patience=0.0) as mine:
        assert mine


def test_a_page_s_run_gives_its_turn_back_for_what_takes_long() -> None:
    """Else all pages would wait for one computation."""
    held = list[bool]()
    slow = SharedCache(lambda: held.append(RUNS.held), SLOW)
    quick = SharedCache(lambda: held.append(RUNS.held), ANSWERS)
    with RUNS.turn():
        slow()
        quick()
        remembered.session_cache("kind", "key", 1, lambda: held.append(RUNS.held))
    assert held == [False, True, False]


def queued(turns: Turns, number: int) -> None:
    while len(turns._waiting) < number:
        sleep(0.001)


def test_who_pauses_goes_on_before_those_who_came_later() -> None:
    """Else a page that asks three long questions waits for its turn four times."""
    turns, order, paused, gate = Turns(1), list[str](), Event(), Event()

    def page() -> None:
        with turns.turn():
            with turns.paused():
                paused.set()
                assert gate.wait(LONG)
            order.append("page")

    def newcomer() -> None:
        with turns.turn():
            order.append("newcomer")

    first = Thread(target=page, daemon=True)
    first.start()
    assert paused.wait(LONG)
    with turns.turn():
        second = Thread(target=newcomer, daemon=True)
        second.start()
        queued(turns, 1)
        gate.set()
        queued(turns, 2)
    for thread in (first, second):
        thread.join(LONG)
    assert order == ["page", "newcomer"]


@contextmanager
def elsewhere(taken: Turns) -> Iterator[None]:
    """Another thread has a turn."""
    has, done = Event(), Event()

    def hold() -> None:
        with taken.turn(LONG):
            has.set()
            done.wait(LONG)

    thread = Thread(target=hold, daemon=True)
    thread.start()
    assert has.wait(LONG)
    yield
    done.set()
    thread.join(LONG)


def held_back(spent: float, run: Callable[[], object]) -> list[str]:
    """Who goes on first: a run of a page that has computed for so long and looks, or one that waits."""
    order, waits = list[str](), Event()

    def newcomer() -> None:
        waits.set()
        with RUNS.turn(LONG):
            run()
            order.append("newcomer")

    thread = Thread(target=newcomer, daemon=True)
    with RUNS.turn(LONG), ANSWERS.turn(LONG), elsewhere(ANSWERS):
        thread.start()
        while not RUNS.is_wanted:
            pass
        give_way(spent)
        order.append("long")
        assert RUNS.held
        assert ANSWERS.held
    thread.join(LONG)
    return order


def test_a_run_that_takes_long_lets_others_go_first_with_all_that_they_need() -> None:
    def answer() -> None:
        with ANSWERS.turn(LONG) as mine:
            assert mine

    assert held_back(1.0, answer) == ["newcomer", "long"]
    assert held_back(0.1, answer) == ["long", "newcomer"]
