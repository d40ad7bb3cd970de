"""A verdict, the people it counts and the evidence behind it, which move together while a slider is dragged.

Three parts that a page places as it likes; they show one ``Scene`` and find each other by its name. All numbers come
with the scene, or after it as its ``Levels``: nothing is computed in the browser but pixels, and Python is asked when
the slider is let go. With them, or with any slider of a page, ``draw_knob`` moves the page's own sentences and figures.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from people_view.scene import HEIGHT, PLACES, Hill, Hills, Level, Levels, Scene, Words, as_data

__all__ = ["HEIGHT", "PLACES", "Hill", "Hills", "Level", "Levels", "Scene", "State", "Words"]

# The project and the component of a pyproject.toml: its own, or in a wheel of the app the app's.
_OWN_PROJECT = Path(__file__).with_name("pyproject.toml").is_file()
_NAME = "people-view.people" if _OWN_PROJECT else "privacy-trade-offs.people"


@dataclass(frozen=True)
class State:
    """What the page shows at one place of the slider.

    Attributes:
        texts: by the key of a container, the texts in it from top to bottom, of headings, paragraphs, captions and
            values of metrics. Bold letters and badges in Markdown; a badge at the end that says what kind of number it
            is may be left out, and stays.
        figures: by the key of a chart, where its parts lie: see ``plotting.motion``.
    """

    texts: Mapping[str, Sequence[str]]
    figures: Mapping[str, object]


def draw_answer(scene: Scene, on_noise: Callable[[float], None], key: str = "answer") -> None:
    """Draw the verdict and its slider; ``on_noise`` gets the noise it is let go at."""

    def take() -> None:
        noise = st.session_state[key].noise
        if noise is not None:
            on_noise(float(noise))

    _mount(key, {"part": "answer", "scene": as_data(scene)}, on_noise_change=take)


def draw_levels(more: Levels, key: str = "levels") -> None:
    """Put levels into the picture of their scene, if there are any; draws nothing by itself."""
    if more.levels:
        _mount(key, {"part": "levels", **as_data(more)})


def draw_people(name: str, key: str = "people_found") -> None:
    """Draw the people of the scene of that name: a row against the limit, and all of them in a crowd."""
    _mount(key, {"part": "people", "name": name})


def draw_hills(name: str, key: str = "hills", *, beside_people: bool = False) -> None:
    """Draw the evidence of the scene of that name, two hills and the threshold; as high as the people beside it."""
    _mount(key, {"part": "hills", "name": name, "low": beside_people})


def draw_said(text: str, key: str = "said") -> None:
    """Have a screen reader say ``text`` when it is new and has rested for a moment; nothing is seen."""
    _mount(key, {"part": "said", "text": text})


def draw_knob(slider: str, chosen: str, states: Mapping[str, State], pale: Sequence[str] = ()) -> None:
    """Let a slider move what is on the page; draws nothing by itself. To be called last on a page.

    Sentences and figures stay the page's own, with keyboard, address and screen reader, and so does a slider of
    Streamlit's. While the finger drags, the browser shows the state of the place that the slider passes; when it lifts,
    the server is asked.

    Args:
        slider: the slider's key, or the name of the scene whose slider it is.
        chosen: the place that this run has answered, as the slider shows it: the text of its ``format_func``, or the
            level's ``named``.
        states: by the slider's places, as it shows them. What is not known yet is missing: it is shown pale there.
            They are sent once as long as they stay the same; ``chosen`` is no part of them.
        pale: keys of what no state says, such as a button for the advised noise: pale while the slider is elsewhere.
    """
    sent = {place: vars(state) for place, state in states.items()}
    _mount(f"{slider}.states", {"part": "states", "slider": slider, "states": sent})
    _mount(f"{slider}.knob", {"part": "knob", "slider": slider, "chosen": chosen, "pale": list(pale)})


def _mount(key: str, data: dict[str, object], **callbacks: Callable[[], None]) -> None:
    """Place a part; its data in a list, since Streamlit would load pandas to see whether a dictionary holds tables."""
    _component()(key=key, data=[data], **callbacks)


@cache
def _component() -> Any:
    """The component; looked up when it is first drawn, as Streamlit knows installed components once it runs."""
    return st.components.v2.component(_NAME, js="people.js", css="people.css")
