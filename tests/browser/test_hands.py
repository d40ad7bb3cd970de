"""What only a hand does: drag and keys on the picture of people, clicks on curves and points, long work cancelled."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.visit import Visit, table

Open = Callable[..., Visit]
NAME = "<img src=x> **b**"
BETWEEN_VALUES = 0.15  # round values of a slider are up to a third apart; a click takes the nearest


def slider(visit: Visit) -> Locator:
    return visit.page.get_by_role("slider", name="Noise", exact=True)


def found(visit: Visit) -> int:
    return int(visit.page.locator(".verdict .found").inner_text().replace(",", ""))


def test_a_drag_moves_sentence_people_and_hills_together_before_the_server_is_asked(open_page: Open) -> None:
    visit = open_page("mechanism")
    people, sentence = visit.page.locator("svg.row circle"), visit.page.locator(".verdict .found")
    expect(people).to_have_count(41)
    expect(visit.page.locator("svg.chart .tail")).to_have_count(2)
    address, hill = visit.page.url, visit.page.locator("svg.chart .outline.found")
    before, place, mouse = hill.get_attribute("d"), slider(visit).bounding_box(), visit.page.mouse
    assert place is not None

    def move(share: float) -> None:
        mouse.move(place["x"] + 8 + share * (place["width"] - 16), place["y"] + place["height"] / 2, steps=4)

    move(0.31)
    with visit.run():
        mouse.down()
        shown = 41
        for share in (0.45, 0.75):
            move(share)
            expect(sentence).not_to_have_text(str(shown))
            expect(people).to_have_count(found(visit))
            assert found(visit) < shown
            shown = found(visit)
        assert hill.get_attribute("d") != before
        assert visit.page.url == address
        mouse.up()
    assert "noise" in {key.removesuffix("_exact") for key in visit.query}
    assert found(visit) <= shown
    expect(visit.page.locator(".verdict")).to_contain_text("Within your limit of 20.")


def test_keys_move_the_people_and_what_they_settle_on_is_what_address_curve_and_screen_reader_say(
    open_page: Open,
) -> None:
    """And who wants less motion jumps from there to the advised noise."""
    visit = open_page("mechanism")
    with visit.run():
        slider(visit).press("ArrowRight")
    assert visit.query == {"noise": "1.1"}
    now, sentence = found(visit), visit.page.locator(".verdict .found")
    assert now < 41
    on_curve = visit.chart.locator(".annotation-text").filter(has_text=re.compile(rf"^{now}$"))
    expect(on_curve).to_be_visible()
    expect(slider(visit)).to_have_attribute("aria-valuetext", re.compile(rf"Noise 1.1. At most {now} of 10,000"))
    expect(visit.page.locator(".said").first).to_have_text(re.compile(rf"^At most {now} of 10,000 people can be"))

    visit.page.emulate_media(reduced_motion="reduce")
    sentence.evaluate("""one => {
        window.seen = [];
        new MutationObserver(() => seen.push(one.textContent)).observe(one, {childList: true, characterData: true});
    }""")
    visit.click(visit.page.locator(".verdict button"))
    visit.page.emulate_media(reduced_motion="no-preference")
    assert set(visit.page.evaluate("seen")) == {"20"}
    assert visit.query == {"noise": "1.69"}
    expect(visit.page.locator(".verdict button")).to_be_hidden()


# Where on the screen a point of a figure is: one at a share of the curve that takes clicks, or one by its name; and how
# much larger the value on the x-axis is a pixel farther.
ON_CURVE = """(chart, share) => {
    const trace = chart._fullData.find(one => one.name.startsWith('click'));
    return place(chart, trace, Math.floor(trace.x.length * share));
}"""
BY_NAME = """(chart, name) => {
    const named = (chart._fullData.filter(one => one.customdata));
    const trace = named.find(one => one.text.some(text => text.startsWith(name)));
    return place(chart, trace, trace.text.findIndex(text => text.startsWith(name)));
}"""
PLACE = """() => { window.place = (chart, trace, at) => {
    const box = chart.getBoundingClientRect(), {xaxis, yaxis} = chart._fullLayout;
    const x = box.left + xaxis._offset + xaxis.d2p(trace.x[at]), y = box.top + yaxis._offset + yaxis.d2p(trace.y[at]);
    return [trace.x[at], x, y, xaxis.p2d(xaxis.d2p(trace.x[at]) + 1) / trace.x[at] - 1];
}; }"""


def point(visit: Visit, how: str, which: object) -> tuple[float, float, float, float]:
    """A point's value on the x-axis, where it is, and by how much a pixel changes the value; the mouse goes there."""
    visit.page.evaluate(PLACE)
    value, x, y, pixel = visit.chart.evaluate(how, which)
    visit.page.mouse.move(x - 3, y)
    visit.page.mouse.move(x, y)
    expect(visit.chart.locator(".hoverlayer .hovertext").first).to_be_visible()
    return float(value), float(x), float(y), float(pixel)


