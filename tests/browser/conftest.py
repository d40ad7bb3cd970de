"""Fixtures of the browser tests. Without a Chromium they fail and say how to get one; they never skip."""

import resource
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.chromium import launched
from tests.browser.server import Server, copy_image, running_app
from tests.browser.visit import PATIENCE, Open, Visit

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
def browser() -> Iterator[Browser]:
    with launched() as chromium:
        yield chromium


@pytest.fixture(scope="session")
def tab(browser: Browser) -> Page:
    """One tab for all visits, one after the other, each a session of its own: it compiles the app's scripts once."""
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
def open_page(tab: Page, server: Server) -> Iterator[Open]:
    """Opens pages of the app. At the end each visit is checked: no error in the console, no exception in the page, no
    traceback, no request to another host, nothing cut off.
    """
    visits: list[Visit] = []

    def open_one(path: str = "", width: int = 1280, height: int = 720, *, dark: bool = False) -> Visit:
        visits.append(Visit.start(tab, server, path, width, height, dark))
        return visits[-1]

    yield open_one
    assert [problem for visit in visits for problem in visit.finish()] == []
