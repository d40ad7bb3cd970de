"""How a page looks at a release: axes, the window of few false accusations, another figure, the prior."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import log
from types import MappingProxyType

import streamlit as st

from numerics.trade_off import Order
from pages.ui import release_in_force
from pages.ui.controls import SliderWithBox, segmented_control
from pages.ui.release_in_force import ALPHAS
from pages.ui.result_header import words_for
from plotting.curves import Axes

WHOLE = "all"
IN_PEOPLE = "in people"
"""The window in which one of all people is the least that is seen: what happens to fewer is in the others."""
_WINDOWS = MappingProxyType({IN_PEOPLE: 1.0, WHOLE: 1.0, "up to 10 %": 0.1, "up to 1 %": 0.01, "up to 0.1 %": 0.001})
CHART = "figure_controls.chart"
DEFAULTS_OF_CURVE: Mapping[str, object] = MappingProxyType({"axes": Axes.LOG, "window": IN_PEOPLE})

PRIOR = SliderWithBox(
    "mechanism.prior",
    "unlikely ← prior → likely",
    (1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9),
    0.1,
    (1e-9, 0.999),
    "How likely the attacker holds it that somebody is in the training data, before it looks at the release.",
)


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


def draw_second() -> SecondFigure:
    """Draw the choice of another figure."""
    return segmented_control("Figure", list(SecondFigure), default=SecondFigure.EVIDENCE, key="mechanism.second")


def draw_prior(order: Order) -> float:
    """Draw the prior, and say what it is. A test that only clears people accuses nobody with any prior."""
    with st.container(width=260):
        PRIOR.draw_slider("nobody is accused" if order is Order.REMOVE else "")
    return PRIOR.value()


def take_click() -> None:
    """Move the operating point to the clicked point of the curve. For the chart's ``on_select``."""
    points = st.session_state[CHART]["selection"]["points"]
    if points:
        release_in_force.put_alpha(nearest(float(points[0]["x"]), ALPHAS))


def nearest(rate: float, values: Sequence[float]) -> float:
    """The one of a slider's round values that is nearest to ``rate`` on a log scale."""
    return min(values, key=lambda value: abs(log(value / max(rate, 1e-300))))


def axes_caption(axes: Axes, order: Order) -> str:
    """What the axes of the trade-off figure show, in a sentence, and what a click does."""
    words = words_for(order)
    up = f"are then {words.found}, at most" if axes == Axes.LOG else f"{words.missed}, at least"
    across = f"how many {words.wronged} are wrongly {words.accused}"
    return (
        f"Across: {across}. Up: how many {words.people} {up}. The nearer to guessing, the more private. "
        "Click to look at another point."
    )
