"""One visitor: a browser tab on the app that notes everything that goes wrong in it."""

import re
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Self
from urllib.parse import urlsplit

from playwright.sync_api import ConsoleMessage, Error, Locator, Page, Request, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from tests.browser.server import Server

PATIENCE = 60_000  # milliseconds until a page counts as stuck: on a machine with ten tasks a processor some take 30 s
# Milliseconds until a click counts as swallowed, time after time.
SWALLOWED = (PATIENCE // 12, PATIENCE // 12, PATIENCE // 6, PATIENCE)

Screens = tuple[tuple[int, int], ...]
# What a visit is looked at on: laptops one after the other, a phone from the start, which has its sheets closed.
SCREENS: tuple[Screens, ...] = (((1280, 720), (1440, 900)), ((390, 844),))
# Pages beside which the rail is closed are the same on a phone from the start and on one that comes later.
WITHOUT_RAIL: Screens = ((1280, 720), (1440, 900), (390, 844))

# On a deep link Streamlit's client looks for the server below the page's address first, which gives a 404.
PROBES = ("/_stcore/health", "/_stcore/host-config")

# Titles and legend entries of a chart that stick out of it.
CUT_OFF = """charts => charts.flatMap(chart => {
    const box = chart.getBoundingClientRect();
    return [...chart.querySelectorAll('.xtitle, .ytitle, .legendtext')].filter(text => {
        const own = text.getBoundingClientRect();
        const sideways = own.left < box.left - 1 || own.right > box.right + 1;
        return sideways || own.top < box.top - 1 || own.bottom > box.bottom + 1;
    }).map(text => text.textContent);
})"""

# Notes when the page last asked the server for something, when a run last began, and whether the last one that ended
# did so to begin anew (``st.rerun``): between the two nothing runs, and the page is not done. A message of the server
# that says so is ForwardMsg with script_finished (field 6), which is FINISHED_EARLY_FOR_RERUN (2).
NOTED = """
window.runs = {asked: 0, began: 0, again: false};
const ended = message => {
    for (let at = 0; at < message.length;) {
        const [tag, value] = message.slice(at, at + 2);
        if (tag === 0x30) window.runs.again = value === 2;
        at += 2 + (tag % 8 === 2 ? value : 0);
    }
};
window.WebSocket = class extends WebSocket {
    constructor(...all) {
        super(...all);
        this.addEventListener('message', ({data}) => data.byteLength < 100 && ended(new Uint8Array(data)));
    }
};
const send = WebSocket.prototype.send;
WebSocket.prototype.send = function (...data) {
    window.runs.asked = performance.now();
    return send.apply(this, data);
};
new MutationObserver(changes => {
    if (changes.some(one => one.target.dataset.testScriptState === 'running')) window.runs.began = performance.now();
}).observe(document, {subtree: true, attributes: true, attributeFilter: ['data-test-script-state']});
"""

# A run that was asked for may not have begun yet. What does not begin within a second begins none.
FINISHED = """() => {
    if (document.querySelector('[data-testid=stApp]')?.dataset.testScriptState !== 'notRunning') return false;
    const {asked, began, again} = window.runs ?? {asked: 0, began: 0, again: false};
    return !again && (asked <= began || performance.now() - asked > 1000);
}"""

# Done when nothing has moved for a while: figures take the size of a new screen some frames later.
AT_REST = """() => new Promise(done => {
    let before = '', still = 0;
    const look = () => {
        const parts = document.querySelectorAll('[data-testid=stMain] :is(h2, button, canvas, .stSlider, .main-svg)');
        const now = JSON.stringify([...parts].map(one => one.getBoundingClientRect()));
        still = now === before ? still + 1 : 0;
        before = now;
        if (still < 10) setTimeout(look, 30); else done();
    };
    look();
})"""


@dataclass
class Visit:
    """A tab on the app. ``problems`` fills while it is open."""

    page: Page
    server: Server
    log_before: str
    problems: list[str] = field(default_factory=list)

    @classmethod
    def start(
        cls,
        tab: Page,
        server: Server,
        path: str,
        width: int = 1440,
        height: int = 900,
        dark: bool = False,
    ) -> Self:
        """Open ``path`` in an empty tab, which starts a session of its own, and wait until the page is drawn."""
        tab.set_viewport_size({"width": width, "height": height})
        tab.emulate_media(color_scheme="dark" if dark else "light")
        tab.mouse.move(0, 0)  # no hovering where the last visit left the mouse
        visit = cls(tab, server, server.log())
        visit._listen()
        visit.goto(path)
        return visit

    def _listen(self) -> None:
        self.page.on("console", self._note_errors)
        self.page.on("pageerror", self._note_exceptions)
        self.page.on("request", self._note_other_hosts)

    def _stop_listening(self) -> None:
        self.page.remove_listener("console", self._note_errors)
        self.page.remove_listener("pageerror", self._note_exceptions)
        self.page.remove_listener("request", self._note_other_hosts)

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
        """Go to a path of the app and wait until the page is drawn."""
        self.page.goto(f"{self.server.url}/{path}")
        self.settle()

    def settle(self) -> None:
        """Wait until the script has finished and the page has drawn what it sent."""
        self.page.wait_for_function(FINISHED)
        expect(self.page.get_by_test_id("stMain").locator('[data-stale="true"]')).to_have_count(0)
        expect(self.page.get_by_test_id("stSkeleton")).to_have_count(0)

    def look(self, width: int, height: int, dark: bool = False) -> None:
        """Look at the same page on another screen."""
        self.page.emulate_media(color_scheme="dark" if dark else "light")
        self.page.set_viewport_size({"width": width, "height": height})
        self.settle()
        self.page.evaluate(AT_REST)

    def compute_rest(self) -> None:
        """Let the page compute what takes longer than it computes unasked, unless the server knows it already."""
        offer = self.page.get_by_role("button", name="Compute the rest")
        if offer.count():
            offer.click()
        expect(offer).to_have_count(0)
        expect(self.page.get_by_text("of processor time so far")).to_have_count(0)
        self.settle()

    def click(self, target: Locator, wanted: str | re.Pattern[str] | Locator) -> None:
        """Click until the page's address has ``wanted``, or shows it, and wait until the page is drawn.

        A control that is being drawn anew in that moment swallows the click, a tester's as a visitor's, and a list
        that is drawn anew closes. One that is gone was clicked before, and its answer takes its time.
        """
        for patience in SWALLOWED:
            with suppress(PlaywrightTimeoutError):
                target.click(timeout=patience)
            try:
                self._expect(wanted, patience)
                break
            except AssertionError:
                if patience == PATIENCE:
                    raise
        self.settle()

    def choose(self, box: Locator, option: str) -> None:
        """Choose ``option`` in the list that ``box`` opens until the box shows it, and wait until the page is drawn.

        Scrolling closes a list, so the page is scrolled before.
        """
        wanted = self.page.get_by_role("option", name=option, exact=True)
        box.scroll_into_view_if_needed()
        for patience in SWALLOWED:
            self.click(box, wanted)
            with suppress(PlaywrightTimeoutError):
                wanted.click(timeout=patience)
            self.settle()
            try:
                expect(box).to_have_value(option, timeout=patience)
                break
            except AssertionError:
                if patience == PATIENCE:
                    raise

    def _expect(self, wanted: str | re.Pattern[str] | Locator, patience: float) -> None:
        if isinstance(wanted, Locator):
            expect(wanted).to_be_visible(timeout=patience)
        else:
            address = re.compile(re.escape(wanted)) if isinstance(wanted, str) else wanted
            expect(self.page).to_have_url(address, timeout=patience)

    def go_to(self, title: str) -> None:
        """Go to another page by its link on top; the address tells when the old page is no longer what is drawn."""
        link = self.page.get_by_test_id("stTopNavLink").filter(has_text=title)
        path = urlsplit(link.get_attribute("href") or "").path
        self.click(link, re.compile(rf"{re.escape(path)}(\?|$)"))

    @property
    def answer(self) -> Locator:
        """The page's answer: the first heading below its name."""
        return self.page.locator("h2").first

    def cut_off(self) -> list[str]:
        """What does not fit: the page itself, when it is wider than the screen, and words that stick out of a chart."""
        boxes = self.page.locator("html, [data-testid=stMain]")
        fits = boxes.evaluate_all("boxes => boxes.every(box => box.scrollWidth <= box.clientWidth)")
        wide = [] if fits else ["the page is too wide"]
        return wide + list(self.page.locator(".js-plotly-plot").evaluate_all(CUT_OFF))

    def finish(self) -> list[str]:
        """Leave the app, so that the tab is empty and the session over, and return what went wrong in it."""
        if self.page.get_by_test_id("stException").count():
            self.problems.append("an exception is shown on the page")
        log = self.server.log().removeprefix(self.log_before)
        if "Traceback" in log:
            self.problems.append(f"traceback in the server's log:\n{log}")
        self._stop_listening()
        self.page.evaluate("localStorage.clear()")  # where a rail that was folded is remembered
        self.page.goto("about:blank")
        return self.problems
