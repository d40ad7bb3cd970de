"""Epsilon* of a trained model: its losses on training data and on fresh data."""

from collections.abc import Callable

import streamlit as st

from numerics.trade_off import Bound
from pages.audit.epsilon_star import (
    audits,
    bootstrap,
    delta_sweep,
    figures,
    goodness_of_fit,
    several_models,
    simulations,
    source_controls,
    words,
)
from pages.audit.epsilon_star import options as choices
from pages.audit.epsilon_star.audits import Audit
from pages.audit.epsilon_star.report import offer
from pages.audit.epsilon_star.source_controls import Source
from pages.ui import readout, uploads
from pages.ui.error_boundary import error_boundary

PARTS: dict[str, Callable[[Source, Audit], None]] = {
    "bootstrap": bootstrap.draw,
    "other δ": lambda losses, audit: delta_sweep.draw(losses, audit, audit.bound.level),
    "goodness of fit": goodness_of_fit.draw,
    simulations.PART: lambda *_: simulations.draw(),
}
KEYS = (*source_controls.KEYS, *choices.KEYS, *simulations.KEYS, "axes", "about")


def draw() -> None:
    """Draw where the losses come from, how they are read, and what they show."""
    with st.container():  # one place however much is in it: the browser forgets the URL's part of widgets that move
        losses = source_controls.draw()
    options = choices.draw(None if losses is None else losses.scale)
    with st.container():
        if losses is not None and losses.models is not None:
            several_models.draw_table(losses.models, options)
    answer = st.container(border=True)
    with answer:
        audit = bootstrap.checked(losses, audits.audited(losses, options))
    # Not st.stop() where there is none: Streamlit cleans up after whole runs only, and would keep an upload's bytes.
    if losses is None or audit is None:
        return
    with answer:
        _draw_answer(losses, audit)
    _draw_evidence(losses, audit, options)


def _draw_answer(losses: Source, audit: Audit) -> None:
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


def _draw_evidence(losses: Source, audit: Audit, options: choices.Options) -> None:
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
        with st.container(border=True), error_boundary(part):
            PARTS[part](losses, audit)
    readout.how(words.formulas(options), words.ASSUMPTIONS, Bound.AUDIT, audit.seconds)
    offer.draw(losses, audit)
    figures.draw_downloads(losses, audit, figure)
