"""What was asked for and takes long goes on beside the pages, in equal shares, until its visitor goes."""

from collections.abc import Iterator
from threading import Barrier, Event

import pytest

from pages.server import background_job
from pages.server.background_job import BackgroundJob
from pages.server.budget import Budget, current, never, within
from pages.server.shared_cache import SharedCache
from tests.pages.server.conftest import LONG

THREADS = background_job._THREADS


@pytest.fixture(autouse=True)
def a_step_is_a_slice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background_job, "SLICE", 0.0)


def gates(goes_on: Event) -> list[BackgroundJob]:
    """A job for each thread; they wait for each other, so what was queued before is done."""
    all_here = Barrier(THREADS)
    return [BackgroundJob((all_here.wait(LONG) + goes_on.wait(LONG) for _ in "1"), never) for _ in range(THREADS)]


def test_several_get_equal_shares_and_what_ends_one_ends_no_other() -> None:
    done, go_on = list[str](), Event()

    def steps(name: str) -> Iterator[float]:
        for number in range(20):
            done.append(name)
            yield 1 / (10 - number) if name == "d" else 0.0

    held = gates(go_on)
    jobs = [BackgroundJob(steps(name), never) for name in "abcd"]
    go_on.set()
    assert all(job.ended.wait(LONG) for job in (*held, *jobs))
    for place in range(40):
        counts = [done[:place].count(name) for name in "abcd"]
        assert max(counts) - min(counts) <= THREADS
    assert [len(job.chunks) for job in jobs] == [20, 20, 20, 10]
    assert [type(job.failure) for job in jobs] == [type(None)] * 3 + [ZeroDivisionError]


@pytest.mark.parametrize("closes_the_tab", [True, False])
def test_a_job_ends_within_a_step_with_the_visitor_or_when_it_is_cancelled_and_runs_leave_it_alone(
    closes_the_tab: bool,
) -> None:
    begun, go_on, left = Event(), Event(), Event()

    def hold() -> None:
        begun.set()
        assert go_on.wait(LONG)
        current().check()

    question, budget = SharedCache(hold), Budget(2.0)
    job = BackgroundJob((question() for _ in range(2)), left.is_set)
    assert begun.wait(LONG)
    with within(budget), pytest.raises(ValueError, match="is being computed"):
        question()
    left.set() if closes_the_tab else job.cancel()
    go_on.set()
    assert job.ended.wait(LONG)
    assert (budget.spent, job.chunks, list(job._steps), job.failure, len(question)) == (0.0, [], [], None, 0)
