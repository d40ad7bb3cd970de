"""What visitors come for, from a link into the app to what they take away, and what only a hand does."""

import gzip
import re
from contextlib import redirect_stdout
from io import StringIO
from math import ceil

import numpy as np
import pytest
from playwright.sync_api import Locator, expect

from numerics.mechanisms import Gaussian
from pages.ui.catalog import PAGES
from tests.browser.visit import Open, Visit, pages, table

SMALL_LAPTOP, PHONE = (1280, 720), (390, 844)
RUN = "compute_dp_sgd_privacy --N=60000 --batch_size=256 --noise_multiplier=1.1 --epochs=60 --delta=1e-6"
GIVEN = re.compile(r"ε is at most ([\d.]+) at δ")
BETWEEN_VALUES = 0.15  # round values of a slider are up to a third apart; a click takes the nearest

COLUMN = "loss <b>b</b> :smile: **l** www.other.example"
NAME = "<img src=x onerror=alert(1)> *x* :smile: :red[y] $z$ [a](http://other.example).csv"
AS_CODE = "a[href*=other], img[src=x], em:text-is('x'), strong:text-is('l'), .katex:text-is('z')"

# A point of the curve that takes clicks: its value on the x-axis, where it is on the screen, and how much larger the
# value is a pixel farther.
ON_CURVE = """chart => {
    const trace = chart._fullData.find(one => one.name.startsWith('click')), {xaxis, yaxis} = chart._fullLayout;
    const at = Math.floor(trace.x.length * 0.7), box = chart.getBoundingClientRect();
    const x = xaxis.d2p(trace.x[at]), y = yaxis.d2p(trace.y[at]);
    const pixel = xaxis.p2d(x + 1) / trace.x[at] - 1;
    return [trace.x[at], box.left + xaxis._offset + x, box.top + yaxis._offset + y, pixel];
}"""


def button(visit: Visit, name: str) -> Locator:
    return visit.page.get_by_role("button", name=name)


def test_a_deep_link_is_the_first_visit_of_a_cold_server_and_what_it_says_stays_on_every_page(open_page: Open) -> None:
    """With a preset and a compared curve. It is the first test of this folder: nobody else has seen the server yet."""
    visit = open_page("mechanism?people=50000&noise=2.5&limit=30&accused=5")
    assert visit.page.title() == "Mechanism - Privacy trade-offs"
    expect(visit.page.get_by_test_id("stTopNavLink")).to_have_count(len(PAGES))
    expect(visit.page.get_by_test_id("stAppDeployButton")).to_have_count(0)  # users see no developers' tools
    for name, value in {"people": "50000", "noise": "2.5"}.items():
        expect(visit.box(name)).to_have_value(value)
    visit.click(button(visit, "Presets"))
    visit.click(button(visit, "SNLI DP-SGD"))
    visit.click(visit.page.get_by_text("The curve: keep and compare"))
    visit.click(button(visit, "Keep and compare"))
    asked = visit.query
    assert asked.pop("compare").startswith("Gaussian_1.15_")
    said = {"noise": 1.15, "people": 549_361, "batch": 4096, "delta": 1.8e-6, "epochs": 3.01965}
    assert {key: float(value) for key, value in asked.items()} == pytest.approx(
        said | {"limit": 30, "accused": 5}, 1e-5
    )
    visit.go_to("About")  # where nothing needs the release
    expect(visit.page.get_by_test_id("stSidebar")).not_to_be_visible()
    visit.go_to("Mechanism")
    assert {key: float(visit.query[key]) for key in asked} == {key: float(value) for key, value in asked.items()}
    expect(visit.page.get_by_test_id("stSidebar")).to_have_attribute("data-collapsed", "false")
    for name, value in asked.items():
        assert float(visit.box(name).input_value()) == float(value)
    expect(visit.chart.locator(".legend")).to_contain_text("kept: Gaussian, noise 1.15")


