"""What a correction is: one entry of docs/corrections.md as data."""

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What was found; the values are words of the address."""

    MISPRINT = "misprint"
    WRONG = "wrong mathematics"
    UNSTATED = "missing condition"
    CHECKED = "suspected, but right"
    NEW = "new result"


@dataclass(frozen=True)
class Paper:
    """A paper under its number here."""

    number: str
    short: str
    reference: str


PAPERS = (
    Paper(
        "000",
        "relaxed threat model",
        "Georgios Kaissis, Stefan Kolek, Alexander Ziller, Anneliese Riess and Daniel Rueckert: *Optimal privacy "
        "guarantees for a relaxed threat model: Addressing sub-optimal adversaries in differentially private machine "
        "learning.* 37th Conference on Neural Information Processing Systems (NeurIPS 2023).",
    ),
    Paper(
        "001",
        "Epsilon*",
        "Diana M. Negoescu, Humberto Gonzalez, Saad Eddin Al Orjany, Jilei Yang, Yuliia Lut, Rahul Tandra, Xiaowen "
        "Zhang, Xinyi Zheng, Zach Douglas, Vidita Nolkha, Parvez Ahammad and Gennady Samorodnitsky: *Epsilon\\*: "
        "Privacy "
        "Metric for Machine Learning Models.* PPAI-24, the 5th AAAI Workshop on Privacy-Preserving Artificial "
        "Intelligence, Vancouver, 2024; arXiv 2307.11280.",
    ),
    Paper(
        "002",
        "membership privacy",
        "Zachary Izzo, Jinsung Yoon, Sercan Ö. Arık and James Zou: *Provable Membership Inference Privacy.* Reviewed "
        "on "
        "OpenReview, forum 3ludyxPbb6; arXiv 2211.06582.",
    ),
    Paper(
        "003",
        "reconstruction",
        "Georgios Kaissis, Jamie Hayes, Alexander Ziller and Daniel Rueckert: *Bounding data reconstruction attacks "
        "with the hypothesis testing interpretation of differential privacy.*",
    ),
    Paper(
        "004",
        "Gaussian membership privacy",
        "Tobias Leemann, Martin Pawelczyk and Gjergji Kasneci: *Gaussian Membership Inference Privacy.*",
    ),
)


@dataclass(frozen=True)
class Correction:
    """One entry.

    Attributes:
        number: that of docs/corrections.md.
        paper: number of the paper.
        place: where in the paper.
        title: what it is about, in a few words.
        kind: what was found.
        printed: what the paper says, Markdown with LaTeX.
        right: what holds, likewise.
        why: one sentence on what it changes.
        evidence: the case that tells the two apart, likewise.
    """

    number: int
    paper: str
    place: str
    title: str
    kind: Kind
    printed: str
    right: str
    why: str
    evidence: str

    @property
    def label(self) -> str:
        """Its line in the list."""
        return f"{self.number} · {self.place}: {self.title}"

    def matches(self, words: str) -> bool:
        """Whether every one of the ``words`` is found in it."""
        text = f"{self.number} {self.paper} {self.kind} {self.place} {self.title} {self.why} {self.evidence}".lower()
        return all(word in text for word in words.lower().split())
