"""How long may be computed: for a run of a page that nobody asked to take long, and for what a visitor asked for."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import inf
from threading import local
from time import monotonic, thread_time

from numerics.deadline import DeadlineError
from pages.server.turns import give_way

RESERVED = 0.5  # seconds of UNASKED for what takes a moment: the page's answers, whatever its slow parts take


@dataclass(eq=False)
class Budget:
    """Processor time to compute in; counts what this thread spends while it computes, not while it draws.

    Attributes:
        seconds: how much there is.
        is_left: whether nobody waits for the answers any more.
        unfinished: the questions for which there was not enough.
        spent: seconds computed so far.
        left_out: what figures lack for that, in words.
        said: how much of that is said below a figure.
    """

    seconds: float = inf
    is_left: Callable[[], bool] = lambda: False
    unfinished: list[Callable[[], object]] = field(default_factory=list)
    spent: float = 0.0
    left_out: list[str] = field(default_factory=list)
    said: int = 0
    _since: float | None = None
    _made: float = field(default_factory=monotonic)

    @property
    def is_limited(self) -> bool:
        """Whether it can be spent."""
        return self.seconds < inf

    @property
    def waits_since(self) -> float | None:
        """When a run of a page began, all of whose questions are one visit; None for what is asked for by itself."""
        return self._made if self.is_limited else None

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count what this thread spends until the end; what is counted already, only once."""
        if self._since is not None:
            yield
            return
        self._since = thread_time()
        try:
            yield
        finally:
            self._count()
            self._since = None

    def check(self, reserve: float = 0.0) -> None:
        """Give way to others; raise DeadlineError where all but ``reserve`` seconds are spent, or nobody waits."""
        self._count()
        give_way(self.spent, self.waits_since)
        if self.is_left():
            raise DeadlineError("the visitor has left.")
        if self.spent > self.seconds - reserve:
            raise DeadlineError(f"this takes more than the {self.seconds:g} s that are computed unasked.")

    def _count(self) -> None:
        if self._since is not None:
            now = thread_time()
            self.spent, self._since = self.spent + now - self._since, now


@dataclass(frozen=True)
class Slow:
    """The deadline of a question that takes its time.

    Attributes:
        budget: what the answer is asked within.
        reserve: seconds of it that are not for this question.
        is_left: whether the run that asks is over for the visitor.
    """

    budget: Budget
    reserve: float = RESERVED
    is_left: Callable[[], bool] = lambda: False

    def check(self) -> None:
        self.budget.check(self.reserve)
        if self.is_left():
            raise DeadlineError("the visitor has moved on.")


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
def portion(seconds: float, is_left: Callable[[], bool] = lambda: False) -> Iterator[None]:
    """Compute in a part of this thread's budget until the end, what the page does without: nobody is told of the rest.

    Leaves what is reserved for the page's answers. ``is_left``: whether even that is too much by now.
    """
    whole = current()
    if not whole.is_limited:
        yield
        return
    part = Budget(min(seconds, whole.seconds - RESERVED - whole.spent), lambda: whole.is_left() or is_left())
    try:
        with within(part):
            yield
    finally:
        whole.spent += part.spent
