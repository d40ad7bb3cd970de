"""What visitors come for, on small screens, with their clicks and scrolls counted: the answer takes none."""

import gzip
import re
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, expect

from numerics.mechanisms import Gaussian
from tests.browser.visit import Visit, pages, table

Open = Callable[..., Visit]
SMALL_LAPTOP, PHONE = {"width": 1280, "height": 720}, {"width": 390, "height": 844}
HEADER = 56  # pixels that the bar with the pages' names covers
RUN = "compute_dp_sgd_privacy --N=60000 --batch_size=256 --noise_multiplier=1.1 --epochs=60 --delta=1e-6"
LONGEST = (
    "knows_rate=true&accused=10&noise=9.876&rate=0.0123&steps=12345&adjacency=replace-one&sampling=fixed+size"
    "&phases=4&noise_2=5.4&noise_3=8.5&noise_4=7.25"
)
GIVEN = re.compile(r"ε is at most ([\d.]+) at δ")


@dataclass
class Hand:
    """A visitor's hand: it clicks, and scrolls where what it wants is not on the screen."""

    visit: Visit
    clicks: int = 0
    scrolls: int = 0

    def sees(self, target: Locator, words: str | re.Pattern[str] = "") -> str:
        """What the visitor reads there, scrolling if need be."""
        expect(target).to_contain_text(words)
        self._look_at(target)
        return target.inner_text()

    def click(self, target: Locator, *, runs: bool = True) -> None:
        """Click, and wait for the run that it asks for, if it does."""
        self._look_at(target)
        self.visit.click(target) if runs else target.click()
        self.clicks += 1

    def enter(self, target: Locator, text: str, key: str = "Enter") -> None:
        self._look_at(target)
        self.visit.enter(target, text, key)

    def download(self, name: str) -> bytes:
        self._look_at(self.visit.page.get_by_role("button", name=name, exact=True))
        self.clicks += 1
        return self.visit.download(name)

    def _look_at(self, target: Locator) -> None:
        expect(target).to_be_visible()
        box, screen = target.bounding_box(), self.visit.page.viewport_size
        assert box is not None
        assert screen is not None
        if box["y"] < 0 or box["y"] + min(box["height"], screen["height"] - HEADER) > screen["height"]:
            target.evaluate("one => one.scrollIntoView({block: 'center'})")
            self.scrolls += 1


@pytest.mark.parametrize(
    ("screen", "clicks", "scrolls"), [(SMALL_LAPTOP, 3, 2), (PHONE, 5, 4)], ids=["laptop", "phone"]
)
def test_a_data_officer_has_the_answer_at_once_then_a_link_and_a_memo(
    open_page: Open, browser: Browser, screen: dict[str, int], clicks: int, scrolls: int
) -> None:
    """Is noise 1, batch 600 of 60,000, 10 epochs within my limit of 20 of 10,000? And of 50, with noise 1.3?"""
    visit = open_page(**screen)
    hand, page = Hand(visit), visit.page
    hand.sees(page.locator(".verdict"), "At most 41 of 10,000 people can be found")
    hand.sees(page.locator(".verdict"), "Twice your limit of 20.")
    assert (hand.clicks, hand.scrolls) == (0, 0)

    hand.click(page.get_by_role("link", name="Set yours"))
    expect(page).to_have_url(re.compile("/mechanism"))
    if screen is PHONE:  # there the rail lies over the page
        hand.click(page.get_by_test_id("stExpandSidebarButton"), runs=False)
    rail = page.get_by_test_id("stSidebar")
    hand.enter(rail.get_by_role("spinbutton", name="Noise", exact=True), "1.3")
    hand.enter(rail.get_by_role("spinbutton", name="My limit"), "50")
    assert visit.query == {"noise": "1.3", "limit": "50"}
    said = page.locator(".said").first
    expect(said).to_contain_text("At most 27 of 10,000 people can be found while 10 of 10,000 outsiders are wrongly")
    expect(said).to_contain_text("Within your limit of 50.")
    if screen is PHONE:
        hand.click(page.get_by_test_id("stSidebarCollapseButton").get_by_role("button"), runs=False)
    hand.click(page.get_by_text("Take it with you"))
    memo = hand.download("Memo (HTML)").decode()
    assert hand.clicks <= clicks
    assert hand.scrolls <= scrolls
    assert "60,000 people in batches of 600, 10 epochs" in memo
    assert "Within your limit of 50." in memo
    if screen is SMALL_LAPTOP:  # the memo is the same from a phone
        assert pages(browser, memo) == {1}
        told, (address,) = said.inner_text(), re.findall(r'<a [^>]*href="([^"]+)"', memo)
        visit.goto(address.replace("&amp;", "&").removeprefix(f"{visit.server.url}/"))  # in a session of its own
        expect(said).to_have_text(told)


