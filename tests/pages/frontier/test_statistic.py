"""Answers on released statistics: names, kinds, words, snippet, figures, and who stands beside full knowledge."""

import contextlib
import io
import re
from dataclasses import replace

import numpy as np
import pytest

from numerics.frontier import (
    AdvantageMeasure,
    Count,
    EpsilonMeasure,
    Histogram,
    Mean,
    Measure,
    Notion,
    PowerMeasure,
    RegressionCoefficient,
)
from numerics.frontier import Statistic as Released
from numerics.mechanisms import Adjacency
from numerics.trade_off import Bound
from pages.frontier.statistic import answers as statistic_answers
from pages.frontier.statistic import cached, controls, presets
from pages.frontier.statistic import figures as statistic_figures
from pages.frontier.statistic import formulas as statistic_formulas
from pages.frontier.statistic import solve_for as statistic_solve
from pages.frontier.statistic.answers import error
from pages.frontier.statistic.cached import Asked
from pages.frontier.statistic.controls import ADVANTAGE, ALPHA, EPSILON, FOUND, Extra, StatisticKind, StatisticSetting
from pages.ui.threat_models import notions

MEASURES: tuple[tuple[Measure, float], ...] = (
    (PowerMeasure(0.01), 0.04),
    (AdvantageMeasure(), 0.1),
    (EpsilonMeasure(1e-5), 1.0),
)
STATISTICS = (Mean(10_000), Count(10_000), Histogram(2000, 20), RegressionCoefficient(500, 3))


def setting(
    released: Released, measure: Measure, goal: float, adjacency: Adjacency = Adjacency.ADD_REMOVE
) -> StatisticSetting:
    return StatisticSetting(Asked(released, measure, adjacency), goal, tuple(Extra), True)


def test_names_in_addresses_and_their_defaults_are_pinned() -> None:
    """Public formats: values that are left out of the address because they are the defaults."""
    assert list(StatisticKind) == ["mean", "count", "histogram", "regression coefficient"]
    assert list(controls.LIMITS) == ["members found", "advantage", "ε"]
    assert list(Extra) == ["Laplace noise", "subset: one-swap bound", "subset: paper 002"]
    start = dict(controls.START)
    pinned = {
        "frontier.stat_kind": "mean",
        "frontier.stat_people": 1e4,
        "frontier.stat_dimensions": 1.0,
        "frontier.stat_bins": 20.0,
        "frontier.stat_spread": 0.25,
    }
    pinned |= {
        "frontier.stat_neighbours": "add/remove",
        "frontier.stat_success": "members found",
        "frontier.stat_delta": 1e-5,
    }
    assert start == pinned | {"frontier.stat_also": [], "frontier.stat_error_axis": "log"}
    assert [scale.default for scale in (FOUND, ADVANTAGE, EPSILON, ALPHA)] == [0.04, 0.1, 1.0, 0.01]


@pytest.mark.parametrize("example", presets.EXAMPLES, ids=lambda example: example.name)
def test_examples_set_controls_that_there_are(example: presets.Example) -> None:
    sliders = {key for scale in (FOUND, ADVANTAGE, EPSILON, ALPHA) for key in scale.state_of(scale.default)}
    assert set(example.values) <= {*controls.START, *sliders}


def test_the_answer_says_which_noise_to_choose_and_what_it_costs() -> None:
    asked = StatisticSetting(Asked(Mean(10_000), PowerMeasure(0.01), Adjacency.ADD_REMOVE), 0.04, (), True)
    found, _ = statistic_answers.at_limit(asked)
    answer = statistic_answers.answer(asked, found)
    assert answer.sentence == (
        "For at most 400 of 10,000 found, choose noise **1.74**: a mean over 10,000 people is off by **0.000174**, "
        "**1.74 %** of the sampling error."
    )
    assert answer.bound is Bound.EXACT
    assert "Practically free, as from **302** people on (below 10 % of the sampling error)." in answer.verdict
    assert "Record unknown: noise **1.22**." in answer.verdict
    assert statistic_answers.apart(asked, found).startswith("Apart: **other records unknown**")


def test_weak_limits_are_said_to_be_weak() -> None:
    assert "protects little" in statistic_answers.weakness(setting(Mean(10), PowerMeasure(0.01), 0.8))
    assert statistic_answers.weakness(setting(Mean(10), EpsilonMeasure(1e-5), 11.0)).startswith("**An ε of 11")
    assert statistic_answers.weakness(setting(Mean(10), AdvantageMeasure(), 0.4)) == ""


