"""What an audit leaves with: its sheet with all evidence, its numbers, and the Python that prints them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from pages.ui import downloads, share
from pages.ui.downloads import Make
from pages.ui.share import Shared
from reports import json_file, sheet
from reports.audit_report import AuditReport, plain
from reports.figures import Drawn
from reports.sheet import Against, Sheet


def offer(
    name: str,
    made: Callable[[], AuditReport],
    pictures: Callable[[], Sequence[Drawn]],
    python: str,
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
        table: makes the data of the figure.
        others: make further data, by name.
        limit: how the number stands against the limit, where the page has one.
    """

    def filled(address: str) -> Sheet:
        drawn = replace(made(), pictures=tuple(one.picture for one in pictures()))
        return sheet.of_audit(drawn, address, limit)

    def numbers() -> str:
        return json_file.text(made())

    share.offer(Shared(name, python, table, others or {}, filled, numbers))


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
    offer(name, lambda: report, lambda: [drawn, *further], report.code, table)
