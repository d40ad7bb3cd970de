"""One figure as a page: large, with its one slider, what to notice, print beside recomputation, next and previous."""

from functools import partial
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.about.corrections_data import BY_NUMBER
from pages.papers.figure import Drawing, PaperFigure, Printed
from pages.papers.papers import FIGURES, cited, paper_of
from pages.ui import chart, csv_tables, example_links, share
from pages.ui.address import labelled
from pages.ui.catalog import ABOUT
from pages.ui.catalog import PAPERS as PAGE
from pages.ui.error_boundary import error_boundary
from pages.ui.share import Shared
from plotting.projector import projected

KEY = "papers.figure"
_WHOLE = "papers.whole"
_HEIGHT, _TALL = 424, 528  # pixels: with the heading and the slider on a laptop's screen; alone on it
_URL: Literal["query-params"] = "query-params"


def draw(entry: PaperFigure) -> None:
    """Draw the page of one figure."""
    st.set_page_config(f"{cited(entry)} - Privacy trade-offs")
    is_whole = _WHOLE in st.query_params
    with st.container(gap="xsmall"):
        _draw_heading(entry, is_whole)
        place = st.container(gap="xsmall")
        value = _parameter(entry)
    drawn: list[Drawing] = []
    with place, error_boundary("figure at this value"), st.spinner("Computing the figure …", show_time=True):
        drawn.append(entry.draw(value))
    for drawing in drawn:
        _draw_figure(entry, drawing, value, place, is_whole)


def _draw_figure(entry: PaperFigure, drawing: Drawing, value: float, place: DeltaGenerator, is_whole: bool) -> None:
    """Draw the figure in its place, and what is said of it below."""
    figure = projected(drawing.figure, _TALL if is_whole else _HEIGHT)
    with place:
        chart.draw(figure, drawing.alt, key=f"papers.figure_{entry.slug}")
    if not is_whole:
        _draw_words(entry, entry.said(drawing))
        share.offer(_taken(entry, drawing, value))


def _draw_heading(entry: PaperFigure, is_whole: bool) -> None:
    """What it is, and the ways on: they keep the view."""
    keep = {_WHOLE: "1"} if is_whole else {}
    here = FIGURES.index(entry)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.title(cited(entry), anchor=False, width="stretch")
        _link("Previous", ":material/arrow_back:", {KEY: FIGURES[here - 1].slug, **keep})
        _link("Next", ":material/arrow_forward:", {KEY: FIGURES[(here + 1) % len(FIGURES)].slug, **keep})
        if is_whole:
            _link("Leave", ":material/fullscreen_exit:", {KEY: entry.slug})
        else:
            _link("Large", ":material/fullscreen:", {KEY: entry.slug, _WHOLE: "1"})
            _link("All figures", ":material/gallery_thumbnail:", {})
    settings = f" Fixed here: {entry.settings}." if entry.settings else ""
    st.caption(_plain(f"{paper_of(entry).title}. {entry.words}{settings}"))


def _link(label: str, icon: str, query: dict[str, str]) -> None:
    st.page_link(PAGE.script, label=label, icon=icon, query_params=query, width="content")


def _parameter(entry: PaperFigure) -> float:
    """The slider; what the paper prints is where it starts."""
    if entry.parameter is None:
        return entry.start
    words, values, printed = entry.parameter.words, entry.parameter.values, entry.parameter.printed
    chosen = st.select_slider(
        f"{words} (paper: {labelled(printed)})" if entry.parameter.is_printed else words,
        values,
        printed,
        labelled,
        key=f"papers.{entry.slug.replace('-', '_')}",
        bind=_URL,
    )
    return next((value for value in values if value == chosen), printed)


def _draw_words(entry: PaperFigure, said: str) -> None:
    """What is ``said`` of the drawing, what differs from the paper's text, what is printed, and where to go on."""
    st.markdown(f"## {_plain(said)}")
    for number in entry.corrections:
        one = BY_NUMBER[number]
        st.markdown(f":material/edit_note: **Correction {number}** ({one.kind}), {one.place}: {one.title}. {one.why}")
    if entry.printed:
        _draw_printed(entry)
    if entry.source:
        st.caption(_plain(entry.source))
    with st.container(horizontal=True, gap="medium"):
        address = example_links.named(entry.name, entry.query)
        st.page_link(
            entry.page.script, label=f"On the page {entry.page.title}", icon=entry.page.icon, query_params=address
        )
        for number in entry.corrections:
            label = f"Correction {number}"
            st.page_link(ABOUT.script, label=label, icon=ABOUT.icon, query_params={"about.correction": str(number)})


def _plain(text: str) -> str:
    """Text whose stars, as in ε*, are no marks."""
    return text.replace("*", "\\*")


def _draw_printed(entry: PaperFigure) -> None:
    rows = [(one, one.recomputed()) for one in entry.printed]
    st.table(
        {
            "printed in the paper": [f"{one.words} ({one.place})" for one, _ in rows],
            "print": [f"{one.value:g}" for one, _ in rows],
            "recomputed": [f"{found:.5g}{' (our data)' if one.other else ''}" for one, found in rows],
            "difference": [_difference(one, found) for one, found in rows],
        },
        hide_index=True,
    )


def _difference(one: Printed, found: float) -> str:
    """Between print and recomputation, where there is one."""
    if one.other:
        return f"not recomputed: {one.other}"
    return f"{found - one.value:+.2g}{f'; {one.why}' if one.why else ''}"


def _taken(entry: PaperFigure, drawing: Drawing, value: float) -> Shared:
    paper = paper_of(entry)
    notes = {"figure": f"{entry.name} {entry.case}".strip(), "paper": f"{paper.title}, {paper.authors}"}
    notes |= {"shows": entry.words, "at": entry.settings, "note": entry.source}
    if entry.parameter:
        notes[entry.parameter.words] = repr(value)
    python = (
        "from pages.papers.papers import BY_ADDRESS\n\n"
        f"for name, values in BY_ADDRESS[{entry.slug!r}].draw({value!r}).columns.items():\n"
        "    print(name, list(values))\n"
    )
    return Shared(entry.slug, python, notes, table=partial(csv_tables.table, drawing.columns, notes))
