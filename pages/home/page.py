"""Home: what the tool answers, the answer for the release in force, and the doors to the pages."""

import streamlit as st

from losses import SAMPLES
from pages.home import doors
from pages.ui import cached, readout, release_controls, release_presets, tour
from pages.ui.catalog import EPSILON_STAR, PAPERS
from pages.ui.error_boundary import error_boundary


def _draw_answer() -> None:
    choice = release_controls.current()
    with st.container(border=True), error_boundary("answer for this release"):
        power = cached.power(choice.mechanism, choice.alpha, choice.order)
        readout.answer(readout.membership_sentence(power, choice.alpha, choice.order), choice.mechanism.bound)
        st.caption(f"For this release: {choice.mechanism.label}. Try another:")
        with st.container(horizontal=True, gap="small"):
            for preset in release_presets.PRESETS:
                st.button(preset.name, help=preset.words, on_click=release_controls.use, args=(preset,))


def _draw_ways_in() -> None:
    """The tour, the gallery, and models to try the last door with."""
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        tour.draw_start()
        st.page_link(PAPERS.script, label="Figures of the papers", icon=PAPERS.icon)
        for sample in SAMPLES:
            query = {"source": "a sample", "sample": sample.name}
            label = f"Sample model: {sample.name}"
            st.page_link(EPSILON_STAR.script, label=label, icon=":material/science:", query_params=query)


st.title("How much does a release give away about one person?")
st.markdown(
    "Training a model or publishing a statistic with differential privacy adds noise, so that nobody can tell for sure "
    "whether *you* were in the data. How sure could somebody get? For any such release this tool says what the best "
    "possible attacker can do, under which assumptions, and how much noise it takes to stop that."
)
_draw_answer()
_draw_ways_in()
doors.draw()
st.caption(
    "**Your data stays here.** Everything runs on the computer that serves this page: no account, no telemetry, no "
    "request to any other host. Uploaded losses are kept in the memory of your session only, never on disk or in a "
    "cache, and go when the session goes."
)
