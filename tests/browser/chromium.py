"""Finding a Chromium: by variable, on the PATH, or Playwright's own."""

import os
import shutil
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

HOW_TO_GET_ONE = """The browser tests need Chromium and found none. Any of these helps:
  - Debian, Ubuntu:      apt-get install chromium
  - any system:          .venv/bin/python -m playwright install chromium
  - it is elsewhere:     CHROMIUM=/path/to/chromium make test"""


class NoChromiumError(RuntimeError):
    """There is no browser to test with; the message says how to get one."""


def find_chromium(playwrights_own: str) -> str:
    """Path of the browser to drive: $CHROMIUM, else the first of ``NAMES`` on the PATH, else ``playwrights_own``.

    Raises:
        NoChromiumError: none of them exists, or $CHROMIUM names a file that does not.
    """
    wanted = os.environ.get("CHROMIUM", "")
    if wanted:
        found = shutil.which(wanted)
        if found is None:
            raise NoChromiumError(f"CHROMIUM={wanted} cannot be run.\n{HOW_TO_GET_ONE}")
        return found
    on_path = next(filter(None, map(shutil.which, NAMES)), None)
    if on_path is not None:
        return on_path
    if Path(playwrights_own).exists():
        return playwrights_own
    raise NoChromiumError(HOW_TO_GET_ONE)
