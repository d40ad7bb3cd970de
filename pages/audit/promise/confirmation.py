"""What an auditor confirms before a verdict: nothing in the data shows it."""

from collections.abc import Hashable

import streamlit as st

LABEL = "All that this rests on holds"


def drawn(key: Hashable, words: str) -> bool:
    """Draw what has to hold and the box to tick; whether it is ticked for the data that ``key`` tells from others."""
    ticked = st.checkbox(LABEL, key=f"confirmed_{hash(key)}", help=words)
    if not ticked:
        st.info(f"**Without this no statement follows:** {words}", icon=":material/help:")
    return ticked
