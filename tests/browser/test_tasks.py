"""What three visitors come for, on small screens, with their clicks and scrolls counted: the answer takes none."""

import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, Locator, expect

from numerics.mechanisms import Gaussian
from pages.ui import cached
from pages.ui.numbers_in_words import EPSILON_DIGITS, rounded_up
from tests import ROOT
from tests.browser.test_certificate import pages
from tests.browser.visit import Visit

Open = Callable[..., Visit]
SMALL_LAPTOP, PHONE = (1280, 720), (390, 844)
HEADER = 56  # pixels that the bar with the pages' names covers
RUN = "compute_dp_sgd_privacy --N=60000 --batch_size=256 --noise_multiplier=1.1 --epochs=60 --delta=1e-6"


@dataclass
class Hand:
    """A visitor's hand: it clicks, and scrolls where what it wants is not on the screen."""

    visit: Visit
    clicks: int = 0
    scrolls: int = 0

    def sees(self, target: Locator, words: str = "") -> str:
        """What the visitor reads there, scrolling if it has to."""
        expect(target).to_contain_text(words)
        self._look_at(target)
        return target.inner_text()

    def click(self, target: Locator) -> None:
        self._look_at(target)
        target.click()
        self.clicks += 1
        self.visit.settle()

    def choose(self, box: Locator, option: Locator) -> None:
        self._look_at(box)
        self.visit.click(box, option)
        self.clicks += 1
        self.click(option)

    def enter(self, target: Locator, text: str, key: str = "Enter") -> None:
        self._look_at(target)
        target.fill(text)
        target.press(key)
        self.visit.settle()

    def download(self, name: str) -> bytes:
        with self.visit.page.expect_download() as download:
            self.click(self.visit.page.get_by_role("button", name=name, exact=True))
        return download.value.path().read_bytes()

    def _look_at(self, target: Locator) -> None:
        expect(target).to_be_visible()
        box, screen = target.bounding_box(), self.visit.page.viewport_size
        assert box is not None
        assert screen is not None
        if box["y"] < 0 or box["y"] + min(box["height"], screen["height"] - HEADER) > screen["height"]:
            target.evaluate("one => one.scrollIntoView({block: 'center'})")
            self.scrolls += 1


@pytest.mark.parametrize(("width", "height", "scrolls"), [(*SMALL_LAPTOP, 2), (*PHONE, 4)])
def test_a_data_officer_has_the_answer_at_once_then_a_link_and_a_memo(
    open_page: Open, browser: Browser, width: int, height: int, scrolls: int
) -> None:
    """Is noise 1, batch 600 of 60,000, 10 epochs within my limit of 20 of 10,000? And of 50, with noise 1.3?"""
    visit = open_page(width=width, height=height)
    hand = Hand(visit)
    hand.sees(visit.page.locator(".verdict"), "At most 41 of 10,000 people can be found")
    hand.sees(visit.page.locator(".verdict"), "Twice your limit of 20.")
    assert (hand.clicks, hand.scrolls) == (0, 0)
    expect(visit.page.get_by_text("60,000 people in batches of 600, 10 epochs")).to_be_attached()

    hand.click(visit.page.get_by_role("link", name="Set yours"))
    expect(visit.page).to_have_url(re.compile("/mechanism"))
    visit.settle()
    is_phone = width < 500  # there the rail lies over the page
    if is_phone:
        hand.click(visit.page.get_by_test_id("stExpandSidebarButton"))
    rail = visit.page.get_by_test_id("stSidebar")
    hand.enter(rail.get_by_role("spinbutton", name="Noise", exact=True), "1.3")
    hand.enter(rail.get_by_role("spinbutton", name="My limit"), "50")
    expect(visit.page).to_have_url(re.compile(r"limit=50&noise=1\.3|noise=1\.3&limit=50"))
    visit.settle()
    said = (
        "At most 27 of 10,000 people can be found while 10 of 10,000 outsiders are wrongly accused "
        "(guessing finds 10). Within your limit of 50."
    )
    expect(visit.page.locator(".said")).to_have_text(said)
    if is_phone:
        hand.click(visit.page.get_by_test_id("stSidebarCollapseButton").get_by_role("button"))
    hand.click(visit.page.get_by_text("Take it with you"))
    memo = hand.download("Memo (HTML)").decode()
    assert hand.clicks <= (5 if is_phone else 3)
    assert hand.scrolls <= scrolls
    assert "60,000 people in batches of 600, 10 epochs" in memo
    assert "Within your limit of 50." in memo
    if not is_phone:  # the memo is the same from there
        assert pages(browser, memo) == {1}
        (link,) = re.findall(r'<a [^>]*href="([^"]+)"', memo)
        tells_others(browser, visit, link.replace("&amp;", "&"), said)


