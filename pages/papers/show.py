"""One question as a page: which printed figure, what moves it, the sentence that answers; or alone for a lecture."""

from functools import cache, partial
from typing import Any

import streamlit as st

from numerics.deadline import in_time
from pages.papers.corrections import ENTRIES
from pages.papers.papers import BY_KEY, QUESTIONS
from pages.papers.question import Drawing, Panel, Question, said
from pages.server.shared_cache import shared_cache
from pages.ui import address, chart, downloads, knob, share
from pages.ui.address import labelled
from pages.ui.catalog import ABOUT
from pages.ui.catalog import PAPERS as PAGE
from pages.ui.controls import segmented_control
from pages.ui.share import Shared
from pages.ui.skipped import error_boundary
from people_view import State
from plotting.motion import motions
from plotting.projector import projected

KEY, _LECTURE, _ANSWER = "papers.question", "papers.lecture", "papers-answer"
SHOWN = tuple((one, panel) for one in QUESTIONS for panel in one.panels)
"""All figures, in the order of a lecture."""
_HEIGHT = 368
# On a telephone the figures are chosen from one row that is pushed along, and buttons are their icons.
_NARROW = """<style>@media (max-width: 640px) {
.st-key-papers-heading { flex-wrap: nowrap !important; gap: 0 !important }
.st-key-papers-heading h1 { font-size: 1.25rem; line-height: 1.2 }
.st-key-papers-heading :is(button, a) p { position: absolute; clip-path: circle(0) }
.st-key-papers-figures [role=radiogroup] { flex-wrap: nowrap !important; overflow-x: auto; scrollbar-width: none }
.st-key-papers-figures [role=radiogroup] > * { flex: none } }</style>"""
# Nothing but the figure and its sentence, in letters for the last row; Streamlit's own parts are hidden.
_ALONE = """<style>[data-testid=stHeader] { display: none } .stMainBlockContainer { padding: 1rem 1.5rem 0 !important }
.st-key-share-place { display: none } .st-key-lecture .st-key-papers-heading { flex-wrap: nowrap }
.st-key-lecture :is(p, p *) { font-size: 22px !important } .st-key-lecture h1 { font-size: 30px }
.st-key-lecture :is(label p, button p, button p *, [data-testid=stSliderTickBar] *, [data-testid=stSliderThumbValue]) {
  font-size: 20px !important }
.st-key-lecture [data-testid=stSlider] label { margin-bottom: 12px }
.st-key-lecture :is([class*=st-key-papers-figure_], [class*=st-key-papers-figure_] [data-testid=stFullScreenFrame],
  [data-testid=stPlotlyChart], [data-testid=stPlotlyChart] > div) {
  height: max(260px, calc(100dvh - 380px)) !important; flex: none !important }</style>"""
# Keys of a lecture, and of a clicker, which sends the same, click the buttons that the page has for them.
_KEYS = """const BUTTONS = {
  PageDown: "next", ArrowRight: "next", PageUp: "previous", ArrowLeft: "previous", Escape: "leave",
};
const OWN = "input, textarea, [role=slider], [role=radio], [contenteditable=true]"; // arrow keys there mean something
export default function () {
  // The click that led here still counts as the visitor's wish; where it does not, F does.
  const fill = () => document.documentElement.requestFullscreen?.().catch(() => {});
  if (navigator.userActivation?.isActive && !document.fullscreenElement) fill();
  const press = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "f") return fill();
    if (event.key === "ArrowUp" || event.key === "ArrowDown") { // then the slider has the arrow keys
      return event.target.closest?.(OWN) ? undefined : document.querySelector("input[type=range]")?.focus();
    }
    const name = BUTTONS[event.key];
    if (!name || (event.key.startsWith("Arrow") && event.target.closest?.(OWN))) return;
    event.preventDefault();
    event.stopPropagation();
    if (name === "leave" && document.fullscreenElement) document.exitFullscreen();
    document.querySelector(`.st-key-papers-${name} button`)?.click();
  };
  document.addEventListener("keydown", press, true);
  return () => document.removeEventListener("keydown", press, true);
}"""


@cache
def _keys() -> Any:
    return st.components.v2.component("papers-lecture-keys", js=_KEYS)


def draw(one: Question) -> None:
    """Draw the page of a question: its answer, what moves it, and the figure; all else is below."""
    st.set_page_config(f"{one.title} - Privacy trade-offs")
    is_lecture = _LECTURE in st.query_params
    with st.container(key="lecture" if is_lecture else "papers-question", gap="xsmall"):
        st.html(f"{_NARROW}{_ALONE}" if is_lecture else _NARROW)
        heading = st.container(key="papers-heading", horizontal=True, vertical_alignment="center", gap="small")
        with st.container(key="papers-figures"):
            places = [panel.place for panel in one.panels]
            place = segmented_control(
                "Printed as", places, default=places[0], key=one.named, label_visibility="collapsed"
            )
            panel = one.panels[places.index(place)]
        _draw_heading(heading, one, panel, is_lecture)
        answer = st.container(key=_ANSWER)
        slider, key, drawing = panel.knob, one.knob_key(panel), None
        chosen = st.select_slider(
            slider.label, slider.values, slider.start, labelled, key=key, bind="query-params", width=420
        )
        value = next((value for value in slider.values if value == chosen), slider.start)
        with error_boundary("figure at this value"), st.spinner("Computing the figure …", show_time=True):
            drawing = panel.draw(value)
            sentence = said(panel.says, drawing)
            answer.markdown(plain(sentence))
            figure = projected(drawing.make(), _HEIGHT) if is_lecture else drawing.make()
            figure.update_layout(height=_HEIGHT)
            chart.draw(figure, f"{one.title} {panel.caption}. {sentence}".replace("**", ""), key=one.figure_key)
        settings = f"; {panel.settings}" if panel.settings else ""
        st.caption(plain(f"**{one.paper.short}**, {panel.caption}{settings}."))
        if is_lecture:
            _keys()(key="papers.keys")
        if drawing is not None:
            if not is_lecture:
                _draw_below(one, panel, drawing, value)
            states = knob.States if panel.is_slow else partial(_states, one.key, panel.place)
            knob.draw(key, labelled(value), states, moving=[_ANSWER, one.figure_key])


