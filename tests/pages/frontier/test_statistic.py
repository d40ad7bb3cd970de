"""The view on released statistics: what it says, its inverse, its examples, its downloads, and its public addresses."""

import contextlib
import io
import re
from dataclasses import replace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from numerics.frontier import Advantage, Count, Epsilon, Found, Histogram, Mean, Measure, Notion, RegressionCoefficient
from numerics.frontier import Statistic as Released
from numerics.mechanisms import Adjacency
from numerics.trade_off import Bound
from pages.frontier.statistic import answers as statistic_answers
from pages.frontier.statistic import cached
from pages.frontier.statistic import controls as statistic_setting
from pages.frontier.statistic import figures as statistic_figures
from pages.frontier.statistic import formulas as statistic_formulas
from pages.frontier.statistic import presets as statistic_examples
from pages.frontier.statistic import solve_for as statistic_solve
from pages.frontier.statistic.cached import Asked
from pages.frontier.statistic.controls import ADVANTAGE, ALPHA, EPSILON, FOUND, Also, Kind, StatisticSetting, Success
from tests.pages.visit import visited

SECONDS = 60  # the first run imports Plotly on a busy machine
SCRIPT = """
import streamlit as st
from pages.ui import page_state
from pages.frontier.statistic import view as statistic
page_state.restore(statistic.KEYS)
statistic.draw(st.container())
page_state.note(statistic.KEYS)
"""
MEASURES: tuple[tuple[Measure, float], ...] = ((Found(0.01), 0.04), (Advantage(), 0.1), (Epsilon(1e-5), 1.0))
STATISTICS = (Mean(10_000), Count(10_000), Histogram(2000, 20), RegressionCoefficient(500, 3))


def page(**query: str | list[str]) -> AppTest:
    return visited(AppTest.from_string(SCRIPT, default_timeout=SECONDS), query)


def setting(
    released: Released, measure: Measure, goal: float, adjacency: Adjacency = Adjacency.ADD_REMOVE
) -> StatisticSetting:
    return StatisticSetting(Asked(released, measure, adjacency), goal, tuple(Also), True)


def headline(app: AppTest) -> str:
    return next(str(block.value) for block in app.markdown if str(block.value).startswith("## "))


def test_headline_says_which_noise_to_choose_and_what_it_costs() -> None:
    app = page()
    assert headline(app) == (
        "## For at most 400 of 10,000 found, choose noise **1.74**: a mean over 10,000 people is off by "
        "**0.000174**, **1.74 %** of the sampling error. :green-badge[exact]"
    )
    below = next(str(block.value) for block in app.markdown if "ractically free" in str(block.value))
    assert "Practically free, as from **302** people on (below 10 % of the sampling error)." in below
    assert "Record unknown: noise **1.22**." in below
    assert any(str(block.value).startswith("Apart: **other records unknown**") for block in app.caption)
    assert len(app.get("plotly_chart")) == 2
    assert not app.warning
    state = app.session_state
    start = dict(statistic_setting.START) | {scale.key: scale.default for scale in (FOUND, ALPHA)}
    shown = {key: value for key, value in start.items() if key in state}
    assert {key: state[key] for key in shown} == shown


def test_names_in_addresses_and_their_defaults_are_pinned() -> None:
    """Public formats: values that are left out of the address because they are the defaults."""
    assert list(Kind) == ["mean", "count", "histogram", "regression coefficient"]
    assert list(Success) == ["members found", "advantage", "ε"]
    assert list(Also) == ["Laplace noise", "subset: sharp bound", "subset: paper 002"]
    start = dict(statistic_setting.START)
    pinned = {"stat_kind": "mean", "stat_people": 1e4, "stat_dimensions": 1.0, "stat_bins": 20.0, "stat_spread": 0.25}
    pinned |= {"stat_neighbours": "add/remove", "stat_success": "members found", "stat_delta": 1e-5}
    assert start == pinned | {"stat_also": [], "stat_error_axis": "log"}
    assert [scale.default for scale in (FOUND, ADVANTAGE, EPSILON, ALPHA)] == [0.04, 0.1, 1.0, 0.01]


@pytest.mark.parametrize(
    "query",
    [
        {"stat_kind": "count", "stat_success": "ε", "stat_epsilon_exact": "50", "stat_neighbours": "replace-one"},
        {"stat_kind": "histogram", "stat_bins": "100000", "stat_success": "advantage", "stat_also": list(Also)},
        {"stat_people": "2", "stat_kind": "regression coefficient", "stat_dimensions": "1e6", "stat_error": "1e-12"},
        {"stat_people": "inf", "stat_found_exact": "0.999", "stat_alpha_exact": "1e-9", "stat_kind": "nonsense"},
        {"stat_people": "1e9", "stat_success": "advantage", "stat_advantage_exact": "1e-6", "stat_error": "1e12"},
    ],
    ids=str,
)
def test_every_corner_has_an_answer(query: dict[str, str | list[str]]) -> None:
    app = page(**query)
    assert "choose noise" in headline(app)
    assert "off by" in headline(app)
    assert "nan" not in headline(app)


