"""Asking for a certificate: what a person may write on it, and the buttons that make it."""

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from pages.ui import address, downloads, page_state
from pages.ui.certificate import html_file
from pages.ui.certificate.subject import FormEntries, Subject, one_of_all
from pages.ui.certificate.task import RUNNER, CertificateTask
from pages.ui.prior_guess import Known
from pages.ui.release_controls import ReleaseChoice
from pages.ui.task_runner import draw_progress
from pages.ui.threat_models.release import ReleaseSetting

_KEYS = ("certificate", "certificate_release", "certificate_responsible")
_LONGEST = 120
_WORDS = (
    "**A privacy certificate to hand in:** parameters, the guarantee under differential privacy and under each relaxed "
    "model side by side, assumptions, figures, and a program that checks it. One file without scripts; print it to "
    "make a PDF of two pages."
)
_PRIVATE = "Both are optional, and stand on the certificate alone: not in the page's address, and on no disk here."


def offer(choice: ReleaseChoice, known: Known | None = None) -> Callable[[], None]:
    """What draws the form; ``known`` is the prior in force, else the record is one of all."""

    def draw() -> None:
        if _is_wanted():
            setting = replace(ReleaseSetting.plain(choice, choice.records, choice.dimension), clip=choice.clip)
            _draw_button(setting, known or one_of_all(choice.records))

    return draw


def offer_for(setting: ReleaseSetting) -> Callable[[], None]:
    """What draws the form for a page whose setting has everything."""

    def draw() -> None:
        if _is_wanted():
            _draw_button(setting, one_of_all(setting.records))

    return draw


def _is_wanted() -> bool:
    page_state.restore(_KEYS)
    wanted = st.toggle("Privacy certificate", key="certificate", help="A file to hand in, which prints to PDF.")
    page_state.note(_KEYS)
    return wanted


def _draw_button(setting: ReleaseSetting, known: Known | None) -> None:
    st.markdown(_WORDS)
    with st.container(horizontal=True):
        release = st.text_input("Name of the release", key="certificate_release", max_chars=_LONGEST, width=280)
        person = st.text_input("Responsible person", key="certificate_responsible", max_chars=_LONGEST, width=280)
    st.caption(_PRIVATE)
    subject = Subject(setting, known, address.permalink(without=("pins",)), FormEntries(release, person))
    _draw_file(subject)
    page_state.note(_KEYS)


def _draw_file(subject: Subject) -> None:
    """The button that computes, its progress, and then the file."""
    task, running = CertificateTask(subject.setting, subject.known), RUNNER.running
    if running is not None and running.task != task:
        RUNNER.stop()  # of a release that has been left
    if RUNNER.result_of(task):
        downloads.button("Certificate (HTML)", "privacy-certificate.html", lambda: html_file.page(subject))
        return
    st.button(
        "Make the certificate",
        key="certificate_start",
        on_click=RUNNER.start,
        args=(task,),
        disabled=RUNNER.running is not None,
    )
    if RUNNER.running is not None:
        draw_progress(RUNNER)
