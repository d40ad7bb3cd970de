"""A report for a terminal: the verdict, what was read, and what it rests on."""

from losses.errors import visible
from reports.audit_report import AuditReport, ReportPart, plain

_LONGEST = 200


def text(report: AuditReport) -> str:
    """The verdict, and what it is of, a sentence a line."""
    verdict = [plain(one) for one in report.verdict]
    files = ", ".join(visible(name, _LONGEST) for name, _ in report.data.files) or visible(report.data.name, _LONGEST)
    lines = [*verdict, f"From {files}.", *(visible(note, 5 * _LONGEST) for note in report.data.notes)]
    for one in report.evidence:
        lines += ["", _part(one)]
    return "\n".join([*lines, "", f"It rests on this: {' '.join(report.rests_on)}"])


def _part(shown: ReportPart) -> str:
    """A part of the evidence, with its note."""
    table = _table((shown.head, *shown.plain_rows) if shown.head else shown.plain_rows)
    return "\n".join([f"{shown.title}:", *table, *filter(None, [visible(shown.note, 5 * _LONGEST)])])


def _table(rows: tuple[tuple[str, ...], ...]) -> list[str]:
    """Rows with their columns aligned; a single column as it is."""
    cells = [tuple(visible(cell, 5 * _LONGEST) for cell in row) for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return ["  " + "  ".join(map(str.ljust, row, widths)).rstrip() for row in cells]
