"""Attacks on a running app: what one visitor uploads reaches nobody else and no disk; strangers' requests are refused.

The app runs from a copy of what the image holds, and its pages carry the policy that the proxy gives them.
"""

import resource
import shutil
import socket
import time
import urllib.error
import urllib.request
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from pages.ui.catalog import PAGES
from tests import ROOT
from tests.browser.server import Server, running_app
from tests.browser.uploads import accept, offer, payload
from tests.browser.visit import PATIENCE, Visit
from tests.image import HEADERS, image_files

Open = Callable[..., Visit]
CANARY = "canary7391"
ROWS = 60_000
ON_DISK = 100_000  # bytes that a file written by the server may have: its log is smaller, the upload larger
SCRIPT = "document.body.append(Object.assign(document.createElement('script'), {text: 'window.ran = 1'}))"


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The app as the image holds it. Closed tabs end after a second; large files cannot be written."""
    root = tmp_path_factory.mktemp("image")
    for name in image_files():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, root / name)
    settings = {"STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL": "1", "TMPDIR": str(root)}
    with running_app(root, root, settings) as started:
        resource.prlimit(started.process.pid, resource.RLIMIT_FSIZE, (ON_DISK, ON_DISK))
        yield started


def losses() -> bytes:
    """More than 1 MB, which a server may put into a temporary file, with the canary in its header and its cells."""
    rows = (f"{row * 37 % 101 / 50 + row % 2},{row % 2},{CANARY}" for row in range(ROWS))
    return "\n".join([f"loss {CANARY},member,note {CANARY}", *rows]).encode()


def take_home(page: Page, server: Server) -> str:
    """Upload the canary, see it on the page, and take a download that names it; the download's address."""
    visit = Visit.start(page, server, "audit?audit.source=one+file")
    offer(visit, payload(f"{CANARY}.csv", losses()))
    expect(page.get_by_text(f"{CANARY}.csv: {ROWS:,} rows").first).to_be_visible()
    expect(page.get_by_role("combobox", name="Losses", exact=True)).to_have_value(f"loss {CANARY}")
    accept(visit)
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


def test_an_upload_reaches_no_other_visitor_and_no_disk(image: Server, browser: Browser, open_page: Open) -> None:
    owner = browser.new_context()
    owner.set_default_timeout(PATIENCE)
    address = take_home(owner.new_page(), image)

    visit = open_page(server=image)
    frames = received(visit.page)
    with behind_the_proxy(visit.page):
        visit.goto("")
        for page in PAGES:
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
    deadline = time.monotonic() + PATIENCE / 1000
    while status(address) == HTTPStatus.OK and time.monotonic() < deadline:
        time.sleep(0.1)
    assert status(address) == HTTPStatus.NOT_FOUND  # a download is there for whoever has its address: not for long

    files = [path for path in Path(image.log_file).parent.rglob("*") if path.is_file()]
    assert image.log_file in files
    assert not any(CANARY.encode() in path.read_bytes() or CANARY in path.name for path in files)


def answer_to(server: Server, request: str) -> str:
    """The server's first line to bytes that no well-behaved client sends."""
    address = urlsplit(server.url)
    with socket.create_connection((address.hostname, address.port), timeout=10) as client:
        client.sendall(request.encode().replace(b"\n", b"\r\n"))
        return client.recv(1000).decode().splitlines()[0]


@pytest.mark.parametrize(
    "path",
    [
        "/static/../../../app.py",
        "/static/%2e%2e/%2e%2e/app.py",
        "/media/..%2f..%2fapp.py",
        "/_stcore/upload_file/../../app.py",
        "/app/static/../app.py",
        "/component/x/../../app.py",
        "/..%5capp.py",
        "//app.py",
    ],
)
def test_no_path_leads_out_of_the_servers_own_files(image: Server, path: str) -> None:
    assert " 400 " in answer_to(image, f"GET {path} HTTP/1.1\nHost: x\nConnection: close\n\n")


def test_files_of_the_project_are_not_served(image: Server) -> None:
    for name in ("app.py", ".streamlit/config.toml", "pages/home/page.py"):
        with urllib.request.urlopen(f"{image.url}/{name}", timeout=10) as answer:
            assert answer.read().lstrip().startswith(b"<!--")  # Streamlit's one page, whatever the path


def test_a_page_of_another_site_gets_no_session(image: Server) -> None:
    key = "Sec-WebSocket-Version: 13\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
    request = "GET /_stcore/stream HTTP/1.1\nHost: {0}\nOrigin: {1}\nConnection: Upgrade\nUpgrade: websocket\n{2}\n\n"
    own = urlsplit(image.url).netloc
    assert " 403 " in answer_to(image, request.format(own, "http://other.example", key))
    assert " 101 " in answer_to(image, request.format(own, image.url, key))
    assert "external IP" not in image.log()  # nor did the server ask the internet who it is


def test_an_upload_needs_a_session_and_its_token(image: Server) -> None:
    url = f"{image.url}/_stcore/upload_file/somebody/file"
    token = "2|00000000|" + "ab" * 16 + "|1700000000"
    assert status(url, "PUT", b"") == HTTPStatus.FORBIDDEN
    assert status(url, "PUT", b"", **{"X-Xsrftoken": token}) == HTTPStatus.FORBIDDEN
    both = {"X-Xsrftoken": token, "Cookie": f"_streamlit_xsrf={token}"}
    assert status(url, "PUT", b"", **both) == HTTPStatus.BAD_REQUEST


def test_no_site_that_embeds_the_app_may_drive_it(image: Server) -> None:
    with urllib.request.urlopen(f"{image.url}/_stcore/host-config", timeout=10) as answer:
        assert b'"allowedOrigins":[]' in answer.read()
