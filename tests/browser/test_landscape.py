"""A sweep in a real browser: ten thousand strategies drawn by the graphics card, and pasted text on a phone."""

import re
from collections.abc import Callable

import numpy as np
from playwright.sync_api import expect

from tests.browser.uploads import accept, offer, payload
from tests.browser.visit import WITHOUT_RAIL, Visit

Open = Callable[..., Visit]
PAGE = "frontier?frontier.weigh=your+own+sweep&frontier.land_from="
MANY = 10_000
TYPES = (
    "g => g._fullData.filter(trace => trace.type === 'scattergl' && trace.hovertemplate).map(trace => trace.x.length)"
)


def test_ten_thousand_strategies(open_page: Open) -> None:
    visit = open_page(f"{PAGE}a+file")
    rng = np.random.default_rng(6)
    rows = [f"kind {row % 2},model {row},{rng.random():.4f},{rng.gamma(2.0):.4f}" for row in range(MANY)]
    data = "\n".join(["strategy,name,accuracy,epsilon_star", *rows]).encode()
    offer(visit, payload("sweep.csv", data))
    accept(visit, "Use it")
    expect(visit.answer).to_contain_text("For epsilon_star at most")
    expect(visit.page.get_by_text("in 10,000 settings").first).to_be_visible()
    visit.settle()
    chart = visit.page.locator(".js-plotly-plot").first
    expect(chart.locator(".gl-canvas").first).to_be_attached()
    assert chart.evaluate(TYPES) == [MANY / 2, MANY / 2]
    assert visit.cut_off() == []


def test_pasted_names_stay_text_on_a_phone(open_page: Open) -> None:
    visit = open_page(f"{PAGE}pasted+text", width=390, height=844)
    name = "<img src=x> **b**"
    visit.page.locator("textarea").fill(f"strategy\t{name}\teps\n{name}\t0,5\t1,5\nb\t0,9\t2,5\nc\t0,95\t9,5\n")
    visit.page.keyboard.press("Control+Enter")
    accept(visit, "Use it")
    answer = visit.answer
    expect(answer).to_contain_text(f"For eps at most 2.5, choose “b”: {name} 0.9, 0.05 less than the best of all.")
    visit.settle()
    expect(visit.page.locator(".js-plotly-plot .legendtext").first).to_be_visible()
    assert name in visit.page.locator(".js-plotly-plot .legendtext").all_text_contents()
    assert visit.cut_off() == []


def place_of(visit: Visit, name: str) -> tuple[float, float]:
    """Where on the screen a point is whose name begins so."""
    chart = visit.page.locator(".js-plotly-plot").first
    x, y = chart.evaluate(WHERE, name)
    return float(x), float(y)


WHERE = """(chart, name) => {
    const box = chart.getBoundingClientRect(), {xaxis, yaxis} = chart._fullLayout;
    for (const trace of chart._fullData.filter(one => one.customdata)) {
        const at = trace.text.findIndex(text => text.startsWith(name));
        if (at >= 0) return [box.left + xaxis._offset + xaxis.l2p(xaxis.d2l(trace.x[at])),
                             box.top + yaxis._offset + yaxis.l2p(yaxis.d2l(trace.y[at]))];
    }
}"""
SWEEP = "strategy\trun\taccuracy\tepsilon\na\t1\t0.5\t1\na\t1\t0.7\t2\nb\t1\t0.9\t3\nc\t1\t0.6\t9\n"


def test_a_click_shows_the_run_and_a_box_the_best_of_several(open_page: Open) -> None:
    visit = open_page(f"{PAGE}pasted+text", width=1280, height=720)
    visit.page.locator("textarea").fill(SWEEP)
    visit.page.keyboard.press("Control+Enter")
    accept(visit, "Use it")
    expect(visit.answer).to_contain_text("For epsilon at most 3, choose “b, epsilon 3”: accuracy 0.9, the best of all")
    visit.settle()
    main = visit.page.get_by_test_id("stMain")
    visit.page.mouse.move(*place_of(visit, "c"))
    expect(visit.page.locator(".js-plotly-plot .hovertext").first).to_be_visible()
    visit.page.mouse.click(*place_of(visit, "c"))
    expect(main.get_by_text("Clicked: “c, epsilon 9”")).to_be_visible()
    visit.click(main.get_by_role("button", name="Use 9 as my limit"), "land_limit=9")
    expect(visit.answer).to_contain_text("For epsilon at most 9, choose “b")
    visit.page.locator(".js-plotly-plot").first.hover()
    visit.page.locator("[data-title='Box Select']").click()
    (left, top), (right, bottom) = place_of(visit, "a, epsilon 1"), place_of(visit, "a, epsilon 2")
    visit.page.mouse.move(left - 12, max(top, bottom) + 12)
    visit.page.mouse.down()
    visit.page.mouse.move(right + 12, min(top, bottom) - 12, steps=6)
    visit.page.mouse.up()
    expect(main.get_by_text("Brushed: 2 points of 1 strategy")).to_be_visible()


def test_sentence_limit_and_figure_are_seen_together_and_the_limit_is_entered_and_restored(open_page: Open) -> None:
    visit = open_page("frontier?frontier.weigh=your+own+sweep")
    expect(visit.page.locator(".js-plotly-plot").first).to_be_visible()
    for width, height in WITHOUT_RAIL:
        visit.look(width, height, dark=width == 1440)
        seen_together(visit, width, height)
        assert visit.cut_off() == []
    visit.page.locator(".st-key-frontier-land_limit input").focus()
    visit.page.keyboard.type("3")
    visit.page.keyboard.press("Enter")
    expect(visit.page).to_have_url(re.compile("land_limit=3"))
    expect(visit.answer).to_contain_text("at most 3, choose")
    after = visit.answer.inner_text()
    visit.goto(visit.page.url.split("/", maxsplit=3)[3])
    expect(visit.answer).to_have_text(after)


def seen_together(visit: Visit, width: int, height: int) -> None:
    chart = visit.page.locator(".js-plotly-plot").first
    boxes = [one.bounding_box() for one in (visit.answer, visit.page.locator(".st-key-frontier-land_limit"), chart)]
    assert all(boxes)
    answer, limit, figure = (box for box in boxes if box)
    assert answer["y"] + answer["height"] <= limit["y"]
    assert limit["y"] + limit["height"] <= figure["y"]
    if width == 390:
        assert height - figure["y"] >= 0.5 * figure["height"]
    else:
        plot = chart.locator(".xtitle").bounding_box()
        assert plot
        assert plot["y"] + plot["height"] <= height
