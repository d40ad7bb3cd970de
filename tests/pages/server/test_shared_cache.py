"""What is asked once is known to all; a run computes so much unasked, and who computes waits for nobody."""

from contextlib import suppress
from functools import partial
from threading import Barrier, Event, RLock

import pytest

from numerics.deadline import UNLIMITED, Deadline, DeadlineError, look
from pages.server.budget import Budget, portion, within
from pages.server.run_order import RUNS
from pages.server.shared_cache import Private, SharedCache, session_cache
from tests.pages.server.conftest import LONG, Clock, Threads

MOMENT = 0.05
A_LOOK = 0.011  # seconds that pass until the next look at a deadline


@pytest.fixture
def slow(clock: Clock) -> SharedCache[..., float]:
    """A question that takes as long as it is told to, and looks at its deadline."""

    def compute(seconds: float, deadline: Deadline = UNLIMITED) -> float:
        return clock.compute(seconds, deadline.check)

    return SharedCache(compute)


@pytest.mark.parametrize(("answer", "most"), [(dict, 256), (float, 2048)], ids=["curves", "numbers"])
def test_the_latest_results_are_remembered_and_more_numbers_than_curves(answer: type, most: int) -> None:
    asked = list[int]()

    def function(value: int) -> object:
        asked.append(value)
        return answer()

    function.__annotations__["return"] = answer
    cached = SharedCache(function)
    for value in (*range(most), 0, most, 0, 1):
        cached(value)
    assert asked == [*range(most), most, 1]
    assert len(cached) == most
    cached.cache_clear()
    assert len(cached) == 0


def test_errors_and_numbers_of_an_upload_are_not_kept() -> None:
    asked = list[float]()

    def inverse(value: float) -> float:
        asked.append(value)
        return 1 / value

    cached = SharedCache(inverse)
    for value in (2.0, 0.0, 2.0, 0.0, Private(4.0), Private(4.0), 4.0, 4.0):
        if value:
            assert cached(value) == 1 / value
        else:
            with pytest.raises(ZeroDivisionError):  # and its turn ends
                cached(value)
    assert asked == [2.0, 0.0, 0.0, 4.0, 4.0, 4.0]
    assert (cached.knows(2.0), cached.knows(0.0), len(cached)) == (True, False, 2)


def test_what_several_ask_for_at_once_is_computed_once_and_who_waits_has_left_the_order(threads: Threads) -> None:
    asked, begun, seen, waits = list[int](), Event(), list[int](), Barrier(4)

    def square(value: int) -> int:
        asked.append(value)
        begun.set()
        waits.wait(LONG)
        with RUNS.turn():  # the others have left it
            assert RUNS.is_held
        return value * value

    cached = SharedCache(square)

    def ask() -> None:
        first_look = iter([True])

        def is_cancelled() -> bool:  # looked at by who waits
            if next(first_look, False):
                waits.wait(LONG)
            return False

        with RUNS.turn(), within(Budget(is_cancelled=is_cancelled)):
            seen.append(cached(7))

    threads.start(lambda: seen.append(cached(7)))
    assert begun.wait(LONG)
    for _ in range(3):
        threads.start(ask)
    threads.join()
    assert (asked, seen) == ([7], [49] * 4)


def test_a_slow_question_ends_where_the_budget_is_spent_and_leaves_a_reserve_for_quick_ones(
    slow: SharedCache[..., float], clock: Clock
) -> None:
    budget, quick = Budget(0.5 + MOMENT), SharedCache(lambda: clock.compute(MOMENT, look))
    assert slow(3.0) == 3.0  # without a budget nothing ends
    with within(budget):
        assert slow(3.0) == 3.0  # what is known costs nothing
        assert budget.spent == 0.0
        with pytest.raises(DeadlineError, match="computed unasked"):
            slow(LONG)
        assert budget.spent == pytest.approx(MOMENT, abs=A_LOOK)
        assert quick() == MOMENT
        clock.compute(1.0)  # drawing counts for nothing
        assert budget.spent == pytest.approx(2 * MOMENT, abs=A_LOOK)
        with pytest.raises(DeadlineError):  # what has no deadline of its own looks at the budget, too
            SharedCache(lambda: clock.compute(LONG, look))()
    assert budget.spent == pytest.approx(0.5 + MOMENT, abs=A_LOOK)
    assert len(budget.unfinished) == 2
    assert not slow.knows(LONG)


def test_nested_questions_count_once_and_a_portion_counts_for_the_whole(
    slow: SharedCache[..., float], clock: Clock
) -> None:
    budget = Budget(2.0)
    with within(budget):
        SharedCache(lambda: slow(MOMENT) + clock.compute(MOMENT))()
        assert budget.spent == pytest.approx(2 * MOMENT)
        with portion(2 * MOMENT), pytest.raises(DeadlineError):
            SharedCache(lambda: clock.compute(LONG, look))()
    assert budget.spent == pytest.approx(4 * MOMENT, abs=A_LOOK)
    assert budget.unfinished == []  # nobody is told of what the page does without


def test_two_compute_unasked_the_others_wait_outside_the_order_and_what_is_asked_for_never(threads: Threads) -> None:
    """Also where a refusal ended what computed before."""
    began, go_on, waits, held = Barrier(3), Event(), Event(), list[bool]()

    def hold(number: int) -> None:
        held.append(RUNS.is_held)
        if number < 2:
            began.wait(LONG)
            assert go_on.wait(LONG)

    def is_cancelled() -> bool:  # looked at by who waits for a slot
        waits.set()
        return False

    def run(number: int) -> None:
        with RUNS.turn(), within(Budget(2.0, is_cancelled)):
            if number < 2:
                RUNS.leave()
                with suppress(ZeroDivisionError):
                    SharedCache(lambda: 1 // 0)()
                RUNS.leave()
            question(number)

    question = SharedCache(hold)
    for number in range(2):
        threads.start(partial(run, number))
    began.wait(LONG)
    waits.clear()
    third = threads.start(partial(run, 2))
    assert waits.wait(LONG)
    with RUNS.turn():
        assert RUNS.is_held
    assert SharedCache(lambda: 1.0)() == 1.0  # asked for
    assert third.is_alive()
    go_on.set()
    threads.join()
    assert held == [False, False, False]


def test_who_computes_waits_for_nobody_whatever_locks_there_are_below(threads: Threads) -> None:
    """A lock within the numerics, held over a question that another thread computes, which needs the lock."""
    lock, holds, asked = RLock(), Event(), Event()

    def inner() -> float:
        asked.set()
        with lock:
            return 1.0

    question = SharedCache(inner)

    def outer() -> float:
        with lock:
            holds.set()
            assert asked.wait(LONG)
            return question() + 1.0

    threads.start(SharedCache(outer))
    assert holds.wait(LONG)
    threads.start(question)
    threads.join()


def test_a_private_question_that_is_refused_has_its_turn_again() -> None:
    def refuse() -> float:
        assert not RUNS.is_held
        raise ValueError("no such number")

    with RUNS.turn():
        with pytest.raises(ValueError, match="no such"):
            session_cache("refused", "key", 1, refuse)
        assert RUNS.is_held
