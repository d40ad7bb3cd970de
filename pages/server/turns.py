"""Computing in turn: sessions share one interpreter, so few threads compute at once and the others wait for them.

A page's run gives the interpreter away some hundred times, once a message, and queues behind every thread that computes
before it goes on. With twenty of them a run of 30 ms took seconds; behind two or three nobody notices.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from threading import BoundedSemaphore, Condition, local
from time import monotonic

PATIENCE = 3.0  # seconds, after which a page's run goes on without a turn: none is kept out by one that takes long
# Seconds computed from which on a thread gives way. Runs of pages end before that: were they to interrupt each other,
# each would end about when the last one does.
_LONG = 2.0
_LATEST = 10.0  # seconds that anybody lets others go first: nobody waits for ever where they keep coming


class Turns:
    """Lets ``at_once`` threads compute at a time; what a thread computes meanwhile within its turn is part of it."""

    def __init__(self, at_once: int) -> None:
        self._free = BoundedSemaphore(at_once)
        self._mine = local()

    @property
    def held(self) -> bool:
        """Whether this thread has a turn here."""
        return getattr(self._mine, "held", False)

    @contextmanager
    def turn(self, patience: float | None = None) -> Iterator[bool]:
        """Wait for a turn, at most ``patience`` seconds; says whether there is one, which lasts until the end."""
        if self.held:
            yield True
            return
        self._mine.held = self._free.acquire(timeout=patience)
        try:
            yield self._mine.held
        finally:
            if self._mine.held:
                self._mine.held = False
                self._free.release()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Give a turn back for what takes its time, and go on in a new one; without one, nothing happens."""
        if not self.held:
            yield
            return
        self._mine.held = False
        self._free.release()
        try:
            yield
        finally:
            self._mine.held = self._free.acquire(timeout=PATIENCE)


class FairTurn:
    """Lets one thread compute at a time: of those that wait, the one that has computed least for its visitor.

    Who holds the turn gives way, whenever it looks, to somebody who has computed less. What takes long is thus worked
    on while nobody else wants to compute, and for several visitors in equal shares. Threads that hold a turn of
    ``inner`` never wait here: two that wait for each other would wait for ever.
    """

    def __init__(self, inner: Turns) -> None:
        self._inner = inner
        self._changed = Condition()
        # When it is their turn, were all alike: at arrival, and later by what was computed; then the order of arrival.
        self._waiting: list[tuple[float, int, float]] = []
        self._arrivals = count()
        self._taken = False
        self._mine = local()

    @property
    def held(self) -> bool:
        """Whether this thread has the turn, or one within it."""
        return getattr(self._mine, "held", False) or self._inner.held

    @contextmanager
    def turn(self, patience: float | None = None, spent: float = 0.0) -> Iterator[bool]:
        """As that of ``Turns``, for a visitor for whom ``spent`` seconds were computed."""
        if self.held:
            yield True
            return
        self._mine.held = self._acquire(spent, patience)
        try:
            yield self._mine.held
        finally:
            if self._mine.held:
                self._mine.held = False
                self._release()

    def give_way(self, spent: float) -> None:
        """Let those compute first who have computed less than ``spent`` seconds, where that is long.

        Not within a turn of ``inner``, which whoever comes next may need.
        """
        least = min((other for _, _, other in self._waiting), default=spent)
        mine = getattr(self._mine, "held", False) and not self._inner.held
        if mine and spent > _LONG and least < spent:
            self._release()
            self._acquire(spent, None)

    def _acquire(self, spent: float, patience: float | None) -> bool:
        with self._changed:
            own = monotonic() + min(spent, _LATEST), next(self._arrivals), spent
            self._waiting = [*self._waiting, own]
            mine = self._changed.wait_for(lambda: not self._taken and min(self._waiting) == own, patience)
            self._waiting = [other for other in self._waiting if other != own]
            self._taken = self._taken or mine
            self._changed.notify_all()  # another is the first now
            return mine

    def _release(self) -> None:
        with self._changed:
            self._taken = False
            self._changed.notify_all()


# Runs of pages. Several at once would take as long in all, and each would end about when the last one does.
RUNS = Turns(1)
# What takes a moment does not queue behind what takes a second or more.
ANSWERS = Turns(2)
SLOW = FairTurn(inner=ANSWERS)
# Who waits for another process must not keep those from computing who compute here.
ELSEWHERE = Turns(1)
