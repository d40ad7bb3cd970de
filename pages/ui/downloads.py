"""The button that sends a file, which is made when it is asked for."""

from collections.abc import Callable

import streamlit as st

from pages.server.budget import Budget, Visit, within

Make = Callable[[], str | bytes]
"""Makes a file: text, or bytes where it is none."""

_MEDIA_TYPES = {"csv": "text/csv", "html": "text/html", "json": "application/json", "md": "text/markdown"}


def button(label: str, file: str, make: Make) -> None:
    """Draw the button that sends ``file``, which ``make`` makes when it is asked for, while the tab is open."""
    media_type, is_closed = _MEDIA_TYPES[file.rpartition(".")[2]], Visit().is_closed

    def made() -> str | bytes:
        with within(Budget(is_cancelled=is_closed)):  # one for each thread: it counts what a thread spends
            return make()

    st.download_button(label, made, file, media_type, key=f"downloads.{file}", on_click="ignore")
