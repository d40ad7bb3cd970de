"""What the attacker knows beforehand, in a number and in words."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Known:
    """A prior guess.

    Attributes:
        kappa: how often the attacker's best guess of the record is right without the release.
        words: where that comes from, for a sentence; free of markup and of a stranger's text; empty where it is given.
    """

    kappa: float
    words: str