def test_a_question_of_a_paper_is_gone_back_from_lectured_on_and_wins_over_the_session(open_page: Open) -> None:
    visit = open_page("papers?noise=2.5&epochs=7")
    heading = visit.page.get_by_role("heading", level=1)
    gallery = heading.inner_text()
    visit.click(visit.main.get_by_test_id("stPageLink").first.get_by_role("link"))
    question = heading.inner_text()
    assert question != gallery
    with visit.run():
        visit.page.get_by_role("slider").first.press("ArrowRight")
    for expected, go in ((gallery, visit.page.go_back), (question, visit.page.go_forward)):
        with visit.run():
            go()
        expect(heading).to_have_text(expected)
    visit.click(button(visit, "Lecture"))
    expect(visit.page.get_by_test_id("stHeader")).to_be_hidden()
    for key, figure in (("PageDown", "Fig. 1c/1d"), ("ArrowRight", "Def. 3"), ("PageUp", "Fig. 1c/1d")):
        with visit.run():
            visit.page.keyboard.press(key)
        assert visit.query["papers.unknown_record"] == figure
    visit.page.keyboard.press("ArrowDown")
    expect(visit.page.get_by_role("slider").first).to_be_focused()
    small = visit.page.evaluate(
        """() => [...document.querySelectorAll('.st-key-lecture *')].filter(one => one.checkVisibility() &&
        !one.dataset.testid?.includes('Icon') && [...one.childNodes].some(node => node.nodeType === 3 &&
        node.textContent.trim()) && parseFloat(getComputedStyle(one).fontSize) < 20).map(one => one.textContent)"""
    )
    assert small == []
    with visit.run():
        visit.page.keyboard.press("Escape")
    assert "papers.lecture" not in visit.query
    visit.click(visit.main.get_by_role("link", name="Open in Mechanism"))
    assert visit.query["mechanism.relaxed"] == "true"
    assert float(visit.query["noise"]) == pytest.approx(1 / 0.6)
    assert float(visit.box("noise").input_value()) == pytest.approx(1 / 0.6)


@pytest.mark.parametrize("screen", [SMALL_LAPTOP, PHONE], ids=["laptop", "phone"])
def test_a_data_officer_has_the_answer_at_once_then_a_link_and_a_sheet(
    open_page: Open, screen: tuple[int, int]
) -> None:
    """Is noise 1, batch 600 of 60,000, 10 epochs within my limit of 20 of 10,000? And of 50, with noise 1.3?"""
    visit = open_page("", *screen)
    page, said = visit.page, visit.page.locator(".said").first
    expect(page.locator(".verdict")).to_contain_text("At most 41 of 10,000 people can be found")
    expect(page.locator(".verdict")).to_contain_text("Twice your limit of 20.")
    visit.click(page.get_by_role("link", name="Set yours"))
    expect(page).to_have_url(re.compile("/mechanism"))
    rail = page.get_by_test_id("stSidebar")
    if screen is PHONE:  # there the rail lies over the page
        page.get_by_test_id("stExpandSidebarButton").click()
    visit.enter(rail.get_by_role("spinbutton", name="Noise", exact=True), "1.3")
    visit.enter(rail.get_by_role("spinbutton", name="My limit"), "50")
    assert visit.query == {"noise": "1.3", "limit": "50"}
    expect(said).to_contain_text("At most 27 of 10,000 people can be found while 10 of 10,000 outsiders are wrongly")
    expect(said).to_contain_text("Within your limit of 50.")
    if screen is PHONE:
        page.get_by_test_id("stSidebarCollapseButton").get_by_role("button").click()
    visit.click(button(visit, "Share"))
    sheet = visit.download("Sheet (HTML)").decode()
    assert "60,000 people in batches of 600, 10 epochs" in sheet
    assert "Within your limit of 50." in sheet
    if screen is SMALL_LAPTOP:  # the sheet is the same from a phone
        told, (address,) = said.inner_text(), re.findall(r'<a [^>]*href="([^"]+)"', sheet)
        assert "&amp;epochs=10&amp;" in address, "what is at its default is said, too"
        visit.goto(address.replace("&amp;", "&").removeprefix(f"{visit.server.url}/"))  # in a session of its own
        expect(said).to_have_text(told)
        assert visit.query == {"noise": "1.3", "limit": "50"}


