"""Every page for somebody who does not see it, or who uses no mouse.

The rules are those of axe-core (WCAG 2 and good practice): all of them on a desktop in the light theme, and those of
colour in the dark one, on a desktop and on a phone, for these alone hang on the theme.
"""

from collections.abc import Callable
from itertools import cycle
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from pages.ui.catalog import PAGES
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
    return plain;
}"""
# Width, height, and whether it is dark. The next page is looked at in the opposite order, from where this one ends.
LOOKS = [(1440, 900, False), (390, 844, True), (1440, 900, True)]


def grave(page: Page, rules: dict[str, Any] = ALL_RULES) -> list[str]:
    """What axe finds serious or critical on the page as it is shown. No element is left out."""
    found = Axe().run(page, options=rules).response["violations"]
    return [
        f"{rule['id']}: {node['html'][:200]}" for rule in found if rule["impact"] in GRAVE for node in rule["nodes"]
    ]


def problems(visit: Visit, looks: list[tuple[int, int, bool]]) -> list[str]:
    """Everything that keeps somebody from using the page."""
    found = []
    for width, height, dark in looks:
        visit.look(width, height, dark)
        if dark:
            found += [f"dark, {width} px: {one}" for one in grave(visit.page, OF_COLOR)]
        else:
            visit.page.keyboard.press("Tab")  # from here on the browser marks what has the focus
            found += [*visit.page.evaluate(UNREACHABLE), *visit.page.evaluate(UNMARKED), *grave(visit.page)]
    return found


def test_every_page_can_be_used_without_eyes_and_without_a_mouse(open_page: Open) -> None:
    visit = open_page()
    found = []
    for page, looks in zip(PAGES, cycle((LOOKS, LOOKS[::-1])), strict=False):
        if page is not PAGES[0]:
            visit.go_to(page.title)
        found += [f"{page.title}: {problem}" for problem in problems(visit, looks)]
    assert found == []


def test_what_is_unfolded_can_be_read_in_the_light_and_in_the_dark(open_page: Open) -> None:
    """The quiz played through, and what can be taken away, whose code is Streamlit's own box: it cannot be focused."""
    visit = open_page("attackers?knows_rate=true&rate=1&steps=1&attackers.doors=record-fewer_others-more_drawn")
    assert grave(visit.page) == []
    visit.click(visit.page.get_by_text("Take it with you"))
    for dark in (False, True):
        visit.look(1440, 900, dark)
        assert grave(visit.page, OF_COLOR) == []
