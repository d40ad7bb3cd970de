"""One part of a page that may fail while the rest goes on."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st


@contextmanager
def error_boundary(what: str) -> Iterator[None]:
    """Turn a refusal of the numerics (a ValueError) into a message about ``what``."""
    try:
        yield
    except ValueError as refusal:
        st.warning(f"**No {what}:** {refusal}", icon=":material/block:")
