"""The controls of the statistic view: what is released, about how many people, and what the attack may reach."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from numerics.calibration import AdvantageTarget, EpsilonTarget, PowerTarget
from numerics.frontier import (
    AdvantageMeasure,
    Count,
    EpsilonMeasure,
    Histogram,
    Mean,
    Measure,
    PowerMeasure,
    RegressionCoefficient,
)
from numerics.frontier import Statistic as Released
from numerics.mechanisms import Adjacency
from pages.frontier import limits
from pages.frontier.limits import Limit, LimitOn, RailLimit
from pages.frontier.screen import Places
from pages.frontier.statistic.cached import Asked
from pages.ui import address
from pages.ui.number_box import number_box, whole_box
from pages.ui.numbers_in_words import CROWD
from pages.ui.segmented_control import segmented_control
from pages.ui.slider_with_box import SliderWithBox

_STEPS = (1, 1.5, 2, 3, 4, 5, 6, 8)
_RATES = tuple(float(f"{step:g}e{decade}") for decade in (-3, -2) for step in _STEPS)
_SHARES = (*_RATES, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


class StatisticKind(StrEnum):
    """Statistics; the values are the labels, and the values in the URL."""

    MEAN = "mean"
    COUNT = "count"
    HISTOGRAM = "histogram"
    REGRESSION = "regression coefficient"


class Extra(StrEnum):
    """What can be drawn beside the four attackers; the values are the labels, and the values in the URL."""

    LAPLACE = "Laplace noise"
    SWAP = "subset: one-swap bound"
    PAPER = "subset: paper 002"


FOUND = SliderWithBox(
    "frontier.stat_found",
    LimitOn.FOUND.slider,
    _SHARES,
    0.04,
    (1e-9, 0.999),
    "How many members may be found at most (true positive rate), at the share of outsiders accused.",
    CROWD,
)
ADVANTAGE = SliderWithBox(
    "frontier.stat_advantage",
    LimitOn.ADVANTAGE.slider,
    _SHARES,
    0.1,
    (1e-6, 0.99),
    "How many more members may be found than outsiders accused, at most and at any threshold (advantage).",
    CROWD,
)
EPSILON = SliderWithBox(
    "frontier.stat_epsilon",
    LimitOn.EPSILON.slider,
    (0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0, 10.0, 15.0, 20.0),
    1.0,
    (1e-3, 50.0),
    "The largest acceptable ε of differential privacy. Other attackers are held to the advantage that this ε allows.",
)
ALPHA = SliderWithBox(
    "frontier.stat_alpha",
    "careful ← false alarms → bold",
    (*(float(f"{step:g}e{decade}") for decade in range(-6, -1) for step in (1, 2, 5)), 0.1, 0.2, 0.5),
    0.01,
    (1e-9, 0.9),
    "False positive rate α: the share of outsiders whom the attacker wrongly accuses of being in the data.",
)
LIMITS: Mapping[LimitOn, SliderWithBox] = {LimitOn.FOUND: FOUND, LimitOn.ADVANTAGE: ADVANTAGE, LimitOn.EPSILON: EPSILON}
_SCALES = (FOUND, ADVANTAGE, EPSILON, ALPHA)
# What the controls say at first; the sliders know theirs themselves.
START: Mapping[str, object] = {
    "frontier.stat_kind": StatisticKind.MEAN,
    "frontier.stat_people": 10_000.0,
    "frontier.stat_dimensions": 1.0,
    "frontier.stat_bins": 20.0,
    "frontier.stat_spread": 0.25,
    "frontier.stat_neighbours": Adjacency.ADD_REMOVE,
    "frontier.stat_success": LimitOn.FOUND,
    "frontier.stat_delta": 1e-5,
    "frontier.stat_also": [],
    "frontier.stat_error_axis": "log",
}
_KIND_HELP = (
    "mean: of vectors no longer than 1. count: of people with a property. histogram: every person in one bin. "
    "regression coefficient: of y on x, both at most 1, the spread of x known from public data."
)
_PEOPLE_HELP = "How many people the statistic is about, n. Their number is taken for public."
_SPREAD_HELP = "Mean squared length of x, from public data. The less x varies, the more noise is blown up."
_NEIGHBOURS_HELP = (
    "What differential privacy compares. add/remove: one record more or less. replace-one: one record has another "
    "value. Attackers whose notion compares other data sets stand apart."
)
_ALSO_HELP = (
    "Laplace noise: full knowledge, the other usual noise. subset: the radial noise that paper 002's own formulas ask "
    "for, and what the one-swap bound asks for in their place, with the worst data that the statistic allows."
)


@dataclass(frozen=True)
class StatisticSetting:
    """What the view says in this run; ``goal`` is the largest acceptable success, ``log`` is about the errors' axis."""

    asked: Asked
    goal: float
    also: tuple[Extra, ...]
    log: bool

    @property
    def released(self) -> Released:
        """The statistic."""
        return self.asked.statistic

    @property
    def measure(self) -> Measure:
        """How attack success is stated."""
        return self.asked.measure

    @property
    def limit(self) -> Limit:
        """The largest acceptable success, as noise is calibrated to it."""
        if isinstance(self.measure, PowerMeasure):
            return PowerTarget(self.goal, self.measure.alpha)
        if isinstance(self.measure, EpsilonMeasure):
            return EpsilonTarget(self.goal, self.measure.delta)
        return AdvantageTarget(self.goal)


