"""What a run may compute unasked, who computes first, and what a visitor asked to be computed all the same."""

from collections.abc import Callable
from threading import Event, Thread
from time import thread_time

import pytest

from numerics.deadline import UNLIMITED, Deadline, DeadlineError
from pages.server import shared_cache
from pages.server.background import BackgroundWork
from pages.server.budget import Budget, within
from pages.server.shared_cache import SharedCache
from pages.server.turns import ANSWERS, ELSEWHERE, SLOW, FairTurn, Turns

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


def waiting(turn: FairTurn, number: int) -> None:
    while len(turn._waiting) < number:
        pass


def test_who_has_computed_least_goes_first() -> None:
    turn, order, threads = FairTurn(Turns(1)), list[float](), list[Thread]()

    def one(spent: float) -> None:
        with turn.turn(LONG, spent):
            order.append(spent)

    with turn.turn():
        for number, spent in enumerate((3.0, 1.0, 2.0), start=1):
            threads.append(Thread(target=one, args=(spent,), daemon=True))
            threads[-1].start()
            waiting(turn, number)
    for thread in threads:
        thread.join(LONG)
    assert order == [1.0, 2.0, 3.0]


@pytest.mark.parametrize(("spent", "gives_way"), [(5.0, True), (1.1, False)])
def test_who_has_computed_more_gives_way_when_it_looks(spent: float, gives_way: bool) -> None:
    turn, order = FairTurn(Turns(1)), list[str]()

    def visitor() -> None:
        with turn.turn(LONG, 1.0):
            order.append("visitor")

    thread = Thread(target=visitor, daemon=True)
    with turn.turn(spent=spent):
        thread.start()
        waiting(turn, 1)
        turn.give_way(spent)
        order.append("holder")
    thread.join(LONG)
    assert order == (["visitor", "holder"] if gives_way else ["holder", "visitor"])


def test_the_questions_of_one_run_are_one_visit() -> None:
    """A run's second question does not queue behind those who came after its first."""
    turn, order, threads = FairTurn(Turns(1)), list[str](), list[Thread]()
    began = Budget(2.0).waits_since

    def one(name: str, since: float | None) -> None:
        with turn.turn(LONG, 0.0, since):
            order.append(name)

    with turn.turn():
        for number, asked in enumerate((("newcomer", None), ("run", began)), start=1):
            threads.append(Thread(target=one, args=asked, daemon=True))
            threads[-1].start()
            waiting(turn, number)
    for thread in threads:
        thread.join(LONG)
    assert order == ["run", "newcomer"]
    assert Budget().waits_since is None  # what was asked for by itself would come before everybody else some day


def test_nobody_gives_way_within_an_inner_turn() -> None:
    """Who came next waited for the inner turn, and the holder of that for the outer one: for ever."""
    inner = Turns(1)
    turn, order = FairTurn(inner), list[str]()

    def visitor() -> None:
        with turn.turn(LONG), inner.turn(LONG):
            order.append("visitor")

    thread = Thread(target=visitor, daemon=True)
    with turn.turn(spent=5.0):
        thread.start()
        waiting(turn, 1)
        with inner.turn():
            turn.give_way(5.0)
            order.append("holder")
    thread.join(LONG)
    assert order == ["holder", "visitor"]


def test_who_loses_patience_does_not_keep_others_waiting() -> None:
    turn = FairTurn(Turns(1))
    with turn.turn():
        tried = list[bool]()

        def impatient() -> None:
            with turn.turn(0.01, 0.0) as mine:
                tried.append(mine)

        thread = Thread(target=impatient, daemon=True)
        thread.start()
        thread.join(LONG)
    assert tried == [False]
    with turn.turn(LONG, 9.0) as mine:
        assert mine


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
