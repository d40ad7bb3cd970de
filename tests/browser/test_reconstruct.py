"""The page on reconstruction in a real browser: positions, link, click, keys, limit, preset, upload, Monte Carlo."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.test_mechanism import click_on_the_curve, first_chart, query
from tests.browser.uploads import accept, offer, payload
from tests.browser.visit import SCREENS, Screens, Visit

Open = Callable[..., Visit]
BETWEEN_VALUES = 0.5  # the slider's round values are 1, 2 and 5 in every decade; a click takes the nearest
MOST_WORDS = 60  # of prose that a visitor meets first

# Words of sentences that can be seen without scrolling; names of controls and what stands in a figure are none.
PROSE = """() => [...document.querySelectorAll(
    '[data-testid=stMain] :is([data-testid=stMarkdownContainer], [data-testid=stCaptionContainer])')]
    .filter(one => one.checkVisibility() && !one.closest('label, button, summary, [data-testid=stSlider], ' +
        '[data-testid=stWidgetLabel], [data-testid=stMetric]'))
    .filter(one => !one.querySelector('[data-testid=stMarkdownContainer]'))
    .filter(one => { const box = one.getBoundingClientRect(); return box.height && box.top < innerHeight; })
    .map(one => one.textContent).join(' ')"""


def plot(visit: Visit) -> Locator:
    """The area inside the axes of the first figure."""
    return visit.page.locator(".js-plotly-plot .nsewdrag").first


def bottom(place: Locator) -> float:
    box = place.bounding_box()
    assert box is not None
    return box["y"] + box["height"]


def verdict(visit: Visit) -> Locator:
    return visit.page.get_by_test_id("stMarkdown").filter(has_text=re.compile("Too often|Met")).first


@pytest.mark.parametrize("screens", SCREENS, ids=str)
def test_sentence_guess_and_figure_are_above_the_fold(open_page: Open, screens: Screens) -> None:
    visit = open_page("reconstruct", width=screens[0][0], height=screens[0][1])
    expect(verdict(visit)).to_contain_text("4.07 times the guess; noise 1.69 keeps it at twice.")
    for width, height in screens:
        visit.look(width, height)
        above_the_fold(visit, width, height)


def above_the_fold(visit: Visit, width: int, height: int) -> None:
    slider = visit.page.get_by_test_id("stMain").get_by_role("slider", name="prior guess")
    places = [visit.answer, verdict(visit), slider, plot(visit)]
    ends = [bottom(place) for place in places]
    assert ends == sorted(ends)
    assert ends[-1] <= height
    prose = visit.page.evaluate(PROSE)
    assert len(re.findall(r"\w+(?:[.,'-]\w+)*", prose)) < MOST_WORDS, prose
    if width > 1000:
        assert bottom(visit.page.get_by_role("spinbutton", name="My limit: right guesses")) <= height
        assert bottom(visit.page.get_by_role("button", name="Figures of the papers")) <= height
    assert visit.cut_off() == []


def test_the_button_leads_to_met_which_is_heard_too_and_the_limit_is_kept_on_other_pages(open_page: Open) -> None:
    visit = open_page("reconstruct?reconstruct.guess_limit=20")
    expect(verdict(visit)).to_contain_text("Twice your limit of 20 of 10,000. Noise 1.69 meets it.")
    heard = visit.page.get_by_role("status").filter(has_text="An attacker who guesses a record right")
    expect(heard).to_have_text(re.compile(r"at most 41 of 10,000 times with this release. ✕ Too often."))
    assert heard.evaluate("one => one.getBoundingClientRect().width") <= 1  # heard, and not seen
    visit.click(visit.page.get_by_role("button", name="Use 1.69"), "noise=1.69")
    expect(heard).to_have_text(re.compile(r"at most 20 of 10,000 times with this release. ✓ Met."))
    expect(heard).to_have_count(1)
    expect(verdict(visit)).to_contain_text("Within your limit of 20 of 10,000.")
    visit.go_to("Attackers")
    visit.go_to("Reconstruct")
    expect(verdict(visit)).to_contain_text("Within your limit of 20 of 10,000.")
    expect(visit.page).to_have_url(re.compile("guess_limit=20"))


def test_keys_move_the_guess_and_set_the_limit(open_page: Open) -> None:
    """From a guess that is no step of the slider, too."""
    visit = open_page("reconstruct?reconstruct.kappa_exact=0.0031")
    slider = visit.page.get_by_test_id("stMain").get_by_role("slider", name="prior guess")
    expect(slider).to_have_attribute("aria-valuetext", "0.0031")
    slider.focus()
    for key, guess, said in (("ArrowRight", "0.005", 50), ("ArrowLeft", "0.002", 20)):
        slider.press(key)
        expect(visit.page).to_have_url(re.compile(f"kappa={guess}"))
        expect(visit.page).not_to_have_url(re.compile("kappa_exact"))
        expect(visit.answer).to_contain_text(f"right {said} of 10,000 times")
    visit.settle()
    box = visit.page.get_by_role("spinbutton", name="My limit: right guesses")
    box.fill("100")
    box.press("Enter")
    expect(visit.page).to_have_url(re.compile("guess_limit=100"))
    expect(verdict(visit)).to_contain_text("Within your limit of 100 of 10,000.")
    expect(first_chart(visit).locator(".annotation-text").filter(has_text="my limit, 100")).to_be_visible()


def test_a_yes_or_no_has_its_own_curve_and_address(open_page: Open) -> None:
    visit = open_page(
        "reconstruct?reconstruct.guessed=a+yes+or+no&reconstruct.commoner=0.8&noise=0.7", width=390, height=844
    )
    expect(visit.answer).to_contain_text("guesses a yes or no right 8,000 of 10,000 times")
    first = first_chart(visit).locator(".ytick text").first
    expect(first).to_have_text("50%")
    assert visit.cut_off() == []


def test_link_restores_the_view_and_a_click_moves_the_guess(open_page: Open) -> None:
    guess = "reconstruct.knows=k+candidates&reconstruct.candidates=100"
    other = "reconstruct.more=other+noise&reconstruct.across=%CE%B5"
    path = f"reconstruct?noise=0.8&{guess}&estimates=CLT&{other}"
    visit = open_page(path)
    expect(visit.answer).to_contain_text("(one of 100 candidates) gets it right at most")
    expect(first_chart(visit).locator(".legend")).to_contain_text("CLT estimate")
    expect(visit.page.locator(".js-plotly-plot")).to_have_count(2)
    prior = click_on_the_curve(visit, 0.6)
    expect(visit.page).not_to_have_url(re.compile("knows="))
    assert abs(float(query(visit)["reconstruct.kappa"]) / prior - 1.0) < BETWEEN_VALUES
    assert query(visit)["noise"] == "0.8"


def test_an_address_says_my_limit(open_page: Open) -> None:
    visit = open_page("reconstruct?reconstruct.guess_limit=200&reconstruct.more=what+the+limit+allows")
    expect(verdict(visit)).to_contain_text("Within your limit of 200 of 10,000.")
    expect(visit.page.get_by_text("How little noise is enough")).to_be_visible()
    expect(visit.page).to_have_url(re.compile(r"guess_limit=200"))


def test_a_figure_of_a_paper_sets_the_page(open_page: Open) -> None:
    visit = open_page("reconstruct")
    fig_7 = visit.page.get_by_role("button", name="000 Fig. 7, SNLI")
    visit.click(visit.page.get_by_role("button", name="Figures of the papers"), fig_7)
    fig_7.click()  # once: widgets that appear must be in the address too
    expect(visit.page).to_have_url(re.compile("across="))
    expect(visit.page).to_have_url(re.compile("more=other"))


def test_an_uploaded_distribution_and_bad_ones(open_page: Open) -> None:
    visit = open_page("reconstruct?reconstruct.knows=an+uploaded+distribution&reconstruct.candidates_from=a+file")
    for text, said in (
        ("name,p\nann,-1\nbob,1.5\n", "What is a row of this table"),
        ("name,p\nann,0.75\nbob,0.25\n", "2 candidates; no row left out"),
    ):
        offer(visit, payload("candidates.csv", text.encode()))
        expect(visit.page.get_by_test_id("stMain")).to_contain_text(re.compile(said, re.IGNORECASE))
    accept(visit, "Use it")
    expect(visit.page.get_by_test_id("stMain")).to_contain_text("right 7,500 of 10,000 times")
    visit.page.wait_for_url(re.compile(r"uploaded=reconstruct\."))
    visit.page.reload()
    expect(visit.page.get_by_test_id("stMain")).to_contain_text("uploaded or pasted here is gone")


def test_monte_carlo_shows_progress_and_can_be_left(open_page: Open) -> None:
    visit = open_page("reconstruct?reconstruct.more=methods+compared&reconstruct.kappa=0.1")
    visit.page.get_by_role("button", name="Start").click()
    expect(visit.page.get_by_test_id("stProgress")).to_contain_text(re.compile("of 1,000,000 samples"))
    again = visit.page.get_by_role("button", name="Run again")
    visit.click(visit.page.get_by_role("button", name="Cancel"), again)
    expect(again).to_be_enabled()
    expect(visit.page.get_by_test_id("stTable")).to_contain_text(re.compile(r"Monte Carlo, [\d,]+ samples"))


def test_nothing_is_cut_off(open_page: Open) -> None:
    estimates = "estimates=CLT&estimates=Edgeworth"
    also = "reconstruct.also=record+unknown+(RTM)&reconstruct.also=from+%CE%B5+and+%CE%B4+alone"
    visit = open_page(f"reconstruct?{estimates}&{also}&reconstruct.more=same+%CE%B5%2C+other+rate", dark=True)
    visit.compute_rest()  # other noise for an attacker who does not know the record takes four seconds
    expect(visit.page.locator(".js-plotly-plot")).to_have_count(3)
    assert visit.cut_off() == []
    visit.look(390, 900)  # the rail then lies over the page, which is as wide as without it
    assert visit.cut_off() == []
