"""Results that all sessions share: the last few of each pure question, with a budget for those that are not known."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial, update_wrapper
from inspect import signature
from threading import Event, Lock
from typing import Any, Generic, ParamSpec, TypeVar, final, overload

from streamlit.runtime.scriptrunner import get_script_run_ctx

from numerics.deadline import Deadline, DeadlineError, looking_at
from numerics.privacy_loss import Precision
from numerics.trade_off import Bracket
from pages.server import budget
from pages.server.presence import moved_on
from pages.server.session_cache import PRIVATE, session_cache
from pages.server.turns import ANSWERS, ELSEWHERE, RUNS, SLOW, Turns

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")

_CURVES = 256  # 400 points of three arrays, three curves each: about 30 kB
_NUMBERS = 2048
_OF_A_SESSION = 8  # results about an upload
_LOOK = 0.2  # seconds between two looks at the deadline of who waits for another


class Private(float):
    """A number that tells something of what a visitor uploaded: no ``shared_cache`` keeps it for others.

    It must reach such a function as an argument of its own: the numerics' value objects hold plain numbers.
    """


@final
class SharedCache(Generic[_Parameters, _Result]):
    """A pure function that remembers its latest results, for all sessions; those it does not know it computes in turn.

    As ``functools.lru_cache``, but sessions that ask for the same at once do not all compute it, and what is asked of a
    ``Private`` number is computed anew and not kept. It computes within the thread's budget, and passes its deadline
    to a function that has a parameter ``deadline``: such a function may take longer than a moment. One that has a
    default ``precision`` gets it with the deadline in it. Numbers are small, and more of them are remembered; a class
    of results may say how many by ``REMEMBERED``.
    """

    def __init__(self, function: Callable[_Parameters, _Result], turns: Turns | None = None, **settings: Any) -> None:
        """``turns``: what it computes in, if not said by its deadline; ``settings``: arguments of every call."""
        asked = signature(function)
        self._function: Callable[..., _Result] = partial(function, **settings)
        self._has_deadline = "deadline" in asked.parameters
        stated = asked.parameters.get("precision")
        self._precision = settings.get("precision", stated.default if stated else None)
        self._turns = turns or (SLOW if self._has_deadline else ANSWERS)
        result = asked.return_annotation
        self._most = _NUMBERS if result in (float, Bracket) else getattr(result, "REMEMBERED", _CURVES)
        self._results: OrderedDict[Hashable, _Result] = OrderedDict()
        self._under_way = dict[Hashable, tuple[Event, budget.Budget]]()
        self._lock = Lock()
        update_wrapper(self, function)

    def __call__(self, *args: _Parameters.args, **kwargs: _Parameters.kwargs) -> _Result:
        """The function's result for these arguments."""
        mine = budget.current()
        key = _key(args, kwargs)
        if any(isinstance(one, Private) for one in (*args, *kwargs.values())):
            return self._private(key, mine, *args, **kwargs)
        known = self._known(key)
        if known:
            return known[0]
        try:
            with self._alone(key, mine):
                known = self._known(key)  # another session may have asked for the same
                return known[0] if known else self._keep(key, self._computed(mine, *args, **kwargs))
        except DeadlineError:
            mine.unfinished.append(partial(self, *args, **kwargs))
            raise

    @contextmanager
    def _alone(self, key: Hashable, mine: budget.Budget) -> Iterator[None]:
        """Wait for who computes the same, with nobody's turn; what somebody takes his time for is left to him."""
        own = Event(), mine
        while (other := self._under_way.setdefault(key, own)) is not own:
            done, budget_there = other
            if mine.is_limited and not budget_there.is_limited:
                raise DeadlineError("this is being computed.")
            with ANSWERS.paused(), SLOW.paused(), RUNS.paused():
                while not done.wait(_LOOK):
                    self._deadline(mine).check()
        try:
            yield
        finally:
            del self._under_way[key]
            own[0].set()

    def _private(self, key: Hashable, mine: budget.Budget, *args: Any, **kwargs: Any) -> _Result:
        """The result, of which the visitor's own session remembers the last few."""

        def computed() -> _Result:
            with self._turn(mine), mine.counted():
                return self._answer(mine, *args, **kwargs)

        if get_script_run_ctx(suppress_warning=True) is None:
            return computed()
        return session_cache(f"{PRIVATE}{id(self)}", key, _OF_A_SESSION, computed)

    @contextmanager
    def _turn(self, mine: budget.Budget) -> Iterator[None]:
        """A page's run keeps its turn over what takes a moment: it would queue for a new one after each.

        While another process computes, nobody here is kept from it.
        """
        with ExitStack() as turns:
            if self._turns is not ANSWERS:
                turns.enter_context(RUNS.paused())
            if self._turns is ELSEWHERE:
                turns.enter_context(SLOW.paused())
            turns.enter_context(self._turns.turn(None, mine.spent, mine.waits_since))
            yield

    def _deadline(self, mine: budget.Budget) -> Deadline:
        if self._turns is ELSEWHERE:
            return budget.Slow(mine, 0.0, moved_on())  # waiting for another process costs nothing
        return budget.Slow(mine) if self._turns is SLOW else mine

    def _answer(self, mine: budget.Budget, *args: Any, **kwargs: Any) -> _Result:
        deadline = self._deadline(mine)
        looks: dict[str, Any] = {"deadline": deadline} if self._has_deadline else {}
        if isinstance(self._precision, Precision):
            looks["precision"] = replace(self._precision, deadline=deadline)
        with looking_at(deadline):
            return self._function(*args, **kwargs, **looks)

    def _computed(self, mine: budget.Budget, *args: Any, **kwargs: Any) -> _Result:
        with self._turn(mine), mine.counted():
            self._deadline(mine).check()
            return self._answer(mine, *args, **kwargs)

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


def _key(args: tuple[Hashable, ...], kwargs: dict[str, Hashable]) -> Hashable:
    return args, tuple(kwargs.items())


@overload
def shared_cache(asked: Callable[_Parameters, _Result], **settings: Any) -> SharedCache[_Parameters, _Result]: ...
@overload
def shared_cache(asked: Turns) -> Callable[[Callable[_Parameters, _Result]], SharedCache[_Parameters, _Result]]: ...
def shared_cache(asked: Any, **settings: Any) -> Any:
    """Let a pure function of frozen arguments remember its results, and compute in turn.

    With its ``settings``, as in ``shared_cache(Analysis.power, precision=PRECISION)``, or as a decorator;
    ``@shared_cache(SLOW)`` where it may take longer than a moment and has no deadline that says so.
    """
    return partial(SharedCache, turns=asked) if isinstance(asked, Turns) else SharedCache(asked, **settings)
