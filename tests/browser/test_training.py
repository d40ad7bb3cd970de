"""The page that weighs the cost in a real browser: level, link, training that shows progress and can be left."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.visit import WITHOUT_RAIL, Visit

Open = Callable[..., Visit]


def test_a_level_in_the_address_opens_there_moves_and_is_restored_by_the_link(
    open_page: Open,
) -> None:
    visit = open_page("frontier?frontier.train_limit_0.01=120")
    answer = visit.answer
    expect(answer).to_contain_text(re.compile(r"at most 120 of 10,000 found, choose noise [\d.]+: accuracy [\d.]+ %"))
    expect(visit.page).to_have_url(re.compile(r"frontier\?frontier.train_limit_0.01=120$"))
    expect(visit.page.get_by_test_id("stToast")).to_have_count(0)
    before = answer.inner_text()
    level = visit.page.get_by_test_id("stSlider").filter(has_text="found at most")
    level.locator("input[type=range]").press("ArrowRight")
    expect(visit.page).to_have_url(re.compile("train_limit_0.01=150"))
    expect(answer).not_to_have_text(before)
    after = answer.inner_text()
    visit.goto(visit.page.url.split("/", maxsplit=3)[3])
    expect(answer).to_have_text(after)


@pytest.mark.parametrize("view", ["a+trained+model", "a+statistic"])
def test_sentence_limit_and_figure_are_seen_together_and_nothing_is_cut_off(open_page: Open, view: str) -> None:
    visit = open_page(f"frontier?frontier.weigh={view}")
    expect(visit.page.locator(".js-plotly-plot").first).to_be_visible()
    for width, height in WITHOUT_RAIL:
        visit.look(width, height, dark=width == 1440)
        seen_together(visit, width, height)
        assert visit.cut_off() == []


def seen_together(visit: Visit, width: int, height: int) -> None:
    """In this order; on a laptop all of both figures, on a phone the larger part of the first."""
    chart = visit.page.locator(".js-plotly-plot")
    slider = visit.page.get_by_test_id("stMain").locator(".stSlider").first
    boxes = [one.bounding_box() for one in (visit.answer, slider, chart.first, chart.nth(1))]
    assert all(boxes)
    answer, limit, first, second = (box for box in boxes if box)
    assert answer["y"] + answer["height"] <= limit["y"]
    assert limit["y"] + limit["height"] <= first["y"]
    if width == 390:
        assert height - first["y"] >= SEEN * first["height"]
    else:
        assert first["y"] + first["height"] <= height
        assert second["y"] == first["y"]
    words = visit.page.get_by_test_id("stMain").evaluate(WORDS, first["y"] + 1)
    assert words < 60, words


SEEN = 0.55
# Of what is read before the figure: headings and paragraphs, and no labels of controls.
WORDS = """(main, end) => [...main.querySelectorAll(':is(h1, h2, p)')]
    .filter(one => one.checkVisibility() && one.getBoundingClientRect().top < end)
    .filter(one => !one.closest('button, label, .stSlider, [data-testid=stToast]'))
    .flatMap(one => one.innerText.replace('check_circle', '').split(/\\s+/))
    .filter(word => /[a-z0-9]/i.test(word)).length"""


def test_training_shows_progress_can_be_left_and_finished(open_page: Open) -> None:
    visit = open_page(
        "frontier?frontier.train_data=breast+cancer&frontier.train_seeds=1&frontier.train_breast_cancer_epochs=1&frontier.train_measure=%CE%BC"
    )
    visit.page.get_by_role("button", name="Train", exact=True).click()
    expect(visit.answer).to_contain_text(re.compile("For .*at most .*, choose noise"))
    expect(visit.page.get_by_role("button", name="Run again")).to_be_enabled()
    visit.goto("frontier?frontier.train_data=MNIST&frontier.train_model=one+hidden+layer&frontier.train_seeds=20")
    visit.page.get_by_role("button", name="Train", exact=True).click()
    expect(visit.page.get_by_test_id("stProgress")).to_contain_text(re.compile("models trained"))
    start = visit.page.get_by_role("button", name=re.compile("^(Train|Run again)$"), disabled=False)
    visit.click(visit.page.get_by_role("button", name="Cancel"), start)
    expect(visit.page.get_by_test_id("stProgress")).to_have_count(0)