def test_an_engineer_pastes_a_run_and_leaves_with_noise_for_epsilon_3_and_code_that_runs(open_page: Open) -> None:
    visit = open_page("mechanism", **SMALL_LAPTOP)
    hand, page = Hand(visit), visit.page
    epsilon = page.get_by_test_id("stSidebar").get_by_text("ε is at most")
    before, pasted = visit.page.url, page.get_by_label("Accountant's state or arguments")
    hand.click(page.get_by_role("button", name="Paste"))
    hand.enter(pasted, "<img src=x onerror=alert(1)> [(1, 2)]", "Control+Enter")
    expect(page.get_by_text("Not understood")).to_be_visible()
    expect(page.get_by_role("button", name="Use it")).to_have_count(0)
    hand.enter(pasted, RUN, "Control+Enter")
    assert page.url == before, "what was understood is read before it is used"
    hand.click(page.get_by_role("button", name="Use it"))
    expect(epsilon).to_contain_text("at δ = 10⁻⁶")
    promised = Gaussian(1.1, 256 / 60_000, 14_063).epsilon(1e-6).upper
    assert promised <= float(GIVEN.findall(epsilon.inner_text())[0]) < promised + 0.01
    expect(pasted).to_have_count(0)
    assert (hand.clicks, hand.scrolls) == (2, 0)

    hand.click(page.get_by_text("Solve for:"))
    hand.enter(page.get_by_label("Largest epsilon at delta 10⁻⁶"), "3")
    hand.sees(page.get_by_text("keeps epsilon at most 3"))
    hand.click(page.get_by_role("button", name="Use this noise"))
    expect(page.get_by_role("button", name="This noise is in use")).to_be_disabled()
    shown = float(GIVEN.findall(hand.sees(epsilon))[0])
    hand.click(page.get_by_text("Take it with you"))
    code = page.get_by_test_id("stCode").last.inner_text()
    assert hand.clicks <= 5
    assert hand.scrolls <= 3
    with redirect_stdout(printed := StringIO()):
        exec(code, {})
    (upper,) = re.findall(r"epsilon: Bracket\(.*upper=([\d.]+)\)", printed.getvalue())
    assert 2.99 < float(upper) <= shown <= 3.0


def test_a_lecturer_shows_three_pages_and_takes_a_figure(open_page: Open) -> None:
    visit = open_page("attackers", **SMALL_LAPTOP)
    hand, page = Hand(visit), visit.page
    hand.sees(visit.answer, "At most 41 of 10,000 people can be found while")
    hand.click(page.get_by_role("button", name="Unknown: the record"))
    hand.click(page.get_by_role("button", name="Fewer"))
    hand.sees(page.get_by_text("You said fewer. Right: about 26 of 10,000 people can be found while"))
    for title, words in (
        ("Reconstruct", "gets it right at most 41 of 10,000 times with this release"),
        ("Frontier", "found, choose noise"),
    ):
        visit.go_to(title)
        hand.clicks += 1
        hand.sees(visit.answer, words)
    assert (hand.clicks, hand.scrolls) == (4, 0)

    hand.click(page.get_by_text("Take it with you"))
    drawing = hand.download("Figure (SVG)")
    assert hand.clicks <= 6
    assert hand.scrolls <= 2
    assert drawing.startswith(b"<?xml")
    assert b"<text" not in drawing, "letters are drawn, so that no font can be missing"


COLUMN = "loss <b>b</b> :smile: **l** www.other.example"
NAME = "<img src=x onerror=alert(1)> *x* :smile: :red[y] $z$ [a](http://other.example).csv"
AS_CODE = "a[href*=other], img[src=x], em:text-is('x'), strong:text-is('l'), .katex:text-is('z')"


