"""The shell in a real browser: first visit, links, page changes, presets, both themes, narrow screens."""

import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from pages.ui.catalog import PAGES
from tests.browser.server import Server
from tests.browser.visit import Visit

Open = Callable[..., Visit]
EXPLORER = "Explore a mechanism"
AUDIT = "Measure a trained model"


def query(visit: Visit) -> dict[str, str]:
    return {name: values[-1] for name, values in parse_qs(urlsplit(visit.page.url).query).items()}


def slider_value(visit: Visit, name: str) -> str | None:
    return visit.page.locator(f".st-key-{name} input[type=range]").get_attribute("aria-valuetext")


def test_first_visit_of_a_cold_server_shows_home(cold_server: Server, open_page: Open) -> None:
    visit = open_page(server=cold_server)
    expect(visit.answer).to_contain_text("At most 41 of 10,000 people can be found")
    expect(visit.page.get_by_test_id("stTopNavLink")).to_have_count(len(PAGES))


def test_every_door_of_home_has_its_whole_name_on_a_small_laptop(open_page: Open) -> None:
    visit = open_page(width=1280, height=720)
    names = visit.page.get_by_test_id("stMain").locator("[data-testid=stPageLink-NavLink] *")
    assert names.evaluate_all("all => all.filter(one => one.scrollWidth > one.clientWidth + 1).length") == 0


def test_deep_link_is_the_first_visit_of_a_cold_server(cold_server: Server, open_page: Open) -> None:
    visit = open_page("mechanism?noise=2.5&steps=30&mechanism=Laplace", server=cold_server)
    expect(visit.page.get_by_test_id("stTopNavLink")).to_have_count(len(PAGES))
    assert slider_value(visit, "noise") == "2.5"
    assert visit.page.get_by_label("Steps", exact=True).first.input_value() == "30"
    assert query(visit) == {"noise": "2.5", "steps": "30", "mechanism": "Laplace"}


@pytest.mark.parametrize("address", ["mechanism?noise_exact=1.15", "mechanism?noise=3&noise_exact=1.15"])
def test_an_exact_value_puts_its_slider_to_rest_and_a_button_gives_it_back(open_page: Open, address: str) -> None:
    visit = open_page(address)
    slider = visit.page.locator(".st-key-noise")
    expect(slider.locator("input[type=range]")).to_be_disabled()
    expect(slider).to_contain_text("noise: exactly 1.15")
    assert slider_value(visit, "noise") == "1.15"
    assert query(visit) == {"noise_exact": "1.15"}
    visit.page.get_by_role("button", name="Use the slider, from 1.2").click()
    expect(visit.page).to_have_url(f"{visit.server.url}/mechanism?noise=1.2")
    visit.settle()
    expect(slider.locator("input[type=range]")).to_be_enabled()
    assert slider_value(visit, "noise") == "1.2"


def test_page_changes_keep_values_and_url(open_page: Open) -> None:
    visit = open_page("mechanism?noise=2.5&rate_exact=0.0123&phases=2&noise_2=3")
    for title in ("Home", AUDIT, EXPLORER):
        visit.go_to(title)
        assert query(visit) == {"noise": "2.5", "rate_exact": "0.0123", "phases": "2", "noise_2": "3"}
    assert slider_value(visit, "noise") == "2.5"
    expect(visit.page.locator(".st-key-rate input[type=range]")).to_be_disabled()
    assert slider_value(visit, "rate") == "0.0123"


def test_slider_writes_the_url_and_the_link_restores_it(open_page: Open) -> None:
    visit = open_page("mechanism")
    slider = visit.page.locator(".st-key-noise input[type=range]")
    slider.focus()
    visit.page.keyboard.press("ArrowRight")
    expect(visit.page).to_have_url(f"{visit.server.url}/mechanism?noise=1.1")
    visit.settle()
    assert slider_value(visit, "noise") == "1.1"
    assert slider_value(open_page("mechanism?noise=1.1"), "noise") == "1.1"


def test_permalink_on_the_page_is_the_address_after_several_moves(open_page: Open) -> None:
    visit = open_page("mechanism?noise_exact=1.15")
    visit.page.locator(".st-key-rate input[type=range]").focus()
    for value in ("0.012", "0.015"):
        visit.page.keyboard.press("ArrowRight")
        expect(visit.page).to_have_url(f"{visit.server.url}/mechanism?noise_exact=1.15&rate={value}")
        visit.settle()
    visit.page.get_by_text("Take it with you").click()
    expect(visit.page.get_by_text(visit.page.url, exact=True)).to_be_visible()