def test_the_curve_reads_as_a_sentence_takes_a_click_and_falls_with_more_noise(open_page: Open) -> None:
    visit = open_page("mechanism?window=all")
    alpha, x, y, pixel = point(visit, ON_CURVE, 0.7)
    expect(visit.chart.locator(".hoverlayer")).to_contain_text("the attacker finds at most")
    with visit.run():
        visit.page.mouse.click(x, y)
    accused = float(visit.query["accused"])
    assert abs(accused / 10_000 / alpha - 1.0) < BETWEEN_VALUES + pixel
    assert float(visit.box("accused").input_value()) == pytest.approx(accused, rel=1e-5)
    height = "g => g._fullData.find(t => t.name.startsWith('click')).y.reduce((sum, y) => sum + y, 0)"
    before = visit.chart.evaluate(height)
    visit.enter(visit.box("noise"), "1.1")
    assert visit.chart.evaluate(height) < before


def test_a_sweep_of_ten_thousand_settings_takes_clicks_and_a_box(open_page: Open) -> None:
    """Their names are text. The few that are named lie in the corner, and the many on one line below them."""
    visit = open_page("frontier?frontier.weigh=your+own+sweep&frontier.land_from=a+file", width=1280, height=720)
    many = [f"many,{row},{0.3 + row * 1e-6},{5 + row * 1e-4}" for row in range(10_000)]
    few = ["a,1,0.5,1", "a,1,0.7,2", f"{NAME},1,0.9,3", "c,1,0.6,9"]
    visit.offer(table("sweep.csv", "strategy,run,accuracy,epsilon", few + many))
    visit.accept("Use it")
    expect(visit.answer).to_contain_text(f"choose “{NAME}, epsilon 3”: accuracy 0.9")
    assert NAME in visit.chart.locator(".legendtext").all_text_contents()
    _, x, y, _ = point(visit, BY_NAME, "c")
    with visit.run():
        visit.page.mouse.click(x, y)
    expect(visit.main.get_by_text("Clicked: “c")).to_be_visible()
    visit.click(visit.main.get_by_role("button", name="Use 9 as my limit"))
    expect(visit.answer).to_contain_text(f"For epsilon at most 9, choose “{NAME}")
    visit.chart.hover()
    visit.page.locator("[data-title='Box Select']").click()
    (left, low), (right, high) = (visit.chart.evaluate(BY_NAME, f"a, epsilon {risk}")[1:3] for risk in (1, 2))
    with visit.run():
        visit.page.mouse.move(left - 12, max(low, high) + 12)
        visit.page.mouse.down()
        visit.page.mouse.move(right + 12, min(low, high) - 12, steps=6)
        visit.page.mouse.up()
    expect(visit.main.get_by_text("Brushed: 2 points of 1 strategy")).to_be_visible()


def test_a_guess_moves_by_keys_and_the_advised_noise_is_heard(open_page: Open) -> None:
    visit = open_page("reconstruct?reconstruct.guess_limit=20&reconstruct.kappa_exact=0.0031")
    guess = visit.main.get_by_role("slider", name="prior guess")
    expect(guess).to_have_attribute("aria-valuetext", "0.0031")  # which is no step of the slider
    for key, kappa, said in (("ArrowRight", "0.005", 50), ("ArrowLeft", "0.002", 20), ("ArrowLeft", "0.001", 10)):
        with visit.run():
            guess.press(key)
        expect(visit.answer).to_contain_text(f"right {said} of 10,000 times")
        assert kappa in visit.query.get("reconstruct.kappa", "0.001")
    heard = visit.page.get_by_role("status").filter(has_text="An attacker who guesses a record right")
    expect(heard).to_have_text(re.compile(r"at most 41 of 10,000 times with this release. ✕ Too often."))
    visit.click(visit.page.get_by_role("button", name="Use 1.69"))
    expect(heard).to_have_text(re.compile(r"at most 20 of 10,000 times with this release. ✓ Met."))
    expect(heard).to_have_count(1)
    assert heard.evaluate("one => one.getBoundingClientRect().width") <= 1  # heard, and not seen


def test_long_work_says_how_far_it_is_and_can_be_cancelled(open_page: Open) -> None:
    training = "frontier.train_data=MNIST&frontier.train_model=one+hidden+layer&frontier.train_seeds=20"
    visit = open_page(f"frontier?{training}")
    start = visit.page.get_by_role("button", name=re.compile("^(Train|Run again)$"))
    progress = visit.page.get_by_test_id("stProgress")
    start.click()
    expect(progress).to_contain_text(re.compile("models trained"))
    expect(start).to_be_disabled()
    visit.click(visit.page.get_by_role("button", name="Cancel"))
    expect(progress).to_have_count(0)
    expect(start).to_be_enabled()
