"""Measure a trained model: Epsilon* of its losses on training data and on fresh data."""

from collections.abc import Callable

import streamlit as st

from numerics.trade_off import Bound
from pages.measuring import audits, delta_sweep, figures, fit, instances, resampled, simulations, source, taking, words
from pages.measuring import options as choices
from pages.measuring.audits import Audit
from pages.measuring.source import Source
from pages.shared import kept, readout, uploads
from pages.shared.attempt import attempt

PARTS: dict[str, Callable[[Source, Audit], None]] = {
    "bootstrap": resampled.draw,
    "other δ": lambda losses, audit: delta_sweep.draw(losses, audit, audit.bound.level),
    "goodness of fit": fit.draw,
    simulations.PART: lambda *_: simulations.draw(),
}
KEPT = (*source.KEYS, *choices.KEYS, *simulations.KEYS, "axes", "about")

kept.restore(KEPT)
with st.container():  # one place however much is in it: the browser forgets the URL's part of widgets that move
    losses = source.draw()
options = choices.draw(None if losses is None else losses.scale)
with st.container():
    if losses is not None and losses.models is not None:
        instances.draw_table(losses.models, options)

answer = st.container(border=True)
with answer:
    audit = resampled.checked(losses, audits.attempt(losses, options))

# Not st.stop() where there is none: Streamlit cleans up after whole runs only, and would keep the bytes of an upload.
if losses is not None and audit is not None:
    with answer:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.badge("audit", color="blue", help="Measured on samples; the lower bound holds with its confidence.")
            st.caption(uploads.literal(losses.name), width="content")
        if losses.membership is not None:
            st.caption(uploads.literal(losses.membership.words))
        for note in audit.notes:
            st.caption(uploads.literal(note))
        for doubt in audit.doubts:
            st.warning(uploads.literal(doubt), icon=":material/warning:")
        readout.answer(words.bound_sentence(audit))
        readout.metrics(words.metrics(audit))
        st.markdown(words.estimate_sentence(audit))
        if audit.null is not None:
            st.caption(words.null_sentence(audit.null))
        st.caption(words.NO_BOUND)
        if audit.dropped:
            st.caption(f"{audit.dropped:,} rows that cannot be used were left out.")

    first, second = st.columns([3, 2], gap="medium")
    with first:
        figure = figures.draw_errors(audit)
    with second:
        figures.draw_densities(audit)
    if warnings := words.warnings(audit):
        with st.container(border=True):
            st.markdown("**Before you use these numbers**\n" + "\n".join(f"- {line}" for line in warnings))
    figures.draw_table(audit)
    part = st.segmented_control("More about this model", list(PARTS), key="about", bind="query-params")
    if part in PARTS:
        with st.container(border=True), attempt(part):
            PARTS[part](losses, audit)
    readout.how(words.formulas(options), words.ASSUMPTIONS, Bound.AUDIT, audit.seconds)
    taking.draw(losses, audit)
    figures.draw_downloads(losses, audit, figure)
kept.note(KEPT)
