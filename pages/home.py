"""Home: what the tool answers, the answer for the release in force, and the doors to the pages."""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

import numpy as np
import streamlit as st

from losses import SAMPLES
from pages.measuring import source
from pages.shared import cached, controls, presets, readout, tour
from plotting import thumbnail

_RATES = np.linspace(0.0, 1.0, 60)
_DOORS_IN_A_ROW = 5


@dataclass(frozen=True)
class Door:
    """A page, its name and sign, the question it answers, and a picture with its description."""

    page: str
    title: str
    icon: str
    question: str
    picture: Callable[[], str]
    alt: str


def _curve_in_force() -> str:
    choice = controls.chosen()
    curve = cached.trade_off(choice.mechanism, choice.order, points=80, smallest=1e-3)
    return thumbnail.curves_below_chance(curve.alpha, [curve.beta])


def _attackers() -> str:
    return thumbnail.curves_below_chance(_RATES, [(1.0 - _RATES**q) ** (1.0 / q) for q in (0.5, 0.6, 0.72, 0.88)])


def _rebuilding() -> str:
    return thumbnail.curves_above_chance(_RATES, [_RATES**0.6])


def _costs() -> str:
    return thumbnail.curves_above_chance(_RATES, [1.0 - 0.9 * np.exp(-_RATES / width) for width in (0.2, 0.08)])


def _losses() -> str:
    return thumbnail.two_hills(_RATES, [np.exp(-0.5 * ((_RATES - middle) / 0.13) ** 2) for middle in (0.6, 0.38)])


DOORS = (
    Door(
        "pages/mechanism_explorer.py",
        "Explore a mechanism",
        ":material/tune:",
        "I plan a release. How well can anybody be found in it, and how much noise keeps that below my limit?",
        _curve_in_force,
        "A trade-off curve.",
    ),
    Door(
        "pages/threat_models.py",
        "Compare attackers",
        ":material/groups:",
        "Not every attacker knows everything. What does the same release give away to one who knows less?",
        _attackers,
        "Trade-off curves of several attackers.",
    ),
    Door(
        "pages/reconstruction.py",
        "Reconstruct a record",
        ":material/person_search:",
        "An attacker has a guess about somebody's record. How much surer can the release make it?",
        _rebuilding,
        "Reconstruction against guessing.",
    ),
    Door(
        "pages/utility_frontier.py",
        "Weigh the cost",
        ":material/balance:",
        "Protection takes noise, and noise takes accuracy. What does each attacker I want to stop cost me?",
        _costs,
        "Accuracy against what is permitted, under two assumptions.",
    ),
    Door(
        "pages/epsilon_star.py",
        "Measure a trained model",
        ":material/upload_file:",
        "I have a model. How much do its losses on training data and on fresh data give away? Upload both.",
        _losses,
        "Losses of members and of outsiders.",
    ),
)


def _draw_answer() -> None:
    choice = controls.chosen()
    with st.container(border=True):
        with readout.explained():
            power = cached.power(choice.mechanism, choice.alpha, choice.order)
        readout.answer(readout.membership_sentence(power, choice.alpha, choice.order), choice.mechanism.bound)
        st.caption(f"For this release: {choice.mechanism.label}. Try another:")
        with st.container(horizontal=True, gap="small"):
            for preset in presets.PRESETS:
                st.button(preset.name, help=preset.words, on_click=controls.use, args=(preset,))


def _draw_doors() -> None:
    """In rows of equal length, as far as possible; on a phone one below another."""
    rows = ceil(len(DOORS) / _DOORS_IN_A_ROW)
    length = ceil(len(DOORS) / rows)
    for start in range(0, len(DOORS), length):
        for door, column in zip(DOORS[start : start + length], st.columns(length, gap="xsmall"), strict=False):
            with column:
                _draw_door(door)


def _draw_door(door: Door) -> None:
    with st.container(border=True, height="stretch"):
        st.image(door.picture(), width="stretch", alt=door.alt)
        st.page_link(door.page, label=door.title, icon=door.icon)
        st.markdown(door.question)


def _draw_ways_in() -> None:
    """The tour, the gallery, and models to try the last door with."""
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        tour.draw_start()
        st.page_link("pages/gallery.py", label="Figures of the papers", icon=":material/gallery_thumbnail:")
        for sample in SAMPLES:
            query = {"source": source.Kind.SAMPLE, "sample": sample.name}
            label = f"Sample model: {sample.name}"
            st.page_link("pages/epsilon_star.py", label=label, icon=":material/science:", query_params=query)


st.title("How much does a release give away about one person?")
st.markdown(
    "Training a model or publishing a statistic with differential privacy adds noise, so that nobody can tell for sure "
    "whether *you* were in the data. How sure could somebody get? For any such release this tool says what the best "
    "possible attacker can do, under which assumptions, and how much noise it takes to stop that."
)
_draw_answer()
_draw_ways_in()
_draw_doors()
st.caption(
    "**Your data stays here.** Everything runs on the computer that serves this page: no account, no telemetry, no "
    "request to any other host. Uploaded losses are kept in the memory of your session only, never on disk or in a "
    "cache, and go when the session goes."
)
