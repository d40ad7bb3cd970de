"""Solve for: how much noise keeps a limit on epsilon, on the advantage or on the people found."""

from contextlib import suppress

import streamlit as st

from numerics.calibration import AdvantageTarget, EpsilonTarget, PowerTarget
from pages.ui import cached, remedies, skipped
from pages.ui.cached import Goal
from pages.ui.controls import number_box, segmented_control
from pages.ui.numbers_in_words import CROWD, as_entered, counted
from pages.ui.release_in_force import ReleaseChoice
from pages.ui.result_header import words_for

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
        remedies.draw_found(found)
        with suppress(ValueError), skipped.if_no_time("what fewer epochs, a smaller batch or more people would do"):
            if cached.measured(target, choice.mechanism).upper > target.goal:
                st.caption(remedies.levers_in_words(choice, target))


def _target(choice: ReleaseChoice, limit: str) -> Goal:
    if limit == _ADVANTAGE:
        label = "Largest advantage: share of members found minus share of outsiders accused"
        return AdvantageTarget(number_box(label, "mechanism.goal_advantage", (1e-4, 0.999), 0.1, width=_WIDE))
    if limit == _FOUND:
        words = words_for(choice.order)
        wronged = f"{counted(choice.alpha, CROWD)} {words.wronged} are {words.accused}"
        label, limits = f"Largest share of {words.people} {words.found} while {wronged}", (1e-9, 0.999)
        mine = f"my limit, {choice.limit:g}"
        share = number_box(label, "mechanism.goal_found", limits, None, unset=mine, width=_WIDE)
        return PowerTarget(choice.limit if share is None else share, choice.alpha, choice.order)
    label = f"Largest epsilon at delta {as_entered(choice.delta)}"
    return EpsilonTarget(number_box(label, "mechanism.goal_epsilon", (1e-3, 100.0), 1.0, width=_WIDE), choice.delta)
