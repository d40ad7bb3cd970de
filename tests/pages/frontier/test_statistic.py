"""The view on released statistics: what it says, its inverse, its examples, and its public addresses."""

import pytest
from streamlit.testing.v1 import AppTest

from pages.frontier.statistic import controls as statistic_setting
from pages.frontier.statistic import presets as statistic_examples
from pages.frontier.statistic.controls import ADVANTAGE, ALPHA, EPSILON, FOUND, Extra, StatisticKind
from tests.pages.visit import addressed, unfold, visited

SECONDS = 60  # the first run imports Plotly on a busy machine
SCRIPT = """
import streamlit as st
from pages.frontier.statistic import view as statistic
statistic.draw(st.container())
"""


def page(**query: str | list[str]) -> AppTest:
    return visited(AppTest.from_string(SCRIPT, default_timeout=SECONDS), addressed("frontier", query))


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
    assert list(StatisticKind) == ["mean", "count", "histogram", "regression coefficient"]
    assert list(statistic_setting.LIMITS) == ["members found", "advantage", "ε"]
    assert list(Extra) == ["Laplace noise", "subset: one-swap bound", "subset: paper 002"]
    start = dict(statistic_setting.START)
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


@pytest.mark.parametrize(
    "query",
    [
        {
            "frontier.stat_kind": "count",
            "frontier.stat_success": "ε",
            "stat_epsilon_exact": "50",
            "frontier.stat_neighbours": "replace-one",
        },
        {
            "frontier.stat_kind": "histogram",
            "frontier.stat_bins": "100000",
            "frontier.stat_success": "advantage",
            "frontier.stat_also": list(Extra),
        },
        {
            "frontier.stat_people": "2",
            "frontier.stat_kind": "regression coefficient",
            "frontier.stat_dimensions": "1e6",
            "frontier.stat_error": "1e-12",
        },
        {
            "frontier.stat_people": "inf",
            "stat_found_exact": "0.999",
            "stat_alpha_exact": "1e-9",
            "frontier.stat_kind": "nonsense",
        },
        {
            "frontier.stat_people": "1e9",
            "frontier.stat_success": "advantage",
            "stat_advantage_exact": "1e-6",
            "frontier.stat_error": "1e12",
        },
    ],
    ids=str,
)
def test_every_corner_has_an_answer(query: dict[str, str | list[str]]) -> None:
    app = page(**query)
    assert "choose noise" in headline(app)
    assert "off by" in headline(app)
    assert "nan" not in headline(app)


def test_the_slider_counts_people() -> None:
    app = page(stat_found="200")
    assert "200 of 10,000" in headline(app)
    (slider,) = (one for one in app.select_slider if one.key == "frontier.stat_found")
    assert slider.options[0] == "10"
    assert "500 of 10,000" in headline(page(stat_success="advantage", stat_advantage="500"))


def test_a_limit_below_guessing_is_refused_in_words() -> None:
    app = page(stat_found_exact="0.005")
    assert "must be above 0.01" in app.warning[0].value
    assert not [block for block in app.markdown if str(block.value).startswith("## ")]


def test_accepted_error_is_answered_by_the_inverse() -> None:
    app = page(stat_error="0.000174")
    table = app.table[-1].value
    assert float(table["reaches at most"].iloc[0]) == pytest.approx(0.04, rel=5e-3)
    assert "members found while 100 of 10,000" in table["in words"].iloc[0]


def test_examples_set_what_they_say_and_nothing_else_stays() -> None:
    app = page(stat_kind="count", stat_people="77", stat_found_exact="0.3", stat_neighbours="replace-one")
    for example in statistic_examples.EXAMPLES:
        unfold(app).run()  # the buttons fold away with a click
        (button,) = (button for button in app.button if button.label == example.name)
        button.click().run()
        assert not app.exception
        assert {key: app.session_state[key] for key in example.values} == dict(example.values)
        assert app.session_state["frontier.stat_neighbours"] == example.values.get(
            "frontier.stat_neighbours", "add/remove"
        )
        assert app.session_state["frontier.stat_people"] == example.values["frontier.stat_people"]


def test_the_same_limit_for_releases_that_are_no_noisy_sum() -> None:
    """An epsilon of 1 is the noise 1 of all three; a Survey of two answers errs by sqrt(t (1 - t) / n) / (2 t - 1)."""
    app = page(stat_success="ε", stat_people="2500", stat_delta="1e-12", stat_candidates="100")
    rows = next(block.value for block in app.table if "mechanism" in block.value)
    assert list(rows["mechanism"]) == ["Discrete Laplace", "Randomised response", "Exponential mechanism"]
    assert [float(value) for value in rows["noise, 1/ε"]] == pytest.approx([1.0] * 3, rel=1e-2)
    assert float(rows["off by"][1]) == pytest.approx(0.0192, rel=1e-2)
    wide = page(stat_success="ε", stat_people="2500", stat_whole_bins="100000", stat_answers="100000")
    rows = next(block.value for block in wide.table if "mechanism" in block.value)
    assert "100,000 bins" in rows["released"][0]
    assert float(rows["off by"][0]) > 10.0
