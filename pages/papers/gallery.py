"""All questions with a small picture each, to search."""

from base64 import b64encode
from contextlib import suppress
from itertools import groupby
from time import monotonic

import streamlit as st

from numerics.deadline import DeadlineError
from pages.papers.papers import QUESTIONS
from pages.papers.question import Question
from pages.papers.show import KEY, plain
from pages.ui.catalog import PAPERS as PAGE
from plotting.small_picture import small_picture

_TILE, _PATIENCE = 304, 0.8  # pixels: one beside another on a phone, four on a laptop; seconds
_PICTURES: dict[str, str] = {}


def draw(unknown: str | None = None) -> None:
    """Draw the questions that match what is searched; ``unknown`` is an address that leads to none."""
    st.title("What the papers ask")
    if unknown is not None:
        st.warning("There is no question at this address; here are all of them.", icon=":material/search_off:")
    words = st.text_input(
        "Search",
        key="papers.find",
        bind="query-params",
        placeholder="Laplace, Fig. 3 …",
        max_chars=80,
        width=320,
    )
    found = [one for one in QUESTIONS if one.matches(words or "")]
    if not found:
        st.info("No question has all of these words.")
    until = monotonic() + _PATIENCE
    for group, grouped in groupby(found, key=lambda one: one.group):
        questions = list(grouped)
        papers = list({one.paper.short for one in questions})
        shared = papers[0] if len(papers) == 1 else ""  # once, where all tiles would have it
        st.markdown(f"## {group}" + f" :gray[:small[{shared}]]" * bool(shared))
        with st.container(horizontal=True, gap="medium"):
            for one in questions:
                _draw_tile(one, [] if shared else [one.paper.short], until)


def _draw_tile(one: Question, beneath: list[str], until: float) -> None:
    with st.container(border=True, width=_TILE, height="stretch", gap="xsmall"):
        st.page_link(PAGE.script, label=f"**{plain(one.title)}**", query_params={KEY: one.key}, width="stretch")
        with st.container(horizontal=True, gap="small"):
            if one.key in _PICTURES or monotonic() < until:  # what is still missing the next visit of the gallery has
                with suppress(DeadlineError):
                    st.markdown(picture(one), width=120)
            lines = [*beneath, one.printed_in, *([f"*{one.ours}*"] if one.ours else [])]
            st.container().caption("  \n".join(lines))


def picture(one: Question) -> str:
    """The first figure of a question where its knob starts, small, as Markdown; drawn once a server."""
    if one.key not in _PICTURES:
        panel = one.panels[0]
        svg = small_picture(panel.draw(panel.knob.start).make())
        _PICTURES[one.key] = f"![](data:image/svg+xml;base64,{b64encode(svg.encode()).decode()})"
    return _PICTURES[one.key]


def draw_pictures() -> None:
    """Draw the small pictures of all questions, which takes some seconds."""
    for one in QUESTIONS:
        picture(one)
