"""Runs of pages in the order in which they were asked for: several at once would each end about when the last one does.

A run of a page gives the interpreter away some hundred times, once a message, and queues behind every thread that
computes before it goes on. Beside other runs 30 ms become seconds.

Nobody waits here for ever: who has its turn waits for nothing else (``leave``), and who has waited for ``PATIENCE``
goes on without.
"""

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock, local

PATIENCE = 3.0  # seconds

_LOCK = Lock()
_WAITING = deque[Event]()  # in the order in which they came
_STATE = {"is_taken": False}
_MINE = local()


@contextmanager
def turn() -> Iterator[None]:
    """Wait for this run's turn, and have it until the end or until ``leave``."""
    own = Event()
    with _LOCK:
        _WAITING.append(own)
        if not _STATE["is_taken"]:
            _next()
    own.wait(PATIENCE)
    with _LOCK:
        _MINE.is_held = own.is_set()
        if not own.is_set():
            _WAITING.remove(own)
    try:
        yield
    finally:
        leave()


def leave() -> None:
    """Let the next run go on: before this thread waits for something, or computes what may take long."""
    if getattr(_MINE, "is_held", False):
        _MINE.is_held = False
        with _LOCK:
            _next()


def is_wanted() -> bool:
    """Whether another run waits for its turn."""
    return bool(_WAITING)


def _next() -> None:
    _STATE["is_taken"] = bool(_WAITING)
    if _WAITING:
        _WAITING.popleft().set()
