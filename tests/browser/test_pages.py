"""Every page on three screens, and for who does not see it or uses no mouse.

What counts is above the fold, nothing is cut off, nothing overlaps; all that takes input is reached by keys, and what
has the focus is seen; axe-core (WCAG 2 and good practice) finds nothing serious: in the dark colours alone can differ.
The sheet that is taken away prints on two pages, whatever the page answers.
"""

from dataclasses import dataclass
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page as Tab
from playwright.sync_api import expect

from numerics.mechanisms import Adjacency, Composition, Gaussian, Sampling
from numerics.trade_off import Order
from pages.ui import sheet_filling
from pages.ui.catalog import PAGES, Page, Sidebar
from pages.ui.release_in_force import ReleaseChoice
from pages.ui.threat_models import ReleaseSetting
from tests.browser.visit import LAYOUT, Open, Visit, behind_the_proxy, pages

SMALL_LAPTOP, LAPTOP, PHONE = (1280, 720), (1440, 900), (390, 844)
HEADER = 60  # pixels, of the bar on top
GRAVE = ("serious", "critical")
ALL_RULES: dict[str, Any] = {"resultTypes": ["violations"]}
NO_FOCUS = ALL_RULES | {"rules": {"scrollable-region-focusable": {"enabled": False}}}  # Streamlit's own box of code
OF_COLOR = ALL_RULES | {"runOnly": ["color-contrast", "link-in-text-block"]}

ANSWER, CHART, SLIDER = "h2", ".js-plotly-plot", "[data-testid=stMain] .stSlider"
PEOPLE = (".verdict", ".noise input", "canvas")


@dataclass(frozen=True)
class Look:
    """What the first screen of a page shows, by selectors from top to bottom, and addresses of it with more on it.

    A phone shows only the first ``on_phone`` of them, and of the last this share. The last of the
    addresses has a sheet, but where ``sheet`` says otherwise.
    """

    parts: tuple[str, ...] = ()
    on_phone: int | None = None
    share: float = 1.0
    more: tuple[str, ...] = ()
    sheet: bool = True


DOORS = "knows_rate=true&rate=1&steps=1&attackers.doors=record-fewer_others-more_drawn&attackers.part=converters"
PHASES = "knows_rate=false&phases=2"  # whatever the page before was told
EVERYTHING = "estimates=CLT&estimates=Edgeworth"
LOOKS = {
    "home": Look((*PEOPLE, "svg.chart"), 2),
    "mechanism": Look((*PEOPLE, f"{CHART} .xtitle"), 2, more=(f"{EVERYTHING}&{PHASES}&compare=Laplace_2_1_1_add",)),
    "attackers": Look((ANSWER, "[data-testid=stMain] .stButton", CHART), share=0.5, more=(DOORS,)),
    "reconstruct": Look((ANSWER, SLIDER, f"{CHART} .nsewdrag"), more=(EVERYTHING,)),
    "frontier": Look((ANSWER, SLIDER, CHART), share=0.55, more=("frontier.weigh=a+statistic",)),
    "audit": Look((ANSWER, CHART), more=("audit.evidence=many+runs", "audit.evidence=one+run+with+canaries")),
    "papers": Look(more=("papers.question=unknown-record",), sheet=False),
    "about": Look(),
}

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
    document.activeElement.blur();
    await painted();
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


def faults(visit: Visit, look: Look) -> list[str]:
    """What cannot be seen as it should on this screen: parts that are missed at first or in another order, and more."""
    screen = visit.page.viewport_size
    assert screen is not None
    is_phone = screen["width"] == PHONE[0]
    shown = look.parts[: look.on_phone] if is_phone else look.parts
    boxes = [visit.page.locator(part).first.bounding_box() or {"y": 0.0, "height": 0.0} for part in shown]
    shares = [1.0] * (len(shown) - 1) + [look.share if is_phone else 1.0]
    ends = [box["y"] + share * box["height"] for box, share in zip(boxes, shares, strict=False)]
    inside = all(box["y"] >= HEADER for box in boxes) and max(ends, default=0.0) <= screen["height"]
    found = [] if inside and ends == sorted(ends) else [f"missed or in another order: {shown} are at {boxes}"]
    found += visit.page.evaluate(LAYOUT)
    return [f"{screen['width']} px, {visit.page.url}: {fault}" for fault in found]


