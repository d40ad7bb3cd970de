"""What a deadline of a page looks at: how much was computed, and whether the visitor still waits for it.

Looking never waits: who computes goes on, or ends.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import inf
from threading import local
from time import thread_time

from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests, ScriptRequestType

from numerics.deadline import DeadlineError
from pages.server import health

UNASKED = 2.0  # seconds of processor time that one run of a page may compute
RESERVED = 0.5  # seconds of it for what takes a moment: the page's answers, whatever its slow parts take


class Visit:
    """The visitor for whom this thread runs a page, to be asked for later and from any thread."""

    def __init__(self) -> None:
        """Where no page runs, and where there is no server, nobody ever leaves."""
        context = get_script_run_ctx(suppress_warning=True)
        self._session = context.session_id if context else ""
        self._requests = context.script_requests if context else None
        # Taken now: who asks later may ask when there is no server any more.
        self._server = runtime.get_instance() if context and runtime.exists() else None

    def is_closed(self) -> bool:
        """Whether the tab is gone."""
        return self._server is not None and not self._server.is_active_session(self._session)

    def is_cancelled(self) -> bool:
        """Whether the visitor wants something else than this run: another page, other values, or no more."""
        return self.is_closed() or (self._requests is not None and is_ended_by(self._requests))


def is_ended_by(requests: ScriptRequests) -> bool:
    """Whether a run is to end for what the visitor did; a part of the page that runs by the clock waits.

    Streamlit has no public question for it: it raises an exception in a run that draws, and one that computes goes on.
    """
    asked = requests._rerun_data
    by_visitor = not asked.fragment_id_queue or not asked.is_auto_rerun
    return requests._state is ScriptRequestType.STOP or (requests._state is ScriptRequestType.RERUN and by_visitor)


def never() -> bool:
    """Nobody cancels it."""
    return False


@dataclass(eq=False)
class Budget:
    """Processor time to compute in; counts what this thread spends while it computes, not while it draws.

    Attributes:
        seconds: how much there is.
        is_cancelled: whether nobody waits for the answers any more.
        unfinished: the questions for which there was not enough.
        spent: seconds computed so far.
        skipped: what figures lack for that, in words.
        said: how much of that is said below a figure.
    """

    seconds: float = inf
    is_cancelled: Callable[[], bool] = never
    unfinished: list[Callable[[], object]] = field(default_factory=list)
    spent: float = 0.0
    skipped: list[str] = field(default_factory=list)
    said: int = 0
    _since: float | None = None

    @property
    def is_limited(self) -> bool:
        """Whether it can be spent."""
        return self.seconds < inf

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count what this thread spends until the end; what is counted already, only once."""
        if self._since is not None:
            yield
            return
        self._since = thread_time()
        health.give_sign()
        try:
            yield
        finally:
            self._count()
            self._since = None
            health.end()

    def check(self, reserve: float = 0.0) -> None:
        """Raise DeadlineError where all but ``reserve`` seconds are spent, or nobody waits."""
        self._count()
        if self.is_cancelled():
            raise DeadlineError("the visitor has moved on.")
        if self.spent > self.seconds - reserve:
            raise DeadlineError(f"this takes more than the {self.seconds:g} s that are computed unasked.")

    def _count(self) -> None:
        if self._since is not None:
            now = thread_time()
            self.spent, self._since = self.spent + now - self._since, now
            health.give_sign()


@dataclass(frozen=True)
class Slow:
    """The deadline of a question that takes its time: it leaves what is reserved of ``budget`` to the others."""

    budget: Budget

    def check(self) -> None:
        self.budget.check(RESERVED)


_MINE = local()


def current() -> Budget:
    """The budget that this thread computes in; without one, as much as it takes."""
    budget: Budget | None = getattr(_MINE, "budget", None)
    return budget or Budget()


@contextmanager
def within(budget: Budget) -> Iterator[None]:
    """Compute in this budget until the end."""
    before = getattr(_MINE, "budget", None)
    _MINE.budget = budget
    try:
        yield
    finally:
        _MINE.budget = before


@contextmanager
def portion(seconds: float, is_cancelled: Callable[[], bool] = never) -> Iterator[None]:
    """Compute in a part of this thread's budget until the end, what the page does without: nobody is told of the rest.

    Leaves what is reserved for the page's answers. ``is_cancelled``: whether even that is too much by now.
    """
    whole = current()
    if not whole.is_limited:
        yield
        return
    part = Budget(min(seconds, whole.seconds - RESERVED - whole.spent), lambda: whole.is_cancelled() or is_cancelled())
    try:
        with within(part):
            yield
    finally:
        whole.spent += part.spent
