"""Addresses of earlier versions, spelled as today's controls read them."""

import streamlit as st

_KEY = "old_address_was_read"
_LIMITS = ("epsilon", "advantage", "members found")  # which kind of limit; the limit itself has the name today


def translate() -> None:
    """Spell the address anew with which a visitor came. Once a session, before any control is drawn."""
    if _KEY in st.session_state:
        return
    st.session_state[_KEY] = True
    if st.query_params.get("limit") in _LIMITS:
        st.query_params["keep"] = st.query_params.pop("limit")
