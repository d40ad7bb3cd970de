"""Addresses of earlier versions, spelled as today's controls read them."""

import re
from collections.abc import MutableMapping
from contextlib import suppress

import streamlit as st

from pages.ui.address import spelled
from pages.ui.numbers_in_words import CROWD, of_crowd

_KEY = "old_address_was_read"
_FIRST_GOAL = "0.05"
_LIMITS = ("epsilon", "advantage", "members found")  # which kind of limit; the limit itself has the name today
_PERCENT = re.compile(r"(\d{1,3}(?:\.\d{1,9})?) %")
_EXACT = ("noise", "rate", "alpha")  # which once had a slider, and a box that overruled it


def translate() -> None:
    """Spell the address anew with which a visitor came. Once a session, before any control is drawn."""
    if _KEY in st.session_state:
        return
    st.session_state[_KEY] = True
    before, query = st.query_params.to_dict(), st.query_params
    if query.get("limit") in _LIMITS:
        query["keep"] = query.pop("limit")
    _translate_reconstruction(query)
    _translate_release(query)
    for key in ("stat_found", "stat_advantage"):  # shares, of which no people's count is one
        with suppress(ValueError):
            if key in query and 0.0 < float(query[key]) < 1.0:
                query[key] = _people(query[key])
    _translate_training(query)
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


def _translate_release(query: MutableMapping[str, str]) -> None:
    for key in _EXACT:
        if exact := query.pop(f"{key}_exact", ""):
            query[key] = exact
    if alpha := query.pop("alpha", ""):
        query["accused"] = _people(alpha)
    if "knows_rate" not in query and any(key in query for key in ("rate", "steps", "records")):
        query["knows_rate"] = "true"
        if "records" in query and "delta" not in query:
            query["delta"] = "1e-05"  # it did not follow from the people


def _translate_training(query: MutableMapping[str, str]) -> None:
    """The levels that models are trained for were in percent, and a data set was not written as it is called."""
    if query.get("train_data") == "mnist":
        query["train_data"] = "MNIST"
    for old in [key for key in query if key.startswith("train_found_") or key == "train_advantage"]:
        new = "train_limit_advantage" if old == "train_advantage" else old.replace("found", "limit")
        if (percent := _PERCENT.fullmatch(query.pop(old))) and new not in query:
            query[new] = f"{CROWD / 100 * float(percent[1]):g}"


def _people(share: str) -> str:
    """A share, in people; what is no number stays, so that it is refused by its name."""
    try:
        return str(spelled(of_crowd(float(share))))
    except ValueError:
        return share
