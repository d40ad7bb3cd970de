"""Epsilon* of a trained model: its losses on training data and on fresh data, against my limit."""

from collections.abc import Sequence

import streamlit as st

from numerics.trade_off import Bound
from pages.audit import parts
from pages.audit.epsilon_star import audits, estimates, figures, report, several_models, words
from pages.audit.epsilon_star import options as choices
from pages.audit.evidence import LossSource
from pages.server.shared_cache import session_cache
from pages.ui import result_header
from pages.ui.controls import number_box
from pages.ui.plain_text import literal
from reports import losses_audit
from reports.audit_report import skipped
from reports.parts import SLICES, ComparedParts, of_column

KEYS = (*choices.KEYS, "audit.limit", "audit.axes", "audit.worth", "audit.every_threshold")


def draw(losses: LossSource) -> None:
    """Draw what the losses show against the limit; of several models, what all of them show comes first."""
    models, sentence = st.container(), st.container()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        verdict = st.container(width="content")
        limit = number_box("My limit: ε* at most", "audit.limit", (0.0, 100.0), 1.0, _LIMIT, step=0.5, width=170)
        with st.popover("Settings", icon=":material/tune:"):
            options = choices.draw(losses.scale)
    if losses.models is not None:
        with models:
            several_models.draw(losses.models, options)
    with sentence:
        audit = audits.audited(losses, options)
    # Not st.stop() where there is none: Streamlit cleans up after whole runs only, and would keep an upload's bytes.
    if audit is None:
        return
    with sentence:
        result_header.answer(losses_audit.bound_sentence(audit.bound), Bound.AUDIT)
    verdict.markdown(f"**{words.against(audit.bound, limit)}**")
    for doubt in audit.doubts:
        st.warning(literal(doubt), icon=":material/warning:")
    first, second = st.columns(2, gap="medium")
    with first:  # on a phone the axes come before the people
        figures.draw_densities(audit)
    with second:
        figures.draw_judged(audit)
    st.caption(f"{losses_audit.bound_details(audit.bound)} {estimates.line(audit)}")
    _draw_lines([*audit.notes, *skipped(audit.dropped)])
    if (slices := _slices(losses)) is not None:
        parts.draw(slices, options.level)
    estimates.draw(losses, audit)
    figures.draw_errors(audit)
    result_header.how_computed(words.formulas(options), losses_audit.ASSUMPTIONS, Bound.AUDIT, audit.seconds)
    _draw_lines([losses.about, "" if losses.membership is None else losses.membership.words])
    report.offer(losses, audit, slices, words.on_sheet(audit.bound, limit))


def _draw_lines(lines: Sequence[str]) -> None:
    """Draw those that say something, in a row."""
    if said := [literal(line) for line in lines if line]:
        st.caption(" · ".join(said))


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
