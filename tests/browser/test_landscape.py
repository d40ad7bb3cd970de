"""A sweep in a real browser: ten thousand strategies drawn by the graphics card, and pasted text on a phone."""

from collections.abc import Callable

import numpy as np
from playwright.sync_api import expect

from tests.browser.visit import Visit

Open = Callable[..., Visit]
PAGE = "frontier?weigh=your+own+sweep&land_from="
MANY = 10_000
TYPES = (
    "g => g._fullData.filter(trace => trace.type === 'scattergl' && trace.hovertemplate).map(trace => trace.x.length)"
)


def test_ten_thousand_strategies(open_page: Open) -> None:
    visit = open_page(f"{PAGE}a+file")
    rng = np.random.default_rng(6)
    rows = [f"kind {row % 2},model {row},{rng.random():.4f},{rng.gamma(2.0):.4f}" for row in range(MANY)]
    data = "\n".join(["strategy,name,accuracy,epsilon_star", *rows]).encode()
    visit.page.locator("input[type=file]").first.set_input_files(
        {"name": "sweep.csv", "mimeType": "text/csv", "buffer": data}
    )
    expect(visit.answer).to_contain_text("Of 10,000 strategies")
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
    answer = visit.answer
    expect(answer).to_contain_text(f"Its elbow is “b”: {name} 0.9 at eps 2.5.")
    visit.settle()
    expect(visit.page.locator(".js-plotly-plot .legendtext").first).to_be_visible()
    assert name in visit.page.locator(".js-plotly-plot .legendtext").all_text_contents()
    assert visit.cut_off() == []
