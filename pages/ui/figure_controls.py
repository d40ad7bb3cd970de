"""How a page looks at a curve: its axes, the window of few false accusations, and the point that is looked at."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

import streamlit as st

from pages.ui import release_in_force
from pages.ui.controls import nearest, segmented_control
from pages.ui.release_in_force import ALPHAS
from plotting.curves import Axes

WHOLE = "all"
IN_PEOPLE = "in people"
"""The window in which one of all people is the least that is seen: what happens to fewer is in the others."""
_WINDOWS = MappingProxyType({IN_PEOPLE: 1.0, WHOLE: 1.0, "up to 10 %": 0.1, "up to 1 %": 0.01, "up to 0.1 %": 0.001})
CHART = "figure_controls.chart"
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
