"""What was asked for and takes long goes on beside the pages, in equal shares, while somebody waits for it."""

from collections.abc import Iterator
from threading import Barrier, Event

import pytest

from pages.server import background_job
from pages.server.background_job import BackgroundJob
from pages.server.budget import Budget, current, never, within
from pages.server.shared_cache import SharedCache
from tests.pages.server.conftest import LONG


@pytest.fixture(autouse=True)
def a_step_is_a_slice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background_job, "SLICE", 0.0)


def once_all_threads_are_here(gate: Barrier, goes_on: Event | None = None) -> list[BackgroundJob]:
    """A job for each thread; they wait for each other, so what was queued before is done."""

    def steps() -> Iterator[None]:
        gate.wait(LONG)
        assert goes_on is None or goes_on.wait(LONG)
        yield

    return [BackgroundJob(steps(), never) for _ in range(background_job._THREADS)]


def rest() -> None:
    """Wait until every thread has done what it had to do."""
    for job in once_all_threads_are_here(Barrier(background_job._THREADS)):
        assert job.wait(LONG)
        assert job.failure is None


def test_several_get_equal_shares() -> None:
    done, go_on = list[str](), Event()

    def steps(name: str) -> Iterator[str]:
        for _ in range(20):
            done.append(name)
            yield name

    gates = once_all_threads_are_here(Barrier(background_job._THREADS), go_on)
    jobs = [BackgroundJob(steps(name), never) for name in "abcd"]
    go_on.set()
    assert all(job.wait(LONG) for job in (*gates, *jobs))
    for place in range(len(done)):
        counts = [done[:place].count(name) for name in "abcd"]
        assert max(counts) - min(counts) <= background_job._THREADS
    assert [len(job.chunks) for job in jobs] == [20] * 4


def test_a_job_that_nobody_looks_at_rests_and_goes_on_when_somebody_does_and_one_that_is_cancelled_lets_go() -> None:
    job = BackgroundJob(iter(range(9)), never, patience=0.0)
    for seen in (1, 2, 3):
        rest()
        assert (len(job.chunks), job.is_finished) == (seen, False)
        job.watch()
    rest()
    job.cancel()
    assert job.wait(LONG)
    assert (job.chunks, list(job._steps)) == ([0, 1, 2, 3], [])


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
    assert budget.spent == 0.0
    left.set() if closes_the_tab else job.cancel()
    go_on.set()
    assert job.wait(LONG)
    assert (job.chunks, job.failure, len(question)) == ([], None, 0)


def test_what_ends_a_job_is_told_and_ends_no_other() -> None:
    jobs = [BackgroundJob((1 / (2 - number) for number in range(9)), never) for _ in range(4)]
    assert all(job.wait(LONG) for job in jobs)
    assert [(len(job.chunks), type(job.failure)) for job in jobs] == [(2, ZeroDivisionError)] * 4
