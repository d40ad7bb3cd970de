"""Starting up, beside a bare Streamlit page: until the server answers, and until a new browser shows the first page.

A round starts both servers one after the other, each with a browser that has seen neither. Files are in the disk cache:
warm for the disk, cold for everything else.
"""

import statistics
import time
from pathlib import Path

from playwright.sync_api import Browser

from benchmarks.served import served
from benchmarks.timing import table
from tests import ROOT
from tests.browser.chromium import launched

BARE = Path(__file__).with_name("bare_page.py")
_PATIENCE = 60.0
_READY = "[data-testid=stApp][data-test-script-state=notRunning] [data-testid=stMain]"
_SHOWN = {"ours": "h2", "bare page": ".js-plotly-plot path.js-line"}  # the answer, which a picture draws last


def _first_page(browser: Browser, url: str, shown: str) -> float:
    """Seconds until a browser that has seen nothing yet shows the first page, whole."""
    context = browser.new_context()
    page = context.new_page()
    began = time.perf_counter()
    page.goto(url, wait_until="commit")
    page.wait_for_selector(f"{_READY} {shown}:visible", timeout=_PATIENCE * 1e3)
    seconds = time.perf_counter() - began
    context.close()
    return seconds


def start_up(rounds: int) -> str:
    """Table of both: medians until the server answers, from there to the page, and of both together."""
    scripts = (("ours", ROOT / "app.py", ROOT), ("bare page", BARE, None))
    found: dict[str, list[tuple[float, float, float]]] = {name: [] for name, _, _ in scripts}
    with launched() as browser:
        for _ in range(rounds):
            for name, script, folder in scripts:
                began = time.perf_counter()
                with served(folder, script=script) as server:
                    answered = time.perf_counter() - began
                    shown = _first_page(browser, server.url, _SHOWN[name])
                found[name].append((answered, shown, answered + shown))
    rows = [
        [name, *(f"{statistics.median(part):.2f} s" for part in zip(*times, strict=True))]
        for name, times in found.items()
    ]
    return table(["first page, cold", "server answers", "then the page", "together"], rows)