def tells_others(browser: Browser, visit: Visit, address: str, said: str) -> None:
    """The address tells the same to somebody else, in a browser that was never here."""
    context = browser.new_context()
    other = Visit.start(context.new_page(), visit.server, address.removeprefix(f"{visit.server.url}/"))
    expect(other.page.locator(".said")).to_have_text(said)
    problems = other.finish()
    context.close()
    assert problems == []


def test_an_engineer_pastes_a_run_and_leaves_with_noise_for_epsilon_3_and_code_that_runs(open_page: Open) -> None:
    visit = open_page("mechanism", width=SMALL_LAPTOP[0], height=SMALL_LAPTOP[1])
    hand, page = Hand(visit), visit.page
    rail = page.get_by_test_id("stSidebar")
    hand.click(page.get_by_role("button", name="Paste"))
    hand.enter(page.get_by_label("Accountant's state or arguments"), RUN, "Control+Enter")
    hand.click(page.get_by_role("button", name="Use it"))
    promised = cached.epsilon(Gaussian(1.1, 256 / 60_000, 14_063), 1e-6).upper
    hand.sees(rail.get_by_text("ε is at most"), f"{rounded_up(promised, EPSILON_DIGITS)} at δ = 10⁻⁶.")
    expect(page.get_by_label("Accountant's state or arguments")).to_have_count(0)
    assert (hand.clicks, hand.scrolls) == (2, 0)

    hand.click(page.get_by_text("Solve for:"))
    hand.enter(page.get_by_label("Largest epsilon at delta 10⁻⁶"), "3")
    hand.sees(page.get_by_text("keeps epsilon at most 3"))
    hand.click(page.get_by_role("button", name="Use this noise"))
    expect(page.get_by_role("button", name="This noise is in use")).to_be_disabled()
    epsilon = hand.sees(rail.get_by_text("ε is at most"))
    hand.click(page.get_by_text("Take it with you"))
    code = page.get_by_test_id("stCode").last.inner_text()
    assert hand.clicks <= 5
    assert hand.scrolls <= 3
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    (upper,) = re.findall(r"epsilon: Bracket\(.*upper=([\d.]+)\)", ran.stdout)
    assert 2.99 < float(upper) <= 3.0
    assert rounded_up(float(upper), EPSILON_DIGITS) in epsilon

    hand.click(rail.get_by_text("More", exact=True))
    hand.choose(rail.get_by_role("combobox", name="Sampling"), page.get_by_role("option", name="fixed size"))
    hand.sees(rail.get_by_text("compare it with Poisson under replace-one"))
    expect(rail.get_by_role("combobox", name="Neighbours")).to_have_value("replace-one")
    expect(rail.get_by_text("ε is at most")).not_to_have_text(epsilon)
    assert hand.clicks <= 8


def test_a_lecturer_shows_three_pages_and_takes_a_figure(open_page: Open) -> None:
    visit = open_page("attackers", width=SMALL_LAPTOP[0], height=SMALL_LAPTOP[1])
    hand, page = Hand(visit), visit.page
    hand.sees(visit.answer, "At most 41 of 10,000 people can be found while")
    hand.click(page.get_by_role("button", name="Unknown: the record"))
    hand.click(page.get_by_role("button", name="Fewer"))
    hand.sees(
        page.get_by_text("the attacker has to watch both sides."),
        "You said fewer. Right: about 26 of 10,000 people can be found while",
    )
    for title, words in (
        ("Reconstruct", "gets it right at most 41 of 10,000 times with this release"),
        ("Frontier", "found, choose noise"),
    ):
        visit.go_to(title)
        hand.clicks += 1
        hand.sees(visit.answer, words)
    assert (hand.clicks, hand.scrolls) == (4, 0)

    hand.click(page.get_by_text("Take it with you"))
    drawing, print_ = hand.download("Figure (SVG)"), hand.download("Figure (PDF)")
    assert hand.clicks <= 7
    assert hand.scrolls <= 2
    assert b"<text" not in drawing, "letters are drawn, so that no font can be missing"
    assert print_.startswith(b"%PDF")
    assert print_.count(b"/FontFile") >= 1
