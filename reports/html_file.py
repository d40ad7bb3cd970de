"""A report to hand in: one HTML file without scripts. Page 1 is the verdict; then the evidence; then the code.

Names of files, columns and labels, and what the auditor writes, are a stranger's text: see ``reports.document``.
"""

from html import escape

from losses.errors import visible
from numerics.version import VERSION
from reports import document
from reports.audit_report import Auditor, AuditReport, ReportPart

_MOST_FILES = 4  # on page 1
_LONGEST = 300  # characters of a name on page 1
_LONGEST_NOTE = 800
_TITLES = {
    "losses": "Audit of a model by its losses",
    "attack scores": "Audit of a model by attack scores",
    "canaries": "Audit of a promise by one run with canaries",
    "runs": "Audit of a promise by many runs",
}
_HOW = "<p>In the project's folder, with the files beside it:</p>"
_SETTINGS = "Settings (whether they were chosen before the data were seen: not stated)"
_STYLE = """
h1{margin-top:0}.lead{margin:.2rem 0 .8rem}.answer{font-size:1.1rem}section ul{margin:.3rem 0;padding-left:1.2rem}
@page{margin:10mm 13mm}
@media print{.first{break-after:page}.first,.first table{font-size:8.4pt;line-height:1.3}h1{font-size:15pt}
h2{font-size:10.5pt;margin:.55rem 0 .15rem}.first .answer{font-size:10pt;padding:.3rem .8rem}.answer p{margin:.25rem 0}
.first :is(th,td){padding:.1rem .5rem .1rem 0}.first code{font-size:7.4pt}.facts th{width:42mm}.lead{font-size:8.8pt;
margin:.1rem 0 .4rem}pre{break-inside:auto}section ul{margin:.15rem 0}.first .sign{margin-top:1.4rem}}
"""


def page(report: AuditReport) -> str:
    """The report as one HTML file: it loads nothing, runs nothing, and holds none of the data but what it names."""
    title = _TITLES[report.kind]
    parts = "".join(map(_part, report.evidence))
    figures = "".join(document.figure(picture.svg, picture.caption) for picture in report.pictures)
    body = (
        f"{_first(title, report)}{document.section('Figures', figures) if figures else ''}{parts}{_rest(report)}"
        f"{document.section('How to reproduce', _HOW + document.code(report.code)) if report.code else ''}"
    )
    return document.page(f"{title}: {visible(report.data.name, _LONGEST)}", body, _STYLE)


def _first(title: str, report: AuditReport) -> str:
    """Page 1."""
    return (
        f'<div class="first"><h1>{escape(title)}</h1>\n'
        f'<p class="lead">{document.stranger(report.data.name, _LONGEST)}. Made on {escape(report.made)} with privacy '
        f"trade-offs {VERSION}.</p>\n"
        f"{document.answer(map(document.marked, report.verdict))}{_auditor(report.auditor)}"
        f"{document.section(_SETTINGS, document.facts(report.settings))}"
        f"{document.section('Data', _files(report.data.files[:_MOST_FILES], len(report.data.files)))}"
        f"{document.section('What this rests on', document.items(report.rests_on))}"
        f"{document.signature('Prepared by', 'Date, signature')}</div>\n"
    )


def _auditor(auditor: Auditor) -> str:
    said = (("Model", auditor.model), ("Purpose", auditor.purpose), ("Auditor's note", auditor.note))
    rows = [(name, words) for name, words in said if words.strip()]
    return document.facts((name, visible(words, _LONGEST_NOTE)) for name, words in rows) if rows else ""


def _files(files: tuple[tuple[str, str], ...], total: int) -> str:
    if not files:
        return "<p>The numbers came from no file.</p>\n"
    lines = "".join(
        f"<tr><td>{document.stranger(name, _LONGEST)}</td>"
        f"<td>{f'<code>{escape(digest)}</code>' if digest else 'a table, not a file'}</td></tr>"
        for name, digest in files
    )
    more = f"<p>And {total - len(files):,} more, listed below.</p>\n" if total > len(files) else ""
    return f'<table class="files"><tr><th>Name</th><th>SHA-256</th></tr>{lines}</table>\n{more}'


def _part(part: ReportPart) -> str:
    note = f"<p>{escape(part.note)}</p>\n" if part.note else ""
    if part.head:
        rows = [[visible(cell, document.LONGEST) for cell in row] for row in part.rows]
        return document.section(part.title, f"{document.table(part.head, rows)}{note}")
    if part.rows and len(part.rows[0]) == 2:
        facts = [(name, visible(words, document.LONGEST)) for name, words in part.rows]
        return document.section(part.title, f"{document.facts(facts)}{note}")
    lines = (document.marked(visible(line, document.LONGEST)) for (line,) in part.rows)
    return document.section(part.title, f"{document.items(lines, escaped=True)}{note}")


def _rest(report: AuditReport) -> str:
    """What was read in detail, and the files that page 1 has no room for."""
    notes, files = report.data.notes, report.data.files
    read = document.items(visible(note, document.LONGEST) for note in notes) if notes else ""
    listed = _files(files, len(files)) if len(files) > _MOST_FILES else ""
    return document.section("What was read", read + listed) if read or listed else ""
