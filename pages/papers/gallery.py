"""All figures of the papers: to search, and to jump to a paper."""

import streamlit as st

from pages.papers.figure import PaperFigure
from pages.papers.lecture import KEY
from pages.papers.papers import PAPERS, Paper
from pages.ui.catalog import PAPERS as PAGE
from pages.ui.segmented_control import segmented_control

_TILE = 304  # pixels: one beside another on a phone, four on a laptop
_ALL = "all"


def draw(unknown: str | None = None) -> None:
    """Draw the figures that match what is searched; ``unknown`` is an address that leads to none."""
    st.title("Figures of the papers")
    if unknown is not None:
        st.warning("There is no figure at this address; here are all of them.", icon=":material/search_off:")
    st.markdown(
        "The tool rests on five papers, numbered 000 to 004. Here are their figures, computed anew: each has a page "
        "of its own, with the quantity that teaches most on a slider."
    )
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        number = segmented_control(
            "Paper", [_ALL, *(paper.number for paper in PAPERS)], default=_ALL, key="papers.figures_of"
        )
        words = st.text_input(
            "Search",
            key="papers.find_figure",
            bind="query-params",
            placeholder="Laplace, ImageNet …",
            max_chars=80,
            width=280,
        )
    found = {
        paper: [entry for entry in paper.entries if entry.matches(words or "")]
        for paper in PAPERS
        if number in (_ALL, paper.number)
    }
    if not any(found.values()):
        st.info("No figure has all of these words.")
    for paper, entries in found.items():
        if entries:
            _draw_paper(paper, entries)


def _draw_paper(paper: Paper, entries: list[PaperFigure]) -> None:
    st.markdown(f"## {paper.number} · {paper.title}", help=paper.authors)
    with st.container(horizontal=True, gap="small"):
        for entry in entries:
            _draw_tile(entry)
    with st.expander(f"Everything else in {paper.number}, and where it is", type="compact"):
        st.markdown(paper.elsewhere)


def _draw_tile(entry: PaperFigure) -> None:
    with st.container(border=True, width=_TILE, height="stretch", gap="xsmall"):
        st.page_link(PAGE.script, label=entry.label, query_params={KEY: entry.slug}, width="stretch")
        with st.container(horizontal=True, gap="small"):
            st.markdown(entry.picture.markdown, width=96)
            st.container().caption(entry.pictured)  # shrinks to stand beside the picture, as bare words do not
