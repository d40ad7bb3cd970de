"""Computing in turn: sessions share one interpreter, so few threads compute at once and the others wait for them.

A page's run gives the interpreter away some hundred times, once a message, and queues behind every thread that computes
before it goes on. With twenty of them a run of 30 ms took seconds; behind two or three nobody notices.

Why nobody waits for ever. A thread waits, in this order and never against it,

1. for whoever computes the same question (``SharedCache``), its own turns given back. Who computes a question waits
   for no question but those asked within it, and none of these asks for it again: pure functions that end;
2. for its turn in ``SLOW`` or ``ELSEWHERE``: whoever has one computes, waits for 3, or gives it back for 1; a process
   that is waited for elsewhere is ended in time;
3. for its turn in ``ANSWERS``: whoever has one computes. It never waits for ``SLOW`` (``FairTurn``).

All other waits end by themselves (``PATIENCE``), and who waited goes on without a turn: for a turn in ``RUNS``, and for
one that was given back during a pause.

Who looks at a deadline may give its turn back there and wait for a new one, so it may hold nothing else that others
need. Properties have no lock (``numerics.lazy_property``), nor has ``functools.lru_cache`` while it computes; nobody
who looks holds a lock of caches, tables, imports, drawings or readers of files. ``python -m benchmarks.soak`` tries it,
and ``health`` tells the operator.
"""

from bisect import insort
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from threading import Event, Lock, get_ident, local
from time import monotonic

PATIENCE = 3.0  # seconds, after which a page's run goes on without a turn: none is kept out by one that takes long
UNASKED = 2.0  # seconds of processor time that one run of a page may compute
_PUT_BACK = 3.0  # seconds that others may come later and still go first, for each second computed
_LATEST = 10.0  # seconds that anybody lets others go first: nobody waits for ever where they keep coming
_ALIKE = 0.5  # seconds: whoever has computed no more than that much longer is not interrupted
_LONGER = 0.1  # the same for runs of pages and their answers, most of which take less


@dataclass(frozen=True, order=True)
class _Waiting:
    """A thread in a queue: ``place`` is when it would be its turn, were nobody else there; then comes who came first.

    Who has computed for ``spent`` seconds lets others go first.
    """

    place: float
    number: int
    spent: float = field(compare=False)
    granted: Event = field(compare=False, default_factory=Event)


def _place(since: float, spent: float) -> float:
    return since + min(_PUT_BACK * spent, _LATEST)


