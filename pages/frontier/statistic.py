"""A released statistic: what its protection costs under each assumption about the attacker, in closed form."""

from functools import partial
from time import perf_counter

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from numerics.calibration import UnreachableError
from numerics.frontier import (
    Choice,
    Count,
    Histogram,
    Mean,
    PowerMeasure,
    RegressionCoefficient,
    Release,
    Statistic,
    Survey,
    WholeHistogram,
)
from numerics.frontier.notions import FrontierQuestion
from numerics.mechanisms import Adjacency
from pages.frontier import own_table, screen
from pages.frontier import statistic_answer as answers
from pages.frontier import statistic_formulas as formulas
from pages.frontier.screen import Places, Recommendation
from pages.frontier.statistic_answer import StatisticAnswer, number
from pages.ui import downloads, sheet_fields
from pages.ui.controls import number_box, segmented_control, whole_box
from pages.ui.numbers_in_words import rounded_up
from pages.ui.share import Shared
from pages.ui.skipped import error_boundary
from plotting import theme
from reports.rounding import capitalised
from reports.sheet import Sheet, Standing, fields

# The values are the labels, and the values in the URL.
_MEAN, _COUNT, _HISTOGRAM, _REGRESSION = "mean", "count", "histogram", "regression coefficient"
KINDS = (_MEAN, _COUNT, _HISTOGRAM, _REGRESSION)
_KIND_HELP = (
    "mean: of vectors no longer than 1. count: of people with a property. histogram: every person in one bin. "
    "regression coefficient: of y on x, both at most 1, the spread of x known from public data."
)
_PEOPLE_HELP = "How many people the statistic is about, n. Their number is taken for public."
_DIMENSIONS_HELP = "How many numbers per person. An unknown direction hides a record the better the more there are."
_SPREAD_HELP = "Mean squared length of x, from public data. The less x varies, the more noise is blown up."
_NEIGHBOURS_HELP = (
    "What differential privacy compares. add/remove: one record more or less. replace-one: one record has another "
    "value. Attackers whose notion compares other data sets stand apart."
)
_SIDE_BY_SIDE = (
    "Noise is on the sum: a standard deviation, or the scale b. People needed: from so many on, the noise costs no "
    f"more than sampling does; practically free: no more than {100.0 * answers.FREE:g} % of that. Rows of other "
    "neighbours answer other questions."
)
_ASSUMED = (
    "Everybody is in one bin, has one answer, and speaks for any of the candidates. Full knowledge, one release. The "
    "histogram and the choice compare the chosen neighbours, and a replaced person moves two bins; answers are always "
    "those of one person or another, as nobody else sees the true one. Errors are from the noise alone: the expected "
    "largest of all bins; the standard deviation of the unbiased share where it is largest; and how many people fewer "
    "than for the best speak for what is chosen, expected, at the counts where that is most."
)
_CAPTION = "Across: members found, at most. Up: the error from the noise."


def draw(subject: DeltaGenerator) -> None:
    """Draw the view."""
    places = Places.empty()
    with subject:
        kind = st.selectbox(
            "What is released",
            KINDS,
            key="frontier.stat_kind",
            bind="query-params",
            help=_KIND_HELP,
            label_visibility="collapsed",
            width=190,
        )
        look = {"width": 145, "label_visibility": "collapsed", "icon": ":material/groups:"}
        people = whole_box("People, n", "frontier.stat_people", (2, 1e9), 10_000, _PEOPLE_HELP, **look)
    fold = places.rest.expander("Sizes and neighbours", type="compact")
    with fold, st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        released = _released(kind, people)
        neighbours = [Adjacency.ADD_REMOVE, Adjacency.REPLACE_ONE]
        adjacency = segmented_control(
            "Neighbours", neighbours, default=neighbours[0], key="frontier.stat_neighbours", help=_NEIGHBOURS_HELP
        )
    held = places.draw_limit()
    if held is None:
        return
    with error_boundary("answer for this statistic"):
        started = perf_counter()
        answer = StatisticAnswer(FrontierQuestion(released, PowerMeasure(held.alpha), adjacency), held)
        said = answers.said(answer)
        places.draw_said(said)
        panels, lines = answers.panels(answer), answers.lines(answer)
        places.draw_panels(panels)
        seconds = perf_counter() - started
        parts = {
            "every attacker": partial(_draw_attackers, answer),
            "whole counts, answers, a choice": partial(_draw_other_releases, answer),
            "an error I accept": partial(_draw_accepted, answer),
            "a table of my own": partial(own_table.draw, held),
        }
        bounds = [line.bound for line in lines]
        table = partial(answers.lines_table, lines, formulas.parameters(answer))
        sheet = partial(_sheet, answer, said, panels[0].figure)
        places.draw_rest(
            said,
            ("frontier.stat_more", parts),
            (formulas.formulas(answer), formulas.assumptions(answer), bounds, seconds),
            Shared("noise-frontier", formulas.snippet(answer), table, sheet=sheet),
        )
        places.draw_motion(held, partial(answers.states, answer.asked))