def test_preset_writes_the_url(open_page: Open) -> None:
    visit = open_page("mechanism?noise=3")
    visit.page.get_by_role("button", name="Presets").click()
    visit.click(visit.page.get_by_role("button", name="SNLI DP-SGD"), "steps=405")
    found = query(visit)
    assert found["noise_exact"] == "1.15"
    assert float(found["rate_exact"]) == pytest.approx(4096 / 549_361, rel=1e-12)
    assert float(found["delta"]) == 1.8e-6
    assert found["steps"] == "405"


def test_the_picture_of_home_moves_and_its_noise_goes_along(open_page: Open) -> None:
    visit = open_page(width=1280, height=720)
    for part in (".verdict", ".noise input", "canvas", "svg.chart"):
        box = visit.page.locator(part).first.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] < 560, part  # the doors begin in view
    visit.click(visit.page.get_by_role("button", name="Use 1.69"), "noise_exact=1.69")
    expect(visit.answer).to_contain_text("Within your limit of 20.")
    visit.page.get_by_test_id("stPageLink").filter(has_text=EXPLORER).get_by_role("link").click()
    expect(visit.page).to_have_url(re.compile(re.escape("/mechanism")))
    visit.settle()
    assert query(visit)["noise_exact"] == "1.69"
    expect(visit.answer).to_contain_text("At most 20 of 10,000 people can be found")


@pytest.mark.parametrize("nonsense", ["nan", "-1", "1e999", "<img src=x onerror=alert(1)>", "%00"])
def test_nonsense_in_the_url_is_harmless(open_page: Open, nonsense: str) -> None:
    keys = ("noise", "noise_exact", "rate", "steps", "alpha_exact", "delta", "phases", "order", "unknown")
    visit = open_page("?" + "&".join(f"{key}={nonsense}" for key in keys))
    expect(visit.answer).to_contain_text("At most 41 of 10,000 people can be found")


def test_the_rail_is_open_beside_pages_that_look_at_the_release_and_closed_beside_others(open_page: Open) -> None:
    visit = open_page("mechanism?noise=2.5", width=1280, height=720)
    rail = visit.page.get_by_test_id("stSidebar")
    expect(rail).to_have_attribute("data-collapsed", "false")
    assert visit.page.title() == f"{EXPLORER} - Privacy trade-offs"
    for title, closed in (("Weigh the cost", "true"), ("Compare attackers", "false")):
        visit.go_to(title)
        expect(rail).to_have_attribute("data-collapsed", closed)
        assert query(visit) == {"noise": "2.5"}


def test_on_a_phone_the_rail_is_a_sheet_over_the_page(open_page: Open) -> None:
    visit = open_page("mechanism?limit=50", width=390, height=844)
    rail = visit.page.get_by_test_id("stSidebar")
    expect(rail).to_have_attribute("data-collapsed", "true")
    visit.page.get_by_test_id("stExpandSidebarButton").click()
    expect(rail).to_have_attribute("data-collapsed", "false")
    limit = rail.get_by_role("spinbutton", name="My limit")
    expect(limit).to_have_value("50")
    limit.fill("60")
    limit.press("Enter")
    expect(visit.page).to_have_url(re.compile("limit=60"))
    expect(rail).to_have_attribute("data-collapsed", "false")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_theme_follows_the_visitors_system(open_page: Open, dark: bool) -> None:
    visit = open_page(dark=dark)
    background = visit.page.get_by_test_id("stApp").evaluate("node => getComputedStyle(node).backgroundColor")
    assert background == ("rgb(18, 23, 29)" if dark else "rgb(255, 255, 255)")


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_answer_lies_above_the_fold_and_nothing_sticks_out(open_page: Open, width: int, height: int) -> None:
    visit = open_page("mechanism", width=width, height=height)
    answer = visit.page.get_by_text("people in the training data, the attacker finds at most").first
    box = answer.bounding_box()
    assert box is not None
    assert box["y"] + 40 < height  # its first lines are seen without scrolling
    overflow = visit.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert overflow <= 0


def test_users_see_no_developers_tools(open_page: Open) -> None:
    visit = open_page()
    expect(visit.page.get_by_test_id("stAppDeployButton")).to_have_count(0)
