"""Placing the parts of the component on a page."""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from people_view.scene import Levels, Scene

# The project and the component of a pyproject.toml: its own, or in a wheel of the app the app's.
_OWN_PROJECT = Path(__file__).with_name("pyproject.toml").is_file()
_NAME = "people-view.people" if _OWN_PROJECT else "privacy-trade-offs.people"


@cache
def _component() -> Any:
    """The component; looked up when it is first drawn, as Streamlit knows installed components once it runs."""
    return st.components.v2.component(_NAME, js="people.js", css="people.css")


def mount(key: str, data: dict[str, object], **callbacks: Callable[[], None]) -> None:
    """Place a part; its data in a list, since Streamlit would load pandas to see whether a dictionary holds tables."""
    _component()(key=key, data=[data], **callbacks)


def draw_answer(scene: Scene, on_noise: Callable[[float], None], key: str = "answer", pale: Sequence[str] = ()) -> None:
    """Draw the verdict and its slider; ``on_noise`` gets the noise it is let go at, and the keys ``pale`` wait pale."""

    def take() -> None:
        noise = st.session_state[key].noise
        if noise is not None:
            on_noise(float(noise))

    mount(key, {"part": "answer", "scene": scene.as_data(), "pale": list(pale)}, on_noise_change=take)


def draw_levels(more: Levels, key: str = "levels") -> None:
    """Put levels into the picture of their scene, if there are any; draws nothing by itself."""
    if more.levels:
        mount(key, {"part": "levels", **more.as_data()})


def draw_people(name: str, key: str = "people_found") -> None:
    """Draw the people of the scene of that name: a row against the limit, and all of them in a crowd."""
    mount(key, {"part": "people", "name": name})


def draw_hills(name: str, key: str = "hills", *, beside_people: bool = False) -> None:
    """Draw the evidence of the scene of that name, two hills and the threshold; as high as the people beside it."""
    mount(key, {"part": "hills", "name": name, "low": beside_people})


def draw_said(text: str, key: str = "said") -> None:
    """Have a screen reader say ``text`` when it is new and has rested for a moment; nothing is seen."""
    mount(key, {"part": "said", "text": text})
