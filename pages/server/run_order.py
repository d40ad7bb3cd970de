"""Runs of pages in the order in which they were asked for: several at once would each end about when the last one does.

A run of a page gives the interpreter away some hundred times, once a message, and queues behind every thread that
computes before it goes on: beside other runs 30 ms become seconds. With 40 visitors (``benchmarks.sessions``, three
interleaved rounds on a busy machine) a run takes 66 ms of the processor in this order and 77 ms in none, and the server
335 MB and 456 MB.

Nobody waits here for ever: who has a turn waits for nothing else, as it leaves before, and each run waits for
``PATIENCE`` in all, after which it goes on without a turn. Who comes back holds nothing that others wait for.
"""

from bisect import insort
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from threading import Event, Lock, local
from time import monotonic

PATIENCE = 3.0  # seconds


class RunOrder:
    """Lets one thread after the other go on, first come, first served."""

    def __init__(self) -> None:
        self._lock, self._mine, self._numbers = Lock(), local(), count()
        self._waiting: list[tuple[int, Event]] = []  # in the order in which the runs began
        self._is_taken = False
        self._runs = 0

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for this run's turn, and have it until the end or until ``leave``."""
        with self._lock:
            self._runs += 1
        self._mine.number, self._mine.patience = next(self._numbers), PATIENCE
        self.come_back()
        try:
            yield
        finally:
            self.leave()
            self._mine.patience = 0.0
            with self._lock:
                self._runs -= 1

    def leave(self) -> None:
        """Let the next run go on: before this thread waits for something, or computes what may take long."""
        if self.is_held:
            self._mine.is_held = False
            with self._lock:
                self._next()

    def come_back(self) -> None:
        """Wait for a turn again, before runs that began later. Outside of a run, nothing."""
        patience = getattr(self._mine, "patience", 0.0)
        if patience <= 0.0 or self.is_held:
            return
        own, began = Event(), monotonic()
        waiting = self._mine.number, own
        with self._lock:
            insort(self._waiting, waiting)
            if not self._is_taken:
                self._next()
        own.wait(patience)
        with self._lock:
            self._mine.is_held = own.is_set()
            if not own.is_set():
                self._waiting.remove(waiting)
        self._mine.patience = patience - (monotonic() - began)

    @property
    def is_held(self) -> bool:
        """Whether this thread has the turn."""
        return getattr(self._mine, "is_held", False)

    def is_busy(self) -> bool:
        """Whether another run goes on, or waits, beside that which asks."""
        return self._runs > 1

    def _next(self) -> None:
        self._is_taken = bool(self._waiting)
        if self._waiting:
            self._waiting.pop(0)[1].set()


RUNS = RunOrder()
