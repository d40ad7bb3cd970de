"""The explorer in a real browser: the slider moves the figure, the curve takes clicks, links restore, pins stay."""

import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.visit import SWALLOWED, Visit

Open = Callable[..., Visit]
BETWEEN_VALUES = 0.15  # the slider's round values are up to a third apart; a click takes the nearest
CURVE = "g => g._fullData.find(t => t.name.startsWith('click'))"
# Where on the screen a point of the curve is: the one at a share of its length.
PLACE = """(g, share) => {
    const t = g._fullData.find(t => t.name.startsWith('click'));
    const k = Math.floor(t.x.length * share), layout = g._fullLayout, box = g.getBoundingClientRect();
    const [x, y] = [layout.xaxis, layout.yaxis];
    return [t.x[k], box.left + x._offset + x.d2p(t.x[k]), box.top + y._offset + y.d2p(t.y[k])];
}"""

# By how much the rate grows from one pixel to the next.
PIXEL = "g => { const x = g._fullLayout.xaxis; return 10 ** ((x.range[1] - x.range[0]) / x._length) - 1; }"


def query(visit: Visit) -> dict[str, str]:
    return {name: values[-1] for name, values in parse_qs(urlsplit(visit.page.url).query).items()}


def first_chart(visit: Visit) -> Any:
    return visit.page.locator(".js-plotly-plot").first


def drawn(visit: Visit) -> list[float]:
    """Heights of the curve in force, as the browser has them."""
    heights: list[float] = first_chart(visit).evaluate(f"g => Array.from(({CURVE})(g).y)")
    return heights


def test_hover_reads_as_a_sentence_and_more_noise_moves_headline_and_figure(open_page: Open) -> None:
    visit = open_page("mechanism")
    expect(visit.page.locator("svg.chart .tail")).to_have_count(2)  # the curve is as high as the hills from then on
    visit.page.wait_for_function("() => document.querySelector('.js-plotly-plot').clientHeight > 300")
    _, x, y = first_chart(visit).evaluate(PLACE, 0.8)
    visit.page.mouse.move(x - 3, y)
    visit.page.mouse.move(x, y)
    expect(first_chart(visit).locator(".hoverlayer")).to_contain_text("the attacker finds at most")
    before, headline = drawn(visit), visit.answer.inner_text()
    noise = visit.page.locator(".st-key-noise input")
    noise.fill("1.1")
    noise.press("Enter")
    expect(visit.answer).not_to_have_text(headline)
    visit.settle()
    assert len(before) > 50
    lower = f"before => ({CURVE})(document.querySelector('.js-plotly-plot')).y.reduce((sum, y) => sum + y, 0) < before"
    visit.page.wait_for_function(lower, arg=sum(before))  # more noise, fewer members found


def click_on_the_curve(visit: Visit, share: float) -> float:
    """Click on the point at a share of the curve's length until the address changes; returns where that is.

    A figure that is being drawn anew in that moment swallows the click, a tester's as a visitor's.
    """
    before, place = visit.page.url, 0.0
    for patience in SWALLOWED:
        place, x, y = first_chart(visit).evaluate(PLACE, share)
        visit.page.mouse.move(x - 3, y)
        visit.page.mouse.move(x, y)
        visit.page.mouse.click(x, y)
        with suppress(AssertionError):
            expect(visit.page).not_to_have_url(before, timeout=patience)
            break
    expect(visit.page).not_to_have_url(before)
    visit.settle()
    return place


def test_click_on_the_curve_sets_the_operating_point(open_page: Open) -> None:
    visit = open_page("mechanism?window=all")
    for share in (0.4, 0.7):
        alpha = click_on_the_curve(visit, share)
        pixel = first_chart(visit).evaluate(PIXEL)  # as near as a click comes to a point
        assert abs(float(query(visit)["accused"]) / 10_000 / alpha - 1.0) < BETWEEN_VALUES + pixel
    accused = float(visit.page.locator(".st-key-accused input").input_value())
    assert accused == pytest.approx(float(query(visit)["accused"]), rel=1e-5)


def test_link_restores_the_whole_view(open_page: Open) -> None:
    path = (
        "mechanism?noise=0.8&accused=100&axes=linear&window=up+to+10+%25&mechanism.second=effect+size&mechanism.prior=0.5"
        "&estimates=CLT&estimates=Edgeworth&edgeworth_order=3&pins=Gaussian_1_0.01_1000_add__Laplace_2_1_1_add"
        "&mechanism.solve=true&mechanism.keep=advantage&mechanism.goal_advantage=0.2"
    )
    visit = open_page(path)
    asked = parse_qs(urlsplit(f"/{path}").query)
    assert parse_qs(urlsplit(visit.page.url).query) == asked
    legend = first_chart(visit).locator(".legend")
    for name in ("A: Gaussian, noise 1", "B: Laplace, noise 2", "CLT estimate", "Edgeworth estimate, order 3"):
        expect(legend).to_contain_text(name)
    expect(visit.page.get_by_text("keeps advantage at most 0.2")).to_be_visible()


def test_pins_stay_while_the_visitor_is_on_another_page(open_page: Open) -> None:
    visit = open_page("mechanism")
    pin = visit.page.get_by_role("button", name="Pin and compare")
    visit.click(visit.page.get_by_text("The curve: pin and compare"), pin)
    visit.click(pin, "pins=Gaussian_1_0.01_1000_add")
    for title in ("Home", "Mechanism"):
        visit.go_to(title)
    expect(visit.page).to_have_url(re.compile(re.escape("pins=Gaussian_1_0.01_1000_add")))
    expect(visit.page.get_by_role("button", name="Unpin A")).to_be_visible()


def test_every_control_of_the_view_is_reached_by_keyboard_and_solved_noise_is_put_into_them(open_page: Open) -> None:
    visit = open_page("mechanism?mechanism.numbers=true&mechanism.more_figures=true")
    visit.click(visit.page.get_by_text("The curve: pin and compare"), visit.page.locator(".st-key-axes"))
    visit.page.locator(".st-key-accused input").focus()
    reached = set()
    for _ in range(80):
        visit.page.keyboard.press("Tab")
        reached.add(visit.page.evaluate("(document.activeElement.closest('[class*=st-key-]') || {}).className || ''"))
    names = {
        name
        for name in ("noise", "limit", "axes", "window", "mechanism-second", "mechanism-prior", "estimates")
        if any(f"st-key-{name}" in seen for seen in reached)
    }
    assert names == {"noise", "limit", "axes", "window", "mechanism-second", "mechanism-prior", "estimates"}
    use = visit.page.get_by_role("button", name="Use this noise")
    visit.click(visit.page.get_by_text("Solve for: this much risk"), use)
    visit.click(use, "noise=1.41")
    noise = re.findall(r"noise=([\d.]+)", visit.page.url)[0]
    expect(visit.page.locator(".st-key-noise input")).to_have_value(f"{float(noise):g}")
    shown = visit.page.get_by_test_id("stMetric").filter(has_text="ε at δ").get_by_test_id("stMetricValue")
    expect(shown).to_contain_text(re.compile("^(1|0\\.[0-9]+)$"))


def test_nothing_is_cut_off(open_page: Open) -> None:
    visit = open_page("mechanism?phases=2&pins=Laplace_2_1_1_add&estimates=CLT", dark=True)
    assert visit.cut_off() == []
    visit.look(390, 900)  # the rail then lies over the page, which is as wide as without it
    assert visit.cut_off() == []
