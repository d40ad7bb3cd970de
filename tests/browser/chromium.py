"""A Chromium to test with: by variable, on the PATH, or Playwright's own; windows take time, so one without first."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
# As root, in a container, Chromium has no sandbox to use. The second flag stops the browser's own look-ups. The third
# leaves out compilers for scripts that run for long, as a page is left after seconds, before they have paid off, and
# has room (megabytes) for what lives shortly. The last undoes what Debian's Chromium is started with: pages drawn by a
# graphics card that a processor has to imitate.
SCRIPTS = "--no-opt,--no-maglev,--no-flush-bytecode,--min-semi-space-size=64,--max-semi-space-size=64"
FLAGS = ["--no-sandbox", "--disable-background-networking", f"--js-flags={SCRIPTS}", "--disable-gpu-rasterization"]
HOW_TO_GET_ONE = """The browser tests need Chromium and found none. Any of these helps:
  - Debian, Ubuntu:      apt-get install chromium
  - any system:          .venv/bin/python -m playwright install chromium
  - it is elsewhere:     CHROMIUM=/path/to/chromium make test"""


def _found(playwrights_own: str) -> str:
    """Path of the browser: $CHROMIUM, else the first of ``NAMES`` on the PATH, else Playwright's own."""
    if wanted := os.environ.get("CHROMIUM", ""):
        found = shutil.which(wanted)
    else:
        found = next(filter(None, map(shutil.which, NAMES)), playwrights_own)
    if found is None or not Path(found).exists():
        raise RuntimeError(f"CHROMIUM={wanted} cannot be run.\n{HOW_TO_GET_ONE}" if wanted else HOW_TO_GET_ONE)
    return found


@contextmanager
def launched() -> Iterator[Browser]:
    """A browser, closed on leaving."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_found(playwright.chromium.executable_path), args=FLAGS)
        yield browser
        browser.close()
