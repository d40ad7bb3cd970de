"""What was computed is remembered: of pure questions by all sessions, of an upload by its own session alone.

Why nobody waits for ever: a thread waits here only before it computes, first for whoever computes the same, then for
one of the slots. From then on it waits for nobody: what it asks the caches meanwhile and they do not know it computes
itself, and a look at a deadline never waits. So whoever has a slot ends, whatever locks there are within the numerics,
and the chain of waits is: follower, leader, slot, nothing. Who waits has left the order of runs before (``run_order``),
and comes back to it when nobody waits for what it holds.
``python -m benchmarks.soak`` tries it, and ``health`` tells the operator.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial, update_wrapper
from inspect import signature
from threading import BoundedSemaphore, Event, Lock, local
from typing import Any, Generic, ParamSpec, TypeVar, final

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from numerics.deadline import Deadline, DeadlineError, looking_at
from numerics.privacy_loss import Precision
from numerics.trade_off import Bracket
from pages.server import budget
from pages.server.run_order import RUNS

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")
_Made = TypeVar("_Made")

PRIVATE = "shared_cache.private_"
"""Start of the names under which a session keeps results, which may be about an upload and go when one is removed."""
_CURVES = 256  # 400 points of three arrays, three curves each: about 30 kB
_NUMBERS = 2048
_OF_A_SESSION = 8  # results about an upload
_LOOK = 0.2  # seconds between two looks at the deadline of who waits
# For what nobody asked to take long; what somebody asked for has a thread in ``background_job``. Threads share one
# interpreter: more of them would each take longer, and keep runs of pages from drawing.
_SLOTS = BoundedSemaphore(2)
_MINE = local()


class Private(float):
    """A number that tells something of what a visitor uploaded: no ``shared_cache`` keeps it for others.

    It must reach such a function as an argument of its own: the numerics' value objects hold plain numbers.
    """


def session_cache(kind: str, key: Hashable, most: int, make: Callable[[], _Made]) -> _Made:
    """What ``make`` gives for ``key``, from this session if it is among the last ``most`` results of its kind.

    Where no page runs, as where a file is made for a download, nothing is kept: Streamlit then has one state for all.
    """
    is_page = get_script_run_ctx(suppress_warning=True) is not None
    kept: dict[Hashable, _Made] = st.session_state.setdefault(f"{PRIVATE}{kind}", {}) if is_page else {}
    if key not in kept:
        RUNS.leave()
        try:
            kept[key] = make()
        finally:
            if not _is_computing():
                RUNS.come_back()
        while len(kept) > most:
            del kept[next(iter(kept))]
    return kept[key]


@final
class SharedCache(Generic[_Parameters, _Result]):
    """A pure function that remembers its latest results, for all sessions; few that are not known are computed at once.

    As ``functools.lru_cache``, but sessions that ask for the same at once do not all compute it, and what is asked of a
    ``Private`` number is kept by the visitor's own session alone. It computes within the thread's budget, and passes
    its deadline to a function that has a parameter ``deadline``: such a function may take longer than a moment. One
    that has a default ``precision`` gets it with the deadline in it. Numbers are small, and more of them are
    remembered; a class of results may say how many by ``REMEMBERED``.
    """

    def __init__(self, function: Callable[_Parameters, _Result], **settings: Any) -> None:
        """``settings``: arguments of every call, as in ``shared_cache(Analysis.power, precision=PRECISION)``."""
        asked = signature(function)
        self._function: Callable[..., _Result] = partial(function, **settings)
        self._is_slow = "deadline" in asked.parameters
        stated = asked.parameters.get("precision")
        self._precision = settings.get("precision", stated.default if stated else None)
        result = asked.return_annotation
        self._most = _NUMBERS if result in (float, Bracket) else getattr(result, "REMEMBERED", _CURVES)
        self._results: OrderedDict[Hashable, _Result] = OrderedDict()
        self._under_way = dict[Hashable, tuple[Event, budget.Budget]]()
        self._lock = Lock()
        update_wrapper(self, function)

    def __call__(self, *args: _Parameters.args, **kwargs: _Parameters.kwargs) -> _Result:
        """The function's result for these arguments."""
        mine, key = budget.current(), _key(args, kwargs)
        if any(isinstance(one, Private) for one in (*args, *kwargs.values())):
            return self._private(mine, key, *args, **kwargs)
        if known := self._known(key):
            return known[0]
        try:
            if _is_computing():
                return self._keep(key, self._computed(mine, *args, **kwargs))
            with self._alone(key, mine):
                known = self._known(key)  # another session may have asked for the same
                return known[0] if known else self._keep(key, self._computed(mine, *args, **kwargs))
        except DeadlineError:
            mine.unfinished.append(partial(self, *args, **kwargs))
            raise
        finally:
            if not _is_computing():
                RUNS.come_back()

    @contextmanager
    def _alone(self, key: Hashable, mine: budget.Budget) -> Iterator[None]:
        """Wait for the thread that computes the same; what somebody takes his time for is left to him."""
        own = Event(), mine
        while (other := self._under_way.setdefault(key, own)) is not own:
            done, budget_there = other
            if mine.is_limited and not budget_there.is_limited:
                raise DeadlineError("this is being computed.")
            RUNS.leave()
            while not done.wait(_LOOK):
                mine.check()
        try:
            yield
        finally:
            del self._under_way[key]
            own[0].set()

    def _private(self, mine: budget.Budget, key: Hashable, *args: Any, **kwargs: Any) -> _Result:
        """The result, of which the visitor's own session remembers the last few."""
        make = partial(self._computed, mine, *args, **kwargs)
        return session_cache(str(id(self)), key, _OF_A_SESSION, make)

    def _computed(self, mine: budget.Budget, *args: Any, **kwargs: Any) -> _Result:
        deadline: Deadline = budget.Slow(mine) if self._is_slow else mine
        looks: dict[str, Any] = {"deadline": deadline} if self._is_slow else {}
        if isinstance(self._precision, Precision):
            looks["precision"] = replace(self._precision, deadline=deadline)
        if self._is_slow:
            RUNS.leave()
        with _slot(mine), mine.counted(), looking_at(deadline):
            deadline.check()
            return self._function(*args, **kwargs, **looks)

    def knows(self, *args: _Parameters.args, **kwargs: _Parameters.kwargs) -> bool:
        """Whether the result for these arguments is remembered."""
        with self._lock:
            return _key(args, kwargs) in self._results

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


shared_cache = SharedCache
"""Decorates a pure function of frozen arguments."""


def _is_computing() -> bool:
    """Whether this thread is within a question: it waits for nobody then."""
    return getattr(_MINE, "is_computing", False)


@contextmanager
def _slot(mine: budget.Budget) -> Iterator[None]:
    """Wait for a slot, unless this thread computes already, or what it computes was asked for."""
    if _is_computing():
        yield
        return
    if mine.is_limited and not _SLOTS.acquire(blocking=False):
        RUNS.leave()
        while not _SLOTS.acquire(timeout=_LOOK):
            mine.check()
    _MINE.is_computing = True
    try:
        yield
    finally:
        _MINE.is_computing = False
        if mine.is_limited:
            _SLOTS.release()


def _key(args: tuple[Hashable, ...], kwargs: dict[str, Hashable]) -> Hashable:
    return args, tuple(kwargs.items())
