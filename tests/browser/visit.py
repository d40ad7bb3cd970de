"""One visitor: a browser tab on the app that notes everything that goes wrong in it.

A visitor acts at rest: whatever asks the server for a run is done within ``run``, which waits until that run has
written its mark (``data-settled``) and the page is at rest. Nothing is done twice, and nothing waits for some time.
"""

import re
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import ConsoleMessage, Error, FilePayload, Locator, Page, Request

from tests.browser.server import Server
from tests.image import HEADERS

PATIENCE = 60_000  # milliseconds until a page counts as stuck: on a machine with ten tasks a processor some take 30 s
PARTS = "Cross-Origin-Opener-Policy"
# On a deep link Streamlit's client looks for the server below the page's address first, which gives a 404.
PROBES = ("/_stcore/health", "/_stcore/host-config")

# The number of the last run that was drawn to its end; where an earlier page was longer, its mark may still be there.
LAST_RUN = "() => Math.max(0, ...[...document.querySelectorAll('[data-settled]')].map(one => +one.dataset.settled))"

# Whether a run after that one was drawn to its end and nothing runs, all that belongs to it has come, and nothing moved
# since the last times that this was asked, with a frame between two of them. A figure takes the size of its place some
# frames after that. A frame is asked for only then: who asks for every frame has the page painted sixty times a second.
AT_REST = f"""before => {{
    const main = document.querySelector('[data-testid=stMain]');
    const done = document.querySelector('[data-testid=stApp]')?.dataset.testScriptState === 'notRunning'
        && ({LAST_RUN})() > before
        && !main.querySelector('[data-stale=true], [data-testid=stSkeleton]')
        && [...main.querySelectorAll('[data-testid=stPlotlyChart]')].every(place => {{
            const chart = place.querySelector('.js-plotly-plot');
            return chart?._fullLayout && Math.abs(chart._fullLayout.width - place.clientWidth) < 2;
        }});
    if (!done) window.still = 0;
    if (!done || window.awaited) return false;
    const parts = main.querySelectorAll(':is(h1, h2, p, button, input, canvas, .main-svg)');
    const places = JSON.stringify([...parts].map(one => one.getBoundingClientRect()));
    window.still = places === window.places ? window.still + 1 : 0;
    window.places = places;
    window.awaited = requestAnimationFrame(() => window.awaited = 0);
    return window.still > 2;
}}"""
OFTEN = 40  # milliseconds after which it is asked again
# Another address without a new document, as where a visitor goes back and forward.
FOLLOW = "path => { history.pushState({}, '', path); dispatchEvent(new PopStateEvent('popstate', {state: {}})); }"

# Titles, legend entries and labels of a figure that stick out of it; a page that is wider than the screen, and names of
# links and buttons that are longer than their place; elements that lie over each other. What lies in a box that scrolls
# by itself, such as a list, does not count.
LAYOUT = """() => {
    const scrolls = one => one.dataset.testid !== 'stMain' && one !== document.body
        && (getComputedStyle(one).overflowY === 'auto' || scrolls(one.parentElement));
    const cut = [...document.querySelectorAll('.js-plotly-plot')].flatMap(chart => {
        const box = chart.getBoundingClientRect();
        return [...chart.querySelectorAll('.xtitle, .ytitle, .legendtext, .annotation-text')].filter(text => {
            const own = text.getBoundingClientRect();
            const sideways = own.left < box.left - 1 || own.right > box.right + 1;
            return sideways || own.top < box.top - 1 || own.bottom > box.bottom + 1;
        }).map(text => `cut off: ${text.textContent}`);
    });
    const whole = [...document.querySelectorAll('html, [data-testid=stMain]')];
    const named = [...document.querySelectorAll('[data-testid=stMain] :is(a, button) *')].filter(one => !scrolls(one));
    const long = [...whole, ...named]
        .filter(one => one.checkVisibility() && getComputedStyle(one).display !== 'inline')
        .filter(one => one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1)
        .map(one => `too long: ${one.tagName} ${one.textContent.slice(0, 80)}`);
    const boxes = [...document.querySelectorAll('[data-testid=stMain] [data-testid=stElementContainer]')]
        .filter(one => one.checkVisibility() && !scrolls(one))
        .map(one => [one, one.getBoundingClientRect()]).filter(([, box]) => box.width > 1 && box.height > 1);
    const over = boxes.flatMap(([one, a], at) => boxes.slice(at + 1).filter(([other, b]) => !one.contains(other)
        && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2)
        .map(([other]) => `over each other: ${one.innerText.slice(0, 60)} / ${other.innerText.slice(0, 60)}`));
    return [...cut, ...long, ...over];
}"""


