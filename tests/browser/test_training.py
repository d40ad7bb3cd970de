"""The page that weighs the cost in a real browser: level, link, training that shows progress and can be left."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.visit import Visit

Open = Callable[..., Visit]


def test_the_level_moves_the_answer_and_the_link_restores_it(open_page: Open) -> None:
    visit = open_page("frontier")
    answer = visit.answer
    expect(answer).to_contain_text(re.compile(r"full-knowledge attacker costs \d+ points"))
    before = answer.inner_text()
    level = visit.page.get_by_test_id("stSlider").filter(has_text="largest share of members")
    level.locator("input[type=range]").press("ArrowRight")
    expect(visit.page).to_have_url(re.compile("train_found_0.01=3"))
    expect(answer).not_to_have_text(before)
    after = answer.inner_text()
    visit.goto(visit.page.url.split("/", maxsplit=3)[3])
    expect(answer).to_have_text(after)


def test_training_shows_progress_can_be_left_and_finished(open_page: Open) -> None:
    visit = open_page(
        "frontier?train_data=breast+cancer&train_seeds=1&train_breast_cancer_epochs=1&train_measure=%CE%BC"
    )
    visit.page.get_by_role("button", name="Train", exact=True).click()
    expect(visit.answer).to_contain_text("Protecting against the full-knowledge attacker")
    expect(visit.page.get_by_role("button", name="Run again")).to_be_enabled()
    visit.goto("frontier?train_data=mnist&train_model=one+hidden+layer&train_seeds=20")
    visit.page.get_by_role("button", name="Train", exact=True).click()
    expect(visit.page.get_by_test_id("stProgress")).to_contain_text(re.compile("models trained"))
    visit.page.get_by_role("button", name="Cancel").click()
    expect(visit.page.get_by_test_id("stProgress")).to_have_count(0)


@pytest.mark.parametrize(("width", "dark"), [(1440, True), (390, False)])
def test_nothing_is_cut_off(open_page: Open, width: int, dark: bool) -> None:
    for view in ("a+trained+model", "a+statistic", "your+own+sweep"):
        visit = open_page(f"frontier?weigh={view}", width=width, height=900, dark=dark)
        expect(visit.page.locator(".js-plotly-plot").first).to_be_visible()
        assert visit.cut_off() == [], view