def test_an_engineer_enters_a_run_by_keys_pastes_one_and_leaves_with_noise_for_epsilon_3_and_code_that_runs(
    open_page: Open,
) -> None:
    """The first run, and opening its link, need the keyboard alone."""
    visit = open_page("mechanism")
    page, keys = visit.page, visit.page.keyboard
    visit.box("people").focus()
    for value in ("50000", "256"):
        keys.press("ControlOrMeta+a")
        keys.type(value)
        with visit.run():
            keys.press("Tab")
        while "Help" in (page.evaluate("document.activeElement.getAttribute('aria-label')") or ""):
            keys.press("Tab")
    expect(page.get_by_text("That is a rate of 0.00512 and 1,954 steps.")).to_be_visible()
    assert visit.query == {"people": "50000", "batch": "256"}
    button(visit, "Share").focus()
    with visit.run():
        keys.press("Enter")
    expect(page.get_by_test_id("stCode").first).to_contain_text("people=50000&batch=256&epochs=10&noise=1&")
    with visit.run():
        keys.press("Escape")

    before = page.url
    epsilon = page.get_by_test_id("stSidebar").get_by_text("ε is at most")
    visit.click(button(visit, "Paste"))
    visit.enter(page.get_by_label("Accountant's state or arguments"), RUN, "Control+Enter")
    assert page.url == before, "what was understood is read before it is used"
    visit.click(button(visit, "Use it"))
    expect(epsilon).to_contain_text("at δ = 10⁻⁶")
    promised = Gaussian(1.1, 256 / 60_000, 14_063).epsilon(1e-6).upper
    assert promised <= float(GIVEN.findall(epsilon.inner_text())[0]) < promised + 0.01

    visit.click(page.get_by_text("Solve for:"))
    visit.enter(page.get_by_label("Largest epsilon at delta 10⁻⁶"), "3")
    expect(page.get_by_text("keeps epsilon at most 3")).to_be_visible()
    visit.click(button(visit, "Use this noise"))
    expect(button(visit, "This noise is in use")).to_be_disabled()
    shown = float(GIVEN.findall(epsilon.inner_text())[0])
    visit.click(button(visit, "Share"))
    with redirect_stdout(printed := StringIO()):
        exec(page.get_by_test_id("stCode").last.inner_text(), {})
    (upper,) = re.findall(r"epsilon: Bracket\(.*upper=([\d.]+)\)", printed.getvalue())
    assert 2.99 < float(upper) <= shown <= 3.0


