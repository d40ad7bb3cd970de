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
UNASKED = 2.0  # seconds of processor time that one run of a page may compute
_LATEST = 10.0  # seconds that anybody lets others go first: nobody waits for ever where they keep coming


class Turns:
    """Lets ``at_once`` threads compute at a time; what a thread computes meanwhile within its turn is part of it."""

    def __init__(self, at_once: int) -> None:
        self._free = BoundedSemaphore(at_once)
        self._mine = local()

    @property
    def _is_mine(self) -> bool:
        return getattr(self._mine, "held", False)

    @property
    def held(self) -> bool:
        """Whether this thread has a turn here."""
        return self._is_mine

    @contextmanager
    def turn(self, patience: float | None = None, spent: float = 0.0) -> Iterator[bool]:
        """Wait for a turn, at most ``patience`` seconds; says whether there is one, which lasts until the end.

        ``spent`` seconds were computed for the visitor before.
        """
        if self.held:
            yield True
            return
        self._mine.held = self._acquire(patience, spent)
        try:
            yield self._mine.held
        finally:
            if self._mine.held:
                self._mine.held = False
                self._release()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Give a turn back for what takes its time, and go on in a new one; without one, nothing happens."""
        if not self._is_mine:
            yield
            return
        self._mine.held = False
        self._release()
        try:
            yield
        finally:
            self._mine.held = self._acquire(PATIENCE, 0.0)

    def _acquire(self, patience: float | None, _spent: float) -> bool:
        return self._free.acquire(timeout=patience)

    def _release(self) -> None:
        self._free.release()


class FairTurn(Turns):
    """Lets one thread compute at a time, in the order of arrival; whoever has computed more lets others go first.

    A thread that has computed for longer than a run of a page does gives way, whenever it looks, to somebody who has
    computed less: what takes long is worked on while nobody else wants to compute, and for several visitors in equal
    shares. Runs do not interrupt each other: each would end about when the last one does. Threads that hold a turn of
    ``inner`` never wait here: two that wait for each other would wait for ever.
    """

    def __init__(self, inner: Turns) -> None:
        super().__init__(at_once=1)
        self._inner = inner
        self._changed = Condition()
        # When it is their turn, were all alike: at arrival, and later by what was computed; then the order of arrival.
        self._waiting: list[tuple[float, int, float]] = []
        self._arrivals = count()
        self._taken = False

    @property
    def held(self) -> bool:
        """Whether this thread has the turn, or one within it."""
        return self._is_mine or self._inner.held

    def give_way(self, spent: float) -> None:
        """Let those compute first who have computed less than ``spent`` seconds, where that is long.

        Not within a turn of ``inner``, which whoever comes next may need.
        """
        least = min((other for _, _, other in self._waiting), default=spent)
        if self._is_mine and not self._inner.held and spent > UNASKED and least < spent:
            self._release()
            self._acquire(None, spent)

    def _acquire(self, patience: float | None, spent: float) -> bool:
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
