"""Epsilon* of a trained model: its losses on training data and on fresh data."""

from collections.abc import Callable

import streamlit as st

from numerics.trade_off import Bound
from pages.audit import parts
from pages.audit.epsilon_star import (
    audits,
    bootstrap,
    delta_sweep,
    estimates,
    figures,
    goodness_of_fit,
    report,
    several_models,
    simulations,
    source_controls,
    words,
)
from pages.audit.epsilon_star import options as choices
from pages.audit.epsilon_star.audits import EpsilonStarAudit
from pages.audit.epsilon_star.source import LossSource
from pages.server.session_cache import session_cache
from pages.ui import readout
from pages.ui.error_boundary import error_boundary
from pages.ui.plain_text import literal
from reports import losses_words
from reports.audit_report import left_out
from reports.parts import SLICES, ComparedParts, of_column

PARTS: dict[str, Callable[[LossSource, EpsilonStarAudit], None]] = {
    "the four ratios": lambda _, audit: figures.draw_table(audit),
    "bootstrap": bootstrap.draw,
    "other δ": lambda losses, audit: delta_sweep.draw(losses, audit, audit.bound.level),
    "goodness of fit": goodness_of_fit.draw,
    simulations.PART: lambda *_: simulations.draw(),
}
KEYS = (*source_controls.KEYS, *choices.KEYS, *simulations.KEYS, "audit.axes", "audit.about")


def draw() -> None:
    """Draw where the losses come from, what they show, and folded below it how estimates are made."""
    with st.container():  # one place however much is in it: the browser forgets the URL's part of widgets that move
        losses = source_controls.draw()
    first, second = st.container(gap="xsmall"), st.container(gap="xsmall")
    is_one = losses is None or losses.models is None
    answer, models = (first, second) if is_one else (second, first)  # what all models show comes first
    with st.expander("How estimates are made", type="compact"):
        options = choices.draw(None if losses is None else losses.scale)
    rest = st.container()
    with models:
        if losses is not None and losses.models is not None:
            several_models.draw_table(losses.models, options)
    with answer:
        audit = bootstrap.checked(losses, audits.audited(losses, options))
    # Not st.stop() where there is none: Streamlit cleans up after whole runs only, and would keep an upload's bytes.
    if losses is None or audit is None:
        return
    with answer:
        _draw_answer(losses, audit)
    with rest:
        _draw_rest(losses, audit, options)


def _draw_answer(losses: LossSource, audit: EpsilonStarAudit) -> None:
    readout.answer(losses_words.bound_sentence(audit.bound), Bound.AUDIT)
    st.caption(losses_words.bound_details(audit.bound))
    for doubt in audit.doubts:
        st.warning(literal(doubt), icon=":material/warning:")
    estimates.draw(losses, audit)
    first, second = st.columns(2, gap="medium")
    with first:
        figures.draw_densities(audit)
    with second:
        figures.draw_errors(audit)


def _slices(losses: LossSource) -> ComparedParts | None:
    if losses.rows is None:
        return None
    rows = session_cache("audit.rows_of_slices", losses.key, 1, losses.rows)
    assert rows.slices is not None
    return of_column(rows, rows.slices, SLICES, losses.key)


def _draw_rest(losses: LossSource, audit: EpsilonStarAudit, options: choices.Options) -> None:
    if (slices := _slices(losses)) is not None:
        parts.draw(slices, options.level)
    told = "" if losses.membership is None else losses.membership.words
    for line in filter(None, (losses.name, losses.about, told, *audit.notes, *left_out(audit.dropped))):
        st.caption(literal(line))
    if warnings := losses_words.warnings(audit.estimated or audit.bounded):
        with st.container(border=True):
            st.markdown("**Before you use these numbers**\n" + "\n".join(f"- {line}" for line in warnings))
    part = st.segmented_control("More about this model", list(PARTS), key="audit.about", bind="query-params")
    if part in PARTS:
        with st.container(border=True), error_boundary(part):
            PARTS[part](losses, audit)
    readout.how_computed(words.formulas(options), losses_words.ASSUMPTIONS, Bound.AUDIT, audit.seconds)
    report.offer(losses, audit, slices)
