"""What a correction is, and a paper."""

from dataclasses import dataclass
from enum import StrEnum


class CorrectionKind(StrEnum):
    """What was found; the values are words of the address."""

    MISPRINT = "misprint"
    WRONG = "wrong mathematics"
    UNSTATED = "missing condition"
    CHECKED = "suspected, but right"
    NEW = "new result"


@dataclass(frozen=True)
class PaperNumber:
    """A paper under its number here.

    Attributes:
        number: as it is cited here.
        short: what it is about.
        reference: authors, title and place, Markdown.
        chapter: the title of its chapter in docs/corrections.md.
    """

    number: str
    short: str
    reference: str
    chapter: str


@dataclass(frozen=True)
class Correction:
    """One entry.

    Attributes:
        number: by which code, tests and pages cite it.
        paper: number of the paper.
        place: where in the paper.
        title: what it is about, in a few words.
        kind: what was found.
        printed: what the paper says, Markdown with LaTeX.
        right: what holds, likewise.
        why: one sentence on what it changes.
        evidence: the case that tells the two apart, likewise.
        document: the entry in docs/corrections.md, with all numbers.
    """

    number: int
    paper: str
    place: str
    title: str
    kind: CorrectionKind
    printed: str
    right: str
    why: str
    evidence: str
    document: str

    @property
    def label(self) -> str:
        """Its line in the list."""
        return f"{self.number} · {self.place}: {self.title}"

    def matches(self, words: str) -> bool:
        """Whether every one of the ``words`` is found in it."""
        text = f"{self.number} {self.paper} {self.kind} {self.place} {self.title} {self.why} {self.evidence}".lower()
        return all(word in text for word in words.lower().split())
