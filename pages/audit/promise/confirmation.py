"""What an auditor confirms before a verdict, as nothing in the data shows it; and how long that may then take."""

from collections.abc import Hashable

import streamlit as st

from pages.server.budget import Budget, Visit

LABEL = "All that this rests on holds"


def drawn(key: Hashable, words: str) -> bool:
    """Draw what has to hold and the box to tick; whether it is ticked for the data that ``key`` tells from others."""
    ticked = st.checkbox(LABEL, key=f"audit.confirmed_{hash(key)}", help=words)
    if not ticked:
        st.info(f"**Without this no statement follows:** {words}", icon=":material/help:")
    return ticked


def deadline() -> Budget:
    """Of what was asked for by a tick: as long as the visitor waits for it."""
    return Budget(is_cancelled=Visit().is_cancelled)
