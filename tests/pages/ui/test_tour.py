"""The tour: five steps in the address, and nonsense is no step."""

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from pages.ui import tour
from pages.ui.catalog import ABOUT
from tests import ROOT
from tests.pages.visit import visited


@pytest.mark.parametrize("number", range(1, 6))
def test_the_address_names_the_step(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "query_params", {"tour": str(number)})
    assert tour.step() == number


@pytest.mark.parametrize("nonsense", ["", "0", "6", "-1", "1.0", " 1", "٣", "nan", "one", "1" * 400, "<b>"])
def test_nonsense_is_no_step(nonsense: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "query_params", {"tour": nonsense})
    assert tour.step() is None


def test_without_a_tour_there_is_no_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "query_params", {})
    assert tour.step() is None


def test_leaving_removes_the_step_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    held = {"tour": "2", "noise": "3"}
    monkeypatch.setattr(st, "query_params", held)
    tour.leave()
    assert held == {"noise": "3"}


@pytest.mark.parametrize(("title", "shown"), [("Who?", "Who?"), ("This", "This.")])
def test_a_question_ends_with_its_own_mark(title: str, shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tour, "STEPS", (tour.TourStep(ABOUT, title, "Look."),))
    app = visited(AppTest.from_string("from pages.ui import tour\ntour.draw()"), {"tour": "1"})
    assert [banner.value for banner in app.markdown] == [f"**1 of 1 · {shown}** Look."]


def test_there_are_five_steps_on_pages_that_exist() -> None:
    assert len(tour.STEPS) == 5
    assert all((ROOT / one.page.script).is_file() for one in tour.STEPS)
