"""Fixtures of the browser tests. Without a Chromium they fail and say how to get one; they never skip."""

import resource
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

from tests.browser.chromium import NoChromiumError, find_chromium
from tests.browser.server import Server, copy_image, running_app
from tests.browser.visit import PATIENCE, Visit

# As root, in a container, Chromium has no sandbox to use. The second flag stops the browser's own look-ups. The third
# leaves out compilers for scripts that run for long: a page is left after seconds, before they have paid off. The last
# undoes what Debian's Chromium is started with: pages drawn by a graphics card that a processor has to imitate.
FLAGS = [
    *("--no-sandbox", "--disable-background-networking", "--js-flags=--no-opt,--no-maglev"),
    "--disable-gpu-rasterization",
]
ON_DISK = 100_000  # bytes that a file written by the server may have: an upload of the tests is larger

expect.set_options(timeout=PATIENCE)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test in this folder. One that fails is run once more, and the summary names it (RERUN) to be mended;
    nothing else is ever run twice.
    """
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    try:
        path = find_chromium(playwright.chromium.executable_path)
    except NoChromiumError as missing:
        pytest.fail(str(missing), pytrace=False)
    chromium = playwright.chromium.launch(executable_path=path, args=FLAGS)
    yield chromium
    chromium.close()


@pytest.fixture(scope="session")
def tab(browser: Browser) -> Page:
    """One tab for all visits, one after the other: it reads and compiles the app's scripts once.

    A server begins a new session with every page that is loaded, in an old tab as in a new one.
    """
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    return context.new_page()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The app as the image holds it. Sessions of closed tabs end after a second; large files cannot be written."""
    root = tmp_path_factory.mktemp("image")
    copy_image(root)
    settings = {"STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL": "1", "TMPDIR": str(root)}
    with running_app(root, root, settings) as started:
        resource.prlimit(started.process.pid, resource.RLIMIT_FSIZE, (ON_DISK, ON_DISK))
        yield started


@pytest.fixture
def open_page(tab: Page, request: pytest.FixtureRequest) -> Iterator[Callable[..., Visit]]:
    """Open a page of the app: ``open_page("mechanism?noise=2", width=390, height=844, dark=True, server=...)``.

    A visit ends where the next begins or the test ends. Then it is checked: no error in the console, no exception in
    the page, no traceback, no request to another host.
    """
    visits: list[Visit] = []
    problems: list[str] = []

    def open_one(
        path: str = "", *, server: Server | None = None, width: int = 1440, height: int = 900, dark: bool = False
    ) -> Visit:
        end_visit()
        visit = Visit.start(tab, server or request.getfixturevalue("server"), path, width, height, dark)
        visits.append(visit)
        return visit

    def end_visit() -> None:
        while visits:
            problems.extend(visits.pop().finish())

    yield open_one
    end_visit()
    assert problems == []