def test_estimates_are_called_so_in_the_table() -> None:
    asked = setting(Mean(10), PowerMeasure(0.01), 0.5)
    table = statistic_answers.table(asked, statistic_answers.at_limit(asked)[0])
    assert table["kind"][table["attacker"].index("other records unknown")] == Bound.ESTIMATE


def test_a_count_says_why_an_unknown_record_saves_nothing() -> None:
    asked = setting(Count(100), PowerMeasure(0.01), 0.5)
    _, refused = statistic_answers.at_limit(asked)
    assert list(refused) == [Notion.RECORD]
    assert refused[Notion.RECORD].startswith("a person can only raise a count")
    assert "full knowledge's noise is enough" in refused[Notion.RECORD]


@pytest.mark.parametrize(("measure", "goal"), MEASURES, ids=str)
@pytest.mark.parametrize("released", STATISTICS, ids=str)
def test_snippet_prints_the_numbers_of_the_page(released: Released, measure: Measure, goal: float) -> None:
    asked = setting(released, measure, goal)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(statistic_formulas.snippet(asked), {})
    for notion, cost in statistic_answers.at_limit(asked)[0].items():
        needed = cached.people_needed(asked.asked, notion, goal)
        line = f"{notion}: noise {cost.scale.item()!r}, error {cost.error.item()!r}, "
        assert f"{line}people needed {needed}\n" in printed.getvalue()
    assert repr(released.sampling_error) in printed.getvalue()


@pytest.mark.parametrize(("measure", "goal"), MEASURES, ids=str)
def test_reached_success_is_said_in_words(measure: Measure, goal: float) -> None:
    assert re.search(r"\d", statistic_solve.in_words(measure, goal, Notion.FULL))
    assert statistic_solve.in_words(measure, float("inf") if isinstance(measure, EpsilonMeasure) else 1.0, Notion.FULL)
    other = statistic_solve.in_words(measure, goal, Notion.RECORD)
    assert ("of Gaussian noise" in other) is isinstance(measure, EpsilonMeasure)


BESIDE: dict[Adjacency, list[Notion]] = {
    Adjacency.ADD_REMOVE: [Notion.FULL, Notion.FULL_LAPLACE, Notion.RECORD, Notion.SUBSET],
    Adjacency.REPLACE_ONE: [one for one in Notion if one is not Notion.RECORD],
}


@pytest.mark.parametrize("adjacency", BESIDE)  # the neighbours that the page offers
def test_what_stands_beside_full_knowledge_compares_the_same_neighbours(adjacency: Adjacency) -> None:
    """In the figures, the sentence, the metrics and the answer to the inverse question; and nobody costs more."""
    asked = setting(Mean(10_000, 3), AdvantageMeasure(), 0.1, adjacency)
    found, refused = statistic_answers.at_limit(asked)
    drawn = statistic_answers.drawn(asked, found)
    assert [cost.notion for cost in drawn] == BESIDE[adjacency]
    said = statistic_answers.answer(asked, found).verdict
    assert ("Record unknown:" in said) == (adjacency is Adjacency.ADD_REMOVE)
    assert ("Other records unknown:" in said) == (adjacency is Adjacency.REPLACE_ONE)
    assert (Notion.RECORD in refused) == (adjacency is Adjacency.REPLACE_ONE)
    assert [notion for notion in Notion if statistic_solve._row(asked, notion, 1e-4)] == BESIDE[adjacency]
    full = error(drawn[0])
    own = (Notion.RECORD, Notion.SUBSET, Notion.OTHERS)
    assert all(error(cost) <= full for cost in drawn if cost.notion in own)


@pytest.mark.parametrize("notion", [Notion.SUBSET_SWAP, Notion.SUBSET_PAPER, Notion.OTHERS])
def test_a_weaker_attacker_that_costs_more_says_why_at_once(notion: Notion) -> None:
    """With two people in many dimensions the others hide nobody, and a replaced record moves the sum twice as far."""
    asked = setting(Mean(2, 1000), PowerMeasure(0.01), 0.04)
    found, _ = statistic_answers.at_limit(asked)
    assert error(found[notion]) > error(found[Notion.FULL])
    said = statistic_answers.answer(asked, found).reason
    assert f"{notion.capitalize()} costs more, {statistic_answers.number(error(found[notion]))}: " in said
    quiet = setting(Mean(10_000), PowerMeasure(0.01), 0.04)
    without = StatisticSetting(quiet.asked, quiet.goal, (), True)
    assert statistic_answers.reason(without, statistic_answers.at_limit(without)[0]) == ""


