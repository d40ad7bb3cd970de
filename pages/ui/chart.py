"""Showing a figure: in the page's colours, with a description for screen readers and a button that saves it.

And how a page looks at a curve: its axes, the window of few false accusations, and the point that is looked at.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Literal

import streamlit as st

from pages.ui import release_in_force, skipped
from pages.ui.controls import nearest, segmented_control
from pages.ui.release_in_force import ALPHAS
from plotting import theme
from plotting.curves import Axes

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


# How a curve is looked at

WHOLE = "all"
IN_PEOPLE = "in people"
"""The window in which one of all people is the least that is seen: what happens to fewer is in the others."""
_WINDOWS = MappingProxyType({IN_PEOPLE: 1.0, WHOLE: 1.0, "up to 10 %": 0.1, "up to 1 %": 0.01, "up to 0.1 %": 0.001})
CHART = "chart.curve"
DEFAULTS_OF_CURVE: Mapping[str, object] = MappingProxyType({"axes": Axes.LOG, "window": IN_PEOPLE})


class SecondFigure(StrEnum):
    """Figures beside the trade-off curve; the values are the labels, and the values in the URL."""

    EVIDENCE = "evidence"
    POWER = "effect size"
    PROFILE = "ε and δ"
    BATCHES = "batches"


@dataclass(frozen=True)
class CurveView:
    """How the trade-off curve is looked at.

    Attributes:
        axes: of the figure.
        largest_alpha: the largest false positive rate on it.
        counts_people: whether logarithmic axes count people, from one to all.
    """

    axes: Axes = Axes.LOG
    largest_alpha: float = 1.0
    counts_people: bool = True


def draw_curve() -> CurveView:
    """Draw the choices of axes and window."""
    axes = segmented_control("Axes", list(Axes), default=Axes.LOG, key="axes")
    window = segmented_control("False alarms shown", list(_WINDOWS), default=IN_PEOPLE, key="window")
    return CurveView(axes, _WINDOWS[window], window == IN_PEOPLE)


def take_click() -> None:
    """Move the operating point to the clicked point of the curve. For the chart's ``on_select``."""
    points = st.session_state[CHART]["selection"]["points"]
    if points:
        release_in_force.put_alpha(nearest(float(points[0]["x"]), ALPHAS))
