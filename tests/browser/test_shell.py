"""The shell in a real browser: first visit, links, page changes, presets, both themes, narrow screens."""

import re
from collections.abc import Callable
from itertools import cycle
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import Locator, expect

from pages.ui.catalog import PAGES
from tests.browser.server import Server
from tests.browser.visit import Visit

Open = Callable[..., Visit]
EXPLORER = "Mechanism"
AUDIT = "Audit"


def query(visit: Visit) -> dict[str, str]:
    return {name: values[-1] for name, values in parse_qs(urlsplit(visit.page.url).query).items()}


def box(visit: Visit, name: str) -> Locator:
    """A box of the rail, by its name in the address."""
    return visit.page.get_by_test_id("stSidebar").locator(f".st-key-{name} input")


def enter(visit: Visit, name: str, value: str) -> None:
    box(visit, name).fill(value)
    box(visit, name).press("Enter")
    expect(visit.page).to_have_url(re.compile(f"{name}={re.escape(value)}"))
    visit.settle()


def test_first_visit_of_a_cold_server_shows_home(cold_server: Server, open_page: Open) -> None:
    visit = open_page(server=cold_server)
    expect(visit.answer).to_contain_text("At most 41 of 10,000 people can be found")
    expect(visit.page.get_by_test_id("stTopNavLink")).to_have_count(len(PAGES))
    expect(visit.page.get_by_test_id("stAppDeployButton")).to_have_count(0)  # users see no developers' tools
    visit.look(1280, 720)  # a small laptop: every door has its whole name
    names = visit.page.get_by_test_id("stMain").locator("[data-testid=stPageLink-NavLink] *")
    assert names.evaluate_all("all => all.filter(one => one.scrollWidth > one.clientWidth + 1).length") == 0


def test_deep_link_is_the_first_visit_of_a_cold_server(cold_server: Server, open_page: Open) -> None:
    visit = open_page("mechanism?noise=2.5&epochs=3&mechanism=Laplace", server=cold_server)
    expect(visit.page.get_by_test_id("stTopNavLink")).to_have_count(len(PAGES))
    expect(box(visit, "noise")).to_have_value("2.5")
    expect(box(visit, "epochs")).to_have_value("3")
    assert query(visit) == {"noise": "2.5", "epochs": "3", "mechanism": "Laplace"}


@pytest.mark.parametrize(
    "asked",
    [
        {"people": "50000", "noise": "2.5", "limit": "30", "accused": "5", "clip": "1", "phases": "2", "noise_2": "3"},
        {"knows_rate": "true", "rate": "0.0123", "records": "5000", "delta": "0.001", "dimension": "30"},
    ],
    ids=["run", "rate and steps"],
)
def test_page_changes_keep_values_and_url(open_page: Open, asked: dict[str, str]) -> None:
    visit = open_page(f"mechanism?{urlencode(asked)}")
    for title in ("Home", AUDIT, EXPLORER):
        visit.go_to(title)
        assert query(visit) == asked
    for name in asked.keys() - {"knows_rate", "phases"}:
        expect(box(visit, name)).to_have_value(asked[name])


def test_a_run_is_entered_by_keyboard_and_the_link_on_the_page_restores_it(open_page: Open) -> None:
    visit = open_page("mechanism")
    headline = visit.answer.inner_text()
    box(visit, "people").focus()
    for value in ("50000", "256", "30", "1.3"):
        visit.page.keyboard.press("ControlOrMeta+a")
        visit.page.keyboard.type(value)
        visit.page.keyboard.press("Tab")
        while "Help" in (visit.page.evaluate("document.activeElement.getAttribute('aria-label')") or ""):
            visit.page.keyboard.press("Tab")
    expect(visit.page.get_by_text("That is a rate of 0.00512 and 5,860 steps.")).to_be_visible()
    visit.settle()
    expect(visit.answer).not_to_have_text(headline)
    assert query(visit) == {"people": "50000", "batch": "256", "epochs": "30", "noise": "1.3"}
    found = visit.page.locator(".verdict .found").inner_text()
    visit.click(visit.page.get_by_text("Take it with you"), visit.page.get_by_text(visit.page.url, exact=True))
    again = open_page(visit.page.url.removeprefix(f"{visit.server.url}/"))
    expect(again.page.locator(".verdict .found")).to_have_text(found)


