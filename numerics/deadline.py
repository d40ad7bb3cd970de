"""How long a computation may take: an object that is passed down, and looked at in every loop that can be long."""

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