def losses(count: int = 2000) -> list[str]:
    """Losses of as many members as outsiders, who lose more."""
    drawn = np.random.default_rng(1).normal(size=count)
    return [f"{loss + (row % 2 == 0):.6f},{row % 2}" for row, loss in enumerate(drawn)]


def test_an_auditor_with_a_good_file_has_an_answer_that_stays_while_he_is_elsewhere(
    open_page: Open, browser: Browser
) -> None:
    """What the file calls itself and its columns is shown as text; the report's verdict is its first page."""
    visit = open_page("audit?audit.source=one+file", **SMALL_LAPTOP)
    visit.offer(table(NAME, f"{COLUMN},member", losses()))
    expect(visit.main.get_by_role("combobox", name="Losses", exact=True)).to_have_value(COLUMN)
    visit.accept()
    expect(visit.answer).to_contain_text(re.compile(r"ε\* is at least 1\.\d"))
    expect(visit.page.get_by_text("1,000 training data, 1,000 fresh data").first).to_be_visible()
    assert NAME[:30] in visit.main.inner_text().replace("\u2060", "")
    expect(visit.main.locator(AS_CODE)).to_have_count(0)
    visit.enter(visit.page.get_by_label("Note"), "word " * 120)
    html = visit.download("Report (HTML)").decode()
    assert min(pages(browser, html)) >= 2
    assert pages(browser, html[: html.index("<section><h2>Figures")] + "</body></html>") == {1}
    answer, asked = visit.answer.inner_text(), visit.query
    for title in ("Home", "Audit"):
        visit.go_to(title)
    expect(visit.answer).to_have_text(answer)
    assert visit.query == asked


def test_an_auditor_with_a_bad_file_reads_what_is_wrong_and_keeps_the_answer_of_a_good_one(open_page: Open) -> None:
    """Of all that can be wrong with a file: one before it is unpacked, and one while it is."""
    visit = open_page("audit?audit.source=one+file", **PHONE)
    good, alert = table("good.csv", "loss,member", losses()), visit.page.get_by_test_id("stAlert")
    visit.offer({"name": "bad.csv", "mimeType": "text/csv", "buffer": b"PK\x03\x04" + bytes(200)})
    expect(alert.filter(has_text="Excel workbook")).to_have_count(1)
    visit.offer(good)
    expect(alert).to_have_count(0)
    visit.accept()
    answer = visit.answer.inner_text()
    visit.click(visit.page.get_by_role("button", name="Change", exact=True))
    visit.offer({"name": "bad.csv", "mimeType": "text/csv", "buffer": gzip.compress(bytes(good["buffer"]))[:-400]})
    expect(alert.first).to_contain_text("gzip")
    expect(visit.page.get_by_text("Results are of a file read before")).to_be_visible()
    expect(visit.answer).to_have_text(answer)


def test_who_answers_for_a_release_takes_a_memo_and_a_certificate_that_print_on_few_pages(
    open_page: Open, browser: Browser
) -> None:
    """Of the release with the longest assumptions."""
    visit = open_page(f"mechanism?{LONGEST}&estimates=CLT")
    visit.click(visit.page.get_by_text("Take it with you"))
    assert pages(browser, visit.download("Memo (HTML)").decode()) == {1}
    visit.click(visit.page.locator(".st-key-certificate-open label").first)
    visit.enter(visit.page.get_by_label("Name of the release"), "Model of <b>the clinic</b>, with its version " * 2)
    assert "clinic" not in visit.page.url
    visit.page.get_by_role("button", name="Make the certificate").click()
    expect(visit.page.get_by_role("button", name="Certificate (HTML)")).to_be_enabled()
    visit.rest()
    html = visit.download("Certificate (HTML)").decode()
    assert "Model of &lt;b&gt;the clinic&lt;/b&gt;" in html
    (address,) = re.findall(r'<a [^>]*href="([^"]+)"', html)
    assert "noise=9.876&amp;" in address
    assert "estimates=CLT" in address
    assert pages(browser, html) <= {2, 3}
