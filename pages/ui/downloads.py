"""The button that sends a file, which is made when it is asked for."""

from collections.abc import Callable

import streamlit as st

Make = Callable[[], str | bytes]
"""Makes a file: text, or bytes where it is none."""

_MEDIA_TYPES = {"csv": "text/csv", "html": "text/html", "json": "application/json", "md": "text/markdown"}


def button(label: str, file: str, make: Make) -> None:
    """Draw the button that sends ``file``, which ``make`` makes when it is asked for."""
    media_type = _MEDIA_TYPES[file.rpartition(".")[2]]
    st.download_button(label, make, file, media_type, key=f"downloads.{file}", on_click="ignore")