class Turns:
    """Lets ``at_once`` threads compute at a time; what a thread computes meanwhile within its turn is part of it.

    They take turns in the order of arrival; whoever has computed more lets others go first.
    """

    def __init__(self, at_once: int, alike: float = _ALIKE) -> None:
        """``alike``: whoever has computed no more than so many seconds longer than others does not give way to them."""
        self._at_once, self._alike = at_once, alike
        self._taken = 0
        self._waiting: list[_Waiting] = []  # in the order in which they go on
        self._arrivals = count()
        self._lock = Lock()
        self._mine = local()
        self._heard: dict[int, float] = {}  # by thread that has a turn: when it gave its last sign

    @property
    def _is_mine(self) -> bool:
        return getattr(self._mine, "held", False)

    @property
    def held(self) -> bool:
        """Whether this thread has a turn here."""
        return self._is_mine

    @property
    def is_wanted(self) -> bool:
        """Whether anybody waits for a turn here."""
        return bool(self._waiting)

    @property
    def silence(self) -> float:
        """Seconds since the last sign of one who has a turn here, of several the longest; 0 where nobody has one."""
        now = monotonic()
        return now - min([now, *self._heard.values()])

    def give_sign(self) -> None:
        """Say that this thread goes on, if it has a turn here."""
        if self._is_mine:
            self._heard[get_ident()] = monotonic()

    @contextmanager
    def turn(self, patience: float | None = None, spent: float = 0.0, since: float | None = None) -> Iterator[bool]:
        """Wait for a turn, at most ``patience`` seconds; says whether there is one, which lasts until the end.

        ``spent`` seconds were computed for the visitor before, who waits ``since`` then: from now on, if that is None.
        """
        if self.held:
            yield True
            return
        self._mine.since = monotonic() if since is None else since
        self._mine.held = self._acquire(patience, self._mine.since, spent)
        try:
            yield self._mine.held
        finally:
            if self._mine.held:
                self._mine.held = False
                self._release()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Give a turn back for what takes its time, and then go on before those who came later."""
        if not self._is_mine:
            yield
            return
        self._mine.held = False
        self._release()
        try:
            yield
        finally:
            self._mine.held = self._acquire(PATIENCE, self._mine.since, 0.0)

    def is_due(self, spent: float, since: float | None = None) -> bool:
        """Whether somebody waits whose turn it is before this thread's, which has computed for ``spent`` seconds."""
        first = next(iter(self._waiting), None)
        if first is None or not self._is_mine:
            return False
        return first.spent + self._alike < spent and first.place < _place(
            monotonic() if since is None else since, spent
        )

    def give_way(self, spent: float, since: float | None = None, patience: float | None = None) -> None:
        """Let those compute first whose turn it is before, and go on then, or after ``patience`` seconds without."""
        if self.is_due(spent, since):
            self._release()
            self._mine.held = self._acquire(patience, monotonic() if since is None else since, spent)

    def _acquire(self, patience: float | None, since: float, spent: float) -> bool:
        own = _Waiting(_place(since, spent), next(self._arrivals), spent)
        with self._lock:
            insort(self._waiting, own)
            self._go_on()
        own.granted.wait(patience)
        with self._lock:
            if not own.granted.is_set():
                self._waiting.remove(own)
                return False
        self._heard[get_ident()] = monotonic()
        return True

    def _release(self) -> None:
        del self._heard[get_ident()]
        with self._lock:
            self._taken -= 1
            self._go_on()

    def _go_on(self) -> None:
        """Give the next one its turn, if there is one."""
        if self._waiting and self._taken < self._at_once:
            self._taken += 1
            self._waiting.pop(0).granted.set()


class FairTurn(Turns):
    """Lets one thread compute at a time. Threads that hold a turn of ``inner`` never wait here.

    Two that wait for each other would wait for ever.
    """

    def __init__(self, inner: Turns) -> None:
        super().__init__(at_once=1)
        self._inner = inner

    @property
    def held(self) -> bool:
        """Whether this thread has the turn, or one within it."""
        return self._is_mine or self._inner.held

    def give_way(self, spent: float, since: float | None = None, patience: float | None = None) -> None:
        """See ``Turns``; not within a turn of ``inner``, which whoever comes next may need."""
        if not self._inner.held:
            super().give_way(spent, since, patience)


# Runs of pages. Several at once would take as long in all, and each would end about when the last one does.
RUNS = Turns(1, _LONGER)
# What takes a moment does not queue behind what takes a second or more.
ANSWERS = Turns(2, _LONGER)
SLOW = FairTurn(inner=ANSWERS)
# Who waits for another process must not keep those from computing who compute here.
ELSEWHERE = Turns(1)


def give_way(spent: float, since: float | None = None) -> None:
    """Let others compute first, after a look at a deadline, for whom this thread has computed ``spent`` seconds.

    A thread gives way to the next one, if that has computed for clearly less: what takes long is worked on while nobody
    else wants to compute, and for several visitors in equal shares. Those alike do not interrupt each other: each would
    end about when the last one does. Who is let through may need a turn for what takes a moment.
    """
    for turns in (RUNS, ANSWERS, SLOW, ELSEWHERE):
        turns.give_sign()
    for turns, patience in ((RUNS, PATIENCE), (SLOW, None)):
        if turns.is_due(spent, since):
            with ANSWERS.paused():
                turns.give_way(spent, since, patience)
    ANSWERS.give_way(spent, since, PATIENCE)


def silence() -> float:
    """Seconds for which somebody has had a turn and given no sign: who computes looks at a deadline now and then.

    Who has another turn may wait for one of ``ANSWERS``, and is silent then: whether these go on is what counts.
    """
    return ANSWERS.silence if ANSWERS.is_wanted else max(one.silence for one in (RUNS, ANSWERS, SLOW, ELSEWHERE))