def draw(subject: DeltaGenerator, places: Places, draw_presets: Callable[[], None]) -> StatisticSetting:
    """Draw the controls where the view has places for them."""
    with subject:
        kind = segmented_control(
            "What is released",
            list(StatisticKind),
            default=StatisticKind.MEAN,
            key="frontier.stat_kind",
            help=_KIND_HELP,
            label_visibility="collapsed",
        )
    row = places.limit.container(horizontal=True, vertical_alignment="bottom", gap="small")
    # On a telephone people and limit are below the slider, together.
    slider, beside = row.container(), row.container(horizontal=True, vertical_alignment="bottom", width="content")
    with beside:
        count = whole_box("People, n", "frontier.stat_people", (2, 1e9), 10_000, width=130, help=_PEOPLE_HELP)
    with places.drawer:
        with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
            released = _released(kind, count)
            adjacency = segmented_control(
                "Neighbours",
                [Adjacency.ADD_REMOVE, Adjacency.REPLACE_ONE],
                default=Adjacency.ADD_REMOVE,
                key="frontier.stat_neighbours",
                help=_NEIGHBOURS_HELP,
            )
            on = segmented_control("Limit on", list(LIMITS), default=LimitOn.FOUND, key="frontier.stat_success")
            draw_presets()
        exact, rate = st.container(), st.container()
        with exact:  # before the sliders, which rest while their boxes are filled
            view = _draw_view(on)
    with slider:
        LIMITS[on].draw_slider()
    with rate:
        measure = _measure(on)
    with beside:
        limits.draw_my_limit(
            lambda limit: measure == PowerMeasure(limit.alpha) and FOUND.value() == limit.found, _use_limit
        )
    return StatisticSetting(Asked(released, measure, adjacency), LIMITS[on].value(), *view)


def _draw_view(on: LimitOn) -> tuple[tuple[Extra, ...], bool]:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        with st.container(width=200):
            LIMITS[on].draw_box("Exact limit" if on is LimitOn.EPSILON else "Exact limit, as a share")
        if on is LimitOn.FOUND:
            with st.container(width=200):
                ALPHA.draw_box("Exact false alarms")
        also = st.pills(
            "Also drawn",
            list(Extra),
            selection_mode="multi",
            key="frontier.stat_also",
            bind="query-params",
            help=_ALSO_HELP,
        )
        scale = segmented_control("Axis of the error", ["log", "linear"], default="log", key="frontier.stat_error_axis")
    return tuple(map(Extra, also)), scale == "log"


def _released(kind: StatisticKind, people: int) -> Released:
    """The statistic with its sizes; boxes hold floats because one of whole numbers raises when a URL says infinity."""
    makers: dict[StatisticKind, Callable[[int], Released]] = {
        StatisticKind.MEAN: lambda n: Mean(n, _dimensions()),
        StatisticKind.COUNT: Count,
        StatisticKind.HISTOGRAM: lambda n: Histogram(
            n, whole_box("Bins", "frontier.stat_bins", (2, 1e5), 20, width=120)
        ),
        StatisticKind.REGRESSION: _regression,
    }
    return makers[kind](people)


def _regression(people: int) -> Released:
    dimensions = _dimensions()
    spread = number_box(
        "Spread of x", "frontier.stat_spread", (1e-4, 1.0), 0.25, step=0.05, width=120, help=_SPREAD_HELP
    )
    return RegressionCoefficient(people, dimensions, spread)


def _dimensions() -> int:
    words = "How many numbers per person. An unknown direction hides a record the better the more there are."
    return whole_box("Dimensions, d", "frontier.stat_dimensions", (1, 1e6), 1, width=130, help=words)


def _measure(on: LimitOn) -> Measure:
    """What the limit is on, with the number that goes with it."""
    if on is LimitOn.ADVANTAGE:
        return AdvantageMeasure()
    if on is LimitOn.FOUND:
        with st.container(width=320):
            ALPHA.draw_slider()
        return PowerMeasure(ALPHA.value())
    return EpsilonMeasure(number_box("Delta", "frontier.stat_delta", (1e-12, 0.1), 1e-5, step=1e-6, width=130))


def _use_limit(limit: RailLimit) -> None:
    """Hold the attacks to the visitor's limit. For a button's ``on_click``."""
    address.put_all(
        {"frontier.stat_success": LimitOn.FOUND, **FOUND.state_of(limit.found), **ALPHA.state_of(limit.alpha)}, {}
    )


def use(values: Mapping[str, object]) -> None:
    """Set every control: those in ``values``, and the others to where they start. For a button's ``on_click``."""
    sliders = {key: value for scale in _SCALES for key, value in scale.state_of(scale.default).items()}
    starts = {**START, **sliders}
    address.put_all({**starts, **values}, starts)
