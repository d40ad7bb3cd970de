"""What a visitor asked to be computed although it takes long: two threads for all visitors, a slice for each in turn.

A slice ends between two steps, and the job goes to the end of the queue: several visitors get equal shares. A job ends
at the next look at its deadline once it is cancelled or its tab is closed.
"""

from collections.abc import Callable, Iterator
from queue import SimpleQueue
from threading import Event, Thread
from time import monotonic
from typing import Any

from numerics.deadline import DeadlineError
from pages.server.budget import Budget, within

SLICE = 0.4  # seconds of work between two jobs
_THREADS = 2
_QUEUE: SimpleQueue["BackgroundJob"] = SimpleQueue()


class BackgroundJob:
    """Steps of a generator, until the last one, until it is cancelled, or until nobody waits any more.

    Attributes:
        chunks: what it has yielded so far.
        failure: what it was ended by; a ValueError says why it cannot be done.
        ended: set when it goes on no more; a page looks, and never waits for it.
    """

    def __init__(self, steps: Iterator[Any], is_left: Callable[[], bool]) -> None:
        """Begin.

        Args:
            steps: each is done by one thread, and shows itself by what it yields.
            is_left: whether the visitor has gone.
        """
        self.chunks: list[Any] = []
        self.failure: Exception | None = None
        self.ended, self._cancelled = Event(), Event()
        self._steps = steps
        self._budget = Budget(is_cancelled=lambda: self._cancelled.is_set() or is_left())
        _QUEUE.put(self)

    @property
    def seconds(self) -> float:
        """Processor time so far."""
        return self._budget.spent

    def cancel(self) -> None:
        """Let it end at the next look at its deadline."""
        self._cancelled.set()

    def work(self) -> None:
        """Do the steps of one slice."""
        goes_on, until = False, monotonic() + SLICE
        try:
            with within(self._budget), self._budget.counted():
                self._budget.check()
                for chunk in self._steps:
                    self.chunks.append(chunk)
                    self._budget.check()
                    if goes_on := monotonic() >= until:
                        break
        except DeadlineError:
            pass
        except Exception as failure:
            self.failure = failure
        if goes_on:
            _QUEUE.put(self)
        else:
            self._steps = iter(())  # and with it what it holds of an upload
            self.ended.set()


def _serve() -> None:
    while True:
        _QUEUE.get().work()


# Threads that nobody waits for when the process ends, as those of an executor are.
for _ in range(_THREADS):
    Thread(target=_serve, name="background jobs", daemon=True).start()
