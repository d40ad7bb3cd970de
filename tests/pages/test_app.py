"""The app as a whole: every page runs, one at a time, and what Home says."""

import pytest
from streamlit.testing.v1 import AppTest

from numerics.mechanisms import Gaussian, Laplace
from pages.server.turns import RUNS
from pages.ui import cached, frame, rail
from tests.pages import picture
from tests.pages.rail import app_with_url


def test_one_page_at_a_time_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, held = rail.draw, list[bool]()

    def draw(finds_people: bool) -> None:
        held.append(RUNS.held)
        drawn(finds_people)

    monkeypatch.setattr(rail, "draw", draw)
    app_with_url(noise="2")
    assert held == [True]
    with RUNS.turn(patience=0.0) as free:
        assert free


def test_a_first_home_has_no_rail_and_answers_for_what_it_would_say() -> None:
    first, later = app_with_url(), app_with_url(people="60000")
    assert not first.sidebar.number_input
    assert later.sidebar.number_input
    assert picture.sentence(first) == picture.sentence(later)


def test_home_says_what_it_has_no_time_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frame, "UNASKED", 0.0)
    app = app_with_url(noise="1.23456")
    assert "**No answer for this release:**" in " ".join(str(one.value) for one in app.warning)
    assert app.button(key="longer_work.start")


def test_a_run_that_cannot_be_computed_is_said_where_a_page_looks_at_it() -> None:
    app = app_with_url(people="1000000000", batch="1")
    (warning,) = (str(one.value) for one in app.warning)
    assert warning.startswith("**No answer for this run.** ")
    assert "the smallest that can be computed is 1e-07" in warning
    assert not app.switch_page("pages/frontier/page.py").run().warning


def test_refusals_of_the_numerics_are_messages_not_tracebacks() -> None:
    app = AppTest.from_string(
        "from pages.ui.error_boundary import error_boundary\n"
        "with error_boundary('answer'):\n"
        "    raise ValueError('noise_multiplier must be positive, got -1.0.')\n"
    ).run()
    assert not app.exception
    assert "noise_multiplier must be positive" in app.warning[0].value


def test_cache_tells_mechanisms_of_equal_parameters_apart() -> None:
    assert cached.power(Gaussian(1.0), 1e-3) != cached.power(Laplace(1.0), 1e-3)
    assert cached.trade_off(Gaussian(1.0)).label != cached.trade_off(Laplace(1.0)).label
