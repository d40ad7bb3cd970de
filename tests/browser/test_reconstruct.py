"""The page on reconstruction in a real browser: link, click, preset, upload, Monte Carlo, and that everything fits."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.test_mechanism import click_on_the_curve, first_chart, query
from tests.browser.visit import Visit

Open = Callable[..., Visit]
BETWEEN_VALUES = 0.5  # the slider's round values are 1, 2 and 5 in every decade; a click takes the nearest


def test_link_restores_the_view_and_a_click_moves_the_guess(open_page: Open) -> None:
    path = "reconstruct?noise=0.8&knows=k+candidates&candidates=100&estimates=CLT&across=%CE%B5"
    visit = open_page(path)
    expect(visit.answer).to_contain_text("(one of 100 candidates) gets it right at most")
    expect(first_chart(visit).locator(".legend")).to_contain_text("CLT estimate")
    prior = click_on_the_curve(visit, 0.4)
    expect(visit.page).not_to_have_url(re.compile("knows="))
    assert abs(float(query(visit)["kappa"]) / prior - 1.0) < BETWEEN_VALUES
    assert query(visit)["noise"] == "0.8"


def test_a_figure_of_a_paper_sets_the_page(open_page: Open) -> None:
    visit = open_page("reconstruct")
    visit.page.get_by_role("button", name="Figures of the papers").click()
    visit.page.get_by_role("button", name="003 Fig. 4").click()  # once: widgets that appear must be in the address too
    expect(visit.page).to_have_url(re.compile("same_steps=10000"))
    expect(visit.page.get_by_text("never identical")).to_be_visible()
    expect(visit.page.locator(".js-plotly-plot")).to_have_count(4)


def test_an_uploaded_distribution_and_bad_ones(open_page: Open) -> None:
    visit = open_page("reconstruct?knows=an+uploaded+distribution&candidates_from=a+file")
    for text, said in (
        ("name,p\nann,-1\nbob,1.5\n", "What is a row of this table"),
        ("", "empty"),
        ("name,p\nann,0.75\nbob,0.25\n", "right 7,500 of 10,000 times"),
    ):
        visit.page.locator("input[type=file]").set_input_files(
            {"name": "candidates.csv", "mimeType": "text/csv", "buffer": text.encode()}
        )
        expect(visit.page.get_by_test_id("stMain")).to_contain_text(re.compile(said, re.IGNORECASE))
    visit.page.wait_for_url(re.compile("uploaded=candidates"))
    visit.page.reload()
    expect(visit.page.get_by_test_id("stMain")).to_contain_text("uploaded or pasted here is gone")


def test_monte_carlo_shows_progress_and_can_be_left(open_page: Open) -> None:
    visit = open_page("reconstruct?more=methods+compared&kappa=0.1")
    visit.page.get_by_role("button", name="Start").click()
    expect(visit.page.get_by_test_id("stProgress")).to_contain_text(re.compile("of 1,000,000 samples"))
    visit.page.get_by_role("button", name="Cancel").click()
    expect(visit.page.get_by_role("button", name="Run again")).to_be_enabled()
    expect(visit.page.get_by_test_id("stTable")).to_contain_text(re.compile(r"Monte Carlo, [\d,]+ samples"))


@pytest.mark.parametrize(("width", "dark"), [(1440, True), (390, False)])
def test_nothing_is_cut_off(open_page: Open, width: int, dark: bool) -> None:
    both = "estimates=CLT&estimates=Edgeworth&also=record+unknown+(RTM)&also=from+%CE%B5+and+%CE%B4+alone"
    visit = open_page(f"reconstruct?{both}&more=same+%CE%B5%2C+other+rate", width=width, height=900, dark=dark)
    visit.compute_rest()  # other noise for an attacker who does not know the record takes four seconds
    expect(visit.page.locator(".js-plotly-plot")).to_have_count(4)
    assert visit.cut_off() == []
