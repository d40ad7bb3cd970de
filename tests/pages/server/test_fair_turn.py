"""Who computes first: whoever has computed least, a run's questions together, and nobody who has lost patience."""

from threading import Thread

import pytest

from pages.server.budget import Budget
from pages.server.turns import FairTurn, Turns
from tests.pages.server.test_budget import LONG


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
