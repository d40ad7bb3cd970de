"""Home: what the tool answers, the answer for the release in force as a picture that moves, and doors to the pages."""

import streamlit as st

import people_view
from losses import SAMPLES
from pages.home import doors
from pages.ui import people_scene, release_controls, tour
from pages.ui.catalog import AUDIT, PAPERS
from pages.ui.error_boundary import error_boundary
from pages.ui.release_controls import ReleaseChoice

_EVERY = 2  # of the slider's noise levels: half of them take half of the first page's time


def _draw_answer(choice: ReleaseChoice) -> people_view.Scene | None:
    scene: people_view.Scene | None = None
    # In a container, with which the answer stays in view on a phone and leaves it: the doors need the screen.
    with st.container(), error_boundary("answer for this release"):
        scene = people_scene.scene(choice, "home", _EVERY)
        people_view.draw_answer(scene, people_scene.take_noise)
        people, hills = st.columns([3, 2], gap="medium")
        with people:
            people_view.draw_people(scene.name)
        with hills:
            people_view.draw_hills(scene.name, beside_people=True)
    st.caption(f"For this release: {choice.words}. » at the top left sets yours.")
    return scene


def _draw_ways_in() -> None:
    """The tour, the gallery, and models to try the last door with."""
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        tour.draw_start()
        st.page_link(PAPERS.script, label="Figures of the papers", icon=PAPERS.icon)
        for sample in SAMPLES:
            query = {"source": "a sample", "sample": sample.name}
            label = f"Sample model: {sample.name}"
            st.page_link(AUDIT.script, label=label, icon=":material/science:", query_params=query)


st.title("How much does a release give away about one person?", anchor=False)
st.markdown(
    "What the best possible attacker finds in data released with differential privacy, and the noise that stops it."
)
choice = release_controls.current()
scene = _draw_answer(choice)
doors.draw()
_draw_ways_in()
st.caption(
    "**Your data stays here.** Everything runs on the computer that serves this page: no account, no telemetry, no "
    "request to any other host. Uploaded losses are kept in the memory of your session only, never on disk or in a "
    "cache, and go when the session goes."
)
if scene:
    people_view.draw_levels(people_scene.rest(choice, scene))
