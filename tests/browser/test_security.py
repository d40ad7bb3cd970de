"""Attacks on a running app: what one visitor uploads reaches nobody else and no disk; strangers' requests are refused.

The app runs from a copy of what the image holds, and its pages carry the policy that the proxy gives them.
"""

import socket
import urllib.error
import urllib.request
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, expect

from pages.ui.catalog import PAGES
from tests.browser.conftest import ON_DISK
from tests.browser.server import Server
from tests.browser.visit import PATIENCE, Visit, table
from tests.image import HEADERS

Open = Callable[..., Visit]
CANARY = "canary7391"
ROWS = 60_000  # more than 1 MB, which a server may put into a temporary file
# Asks for a file again and again, and notes that it is gone.
LOOK = """url => {
    const look = async () => {
        window.gone = (await fetch(url, {cache: 'no-store'})).status === 404;
        if (!window.gone) setTimeout(look, 200);
    };
    look();
}"""
PATHS_OUT = (
    "/static/../../../app.py",
    "/static/%2e%2e/%2e%2e/app.py",
    "/media/..%2f..%2fapp.py",
    "/_stcore/upload_file/../../app.py",
    "/app/static/../app.py",
    "/component/x/../../app.py",
    "/..%5capp.py",
    "//app.py",
)
SCRIPT = "document.body.append(Object.assign(document.createElement('script'), {text: 'window.ran = 1'}))"


def take_home(page: Page, server: Server) -> str:
    """Upload the canary, see it on the page, and take a download that names it; the download's address."""
    visit = Visit.start(page, server, "audit?audit.source=one+file")
    rows = [f"{row * 37 % 101 / 50 + row % 2},{row % 2},{CANARY}" for row in range(ROWS)]
    visit.offer(table(f"{CANARY}.csv", f"loss {CANARY},member,note {CANARY}", rows))
    expect(page.get_by_text(f"{CANARY}.csv: {ROWS:,} rows").first).to_be_visible()
    visit.accept()
    with page.expect_download() as download:
        page.get_by_role("button", name="All numbers (JSON)").click()
    assert CANARY in download.value.path().read_text()
    return download.value.url


def received(page: Page) -> list[bytes]:
    """What the server sends to a tab from now on."""
    frames: list[bytes] = []

    def note(payload: str | bytes) -> None:
        frames.append(payload if isinstance(payload, bytes) else payload.encode())

    page.on("websocket", lambda opened: opened.on("framereceived", note))
    return frames


@contextmanager
def behind_the_proxy(page: Page) -> Iterator[None]:
    """Give every page that this tab opens meanwhile the headers that the proxy sends."""
    page.context.grant_permissions(["local-network-access"])  # Chromium does not know where a changed answer came from
    client = page.context.new_cdp_session(page)
    added = [{"name": name, "value": value} for name, value in HEADERS.items()]

    def add(paused: dict[str, Any]) -> None:
        body = client.send("Fetch.getResponseBody", {"requestId": paused["requestId"]})
        text = body["body"] if body["base64Encoded"] else b64encode(body["body"].encode()).decode()
        answer = {"requestId": paused["requestId"], "responseCode": paused["responseStatusCode"], "body": text}
        client.send("Fetch.fulfillRequest", answer | {"responseHeaders": paused["responseHeaders"] + added})

    client.on("Fetch.requestPaused", add)
    client.send("Fetch.enable", {"patterns": [{"resourceType": "Document", "requestStage": "Response"}]})
    yield
    client.detach()
    page.context.clear_permissions()


def status(url: str, method: str = "GET", data: bytes | None = None, **headers: str) -> int:
    request = urllib.request.Request(url, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as refusal:
        return refusal.code


def test_an_upload_reaches_no_other_visitor_and_no_disk(
    server: Server, browser: Browser, tab: Page, open_page: Open
) -> None:
    owner = browser.new_context()
    owner.set_default_timeout(PATIENCE)
    address = take_home(owner.new_page(), server)

    frames = received(tab)
    with behind_the_proxy(tab):
        visit = open_page()
        for page in PAGES:
            if page is not PAGES[0]:
                visit.go_to(page.title)
            assert CANARY not in visit.page.content()
        assert visit.problems == []  # no error in the console, as of a policy that forbids too much
        with visit.page.expect_console_message(lambda line: "Content Security Policy" in line.text):
            visit.page.evaluate(SCRIPT)
        assert visit.page.evaluate("window.ran") is None  # the policy is in force
    visit.problems.clear()

    assert sum(map(len, frames)) > ON_DISK
    assert not any(CANARY.encode() in frame for frame in frames)

    owner.close()
    visit.page.evaluate(LOOK, urlsplit(address).path)
    visit.page.wait_for_function("() => window.gone")
    visit.problems.clear()  # the console notes the answer that was waited for
    assert status(address) == HTTPStatus.NOT_FOUND  # a download is there for whoever has its address: not for long

    files = [path for path in server.log_file.parent.rglob("*") if path.is_file()]
    assert server.log_file in files
    assert not any(CANARY.encode() in path.read_bytes() or CANARY in path.name for path in files)


def answer_to(server: Server, request: str) -> str:
    """The server's first line to bytes that no well-behaved client sends."""
    address = urlsplit(server.url)
    with socket.create_connection((address.hostname, address.port), timeout=10) as client:
        client.sendall(request.encode().replace(b"\n", b"\r\n"))
        return client.recv(1000).decode().splitlines()[0]


def test_strangers_requests_are_refused(server: Server) -> None:
    """Files of the project are not served, and no path leads out of the server's own; no other site gets a session or
    drives the app; an upload needs a token.
    """
    for path in PATHS_OUT:
        assert " 400 " in answer_to(server, f"GET {path} HTTP/1.1\nHost: x\nConnection: close\n\n"), path
    for name in ("app.py", ".streamlit/config.toml", "pages/home/page.py"):
        with urllib.request.urlopen(f"{server.url}/{name}", timeout=10) as answer:
            assert answer.read().lstrip().startswith(b"<!--")  # Streamlit's one page, whatever the path
    with urllib.request.urlopen(f"{server.url}/_stcore/host-config", timeout=10) as answer:
        assert b'"allowedOrigins":[]' in answer.read()

    key = "Sec-WebSocket-Version: 13\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
    request = "GET /_stcore/stream HTTP/1.1\nHost: {0}\nOrigin: {1}\nConnection: Upgrade\nUpgrade: websocket\n{2}\n\n"
    own = urlsplit(server.url).netloc
    assert " 403 " in answer_to(server, request.format(own, "http://other.example", key))
    assert " 101 " in answer_to(server, request.format(own, server.url, key))
    assert "external IP" not in server.log()  # nor did the server ask the internet who it is

    url = f"{server.url}/_stcore/upload_file/somebody/file"
    token = "2|00000000|" + "ab" * 16 + "|1700000000"
    assert status(url, "PUT", b"") == HTTPStatus.FORBIDDEN
    assert status(url, "PUT", b"", **{"X-Xsrftoken": token}) == HTTPStatus.FORBIDDEN
    both = {"X-Xsrftoken": token, "Cookie": f"_streamlit_xsrf={token}"}
    assert status(url, "PUT", b"", **both) == HTTPStatus.BAD_REQUEST
