"""Gallery and tour in a real browser: a link wins over what the session held, a tour loses nothing."""

import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from pages.papers.figures import PAPERS
from pages.ui.figure_presets import OF_PAPER_000
from tests.browser.visit import Visit


def follow(visit: Visit, name: str, address: str) -> None:
    tile(visit, name, 0, address)


def tile(visit: Visit, name: str, rank: int, address: str) -> None:
    link = visit.page.get_by_test_id("stPageLink").filter(has_text=name).nth(rank).get_by_role("link")
    visit.click(link, address)


def test_gallery_link_wins_over_the_session_and_the_tour_loses_nothing(open_page: Callable[..., Visit]) -> None:
    visit = open_page("mechanism?noise=2.5&epochs=7&prior=0.3")
    visit.go_to("Papers")
    assert visit.cut_off() == []
    figure = OF_PAPER_000[2]
    follow(visit, figure.name, "/mechanism")
    query = parse_qs(urlsplit(visit.page.url).query)
    said = {key: [value] for key, value in figure.query.items()}
    assert query == {"example": [figure.name], **said}
    assert float(visit.page.locator(".st-key-noise input").input_value()) == pytest.approx(1 / 0.6)

    visit.goto("?noise=3")
    for step, page in enumerate(("mechanism", "attackers", "reconstruct", "frontier", "audit"), 1):
        follow(visit, "Next" if step > 1 else "Take the tour", f"tour={step}")
        assert urlsplit(visit.page.url).path == f"/{page}"
        assert parse_qs(urlsplit(visit.page.url).query)["noise"] == ["3"]
    visit.page.get_by_role("button", name="Done").click()
    expect(visit.page).not_to_have_url(re.compile("tour="))
    assert urlsplit(visit.page.url).query == "noise=3"


def test_figures_of_one_name_start_anew_each(open_page: Callable[..., Visit]) -> None:
    printed, own = (entry for entry in PAPERS[1].entries if entry.name == "001 Fig. 1")
    visit = open_page("papers")
    tile(visit, printed.name, 0, "/frontier")
    assert "land_from" in visit.page.url
    visit.go_to("Papers")
    tile(visit, own.name, 1, "/frontier")
    query = parse_qs(urlsplit(visit.page.url).query)
    assert query == {"example": [own.name], **{key: [value] for key, value in own.query.items()}}
