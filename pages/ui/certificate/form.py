"""Asking for a certificate: what a person may write on it, and the buttons that make it."""

from collections.abc import Callable

import streamlit as st

from pages.ui import address, downloads, privacy_label, report_fields
from pages.ui.certificate import html_file
from pages.ui.certificate.subject import CertificateSubject, FormEntries, one_of_all
from pages.ui.certificate.task import RUNNER, CertificateTask
from pages.ui.prior_guess import Known
from pages.ui.report_fields import ReportField
from pages.ui.threat_models.release import ReleaseSetting

_HELP = "A file to hand in, which prints to PDF."
_LONGEST, _ANSWER = 120, 400
_WORDS = (
    "**A privacy certificate to hand in:** parameters, the guarantee under differential privacy and under each relaxed "
    "model side by side, assumptions, figures, a program that checks it, and the fields of a report to a "
    "regulator. One file without scripts; print it to make a PDF of two pages and a third with the fields."
)
_PRIVATE = "All of it is optional, and stands on the certificate alone: not in the page's address, and on no disk here."


def offer(setting: ReleaseSetting, known: Known | None = None) -> Callable[[], None]:
    """What draws the label and the form; ``known`` is the prior in force, else the record is one of all."""

    def draw() -> None:
        privacy_label.draw(setting.choice)
        if st.toggle("Privacy certificate", key="certificate.open", help=_HELP, persist_state="session"):
            _draw_button(setting, known or one_of_all(setting.records))

    return draw


def _draw_button(setting: ReleaseSetting, known: Known | None) -> None:
    st.markdown(_WORDS)
    with st.container(horizontal=True):
        release = _text("Name of the release", "certificate.release")
        person = _text("Responsible person", "certificate.responsible")
    answers = _draw_questions()
    st.caption(_PRIVATE)
    subject = CertificateSubject(
        setting, known, address.permalink(without=("compare",)), FormEntries(release, person, answers)
    )
    _draw_file(subject)


def _draw_questions() -> tuple[tuple[str, str], ...]:
    """What only people know of a report's fields; the rest fills itself in, and what is empty is marked so."""
    with st.expander("What a report asks of you", type="compact"), st.grid(2, min_column_width=220):
        return tuple((field.key, _answer(field)) for field in report_fields.ASKED)


def _answer(field: ReportField) -> str:
    label = f"{field.name}: {field.asks}"
    return st.text_area(
        label, key=f"certificate.report_{field.key}", max_chars=_ANSWER, height=68, persist_state="session"
    )


def _text(label: str, key: str) -> str:
    return st.text_input(label, key=key, max_chars=_LONGEST, width=280, persist_state="session")


def _draw_file(subject: CertificateSubject) -> None:
    """The button that computes, its progress, and then the file."""
    task, running = CertificateTask(subject.setting, subject.known), RUNNER.running
    if running is not None and running.task != task:
        RUNNER.stop()  # of a release that has been left
    if RUNNER.result_of(task):
        downloads.button("Certificate (HTML)", "privacy-certificate.html", lambda: html_file.page(subject))
        return
    RUNNER.draw_start(task, label="Make the certificate")
