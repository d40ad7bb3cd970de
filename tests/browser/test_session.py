"""One session: links into it, pages one after the other, the keyboard, presets, the tour, and ways back."""

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, expect

from pages.ui.catalog import PAGES
from tests.browser.server import running_app
from tests.browser.visit import Visit

Open = Callable[..., Visit]


def link(visit: Visit, name: str) -> Locator:
    """The first link of the page that says so."""
    return visit.main.get_by_test_id("stPageLink").filter(has_text=name).first.get_by_role("link")


def test_a_deep_link_is_the_first_visit_of_a_cold_server(open_page: Open, tmp_path: Path) -> None:
    with running_app(tmp_path) as cold:
        visit = open_page("mechanism?noise=2.5&epochs=3&mechanism=Laplace", server=cold)
        expect(visit.page.get_by_test_id("stTopNavLink")).to_have_count(len(PAGES))
        expect(visit.page.get_by_test_id("stAppDeployButton")).to_have_count(0)  # users see no developers' tools
        for name, value in {"noise": "2.5", "epochs": "3"}.items():
            expect(visit.box(name)).to_have_value(value)
        assert visit.query == {"noise": "2.5", "epochs": "3", "mechanism": "Laplace"}
        open_page("about")  # the tab leaves the server before that ends


@pytest.mark.parametrize(
    "asked",
    [
        {"people": "50000", "noise": "2.5", "limit": "30", "accused": "5", "clip": "1", "phases": "2", "noise_2": "3"},
        {"knows_rate": "true", "rate": "0.0123", "records": "5000", "delta": "0.001", "dimension": "30"},
    ],
    ids=["run", "rate and steps"],
)
def test_page_changes_keep_values_and_address(open_page: Open, asked: dict[str, str]) -> None:
    visit = open_page(f"mechanism?{urlencode(asked)}", width=1280, height=720)
    assert visit.page.title() == "Mechanism - Privacy trade-offs"
    rail = visit.page.get_by_test_id("stSidebar")
    for title, folded in (("Frontier", "true"), ("Attackers", "false"), ("Home", "true"), ("Mechanism", "false")):
        visit.go_to(title)
        assert visit.query == asked
        expect(rail).to_have_attribute("data-collapsed", folded)
    for name in asked.keys() - {"knows_rate", "phases"}:
        expect(visit.box(name)).to_have_value(asked[name])


def test_a_run_is_entered_by_keyboard_alone_and_the_link_on_the_page_restores_it(open_page: Open) -> None:
    visit = open_page("mechanism")
    keys = visit.page.keyboard
    visit.box("people").focus()
    for value in ("50000", "256", "30", "1.3"):
        keys.press("ControlOrMeta+a")
        keys.type(value)
        with visit.run():
            keys.press("Tab")
        while "Help" in (visit.page.evaluate("document.activeElement.getAttribute('aria-label')") or ""):
            keys.press("Tab")
    expect(visit.page.get_by_text("That is a rate of 0.00512 and 5,860 steps.")).to_be_visible()
    assert visit.query == {"people": "50000", "batch": "256", "epochs": "30", "noise": "1.3"}
    reached = set()
    for _ in range(80):
        keys.press("Tab")
        reached |= set(visit.page.evaluate("[...document.activeElement.closest('[class*=st-key-]')?.classList ?? []]"))
    assert {f"st-key-{name}" for name in ("noise", "limit", "accused", "how")} <= reached
    found, address = visit.page.locator(".verdict .found").inner_text(), visit.page.url
    visit.page.locator("summary", has_text="Take it with you").focus()
    with visit.run():
        keys.press("Enter")
    expect(visit.page.get_by_text(address, exact=True)).to_be_visible()
    again = open_page(address.removeprefix(f"{visit.server.url}/"))
    expect(again.page.locator(".verdict .found")).to_have_text(found)


