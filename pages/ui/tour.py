"""A tour of five steps for a first visit: a banner above the page that says what to look at, and leads on.

The step is in the address (``tour=2``) and nowhere else: links lead from step to step, so the browser's own buttons
work, and whatever else the address and the session hold stays as it is.
"""

from dataclasses import dataclass
from typing import Literal

import streamlit as st

from pages.ui.catalog import ATTACKERS, AUDIT, FRONTIER, MECHANISM, RECONSTRUCT, Page

_KEY = "tour"


@dataclass(frozen=True)
class TourStep:
    """A page, what it is called here, and what to do there."""

    page: Page
    title: str
    words: str


STEPS = (
    TourStep(
        MECHANISM,
        "One sentence, one slider",
        "The sentence says how many people the best possible attacker finds. Drag the **noise** to the right: fewer "
        "are found, and the hills of the evidence become one.",
    ),
    TourStep(
        ATTACKERS,
        "Who is the attacker?",
        "The same release, and behind each door an attacker who knows less. Guess, then see. Nobody who knows less "
        "finds more than the first; a smaller number needs a proof of its own. One stands apart, and the page says "
        "why.",
    ),
    TourStep(
        RECONSTRUCT,
        "From finding a person to rebuilding a record",
        "An attacker has a guess about somebody's record. Move **prior guess**: the sentence says how much surer the "
        "release can make it.",
    ),
    TourStep(
        FRONTIER,
        "What does protection cost?",
        "Models of real data, trained with the noise that each attacker takes to keep at bay. Move the slider to the "
        "left: stricter protection, worse models. An attacker who does not know the record takes no more noise.",
    ),
    TourStep(
        AUDIT,
        "And a model that is trained already?",
        "Its losses on training data and on fresh data tell. Here a sample's; upload your own, and they stay in the "
        "memory of your session.",
    ),
)


def step() -> int | None:
    """The step that the address names, from 1; None without one, and for nonsense."""
    named = st.query_params.get(_KEY, "")
    return int(named) if named in map(str, range(1, len(STEPS) + 1)) else None


def draw() -> None:
    """Draw the banner if there is a tour. In every run, above everything: what lies below must not move."""
    with st.container():
        if (number := step()) is None:
            return
        shown = STEPS[number - 1]
        with st.container(border=True):
            words, links = st.columns([3.4, 1], vertical_alignment="center")
        end = "" if shown.title.endswith("?") else "."
        words.markdown(f"**{number} of {len(STEPS)} · {shown.title}{end}** {shown.words}")
        with links.container(horizontal=True, horizontal_alignment="right", vertical_alignment="center", gap="small"):
            if number > 1:
                _draw_link(number - 1, "Back", ":material/arrow_back:")
            if number < len(STEPS):
                _draw_link(number + 1, "**Next**", ":material/arrow_forward:", "right")
            st.button("Leave" if number < len(STEPS) else "Done", type="tertiary", on_click=leave, key="tour.leave")


def draw_start() -> None:
    """Draw the way in."""
    _draw_link(1, "Take the tour", ":material/tour:")


def leave() -> None:
    """End the tour where it is."""
    st.query_params.pop(_KEY, None)


def _draw_link(number: int, label: str, icon: str, side: Literal["left", "right"] = "left") -> None:
    script, query = STEPS[number - 1].page.script, {_KEY: str(number)}
    st.page_link(script, label=label, icon=icon, icon_position=side, query_params=query)
