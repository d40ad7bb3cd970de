"""The report to hand in, and all numbers as JSON."""

import streamlit as st

from pages.epsilon_star import bootstrap
from pages.epsilon_star.audits import Audit
from pages.epsilon_star.report import html_file
from pages.epsilon_star.source_controls import Source


def draw(source: Source, audit: Audit) -> None:
    """Draw the two downloads; they are made when they are asked for."""
    extras = extras_of(source, audit)
    with st.container(border=True):
        st.markdown(
            "**A report to hand in.** One page that stands alone: the number, its confidence, figures, warnings, what "
            "was read (names and SHA-256, no data), and how to reproduce it. Print it to make a PDF."
        )
        with st.container(horizontal=True):
            st.download_button(
                "Report (HTML)",
                lambda: html_file.page(source, audit, extras),
                "epsilon-star-report.html",
                "text/html",
                on_click="ignore",
                type="primary",
            )
            st.download_button(
                "All numbers (JSON)",
                lambda: html_file.numbers_json(source, audit, extras),
                "epsilon-star.json",
                "application/json",
                on_click="ignore",
            )


def extras_of(source: Source, audit: Audit) -> html_file.Extras:
    """What this session found by resampling, if it did."""
    return html_file.Extras(bootstrap.interval_of(source, audit))
