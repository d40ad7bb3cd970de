"""Starting up, beside an empty Streamlit page: until the server answers, and until a new browser shows the first page.

A round starts both servers one after the other, each with a browser that has seen neither. Files are in the disk cache:
warm for the disk, cold for everything else.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from benchmarks.timing import table
from tests.browser.chromium import find_chromium
from tests.browser.conftest import FLAGS
from tests.browser.server import ROOT, free_port

EMPTY = Path(__file__).with_name("empty_page.py")
_PATIENCE = 60.0
_READY = "[data-testid=stApp][data-test-script-state=notRunning] [data-testid=stMain]"
_SHOWN = {"ours": "h2", "empty page": "[data-testid=stMarkdownContainer]"}  # the answer, which a picture draws last


@contextmanager
def started(script: Path, folder: Path, port: int) -> Iterator[float]:
    """A server for ``script`` in ``folder``; gives the seconds until it answered."""
    command = [sys.executable, "-m", "streamlit", "run", str(script), "--server.port", str(port)]
    command += ["--server.headless", "true", "--browser.gatherUsageStats", "false"]
    with tempfile.TemporaryDirectory() as home:
        began = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=folder, env=os.environ | {"HOME": home}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            _wait(f"http://localhost:{port}/_stcore/health", process)
            yield time.perf_counter() - began
        finally:
            process.terminate()
            process.wait(timeout=20)


def _wait(url: str, process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=2):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.02)
    raise RuntimeError(f"{url} did not answer.")


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


def starts(rounds: int) -> dict[str, list[tuple[float, float]]]:
    """Seconds until the server answers, and then until the first page is there, for ours and the empty page."""
    found: dict[str, list[tuple[float, float]]] = {"ours": [], "empty page": []}
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as elsewhere:
        browser = playwright.chromium.launch(
            executable_path=find_chromium(playwright.chromium.executable_path), args=FLAGS
        )
        for _ in range(rounds):
            for name, script, folder in (("ours", ROOT / "app.py", ROOT), ("empty page", EMPTY, Path(elsewhere))):
                port = free_port()
                with started(script, folder, port) as seconds:
                    found[name].append((seconds, _first_page(browser, f"http://localhost:{port}", _SHOWN[name])))
        browser.close()
    return found


def medians(times: Sequence[tuple[float, float]]) -> tuple[float, float, float]:
    """Medians: until the server answers, from there to the page, both together."""
    answered, shown = ([one[part] for one in times] for part in (0, 1))
    return statistics.median(answered), statistics.median(shown), statistics.median(map(sum, times))


def start_up(rounds: int) -> str:
    """Table of both."""
    rows = [[name, *(f"{value:.2f} s" for value in medians(times))] for name, times in starts(rounds).items()]
    return table(["first page, cold", "server answers", "then the page", "together"], rows)
