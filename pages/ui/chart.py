"""Showing a figure: in the page's colours, with a description for screen readers and a button that saves it."""

from collections.abc import Callable
from typing import Any, Literal

import streamlit as st

from pages.ui import skipped
from plotting import theme

_NEVER = ["lasso2d", "autoScale2d", "zoomIn2d", "zoomOut2d"]
_CONFIG = {
    "displaylogo": False,
    "responsive": True,
    # Zoom is a control of the page: a redraw would lose the gesture's.
    "modeBarButtonsToRemove": ["select2d", *_NEVER],
    "toImageButtonOptions": {"format": "png", "scale": 3, "filename": "privacy-trade-off"},  # with its letters as seen
}


def is_dark() -> bool:
    """Whether the visitor sees the dark theme."""
    return st.context.theme.type == "dark"


def draw(
    figure: theme.Figure,
    alt: str,
    key: str | None = None,
    on_select: Callable[[], None] | Literal["rerun"] | None = None,
    height: Literal["content", "stretch"] = "content",
    *,
    has_brush: bool = False,
) -> Any:
    """Draw ``figure``; ``alt`` says in words what it shows. What it lacks for want of time stands below it.

    Args:
        figure: the figure; it is given the page's template in place.
        alt: description for a screen reader: what is plotted, and what follows from it.
        key: needed for ``on_select``.
        on_select: called when the visitor clicks a point; the selection is in the session state under ``key``.
        height: as the figure says, or as high as what is beside it.
        has_brush: whether a box drawn over points selects them, too.
    """
    theme.dress(figure, is_dark())
    shown = st.plotly_chart(
        figure,
        theme=None,
        height=height,
        key=key,
        on_select=on_select or "ignore",
        selection_mode=("points", "box") if has_brush else "points",
        config=_CONFIG | ({"modeBarButtonsToRemove": _NEVER} if has_brush else {}),
        alt=alt,
    )
    skipped.say()
    return shown
