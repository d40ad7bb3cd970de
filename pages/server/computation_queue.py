"""Computing in turn: sessions share one interpreter, so few threads compute at once and the others wait for them.

A page's run gives the interpreter away some hundred times, once a message, and queues behind every thread that computes
before it goes on. With twenty of them a run of 30 ms took seconds; behind two or three nobody notices.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, nullcontext
from functools import update_wrapper
from threading import BoundedSemaphore, Lock, local
from typing import Generic, ParamSpec, TypeVar

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")


class Turns:
    """Lets ``at_once`` threads compute at a time; what a thread computes meanwhile within its turn is part of it."""

    def __init__(self, at_once: int, inner: "Turns | None" = None) -> None:
        self._free = BoundedSemaphore(at_once)
        self._mine = local()
        self._inner = inner

    @property
    def held(self) -> bool:
        """Whether this thread has a turn here, or in one that is asked for within turns here.

        Who has an inner turn never waits for an outer one: two threads that wait for each other would wait for ever.
        """
        return getattr(self._mine, "held", False) or (self._inner is not None and self._inner.held)

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
        if not getattr(self._mine, "held", False):
            yield
            return
        self._mine.held = False
        self._free.release()
        try:
            yield
        finally:
            self._mine.held = self._free.acquire(timeout=PATIENCE)


PATIENCE = 3.0  # seconds, after which a page's run goes on without a turn: none is kept out by one that takes long
# Runs of pages. Several at once would take as long in all, and each would end about when the last one does.
RUNS = Turns(1)
# What takes a moment does not queue behind what takes a second or more.
ANSWERS = Turns(2)
SLOW = Turns(1, inner=ANSWERS)
SLICES = Turns(1, inner=SLOW)
# Who waits for another process must not keep those from computing who compute here.
ELSEWHERE = Turns(1)


class Private(float):
    """A number that tells something of what a visitor uploaded: no function that is ``remembered`` keeps it.

    It must reach such a function as an argument of its own: the numerics' value objects hold plain numbers.
    """


class Remembered(Generic[_Parameters, _Result]):
    """A pure function that remembers its latest results, for all sessions; those it does not know it computes in turn.

    As ``functools.lru_cache``, but sessions that ask for the same at once do not all compute it, and what is asked of a
    ``Private`` number is computed anew and not kept.
    """

    def __init__(self, function: Callable[_Parameters, _Result], most: int, turns: Turns) -> None:
        self._function = function
        self._most = most
        self._turns = turns
        self._results: OrderedDict[Hashable, _Result] = OrderedDict()
        self._lock = Lock()
        update_wrapper(self, function)

    def __call__(self, *args: _Parameters.args, **kwargs: _Parameters.kwargs) -> _Result:
        """The function's result for these arguments."""
        if any(isinstance(one, Private) for one in (*args, *kwargs.values())):
            with RUNS.paused(), self._turns.turn():
                return self._function(*args, **kwargs)
        key = (args, tuple(kwargs.items()))
        known = self._known(key)
        if known:
            return known[0]
        # A page's run keeps its turn over what takes a moment: it would queue for a new one after each.
        with nullcontext() if self._turns is ANSWERS else RUNS.paused(), self._turns.turn():
            known = self._known(key)  # another session may have asked for the same
            return known[0] if known else self._keep(key, self._function(*args, **kwargs))

    def __len__(self) -> int:
        """How many results are remembered."""
        return len(self._results)

    def cache_clear(self) -> None:
        """Forget all results, as that of ``functools.lru_cache``."""
        with self._lock:
            self._results.clear()

    def _known(self, key: Hashable) -> tuple[_Result, ...]:
        with self._lock:
            if key not in self._results:
                return ()
            self._results.move_to_end(key)
            return (self._results[key],)

    def _keep(self, key: Hashable, result: _Result) -> _Result:
        with self._lock:
            self._results[key] = result
            while len(self._results) > self._most:
                self._results.popitem(last=False)
        return result


def remembered(
    most: int, turns: Turns = ANSWERS
) -> Callable[[Callable[_Parameters, _Result]], Remembered[_Parameters, _Result]]:
    """Decorate a pure function of frozen arguments: it remembers up to ``most`` results, and computes in turn.

    ``turns``: SLOW where it may take longer than a moment.
    """
    return lambda function: Remembered(function, most, turns)
