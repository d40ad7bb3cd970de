"""The report of an audit: the verdict with all that it rests on, then the evidence, then how to repeat it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from losses import Membership

Rows = tuple[tuple[str, ...], ...]


def now() -> str:
    """The time in UTC, to the minute."""
    return datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")


def plain(words: str) -> str:
    """A sentence in the pages' Markdown without its marks."""
    said = re.sub(r":[a-z]+-badge\[(.+?)\]", r"\1.", re.sub(r":[a-z]+\[~~(.+?)~~\]", r"(\1)", words))
    return said.replace(r"\*", "\0").replace("*", "").replace("\0", "*")


def skipped(dropped: int) -> tuple[str, ...]:
    """How many rows were left out, in a sentence, if any were."""
    rows = "1 row that cannot be used was" if dropped == 1 else f"{dropped:,} rows that cannot be used were"
    return (f"{rows} left out.",) if dropped else ()


def notes_on_scores(membership: Membership, negated: bool, dropped: int) -> tuple[str, ...]:
    """Which label means included and why, which scores speak for it, and how many rows were left out."""
    suspected = "Small" if negated else "Large"
    return (membership.said("included"), f"{suspected} numbers speak for that.", *skipped(dropped))


@dataclass(frozen=True)
class Data:
    """What was read.

    Attributes:
        name: for a heading.
        files: the name of each, and its SHA-256; the digest is empty where there is no file, as of a database's table.
        python: lines that read them in Python.
        notes: which label counts as in, which rows were left out, in sentences.
    """

    name: str
    files: tuple[tuple[str, str], ...] = ()
    python: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class ReportPart:
    """A part of the evidence: a table, or sentences where ``head`` is empty and each row is one of them.

    Attributes:
        title: of the part.
        rows: cells of text; two columns without a head are names with words.
        head: of the columns.
        note: below it.
    """

    title: str
    rows: Rows
    head: tuple[str, ...] = ()
    note: str = ""

    @property
    def plain_rows(self) -> Rows:
        """The rows where no Markdown is read: sentences without their marks; cells have none."""
        is_prose = not self.head and all(len(row) == 1 for row in self.rows)
        return tuple((plain(line),) for (line,) in self.rows) if is_prose else self.rows


@dataclass(frozen=True)
class ReportFigure:
    """A figure as an SVG element, and what it shows."""

    svg: str
    caption: str


@dataclass(frozen=True, eq=False)
class AuditReport:
    """An audit as it is handed in.

    Attributes:
        kind: the kind of evidence: "losses", "attack scores", "canaries" or "runs".
        outcome: the verdict in a few words.
        verdict: the verdict in sentences, in the pages' Markdown; the first says it all.
        data: what was read.
        settings: what must have been chosen before the data were seen (level, promise, adjacency, ranks), by name.
        rests_on: what has to hold, in sentences.
        evidence: the counts and estimates behind the verdict.
        numbers: all of them with all digits, by name.
        code: the Python that prints the same numbers.
        pictures: figures of the evidence.
        made: when.
    """

    kind: str
    outcome: str
    verdict: tuple[str, ...]
    data: Data
    settings: tuple[tuple[str, str], ...]
    rests_on: tuple[str, ...]
    evidence: tuple[ReportPart, ...]
    numbers: Mapping[str, object]
    code: str = ""
    pictures: tuple[ReportFigure, ...] = ()
    made: str = field(default_factory=now)
