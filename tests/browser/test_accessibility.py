"""Every page for somebody who does not see it, or who uses no mouse.

The rules are those of axe-core (WCAG 2 and good practice): all of them on a desktop in the light theme, and those of
colour in the dark one, on a desktop and on a phone, for these alone hang on the theme.
"""

import re
from collections.abc import Callable
from itertools import cycle
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.visit import Visit

Open = Callable[..., Visit]
GRAVE = ("serious", "critical")
ALL_RULES: dict[str, Any] = {"resultTypes": ["violations"]}
OF_COLOR = ALL_RULES | {"runOnly": ["color-contrast", "link-in-text-block"]}

# Everything that takes input, but the steppers of number boxes, which the arrow keys of the box stand for, the arrows
# of select boxes, and the not chosen ones of a row of choices, which arrow keys reach from the chosen one.
UNREACHABLE = """() => [...document.querySelectorAll(
    ':is([data-testid=stMain], [data-testid=stSidebar]) :is(button, a[href], input, select, textarea, summary, ' +
    '[role=slider], [role=switch])')]
    .filter(one => one.checkVisibility() && one.tabIndex < 0 && !one.disabled)
    .filter(one => !one.closest('[role=radiogroup], [role=toolbar], [role=group], [data-testid=stSelectbox]'))
    .filter(one => !(one.dataset.testid ?? '').startsWith('stNumberInputStep') && one.type !== 'file')
    .map(one => one.outerHTML.slice(0, 200))"""

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
    const painted = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)));
    const plain = [];
    for (const one of document.querySelectorAll(
        ':is([data-testid=stMain], [data-testid=stSidebar]) :is(button, a[href], input, select, textarea, summary)')) {
        if (!one.checkVisibility() || one.tabIndex < 0 || one.disabled || one.type === 'file') continue;
        const before = look(one);
        one.focus({preventScroll: true});
        for (let frame = 0; frame < 30 && look(one) === before; frame++) await painted();
        if (document.activeElement === one && look(one) === before) plain.push(one.outerHTML.slice(0, 200));
    }
    return plain;
}"""


def grave_violations(page: Page, rules: dict[str, Any] = ALL_RULES) -> list[str]:
    """What axe finds serious or critical on the page as it is shown. No element is left out."""
    found = Axe().run(page, options=rules).response["violations"]
    return [
        f"{rule['id']}: {node['html'][:200]}" for rule in found if rule["impact"] in GRAVE for node in rule["nodes"]
    ]


# Width, height, and whether it is dark. The next page is looked at in the opposite order, from where this one ends.
LOOKS = [(1440, 900, False), (390, 844, True), (1440, 900, True)]


def problems_of(visit: Visit, looks: list[tuple[int, int, bool]]) -> list[str]:
    """Everything that keeps somebody from using the page."""
    found = []
    for width, height, dark in looks:
        visit.look(width, height, dark)
        found += problems_in_the_dark(visit, width) if dark else problems_in_the_light(visit.page)
    return found


def problems_in_the_light(page: Page) -> list[str]:
    page.keyboard.press("Tab")  # from here on the browser marks what has the focus
    found = [f"cannot be reached: {one}" for one in page.evaluate(UNREACHABLE)]
    found += [f"focus cannot be seen: {one}" for one in page.evaluate(UNMARKED)]
    return found + grave_violations(page)


def problems_in_the_dark(visit: Visit, width: int) -> list[str]:
    return [f"dark, {width} px: {one}" for one in grave_violations(visit.page, OF_COLOR)]


def test_every_page_can_be_used_without_eyes_and_without_a_mouse(open_page: Open) -> None:
    visit = open_page()
    addresses = visit.page.get_by_test_id("stTopNavLink").evaluate_all("links => links.map(link => link.href)")
    assert f"{visit.server.url}/mechanism" in addresses
    found = []
    for address, looks in zip(addresses, cycle((LOOKS, LOOKS[::-1])), strict=False):
        link = visit.page.locator(f"[data-testid=stTopNavLink][href='{address}']")
        visit.click(link, re.compile(rf"^{re.escape(address)}$"))
        found += [f"{address}: {problem}" for problem in problems_of(visit, looks)]
    assert found == []


def test_what_can_be_taken_away_can_be_read_in_the_dark(open_page: Open) -> None:
    """No button is filled: the dark theme's blue is light enough to be read, and too light for letters on it."""
    visit = open_page("mechanism", dark=True)
    visit.click(visit.page.get_by_text("Take it with you"), visit.page.get_by_role("button", name="Memo (HTML)"))
    assert grave_violations(visit.page, OF_COLOR) == []
