"""Pin and compare: the buttons, and the table of what differs from the release in force."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import streamlit as st

from numerics.deadline import DeadlineError
from numerics.mechanisms import Mechanism
from numerics.trade_off import Bracket, TradeOffCurve
from pages.ui import cached, pins, skipped
from pages.ui.error_boundary import error_boundary
from pages.ui.numbers_in_words import as_entered, rounded_up
from pages.ui.order_words import words_for
from pages.ui.release_choice import ReleaseChoice

_LETTERS = "ABCD"


class ComparedNumber(NamedTuple):
    """A number to compare: its name, and what it is of a release."""

    name: str
    of: Callable[[Mechanism], Bracket]


def curves(curve_of: Callable[[Mechanism], TradeOffCurve]) -> list[TradeOffCurve]:
    """Curves of the pinned releases, lettered; one that cannot be computed is missing here and marked in the table."""
    found = []
    for letter, release in zip(_LETTERS, pins.pinned(), strict=False):
        with suppress(ValueError), skipped.if_no_time(f"{letter}: {release.label}"):
            curve = curve_of(release)
            found.append(replace(curve, label=f"{letter}: {curve.label}"))
    return found


def draw_button(choice: ReleaseChoice) -> None:
    """Draw the button that pins the release in force."""
    kept = pins.pinned()
    st.button(
        "Pin and compare",
        icon=":material/keep:",
        on_click=pins.pin,
        args=(choice.mechanism,),
        disabled=len(kept) >= pins.LARGEST or choice.mechanism in kept,
        help=f"Keep this release's curve in the figure while you change the controls. Up to {pins.LARGEST}.",
    )


def draw_table(choice: ReleaseChoice, own_number: ComparedNumber | None = None) -> None:
    """Draw what differs between the release in force and the pinned ones, and a button to unpin each.

    ``own_number`` is the page's own, put first.
    """
    kept = pins.pinned()
    if not kept:
        return
    with error_boundary("comparison"):
        st.table(_table(choice, kept, own_number), hide_index=True)
    every = (choice.mechanism, *kept)
    if len({release.adjacency for release in every}) > 1:
        st.info("These releases differ in what counts as neighbouring data: their numbers answer different questions.")
    if len({release.records_per_person for release in every}) > 1:
        st.info("These releases differ in how many records per person has: their numbers are about different people.")
    with st.container(horizontal=True):
        for index, (letter, release) in enumerate(zip(_LETTERS, kept, strict=False)):
            st.button(
                f"Unpin {letter}: {release.label}",
                icon=":material/close:",
                on_click=pins.unpin,
                args=(index,),
                key=f"comparison.unpin_{index}",
                type="tertiary",
            )


def _table(
    choice: ReleaseChoice, kept: list[Mechanism], own_number: ComparedNumber | None = None
) -> dict[str, list[str]]:
    """Columns of the table: names of the numbers, the release in force, and the pinned ones relative to it."""
    own = _numbers(choice, choice.mechanism, own_number)
    table = {"at most": list(own), "now": [_text(value) for value in own.values()]}
    for letter, release in zip(_LETTERS, kept, strict=False):
        table[letter] = _column(choice, release, own, own_number)
    return table


def _numbers(choice: ReleaseChoice, release: Mechanism, own_number: ComparedNumber | None) -> dict[str, Bracket]:
    first = {} if own_number is None else {own_number.name: own_number.of(release)}
    return first | {
        f"ε at δ = {as_entered(choice.delta)}": cached.epsilon(release, choice.delta),
        "advantage": cached.advantage(release),
        f"{words_for(choice.order).found} at α = {as_entered(choice.alpha)}": cached.power(
            release, choice.alpha, choice.order
        ),
        "μ-GDP": cached.gaussian_mu(release),
        "AUC": cached.auc(release),
    }


def _column(
    choice: ReleaseChoice, release: Mechanism, own: dict[str, Bracket], own_number: ComparedNumber | None
) -> list[str]:
    try:
        numbers = _numbers(choice, release, own_number)
    except DeadlineError:
        return ["not computed yet"] * len(own)
    except ValueError:
        return ["cannot be computed"] * len(own)
    return [_text(numbers[name], own[name]) for name in own]


def _text(value: Bracket, own: Bracket | None = None) -> str:
    """The guarantee, and how many times that of the release in force it is."""
    shown = rounded_up(value.upper, 4)
    if own is None or not (np.isfinite(value.upper) and np.isfinite(own.upper) and own.upper > 0.0):
        return shown
    return f"{shown} (× {value.upper / own.upper:.2f})"
