"""Choices about an uploaded file: remembered with it, while the visitor looks at another page."""

from collections.abc import Callable, Sequence
from typing import Literal, TypeVar

import streamlit as st

from pages.ui.uploads import present

_Option = TypeVar("_Option")


def choice(
    label: str,
    place: str,
    options: Sequence[_Option],
    words: Callable[[_Option], str] = str,
    width: int | Literal["stretch"] = 220,
) -> _Option:
    """A choice that is remembered as ``place``: the visitor may look at another page meanwhile."""
    kept = st.session_state.get(place)
    index = options.index(kept) if kept in options else 0
    chosen = st.selectbox(label, options, index, words, key=f"{place}_widget", width=width)
    st.session_state[place] = chosen
    return chosen


def several(label: str, place: str, names: Sequence[str], kept: Sequence[str]) -> list[str]:
    """Several of the names, ``kept`` ones at first; remembered as ``choice``."""
    chosen = st.multiselect(label, names, kept, key=f"{place}_widget", width=460)
    st.session_state[place] = chosen
    return chosen


def memory(slot: str, what: str) -> str:
    """Where a choice for the file in ``slot`` is remembered."""
    upload = present(slot)
    return f"upload_{slot}_{what}_{upload.digest[:16] if upload else ''}"


def column(label: str, slot: str, what: str, names: list[str]) -> str:
    """A choice among columns that is remembered with the file."""
    return choice(label, memory(slot, what), names)


def columns(label: str, slot: str, what: str, names: list[str], usual: Sequence[str]) -> list[str]:
    """Several of the columns, remembered as ``column``."""
    place = memory(slot, what)
    kept = [name for name in st.session_state.get(place, usual) if name in names]
    chosen = st.multiselect(label, names, kept, key=f"{place}_widget", width=460)
    st.session_state[place] = chosen
    return chosen


def tick(label: str, slot: str, what: str) -> bool:
    """A box to tick that is remembered with the file, as ``column``: the next one starts without it."""
    place = memory(slot, what)
    value = st.checkbox(label, st.session_state.get(place, False), key=f"{place}_widget", width="content")
    st.session_state[place] = value
    return value


def leave_out(slot: str) -> bool:
    """Whether rows that cannot be used are left out."""
    return tick("Leave out unusable rows", slot, "drop")
