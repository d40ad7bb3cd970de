"""The page that compares attackers, in a real browser: link, preset, parts, nonsense, and that everything fits."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.test_accessibility import grave_violations
from tests.browser.visit import SCREENS, Screens, Visit

Open = Callable[..., Visit]
DOORS = (
    *("Known: all but noise", "Unknown: the record", "Unknown: the draw", "Unknown: the others"),
    "Seen: the last model",
)


def test_a_link_restores_the_view_which_outlives_a_visit_to_another_page(open_page: Open) -> None:
    shown = "attackers.reading=magnitude+of+the+mean&axes=linear"
    address = f"attackers?knows_rate=true&noise=2&steps=30&rate=0.4&dimension=5&{shown}"
    visit = open_page(address)
    expect(visit.answer).to_contain_text("people can be found while")
    door = visit.page.get_by_role("button", name="Unknown: the record")
    expect(door).to_contain_text("At least")  # addresses of earlier versions show every attacker
    dimension = visit.page.get_by_label("Dimension, d", exact=True)
    expect(dimension).to_have_value("5")
    assert visit.page.url.endswith(f"{address}&attackers.doors=all")
    for title in ("Home", "Attackers"):
        visit.go_to(title)
    expect(dimension).to_have_value("5")
    assert "noise=2&" in visit.page.url


def test_a_figure_of_a_paper_is_in_the_address_and_comes_back(open_page: Open) -> None:
    visit = open_page("attackers")
    figure = visit.page.get_by_role("button", name="000 Fig. 1f")
    visit.click(visit.page.get_by_role("button", name="Figures of the papers"), figure)
    visit.click(figure, "dimension=30")
    sentence = visit.answer.inner_text()
    again = open_page(visit.page.url.removeprefix(f"{visit.server.url}/"))
    expect(again.answer).to_have_text(sentence)


@pytest.mark.parametrize("screens", SCREENS, ids=str)
def test_verdict_doors_and_figure_are_above_the_fold(open_page: Open, screens: Screens) -> None:
    visit = open_page("attackers", width=screens[0][0], height=screens[0][1])
    for width, height in screens:
        visit.look(width, height)
        above_the_fold(visit, width, height)


def above_the_fold(visit: Visit, width: int, height: int) -> None:
    verdict, figure = visit.answer.bounding_box(), visit.page.locator(".js-plotly-plot").first.bounding_box()
    doors = [visit.page.get_by_role("button", name=name).bounding_box() for name in DOORS]
    assert verdict is not None
    assert figure is not None
    assert verdict["y"] < 200
    assert all(door is not None and verdict["y"] < door["y"] < figure["y"] for door in doors)
    seen = min(figure["y"] + figure["height"], height) - figure["y"]
    assert seen == figure["height"] if width > 1000 else seen > 250  # on a telephone: the people, and most of the curve


@pytest.mark.parametrize("doors", ["all", "record-fewer_drawn-fewer_others-more"])
def test_with_every_door_open_the_people_and_the_curves_are_above_the_fold(open_page: Open, doors: str) -> None:
    visit = open_page(f"attackers?attackers.doors={doors}", width=1280, height=720)
    figure = visit.page.locator(".js-plotly-plot").first.bounding_box()
    assert figure is not None
    assert figure["y"] + figure["height"] <= 720


def test_the_game_is_played_with_the_keyboard_and_outlives_a_visit_to_another_page(open_page: Open) -> None:
    visit = open_page("attackers?knows_rate=true&rate=1&steps=1")
    page = visit.page
    door = page.get_by_role("button", name="Unknown: the record")
    expect(door).to_contain_text("?")
    door.press("Enter")
    expect(page.get_by_text("More or fewer than 183?")).to_be_visible()
    page.get_by_role("button", name="Fewer").press("Enter")
    expect(door).to_contain_text("At most 111")
    said = re.compile("^You said fewer. Right: at most 111 of 10,000 people can be found while")
    expect(page.get_by_text(said)).to_be_visible()
    expect(page).to_have_url(re.compile("doors=record-fewer"))
    visit.settle()
    for title in ("Home", "Attackers"):
        visit.go_to(title)
    expect(door).to_contain_text("At most 111")
    expect(page).to_have_url(re.compile("doors=record-fewer"))
    again = open_page(page.url.removeprefix(f"{visit.server.url}/"))
    expect(again.page.get_by_role("button", name="Unknown: the record")).to_contain_text("At most 111")


def test_open_doors_can_be_used_without_eyes(open_page: Open) -> None:
    visit = open_page("attackers?knows_rate=true&rate=1&steps=1&attackers.doors=record-fewer_others-more_drawn")
    assert grave_violations(visit.page) == []
    visit.look(1440, 900, dark=True)
    assert grave_violations(visit.page) == []


def test_nothing_is_cut_off(open_page: Open) -> None:
    visit = open_page(
        "attackers?knows_rate=true&rate=1&steps=1&attackers.doors=all", dark=True
    )  # one step is calibrated by closed formulas
    expect(visit.page.locator(".js-plotly-plot")).to_have_count(2)
    expect(visit.page.get_by_text("That no longer protects against")).to_be_visible()
    visit.click(visit.page.get_by_text("same success", exact=True), "part=same+success")
    expect(visit.page.locator(".js-plotly-plot")).to_have_count(3)
    expect(visit.page.get_by_text("RTM no longer protects against").first).to_be_visible()
    assert visit.cut_off() == []
    visit.look(390, 900)  # the rail then lies over the page, which is as wide as without it
    assert visit.cut_off() == []
