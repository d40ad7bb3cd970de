"""A report to hand in: one HTML file without scripts. Page 1 is the verdict; then the evidence; then the code.

Names of files, columns and labels, and what the auditor writes, are a stranger's text: see ``reports.document``.
"""

from numerics.version import VERSION
from reports import document
from reports.audit_report import AuditReport

_MOST_FILES = 4  # on page 1
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
    title, files = _TITLES[report.kind], report.data.files
    said = (
        ("Model", report.auditor.model),
        ("Purpose", report.auditor.purpose),
        ("Auditor's note", report.auditor.note),
    )
    more = f"And {len(files) - _MOST_FILES:,} more, listed below." if len(files) > _MOST_FILES else ""
    figures = "".join(document.figure(picture.svg, picture.caption) for picture in report.pictures)
    read = document.items(report.data.notes) + (document.files(files) if more else "")
    body = (
        f'<div class="first"><h1>{document.text(title)}</h1>\n'
        f'<p class="lead">{document.stranger(report.data.name, document.LONGEST_NAME)}. Made on '
        f"{document.text(report.made)} with privacy trade-offs {VERSION}.</p>\n"
        f"{document.answer(report.verdict)}{document.facts(pair for pair in said if pair[1].strip())}"
        f"{document.section(_SETTINGS, document.facts(report.settings))}"
        f"{document.section('Data', document.files(files[:_MOST_FILES], more))}"
        f"{document.section('What this rests on', document.items(report.rests_on))}"
        f"{document.signature('Prepared by', 'Date, signature')}</div>\n"
        f"{document.section('Figures', figures) if figures else ''}{''.join(map(document.part, report.evidence))}"
        f"{document.section('What was read', read) if report.data.notes or more else ''}"
        f"{document.section('How to reproduce', _HOW + document.code(report.code)) if report.code else ''}"
    )
    return document.page(f"{title}: {report.data.name}", body, _STYLE)
