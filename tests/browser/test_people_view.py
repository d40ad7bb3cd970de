"""The picture of people in a browser: it moves under the finger, settles on the server's number, and is in view."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from playwright.sync_api import Locator, expect

from tests.browser.visit import Visit

Open = Callable[..., Visit]
HEADER = 60  # pixels, of the bar on top


def slider(visit: Visit) -> Locator:
    return visit.page.get_by_role("slider", name="Noise", exact=True)


def found(visit: Visit) -> int:
    return int(visit.page.locator(".verdict .found").inner_text().replace(",", ""))


def dots(visit: Visit) -> int:
    return visit.page.locator("svg.row circle").count()


@contextmanager
def held(visit: Visit, start: float) -> Iterator[Callable[[float], None]]:
    """The slider's thumb under a finger, from a share of its length on; moves it to others."""
    box = slider(visit).bounding_box()
    assert box is not None

    def move(share: float) -> None:
        visit.page.mouse.move(box["x"] + 8 + share * (box["width"] - 16), box["y"] + box["height"] / 2, steps=4)

    move(start)
    visit.page.mouse.down()
    yield move
    visit.page.mouse.up()


def test_a_drag_moves_sentence_people_and_hills_together_before_the_server_is_asked(open_page: Open) -> None:
    visit = open_page("mechanism")
    expect(visit.page.locator(".verdict .found")).to_have_text("41")
    expect(visit.page.locator("svg.row circle")).to_have_count(41)
    address, hill = visit.page.url, visit.page.locator("svg.chart .outline.found")
    before = hill.get_attribute("d")
    with held(visit, 0.31) as move:
        move(0.45)
        expect(visit.page.locator(".verdict .found")).not_to_have_text("41")
        expect(visit.page.locator("svg.row circle")).to_have_count(found(visit))
        assert hill.get_attribute("d") != before
        assert visit.page.url == address
        near = found(visit)
        move(0.75)
        expect(visit.page.locator(".verdict .found")).not_to_have_text(str(near))
        assert found(visit) < near < 41
        assert dots(visit) == found(visit)
        assert visit.page.url == address
        shown = found(visit)
    expect(visit.page).to_have_url(re.compile(r"noise(_exact)?=[\d.]+"))
    visit.settle()
    assert found(visit) <= shown
    expect(visit.page.locator(".verdict")).to_contain_text("Within your limit of 20.")


def test_what_the_slider_is_let_go_at_is_what_the_address_and_the_curve_then_say(open_page: Open) -> None:
    visit = open_page("mechanism")
    slider(visit).focus()
    visit.page.keyboard.press("ArrowRight")
    expect(visit.page).to_have_url(re.compile("noise=1.1"))
    visit.settle()
    now = found(visit)
    assert now < 41
    expect(
        visit.page.locator(".js-plotly-plot .annotation-text").filter(has_text=re.compile(rf"^{now}$"))
    ).to_be_visible()
    expect(slider(visit)).to_have_attribute("aria-valuetext", re.compile(rf"Noise 1.1. At most {now} of 10,000"))
    expect(visit.page.locator(".said")).to_have_text(re.compile(rf"^At most {now} of 10,000 people can be found"))
    again = open_page("mechanism?noise=1.1")
    expect(again.page.locator(".verdict .found")).to_have_text(str(now))


def test_answer_slider_people_hills_and_curve_are_in_view_without_scrolling(open_page: Open) -> None:
    visit = open_page("mechanism", width=1280, height=720)
    expect(visit.answer).to_contain_text("At most 41 of 10,000 people can be found")
    for width, height in ((1280, 720), (1440, 900)):
        visit.look(width, height)
        for part in (".verdict", ".noise input", "canvas", "svg.chart", ".js-plotly-plot .xtitle"):
            box = visit.page.locator(part).first.bounding_box()
            assert box is not None, part
            assert box["y"] >= HEADER, part
            assert box["y"] + box["height"] <= height, part
        assert visit.cut_off() == []


def test_on_a_phone_answer_and_slider_stay_while_the_page_is_scrolled_and_the_rail_is_a_sheet(open_page: Open) -> None:
    """And the limit of a visitor is drawn and judged by."""
    visit = open_page("mechanism?limit=50", width=390, height=844)
    expect(visit.answer).to_contain_text("At most 41 of 10,000 people can be found")
    box = visit.answer.bounding_box()
    assert box is not None
    assert box["y"] + 40 < 844  # its first lines are seen without scrolling
    expect(visit.page.locator(".verdict")).to_contain_text("Within your limit of 50.")
    expect(visit.page.locator("svg.row text")).to_have_text("your limit, 50")
    visit.page.mouse.move(195, 600)
    visit.page.mouse.wheel(0, 700)
    expect(visit.page.locator("svg.row")).not_to_be_in_viewport()
    for part in (".verdict .found", ".noise input", ".js-plotly-plot"):
        expect(visit.page.locator(part).first).to_be_in_viewport()
    assert visit.cut_off() == []
    rail = visit.page.get_by_test_id("stSidebar")
    expect(rail).to_have_attribute("data-collapsed", "true")
    visit.page.get_by_test_id("stExpandSidebarButton").click()
    expect(rail).to_have_attribute("data-collapsed", "false")
    limit = rail.get_by_role("spinbutton", name="My limit")
    expect(limit).to_have_value("50")
    limit.fill("60")
    limit.press("Enter")
    expect(visit.page).to_have_url(re.compile("limit=60"))
    expect(rail).to_have_attribute("data-collapsed", "false")


def test_other_noise_in_two_phases_has_a_picture_in_either_order(open_page: Open) -> None:
    """Of every mechanism: test_people_scene."""
    visit = open_page("mechanism?mechanism=Logistic&phases=2&rate=1&steps=3&order=remove-one")
    expect(visit.page.locator(".verdict")).to_contain_text("outsiders can be ruled out")
    expect(visit.page.locator("svg.chart .tail")).to_have_count(2)


def test_the_advised_noise_meets_the_limit_and_who_wants_less_motion_jumps_to_it(open_page: Open) -> None:
    visit = open_page("mechanism")
    visit.page.emulate_media(reduced_motion="reduce")
    shown = visit.page.locator(".verdict button").evaluate(
        """button => new Promise(done => {
            const verdict = button.closest('.verdict'), seen = [];
            const watch = new MutationObserver(() => seen.push(verdict.querySelector('.found').textContent));
            watch.observe(verdict, {childList: true, subtree: true});
            button.click();
            setTimeout(() => done(seen), 400);
        })"""
    )
    visit.page.emulate_media(reduced_motion="no-preference")
    assert set(shown) == {"20"}
    expect(visit.page).to_have_url(re.compile("noise=1.69"))
    visit.settle()
    said = re.compile(
        "^At most 20 of 10,000 people can be found while 10 of 10,000 outsiders are wrongly accused certified ✓ Within"
    )
    expect(visit.page.get_by_role("heading", level=2, name=said)).to_be_visible()
    expect(visit.page.locator(".verdict button")).to_be_hidden()
