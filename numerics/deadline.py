"""How long a computation may take: an object that is looked at in every loop that can be long.

It is passed down; or, where what computes knows nothing of it (a pair of laws, a search for a root), whoever asks says
by ``looking_at`` what ``look`` looks at meanwhile.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol, TypeVar

_Part = TypeVar("_Part")


class DeadlineError(ValueError):
    """A computation took longer than it was given."""


class Deadline(Protocol):
    """Whatever can say that a computation has to stop."""

    def check(self) -> None:
        """Raise DeadlineError, or another exception, if it has to."""
        ...


class Unlimited:
    """As long as it takes."""

    def check(self) -> None:
        """See Deadline."""


UNLIMITED = Unlimited()
_MINE: ContextVar[Deadline] = ContextVar("deadline", default=UNLIMITED)


@contextmanager
def looking_at(deadline: Deadline) -> Iterator[None]:
    """Let ``look`` in this thread look at ``deadline``, until the end; if UNLIMITED, at the one before."""
    before = _MINE.set(_MINE.get() if deadline is UNLIMITED else deadline)
    try:
        yield
    finally:
        _MINE.reset(before)


def look() -> None:
    """Look at this thread's deadline; raises what that raises."""
    _MINE.get().check()


def in_time(parts: Iterable[_Part]) -> Iterator[_Part]:
    """The ``parts`` one by one, with a look before each."""
    for part in parts:
        look()
        yield part
