"""Every page on three screens: what counts is above the fold and in order, nothing is cut off, nothing overlaps."""

import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from playwright.sync_api import Locator

from pages.ui.catalog import PAGES, Rail
from tests.browser.visit import Visit

Open = Callable[..., Visit]
LAPTOPS, PHONE = ((1280, 720), (1440, 900)), (390, 844)
WITH_RAIL = {page.address for page in PAGES if page.rail is Rail.OPEN}
HEADER = 60  # pixels, of the bar on top
MOST_WORDS = 70  # of prose that a visitor meets before the figure

ANSWER, CHART, SLIDER = "h2", ".js-plotly-plot", "[data-testid=stMain] .stSlider"
PEOPLE = (".verdict", ".noise input", "canvas")


@dataclass(frozen=True)
class Look:
    """What is on the first screen of an address.

    Attributes:
        address: of the page.
        parts: selectors, from top to bottom; on a laptop each is whole, and on a phone all but the last.
        on_phone: how many of these parts a phone shows, if not all.
        share: of the last of them that a phone shows.
    """

    address: str
    parts: tuple[str, ...] = ()
    on_phone: int | None = None
    share: float = 1.0


EVERYTHING = "estimates=CLT&estimates=Edgeworth&"
LOOKS = (
    Look("", (*PEOPLE, "svg.chart"), 2),
    Look("mechanism", (*PEOPLE, f"{CHART} .xtitle"), 2),
    Look(f"mechanism?{EVERYTHING}phases=2&pins=Laplace_2_1_1_add"),
    Look("attackers", (ANSWER, "[data-testid=stMain] .stButton", CHART), share=0.5),
    Look(
        "attackers?knows_rate=true&rate=1&steps=1&attackers.doors=all&attackers.part=same+success", (ANSWER,), share=0.0
    ),
    Look("reconstruct", (ANSWER, SLIDER, f"{CHART} .nsewdrag")),
    Look(f"reconstruct?{EVERYTHING}reconstruct.also=record+unknown+(RTM)&reconstruct.more=other+noise"),
    Look("frontier", (ANSWER, SLIDER, CHART), share=0.55),
    Look("frontier?frontier.weigh=a+statistic", (ANSWER, SLIDER, CHART), share=0.55),
    Look(
        "frontier?frontier.weigh=your+own+sweep",
        (ANSWER, ".st-key-frontier-land_limit", f"{CHART} .nsewdrag"),
        share=0.5,
    ),
    Look("audit", (ANSWER, CHART)),
    Look("audit?audit.evidence=attack+scores", (ANSWER, CHART)),
    Look("audit?audit.evidence=one+run+with+canaries", (ANSWER, CHART)),
    Look("audit?audit.evidence=many+runs", (ANSWER, CHART)),
    Look("papers"),
    Look("papers?papers.figure=000-fig-1c", (CHART,)),
    Look("about"),
)

# Titles, legend entries and labels of a figure that stick out of it.
CUT_OFF = """() => [...document.querySelectorAll('.js-plotly-plot')].flatMap(chart => {
    const box = chart.getBoundingClientRect();
    return [...chart.querySelectorAll('.xtitle, .ytitle, .legendtext, .annotation-text')].filter(text => {
        const own = text.getBoundingClientRect();
        const sideways = own.left < box.left - 1 || own.right > box.right + 1;
        return sideways || own.top < box.top - 1 || own.bottom > box.bottom + 1;
    }).map(text => `cut off: ${text.textContent}`);
})"""

# Whether an element lies in a box that scrolls by itself, such as a list of what the page shows one of in full.
SCROLLS = """const scrolls = one => one.dataset.testid !== 'stMain' && one !== document.body
    && (getComputedStyle(one).overflowY === 'auto' || scrolls(one.parentElement));"""

