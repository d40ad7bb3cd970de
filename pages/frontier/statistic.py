"""A released statistic: what its protection costs under each assumption about the attacker, in closed form."""

from collections.abc import Mapping
from functools import partial
from time import perf_counter

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from numerics.calibration import UnreachableError
from numerics.frontier import (
    AdvantageMeasure,
    Count,
    EpsilonMeasure,
    Frontier,
    Histogram,
    Mean,
    Measure,
    Notion,
    PowerMeasure,
    RegressionCoefficient,
    Statistic,
)
from numerics.frontier.notions import FrontierQuestion
from numerics.frontier.releases import Choice, Release, Survey, WholeHistogram
from numerics.mechanisms import Adjacency, Gaussian
from pages.frontier import limits, screen
from pages.frontier import statistic_answer as answers
from pages.frontier import statistic_formulas as formulas
from pages.frontier.limits import LimitOn, RailLimit
from pages.frontier.screen import Answer, Places
from pages.frontier.statistic_answer import Extra, StatisticSetting, number
from pages.ui import address, downloads, sheet_fields
from pages.ui.controls import SliderWithBox, number_box, segmented_control, whole_box
from pages.ui.numbers_in_words import CROWD, rounded_up
from pages.ui.skipped import error_boundary

_STEPS = (1, 1.5, 2, 3, 4, 5, 6, 8)
_RATES = tuple(float(f"{step:g}e{decade}") for decade in (-3, -2) for step in _STEPS)
_SHARES = (*_RATES, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
# The values are the labels, and the values in the URL.
_MEAN, _COUNT, _HISTOGRAM, _REGRESSION = "mean", "count", "histogram", "regression coefficient"
KINDS = (_MEAN, _COUNT, _HISTOGRAM, _REGRESSION)
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
    "frontier.stat_kind": _MEAN,
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
# Questions that somebody has, what is released, and the controls that ask it.
EXAMPLES: Mapping[str, tuple[str, Mapping[str, object]]] = {
    "A count in a town": (
        "How many of 30,000 people have a disease, ε at most 1.",
        {
            "frontier.stat_kind": _COUNT,
            "frontier.stat_people": 30_000.0,
            "frontier.stat_success": LimitOn.EPSILON,
            "frontier.stat_epsilon": 1.0,
        },
    ),
    "Ages in a survey": (
        "A histogram of 2,000 people in 20 age groups, an advantage of at most 10 %.",
        {
            "frontier.stat_kind": _HISTOGRAM,
            "frontier.stat_people": 2000.0,
            "frontier.stat_success": LimitOn.ADVANTAGE,
        },
    ),
    "A mean gradient": (
        "One mean of 400 clipped gradients with 1,000 parameters: the other records hide a record only in part.",
        {
            "frontier.stat_people": 400.0,
            "frontier.stat_dimensions": 1000.0,
            "frontier.stat_success": LimitOn.ADVANTAGE,
            "frontier.stat_neighbours": Adjacency.REPLACE_ONE,
        },
    ),
    "Dose and response": (
        "The slope of a response on a dose in a trial with 500 people.",
        {
            "frontier.stat_kind": _REGRESSION,
            "frontier.stat_people": 500.0,
            "frontier.stat_success": LimitOn.FOUND,
            "frontier.stat_found": 0.04,
        },
    ),
}
_ASSUMED = (
    "Everybody is in one bin, has one answer, and speaks for any of the candidates. Full knowledge, one release. The "
    "histogram and the choice compare the chosen neighbours, and a replaced person moves two bins; answers are always "
    "those of one person or another, as nobody else sees the true one. Errors are from the noise alone: the expected "
    "largest of all bins; the standard deviation of the unbiased share where it is largest; and how many people fewer "
    "than for the best speak for what is chosen, expected, at the counts where that is most."
)


def draw(subject: DeltaGenerator) -> None:
    """Draw the view."""
    places = screen.places("Neighbours, sizes, false alarms, other noise, axis")
    setting = draw_controls(subject, places)
    if setting.goal <= setting.measure.guessing:
        places.answer.warning(
            f"The limit must be above {setting.measure.guessing:g}, which guessing finds: allow more, or lower the "
            "false alarms.",
            icon=":material/block:",
        )
        return
    with error_boundary("answer for this statistic"):
        started = perf_counter()
        found, refused = answers.at_limit(setting)
        drawn, said = answers.drawn(setting, found), answers.said(setting, found)
        screen.draw_said(places.answer, said)
        lines = answers.lines(setting, drawn)
        panels = answers.panels(setting, drawn, lines)
        screen.draw_panels(places.figures, panels)
        parameters = formulas.parameters(setting)
        answer = Answer(
            said,
            "noise-frontier",
            panels[0].figure,
            formulas.snippet(setting),
            parameters,
            partial(answers.lines_table, lines, parameters),
            formulas.formulas(setting),
            formulas.assumptions(setting),
            [line.bound for line in lines],
            perf_counter() - started,
            # Of the noise that full knowledge asks for: it keeps the limit against everybody.
            on_sheet=(
                f"{setting.released.label}, {answers.noise(found[Notion.FULL])}",
                (
                    *sheet_fields.assumptions(Gaussian(1.0, adjacency=setting.asked.adjacency)),
                    formulas.assumptions(setting)[0],
                ),
                "Across: the attack success permitted. Up: the error from the noise.",
            ),
        )
        screen.draw_rest(places.rest, answer, lambda: _draw_more(setting, found, refused))


def _draw_more(setting: StatisticSetting, found: dict[Notion, Frontier], refused: dict[Notion, str]) -> None:
    for notion, why in refused.items():
        st.caption(f"**{notion.capitalize()}:** {why}")
    if words := answers.apart(setting, found):
        st.caption(words)
    with st.expander("Every way to set the noise, side by side"):
        st.table(answers.table(setting, found), hide_index=True)
        st.caption(
            "Noise is on the sum: a standard deviation, or the scale b. People needed: from so many on, the noise "
            f"costs no more than sampling does; practically free: no more than {100.0 * answers.FREE:g} % of that. "
            "Rows of other neighbours answer other questions."
        )
    with st.expander("The same limit for whole counts, answers that people blur themselves, and a choice"):
        _draw_other_releases(setting)
    with st.expander("Solve for: this error is acceptable, what can the attacks then reach?"):
        sampling, unit = setting.released.sampling_error, setting.released.unit
        start = f"the sampling error, {number(sampling)}"
        label = f"Error I accept — {unit}"
        entered = number_box(label, "frontier.stat_error", (1e-12, 1e12), None, unset=start, width=300)
        error = sampling if entered is None else entered
        st.markdown(f"**If the noise may cost {number(error)} {unit}:**")
        header = {"released": setting.released.label, "error": repr(error), "measure": setting.measure.label}
        _draw_table(answers.reached(setting, error), "error-accepted.csv", header)


def _draw_other_releases(setting: StatisticSetting) -> None:
    """Draw the same limit for releases that are no sum with Gaussian noise, with the sizes that they have."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        bins = whole_box("Bins of whole counts", "frontier.stat_whole_bins", (2, 1e5), 20, width=170)
        choices = whole_box("Answers to choose from", "frontier.stat_answers", (2, 1e5), 2, width=170)
        candidates = whole_box("Candidates", "frontier.stat_candidates", (2, 1e5), 10, width=170)
    people, adjacency = setting.released.people, setting.asked.adjacency
    releases: dict[str, Release] = {
        f"whole counts in {bins:,} bins": WholeHistogram(people, bins, adjacency),
        f"the share with one of {choices:,} answers": Survey(people, choices),
        f"a choice among {candidates:,}": Choice(people, candidates, adjacency),
    }
    rows = []
    for words, release in releases.items():
        try:
            kept = answers.kept(release, setting.limit)
        except UnreachableError as reason:
            noise, error = str(reason), "—"
        else:
            noise, error = rounded_up(kept.mechanism.noise_multiplier), number(kept.error)
        rows.append((words, release.mechanism().name, noise, error, release.unit))
    limit = limits.words(setting.limit).full
    st.markdown(f"**For {limit}:**")
    names = "released", "mechanism", "noise, 1/ε", "off by", "counted in"
    columns = {name: list(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)}
    header = {"limit": limit, "people": str(people), "assumed": _ASSUMED}
    _draw_table(columns, "other-releases.csv", header, _ASSUMED)


def _draw_table(columns: dict[str, list[str]], name: str, header: dict[str, str], caption: str = "") -> None:
    st.table(columns, hide_index=True)
    if caption:
        st.caption(caption)
    downloads.button("Data (CSV)", name, lambda: downloads.table(columns, header))


def draw_controls(subject: DeltaGenerator, places: Places) -> StatisticSetting:
    """Draw the controls where the view has places for them."""
    with subject:
        kind = segmented_control(
            "What is released",
            KINDS,
            default=_MEAN,
            key="frontier.stat_kind",
            help=_KIND_HELP,
            label_visibility="collapsed",
        )
    row = places.limit.container(horizontal=True, vertical_alignment="bottom", gap="small")
    # On a telephone people and limit are below the slider, together.
    slider, beside = row.container(), row.container(horizontal=True, vertical_alignment="bottom", width="content")
    with beside:
        people = whole_box("People, n", "frontier.stat_people", (2, 1e9), 10_000, width=130, help=_PEOPLE_HELP)
    with places.drawer:
        with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
            released = _released(kind, people)
            adjacency = segmented_control(
                "Neighbours",
                [Adjacency.ADD_REMOVE, Adjacency.REPLACE_ONE],
                default=Adjacency.ADD_REMOVE,
                key="frontier.stat_neighbours",
                help=_NEIGHBOURS_HELP,
            )
            on = segmented_control("Limit on", list(LIMITS), default=LimitOn.FOUND, key="frontier.stat_success")
            _draw_examples()
        exact, rate = st.container(), st.container()
        with exact, st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
            # Boxes before the sliders, which rest while their boxes are filled.
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
            scales = ["log", "linear"]
            scale = segmented_control("Axis of the error", scales, default="log", key="frontier.stat_error_axis")
    with slider:
        LIMITS[on].draw_slider()
    with rate:
        measure = _measure(on)
    with beside:
        limits.draw_my_limit(
            lambda limit: measure == PowerMeasure(limit.alpha) and FOUND.value() == limit.found, _use_limit
        )
    asked = FrontierQuestion(released, measure, adjacency)
    return StatisticSetting(asked, LIMITS[on].value(), tuple(map(Extra, also)), scale == "log")


def _released(kind: str, people: int) -> Statistic:
    """The statistic with its sizes."""
    if kind == _COUNT:
        return Count(people)
    if kind == _HISTOGRAM:
        return Histogram(people, whole_box("Bins", "frontier.stat_bins", (2, 1e5), 20, width=120))
    words = "How many numbers per person. An unknown direction hides a record the better the more there are."
    dimensions = whole_box("Dimensions, d", "frontier.stat_dimensions", (1, 1e6), 1, width=130, help=words)
    if kind == _MEAN:
        return Mean(people, dimensions)
    spread = number_box(
        "Spread of x", "frontier.stat_spread", (1e-4, 1.0), 0.25, step=0.05, width=120, help=_SPREAD_HELP
    )
    return RegressionCoefficient(people, dimensions, spread)


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


def _draw_examples() -> None:
    """Draw the examples, folded away; one sets every control, those that it says nothing of to where they start."""
    fold = st.popover("Examples", key="frontier.examples", on_change="rerun")
    if not fold.open:
        return
    for name, (words, values) in EXAMPLES.items():
        fold.button(name, help=words, on_click=_use_example, args=(values,), width="stretch")


def _use_example(values: Mapping[str, object]) -> None:
    starts = {**START, **{key: value for one in _SCALES for key, value in one.state_of(one.default).items()}}
    address.put_all({**starts, **values}, starts)
    st.session_state["frontier.examples"] = False  # what is set lies below the buttons
