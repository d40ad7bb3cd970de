"""What is shown: at every noise of the slider how many are found, the verdict, and the evidence."""

from dataclasses import dataclass

HEIGHT = 20_000
"""Heights of hills are whole numbers up to this: fewer characters to send, and fine enough for tails drawn taller."""


@dataclass(frozen=True)
class Hills:
    """The evidence without and with the record, on even steps between the ends of the scene's axis.

    Attributes:
        outsiders, members: heights from 0 to HEIGHT, (n,).
        threshold: where the verdict changes, on the axis.
    """

    outsiders: tuple[int, ...]
    members: tuple[int, ...]
    threshold: float


@dataclass(frozen=True)
class Level:
    """One noise of the slider.

    Attributes:
        noise: the noise multiplier.
        found: most people who are found, of the scene's crowd; None where that comes later or when it is asked for.
        verdict: how that compares with the limit, in a sentence.
        over: whether it exceeds the limit.
        hills: the evidence; None where it does not fit on one axis.
    """

    noise: float
    found: int | None = None
    verdict: str = ""
    over: bool = False
    hills: Hills | None = None


@dataclass(frozen=True)
class Words:
    """What is said around the numbers.

    Attributes:
        before, after: the sentence before and after the count of those found.
        after_briefly: the same where there is little room.
        kind, kind_help: of a number this is, in a word and in a sentence.
        guessing: the caption of those who are found without the release.
        more: the caption of the others, after their count.
        group: whom the crowd consists of, before a colon.
        null, alternative: whose hills these are.
        accused: the verdict on one side of the threshold.
        low, high: what the ends of the evidence look like.
        no_advice: what is said of a noise that is too little, where none is advised.
    """

    before: str
    after: str
    after_briefly: str
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
        axis: ends of the axis of evidence.
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
    axis: tuple[float, float]
    words: Words

    def as_data(self) -> dict[str, object]:
        """The scene as it is sent to the browser; ``asdict`` would copy every height of it."""
        return {**vars(self), "levels": _as_data(self.levels), "words": vars(self.words)}


@dataclass(frozen=True)
class Levels:
    """Levels for those that a scene has no number for, by the ``name`` and ``subject`` of the scene."""

    name: str
    subject: str
    levels: tuple[Level, ...]

    def as_data(self) -> dict[str, object]:
        """The levels as they are sent to the browser."""
        return {**vars(self), "levels": _as_data(self.levels)}


def _as_data(levels: tuple[Level, ...]) -> list[dict[str, object]]:
    return [{**vars(level), "hills": level.hills and vars(level.hills)} for level in levels]
