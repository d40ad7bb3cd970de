"""Every page on three screens, and for who does not see it or uses no mouse.

What counts is above the fold and in order, nothing is cut off, nothing overlaps; all that takes input is reached by
keys, and what has the focus is seen; axe-core (WCAG 2 and good practice) finds nothing serious, in the light with all
of its rules, and in the dark with those of colour, which alone hang on it.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import cycle
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from pages.ui.catalog import PAGES, Page, Rail
from tests.browser.visit import Visit

SMALL_LAPTOP, LAPTOP, PHONE = (1280, 720), (1440, 900), (390, 844)
HEADER = 60  # pixels, of the bar on top
MOST_WORDS = 70  # of prose that a visitor meets before the figure
GRAVE = ("serious", "critical")
ALL_RULES: dict[str, Any] = {"resultTypes": ["violations"]}
OF_COLOR = ALL_RULES | {"runOnly": ["color-contrast", "link-in-text-block"]}

ANSWER, CHART, SLIDER = "h2", ".js-plotly-plot", "[data-testid=stMain] .stSlider"
PLOT = f"{CHART} .nsewdrag"
PEOPLE = (".verdict", ".noise input", "canvas")


@dataclass(frozen=True)
class Look:
    """What is on the first screen of an address.

    Attributes:
        query: of the page's address.
        parts: selectors, from top to bottom; on a laptop each is whole, and on a phone all but the last.
        on_phone: how many of these parts a phone shows, if not all.
        share: of the last of them that a phone shows.
    """

    query: str = ""
    parts: tuple[str, ...] = ()
    on_phone: int | None = None
    share: float = 1.0


DOORS = "?knows_rate=true&rate=1&steps=1&attackers.doors=record-fewer_others-more_drawn"
SWEEP = "?frontier.weigh=your+own+sweep"
EVERYTHING = "?estimates=CLT&estimates=Edgeworth&"
MORE = "reconstruct.also=record+unknown+(RTM)&reconstruct.more=other+noise"
LOOKS = {
    "home": (Look("", (*PEOPLE, "svg.chart"), 2),),
    "mechanism": (
        Look("", (*PEOPLE, f"{CHART} .xtitle"), 2),
        Look(f"{EVERYTHING}phases=2&pins=Laplace_2_1_1_add"),
    ),
    "attackers": (
        Look("", (ANSWER, "[data-testid=stMain] .stButton", CHART), share=0.5),
        Look(f"{DOORS}&attackers.part=same+success", (ANSWER,), share=0.0),
    ),
    "reconstruct": (Look("", (ANSWER, SLIDER, PLOT)), Look(EVERYTHING + MORE)),
    "frontier": (
        Look("", (ANSWER, SLIDER, CHART), share=0.55),
        Look("?frontier.weigh=a+statistic", (ANSWER, SLIDER, CHART), share=0.55),
        Look(SWEEP, (ANSWER, ".st-key-frontier-land_limit", PLOT), share=0.5),
    ),
    "audit": (
        Look("", (ANSWER, CHART)),
        Look("?audit.evidence=attack+scores", (ANSWER, CHART)),
        Look("?audit.evidence=many+runs", (ANSWER, CHART)),
    ),
    "papers": (Look(), Look("?papers.figure=000-fig-1c", (CHART,))),
    "about": (Look(),),
}

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


# Everything that takes input, but the steppers of number boxes, which the arrow keys of the box stand for, the arrows
# of select boxes, and the not chosen ones of a row of choices, which arrow keys reach from the chosen one.
UNREACHABLE = """() => [...document.querySelectorAll(
    ':is([data-testid=stMain], [data-testid=stSidebar]) :is(button, a[href], input, select, textarea, summary, ' +
    '[role=slider], [role=switch])')]
    .filter(one => one.checkVisibility() && one.tabIndex < 0 && !one.disabled)
    .filter(one => !one.closest('[role=radiogroup], [role=toolbar], [role=group], [data-testid=stSelectbox]'))
    .filter(one => !(one.dataset.testid ?? '').startsWith('stNumberInputStep') && one.type !== 'file')
    .map(one => `cannot be reached: ${one.outerHTML.slice(0, 200)}`)"""

# Focuses one control after the other and compares how it and what is around it look with how they looked before. The
# cells of a data table are on a canvas, which draws its own ring.
UNMARKED = """async () => {
    const look = one => {
        const parent = one.parentElement;
        const around = [one, parent, parent.parentElement, ...one.closest('label, div').children];
        const beyond = parent.closest('[data-testid=stNumberInput], ' +
            '[data-testid=stTextInput], [data-testid=stSelectbox]');
        return [...around, ...(beyond ? [beyond, ...beyond.querySelectorAll('*')] : [])].filter(Boolean).map(node => {
            const style = getComputedStyle(node);
            return [style.outline, style.boxShadow, style.border, style.background, style.color].join();
        }).join();
    };
    const still = document.createElement('style');
    still.textContent = '* { transition: none !important }';
    document.head.append(still);
    const painted = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)));
    const plain = [];
    for (const one of document.querySelectorAll(
        ':is([data-testid=stMain], [data-testid=stSidebar]) :is(button, a[href], input, select, textarea, summary)')) {
        if (!one.checkVisibility() || one.tabIndex < 0 || one.disabled || one.type === 'file') continue;
        const before = look(one);
        one.focus({preventScroll: true});
        for (let frame = 0; frame < 30 && look(one) === before; frame++) await painted();
        if (document.activeElement === one && look(one) === before) {
            plain.push(`focus cannot be seen: ${one.outerHTML.slice(0, 200)}`);
        }
    }
    still.remove();
    return plain;
}"""


def above_the_fold(visit: Visit, look: Look, height: int, is_phone: bool) -> list[str]:
    """What is missed on the first screen, or in another order."""
    shown = look.parts[: look.on_phone] if is_phone else look.parts
    boxes = [visit.page.locator(part).first.bounding_box() or {"y": 0.0, "height": 0.0} for part in shown]
    ends = [box["y"] + box["height"] for box in boxes]
    missed = [f"another order: {ends}"] if ends != sorted(ends) else []
    for number, (part, box) in enumerate(zip(shown, boxes, strict=True)):
        share = look.share if is_phone and number == len(shown) - 1 else 1.0
        if box["y"] < HEADER or box["y"] + share * box["height"] > height:
            missed.append(f"{part} is at {box}")
    if len(shown) > 1 and not is_phone:
        words = re.findall(r"[a-z0-9][\w.,'-]*", visit.page.evaluate(WORDS, boxes[-1]["y"] + 1), re.IGNORECASE)
        missed += [f"{len(words)} words: {' '.join(words)}"] if len(words) >= MOST_WORDS else []
    return missed


def faults(visit: Visit, look: Look) -> list[str]:
    """What cannot be seen as it should on this screen."""
    screen = visit.page.viewport_size
    assert screen is not None
    found = above_the_fold(visit, look, screen["height"], screen["width"] == PHONE[0])
    found += [fault for check in (CUT_OFF, TOO_LONG, OVERLAPS) for fault in visit.page.evaluate(check)]
    return [f"{screen['width']} px{look.query}: {fault}" for fault in found]


def grave(visit: Visit, rules: dict[str, Any]) -> list[str]:
    """What axe finds serious or critical on the page as it is shown. No element is left out."""
    found = Axe().run(visit.page, options=rules).response["violations"]
    return [f"{rule['id']}: {one['html'][:200]}" for rule in found if rule["impact"] in GRAVE for one in rule["nodes"]]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.address)
def test_a_page_fits_three_screens_and_is_used_without_eyes_and_without_a_mouse(
    open_page: Callable[..., Visit], page: Page
) -> None:
    first, *others = LOOKS[page.address]
    visit = open_page(page.address * (page is not PAGES[0]), width=PHONE[0], height=PHONE[1], dark=True)
    found = [*faults(visit, first), *grave(visit, OF_COLOR)]
    visit.look(*SMALL_LAPTOP)
    if page.rail is Rail.OPEN:  # a phone has it folded away
        expect(visit.page.get_by_test_id("stSidebar")).to_have_attribute("data-collapsed", "false")
    found += faults(visit, first)
    visit.page.keyboard.press("Tab")  # from here on the browser marks what has the focus
    found += [*visit.page.evaluate(UNREACHABLE), *visit.page.evaluate(UNMARKED), *grave(visit, ALL_RULES)]
    visit.look(*LAPTOP)
    found += faults(visit, first)
    for look, other_screen in zip(others, cycle((PHONE, LAPTOP)), strict=False):
        visit.goto(page.address + look.query)
        found += faults(visit, look)
        visit.look(*other_screen)
        found += faults(visit, look)
    assert found == []


def test_what_is_unfolded_can_be_read_in_the_light_and_in_the_dark(open_page: Callable[..., Visit]) -> None:
    """The quiz played through, and what can be taken away, whose code is Streamlit's own box: it cannot be focused."""
    visit = open_page(f"attackers{DOORS}")
    assert grave(visit, ALL_RULES) == []
    visit.click(visit.page.get_by_text("Take it with you"))
    assert grave(visit, OF_COLOR) == []
    visit.look(*LAPTOP, dark=True)
    assert grave(visit, OF_COLOR) == []
