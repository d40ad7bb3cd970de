"""Choices that outlive a visit to another page.

Streamlit forgets a widget that is not drawn. What only one page draws is therefore noted at the end of its runs, and
given back to the widgets when the visitor returns; an address that says otherwise wins.
"""

from collections.abc import Mapping, Sequence

import streamlit as st

from pages.ui import example_links

_PREFIX = "kept "


def restore(keys: Sequence[str]) -> None:
    """Give the widgets with these keys what they had when last drawn. Before they are drawn.

    Where a link to an example led here, they start anew.
    """
    if example_links.taken():
        forget(keys)
    for key in keys:
        if _PREFIX + key in st.session_state and key not in st.session_state and key not in st.query_params:
            st.session_state[key] = st.session_state[_PREFIX + key]


def forget(keys: Sequence[str]) -> None:
    """Let the widgets with these keys start anew, on every page. Before they are drawn."""
    for key in keys:
        st.session_state.pop(_PREFIX + key, None)
        st.session_state.pop(key, None)


def put(values: Mapping[str, object]) -> None:
    """Give widgets values, by key, on this page or on the next that draws them. For a callback."""
    for key, value in values.items():
        st.session_state[key] = st.session_state[_PREFIX + key] = value


def note(keys: Sequence[str]) -> None:
    """Note what the widgets with these keys say. After they were drawn; those that were not keep what was noted."""
    for key in keys:
        if key in st.session_state:
            st.session_state[_PREFIX + key] = st.session_state[key]