def test_another_way_to_say_a_run_a_preset_and_pinned_curves_are_in_the_address(open_page: Open) -> None:
    visit = open_page("mechanism?batch=1200")
    found = visit.page.locator(".verdict .found").inner_text()
    switch = visit.page.locator(".st-key-knows_rate label").first
    visit.click(switch)
    assert visit.query == {"knows_rate": "true", "rate": "0.02", "steps": "500", "records": "60000"}
    expect(visit.page.locator(".verdict .found")).to_have_text(found)
    visit.click(switch)
    assert {key: float(value) for key, value in visit.query.items()} == {"batch": 1200.0}
    visit.click(visit.page.get_by_role("button", name="Presets"))
    visit.click(visit.page.get_by_role("button", name="SNLI DP-SGD"))
    said = {
        "noise": 1.15,
        "people": 549_361,
        "batch": 4096,
        "delta": 1.8e-6,
        "epochs": pytest.approx(3.01965, rel=1e-5),
    }
    assert {key: float(value) for key, value in visit.query.items()} == said
    visit.click(visit.page.get_by_text("The curve: pin and compare"))
    visit.click(visit.page.get_by_role("button", name="Pin and compare"))
    for title in ("Home", "Mechanism"):
        visit.go_to(title)
    assert visit.query["pins"].startswith("Gaussian_1.15_")
    expect(visit.chart.locator(".legend")).to_contain_text("A: Gaussian, noise 1.15")


def test_the_noise_advised_at_home_goes_along_and_the_tour_loses_nothing(open_page: Open) -> None:
    visit = open_page()
    visit.click(visit.page.get_by_role("button", name="Use 1.69"))
    expect(visit.page.get_by_text("Within your limit of 20.").first).to_be_visible()
    visit.click(link(visit, "Take the tour"))
    for step, page in enumerate(("mechanism", "attackers", "reconstruct", "frontier", "audit"), 1):
        if step > 1:
            visit.click(link(visit, "Next"))
        expect(visit.page).to_have_url(re.compile(f"/{page}\\?"))
        assert visit.query == {"noise": "1.69", "tour": str(step)}
    visit.click(visit.page.get_by_role("button", name="Done"))
    assert visit.query == {"noise": "1.69"}


def test_a_figure_of_a_paper_wins_over_the_session_and_the_browser_leads_back(open_page: Open) -> None:
    visit = open_page("mechanism?noise=2.5&epochs=7")
    visit.go_to("Papers")
    heading = visit.page.get_by_role("heading", level=1)
    gallery = heading.inner_text()
    visit.click(link(visit, "000 Fig. 1c"))
    first = heading.inner_text()
    visit.click(link(visit, "Next"))
    expect(heading).not_to_have_text(first)
    second = heading.inner_text()
    with visit.run():
        visit.page.get_by_role("slider").first.press("ArrowRight")
    assert len(visit.query) == 2, "the figure, and where its slider is"
    for expected, go in ((first, visit.page.go_back), (gallery, visit.page.go_back), (first, visit.page.go_forward)):
        with visit.run():
            go()
        expect(heading).to_have_text(expected)
    assert second != gallery
    visit.click(link(visit, "On the page Mechanism"))
    assert visit.query["example"] == "000 Fig. 1c"
    assert float(visit.box("noise").input_value()) == pytest.approx(1 / 0.6)


def test_the_quiz_is_played_with_the_keyboard_and_outlives_a_visit_to_another_page(open_page: Open) -> None:
    visit = open_page("attackers?knows_rate=true&rate=1&steps=1")
    door = visit.page.get_by_role("button", name="Unknown: the record")
    expect(door).to_contain_text("?")
    for button in (door, visit.page.get_by_role("button", name="Fewer")):
        with visit.run():
            button.press("Enter")
    expect(door).to_contain_text("At most 111")
    expect(visit.page.get_by_text("You said fewer. Right: at most 111 of 10,000 people")).to_be_visible()
    for title in ("Home", "Attackers"):
        visit.go_to(title)
    expect(door).to_contain_text("At most 111")
    again = open_page(visit.page.url.removeprefix(f"{visit.server.url}/"))
    expect(again.page.get_by_role("button", name="Unknown: the record")).to_contain_text("At most 111")
