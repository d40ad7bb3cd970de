"""What an address asks for and cannot be had: said once, when the visitor arrives, and not passed over."""

from collections.abc import Mapping
from contextlib import suppress

import streamlit as st

from pages.ui.address import spelled
from pages.ui.keys import RELEASE
from pages.ui.plain_text import literal

_LONGEST = 40
_KEY = "invalid_address.was_read"


def asked() -> dict[str, str]:
    """The address as the visitor came with it, in the first run of a session; empty in all later ones."""
    if _KEY in st.session_state:
        return {}
    st.session_state[_KEY] = True
    return st.query_params.to_dict()


def say(wanted: Mapping[str, str]) -> None:
    """Name the controls that stand elsewhere than ``wanted``. After the page is drawn: they drop what they refuse."""
    refused = [f"{key} = {literal(text[:_LONGEST])}" for key, text in wanted.items() if text and _is_refused(key, text)]
    if refused:
        st.toast(
            f"This address asks for what is not possible: {', '.join(refused)}. What stands there now is the default.",
            icon=":material/link_off:",
            duration="long",
        )


def _is_refused(key: str, text: str) -> bool:
    """Whether the control says something else, or it is one of the release's that what else is said leaves out."""
    state, query = st.session_state, st.query_params
    return query.get(key) != text and not _is(state[key], text) if key in state else key in RELEASE


def _is(value: object, text: str) -> bool:
    """Whether a control's value is what the address said; one at its default is left out of the address."""
    with suppress(ValueError, TypeError):
        return float(text) == float(value)  # type: ignore[arg-type] # or it is no number
    return text == spelled(value)
