"""Gallery and tour in a real browser: a link wins over what the session held, a tour loses nothing."""

import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, expect

from pages.papers.papers import FIGURES, PAPERS
from pages.ui.figure_presets import OF_PAPER_000
from tests.browser.visit import Visit

LECTURES = FIGURES
FIGURE = '[data-testid="stPlotlyChart"]'


def follow(visit: Visit, name: str, address: str) -> None:
    tile(visit, name, 0, address)


def tile(visit: Visit, name: str, rank: int, address: str) -> None:
    visit.click(link(visit, name, rank), address)


def link(visit: Visit, name: str, rank: int = 0) -> Locator:
    return visit.page.get_by_test_id("stPageLink").filter(has_text=name).nth(rank).get_by_role("link")


def test_gallery_link_wins_over_the_session_and_the_tour_loses_nothing(open_page: Callable[..., Visit]) -> None:
    visit = open_page("mechanism?noise=2.5&epochs=7&mechanism.prior=0.3")
    visit.go_to("Papers")
    assert visit.cut_off() == []
    figure = OF_PAPER_000[2]
    follow(visit, figure.name, "figure=000-fig-1c")
    follow(visit, "On the page Mechanism", "/mechanism")
    query = parse_qs(urlsplit(visit.page.url).query)
    said = {key: [value] for key, value in figure.query.items()}
    assert query == {"example": [figure.name], **said}
    assert float(visit.page.locator(".st-key-noise input").input_value()) == pytest.approx(1 / 0.6)

    visit.goto("?noise=3")
    for step, page in enumerate(("mechanism", "attackers", "reconstruct", "frontier", "audit"), 1):
        follow(visit, "Next" if step > 1 else "Take the tour", f"tour={step}")
        assert urlsplit(visit.page.url).path == f"/{page}"
        assert parse_qs(urlsplit(visit.page.url).query)["noise"] == ["3"]
    visit.click(visit.page.get_by_role("button", name="Done"), re.compile("^((?!tour=).)*$"))
    assert urlsplit(visit.page.url).query == "noise=3"


def test_figures_of_one_name_start_anew_each(open_page: Callable[..., Visit]) -> None:
    figures = [entry for entry in PAPERS[0].entries if entry.name == "000 Fig. 7"]
    first, then = figures[1], figures[0]
    left_out = set(first.query) - set(then.query)
    assert left_out
    visit = open_page("papers")
    tile(visit, first.name, figures.index(first), f"figure={first.slug}")
    follow(visit, "On the page Reconstruct", "/reconstruct")
    assert all(key in visit.page.url for key in left_out)
    visit.go_to("Papers")
    tile(visit, then.name, figures.index(then), f"figure={then.slug}")
    follow(visit, "On the page Reconstruct", "/reconstruct")
    query = parse_qs(urlsplit(visit.page.url).query)
    said = {key: value if isinstance(value, list) else [value] for key, value in then.query.items()}
    assert query == {"example": [then.name], **said}


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (390, 844)], ids=["laptop", "phone"])
def test_figure_is_first_and_whole_on_the_screen(open_page: Callable[..., Visit], width: int, height: int) -> None:
    visit = open_page(f"papers?papers.figure={LECTURES[0].slug}", width=width, height=height)
    figure = visit.page.locator(FIGURE).bounding_box()
    assert figure is not None
    assert figure["y"] + figure["height"] < height
    assert figure["height"] > 0.45 * height
    slider = visit.page.get_by_role("slider").bounding_box()
    assert slider is not None
    assert slider["y"] < height
    assert visit.cut_off() == []


def test_next_previous_and_the_slider_are_in_the_address(open_page: Callable[..., Visit]) -> None:
    first, second = LECTURES[:2]
    visit = open_page(f"papers?papers.figure={first.slug}&papers.whole=1")
    follow(visit, "Next", f"figure={second.slug}")
    expect(visit.page.get_by_role("heading", level=1)).to_contain_text(second.name[4:])
    expect(visit.page).to_have_title(re.compile(re.escape(second.name[4:])))
    expect(visit.page).to_have_url(re.compile("whole=1"))
    visit.page.get_by_role("slider").press("ArrowRight")
    expect(visit.page).to_have_url(re.compile(second.slug.replace("-", "_") + "="))
    gone = second.slug.replace("-", "_")
    visit.click(link(visit, "Previous"), re.compile(rf"figure={first.slug}(?!.*{gone})"))
    visit.click(link(visit, "Leave"), re.compile(rf"figure={first.slug}(?!.*whole)"))


def test_the_browser_leads_back_from_figure_to_figure_to_the_gallery(open_page: Callable[..., Visit]) -> None:
    visit = open_page("papers")
    for name, address in ((LECTURES[0].name, LECTURES[0].slug), ("Next", LECTURES[1].slug)):
        follow(visit, name, f"figure={address}")
    heading = visit.page.get_by_role("heading", level=1)
    visit.page.go_back()
    expect(heading).to_contain_text(LECTURES[0].name[4:])
    visit.page.go_back()
    expect(heading).to_have_text("Figures of the papers")
    visit.page.go_forward()
    expect(heading).to_contain_text(LECTURES[0].name[4:])
    follow(visit, "All figures", "/papers")
    expect(heading).to_have_text("Figures of the papers")
    expect(visit.page).to_have_url(re.compile("/papers$"))
