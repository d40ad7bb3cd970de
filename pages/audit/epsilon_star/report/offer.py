"""Offering the report to hand in, and all its numbers as JSON."""

from functools import partial

import streamlit as st

from pages.audit.epsilon_star import bootstrap
from pages.audit.epsilon_star.audits import Audit
from pages.audit.epsilon_star.report import html_file
from pages.audit.epsilon_star.source_controls import Source
from pages.ui import downloads


def draw(source: Source, audit: Audit) -> None:
    """Draw the two buttons; what this session found by resampling goes with the rest."""
    extras = html_file.Extras(bootstrap.interval_of(source, audit))
    page, numbers = (partial(make, source, audit, extras) for make in (html_file.page, html_file.numbers_json))
    with st.container(border=True):
        st.markdown(
            "**A report to hand in.** One page that stands alone: the number, its confidence, figures, warnings, what "
            "was read (names and SHA-256, no data), and how to reproduce it. Print it to make a PDF."
        )
        with st.container(horizontal=True):
            downloads.button("Report (HTML)", "epsilon-star-report.html", page, is_primary=True)
            downloads.button("All numbers (JSON)", "epsilon-star.json", numbers)
