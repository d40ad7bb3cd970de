"""What an audit leaves with: its sheet, the report with all evidence, its numbers, and the Python that prints them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from pages.ui import downloads, share
from pages.ui.downloads import Make
from pages.ui.share import Shared
from reports import html_file, json_file, sheet
from reports.audit_report import Auditor, AuditReport, plain
from reports.figures import Drawn
from reports.sheet import Against, Entries, Sheet


def offer(
    name: str,
    made: Callable[[], AuditReport],
    pictures: Callable[[], Sequence[Drawn]],
    python: str,
    parameters: Mapping[str, str],
    table: Make,
    others: Mapping[str, Make] | None = None,
    limit: Against | None = None,
) -> None:
    """Offer it all; reports are made when they are asked for.

    Args:
        name: start of the files' names.
        made: makes the report without its figures.
        pictures: draws them.
        python: prints the numbers.
        parameters: what the numbers are about.
        table: makes the data of the figure.
        others: make further data, by name.
        limit: how the number stands against the limit, where the page has one.
    """

    def signed(entries: Entries) -> AuditReport:
        note = "; ".join(filter(None, (entries.note, entries.responsible and f"responsible: {entries.responsible}")))
        return replace(made(), auditor=Auditor(entries.name, entries.purpose, note))

    def drawn(entries: Entries) -> AuditReport:
        return replace(signed(entries), pictures=tuple(one.picture for one in pictures()))

    def filled(address: str, entries: Entries) -> Sheet:
        return sheet.of_audit(drawn(entries), address, entries, limit)

    papers: dict[tuple[str, str], Callable[[Entries], str]] = {
        ("Report with all evidence (HTML)", f"{name}-report.html"): lambda entries: html_file.page(drawn(entries)),
        ("All numbers (JSON)", f"{name}.json"): lambda entries: json_file.text(signed(entries)),
    }
    shared = Shared(name, python, parameters, table=table, others=others or {}, sheet=filled, papers=papers)
    share.offer(shared)


def offer_report(name: str, report: AuditReport, drawn: Drawn, further: Sequence[Drawn] = ()) -> None:
    """Offer a report that is made already, with its figure; the report has the ``further`` figures, too."""
    parameters = {
        "data": report.data.name,
        **dict(report.settings),
        **{f"file {file}": f"SHA-256 {digest}" for file, digest in report.data.files},
        "verdict": " ".join(map(plain, report.verdict)),
        "rests on": " ".join(report.rests_on),
    }
    table = partial(downloads.table, drawn.table, parameters)
    offer(name, lambda: report, lambda: [drawn, *further], report.code, parameters, table)
