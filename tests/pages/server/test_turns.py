"""Few threads compute at a time, whoever asks; what one found, the others take."""

from collections.abc import Callable
from threading import Barrier, Event, Lock, Thread
from time import sleep

from numerics.deadline import UNLIMITED, Deadline
from pages.server import budget
from pages.server.shared_cache import SharedCache, shared_cache
from pages.server.turns import ANSWERS, RUNS, SLOW, FairTurn, Turns

THREADS = 6
LONG = 5.0  # seconds that nothing here takes unless it hangs


def together(work: Callable[[int], object]) -> None:
    """Do ``work`` in several threads that begin at once."""
    gate = Barrier(THREADS)

    def one(number: int) -> None:
        gate.wait(LONG)
        work(number)

    threads = [Thread(target=one, args=(number,), daemon=True) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LONG)
    assert not any(thread.is_alive() for thread in threads)


def most_at_once(turns: Turns) -> int:
    lock, inside = Lock(), [0, 0]

    def work(_: int) -> None:
        with turns.turn(), turns.turn():  # what a thread computes within its turn waits for no other
            with lock:
                inside[0] += 1
                inside[1] = max(inside)
            sleep(0.01)
            with lock:
                inside[0] -= 1

    together(work)
    return inside[1]


def test_no_more_threads_compute_than_have_a_turn() -> None:
    assert most_at_once(Turns(1)) == 1
    assert most_at_once(Turns(2)) == 2


def test_who_does_not_want_to_wait_goes_without() -> None:
    turns, found = Turns(1), list[bool]()

    def ask() -> None:
        with turns.turn(patience=0.0) as mine:
            found.append(mine)

    with turns.turn():
        asking = Thread(target=ask)
        asking.start()
        asking.join(LONG)
    assert found == [False]
    ask()
    assert found == [False, True]


def test_a_turn_ends_with_an_error() -> None:
    turns = Turns(1)
    failing = SharedCache[[int], float](lambda value: 1 / value, turns)
    for _ in range(2):
        try:
            failing(0)
        except ZeroDivisionError:
            continue
        raise AssertionError("an error is not remembered")
    assert failing(2) == 0.5
    assert len(failing) == 1


def test_what_several_ask_for_at_once_is_computed_once() -> None:
    asked: list[int] = []

    def square(value: int) -> int:
        asked.append(value)
        sleep(0.02)
        return value * value

    remembered = SharedCache(square, Turns(1))
    together(lambda _: remembered(7))
    assert asked == [7]
    assert remembered(7) == 49


def test_who_asks_for_what_is_being_computed_waits_for_it_without_a_turn() -> None:
    asked, begun, seen = list[int](), Event(), list[bool]()

    def square(value: int) -> int:
        asked.append(value)
        begun.set()
        with RUNS.turn(LONG) as mine:  # the others have given theirs back
            seen.append(mine)
        return value * value

    remembered = SharedCache(square, Turns(THREADS))
    first = Thread(target=lambda: remembered(7), daemon=True)
    with RUNS.turn(LONG):
        first.start()
        assert begun.wait(LONG)
        assert remembered(7) == 49
    first.join(LONG)
    assert (asked, seen) == ([7], [True])


def test_the_latest_results_are_remembered() -> None:
    asked: list[int] = []
    remembered = SharedCache(asked.append, Turns(1))
    for value in (*range(256), 0, 256, 0, 1):
        remembered(value)
    assert asked == [*range(256), 256, 1]
    assert len(remembered) == 256


def test_more_numbers_are_remembered_than_curves() -> None:
    def number(value: int) -> float:
        return value / 2

    remembered = SharedCache(number, Turns(1))
    for value in range(3000):
        assert remembered(value) == value / 2
    assert len(remembered) == 2048


def test_a_question_is_declared_with_its_settings() -> None:
    def scaled(value: float, factor: float = 1.0) -> float:
        return value * factor

    doubled = shared_cache(scaled, factor=2.0)
    assert [doubled(3.0), doubled(3.0), doubled(3.0, factor=3.0)] == [6.0, 6.0, 9.0]
    assert len(doubled) == 2


def test_what_has_a_deadline_takes_a_turn_among_what_takes_long() -> None:
    held = list[bool]()

    def long(deadline: Deadline = UNLIMITED) -> None:
        held.append(SLOW.held and isinstance(deadline, budget.Slow))

    def short() -> None:
        held.append(ANSWERS.held and not SLOW._is_mine)

    shared_cache(long)()
    shared_cache(short)()
    shared_cache(SLOW)(lambda: held.append(SLOW._is_mine))()
    assert held == [True, True, True]


def test_who_has_an_inner_turn_never_waits_for_an_outer_one() -> None:
    """Else one thread could hold the outer turn and wait for the inner one, and another the other way round."""
    inner = Turns(1)
    outer = FairTurn(inner)
    both = Barrier(2)

    def outside_in() -> None:
        with outer.turn():
            both.wait(LONG)
            with inner.turn(LONG) as mine:
                assert mine

    def inside_out() -> None:
        with inner.turn():
            both.wait(LONG)
            with outer.turn(LONG) as mine:
                assert mine

    threads = [Thread(target=work, daemon=True) for work in (outside_in, inside_out)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LONG / 2)
    assert not any(thread.is_alive() for thread in threads)
