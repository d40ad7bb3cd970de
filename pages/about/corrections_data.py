"""The papers and all corrections to them, from data/corrections.toml: what an entry is, and how it is read."""

import tomllib
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from numerics.shipped import DATA


class CorrectionKind(StrEnum):
    """What was found; the values are words of the address."""

    WRONG = "wrong under every reading"
    UNSTATED = "condition missing"
    COPY = "in our copy"
    READING = "our reading"
    CHECKED = "right as printed"
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
class Quotation:
    """What our machine-read copy of a paper has, character by character.

    Attributes:
        line: of the copy, counted from 1.
        text: occurs once in that line.
        place: where in the paper, if not where the entry says.
    """

    line: int
    text: str
    place: str = ""


@dataclass(frozen=True)
class Correction:
    """One entry.

    Attributes:
        number: by which code, tests and pages cite it.
        paper: number of the paper.
        place: where in the paper.
        title: what it is about, in a few words.
        kind: what was found.
        verbatim: our copy at that place; nothing for a new result.
        elsewhere: where the paper itself has it right.
        says: what the paper says as we read it, Markdown with LaTeX.
        holds: what holds, likewise.
        why: one or two sentences on what it changes.
        evidence: the case that tells the two apart, likewise.
        document: the entry in docs/corrections.md, with all numbers.
    """

    number: int
    paper: str
    place: str
    title: str
    kind: CorrectionKind
    verbatim: tuple[Quotation, ...]
    elsewhere: tuple[Quotation, ...]
    says: str
    holds: str
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


@dataclass(frozen=True)
class Withdrawn:
    """A number that was an entry, so that what cites it still finds an answer."""

    number: int
    paper: str
    because: str


FILE = DATA / "corrections.toml"
_READ = tomllib.loads(FILE.read_text(encoding="utf-8"))


def _entry(one: dict[str, Any]) -> Correction:
    quoted = {name: tuple(Quotation(**quotation) for quotation in one[name]) for name in ("verbatim", "elsewhere")}
    return Correction(**{**one, **quoted, "kind": CorrectionKind(one["kind"])})


PAPERS = tuple(PaperNumber(**paper) for paper in _READ["papers"])
CORRECTIONS = tuple(_entry(one) for one in _READ["corrections"])
BY_NUMBER = MappingProxyType({correction.number: correction for correction in CORRECTIONS})
WITHDRAWN = MappingProxyType({one["number"]: Withdrawn(**one) for one in _READ["withdrawn"]})
