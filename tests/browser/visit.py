"""One visitor: a browser tab on the app that notes everything that goes wrong in it.

A visitor acts at rest: whatever asks the server for a run is done within ``run``, which waits until that run has
written its mark (``data-settled``) and the page is at rest. Nothing is done twice, and nothing waits for some time.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Self
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Error, FilePayload, Locator, Page, Request, expect

from tests.browser.server import Server

PATIENCE = 60_000  # milliseconds until a page counts as stuck: on a machine with ten tasks a processor some take 30 s

# On a deep link Streamlit's client looks for the server below the page's address first, which gives a 404.
PROBES = ("/_stcore/health", "/_stcore/host-config")

# The number of the last run that was drawn to its end; where an earlier page was longer, its mark may still be there.
LAST_RUN = "() => Math.max(0, ...[...document.querySelectorAll('[data-settled]')].map(one => +one.dataset.settled))"

# Whether a run after that one was drawn to its end and nothing runs, all that belongs to it has come, and nothing moved
# over the last frames. A figure takes the size of its place some frames after that.
AT_REST = f"""before => {{
    const main = document.querySelector('[data-testid=stMain]');
    const done = document.querySelector('[data-testid=stApp]')?.dataset.testScriptState === 'notRunning'
        && ({LAST_RUN})() > before
        && !main.querySelector('[data-stale=true], [data-testid=stSkeleton]')
        && [...main.querySelectorAll('[data-testid=stPlotlyChart]')].every(place => {{
            const chart = place.querySelector('.js-plotly-plot');
            return chart?._fullLayout && Math.abs(chart._fullLayout.width - place.clientWidth) < 2;
        }});
    const parts = done ? main.querySelectorAll(':is(h1, h2, p, button, input, canvas, .main-svg)') : [];
    const places = JSON.stringify([...parts].map(one => one.getBoundingClientRect()));
    window.still = done && places === window.places ? (window.still ?? 0) + 1 : 0;
    window.places = places;
    return window.still > 5;
}}"""


@dataclass
class Visit:
    """A tab on the app. ``problems`` fills while it is open."""

    page: Page
    server: Server
    log_before: str
    problems: list[str] = field(default_factory=list)

    @classmethod
    def start(
        cls, tab: Page, server: Server, path: str, width: int = 1440, height: int = 900, dark: bool = False
    ) -> Self:
        """Open ``path`` in an empty tab, which starts a session of its own, and wait until the page is drawn."""
        tab.set_viewport_size({"width": width, "height": height})
        tab.emulate_media(color_scheme="dark" if dark else "light")
        tab.mouse.move(0, 0)  # no hovering where the last visit left the mouse
        visit = cls(tab, server, server.log())
        for event, note in visit._listeners:
            tab.on(event, note)  # type: ignore[call-overload] # one of three pairs
        visit.goto(path)
        return visit

    @property
    def _listeners(self) -> tuple[tuple[str, object], ...]:
        noted = (self._note_errors, self._note_exceptions, self._note_other_hosts)
        return tuple(zip(("console", "pageerror", "request"), noted, strict=True))

    def _note_errors(self, line: ConsoleMessage) -> None:
        if line.type == "error" and not line.location["url"].endswith(PROBES):
            self.problems.append(f"console: {line.text} ({line.location['url']})")

    def _note_exceptions(self, error: Error) -> None:
        self.problems.append(f"page error: {error}")

    def _note_other_hosts(self, request: Request) -> None:
        own = (self.server.url, self.server.url.replace("http", "ws", 1), "data:", "blob:")
        if not request.url.startswith(own):
            self.problems.append(f"request to another host: {request.url}")

    def goto(self, path: str) -> None:
        """Load a path of the app, in a session of its own, and wait until the page is drawn."""
        self.page.goto(f"{self.server.url}/{path}")
        self.rest()

    def rest(self, after: int = 0) -> None:
        """Wait until the page is drawn by a run that came after ``after``, and at rest."""
        self.page.evaluate("window.still = 0")
        self.page.wait_for_function(AT_REST, arg=after)

    @contextmanager
    def run(self) -> Iterator[None]:
        """Do what asks for a run, and wait until that is drawn."""
        before: int = self.page.evaluate(LAST_RUN)
        yield
        self.rest(before)

    def look(self, width: int, height: int, dark: bool = False) -> None:
        """Look at the same page on another screen."""
        self.page.emulate_media(color_scheme="dark" if dark else "light")
        self.page.set_viewport_size({"width": width, "height": height})
        self.rest()

    def click(self, target: Locator) -> None:
        """Click on what asks the server for something."""
        with self.run():
            target.click()

    def unfold(self, target: Locator, shown: Locator) -> None:
        """Click on what unfolds in the browser alone, and wait for what it shows."""
        target.click()
        expect(shown).to_be_visible()
        self.rest()

    def enter(self, box: Locator, text: str, key: str = "Enter") -> None:
        """Fill a box and leave it by this key."""
        with self.run():
            box.fill(text)
            box.press(key)

    def choose(self, box: Locator, option: str) -> None:
        """Choose an option of the list that ``box`` opens. Scrolling closes a list, so the page is scrolled before."""
        box.scroll_into_view_if_needed()
        self.unfold(box, wanted := self.page.get_by_role("option", name=option, exact=True))
        self.click(wanted)
        expect(box).to_have_value(option)

    def go_to(self, title: str) -> None:
        """Go to another page by its link on top."""
        link = self.page.get_by_test_id("stTopNavLink").filter(has_text=title)
        path = urlsplit(link.get_attribute("href") or "").path
        self.click(link)
        expect(self.page).to_have_url(re.compile(rf"{re.escape(path)}(\?|$)"))

    def offer(self, *files: FilePayload) -> None:
        """Choose files in the page's first uploader, and wait until the page has read them."""
        with self.run():
            self.page.locator("[data-testid=stFileUploader] input[type=file]").first.set_input_files(list(files))

    def accept(self, label: str = "Measure") -> None:
        """Accept what is shown of the files."""
        self.click(self.page.get_by_role("button", name=label, exact=True))
        expect(self.page.get_by_role("button", name="Change", exact=True)).to_be_visible()

    def download(self, name: str) -> bytes:
        """The file that a button makes, which asks for no run."""
        with self.page.expect_download() as download:
            self.page.get_by_role("button", name=name, exact=True).click()
        return download.value.path().read_bytes()

    def box(self, name: str) -> Locator:
        """A box of the controls beside the page, by its name in the address."""
        return self.page.get_by_test_id("stSidebar").locator(f".st-key-{name} input")

    @property
    def query(self) -> dict[str, str]:
        """What the address says."""
        return {name: values[-1] for name, values in parse_qs(urlsplit(self.page.url).query).items()}

    @property
    def main(self) -> Locator:
        """The page without what is above and beside it."""
        return self.page.get_by_test_id("stMain")

    @property
    def answer(self) -> Locator:
        """The page's answer: the first heading below its name."""
        return self.page.locator("h2").first

    @property
    def chart(self) -> Locator:
        """The page's first figure."""
        return self.page.locator(".js-plotly-plot").first

    def finish(self) -> list[str]:
        """Leave the app, so that the tab is empty and the session over, and return what went wrong in it."""
        if self.page.get_by_test_id("stException").count() or self.page.get_by_text("This page broke off here").count():
            self.problems.append("an exception is shown on the page")
        for event, note in self._listeners:
            self.page.remove_listener(event, note)
        self.page.evaluate("localStorage.clear()")  # where a rail that was folded is remembered
        self.page.goto("about:blank")
        log = self.server.log().removeprefix(self.log_before)
        if "Traceback" in log:
            self.problems.append(f"traceback in the server's log:\n{log}")
        return self.problems


def table(name: str, header: str, rows: Sequence[str]) -> FilePayload:
    """A file of these lines."""
    return {"name": name, "mimeType": "text/csv", "buffer": "\n".join([header, *rows, ""]).encode()}


def pages(browser: Browser, html: str) -> set[int]:
    """How many pages a document prints on, on A4 and on US Letter."""
    printed = browser.new_page()
    printed.set_content(html)
    files = [printed.pdf(format=paper, print_background=True) for paper in ("A4", "Letter")]
    printed.close()
    return {len(re.findall(rb"/Type\s*/Page\b", file)) for file in files}
