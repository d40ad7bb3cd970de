"""What a run may compute unasked, who computes first, and what a visitor asked to be computed all the same."""

from collections.abc import Callable
from threading import Event
from time import thread_time

import pytest

from numerics.deadline import UNLIMITED, Deadline, DeadlineError, look
from pages.server import shared_cache
from pages.server.background import BackgroundWork
from pages.server.budget import Budget, within
from pages.server.shared_cache import SharedCache
from pages.server.turns import ANSWERS, ELSEWHERE, SLOW

LONG = 20.0  # seconds that nothing here takes unless it hangs
SPENT = 0.05


def busy(seconds: float, deadline: Deadline = UNLIMITED) -> float:
    """Compute for so long, looking at the deadline."""
    began = thread_time()
    while thread_time() - began < seconds:
        deadline.check()
    return seconds


def slow(function: Callable[..., float] = busy) -> SharedCache[..., float]:
    return SharedCache(function, SLOW)


def test_a_slow_question_stops_where_the_budget_is_spent_and_is_noted() -> None:
    question, budget = slow(), Budget(0.5 + SPENT)  # half a second is kept for quick answers
    with within(budget), pytest.raises(DeadlineError, match="computed unasked"):
        question(LONG)
    assert SPENT <= budget.spent < 1.0
    assert len(budget.unfinished) == 1
    assert len(question) == 0


def test_a_quick_answer_still_has_what_is_reserved() -> None:
    budget = Budget(0.5 + SPENT)
    quick = SharedCache(lambda: busy(SPENT), ANSWERS)
    with within(budget):
        with pytest.raises(DeadlineError):
            slow()(LONG)
        assert quick() == SPENT
    assert len(budget.unfinished) == 1


def test_what_has_no_deadline_of_its_own_looks_at_the_budget_too() -> None:
    def formula() -> float:
        began = thread_time()
        while thread_time() - began < LONG:
            look()
        return 1.0

    budget = Budget(SPENT)
    with within(budget), pytest.raises(DeadlineError, match="computed unasked"):
        SharedCache(formula, ANSWERS)()
    assert len(budget.unfinished) == 1


def test_what_is_known_costs_nothing() -> None:
    question = slow()
    question(SPENT)
    with within(Budget(0.0)):
        assert question(SPENT) == SPENT


def test_without_a_budget_a_question_takes_as_long_as_it_takes() -> None:
    assert slow()(SPENT) == SPENT


def test_only_computing_counts_and_nested_questions_count_once() -> None:
    inner = slow()
    outer = SharedCache(lambda: inner(SPENT) + busy(SPENT), SLOW)
    budget = Budget()
    with within(budget):
        busy(SPENT)
        outer()
    assert 2 * SPENT <= budget.spent < 3 * SPENT


def in_background(*questions: Callable[[], object], left: Event | None = None) -> BackgroundWork:
    return BackgroundWork(questions, (left or Event()).is_set)


def ended(work: BackgroundWork) -> BackgroundWork:
    work._thread.join(LONG)
    assert work.finished
    return work


def test_what_was_not_finished_is_answered_in_the_background_for_all() -> None:
    question, budget = slow(), Budget(0.5)
    with within(budget), pytest.raises(DeadlineError):
        question(SPENT)
    work = ended(in_background(*budget.unfinished))
    assert (work.done, len(question)) == (1, 1)
    with within(Budget(0.0)):
        assert question(SPENT) == SPENT


def test_while_another_process_computes_the_turn_is_anybodys() -> None:
    asked, answer = Event(), Event()

    def elsewhere(deadline: Deadline = UNLIMITED) -> float:
        asked.set()
        assert answer.wait(LONG)
        deadline.check()
        return 1.0

    work = in_background(SharedCache(elsewhere, ELSEWHERE))
    assert asked.wait(LONG)
    with SLOW.turn(LONG) as mine:
        assert mine
    answer.set()
    assert ended(work).done == 1


@pytest.mark.parametrize("closes_the_tab", [True, False])
def test_waiting_for_another_process_ends_with_the_visitor(
    closes_the_tab: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = Event()
    monkeypatch.setattr(shared_cache, "moved_on", lambda: Event().is_set if closes_the_tab else left.is_set)

    def elsewhere(deadline: Deadline = UNLIMITED) -> float:
        left.set()
        deadline.check()
        return 1.0

    question = SharedCache(elsewhere, ELSEWHERE)
    with within(Budget(is_left=left.is_set if closes_the_tab else lambda: False)), pytest.raises(DeadlineError):
        question()
    assert len(question) == 0


def test_a_refusal_does_not_end_the_work() -> None:
    def refused() -> float:
        raise ValueError("there is none.")

    question = slow()
    assert ended(in_background(slow(refused), lambda: question(SPENT))).done == 2
    assert len(question) == 1


@pytest.mark.parametrize("closes_the_tab", [True, False])
def test_work_ends_with_the_visitor_or_when_it_is_cancelled(closes_the_tab: bool) -> None:
    left, question = Event(), slow()
    work = in_background(lambda: question(LONG), left=left)
    left.set() if closes_the_tab else work.cancel()
    assert ended(work).done == 0
    assert work.seconds < LONG / 2


def test_a_run_leaves_to_others_what_they_take_their_time_for() -> None:
    """It would compute the same for as long as it may, at every change."""
    begun = Event()

    def function(seconds: float, deadline: Deadline = UNLIMITED) -> float:
        begun.set()
        return busy(seconds, deadline)

    question, budget = slow(function), Budget(2.0)
    work = in_background(lambda: question(LONG))
    assert begun.wait(LONG)
    with within(budget), pytest.raises(DeadlineError, match="is being computed"):
        question(LONG)
    assert budget.spent < 0.5
    work.cancel()
    ended(work)
