"""What is asked once is known to all; a run computes so much unasked, and the rest in the background, if wanted."""

from threading import Barrier, Event

import pytest

from numerics.deadline import UNLIMITED, Deadline, DeadlineError, look
from pages.server.background import BackgroundWork
from pages.server.budget import Budget, portion, within
from pages.server.shared_cache import Private, SharedCache
from pages.server.turns import ANSWERS, RUNS, SLOW, Turns
from tests.pages.server.conftest import LONG, Clock, Threads

MOMENT = 0.05
A_LOOK = 0.011  # seconds that pass until the next look at a deadline


@pytest.fixture
def slow(clock: Clock) -> SharedCache[..., float]:
    """A question that takes as long as it is told to, and looks at its deadline."""

    def compute(seconds: float, deadline: Deadline = UNLIMITED) -> float:
        return clock.compute(seconds, deadline.check)

    return SharedCache(compute, SLOW)


@pytest.mark.parametrize(("answer", "most"), [(dict, 256), (float, 2048)], ids=["curves", "numbers"])
def test_the_latest_results_are_remembered_and_more_numbers_than_curves(answer: type, most: int) -> None:
    asked = list[int]()

    def function(value: int) -> object:
        asked.append(value)
        return answer()

    function.__annotations__["return"] = answer
    cached = SharedCache(function, Turns(1))
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

    cached = SharedCache(inverse, Turns(1))
    for value in (2.0, 0.0, 2.0, 0.0, Private(4.0), Private(4.0), 4.0, 4.0):
        if value:
            assert cached(value) == 1 / value
        else:
            with pytest.raises(ZeroDivisionError):  # and its turn ends
                cached(value)
    assert asked == [2.0, 0.0, 0.0, 4.0, 4.0, 4.0]
    assert (cached.knows(2.0), cached.knows(0.0), len(cached)) == (True, False, 2)


def test_what_several_ask_for_at_once_is_computed_once_and_who_waits_holds_no_turn(threads: Threads) -> None:
    asked, begun, seen, waits = list[int](), Event(), list[int](), Barrier(4)

    def square(value: int) -> int:
        asked.append(value)
        begun.set()
        waits.wait(LONG)
        with RUNS.turn(LONG) as mine:  # the others have given theirs back
            assert mine
        return value * value

    cached = SharedCache(square, Turns(4))

    def ask() -> None:
        first_look = iter([True])

        def is_left() -> bool:  # looked at by who waits
            if next(first_look, False):
                waits.wait(LONG)
            return False

        with RUNS.turn(LONG), within(Budget(is_left=is_left)):
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
    budget, quick = Budget(0.5 + MOMENT), SharedCache(lambda: clock.compute(MOMENT, look), ANSWERS)
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
            SharedCache(lambda: clock.compute(LONG, look), ANSWERS)()
    assert budget.spent == pytest.approx(0.5 + MOMENT, abs=A_LOOK)
    assert len(budget.unfinished) == 2
    assert not slow.knows(LONG)


def test_nested_questions_count_once_and_a_portion_counts_for_the_whole(
    slow: SharedCache[..., float], clock: Clock
) -> None:
    budget = Budget(2.0)
    with within(budget):
        SharedCache(lambda: slow(MOMENT) + clock.compute(MOMENT), SLOW)()
        assert budget.spent == pytest.approx(2 * MOMENT)
        with portion(2 * MOMENT), pytest.raises(DeadlineError):
            SharedCache(lambda: clock.compute(LONG, look), ANSWERS)()
    assert budget.spent == pytest.approx(4 * MOMENT, abs=A_LOOK)
    assert budget.unfinished == []  # nobody is told of what the page does without


def ended(work: BackgroundWork) -> BackgroundWork:
    work._thread.join(LONG)
    assert work.finished
    return work


def test_what_was_not_finished_is_answered_in_the_background_for_all_and_a_refusal_does_not_end_it(
    slow: SharedCache[..., float],
) -> None:
    def refuse() -> float:
        raise ValueError("there is none.")

    budget = Budget(0.5)
    with within(budget), pytest.raises(DeadlineError):
        slow(1.0)
    work = ended(BackgroundWork((refuse, *budget.unfinished), lambda: False))
    assert work.done == 2
    assert work.seconds == pytest.approx(1.0)
    with within(Budget(0.0)):
        assert slow(1.0) == 1.0


@pytest.mark.parametrize("closes_the_tab", [True, False])
def test_work_ends_with_the_visitor_or_when_it_is_cancelled_and_a_run_leaves_it_alone(closes_the_tab: bool) -> None:
    begun, go_on, left = Event(), Event(), Event()

    def hold(deadline: Deadline = UNLIMITED) -> None:
        begun.set()
        assert go_on.wait(LONG)
        deadline.check()

    question, budget = SharedCache(hold, SLOW), Budget(2.0)
    work = BackgroundWork([question], left.is_set)
    assert begun.wait(LONG)
    with within(budget), pytest.raises(DeadlineError, match="is being computed"):
        question()
    assert budget.spent == 0.0
    left.set() if closes_the_tab else work.cancel()
    go_on.set()
    assert ended(work).done == 0
    assert len(question) == 0
