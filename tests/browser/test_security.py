"""Attacks on a running app: what one visitor uploads reaches nobody else and no disk; strangers' requests are refused.

The app runs from a copy of what the image holds, and its pages carry the policy that the proxy gives them.
"""

import socket
import urllib.error
import urllib.request
from http import HTTPStatus
from urllib.parse import urlsplit

from playwright.sync_api import Page, expect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect
from websockets.typing import Subprotocol

from pages.ui.catalog import PAGES
from tests.browser.server import Server
from tests.browser.visit import Open, behind_the_proxy, table

CANARY = "canary7391"
ROWS, NOTE = 6_000, "note " * 40  # more than 1 MB, which a server may put into a temporary file
ASK = "const ask = new XMLHttpRequest(); ask.open('HEAD', `${url}?${Math.random()}`, false); ask.send();"
IS_GONE = f"url => {{ {ASK} return ask.status === 404; }}"
PROTOCOL = [Subprotocol("streamlit")]
SCRIPT = "document.body.append(Object.assign(document.createElement('script'), {text: 'window.ran = 1'}))"


def status(url: str, method: str = "GET", data: bytes | None = None, **headers: str) -> int:
    request = urllib.request.Request(url, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as refusal:
        return refusal.code


def all_that_is_sent(server: Server, page: str, cookies: str) -> bytes:
    """All messages of one run of a page, to a visitor who needs no browser."""
    stream = f"ws://{urlsplit(server.url).netloc}/_stcore/stream"
    request, sent = BackMsg(), list[bytes]()
    request.rerun_script.page_name = page
    with connect(stream, subprotocols=PROTOCOL, max_size=None, additional_headers={"Cookie": cookies}) as socket:
        socket.send(request.SerializeToString())
        while not sent or not ForwardMsg.FromString(sent[-1]).HasField("script_finished"):
            sent.append(socket.recv(decode=False))
    return b"".join(sent)


def test_an_upload_reaches_no_other_visitor_and_no_disk(server: Server, tab: Page, open_page: Open) -> None:
    """Not even another tab of the same browser, which sends the same cookies."""
    with behind_the_proxy(tab):
        visit = open_page("audit")
        with visit.page.expect_console_message(lambda line: "Content Security Policy" in line.text):
            visit.page.evaluate(SCRIPT)
        assert visit.page.evaluate("window.ran") is None  # the policy is in force
        visit.problems.clear()
    rows = [f"{row * 37 % 101 / 50 + row % 2},{row % 2},{CANARY} {NOTE}" for row in range(ROWS)]
    visit.offer(table(f"{CANARY}.csv", f"loss {CANARY},member,note {CANARY}", rows))
    expect(visit.page.get_by_text(f"{CANARY}.csv: ").first).to_be_visible()
    visit.click(visit.page.get_by_role("button", name="Share"))
    with visit.page.expect_download() as download:
        visit.page.get_by_role("button", name="All numbers (JSON)").click()
    assert CANARY in download.value.path().read_text()
    address = download.value.url

    cookies = "; ".join(f"{cookie['name']}={cookie['value']}" for cookie in tab.context.cookies())
    assert "_streamlit_xsrf=" in cookies
    for page in PAGES:
        sent = all_that_is_sent(server, page.address, cookies)
        assert len(sent) > 10_000, page.address
        assert CANARY.encode() not in sent, page.address

    visit.goto("")  # the session with the upload ends
    visit.page.wait_for_function(IS_GONE, arg=urlsplit(address).path, polling=1000)
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
    out = ("/static/../../../app.py", "/static/%2e%2e/%2e%2e/app.py", "/_stcore/upload_file/../../app.py")
    for path in (*out, "/media/..%2f..%2fapp.py", "/..%5capp.py", "//app.py"):
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
    assert " 403 " in answer_to(server, request.format("other.example", "http://other.example", key))
    assert " 101 " in answer_to(server, request.format(own, server.url, key))
    assert "external IP" not in server.log()  # nor did the server ask the internet who it is

    url = f"{server.url}/_stcore/upload_file/somebody/file"
    token = "2|00000000|" + "ab" * 16 + "|1700000000"
    assert status(url, "PUT", b"") == HTTPStatus.FORBIDDEN
    assert status(url, "PUT", b"", **{"X-Xsrftoken": token}) == HTTPStatus.FORBIDDEN
    both = {"X-Xsrftoken": token, "Cookie": f"_streamlit_xsrf={token}"}
    assert status(url, "PUT", b"", **both) == HTTPStatus.BAD_REQUEST
