"""Links to an example, such as a figure of a paper: on arrival the address alone says what the page shows.

Streamlit lets what the session holds win over an address, which is right for a visitor who goes from page to page: what
a page's widgets said is there again when the visitor comes back. A link to an example shows the example, whatever was
set before: its address has one name more, and what the address does not say is where it starts. The page with the link
must not draw the shared controls: a link's address is added to what the browser has for those that are there.
"""

from collections.abc import Sequence

import streamlit as st

from pages.ui.address import Query

_NAME = "example"
_LAST, _PENDING = "example_links.last", "example_links.arrives"


def named(name: str, query: Query) -> Query:
    """The address of an example: its own, and its name."""
    return {_NAME: name, **query}


def arrives() -> bool:
    """Whether this run is the first that shows an example. Once a run, before anything is drawn."""
    name = st.query_params.get(_NAME)
    # In a new session the address alone says what is shown anyhow.
    new = name is not None and name != st.session_state.get(_LAST, name)
    st.session_state[_LAST] = name
    if new:
        st.session_state[_PENDING] = True
    return new


def start_anew(keys: Sequence[str]) -> None:
    """Where an example has arrived, let the page's own widgets with these keys start anew. Before they are drawn.

    A key that ends in ``_`` stands for all that begin so.
    """
    if st.session_state.pop(_PENDING, False):
        beginnings = tuple(key for key in keys if key.endswith("_"))
        for key in [key for key in st.session_state if key in keys or str(key).startswith(beginnings)]:
            del st.session_state[key]
