"""The app as a whole: every page runs, one at a time, and what Home says."""

import pytest
from streamlit.testing.v1 import AppTest

from numerics.mechanisms import Gaussian, Laplace
from pages.server.turns import RUNS
from pages.ui import cached, frame, rail
from tests import ROOT
from tests.pages import picture
from tests.pages.rail import app_with_url

PAGES = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "pages").glob("*/page.py"))


@pytest.mark.parametrize("page", PAGES)
def test_page_runs(page: str) -> None:
    app = app_with_url().switch_page(page).run()
    assert not app.exception
    assert not app.error


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


def test_home_opens_with_the_picture_of_the_release() -> None:
    app = app_with_url()
    said = "At most 41 of 10,000 people can be found while 10 of 10,000 outsiders are wrongly accused"
    assert picture.sentence(app) == f"{said}. Twice your limit of 20."
    assert [part["part"] for part in picture.parts(app)] == ["answer", "people", "hills"]
    assert picture.sentence(app_with_url(noise="2", limit="50")).endswith("Within your limit of 50.")


def test_home_says_what_it_has_no_time_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frame, "UNASKED", 0.0)
    app = app_with_url(noise="1.23456")
    assert "**No answer for this release:**" in " ".join(str(one.value) for one in app.warning)
    assert app.button(key="longer_work.start")


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ({"people": "100"}, "A batch of 600 is more than all 100 people."),
        ({"people": "1000000000", "batch": "1"}, "the smallest that can be computed is 1e-07"),
        ({"epochs": "1000000"}, "100,000,000 steps, and the most that can be computed are 1,000,000"),
    ],
)
def test_a_run_that_cannot_be_computed_is_said_in_place_of_the_page(query: dict[str, str], why: str) -> None:
    app = app_with_url(**query)
    (warning,) = (str(one.value) for one in app.warning)
    assert why in warning
    assert warning.startswith("**No answer for this run.** ")
    assert not [block for block in app.markdown if block.value.startswith("## ")]
    assert not app.switch_page("pages/frontier/page.py").run().warning  # which does not look at it


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


def test_what_one_page_alone_draws_is_there_again_after_a_visit_to_another() -> None:
    """What is in the address, of a part of the page that is not open meanwhile too, and what must not be there."""
    frontier, other = "pages/frontier/page.py", "pages/about/page.py"
    app = app_with_url().switch_page(frontier).run()
    for key, choice in (
        ("frontier.weigh", "a statistic"),
        ("frontier.stat_people", 500.0),
        ("frontier.weigh", "your own sweep"),
    ):
        app.session_state[key] = choice
        app = app.run()
    app.selectbox(key="frontier.land_from").set_value("pasted text").run()
    app.text_area(key="frontier.land_text").set_value("strategy,accuracy,epsilon\na,0.5,1\nb,0.6,2").run()
    app = app.switch_page(other).run().switch_page(frontier).run()
    assert str(app.text_area(key="frontier.land_text").value).startswith("strategy,")
    assert app.query_params["frontier.land_from"] in ("pasted text", ["pasted text"])
    assert "frontier.land_text" not in app.query_params
    app.session_state["frontier.weigh"] = "a statistic"
    app = app.run()
    assert app.number_input(key="frontier.stat_people").value == 500.0