@dataclass
class Visit:
    """A tab on the app. ``problems`` fills while it is open."""

    page: Page
    server: Server
    log_before: str
    problems: list[str] = field(default_factory=list)

    @classmethod
    def start(cls, tab: Page, server: Server, path: str, width: int, height: int, dark: bool = False) -> Self:
        """Open ``path`` in an empty tab, which starts a session of its own, and wait until the page is drawn."""
        tab.bring_to_front()  # one behind another draws a frame a second
        tab.set_viewport_size({"width": width, "height": height})
        tab.emulate_media(color_scheme="dark" if dark else "light")
        tab.mouse.move(0, 0)  # no hovering where the last visit left the mouse
        visit = cls(tab, server, server.log())
        tab.on("console", visit._note_errors)
        tab.on("pageerror", visit._note_exceptions)
        tab.on("request", visit._note_other_hosts)
        visit.goto(path)
        return visit

    def _note_errors(self, line: ConsoleMessage) -> None:
        if line.type == "error" and not line.location["url"].endswith(PROBES):
            self.problems.append(f"console of {self.page.url}: {line.text} ({line.location['url']})")

    def _note_exceptions(self, error: Error) -> None:
        self.problems.append(f"page error: {error}")

    def _note_other_hosts(self, request: Request) -> None:
        own = (self.server.url, self.server.url.replace("http", "ws", 1), "data:", "blob:")
        if not request.url.startswith(own):
            self.problems.append(f"request to another host: {request.url}")

    def _note_faults(self) -> None:
        """Of the page as it is now: whether it broke off, and what on it is cut off or overlaps."""
        if self.page.get_by_test_id("stException").count() or self.page.get_by_text("This page broke off here").count():
            self.problems.append(f"an exception is shown on {self.page.url}")
        self.problems += [f"{fault} ({self.page.url})" for fault in self.page.evaluate(LAYOUT)]

    def goto(self, path: str) -> None:
        self.page.goto(f"{self.server.url}/{path}")
        self.rest()

    def follow(self, path: str, width: int, height: int, dark: bool = False) -> None:
        """Go on to an address in this session and on this screen, as the browser's own buttons do."""
        self._note_faults()
        self.page.emulate_media(color_scheme="dark" if dark else "light")
        self.page.set_viewport_size({"width": width, "height": height})
        with self.run():
            self.page.evaluate(FOLLOW, f"/{path}")

    def rest(self, after: int = 0) -> None:
        """Wait until the page is drawn by a run that came after ``after``, and at rest."""
        self.page.evaluate("window.still = 0")
        self.page.wait_for_function(AT_REST, arg=after, polling=OFTEN)

    @contextmanager
    def run(self) -> Iterator[None]:
        """Do what asks for a run, and wait until that is drawn."""
        before: int = self.page.evaluate(LAST_RUN)
        yield
        self.rest(before)

    def look(self, width: int, height: int, dark: bool = False) -> None:
        self.page.emulate_media(color_scheme="dark" if dark else "light")
        self.page.set_viewport_size({"width": width, "height": height})
        self.rest()

    def click(self, target: Locator) -> None:
        with self.run():
            target.click()

    def enter(self, box: Locator, text: str, key: str = "Enter") -> None:
        with self.run():
            box.fill(text)
            box.press(key)

    def go_to(self, title: str) -> None:
        self.click(self.page.get_by_test_id("stTopNavLink").filter(has_text=title))

    def offer(self, *files: FilePayload) -> None:
        with self.run():
            self.page.locator("[data-testid=stFileUploader] input[type=file]").first.set_input_files(list(files))

    def download(self, name: str) -> bytes:
        with self.page.expect_download() as download:
            self.page.get_by_role("button", name=name, exact=True).click()
        return download.value.path().read_bytes()

    def box(self, name: str) -> Locator:
        return self.page.get_by_test_id("stSidebar").locator(f".st-key-{name} input")

    @property
    def query(self) -> dict[str, str]:
        return {name: values[-1] for name, values in parse_qs(urlsplit(self.page.url).query).items()}

    @property
    def main(self) -> Locator:
        return self.page.get_by_test_id("stMain")

    @property
    def answer(self) -> Locator:
        return self.page.locator("h2").first

    @property
    def chart(self) -> Locator:
        return self.page.locator(".js-plotly-plot").first

    def finish(self) -> list[str]:
        """Leave the app, and return what went wrong in it."""
        self._note_faults()
        self.page.remove_listener("console", self._note_errors)
        self.page.remove_listener("pageerror", self._note_exceptions)
        self.page.remove_listener("request", self._note_other_hosts)
        self.page.evaluate("localStorage.clear()")  # where a rail that was folded is remembered
        self.page.goto("about:blank")
        log = self.server.log().removeprefix(self.log_before)
        if "Traceback" in log:
            self.problems.append(f"traceback in the server's log:\n{log}")
        return self.problems


Open = Callable[..., Visit]


@contextmanager
def behind_the_proxy(page: Page) -> Iterator[None]:
    """Give every page that this tab opens meanwhile the headers that the proxy sends.

    All but the one that parts windows: Chromium would draw every page in a process of its own, and compile all anew.
    """
    page.context.grant_permissions(["local-network-access"])  # Chromium does not know where a changed answer came from
    client = page.context.new_cdp_session(page)
    added = [{"name": name, "value": value} for name, value in HEADERS.items() if name != PARTS]

    def add(paused: dict[str, Any]) -> None:
        body = client.send("Fetch.getResponseBody", {"requestId": paused["requestId"]})
        text = body["body"] if body["base64Encoded"] else b64encode(body["body"].encode()).decode()
        answer = {"requestId": paused["requestId"], "responseCode": paused["responseStatusCode"], "body": text}
        client.send("Fetch.fulfillRequest", answer | {"responseHeaders": paused["responseHeaders"] + added})

    client.on("Fetch.requestPaused", add)
    client.send("Fetch.enable", {"patterns": [{"resourceType": "Document", "requestStage": "Response"}]})
    try:
        yield
    finally:
        client.detach()
        page.context.clear_permissions()


def table(name: str, header: str, rows: Sequence[str]) -> FilePayload:
    return {"name": name, "mimeType": "text/csv", "buffer": "\n".join([header, *rows, ""]).encode()}


def pages(tab: Page, html: str) -> set[int]:
    """How many pages a document prints on, on A4 and on US Letter: in one tab beside this one, as tabs are dear."""
    printed = next((one for one in tab.context.pages if one is not tab), None) or tab.context.new_page()
    printed.set_content(html)
    files = [printed.pdf(format=paper, print_background=True) for paper in ("A4", "Letter")]
    tab.bring_to_front()
    return {len(re.findall(rb"/Type\s*/Page\b", file)) for file in files}