def test_the_switch_keeps_the_release_and_the_address_says_one_of_the_two(open_page: Open) -> None:
    visit = open_page("mechanism?batch=1200")
    answer = visit.page.locator(".verdict .found")
    expect(answer).to_have_text(re.compile(r"\d"))
    found = answer.inner_text()
    switch = visit.page.locator(".st-key-knows_rate label").first
    visit.click(switch, "records=60000")
    assert query(visit) == {"knows_rate": "true", "rate": "0.02", "steps": "500", "records": "60000"}
    expect(answer).to_have_text(found)
    visit.click(switch, "batch=1200")
    assert {key: float(value) for key, value in query(visit).items()} == {"batch": 1200.0}
    expect(answer).to_have_text(found)


def test_preset_writes_the_url(open_page: Open) -> None:
    visit = open_page("mechanism?noise=3&knows_rate=true&steps=7")
    presets, snli = (visit.page.get_by_role("button", name=name) for name in ("Presets", "SNLI DP-SGD"))
    visit.click(presets, snli)
    visit.click(snli, "people=549361")
    found = query(visit)
    assert found.pop("epochs").startswith("3.01965")
    assert found == {"noise": "1.15", "people": "549361", "batch": "4096", "delta": "1.8e-06"}
    plain = visit.page.get_by_role("button", name="Plain Gaussian")
    visit.click(presets, plain)  # they folded away
    visit.click(plain, "rate=1")
    found = query(visit)
    assert found.pop("knows_rate") == "true"
    assert {key: float(value) for key, value in found.items()} == {"rate": 1.0, "steps": 1.0, "delta": 1e-5}


def test_the_picture_of_home_moves_and_its_noise_goes_along(open_page: Open) -> None:
    visit = open_page(width=1280, height=720)
    for part in (".verdict", ".noise input", "canvas", "svg.chart"):
        box = visit.page.locator(part).first.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] < 560, part  # the doors begin in view
    visit.click(visit.page.get_by_role("button", name="Use 1.69"), "noise=1.69")
    expect(visit.answer).to_contain_text("Within your limit of 20.")
    link = visit.page.get_by_test_id("stPageLink").filter(has_text=EXPLORER).get_by_role("link")
    visit.click(link, "/mechanism")
    assert query(visit)["noise"] == "1.69"
    expect(visit.answer).to_contain_text("At most 20 of 10,000 people can be found")


def test_nonsense_in_the_url_is_harmless_and_the_theme_is_that_of_the_visitors_system(open_page: Open) -> None:
    """As a browser sends it; every key with every kind of nonsense is looked at in tests/pages/test_addresses.py."""
    keys = ("noise", "people", "rate", "steps", "accused", "delta", "phases", "order", "unknown")
    nonsense = cycle(("<img src=x onerror=alert(1)>", "nan", "-1", "1e999", "%00"))
    visit = open_page("?" + "&".join(f"{key}={value}" for key, value in zip(keys, nonsense, strict=False)), dark=True)
    expect(visit.answer).to_contain_text("At most 41 of 10,000 people can be found")
    app = visit.page.get_by_test_id("stApp")
    expect(app).to_have_css("background-color", "rgb(18, 23, 29)")
    visit.look(1440, 900, dark=False)
    expect(app).to_have_css("background-color", "rgb(255, 255, 255)")


def test_the_rail_is_open_beside_pages_that_look_at_the_release_and_closed_beside_others(open_page: Open) -> None:
    visit = open_page("mechanism?noise=2.5", width=1280, height=720)
    rail = visit.page.get_by_test_id("stSidebar")
    expect(rail).to_have_attribute("data-collapsed", "false")
    assert visit.page.title() == f"{EXPLORER} - Privacy trade-offs"
    for title, closed in (("Frontier", "true"), ("Attackers", "false")):
        visit.go_to(title)
        expect(rail).to_have_attribute("data-collapsed", closed)
        assert query(visit) == {"noise": "2.5"}