def test_a_limit_below_guessing_is_refused_in_words() -> None:
    app = page(stat_found_exact="0.005")
    assert "must be above 0.01" in app.warning[0].value
    assert not [block for block in app.markdown if str(block.value).startswith("## ")]


def test_weak_limits_are_said_to_be_weak() -> None:
    assert "protects little" in statistic_answers.weakness(setting(Mean(10), Found(0.01), 0.8))
    assert statistic_answers.weakness(setting(Mean(10), Epsilon(1e-5), 11.0)).startswith("**An ε of 11")
    assert statistic_answers.weakness(setting(Mean(10), Advantage(), 0.4)) == ""


def test_estimates_are_called_so_in_the_table() -> None:
    asked = setting(Mean(10), Found(0.01), 0.5)
    table = statistic_answers.table(asked, statistic_answers.answers(asked))
    assert table["kind"][table["attacker"].index("other records unknown")] == Bound.ESTIMATE


def test_a_count_says_why_an_unknown_record_saves_nothing() -> None:
    asked = setting(Count(100), Found(0.01), 0.5)
    found = statistic_answers.answers(asked)
    (said,) = statistic_answers.without_answer(found)
    assert said.startswith("**Record unknown:** a person can only raise a count")
    assert "full knowledge's noise is enough" in said


@pytest.mark.parametrize(("measure", "goal"), MEASURES, ids=str)
@pytest.mark.parametrize("released", STATISTICS, ids=str)
def test_snippet_prints_the_numbers_of_the_page(released: Released, measure: Measure, goal: float) -> None:
    asked = setting(released, measure, goal)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(statistic_formulas.snippet(asked), {})
    for answer in statistic_answers.answers(asked):
        if answer.found is not None:
            needed = cached.people_needed(asked.asked, answer.notion, goal)
            noise, error = answer.found.scale.item(), answer.found.error.item()
            line = f"{answer.notion}: noise {noise!r}, error {error!r}, "
            assert f"{line}people needed {needed}\n" in printed.getvalue()
    assert repr(released.sampling_error) in printed.getvalue()


def test_accepted_error_is_answered_by_the_inverse() -> None:
    app = page(stat_error="0.000174")
    table = app.table[-1].value
    assert float(table["reaches at most"].iloc[0]) == pytest.approx(0.04, rel=5e-3)
    assert "members found while 100 of 10,000" in table["in words"].iloc[0]


@pytest.mark.parametrize(("measure", "goal"), MEASURES, ids=str)
def test_reached_success_is_said_in_words(measure: Measure, goal: float) -> None:
    assert re.search(r"\d", statistic_solve.in_words(measure, goal, Notion.FULL))
    assert statistic_solve.in_words(measure, float("inf") if isinstance(measure, Epsilon) else 1.0, Notion.FULL)
    other = statistic_solve.in_words(measure, goal, Notion.RECORD)
    assert ("of Gaussian noise" in other) is isinstance(measure, Epsilon)


def test_examples_set_what_they_say_and_nothing_else_stays() -> None:
    app = page(stat_kind="count", stat_people="77", stat_found_exact="0.3", stat_neighbours="replace-one")
    for example in statistic_examples.EXAMPLES:
        (button,) = (button for button in app.button if button.label == example.name)
        button.click().run()
        assert not app.exception
        assert {key: app.session_state[key] for key in example.values} == dict(example.values)
        assert app.session_state["stat_neighbours"] == example.values.get("stat_neighbours", "add/remove")
        assert app.session_state["stat_people"] == example.values["stat_people"]


def test_figures_and_file_hold_the_same_lines() -> None:
    asked = setting(Mean(10_000), Found(0.01), 0.04)
    found = statistic_answers.answers(asked)
    lines = statistic_figures.lines(asked, statistic_answers.drawn(asked, found))
    assert [line.label for line in lines] == [notion.value for notion in BESIDE[Adjacency.ADD_REMOVE]]
    rows = [
        row for row in statistic_figures.lines_table(lines, {"limit": "0.04"}).splitlines() if not row.startswith("#")
    ]
    assert len(rows) == 1 + sum(len(line.across) for line in lines)
    assert rows[1].split(",")[0] == "full knowledge"
    assert float(rows[1].split(",")[-1]) == lines[0].error[0]


BESIDE: dict[Adjacency, list[Notion]] = {
    Adjacency.ADD_REMOVE: [Notion.FULL, Notion.FULL_LAPLACE, Notion.RECORD, Notion.SUBSET],
    Adjacency.REPLACE_ONE: [one for one in Notion if one is not Notion.RECORD],
}


