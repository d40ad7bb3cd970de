"""Home: what the tool answers, the answer for the release in force as a picture that moves, and doors to the pages."""

import streamlit as st

import people_view
from pages.home import doors
from pages.ui import people_scene, release_in_force, tour
from pages.ui.catalog import ABOUT, AUDIT, MECHANISM, PAPERS
from pages.ui.release_in_force import ReleaseChoice
from pages.ui.skipped import error_boundary

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
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(f"{choice.words}.", width="content")
        st.page_link(MECHANISM.script, label="Set yours", icon=MECHANISM.icon)
    return scene


def _draw_ways_in() -> None:
    """The tour, the gallery, models to try the last door with, and what happens to data."""
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        tour.draw_start()
        st.page_link(PAPERS.script, label="What the papers ask", icon=PAPERS.icon)
        st.page_link(AUDIT.script, label="Sample models", icon=":material/science:")
        privacy = {"about.section": "Your data"}
        st.page_link(ABOUT.script, label="Your data stays here", icon=":material/lock:", query_params=privacy)


st.title("How much does a release give away about one person?", anchor=False)
choice = release_in_force.current()
scene = _draw_answer(choice)
doors.draw()
_draw_ways_in()
if scene:
    people_view.draw_levels(people_scene.rest(choice, scene))
