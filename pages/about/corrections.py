"""The corrections: a list to search, and the one chosen with its quotations and its evidence."""

from typing import Literal

import streamlit as st

from pages.about.corrections_data import BY_NUMBER, CORRECTIONS, PAPERS, WITHDRAWN, Correction, CorrectionKind
from pages.ui.controls import segmented_control, whole_box

KEYS = ("about.correction", "about.find", "about.paper", "about.kind")
_ALL = "all"
_FIRST = 2  # short, and right elsewhere in the paper
_COLORS: dict[CorrectionKind, Literal["orange", "red", "blue", "gray", "green", "violet"]] = {
    CorrectionKind.WRONG: "red",
    CorrectionKind.UNSTATED: "blue",
    CorrectionKind.COPY: "orange",
    CorrectionKind.READING: "gray",
    CorrectionKind.CHECKED: "green",
    CorrectionKind.NEW: "violet",
}
_SAYS = {
    CorrectionKind.WRONG: "In the paper (wrong)",
    CorrectionKind.UNSTATED: "In the paper",
    CorrectionKind.COPY: "In our copy",
    CorrectionKind.READING: "In the paper",
    CorrectionKind.CHECKED: "In the paper (right)",
    CorrectionKind.NEW: "Beside it, in the paper",
}
_HOW = (
    "We read the five papers in machine-read copies, in which minus signs, roots, bars and exponents can be lost; "
    "nobody here has seen the print. So each entry but a new result quotes our copy, and the place where the paper "
    "itself has it right, if it has. Every place was checked against a second method: 50-digit arithmetic, simulation "
    "or a proof. Called wrong is only what stays wrong under every reading. The same list, with all numbers, is "
    "`docs/corrections.md`; formulas elsewhere cite it as *correction N*."
)


def draw() -> None:
    """Draw the correction in force, and above it the list of all, to search; who came for one sees its evidence."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        # A box, so that its arrows go through all and the address holds it.
        number = whole_box(
            "Correction", "about.correction", (1, max(BY_NUMBER)), _FIRST, width=130, label_visibility="collapsed"
        )
        with st.popover(f"All {len(CORRECTIONS)} corrections", icon=":material/search:"):
            _draw_list(number)
    if number in WITHDRAWN:
        st.markdown(f"## {number}. Withdrawn\n\nWithdrawn, because {WITHDRAWN[number].because}")
    else:
        one = BY_NUMBER[number]
        st.markdown(f"## {number}. {one.title[0].upper()}{one.title[1:]}")
        _draw_entry(one, in_full=number != _FIRST or "about.correction" in st.query_params)
    with st.expander("How the papers were read", icon=":material/menu_book:"):
        st.markdown(_HOW)


def _draw_entry(one: Correction, in_full: bool) -> None:
    """What it changes, what is printed, what holds, and, one step away if not ``in_full``, how that is known."""
    st.markdown(f":{_COLORS[one.kind]}-badge[{one.kind.value}] :small[Paper {one.paper}, {one.place}.] {one.why}")
    with st.container(border=True):
        st.markdown(f"**{_SAYS[one.kind]}:** {one.says}")
        st.markdown(f"**What holds:** {one.holds}")
    with st.expander("Evidence and quotations", expanded=in_full, icon=":material/fact_check:"):
        st.markdown(one.evidence)
        for whose, quotations in (("Our copy", one.verbatim), ("Elsewhere in the paper", one.elsewhere)):
            for each in quotations:
                place = f", {each.place}" if each.place else ""
                st.caption(f"{whose}{place}, line {each.line}, character by character")
                st.code(each.text, language=None, wrap_lines=True)


def _draw_list(chosen: int) -> None:
    """The filters, and one button an entry; the one in force is marked."""
    paper = segmented_control("Paper", [_ALL, *(paper.number for paper in PAPERS)], default=_ALL, key="about.paper")
    kind = segmented_control("What was found", [_ALL, *CorrectionKind], default=_ALL, key="about.kind")
    words = st.text_input("Search", key="about.find", bind="query-params", placeholder="Laplace …", max_chars=80)
    shown = [
        one
        for one in CORRECTIONS
        if paper in (_ALL, one.paper) and kind in (_ALL, one.kind) and one.matches(words or "")
    ]
    st.caption(f"{len(shown)} of {len(CORRECTIONS)}")
    if not shown:
        st.info("Nothing matches. Take a filter away, or search for fewer words.")
        return
    with st.container(gap=None, key="about.corrections_list"):
        for one in shown:
            st.button(
                one.label,
                key=f"about.choose_{one.number}",
                type="secondary" if one.number == chosen else "tertiary",
                wrap=False,  # a label of two lines would be centred; the entry itself has the whole title
                on_click=st.session_state.__setitem__,
                args=("about.correction", float(one.number)),
            )
