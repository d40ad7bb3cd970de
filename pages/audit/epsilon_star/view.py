"""Epsilon* of a trained model: its losses on training data and on fresh data."""

import streamlit as st

from numerics.trade_off import Bound
from pages.audit import parts
from pages.audit.epsilon_star import (
    audits,
    estimates,
    figures,
    report,
    several_models,
    source_controls,
    words,
)
from pages.audit.epsilon_star import options as choices
from pages.audit.epsilon_star.audits import EpsilonStarAudit
from pages.audit.epsilon_star.source import LossSource
from pages.server.shared_cache import session_cache
from pages.ui import result_header
from pages.ui.controls import number_box
from pages.ui.plain_text import literal
from reports import losses_audit
from reports.audit_report import skipped
from reports.parts import SLICES, ComparedParts, of_column

KEYS = (
    *source_controls.KEYS,
    *choices.KEYS,
    "audit.limit",
    "audit.axes",
    "audit.worth",
    "audit.every_threshold",
)


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
        audit = audits.audited(losses, options)
    # Not st.stop() where there is none: Streamlit cleans up after whole runs only, and would keep an upload's bytes.
    if losses is None or audit is None:
        return
    with answer:
        limit = _draw_answer(losses, audit)
    with rest:
        _draw_rest(losses, audit, options, limit)


def _draw_answer(losses: LossSource, audit: EpsilonStarAudit) -> float:
    result_header.answer(losses_audit.bound_sentence(audit.bound), Bound.AUDIT)
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        verdict = st.container(width="content")
        limit = number_box("My limit: ε* at most", "audit.limit", (0.0, 100.0), 1.0, _LIMIT, step=0.5, width=170)
    verdict.markdown(f"**{words.against(audit.bound, limit)}**")
    for doubt in audit.doubts:
        st.warning(literal(doubt), icon=":material/warning:")
    first, second = st.columns(2, gap="medium")
    with first:
        figures.draw_judged(audit)
    with second:
        figures.draw_densities(audit)
    st.caption(f"{losses_audit.bound_details(audit.bound)} {estimates.line(audit)}")
    estimates.draw(losses, audit)
    figures.draw_errors(audit)
    return limit


_LIMIT = (
    "The largest ε* you accept: no threshold may move the odds that somebody was a member by more than a factor of e "
    "to the power of it. Choose it before you look at the result."
)


def _slices(losses: LossSource) -> ComparedParts | None:
    if losses.rows is None:
        return None
    rows = session_cache("audit.rows_of_slices", losses.key, 1, losses.rows)
    assert rows.slices is not None
    return of_column(rows, rows.slices, SLICES, losses.key)


def _draw_rest(losses: LossSource, audit: EpsilonStarAudit, options: choices.Options, limit: float) -> None:
    if (slices := _slices(losses)) is not None:
        parts.draw(slices, options.level)
    told = "" if losses.membership is None else losses.membership.words
    lines = filter(None, (losses.name, losses.about, told, *audit.notes, *skipped(audit.dropped)))
    st.caption(" · ".join(map(literal, lines)))
    result_header.how_computed(words.formulas(options), losses_audit.ASSUMPTIONS, Bound.AUDIT, audit.seconds)
    report.offer(losses, audit, slices, words.on_sheet(audit.bound, limit))