@pytest.mark.parametrize("adjacency", Adjacency)
def test_what_stands_beside_full_knowledge_compares_the_same_neighbours(adjacency: Adjacency) -> None:
    """In the figures, the sentence, the metrics and the answer to the inverse question; and nobody costs more."""
    asked = setting(Mean(10_000, 3), Advantage(), 0.1, adjacency)
    found = statistic_answers.answers(asked)
    drawn = statistic_answers.drawn(asked, found)
    assert [answer.notion for answer in drawn] == BESIDE[adjacency]
    said = statistic_answers.answer(asked, found).verdict
    assert ("Record unknown:" in said) == (adjacency is Adjacency.ADD_REMOVE)
    assert ("Other records unknown:" in said) == (adjacency is Adjacency.REPLACE_ONE)
    undefined = [words for words in statistic_answers.without_answer(found) if words.startswith("**Record unknown:**")]
    assert bool(undefined) == (adjacency is Adjacency.REPLACE_ONE)
    assert [notion for notion in Notion if statistic_solve._row(asked, notion, 1e-4)] == BESIDE[adjacency]
    full = drawn[0].error
    own = (Notion.RECORD, Notion.SUBSET, Notion.OTHERS)
    assert all(answer.error <= full for answer in drawn if answer.notion in own)


@pytest.mark.parametrize("notion", [Notion.SUBSET_SHARP, Notion.SUBSET_PAPER, Notion.OTHERS])
def test_a_weaker_attacker_that_costs_more_says_why_at_once(notion: Notion) -> None:
    """With two people in many dimensions the others hide nobody, and a replaced record moves the sum twice as far."""
    asked = setting(Mean(2, 1000), Found(0.01), 0.04)
    found = statistic_answers.answers(asked)
    full, dear = (next(one for one in found if one.notion is which) for which in (Notion.FULL, notion))
    assert dear.error > full.error
    said = statistic_answers.answer(asked, found).reason
    assert f"{notion.capitalize()} costs more, {statistic_answers.number(dear.error)}: " in said
    quiet = setting(Mean(10_000), Found(0.01), 0.04)
    without = StatisticSetting(quiet.asked, quiet.goal, (), True)
    assert statistic_answers.reason(without, statistic_answers.answers(without)) == ""


@pytest.mark.parametrize(("measure", "goal"), MEASURES, ids=str)
@pytest.mark.parametrize("released", STATISTICS, ids=str)
def test_free_is_said_exactly_from_the_people_on_from_whom_noise_is_a_tenth(
    released: Released, measure: Measure, goal: float
) -> None:
    people = cached.people_needed(Asked(released, measure, Adjacency.ADD_REMOVE), Notion.FULL, goal, 0.1)
    assert people is not None
    for count, is_free in ((people, True), (people - 1, False)):
        asked = setting(replace(released, people=count), measure, goal)
        full = statistic_answers.answers(asked)[0]
        assert (full.error <= 0.1 * asked.released.sampling_error) is is_free
        said = statistic_answers.verdict(asked, full)
        assert f"from **{people:,}** people on" in said
        assert ("as from" in said) is is_free


def test_every_statistic_and_measure_is_explained() -> None:
    for released in STATISTICS:
        for measure, goal in MEASURES:
            asked = setting(released, measure, goal)
            assert len(statistic_formulas.formulas(asked)) == 7
            assert all(statistic_formulas.assumptions(asked))


def test_lines_over_people_pass_through_the_answer() -> None:
    asked = setting(Mean(10_000), Advantage(), 0.1)
    for answer in statistic_answers.answers(asked):
        people, error = cached.by_people(asked.asked, answer.notion, asked.goal)
        if answer.error > 0.0:
            at = np.exp(np.interp(np.log(10_000), np.log(people), np.log(np.maximum(error, 1e-300))))
            # By log-log interpolation; the law itself is a power of n, but for the spread over halves and the others'.
            assert at == pytest.approx(answer.error, rel=0.01)


def test_marks_of_the_second_figure_lie_on_the_sampling_error() -> None:
    """Within what one person more or less changes; the others' noise may vanish before it costs as little."""
    asked = setting(Mean(10_000, 5), Advantage(), 0.01)
    for answer in statistic_answers.answers(asked):
        for mark in statistic_figures.crossing(asked, answer):
            sampling = Mean(int(mark.across), 5).sampling_error
            assert mark.error <= sampling
            if answer.notion is not Notion.OTHERS:
                assert mark.error == pytest.approx(sampling, rel=5 / mark.across)


def test_marks_beyond_the_second_figure_are_left_out() -> None:
    """Two people are enough for this loose limit, and the figure begins at ten."""
    asked = setting(Mean(10_000), Advantage(), 0.9)
    full = next(answer for answer in statistic_answers.answers(asked) if answer.notion is Notion.FULL)
    assert cached.people_needed(asked.asked, Notion.FULL, asked.goal) == 2
    assert not statistic_figures.crossing(asked, full)
