"""From a move of a slider to the new figure in the browser, beside a bare Streamlit page with one such figure.

The clock starts in the page when the key goes down and stops in the first frame in which a drawn line has changed. Both
servers run side by side and are visited in turn. ``cached`` moves return to values seen before, ``new`` ones do not.
"""

import statistics
from pathlib import Path

from playwright.sync_api import Page

from benchmarks.served import served
from benchmarks.timing import table
from tests.browser.chromium import launched

BARE = Path(__file__).with_name("bare_page.py")
# 'Composed' is DP-SGD with 1,000 steps; the others have a closed form or atoms.
PAGES = {
    "sampled Gaussian, 1,000 steps": "mechanism",
    "Laplace, 100 steps": "mechanism?mechanism=Laplace&knows_rate=true&steps=100&rate=0.1",
    "Gaussian, one release": "mechanism?knows_rate=true&steps=1&rate=1",
}

_WATCH = """() => {
  const lines = () => [...document.querySelectorAll('.js-plotly-plot .scatterlayer path.js-line')]
    .map(line => line.getAttribute('d')).join('|');
  document.addEventListener('keydown', () => {
    const before = lines(), start = performance.now();
    window.elapsed = null;
    const look = () => {
      const now = lines();
      if (now && now !== before) window.elapsed = performance.now() - start; else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, true);
}"""


def _open(page: Page, url: str, slider: str) -> Page:
    page.goto(url, wait_until="domcontentloaded")
    page.wait_for_selector(".js-plotly-plot .scatterlayer path.js-line", timeout=60_000)
    page.wait_for_timeout(1500)
    page.evaluate(_WATCH)
    page.locator(slider).focus()
    return page


def _move(page: Page, key: str) -> float:
    page.keyboard.press(key)
    page.wait_for_function("() => window.elapsed !== null && window.elapsed !== undefined", timeout=60_000)
    page.wait_for_timeout(250)
    return float(page.evaluate("() => window.elapsed"))


def _rounds(pages: dict[str, Page], keys: list[str]) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {name: [] for name in pages}
    for key in keys:
        for name, page in pages.items():
            page.bring_to_front()
            times[name].append(_move(page, key))
    return times


def _row(name: str, kind: str, times: dict[str, list[float]]) -> list[str]:
    median, floor = statistics.median(times[name]), statistics.median(times["bare page"])
    slow = sorted(times[name])[int(0.95 * len(times[name]))]
    return [name, kind, f"{median:.0f} ms", f"{slow:.0f} ms", f"{median / floor:.2f}"]


def slides(rounds: int) -> str:
    """Table with a row for every page and for new and cached values; the bare page is one of them."""
    with served() as server, served(None, script=BARE) as bare, launched() as browser:
        tabs = {"bare page": _open(browser.new_page(), bare.url, "[data-testid=stSlider] input[type=range]")}
        for name, page in PAGES.items():
            tabs[name] = _open(browser.new_page(), f"{server.url}/{page}", ".noise input")
        found = {
            "new": _rounds(tabs, ["ArrowRight"] * 3 * rounds),
            "cached": _rounds(tabs, ["ArrowLeft", "ArrowRight"] * (3 * rounds // 2)),
        }
    rows = [_row(name, kind, times) for kind, times in found.items() for name in times]
    return table(["page", "values", "median", "p95", "times the bare page"], rows)
