"""Addresses of earlier versions, spelled as today's controls read them."""

from collections.abc import MutableMapping
from contextlib import suppress

import streamlit as st

from pages.ui.address import spelled
from pages.ui.numbers_in_words import CROWD

_KEY = "old_address_was_read"
_FIRST_GOAL = "0.05"
_LIMITS = ("epsilon", "advantage", "members found")  # which kind of limit; the limit itself has the name today


def translate() -> None:
    """Spell the address anew with which a visitor came. Once a session, before any control is drawn."""
    if _KEY in st.session_state:
        return
    st.session_state[_KEY] = True
    before, query = st.query_params.to_dict(), st.query_params
    if query.get("limit") in _LIMITS:
        query["keep"] = query.pop("limit")
    _translate_reconstruction(query)
    if query.to_dict() != before:
        st.rerun()  # controls take their values from the address that a run starts with


def _translate_reconstruction(query: MutableMapping[str, str]) -> None:
    """The limit was a probability, and of a part of the page; the figure against other noise was always there."""
    goal, part = query.pop("goal_reconstruction", None), query.get("more")
    if part == "solve for":
        query["more"] = "what the limit allows"
        goal = goal or _FIRST_GOAL
    with suppress(ValueError):
        if goal is not None and "guess_limit" not in query:
            query["guess_limit"] = str(spelled(float(f"{float(goal) * CROWD:.9g}")))
    if "across" in query and part is None:
        query["more"] = "other noise"
