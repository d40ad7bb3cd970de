"""Says that a file is gone where an address names one and the session has none: after a reload or restart, in a link.

Streamlit begins a new session then, and the page would stand there as if nothing had been uploaded. The address names
the places that held a file, and nothing of the file.
"""

import streamlit as st

_NAME = "uploaded"
_GONE = (
    "**What was uploaded or pasted here is gone.** It stays in the memory of one visit only: it goes when the page is "
    "reloaded or the server starts anew, and no address holds it. Please give it again."
)


def note(slot: str, held: bool) -> None:
    """Keep the address in step with whether ``slot`` holds a file; say so where it held one in another visit.

    To be called in every run that draws the place, below it. Writes the address only where that changes it.
    """
    named = st.query_params.get_all(_NAME)
    if held and slot not in named:
        st.query_params[_NAME] = [*named, slot]
    elif not held and slot in named:
        st.warning(_GONE, icon=":material/upload_file:")


def forget(slot: str) -> None:
    """Let the address name ``slot`` no more: its file was removed on purpose. For a callback."""
    left = [name for name in st.query_params.get_all(_NAME) if name != slot]
    if left:
        st.query_params[_NAME] = left
    elif _NAME in st.query_params:
        del st.query_params[_NAME]


def rests_on_one() -> bool:
    """Whether the address names a place with a file, which it does not hold."""
    return _NAME in st.query_params
