"""Showing a figure: in the page's colours, with a description for screen readers and a button that saves it."""

from collections.abc import Callable
from typing import Any, Literal

import streamlit as st

from pages.ui import skipped
from plotting import theme

_CONFIG = {
    "displaylogo": False,
    "responsive": True,
    # Zoom is a control of the page: a redraw would lose the gesture's.
    "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d", "zoomIn2d", "zoomOut2d"],
}
_STYLE = f"<style>{theme.follows_page()}</style>"  # with every figure: pages without one load no Plotly
SAVED_AS, FORMATS = "chart.saved_as", ("PNG", "SVG")
"""In which format a figure's button saves it: the key of the choice, and what can be chosen."""


def draw(
    figure: theme.Figure,
    alt: str,
    key: str | None = None,
    on_select: Callable[[], None] | Literal["rerun"] | None = None,
    height: Literal["content", "stretch"] = "content",
) -> Any:
    """Draw ``figure``; ``alt`` says in words what it shows. What it lacks for want of time stands below it.

    Args:
        figure: the figure.
        alt: description for a screen reader: what is plotted, and what follows from it.
        key: needed for ``on_select``.
        on_select: called when the visitor clicks a point; the selection is in the session state under ``key``.
        height: as the figure says, or as high as what is beside it.
    """
    # Saved, letters stay as they are seen, and pixels are as many as print needs.
    chosen = str(st.session_state.get(SAVED_AS) or FORMATS[0]).lower()
    saved = {"format": chosen, "scale": 3 if chosen == "png" else 1, "filename": "privacy-trade-off"}
    st.html(_STYLE)
    shown = st.plotly_chart(
        figure,
        theme=None,
        height=height,
        key=key,
        on_select=on_select or "ignore",
        selection_mode="points",
        config={**_CONFIG, "toImageButtonOptions": saved},
        alt=alt,
    )
    skipped.say()
    return shown


def draw_format() -> None:
    """Draw the choice of the format in which figures are saved."""
    st.segmented_control(
        "Figures are saved by the camera on them, as",
        FORMATS,
        default=FORMATS[0],
        key=SAVED_AS,
        persist_state="session",
    )
