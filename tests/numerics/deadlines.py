"""A deadline that counts how often it is looked at."""

from numerics.deadline import DeadlineError


class Looks:
    """A deadline that passes when it has been looked at more often than ``allowed``."""

    def __init__(self, allowed: int = 0) -> None:
        self.allowed = allowed
        self.looks = 0

    def check(self) -> None:
        self.looks += 1
        if self.looks > self.allowed:
            raise DeadlineError("over.")
