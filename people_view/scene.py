"""What is shown: at every noise of the slider how many are found, the verdict, and the evidence."""

from dataclasses import dataclass, is_dataclass
from typing import Any

HEIGHT = 20_000
"""Heights and shares are whole numbers up to this: fewer characters to send, and fine enough for tails drawn taller."""
PLACES = 960
"""Places along the axis of evidence, likewise: two to a pixel."""


@dataclass(frozen=True)
class Hill:
    """The evidence under one hypothesis: an outline, and lines where it is narrower than a pixel."""

    places: tuple[int, ...]  # of the outline's corners, (n,), up to PLACES; two at the threshold
    heights: tuple[int, ...]  # of these corners, (n,), up to HEIGHT
    taller: float  # how many times the outline is drawn taller than the other one's scale has it
    lines: tuple[int, ...]  # places of lines, (m,), up to PLACES
    shares: tuple[int, ...]  # what lies at each, (m,), up to HEIGHT
    lot: float  # share of the line at the threshold on which a lot decides as on what lies beyond it


@dataclass(frozen=True)
class Hills:
    """The evidence without and with the record, and the place from which on the verdict changes, of PLACES."""

    outsiders: Hill
    members: Hill
    threshold: int


@dataclass(frozen=True)
class Level:
    """One noise of the slider."""

    noise: float  # the noise multiplier; of several phases that of the first
    named: str  # the same as it is read, of every phase
    before: str = ""  # what may be claimed of the count, in front of it
    found: int | None = None  # most people who are found, of the scene's crowd; None where that comes later or if asked
    verdict: str = ""  # how that compares with the limit, in a sentence
    over: bool = False  # whether it exceeds the limit
    hills: Hills | None = None  # the evidence; None where no law of it is known


@dataclass(frozen=True)
class Words:
    """What is said around the numbers."""

    after: str  # the sentence after the count of those found, with the false verdicts at which it holds
    luck: str  # how many blind guessing finds meanwhile, in a clause
    kind: str  # of a number this is, in a word
    kind_help: str  # the same in a sentence
    group: str  # whom the crowd consists of, before a colon
    guessing: str  # the caption of those who are found without the release, with their count
    more: str  # the caption of the others, after their count
    null: str  # whose hill is that without the record
    alternative: str  # whose is that with it
    accused: str  # the verdict on one side of the threshold
    low: str  # what the evidence looks like at its left end
    high: str  # and at its right end
    noise: str  # what the slider moves
    remedy: str  # the advised noise as a change of that in force, of every phase: the subject of a sentence
    other: str  # the same beside a noise that is not in force
    use: str  # what the button does
    no_advice: str  # what is said of a noise that is too little, where none is advised


@dataclass(frozen=True)
class Scene:
    """All that the parts show."""

    name: str  # by which the parts of one picture find each other
    subject: str  # what the levels are of: those of another subject have other numbers at the same noise
    levels: tuple[Level, ...]  # by ascending noise
    chosen: int  # index of the level that is shown at first
    crowd: int  # how many people are counted
    guessed: int  # how many of them are found by guessing
    limit: float  # how many may be found
    advised: float | None  # the least noise that keeps the limit; None where there is none to advise
    clears: bool  # whether the verdict clears people below the threshold, instead of accusing those above
    words: Words


@dataclass(frozen=True)
class Levels:
    """Levels for those that a scene has no number for, by the ``name`` and ``subject`` of the scene."""

    name: str
    subject: str
    levels: tuple[Level, ...]


def as_data(shown: Any) -> Any:
    """A scene or its levels as they are sent to the browser; ``asdict`` would copy every height of them."""
    if is_dataclass(shown):
        return {name: as_data(value) for name, value in vars(shown).items()}
    if isinstance(shown, tuple) and shown and is_dataclass(shown[0]):
        return [as_data(one) for one in shown]
    return shown
