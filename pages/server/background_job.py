"""What a visitor asked to be computed although it takes long: two threads for all visitors, a slice for each in turn.

A slice ends between two steps, and the job goes to the end of the queue: several visitors get equal shares. A job ends
at the next look at its deadline once it is cancelled or its tab is closed, and rests while its page is not looked at.
"""

from collections.abc import Callable, Iterator
from math import inf
from queue import SimpleQueue
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any

from numerics.deadline import DeadlineError
from pages.server.budget import Budget, within
from pages.server.run_order import RUNS

SLICE = 0.4  # seconds of work between two jobs
_THREADS = 2
_QUEUE: SimpleQueue["BackgroundJob"] = SimpleQueue()


class BackgroundJob:
    """Steps of a generator, until the last one, until it is cancelled, or until nobody waits any more.

    Attributes:
        chunks: what it has yielded so far.
        failure: what it was ended by; a ValueError says why it cannot be done.
    """

    def __init__(self, steps: Iterator[Any], is_left: Callable[[], bool], patience: float = inf) -> None:
        """Begin.

        Args:
            steps: each is done by one thread, and shows itself by what it yields.
            is_left: whether the visitor has gone.
            patience: seconds for which it goes on after ``watch`` was called last; when it is again, the job does too.
        """
        self.chunks: list[Any] = []
        self.failure: Exception | None = None
        self._steps, self._patience, self._watched = steps, patience, monotonic()
        self._cancelled, self._ended, self._lock, self._is_queued = Event(), Event(), Lock(), False
        self._budget = Budget(is_cancelled=lambda: self._cancelled.is_set() or is_left())
        self.watch()

    @property
    def is_finished(self) -> bool:
        """Whether it goes on no more."""
        return self._ended.is_set()

    @property
    def seconds(self) -> float:
        """Processor time so far."""
        return self._budget.spent

    def cancel(self) -> None:
        """Let it end at the next look at its deadline."""
        self._cancelled.set()
        self.watch()  # one that rests has to let go of what it holds

    def wait(self, seconds: float) -> bool:
        """Whether it is finished within so many seconds; a run of a page leaves the order meanwhile."""
        RUNS.leave()
        is_finished = self._ended.wait(seconds)
        RUNS.come_back()
        return is_finished

    def watch(self) -> None:
        """Say that somebody looks at it."""
        self._watched = monotonic()
        with self._lock:
            self._queue()

    def work(self) -> None:
        """Do the steps of one slice."""
        goes_on = False
        try:
            with within(self._budget), self._budget.counted():
                goes_on = self._advance(monotonic() + SLICE)
        except DeadlineError:
            pass
        except Exception as failure:
            self.failure = failure
        if not goes_on:
            self._steps = iter(())  # and with it what it holds of an upload
            self._ended.set()
        with self._lock:
            self._is_queued = False
            if self._cancelled.is_set() or monotonic() < self._watched + self._patience:
                self._queue()

    def _advance(self, until: float) -> bool:
        """Whether there may be more to do after ``until``."""
        self._budget.check()
        for chunk in self._steps:
            self.chunks.append(chunk)
            self._budget.check()
            if monotonic() >= until:
                return True
        return False

    def _queue(self) -> None:
        if not self._is_queued and not self.is_finished:
            self._is_queued = True
            _QUEUE.put(self)


def _serve() -> None:
    while True:
        _QUEUE.get().work()


# Threads that nobody waits for when the process ends, as those of an executor are.
for _ in range(_THREADS):
    Thread(target=_serve, name="background jobs", daemon=True).start()
