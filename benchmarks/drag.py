"""Frames per second while the noise is dragged over its whole range: ``python -m benchmarks.drag``.

The clock is the browser's: the time between two frames, from the finger's first movement to its last.
"""

import statistics
import tempfile
from itertools import pairwise
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from benchmarks.timing import table
from tests.browser.chromium import find_chromium
from tests.browser.conftest import FLAGS
from tests.browser.server import running_app

PAGES = {"explorer": "mechanism", "home": "", "Laplace, two phases": "mechanism?mechanism=Laplace&phases=2"}
SCREENS = {"1440x900": (1440, 900), "390x844": (390, 844)}
_STEPS = 120  # movements of the finger
_COUNT = """() => {
  const counts = window.frames_ !== undefined;
  window.frames_ = [];
  if (counts) return;
  const look = now => { window.frames_.push(now); requestAnimationFrame(look); };
  requestAnimationFrame(look);
}"""


def dragged(page: Page) -> list[float]:
    """Milliseconds between frames, while the slider is dragged from one end to the other and back."""
    box = page.locator(".noise input").bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2

    def to(share: float) -> None:
        page.mouse.move(box["x"] + 8 + share * (box["width"] - 16), middle)

    to(0.5)
    page.mouse.down()
    page.evaluate(_COUNT)
    for step in range(_STEPS):
        to(abs(1.0 - 2.0 * step / _STEPS))
    frames: list[float] = page.evaluate("() => window.frames_")
    page.mouse.up()
    return [after - before for before, after in pairwise(frames)]


def drags(rounds: int) -> str:
    """Table with a row for every page and screen."""
    rows = []
    with tempfile.TemporaryDirectory() as home, running_app(Path(home)) as server, sync_playwright() as playwright:
        path = find_chromium(playwright.chromium.executable_path)
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        for name, address in PAGES.items():
            for screen, (width, height) in SCREENS.items():
                page = browser.new_page(viewport={"width": width, "height": height})
                page.goto(f"{server.url}/{address}")
                page.locator(".verdict .found").wait_for(timeout=60_000)
                page.wait_for_timeout(2_000)
                times = [time for _ in range(rounds) for time in dragged(page)]
                rate = 1000.0 * len(times) / sum(times)
                rows.append([name, screen, f"{rate:.0f}", f"{statistics.median(times):.0f} ms", f"{max(times):.0f} ms"])
                page.close()
        browser.close()
    return table(["page", "screen", "frames/s", "median frame", "longest"], rows)


if __name__ == "__main__":
    print(drags(2))
