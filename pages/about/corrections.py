"""The corrections: a list to search, and the one chosen, drawn where it can be."""

from collections.abc import Sequence
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.about import comparison_figure
from pages.about.comparisons import DRAWN
from pages.about.correction import Correction, CorrectionKind, Quotation
from pages.about.corrections_data import BY_NUMBER, CORRECTIONS, PAPERS, WITHDRAWN
from pages.ui.error_boundary import error_boundary
from pages.ui.number_box import whole_box
from pages.ui.segmented_control import segmented_control

_URL: Literal["query-params"] = "query-params"
KEYS = ("about.correction", "about.find", "about.paper", "about.kind", "about.with_figure", *comparison_figure.KEYS)
_ALL = "all"
_FIRST = 2  # drawn, short, and right elsewhere in the paper
_LIST_HEIGHT = 560
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
COPIES = (
    "We read the five papers in machine-read copies, in which minus signs, roots, bars and exponents can be lost; "
    "nobody here has seen the print. So each entry but a new result quotes our copy, and the place where the paper "
    "itself has it right, if it has."
)
_HOW = (
    "Every place was checked against a second method: 50-digit arithmetic, simulation or a proof. Called wrong is only "
    "what stays wrong under every reading. The same list, with all numbers, is `docs/corrections.md`; formulas "
    "elsewhere cite it as *correction N*."
)


def draw() -> None:
    """Draw what was read, the correction in force, and beside it the list with its filters; on a phone below it."""
    st.markdown(COPIES)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        title = st.container()
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            number = _number()
            about = st.container()
        if number in WITHDRAWN:
            title.markdown(f"## {number}. Withdrawn")
            about.markdown(f"Withdrawn, because {WITHDRAWN[number].because}")
        else:
            _one(BY_NUMBER[number], title, about)
    with right:
        _list(_filtered(), number)
        st.caption(_HOW)


def _filtered() -> list[Correction]:
    paper = segmented_control("Paper", [_ALL, *(paper.number for paper in PAPERS)], default=_ALL, key="about.paper")
    kind = segmented_control("What was found", [_ALL, *CorrectionKind], default=_ALL, key="about.kind")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        words = st.text_input("Search", key="about.find", bind=_URL, placeholder="Laplace, clipping …", max_chars=80)
        drawn = st.toggle("with a figure", key="about.with_figure", bind=_URL)
    return [
        one
        for one in CORRECTIONS
        if paper in (_ALL, one.paper)
        and kind in (_ALL, one.kind)
        and one.matches(words or "")
        and (not drawn or one.number in DRAWN)
    ]


def _choose(number: int) -> None:
    st.session_state["about.correction"] = float(number)


def _list(shown: Sequence[Correction], chosen: int) -> None:
    """One button an entry; the one in force is marked."""
    st.caption(f"{len(shown)} of {len(CORRECTIONS)}; :material/show_chart: is drawn")
    if not shown:
        st.info("Nothing matches. Take a filter away, or search for fewer words.")
        return
    with st.container(
        height=min(_LIST_HEIGHT, 30 + 52 * len(shown)), border=True, gap=None, key="about.corrections_list"
    ):
        for one in shown:
            st.button(
                one.label,
                key=f"about.choose_{one.number}",
                type="secondary" if one.number == chosen else "tertiary",
                icon=":material/show_chart:" if one.number in DRAWN else ":material/notes:",
                wrap=False,  # a label of two lines would be centred; the entry itself has the whole title
                on_click=_choose,
                args=(one.number,),
            )


def _number() -> int:
    """The number in force: a box, so that its arrows go through all and the address holds it."""
    return whole_box(
        "Correction", "about.correction", (1, max(BY_NUMBER)), _FIRST, width=130, label_visibility="collapsed"
    )


def _one(correction: Correction, title: DeltaGenerator, about: DeltaGenerator) -> None:
    """The entry: what it changes, its picture, and then what is printed, what holds, and how that is known."""
    title.markdown(f"## {correction.number}. {correction.title[0].upper()}{correction.title[1:]}")
    about.markdown(
        f":{_COLORS[correction.kind]}-badge[{correction.kind.value}] :small[Paper {correction.paper}, "
        f"{correction.place}.] {correction.why}"
    )
    picture = st.container()
    with st.container(border=True):
        st.markdown(f"**{_SAYS[correction.kind]}:** {correction.says}")
        st.markdown(f"**What holds:** {correction.holds}")
    for whose, quotations in (("Our copy", correction.verbatim), ("Elsewhere in the paper", correction.elsewhere)):
        for one in quotations:
            _quote(whose, one)
    st.markdown(f"**Evidence.** {correction.evidence}")
    below = st.container()
    if correction.number in DRAWN:
        with picture, error_boundary("comparison"), st.spinner("Computing both …", show_time=True):
            comparison_figure.draw(correction, DRAWN[correction.number], below)


def _quote(whose: str, quotation: Quotation) -> None:
    """A quotation with its place, as the characters of our copy and not as a formula."""
    place = f", {quotation.place}" if quotation.place else ""
    st.caption(f"{whose}{place}, line {quotation.line}, character by character")
    st.code(quotation.text, language=None, wrap_lines=True)
