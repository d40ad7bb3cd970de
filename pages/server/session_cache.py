"""Results about uploaded data, which live in the visitor's session only: the last few of a kind."""

from collections.abc import Callable, Hashable
from typing import TypeVar

import streamlit as st

from pages.server.turns import RUNS

_Made = TypeVar("_Made")
PRIVATE = "session_cache.private_"
"""Start of the kinds that questions about an upload's numbers have."""


def session_cache(kind: str, key: Hashable, most: int, make: Callable[[], _Made]) -> _Made:
    """What ``make`` gives for ``key``, from this session if it is among the last ``most`` results of its kind."""
    kept: dict[Hashable, _Made] = st.session_state.setdefault(kind, {})
    if key not in kept:
        with RUNS.paused():
            kept[key] = make()
        while len(kept) > most:
            del kept[next(iter(kept))]
    return kept[key]
