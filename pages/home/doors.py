"""The doors: a picture and what it is about for each page with a task."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
import streamlit as st

from numerics.deadline import DeadlineError
from pages.ui import cached, release_in_force
from pages.ui.catalog import ATTACKERS, AUDIT, FRONTIER, MECHANISM, RECONSTRUCT, Page
from plotting import theme
from plotting.small_picture import door_of_curves, door_of_hills

_RATES = np.linspace(0.0, 1.0, 60)


@dataclass(frozen=True)
class Door:
    """A page, in few words what it is about, and a picture with its description."""

    page: Page
    about: str
    picture: Callable[[], str]
    alt: str


def _curve_in_force() -> str:
    choice = release_in_force.current()
    curve = cached.trade_off(choice.mechanism, choice.order, points=80, smallest=1e-3)
    return door_of_curves(curve.alpha, [curve.beta], [theme.MEMBER])


def _attackers() -> str:
    return door_of_curves(_RATES, [(1.0 - _RATES**q) ** (1.0 / q) for q in (0.5, 0.6, 0.72, 0.88)])


def _rebuilding() -> str:
    return door_of_curves(_RATES, [_RATES**0.6], [theme.MEMBER], rising=True)


def _costs() -> str:
    heights = [1.0 - 0.9 * np.exp(-_RATES / width) for width in (0.2, 0.08)]
    return door_of_curves(_RATES, heights, rising=True)


def _losses() -> str:
    return door_of_hills(_RATES, [np.exp(-0.5 * ((_RATES - middle) / 0.13) ** 2) for middle in (0.6, 0.38)])


DOORS = (
    Door(MECHANISM, "How much noise?", _curve_in_force, "A trade-off curve."),
    Door(ATTACKERS, "Who knows less?", _attackers, "Trade-off curves of several attackers."),
    Door(RECONSTRUCT, "Guessing a record", _rebuilding, "Reconstruction against guessing."),
    Door(FRONTIER, "Cost in accuracy", _costs, "Accuracy against what is permitted, under two assumptions."),
    Door(AUDIT, "Test a model", _losses, "Losses of members and of outsiders."),
)


def draw() -> None:
    """Draw the doors beside each other; on a phone one below another."""
    for door, column in zip(DOORS, st.columns(len(DOORS), gap="xsmall"), strict=True):
        with column, st.container(border=True, height="stretch"):
            with suppress(DeadlineError):  # said above the page
                st.image(door.picture(), width="stretch", alt=door.alt)
            st.page_link(door.page.script, label=door.page.title, icon=door.page.icon)
            st.caption(door.about)