@shared_cache
def _states(key: str, place: str) -> knob.States:
    """What the page shows at every value of the panel's slider, which moves there under the finger."""
    one = BY_KEY[key]
    panel = next(each for each in one.panels if each.place == place)
    drawn = {labelled(value): panel.draw(value) for value in in_time(panel.knob.values)}
    moved = motions({value: drawing.make() for value, drawing in drawn.items()})
    return knob.States(
        (value, State({_ANSWER: [plain(said(panel.says, drawing))]}, {one.figure_key: moved[value]}))
        for value, drawing in drawn.items()
    )


def plain(text: str) -> str:
    """Text whose stars, as in ε*, are no marks; those of bold letters are."""
    return text.replace("**", "\0").replace("*", "\\*").replace("\0", "**")


def _draw_heading(place: Any, one: Question, panel: Panel, is_lecture: bool) -> None:
    """The question, and the ways on: to the figures before and after, and into a lecture or out of it."""
    here = SHOWN.index((one, panel))
    with place:
        st.title(plain(one.title), anchor=False, width="stretch")
        for words, step, icon in (("Previous", -1, "arrow_back"), ("Next", 1, "arrow_forward")):
            target = SHOWN[(here + step) % len(SHOWN)]
            _button(words, icon, partial(_go_to, *target))
        _button("Leave" if is_lecture else "Lecture", f"fullscreen{'_exit' if is_lecture else ''}", _turn_lecture)
        if not is_lecture:
            st.page_link(PAGE.script, label="All questions", icon=":material/gallery_thumbnail:", width="content")


def _button(words: str, icon: str, on_click: Any) -> None:
    st.button(words, icon=f":material/{icon}:", on_click=on_click, key=f"papers-{words.lower()}", type="tertiary")


def _go_to(one: Question, panel: Panel) -> None:
    st.session_state[one.named] = panel.place
    st.query_params[KEY] = one.key


def _turn_lecture() -> None:
    if _LECTURE in st.query_params:
        del st.query_params[_LECTURE]
    else:
        st.query_params[_LECTURE] = "1"


def _draw_below(one: Question, panel: Panel, drawing: Drawing, value: float) -> None:
    """Where to go on, what differs from the paper, and what can be taken along."""
    if isinstance(drawing.opens, str):
        st.caption("On no tool page", help=drawing.opens)
    else:
        page, query = drawing.opens
        named = address.of_example(f"{one.key} {panel.place} {labelled(value)}", query)
        st.page_link(page.script, label=f"Open in {page.title}", icon=page.icon, query_params=named)
    is_correction = panel.place.startswith("Correction")
    with st.expander("What differs from the paper", expanded=is_correction, icon=":material/edit_note:"):
        st.caption(plain(f"{one.paper.cited}: {one.paper.title}."))
        _draw_differences(panel, is_correction)
    notes = {"question": one.title, "figure": f"{one.paper.cited}, {panel.caption}", "paper": one.paper.title}
    notes |= {"at": panel.settings, panel.knob.words: repr(value), "ours": panel.ours}
    python = (
        "from pages.papers.papers import BY_KEY\n\n"
        f"for panel in BY_KEY[{one.key!r}].panels:\n    if panel.place == {panel.place!r}:\n"
        f"        for name, values in panel.draw({value!r}).columns.items():\n            print(name, list(values))\n"
    )
    table = partial(downloads.table, drawing.columns, notes)
    share.offer(Shared(one.key, python, table))


def _draw_differences(panel: Panel, is_correction: bool) -> None:
    """Corrections that touch the figure, what is ours in it, and numbers that the paper prints."""
    if not (panel.corrections or panel.ours or panel.printed):
        st.markdown("Nothing that we know of.")
    for number in panel.corrections:
        entry, query = ENTRIES[number], {"about.correction": str(number)}
        where = f"**Correction {number}** ({entry['kind']}), {entry['place']}: {entry['title']}"
        st.markdown(f"{where}. {entry['why']}")
        for quoted in entry["verbatim"] if is_correction else ():
            st.caption(f"In our machine-read copy of the paper, line {quoted['line']}, it reads")
            st.code(quoted["text"], language=None, wrap_lines=True)
        st.page_link(ABOUT.script, label=f"Correction {number}", icon=ABOUT.icon, query_params=query)
    if panel.ours:
        st.markdown(plain(f"**What is ours:** {panel.ours}"))
    for each in panel.printed:
        found, why = each.recomputed(), f" ({each.why})" if each.why else ""
        printed = (
            f"printed as **{each.value:g}**, recomputed **{found:.5g}**, difference {found - each.value:+.2g}{why}"
        )
        st.markdown(plain(f"- {each.words}, {each.place}: {printed}."))