def test_a_lecturer_shows_two_pages_moves_a_guess_by_keys_and_takes_a_figure(open_page: Open) -> None:
    visit = open_page("attackers")
    expect(visit.answer).to_contain_text("At most 41 of 10,000 people can be found while")
    visit.click(button(visit, "Unknown: the record"))
    visit.click(button(visit, "Fewer"))
    expect(visit.page.get_by_text("You said fewer. Right: about 26 of 10,000 people can be found")).to_be_visible()
    visit.go_to("Reconstruct")
    heard = visit.page.get_by_role("status").filter(has_text="An attacker who guesses a record right")
    expect(heard).to_have_text(re.compile("at most 41 of 10,000 times with this release"))
    guess, point = visit.main.get_by_role("slider", name="prior guess"), visit.chart.locator(".points > path").first
    place, before, address = (
        visit.main.locator(".stSlider [role=group] > div").bounding_box(),
        point.get_attribute("transform"),
        visit.page.url,
    )
    assert place is not None
    visit.page.mouse.move(place["x"] + place["width"] * 0.5625, place["y"] + place["height"] / 2)
    with visit.run():  # all that moves, moves before the server is asked, to where its answer then leaves it
        visit.page.mouse.down()
        visit.page.mouse.move(place["x"] + place["width"] * 0.8, place["y"] + place["height"] / 2, steps=4)
        expect(visit.page.locator(".knob-copy").first).to_have_text(re.compile("at most 4,545 of 10,000 times"))
        assert point.get_attribute("transform") != before
        moved = point.get_attribute("transform")
        assert visit.page.url == address
        visit.page.mouse.up()
    expect(visit.page.locator(".knob-copy")).to_have_count(0)
    expect(visit.answer).to_contain_text("at most 4,545 of 10,000 times")
    expect(point).to_have_attribute("transform", moved)
    with visit.run():
        guess.press("ArrowRight")
    expect(guess).to_have_attribute("aria-valuetext", visit.query["reconstruct.kappa"])
    expect(heard).not_to_have_text(re.compile("at most 41 of 10,000 times"))
    expect(heard).to_have_count(1)
    assert heard.evaluate("one => one.getBoundingClientRect().width") <= 1  # heard, and not seen
    visit.click(button(visit, "Share"))
    visit.click(visit.page.get_by_text("SVG", exact=True))
    visit.page.keyboard.press("Escape")
    visit.chart.hover()
    with visit.page.expect_download() as saved:
        visit.page.locator("[data-title^='Download plot']").first.click()
    assert saved.value.path().read_bytes().startswith(b"<svg")


def test_an_auditor_with_a_bad_file_reads_what_is_wrong_and_with_a_good_one_has_an_answer_that_stays(
    open_page: Open,
) -> None:
    """While he is elsewhere, and while a file that breaks off is refused. What the file calls itself and its columns is
    shown as text; the report's verdict is its first page.
    """
    drawn = np.random.default_rng(1).normal(size=2000)
    losses = [f"{loss + (row % 2 == 0):.6f},{row % 2}" for row, loss in enumerate(drawn)]  # outsiders lose more
    good = table(NAME, f"{COLUMN},member", losses)
    visit = open_page("audit")
    alert = visit.page.get_by_test_id("stAlert")
    visit.offer({"name": "bad.csv", "mimeType": "text/csv", "buffer": b"PK\x03\x04" + bytes(200)})
    expect(alert.filter(has_text="Excel workbook")).to_have_count(1)
    visit.offer(good)
    expect(alert).to_have_count(0)
    visit.click(button(visit, "Not so?"))
    expect(visit.page.get_by_role("combobox", name="Losses", exact=True)).to_have_value(COLUMN)
    visit.page.keyboard.press("Escape")
    expect(visit.answer).to_contain_text(re.compile(r"ε\* is at least 1\.\d"))
    expect(visit.page.get_by_text("1,000 training data (member = 1), 1,000 fresh data").first).to_be_visible()
    assert NAME[:30] in visit.main.inner_text().replace("\u2060", "")
    expect(visit.main.locator(AS_CODE)).to_have_count(0)
    visit.click(button(visit, "Share"))
    html = visit.download("Sheet (HTML)").decode()
    for end, count in (('<div class="second">', 1), ('<div class="annex">', 2)):
        assert pages(visit.page, html[: html.index(end)] + "</body></html>") == {count}
    visit.page.keyboard.press("Escape")
    answer, asked = visit.answer.inner_text(), visit.query
    for title in ("Home", "Audit"):
        visit.go_to(title)
    expect(visit.answer).to_have_text(answer)
    assert visit.query == asked
    visit.offer({"name": "bad.csv", "mimeType": "text/csv", "buffer": gzip.compress(bytes(good["buffer"]))[:-400]})
    expect(alert.first).to_contain_text("gzip")
    expect(visit.page.get_by_text("Results are of what was read before")).to_be_visible()
    expect(visit.answer).to_have_text(answer)


