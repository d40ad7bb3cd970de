"""The rail's boxes of the attack: whom it may wrong, and my limit on whom it finds, or rules out in the other order."""

import streamlit as st

from numerics.trade_off import Order
from pages.ui import release_controls
from pages.ui.number_box import number_box
from pages.ui.numbers_in_words import CROWD, quantity
from pages.ui.order_words import words_for
from pages.ui.release_choice import DEFAULT_LIMIT
from pages.ui.release_controls import ACCUSED, DEFAULT_ACCUSED

_ACCUSED_HELP = (
    f"False positive rate α: of {CROWD:,} people who are not in the data, how many may the attacker wrongly accuse of "
    "being in it? 10 are α = 0.001."
)
_LIMIT_HELP = (
    f"The risk that you accept: of {CROWD:,} people in the data, how many may the attacker find, while it wrongly "
    "accuses outsiders as often as is said above?"
)
_CLEARED_HELP = (
    f"False negative rate α: of {CROWD:,} people in the data, how many may the attacker wrongly say are not in it? 10 "
    "are α = 0.001."
)
_RULED_OUT_HELP = (
    f"The risk that you accept: of {CROWD:,} people who are not in the data, how many may the attacker rule out, while "
    "it wrongly clears members as often as is said above?"
)


def draw(rests: bool) -> None:
    """Draw the boxes, and what blind guessing does; they rest beside a page that does not ask about them."""
    wronged, limit = (("Falsely accused", _ACCUSED_HELP), ("people found", _LIMIT_HELP))
    if release_controls.chosen_order() is Order.REMOVE:
        wronged, limit = (("Wrongly cleared", _CLEARED_HELP), ("ruled out", _RULED_OUT_HELP))
    for label, key, limits, start, meaning in (
        (wronged[0], "accused", ACCUSED, DEFAULT_ACCUSED, wronged[1]),
        (f"My limit: {limit[0]}", "limit", (1e-5, CROWD), DEFAULT_LIMIT, limit[1]),
    ):
        number_box(f"{label}, of {CROWD:,}", key, limits, start, meaning, step=1.0, disabled=rests)
    st.caption("This page asks about neither." if rests else _guessing())


def _guessing() -> str:
    """What the limit is to be compared with; it is never raised on its own."""
    state = st.session_state
    finds = words_for(release_controls.chosen_order()).finds
    guessing = f"Blind guessing {finds} {quantity(state['accused'])} of {CROWD:,}"
    return f"{guessing}: no noise keeps this limit." if state["limit"] <= state["accused"] else f"{guessing}."
