"""How long a computation may take: an object that is passed down, and looked at in every loop that can be long.

It counts the processor time of one thread, so that a busy machine changes nothing about what is answered.
"""

from dataclasses import dataclass
from time import thread_time
from typing import Protocol


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


@dataclass(frozen=True)
class ProcessorTime:
    """Until this thread has used ``seconds`` more of processor time since ``start``."""

    seconds: float
    start: float

    @classmethod
    def of(cls, seconds: float) -> "ProcessorTime":
        """From now on."""
        return cls(seconds, thread_time())

    def check(self) -> None:
        """See Deadline."""
        if thread_time() - self.start > self.seconds:
            raise DeadlineError(f"this takes more than {self.seconds:g} s of processor time.")
