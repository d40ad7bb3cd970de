"""The sheet: one document to file, of a planned release and of an audit. It prints on two A4 pages, and an annex.

Page 1 is for who decides: the verdict against the limit with its condition, people in absolute numbers, the remedy, one
figure, what it rests on, what was read, and lines to sign. Page 2 is for who checks: the numbers, the evidence, the
fields of a report, and a program. Evidence, files and figures that these have no room for are in the annex, all of
them. ``pages.ui.sheet_filling`` fills one in from a release, ``of_audit`` from a report. What nobody has said is marked
so, and can be written where the document is read.

The fields are compiled from the published summaries of NIST SP 800-226 (2025: unit of privacy, parameters, trust model,
hazards) and EDPB Opinion 28/2024 (extraction and inference by all means reasonably likely to be used, documentation of
tests). No field is a claim of compliance.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum

from losses.errors import visible
from numerics.audits.claim import Decision
from numerics.version import VERSION
from reports import document
from reports.audit_report import AuditReport, ReportFigure, ReportPart, plain
from reports.promise_slices import REFUTED as REFUTED_BY_SLICES

NOT_STATED = "Not stated"
NO_CLAIM = (
    "The fields that NIST SP 800-226 and EDPB Opinion 28/2024 lead a report to have, read from their published "
    "summaries. To fill them in is no claim of compliance with either; what nobody has said is marked so."
)
_HINT = '<p class="hint">Click on what is not stated to write it; then print or save this page.</p>\n'
_MOST_FILES, _MOST_ROWS, _ALSO = 4, 25, 3  # files, rows, and sentences of a verdict that the pages have room for
_STYLE = """
h1{margin:.2rem 0 .5rem}section ul{margin:.2rem 0;padding-left:1.2rem}section p{margin:.2rem 0}
.top{display:flex;justify-content:space-between;gap:1rem;font-size:.8rem;color:#56606b}
.answer{font-size:1.15rem;border-width:0 0 0 5px;border-radius:0;padding:.1rem .8rem}
.over{border-color:#b04a00}.within{border-color:#00785a}
.second,.annex{border-top:1px solid #d5dbe1;margin-top:2rem;padding-top:.5rem}.facts th{width:9rem;font-weight:600}
.first figure svg{max-width:36rem}.small,.second{font-size:.9rem}.columns ul{columns:2;column-gap:2rem}
.first code{overflow-wrap:anywhere;font-size:.8em}.second td.n{white-space:normal}
@page{size:A4;margin:9mm 13mm}
@media print{h1{font-size:14pt;margin:.1rem 0 .3rem}h2{font-size:9.4pt;margin:.4rem 0 .05rem}
.first{font-size:8.8pt;line-height:1.26}.answer{font-size:11.5pt}.first table{font-size:8.4pt}
.first .small :is(table,p){font-size:7.4pt}.first :is(th,td){padding:.06rem .5rem .06rem 0}figure{margin:.3rem 0}
figcaption{font-size:8pt}.first figure svg{max-height:5.6cm}
.second,.annex{break-before:page;border:0;margin:0;padding:0}.second{font-size:6.7pt;line-height:1.17}
.annex{font-size:8pt}.annex table{font-size:7.4pt}
.second h2{font-size:8pt;margin:.25rem 0 .05rem}.second :is(table,p,ul){font-size:6.7pt;margin:.03rem 0}
.second :is(th,td){padding:.01rem .4rem .01rem 0}.second .facts th{width:30mm}.columns ul{columns:3;column-gap:4mm}
.columns li{break-inside:avoid}figure,table,pre{break-inside:auto}pre{font-size:5.2pt;line-height:1.12;padding:.2rem;
margin:.1rem 0;columns:2;column-gap:4mm}.sign{margin-top:8mm}}
"""

Rows = tuple[tuple[str, str], ...]


class Standing(StrEnum):
    """How the number stands against the limit; the values are the marks."""

    OVER = "✕"
    WITHIN = "✓"
    OPEN = ""


@dataclass(frozen=True)
class SheetField:
    """A field of a report: its key, its name, and what a person is asked; empty where there is nothing to ask."""

    key: str
    name: str
    asks: str = ""


FIELDS = (
    SheetField("published", "Release", "what is published, to whom, how often, and which intermediate models."),
    SheetField("unit", "Unit of privacy", "how records are assigned to people, and contributions bounded."),
    SheetField("neighbours", "Neighbours"),
    SheetField("mechanism", "Mechanism, sensitivity"),
    SheetField("sampler", "Sampler", "as run: how the loader draws batches, and which records it drops."),
    SheetField("steps", "Steps, composition", "other releases of these data, and the runs that tuned this one."),
    SheetField("accountant", "Accountant"),
    SheetField("parameters", "Parameters"),
    SheetField("delta", "δ against the data"),
    SheetField("trust", "Trust model", "central or local, who sees raw data, secure aggregation."),
    SheetField("program", "Implementation", "random numbers, floating point, side channels, choices by the data."),
    SheetField("attacks", "Attacks run", "membership, attribute, reconstruction, extraction; baselines, confidence."),
    SheetField("readings", "What is guessed"),
    SheetField("uncovered", "Not covered", "public data, people who are not in the data."),
    SheetField("utility", "Utility and bias", "accuracy, and for whom it is lower."),
    SheetField("residual", "Residual risk", "retention, who answers questions, date of the next review."),
)


def fields(known: Mapping[str, str]) -> Rows:
    """All fields, numbered, with what is ``known`` by their keys, and what only people can say as not stated."""

    def text(one: SheetField) -> str:
        asked = f"{NOT_STATED}: {one.asks}" if one.asks else ""
        return " ".join(filter(None, (known.get(one.key, ""), asked))) or f"{NOT_STATED}."

    return tuple((f"{place}. {one.name}", text(one)) for place, one in enumerate(FIELDS, 1))


@dataclass(frozen=True)
class Sheet:
    """What the document says; every text is taken as text, and may be a stranger's.

    Attributes:
        about: what kind of thing it is about: "Planned release".
        subject: the release or the data in words.
        standing: against the limit.
        verdict: the number with its condition and how it stands, in the pages' Markdown.
        facts: limit, people and remedy, by name.
        rests_on: three assumptions.
        figure: the one figure; None where there is none.
        further_figures: of the annex.
        read: names of the files that were read, with their SHA-256, which is empty for a table of a database.
        notes: how they were read, in sentences.
        settings: the parameters, by name.
        numbers: guarantees in one number each, by name, for a model card; among the fields they are said in full.
        evidence: tables and sentences of page 2.
        fields: of a report.
        code: Python that prints the numbers.
        address: restores the view, with every setting; empty where there is none.
        to_tick: statements of which the reader ticks the one that is true.
        signed_by: what is written below them.
        made: the day.
    """

    about: str
    subject: str
    standing: Standing
    verdict: str
    facts: Rows
    rests_on: tuple[str, ...]
    figure: ReportFigure | None = None
    further_figures: tuple[ReportFigure, ...] = ()
    read: Rows = ()
    notes: tuple[str, ...] = ()
    settings: Rows = ()
    numbers: Rows = ()
    evidence: tuple[ReportPart, ...] = ()
    fields: Rows = field(default_factory=lambda: fields({}))
    code: str = ""
    address: str = ""
    to_tick: tuple[str, ...] = ()
    signed_by: tuple[str, ...] = ("Responsible", "Date", "Signature")
    made: str = field(default_factory=lambda: datetime.now(UTC).date().isoformat())

    @property
    def html(self) -> str:
        """The document: one file that runs nothing and loads nothing."""
        link, files = document.link(self.address), self.read
        written = [(name, "") for name in ("Name of the release or model", "Purpose", "Note")]
        more = f"And {len(files) - _MOST_FILES:,} more, in the annex." if len(files) > _MOST_FILES else ""
        read = document.files(files[:_MOST_FILES], more) + document.items(self.notes)
        css = {Standing.OVER: "over", Standing.WITHIN: "within"}.get(self.standing, "")
        check = document.section("How to check it, in the folder of the project", document.code(self.code))
        first = (
            f"{self._top('page 1')}{_HINT}"
            f"<h1>{document.stranger(self.subject, document.LONGEST_NAME)}</h1>\n"
            f"{document.answer([f'{self.standing} {self.verdict}'.strip()], css)}{document.facts(self.facts)}"
            f"{document.facts(written, is_editable=True)}"
            f"{'' if self.figure is None else document.figure(self.figure.svg, self.figure.caption)}"
            f"{document.section('What this rests on', document.items(self.rests_on))}"
            f"{document.section('What was set', document.facts(self.settings), 'small')}"
            f"{document.section('What was read', read)}"
            f"{document.section('To see it again', f'<p>{link}</p>', 'small') if link else ''}"
            f"{document.to_tick(self.to_tick)}{document.signature(*self.signed_by)}"
        )
        asked = f"{document.facts(self.fields, is_editable=True)}<p>{NO_CLAIM}</p>"
        second = (
            f"{self._top('page 2')}{''.join(map(document.part, _fitting(self.evidence)))}"
            f"{document.section('Fields of a report', asked)}"
            f"{check if self.code else ''}"
        )
        body = f'<div class="first">{first}</div>\n<div class="second">{second}</div>\n{self._annex}'
        return document.page(f"Privacy sheet: {self.subject}", body, _STYLE)

    @property
    def _annex(self) -> str:
        """All of what the two pages have only a part of; nothing where they have it all."""
        evidence = "".join(map(document.part, self.evidence)) if _fitting(self.evidence) != [*self.evidence] else ""
        figures = "".join(document.figure(one.svg, one.caption) for one in self.further_figures)
        files = document.section("All files", document.files(self.read)) if len(self.read) > _MOST_FILES else ""
        if not (evidence or figures or files):
            return ""
        return f'<div class="annex">{self._top("annex")}{figures}{evidence}{files}</div>\n'

    def _top(self, page: str) -> str:
        made = f"{self.made} · privacy trade-offs {VERSION} · {page}"
        about = document.text(f"Privacy sheet · {self.about}")
        return f'<div class="top"><span>{about}</span><span>{document.text(made)}</span></div>\n'

    @property
    def markdown(self) -> str:
        """Its first lines for a model card: a heading, and YAML that programs read as well as people."""
        lines = ["## Privacy", "", "```yaml", "differential_privacy:"]
        for name, text in (("of", self.subject), ("verdict", plain(self.verdict)), *self.facts, *self.settings):
            lines.append(f"  {_key(name)}: {_quoted(text)}")
        lines += ["  numbers: # guarantees: at most"] if self.numbers else []  # an audit guarantees nothing
        lines += [f"    {_key(name)}: {_quoted(text)}" for name, text in self.numbers]
        lines += [f"  not_stated: [{', '.join(map(_quoted, self.not_stated))}]", f"  made: {_quoted(self.made)}"]
        lines += [f"  check: {_quoted(self.address)}"] if self.address else []
        return "\n".join([*lines, "```", ""])

    @property
    def not_stated(self) -> list[str]:
        """The fields of which a part is not stated."""
        return [name.split(". ", 1)[1].lower() for name, text in self.fields if NOT_STATED in text]


def _key(name: str) -> str:
    """A name that YAML reads as one."""
    return name if name.replace("_", "").isalnum() and name.isascii() else _quoted(name)


def _quoted(text: str) -> str:
    """A scalar of YAML: every string of JSON is one."""
    return json.dumps(visible(text, document.LONGEST), ensure_ascii=False)


_KINDS = {
    "losses": "audit of a model by its losses",
    "attack scores": "audit of a model by attack scores",
    "canaries": "audit of a promise by one run with canaries",
    "runs": "audit of a promise by many runs",
}
_OF_A_PROMISE = ("canaries", "runs")
_CHOSEN = (
    "What was set, and the score, were chosen before anybody looked at these data.",
    "They were chosen after a look: then nothing here holds with the confidence that is stated.",
)
_REMEDY = (
    "More noise, fewer steps, stronger regularisation or an earlier stop change what is given away: audit what comes "
    "of it anew."
)
_AUDITED = {
    "unit": "One row of the file is one record.",
    "accountant": "None: measured.",
    "uncovered": "Training runs that did not happen, and attacks that see more than was given here.",
}


def _fitting(parts: tuple[ReportPart, ...]) -> list[ReportPart]:
    """As many parts as there is room for, and of the last as many rows; what is missing is said."""
    found, room, left = list[ReportPart](), _MOST_ROWS, list[str]()
    for part in parts:
        if part.rows and not room:
            left.append(part.title)
            continue
        rows = part.rows[:room]
        missing = len(part.rows) - len(rows)
        note = f"And {missing:,} more, in the annex. {part.note}".strip() if missing else part.note
        found.append(replace(part, rows=rows, note=note))
        room -= len(rows)
    return [*found, ReportPart("In the annex", (), (), f"{'; '.join(left)}.")] if left else found


@dataclass(frozen=True)
class Against:
    """How what was measured stands against a limit, and both in words."""

    standing: Standing
    limit: str
    words: str


def of_audit(report: AuditReport, address: str = "", limit: Against | None = None) -> Sheet:
    """The sheet of what was measured. An audit never shows that a limit is kept: it refutes, or leaves open."""
    settings = dict(report.settings)
    if report.kind in _OF_A_PROMISE:
        standing = Standing.OVER if report.outcome in (Decision.REFUTED, REFUTED_BY_SLICES) else Standing.OPEN
        limit = Against(standing, f"What was promised: {settings['Promise']}", report.outcome)
    limit = limit or Against(Standing.OPEN, f"{NOT_STATED}.", report.outcome)
    known = _AUDITED | {"attacks": f"{_KINDS[report.kind].capitalize()}. {plain(report.verdict[0])}"}
    if neighbours := settings.get("Adjacency") or settings.get("Neighbours"):
        known["neighbours"] = f"{neighbours[0].upper()}{neighbours[1:]}."
    further = tuple((line,) for line in (*report.verdict[_ALSO:], *report.rests_on[3:]))
    facts = (
        ("Limit", limit.limit),
        ("Outcome", f"{limit.words[0].upper()}{limit.words[1:]}"),
        *(("Also", plain(line)) for line in report.verdict[1:_ALSO]),
        ("Your people", f"{NOT_STATED}: it is about the records that were read."),
        ("Remedy", _REMEDY),
    )
    return Sheet(
        about=_KINDS[report.kind],
        subject=report.data.name,
        standing=limit.standing,
        verdict=report.verdict[0],
        facts=facts,
        rests_on=report.rests_on[:3],
        figure=report.pictures[0] if report.pictures else None,
        read=report.data.files,
        notes=report.data.notes,
        settings=report.settings,
        further_figures=report.pictures[1:],
        evidence=(*report.evidence, *([ReportPart("Further", further)] if further else [])),
        fields=fields(known),
        code=report.code,
        address=address,
        to_tick=_CHOSEN,
        signed_by=("Auditor", "Organisation", "Date", "Signature"),
        made=report.made.split(" ")[0],
    )