def grave(visit: Visit, rules: dict[str, Any]) -> list[str]:
    """What axe finds serious or critical on the page as it is shown. No element is left out."""
    if not visit.page.evaluate("'axe' in window"):
        visit.page.evaluate(Axe().axe_script)
    found = visit.page.evaluate("rules => axe.run(rules).then(found => found.violations)", rules)
    nodes = [(rule["id"], one["html"]) for rule in found if rule["impact"] in GRAVE for one in rule["nodes"]]
    return [f"{visit.page.url}: {rule}: {html[:200]}" for rule, html in nodes]


def share(visit: Visit) -> None:
    """Open the menu of what can be taken away, and wait until it is there."""
    visit.click(visit.page.get_by_role("button", name="Share"))
    expect(visit.page.get_by_test_id("stPopoverBody")).to_have_css("opacity", "1")


def too_long(visit: Visit) -> list[str]:
    """Whether the sheet in the open menu prints on other than two pages."""
    printed = pages(visit.page, visit.download("Sheet (HTML)").decode())
    return [] if printed == {2} else [f"{visit.page.url}: the sheet prints on {printed} pages"]


def on_three_screens(visit: Visit, page: Page) -> list[str]:
    """What is wrong with a page that is drawn on a phone in the dark, and then on two laptops."""
    look = LOOKS[page.address]
    found = [*faults(visit, look), *grave(visit, OF_COLOR)]
    visit.look(*SMALL_LAPTOP)
    if page.sidebar is Sidebar.OPEN:  # a phone has it folded away
        expect(visit.page.get_by_test_id("stSidebar")).to_have_attribute("data-collapsed", "false")
    found += faults(visit, look)
    visit.page.keyboard.press("Tab")  # from here on the browser marks what has the focus
    by_keys = [*visit.page.evaluate(UNREACHABLE), *visit.page.evaluate(UNMARKED)]
    found += [*(f"{visit.page.url}: {fault}" for fault in by_keys), *grave(visit, ALL_RULES)]
    visit.look(*LAPTOP)
    return found + faults(visit, look)


def with_more_on_it(visit: Visit, page: Page) -> list[str]:
    """What is wrong with it on a phone at the addresses that show more, and with its sheet."""
    look, found = LOOKS[page.address], list[str]()
    for more in look.more:
        visit.follow(f"{page.address}?{more}", *PHONE)
        found += faults(visit, Look())
        if look.sheet and more == look.more[-1]:
            share(visit)
            found += too_long(visit)
    if page.address == "attackers":  # the quiz played through, and what can be taken away
        found += grave(visit, NO_FOCUS)
        visit.look(*PHONE, dark=True)
        expect(visit.page.get_by_test_id("stPopoverBody")).to_have_css("opacity", "1")
        found += grave(visit, OF_COLOR)
    return found


def test_every_page_fits_three_screens_prints_and_is_used_without_eyes_or_mouse(open_page: Open, tab: Tab) -> None:
    """And nothing on it needs what the proxy's policy forbids: the console would say so.

    One visit: to open the app anew takes three times the work of going on to another page. What shows more comes last
    and backwards, as what an address says of the release holds on all pages after it.
    """
    found = list[str]()
    with behind_the_proxy(tab):
        visit = open_page("", *PHONE, dark=True)
        for page in PAGES:
            if page is not PAGES[0]:
                visit.follow(page.address, *PHONE, dark=True)
            found += on_three_screens(visit, page)
            if page.address == "frontier":  # of trained models, with which it opens
                share(visit)
                found += too_long(visit)
        for page in reversed(PAGES):
            found += with_more_on_it(visit, page)
    assert found == []


def test_the_sheet_with_the_longest_assumptions_prints_on_two_pages(tab: Tab) -> None:
    phases = zip((9.876, 5.4, 8.5, 7.25), (12_345, 1000, 1000, 1000), strict=True)
    fixed = Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE
    release = Composition(tuple(Gaussian(noise, 0.0123, steps, *fixed) for noise, steps in phases))
    choice = ReleaseChoice(release, 1e-3, Order.ADD, 1e-5, records=None, dimension=None)
    sheet = sheet_filling.sheet(ReleaseSetting(choice), "https://example.org/mechanism?noise=9.876")
    assert pages(tab, sheet.html) == {2}
