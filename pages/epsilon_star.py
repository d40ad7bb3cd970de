"""Measure a trained model: Epsilon* of its losses on training data and on fresh data."""

import streamlit as st

from numerics.trade_off import Bound
from pages.shared import audit_figures, audit_words, audits, kept, loss_source, readout, uploads

KEPT = ("source", "sample", "method", "clip_parametric", "clip_empirical", "audit_delta", "axes")

kept.restore(KEPT)
with st.container():  # one place however much is in it: the browser forgets the URL's part of widgets that move
    source = loss_source.draw()
options = audits.draw_options()
kept.note(KEPT)

answer = st.container(border=True)
with answer:
    audit = audits.attempt(source, options)

# Not st.stop() where there is none: Streamlit cleans up after whole runs only, and would keep the bytes of an upload.
if source is not None and audit is not None:
    with answer:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.badge("audit estimate", color="blue", help="Measured on samples; no confidence is stated with it.")
            st.caption(uploads.literal(source.name), width="content")
        st.markdown(f"##### {audit_words.sentence(audit)}")
        readout.metrics(audit_words.metrics(audit))
        st.caption(audit_words.NO_BOUND)
        if audit.dropped:
            st.caption(f"{audit.dropped:,} rows that cannot be used were left out.")

    first, second = st.columns([3, 2], gap="medium")
    with first:
        figure = audit_figures.draw_errors(audit)
    with second:
        audit_figures.draw_densities(audit)
    with st.container(border=True):
        st.markdown("**Before you use this number**\n" + "\n".join(f"- {line}" for line in audit_words.warnings(audit)))
    audit_figures.draw_table(audit)
    readout.how(audit_words.formulas(options.method), audit_words.ASSUMPTIONS, Bound.ESTIMATE, audit.seconds)
    audit_figures.draw_downloads(source, audit, figure)
