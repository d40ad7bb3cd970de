"""What is shown: at every noise of the slider how many are found, the verdict, and the evidence."""

from dataclasses import dataclass, is_dataclass
from typing import Any

HEIGHT = 20_000
"""Heights and shares are whole numbers up to this: fewer characters to send, and fine enough for tails drawn taller."""
PLACES = 960
"""Places along the axis of evidence, likewise: two to a pixel."""


@dataclass(frozen=True)
class Hill:
    """The evidence under one hypothesis: an outline, and lines where it is narrower than a pixel.

    Attributes:
        places, heights: corners of the outline, (n,) each, up to PLACES and HEIGHT; two at the threshold.
        taller: how many times the outline is drawn taller than the other one's scale has it.
        lines, shares: places of lines and what lies there, (m,) each, up to PLACES and HEIGHT.
        lot: share of the line at the threshold on which a lot decides as on what lies beyond it.
    """

    places: tuple[int, ...]
    heights: tuple[int, ...]
    taller: float
    lines: tuple[int, ...]
    shares: tuple[int, ...]
    lot: float


@dataclass(frozen=True)
class Hills:
    """The evidence without and with the record, and the place from which on the verdict changes, of PLACES."""

    outsiders: Hill
    members: Hill
    threshold: int


@dataclass(frozen=True)
class Level:
    """One noise of the slider.

    Attributes:
        noise: the noise multiplier; of several phases that of the first.
        named: the same as it is read, of every phase.
        before: what may be claimed of the count, in front of it.
        found: most people who are found, of the scene's crowd; None where that comes later or when it is asked for.
        verdict: how that compares with the limit, in a sentence.
        over: whether it exceeds the limit.
        hills: the evidence; None where no law of it is known.
    """

    noise: float
    named: str
    before: str = ""
    found: int | None = None
    verdict: str = ""
    over: bool = False
    hills: Hills | None = None


@dataclass(frozen=True)
class Words:
    """What is said around the numbers.

    Attributes:
        after: the sentence after the count of those found, with the false verdicts at which it holds.
        luck: how many blind guessing finds meanwhile, in a clause.
        kind, kind_help: of a number this is, in a word and in a sentence.
        guessing: the caption of those who are found without the release, with their count.
        more: the caption of the others, after their count.
        group: whom the crowd consists of, before a colon.
        null, alternative: whose hills these are.
        accused: the verdict on one side of the threshold.
        low, high: what the ends of the evidence look like.
        noise: what the slider moves.
        remedy: the advised noise as a change of that in force, of every phase: the subject of a sentence.
        other: the same beside a noise that is not in force.
        use: what the button does.
        no_advice: what is said of a noise that is too little, where none is advised.
    """

    after: str
    luck: str
    kind: str
    kind_help: str
    group: str
    guessing: str
    more: str
    null: str
    alternative: str
    accused: str
    low: str
    high: str
    noise: str
    remedy: str
    other: str
    use: str
    no_advice: str


@dataclass(frozen=True)
class Scene:
    """All that the parts show.

    Attributes:
        name: by which the parts of one picture find each other.
        subject: what the levels are of: those of another subject have other numbers at the same noise.
        levels: by ascending noise.
        chosen: index of the level that is shown at first.
        crowd: how many people are counted.
        guessed: how many of them are found by guessing.
        limit: how many may be found.
        advised: the least noise that keeps the limit; None where there is none to advise.
        clears: whether the verdict clears people below the threshold, instead of accusing those above.
        words: what is said around the numbers.
    """

    name: str
    subject: str
    levels: tuple[Level, ...]
    chosen: int
    crowd: int
    guessed: int
    limit: float
    advised: float | None
    clears: bool
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
