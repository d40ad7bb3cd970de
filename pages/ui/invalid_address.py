"""What an address asks for and cannot be had: said once, when the visitor arrives, and not passed over."""

from collections.abc import Mapping
from contextlib import suppress

import streamlit as st

from pages.ui.address import drawn, spelled
from pages.ui.keys import RELEASE
from pages.ui.plain_text import literal

_LONGEST = 40
_KEY = "invalid_address.was_read"
_OF_KNOWN_RATE = frozenset({"rate", "steps"})


def asked() -> dict[str, str]:
    """The address as the visitor came with it, in the first run of a session; empty in all later ones."""
    if _KEY in st.session_state:
        return {}
    st.session_state[_KEY] = True
    return st.query_params.to_dict()


def say(wanted: Mapping[str, str]) -> None:
    """Name the controls that stand elsewhere than ``wanted``, and what there is no control for in this state.

    After the page is drawn, for controls drop what they refuse; above it, where it covers nothing.
    """
    state = st.session_state
    labels = drawn() if wanted else {}
    refused = _named(
        {
            key: text
            for key, text in wanted.items()
            if key in state and labels.get(key) not in (text, [text]) and _is_refused(key, text)
        }
    )
    unused = _named({key: text for key, text in wanted.items() if key in RELEASE and key not in state})
    said = []
    if refused:
        said.append(f"This address asks for what is not possible: {refused}. What stands there now is the default.")
    if unused:
        said.append(f"What else this address says leaves no place for {unused}.")
    if unused and not state.get("knows_rate") and not _OF_KNOWN_RATE.isdisjoint(wanted):
        said.append("A rate and steps go with knows_rate=true.")
    if said:
        st.warning(" ".join(said), icon=":material/link_off:")


def _named(wanted: Mapping[str, str]) -> str:
    return ", ".join(f"{key} = {literal(text[:_LONGEST])}" for key, text in wanted.items() if text)


def _is_refused(key: str, text: str) -> bool:
    """Whether the control says something else."""
    return st.query_params.get(key) != text and not _is(st.session_state[key], text)


def _is(value: object, text: str) -> bool:
    """Whether a control's value is what the address said; one at its default is left out of the address."""
    with suppress(ValueError, TypeError):
        return float(text) == float(value)  # type: ignore[arg-type] # or it is no number
    return text == spelled(value)