@pytest.mark.parametrize(("measure", "goal"), MEASURES, ids=str)
@pytest.mark.parametrize("released", STATISTICS, ids=str)
def test_free_is_said_exactly_from_the_people_on_from_whom_noise_is_a_tenth(
    released: Released, measure: Measure, goal: float
) -> None:
    people = cached.people_needed(Asked(released, measure, Adjacency.ADD_REMOVE), Notion.FULL, goal, 0.1)
    assert people is not None
    for count, is_free in ((people, True), (people - 1, False)):
        asked = setting(replace(released, people=count), measure, goal)
        full = statistic_answers.at_limit(asked)[0][Notion.FULL]
        assert (error(full) <= 0.1 * asked.released.sampling_error) is is_free
        said = statistic_answers.verdict(asked, full)
        assert f"from **{people:,}** people on" in said
        assert ("as from" in said) is is_free


def test_every_statistic_and_measure_is_explained() -> None:
    for released in STATISTICS:
        for measure, goal in MEASURES:
            asked = setting(released, measure, goal)
            assert len(statistic_formulas.formulas(asked)) == 7
            assert all(statistic_formulas.assumptions(asked))


def test_figures_and_file_hold_the_same_lines() -> None:
    asked = setting(Mean(10_000), PowerMeasure(0.01), 0.04)
    found, _ = statistic_answers.at_limit(asked)
    lines = statistic_figures.lines(asked, statistic_answers.drawn(asked, found))
    models = (notions.FULL, notions.RELAXED, notions.SAMPLE)
    names = [models[0].short, f"{models[0].short}, Laplace noise", models[1].short, models[2].short]
    assert [line.label for line in lines] == names  # as on the page of the attackers
    rows = [
        row for row in statistic_figures.lines_table(lines, {"limit": "0.04"}).splitlines() if not row.startswith("#")
    ]
    assert len(rows) == 1 + sum(len(line.across) for line in lines)
    assert rows[1].split(",")[0] == "all known"
    assert float(rows[1].split(",")[-1]) == lines[0].error[0]


def test_points_of_the_first_figure_say_what_the_attack_reaches() -> None:
    said = [statistic_figures._point(measure) for measure, _ in MEASURES]
    assert all(words in point for words, point in zip(("members found", "more of 10,000", "ε"), said, strict=True))


def test_lines_over_people_pass_through_the_answer() -> None:
    asked = setting(Mean(10_000), AdvantageMeasure(), 0.1)
    for notion, cost in statistic_answers.at_limit(asked)[0].items():
        people, errors = cached.by_people(asked.asked, notion, asked.goal)
        if error(cost) > 0.0:
            at = np.exp(np.interp(np.log(10_000), np.log(people), np.log(np.maximum(errors, 1e-300))))
            # By log-log interpolation; the law itself is a power of n, but for the spread over halves and the others'.
            assert at == pytest.approx(error(cost), rel=0.01)


def test_marks_of_the_second_figure_lie_on_the_sampling_error() -> None:
    """Within what one person more or less changes; the others' noise may vanish before it costs as little."""
    asked = setting(Mean(10_000, 5), AdvantageMeasure(), 0.01)
    for notion in statistic_answers.at_limit(asked)[0]:
        for mark in statistic_figures.crossing(asked, notion):
            sampling = Mean(int(mark.across), 5).sampling_error
            assert mark.error <= sampling
            if notion is not Notion.OTHERS:
                assert mark.error == pytest.approx(sampling, rel=5 / mark.across)


def test_marks_beyond_the_second_figure_are_left_out() -> None:
    """Two people are enough for this loose limit, and the figure begins at ten."""
    asked = setting(Mean(10_000), AdvantageMeasure(), 0.9)
    assert cached.people_needed(asked.asked, Notion.FULL, asked.goal) == 2
    assert not statistic_figures.crossing(asked, Notion.FULL)
