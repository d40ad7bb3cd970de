"""The page that compares attackers, in a real browser: link, preset, parts, nonsense, and that everything fits."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.visit import Visit

Open = Callable[..., Visit]


def test_a_link_restores_the_view(open_page: Open) -> None:
    address = "attackers?noise=2&steps=30&rate=0.4&dimension=5&reading=magnitude+of+the+mean&axes=linear"
    visit = open_page(address)
    expect(visit.answer).to_contain_text("an attacker who knows all but the noise finds at most")
    expect(visit.page.get_by_label("Dimension, d", exact=True)).to_have_value("5")
    assert visit.page.url.endswith(address)


def test_a_figure_of_a_paper_is_in_the_address_and_comes_back(open_page: Open) -> None:
    visit = open_page("attackers")
    visit.page.get_by_role("button", name="Figures of the papers").click()
    visit.page.get_by_role("button", name="000 Fig. 1f").click()
    expect(visit.page).to_have_url(re.compile("dimension=30"))
    visit.settle()
    sentence = visit.answer.inner_text()
    again = open_page(visit.page.url.removeprefix(f"{visit.server.url}/"))
    expect(again.answer).to_have_text(sentence)


def test_noise_for_the_same_success(open_page: Open) -> None:
    visit = open_page("attackers?rate=1&steps=1")  # one step is calibrated by closed formulas
    visit.click(visit.page.get_by_text("same success", exact=True), "part=same+success")
    expect(visit.page.locator(".js-plotly-plot")).to_have_count(2)
    expect(visit.page.get_by_text("no longer protects against").first).to_be_visible()


def test_choices_outlive_a_visit_to_another_page(open_page: Open) -> None:
    visit = open_page("attackers?dimension=7&noise=3")
    for title in ("Home", "Compare attackers"):
        visit.go_to(title)
    expect(visit.page.get_by_label("Dimension, d", exact=True)).to_have_value("7")
    assert "noise=3" in visit.page.url


def test_nonsense_in_the_address_is_harmless(open_page: Open) -> None:
    visit = open_page("attackers?dimension=many&records=-1&reading=x&part=y&clip=1e999&sampling=none")
    expect(visit.answer).to_contain_text("Blind guessing finds")


@pytest.mark.parametrize(("width", "dark"), [(1440, True), (390, False)])
def test_nothing_is_cut_off(open_page: Open, width: int, dark: bool) -> None:
    visit = open_page("attackers?rate=1&steps=1&part=same+success", width=width, height=900, dark=dark)
    expect(visit.page.locator(".js-plotly-plot")).to_have_count(2)
    assert visit.cut_off() == []
