"""The inverse questions: this much privacy is needed, how much utility is left; and the other way round."""

from enum import StrEnum

import numpy as np
import streamlit as st

from losses.errors import visible
from numerics.pareto import best_within, oriented
from pages.frontier.landscape.pareto import Side, Weighed
from pages.frontier.landscape.words import at, called, value
from pages.ui.segmented_control import segmented_control
from pages.ui.uploads import literal

KEYS = ("land_solve", "land_limit_on", "land_limit")
_SHORT = 40


class Limit(StrEnum):
    """What is limited; the values are the labels, and the values in the URL."""

    PRIVACY = "privacy"
    UTILITY = "utility"


def draw(found: Weighed) -> None:
    """Draw the folded panel."""
    title = "Solve for: this much privacy is needed, how much utility is left?"
    panel = st.expander(title, key=KEYS[0], on_change="rerun", bind="query-params")
    if panel.open:
        with panel:
            _draw_open(found)


def _draw_open(found: Weighed) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        limited = segmented_control("A limit on", list(Limit), default=Limit.PRIVACY, key=KEYS[1])
        bound, free = (found.privacy, found.utility) if limited is Limit.PRIVACY else (found.utility, found.privacy)
        usual = _usual(found, bound)
        limit = st.number_input(
            f"{literal(visible(bound.name, _SHORT))} {bound.limit}",
            value=None,
            format="%g",
            placeholder=f"{usual:.6g}",
            key=KEYS[2],
            bind="query-params",
            width=280,
        )
    st.markdown(_answer(found, bound, free, usual if limit is None else limit))


def _usual(found: Weighed, bound: Side) -> float:
    """What the elbow has, or the middle of all where there is none."""
    mean = bound.runs.mean
    return float(mean[found.elbow] if found.elbow is not None else np.sort(mean)[len(mean) // 2])


def _answer(found: Weighed, bound: Side, free: Side, limit: float) -> str:
    least = float(oriented(np.array([limit]), bound.better)[0])
    place = best_within(free.wanted, bound.wanted, least)
    limited = f"{literal(bound.name)} {bound.limit} {value(limit)}"
    if place is None:
        best = int(bound.wanted.argmax())
        return f"**No strategy has {limited}.** The closest is {called(found, best)}, with {at(bound, best)}."
    count = int(np.count_nonzero(bound.wanted >= least))
    of = "the only strategy" if count == 1 else f"the best of {count:,} strategies"
    return f"**{at(free, place)}**, with {called(found, place)} ({at(bound, place)}): {of} with {limited}."
