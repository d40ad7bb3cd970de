"""The inverse question: this much risk is acceptable, how much noise does it take?"""

import re

import streamlit as st

from numerics.calibration import AdvantageTarget, Calibration, EpsilonTarget, PowerTarget
from pages.ui import cached, release_controls
from pages.ui.cached import Goal
from pages.ui.number_box import number_box
from pages.ui.numbers_in_words import CROWD, as_entered, counted, rounded_up
from pages.ui.order_words import words_for
from pages.ui.phase_noise import is_usable, listed, noises, remedy, use
from pages.ui.release_choice import ReleaseChoice
from pages.ui.segmented_control import segmented_control

_EPSILON, _ADVANTAGE, _FOUND = "epsilon", "advantage", "members found"
_WIDE = 420  # pixels


def draw(choice: ReleaseChoice) -> None:
    """Draw the folded panel; nothing is computed before it is opened."""
    title = "Solve for: this much risk is acceptable, how much noise does it take?"
    panel = st.expander(title, key="mechanism.solve", on_change="rerun", bind="query-params")
    if panel.open:
        with panel:
            _draw_open(choice)


def _draw_open(choice: ReleaseChoice) -> None:
    limit = segmented_control(
        "Keep below a limit",
        [_EPSILON, _ADVANTAGE, _FOUND],
        default=_EPSILON,
        key="mechanism.keep",
    )
    try:
        target = _target(choice, limit)
        with st.spinner("Searching the smallest noise that keeps this limit …", show_time=True):
            found = cached.noise_for(target, choice.mechanism.with_noise(1.0))
    except ValueError as reason:
        st.warning(f"No noise found: {reason}", icon=":material/search_off:")
    else:
        answer(found)


def _target(choice: ReleaseChoice, limit: str) -> Goal:
    if limit == _ADVANTAGE:
        label = "Largest advantage: share of members found minus share of outsiders accused"
        return AdvantageTarget(number_box(label, "mechanism.goal_advantage", (1e-4, 0.999), 0.1, width=_WIDE))
    if limit == _FOUND:
        words = words_for(choice.order)
        wronged = f"{counted(choice.alpha, CROWD)} {words.wronged} are {words.accused}"
        label = f"Largest share of {words.people} {words.found} while {wronged}"
        return PowerTarget(
            number_box(label, "mechanism.goal_found", (1e-9, 0.999), 0.01, width=_WIDE), choice.alpha, choice.order
        )
    label = f"Largest epsilon at delta {as_entered(choice.delta)}"
    return EpsilonTarget(number_box(label, "mechanism.goal_epsilon", (1e-3, 100.0), 1.0, width=_WIDE), choice.delta)


def answer(found: Calibration) -> None:
    """Say what noise was found, and offer to use it."""
    if not found.noise_needed:
        st.success(f"No noise is needed: noise {listed(found.mechanism)} already keeps this limit.")
        return
    release = release_controls.current().mechanism
    st.success(
        f"**{remedy(release, found.mechanism)}** keeps {_kept(found.target.label)}: "
        f"the guarantee at this noise is {rounded_up(found.reached.upper, 6)}.",
        icon=":material/check:",
    )
    in_use = noises(found.mechanism) == noises(release)
    several = len(release.phases) > 1
    label = "This noise is in use" if in_use else use(release, found.mechanism) if several else "Use this noise"
    usable = is_usable(found.mechanism) and not in_use
    st.button(
        label, on_click=release_controls.put_noise, args=(found.mechanism,), disabled=not usable, key="solve_for.use"
    )


def _kept(label: str) -> str:
    """The limit in words, small numbers written as on the rest of the page: 10⁻⁵."""
    return re.sub(r"\d[\d.]*e[-+]\d+", lambda number: as_entered(float(number[0])), label)
