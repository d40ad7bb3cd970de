"""Choices about an uploaded file: remembered with it, while the visitor looks at another page."""

from collections.abc import Callable, Sequence
from typing import Literal, TypeVar

import streamlit as st

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