# A page that is wider than the screen, and names of links and buttons that are longer than their place.
TOO_LONG = f"""() => {{
    {SCROLLS}
    const whole = [...document.querySelectorAll('html, [data-testid=stMain]')];
    const named = [...document.querySelectorAll('[data-testid=stMain] :is(a, button) *')].filter(one => !scrolls(one));
    return [...whole, ...named].filter(one => one.checkVisibility() && getComputedStyle(one).display !== 'inline')
        .filter(one => one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1)
        .map(one => `too long: ${{one.tagName}} ${{one.textContent.slice(0, 80)}}`);
}}"""

# Elements of the page that lie over each other.
OVERLAPS = f"""() => {{
    {SCROLLS}
    const boxes = [...document.querySelectorAll('[data-testid=stMain] [data-testid=stElementContainer]')]
        .filter(one => one.checkVisibility() && !scrolls(one))
        .map(one => [one, one.getBoundingClientRect()]).filter(([, box]) => box.width > 1 && box.height > 1);
    return boxes.flatMap(([one, a], at) => boxes.slice(at + 1).filter(([other, b]) => !one.contains(other)
        && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2)
        .map(([other]) => `over each other: ${{one.innerText.slice(0, 60)}} / ${{other.innerText.slice(0, 60)}}`));
}}"""

# Of what is read before a place: headings and paragraphs, and no labels of controls.
WORDS = """end => [...document.querySelectorAll('[data-testid=stMain] :is(h1, h2, p)')]
    .filter(one => one.checkVisibility() && one.getBoundingClientRect().top < end)
    .filter(one => !one.closest('button, a, label, .stSlider, [data-testid=stToast], [data-testid=stMetric]'))
    .map(one => one.innerText).join(' ')"""


def ends(part: Locator) -> tuple[float, float]:
    """Where a part begins and ends, from the top of the screen."""
    box = part.bounding_box()
    assert box is not None
    return box["y"], box["y"] + box["height"]


def above_the_fold(visit: Visit, look: Look, height: int, is_phone: bool) -> list[str]:
    """What is missed on the first screen, or in another order."""
    shown = look.parts[: look.on_phone] if is_phone else look.parts
    places = [ends(visit.page.locator(part).first) for part in shown]
    missed = [part for part, (top, _) in zip(shown, places, strict=True) if top < HEADER]
    missed += [] if [end for _, end in places] == sorted(end for _, end in places) else [f"another order: {places}"]
    for number, (part, (top, bottom)) in enumerate(zip(shown, places, strict=True)):
        share = look.share if is_phone and number == len(shown) - 1 else 1.0
        if top + share * (bottom - top) > height:
            missed.append(f"{part} ends at {bottom:.0f}, of {height}")
    if len(shown) > 1 and not is_phone:
        words = re.findall(r"[a-z0-9][\w.,'-]*", visit.page.evaluate(WORDS, places[-1][0] + 1), re.IGNORECASE)
        missed += [f"{len(words)} words: {' '.join(words)}"] if len(words) >= MOST_WORDS else []
    return missed


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: look.address or "home")
def test_a_page_fits_three_screens(open_page: Open, look: Look) -> None:
    """On a phone from the start, too, which has the controls beside the page folded away."""
    visit = open_page(look.address, width=PHONE[0], height=PHONE[1])
    found = []
    for number, (width, height) in enumerate((PHONE, *LAPTOPS)):
        if number == 1 and look.address.partition("?")[0] in WITH_RAIL:
            visit = open_page(look.address, width=width, height=height, dark=True)
        else:
            visit.look(width, height, dark=number == 1)
        seen = above_the_fold(visit, look, height, (width, height) == PHONE)
        seen += [problem for check in (CUT_OFF, TOO_LONG, OVERLAPS) for problem in visit.page.evaluate(check)]
        found += [f"{width} px: {problem}" for problem in seen]
    assert found == []


def test_every_page_is_looked_at() -> None:
    looked = {look.address.partition("?")[0] or "home" for look in LOOKS}
    assert looked == {page.address for page in PAGES}
