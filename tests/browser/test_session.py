"""One session: links into it, pages one after the other, presets, the keyboard, the tour, and ways back."""

import re
from collections.abc import Callable
from pathlib import Path

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


def test_page_changes_keep_what_was_asked_a_preset_and_a_pinned_curve(open_page: Open) -> None:
    visit = open_page("mechanism?people=50000&noise=2.5&limit=30&accused=5", width=1280, height=720)
    assert visit.page.title() == "Mechanism - Privacy trade-offs"
    visit.click(visit.page.get_by_role("button", name="Presets"))
    visit.click(visit.page.get_by_role("button", name="SNLI DP-SGD"))
    visit.click(visit.page.get_by_text("The curve: pin and compare"))
    visit.click(visit.page.get_by_role("button", name="Pin and compare"))
    asked = visit.query
    assert asked.pop("pins").startswith("Gaussian_1.15_")
    said = {"noise": 1.15, "people": 549_361, "batch": 4096, "delta": 1.8e-6, "epochs": 3.01965}
    assert {key: float(value) for key, value in asked.items()} == pytest.approx(
        said | {"limit": 30, "accused": 5}, 1e-5
    )
    for title, folded in (("Frontier", "true"), ("Attackers", "false"), ("Mechanism", "false")):
        visit.go_to(title)
        assert asked.items() <= visit.query.items()
        expect(visit.page.get_by_test_id("stSidebar")).to_have_attribute("data-collapsed", folded)
    for name, value in asked.items():
        assert float(visit.box(name).input_value()) == float(value)
    expect(visit.chart.locator(".legend")).to_contain_text("A: Gaussian, noise 1.15")


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
    visit.goto(address.removeprefix(f"{visit.server.url}/"))
    expect(visit.page.locator(".verdict .found")).to_have_text(found)


def test_the_noise_advised_at_home_goes_along_and_the_tour_loses_nothing(open_page: Open) -> None:
    visit = open_page()
    visit.click(visit.page.get_by_role("button", name="Use 1.69"))
    expect(visit.page.get_by_text("Within your limit of 20.").first).to_be_visible()
    for step, (page, name) in enumerate((("mechanism", "Take the tour"), ("attackers", "Next")), 1):
        visit.click(link(visit, name))
        expect(visit.page).to_have_url(re.compile(f"/{page}\\?"))
        assert visit.query == {"noise": "1.69", "tour": str(step)}


def test_a_figure_of_a_paper_wins_over_the_session_and_the_browser_leads_back(open_page: Open) -> None:
    visit = open_page("mechanism?noise=2.5&epochs=7")
    visit.go_to("Papers")
    heading = visit.page.get_by_role("heading", level=1)
    gallery = heading.inner_text()
    visit.click(link(visit, "000 Fig. 1c"))
    first = heading.inner_text()
    with visit.run():
        visit.page.get_by_role("slider").first.press("ArrowRight")
    assert len(visit.query) == 2, "the figure, and where its slider is"
    for expected, go in ((gallery, visit.page.go_back), (first, visit.page.go_forward)):
        with visit.run():
            go()
        expect(heading).to_have_text(expected)
    visit.click(link(visit, "On the page Mechanism"))
    assert visit.query["example"] == "000 Fig. 1c"
    assert float(visit.box("noise").input_value()) == pytest.approx(1 / 0.6)
