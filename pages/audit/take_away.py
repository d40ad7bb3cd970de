"""What an audit leaves with: its report, its figure, its numbers, and the Python that prints them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from pages.ui import csv_tables, downloads
from pages.ui.downloads import Downloads
from reports import html_file, json_file
from reports.audit_report import Auditor, AuditReport, plain
from reports.figures import Drawn

KEYS = ("audit.model", "audit.purpose", "audit.note")
_LONGEST = 800
_ABOUT = (
    "**A report to hand in.** Page 1 is the verdict with what was chosen before, the data (names and SHA-256, no rows) "
    "and what it rests on; then the evidence, and how to reproduce it. Print it to make a PDF."
)


def draw_report(name: str, made: Callable[[], AuditReport], pictures: Callable[[], Sequence[Drawn]]) -> None:
    """Draw what the auditor may write, and the buttons; reports are made when they are asked for.

    Args:
        name: start of the files' names.
        made: makes the report without its figures.
        pictures: draws them.
    """
    with st.container(border=True):
        st.markdown(_ABOUT)
        auditor = _auditor()

        def numbers() -> str:
            return json_file.text(replace(made(), auditor=auditor))

        def page() -> str:
            return html_file.page(
                replace(made(), auditor=auditor, pictures=tuple(drawn.picture for drawn in pictures()))
            )

        with st.container(horizontal=True):
            downloads.button("Report (HTML)", f"{name}-report.html", page)
            downloads.button("All numbers (JSON)", f"{name}.json", numbers)


def _auditor() -> Auditor:
    """Draw the fields of the report that only the auditor can fill; what is written stays in the session."""
    with st.container(horizontal=True):
        model = _text("Model or code", KEYS[0], "what was audited")
        purpose = _text("Purpose", KEYS[1], "why")
        note = _text("Note", KEYS[2], "yours, for page 1", _LONGEST, width=360)
    return Auditor(model, purpose, note)


def _text(label: str, key: str, example: str, longest: int = 200, width: int = 260) -> str:
    return st.text_input(label, key=key, max_chars=longest, placeholder=example, width=width, persist_state="session")


def draw(name: str, report: AuditReport, drawn: Drawn, further: Sequence[Drawn] = ()) -> None:
    """Draw the report's box, and the fold with figure, data and Python; the report has the ``further`` figures, too."""
    draw_report(name, lambda: report, lambda: [drawn, *further])
    parameters = {
        "data": report.data.name,
        **dict(report.settings),
        **{f"file {file}": f"SHA-256 {digest}" for file, digest in report.data.files},
        "verdict": " ".join(map(plain, report.verdict)),
        "rests on": " ".join(report.rests_on),
    }
    table = partial(csv_tables.table, drawn.table, parameters)
    downloads.draw(Downloads(name, drawn.figure, report.code, parameters, table=table))