def test_the_people_move_by_keys_and_by_a_drag_and_a_click_on_the_curve_accuses(open_page: Open) -> None:
    """What is drawn moves together before the server is asked; address, curve and screen reader then say the same."""
    visit = open_page("mechanism")
    page, mouse, said = visit.page, visit.page.mouse, visit.page.locator(".verdict .found")
    slider = page.get_by_role("slider", name="Noise", exact=True)

    def found() -> int:
        return int(said.inner_text().replace(",", ""))

    def dots() -> int:
        lines = page.locator("svg.row .people path")  # a dot at every whole number along them
        return sum(map(ceil, lines.evaluate_all("ones => ones.map(one => +one.getAttribute('pathLength'))")))

    def number(count: int) -> Locator:
        return visit.chart.locator(".annotation-text").filter(has_text=re.compile(rf"^{count}$"))

    expect(said).to_have_text("41")
    assert dots() == 41
    with visit.run():
        slider.press("ArrowRight")
    assert visit.query["noise"] == "1.1"
    now = found()
    assert now < 41
    expect(number(now)).to_be_visible()
    expect(slider).to_have_attribute("aria-valuetext", re.compile(rf"Noise 1.1. At most {now} of 10,000"))
    expect(page.locator(".said").first).to_have_text(re.compile(rf"^At most {now} of 10,000 people can be"))

    hill, address, place = page.locator("svg.chart .outline.found"), page.url, slider.bounding_box()
    assert place is not None
    before, shown = hill.get_attribute("d"), now

    def move(share: float) -> None:
        mouse.move(place["x"] + 8 + share * (place["width"] - 16), place["y"] + place["height"] / 2, steps=4)

    move(0.31)
    with visit.run():
        mouse.down()
        for share in (0.5, 0.75):
            move(share)
            expect(said).not_to_have_text(str(shown))
            assert dots() == found() < shown
            expect(number(found())).to_be_visible()
            shown = found()
        assert hill.get_attribute("d") != before
        assert page.url == address
        mouse.up()
    assert found() <= shown
    expect(page.locator(".verdict")).to_contain_text("Within your limit of 20.")

    visit.chart.scroll_into_view_if_needed()
    alpha, x, y, pixel = visit.chart.evaluate(ON_CURVE)
    mouse.move(x - 3, y)
    mouse.move(x, y)
    expect(visit.chart.locator(".hoverlayer")).to_contain_text("the attacker finds at most")
    with visit.run():
        mouse.click(x, y)
    accused = float(visit.query["accused"])
    assert abs(accused / 10_000 / alpha - 1.0) < BETWEEN_VALUES + pixel
    assert float(visit.box("accused").input_value()) == pytest.approx(accused, rel=1e-5)


def test_a_sweep_is_clicked_its_names_are_text_and_long_work_says_how_far_it_is_and_can_be_cancelled(
    open_page: Open,
) -> None:
    visit = open_page("frontier?frontier.weigh=your+own+sweep&frontier.land_from=a+file")
    name = "<img src=x> **b**"
    rows = ["a,1,0.5,1", "a,1,0.7,2", f"{name},1,0.9,3", "c,1,0.6,9"]
    visit.offer(table("sweep.csv", "strategy,run,accuracy,epsilon", rows))
    expect(visit.answer).to_contain_text(f"choose “{name}” with ε 3: accuracy 0.9")
    assert name in visit.chart.locator(".legendtext").all_text_contents()
    point = visit.chart.locator("path.point").last.bounding_box()
    assert point is not None
    with visit.run():
        visit.page.mouse.click(point["x"] + point["width"] / 2, point["y"] + point["height"] / 2)
    expect(visit.main.get_by_text(f"Clicked: “{name}” with ε 3")).to_be_visible()

    visit.follow("attackers?attackers.part=audit&attackers.audit_rounds=1,000,000", *SMALL_LAPTOP)
    start = visit.page.get_by_role("button", name=re.compile("^(Start|Run again)$"))
    progress = visit.page.get_by_test_id("stProgress")
    start.click()
    expect(progress).to_contain_text(re.compile("of 1,000,000 rounds"))
    expect(start).to_be_disabled()
    visit.click(button(visit, "Cancel"))
    expect(progress).to_have_count(0)
    expect(start).to_be_enabled()
