"""Setting a widget from a callback so that the page's address follows, also where the widget is not drawn yet."""

from contextlib import suppress

import streamlit as st
from streamlit.errors import StreamlitAPIException


def put(key: str, value: object, displayed: str) -> None:
    """Give the widget ``key`` a value; ``displayed`` is how the address spells it. For a callback.

    Streamlit writes the address of a widget that is drawn, and refuses that anybody else does. One that appears only
    with the value it is given has no address until it is changed: that is written here.
    """
    st.session_state[key] = value
    with suppress(StreamlitAPIException):
        st.query_params[key] = displayed