def _released(kind: str | None, people: int) -> Statistic:
    """The statistic with its sizes."""
    if kind == _COUNT:
        return Count(people)
    if kind == _HISTOGRAM:
        return Histogram(people, whole_box("Bins", "frontier.stat_bins", (2, 1e5), 20, width=120))
    dimensions = whole_box("Dimensions, d", "frontier.stat_dimensions", (1, 1e6), 1, _DIMENSIONS_HELP, width=130)
    if kind != _REGRESSION:
        return Mean(people, dimensions)
    spread = number_box("Spread of x", "frontier.stat_spread", (1e-4, 1.0), 0.25, _SPREAD_HELP, step=0.05, width=120)
    return RegressionCoefficient(people, dimensions, spread)


def _draw_attackers(answer: StatisticAnswer) -> None:
    st.table(answers.table(answer), hide_index=True)
    st.caption(_SIDE_BY_SIDE)
    for notion, why in answer.refused.items():
        st.caption(f"**{notion.capitalize()}:** {why}")


def _draw_other_releases(answer: StatisticAnswer) -> None:
    """Draw the same limit for releases that are no sum with Gaussian noise, with the sizes that they have."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        bins = whole_box("Bins of whole counts", "frontier.stat_whole_bins", (2, 1e5), 20, width=170)
        choices = whole_box("Answers to choose from", "frontier.stat_answers", (2, 1e5), 2, width=170)
        candidates = whole_box("Candidates", "frontier.stat_candidates", (2, 1e5), 10, width=170)
    people, adjacency = answer.released.people, answer.asked.adjacency
    releases: dict[str, Release] = {
        f"whole counts in {bins:,} bins": WholeHistogram(people, bins, adjacency),
        f"the share with one of {choices:,} answers": Survey(people, choices),
        f"a choice among {candidates:,}": Choice(people, candidates, adjacency),
    }
    rows = []
    for words, release in releases.items():
        try:
            kept = answers.kept(release, answer.limit.target)
        except UnreachableError as reason:
            noise, error = str(reason), "—"
        else:
            noise, error = rounded_up(kept.mechanism.noise_multiplier), number(kept.error)
        rows.append((words, release.mechanism().name, noise, error, release.unit))
    st.markdown(f"**For {answer.limit.full}:**")
    names = "released", "mechanism", "noise, 1/ε", "off by", "counted in"
    columns = {name: list(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)}
    header = {"limit": answer.limit.full, "people": str(people), "assumed": _ASSUMED}
    _draw_table(columns, "other-releases.csv", header, _ASSUMED)


def _draw_accepted(answer: StatisticAnswer) -> None:
    """Draw the inverse: an error that is accepted, and what the attacks then reach."""
    sampling, unit = answer.released.sampling_error, answer.released.unit
    start = f"the sampling error, {number(sampling)}"
    entered = number_box(f"Error I accept — {unit}", "frontier.stat_error", (1e-12, 1e12), None, unset=start, width=300)
    error = sampling if entered is None else entered
    st.markdown(f"**If the noise may cost {number(error)} {unit}:**")
    header = {"released": answer.released.label, "error": repr(error), "measure": answer.asked.measure.label}
    _draw_table(answers.reached(answer, error), "error-accepted.csv", header)


def _draw_table(columns: dict[str, list[str]], name: str, header: dict[str, str], caption: str = "") -> None:
    st.table(columns, hide_index=True)
    if caption:
        st.caption(caption)
    downloads.button("Data (CSV)", name, lambda: downloads.table(columns, header))


def _sheet(answer: StatisticAnswer, said: Recommendation, figure: theme.Figure, link: str) -> Sheet:
    """The sheet of the noise that full knowledge asks for, which keeps the limit against everybody."""
    choice = answers.release(answer)
    return Sheet(
        about="statistic with noise",
        subject=f"{answer.released.label}, {answers.noise(answer.full)}",
        standing=Standing.WITHIN,
        verdict=said.sentence,
        facts=(("Limit", f"{capitalised(answer.limit.full)}."), *said.facts),
        rests_on=(*sheet_fields.assumptions(choice.mechanism), formulas.assumptions(answer)[0]),
        figure=screen.on_sheet(figure, _CAPTION),
        settings=tuple(formulas.parameters(answer).items()),
        numbers=sheet_fields.summary_or_why(choice),
        evidence=answers.promises(answer),
        fields=fields(sheet_fields.known(choice) | {"mechanism": answers.mechanism(answer)}),
        code=formulas.snippet(answer),
        address=link,
    )
