"""The corrections: a list to search, and the one chosen, drawn where it can be."""

from collections.abc import Sequence
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.about import misprint_figure
from pages.about.correction import Correction, CorrectionKind
from pages.about.corrections_data import BY_NUMBER, CORRECTIONS, PAPERS
from pages.about.misprints import DRAWN
from pages.ui.error_boundary import error_boundary
from pages.ui.number_box import whole_box
from pages.ui.segmented_control import segmented_control

_URL: Literal["query-params"] = "query-params"
KEYS = ("correction", "find", "paper", "kind", "with_figure", *misprint_figure.KEYS)
_ALL = "all"
_FIRST = 2  # misprinted, drawn, and short
_LIST_HEIGHT = 560
_COLORS: dict[CorrectionKind, Literal["orange", "red", "blue", "green", "violet"]] = {
    CorrectionKind.MISPRINT: "orange",
    CorrectionKind.WRONG: "red",
    CorrectionKind.UNSTATED: "blue",
    CorrectionKind.CHECKED: "green",
    CorrectionKind.NEW: "violet",
}
_HOW = (
    "Formulas here follow five papers, except where their print is wrong. Every place was checked against a second "
    "method: 50-digit arithmetic, simulation or a proof. The same list, with all numbers, is `docs/corrections.md`; "
    "formulas elsewhere cite it as *correction N*."
)


def draw() -> None:
    """Draw the correction in force, and beside it the list with its filters; on a phone below it."""
    left, right = st.columns([3, 2], gap="medium")
    with left:
        title = st.container()
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            number = _number()
            about = st.container()
        _one(BY_NUMBER[number], title, about)
    with right:
        _list(_filtered(), number)
        st.caption(_HOW)


def _filtered() -> list[Correction]:
    paper = segmented_control("Paper", [_ALL, *(paper.number for paper in PAPERS)], default=_ALL, key="paper")
    kind = segmented_control("What was found", [_ALL, *CorrectionKind], default=_ALL, key="kind")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        words = st.text_input("Search", key="find", bind=_URL, placeholder="Laplace, clipping …", max_chars=80)
        drawn = st.toggle("with a figure", key="with_figure", bind=_URL)
    return [
        one
        for one in CORRECTIONS
        if paper in (_ALL, one.paper)
        and kind in (_ALL, one.kind)
        and one.matches(words or "")
        and (not drawn or one.number in DRAWN)
    ]


def _choose(number: int) -> None:
    st.session_state["correction"] = float(number)


def _list(shown: Sequence[Correction], chosen: int) -> None:
    """One button an entry; the one in force is marked."""
    st.caption(f"{len(shown)} of {len(CORRECTIONS)}; :material/show_chart: is drawn")
    if not shown:
        st.info("Nothing matches. Take a filter away, or search for fewer words.")
        return
    with st.container(height=min(_LIST_HEIGHT, 30 + 52 * len(shown)), border=True, gap=None, key="corrections_list"):
        for one in shown:
            st.button(
                one.label,
                key=f"choose_{one.number}",
                type="secondary" if one.number == chosen else "tertiary",
                icon=":material/show_chart:" if one.number in DRAWN else ":material/notes:",
                wrap=False,  # a label of two lines would be centred; the entry itself has the whole title
                on_click=_choose,
                args=(one.number,),
            )


def _number() -> int:
    """The number in force: a box, so that its arrows go through all and the address holds it."""
    return whole_box("Correction", "correction", (1, len(CORRECTIONS)), _FIRST, width=130, label_visibility="collapsed")


def _one(correction: Correction, title: DeltaGenerator, about: DeltaGenerator) -> None:
    """The entry: what it changes, its picture, and then what is printed, what holds, and how that is known."""
    title.markdown(f"## {correction.number}. {correction.title[0].upper()}{correction.title[1:]}")
    about.markdown(
        f":{_COLORS[correction.kind]}-badge[{correction.kind.value}] :small[Paper {correction.paper}, "
        f"{correction.place}.] {correction.why}"
    )
    picture = st.container()
    with st.container(border=True):
        st.markdown(f"**{_printed(correction)}:** {correction.printed}")
        st.markdown(f"**What holds:** {correction.right}")
    st.markdown(f"**Evidence.** {correction.evidence}")
    below = st.container()
    if correction.number in DRAWN:
        with picture, error_boundary("comparison"), st.spinner("Computing both …", show_time=True):
            misprint_figure.draw(correction, DRAWN[correction.number], below)


def _printed(correction: Correction) -> str:
    if correction.kind in (CorrectionKind.MISPRINT, CorrectionKind.WRONG):
        return "As printed (wrong)"
    return "In the paper"
