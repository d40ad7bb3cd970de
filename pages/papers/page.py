"""Figures of the papers: all that the tool draws anew, each a link to the page that draws it."""

from contextlib import suppress

import streamlit as st

from numerics.deadline import DeadlineError
from pages.papers.figures import PAPERS, Paper, PaperFigure
from pages.ui import example_links

_TILE = 304  # pixels: one beside another on a phone, four on a laptop


def _draw_paper(paper: Paper) -> None:
    st.markdown(f"## {paper.number} · {paper.title}", help=paper.authors)
    with st.container(horizontal=True, gap="small"):
        for entry in paper.entries:
            _draw_tile(entry)
    if paper.absent:
        with st.expander(f"Not drawn anew: other figures of {paper.number}", type="compact"):
            st.markdown(paper.absent)


def _draw_tile(entry: PaperFigure) -> None:
    with st.container(border=True, width=_TILE, height="stretch", gap="xsmall"):
        address = example_links.named(entry.name, entry.query)
        st.page_link(entry.page.script, label=entry.label, query_params=address, width="stretch")
        with st.container(horizontal=True, gap="small"):
            with suppress(DeadlineError):  # said above the page
                st.markdown(entry.thumbnail().markdown, width=96)
            st.container().caption(entry.words)  # shrinks to stand beside the picture, as bare words do not


example_links.arrives()  # nobody is at an example here: the one that is chosen next arrives, be it the last one again
st.title("Figures of the papers")
st.markdown(
    "The tool rests on five papers, numbered 000 to 004. Here are their figures, computed anew: choose one, and its "
    "page opens with the settings of the paper, to be moved, measured and sent on."
)
for each in PAPERS:
    _draw_paper(each)
