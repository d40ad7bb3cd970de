"""What a server holds once files are removed and tabs are closed: nothing of them, and the memory returns."""

import asyncio
import re
import sys
import time
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from io import FileIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.served import served
from benchmarks.visitor import Visitor
from losses.isolation import client
from tests.browser.server import Server

pytestmark = pytest.mark.nightly
ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="looks into the memory of a process")
CANARY = b"canary7391"
LARGE_FILE = 60_000_000  # bytes
UPLOADS = 2
KEPT = LARGE_FILE // 2  # bytes: after the first file, what the allocators keep stays within 25 MB, in 18 uploads


def named_rows() -> bytes:
    """4,000 rows of 2,000 persons."""
    losses = np.random.default_rng(5).gamma(2.0, size=4000)
    lines = (b"%.6f,%d,%s-%05d" % (loss, row % 2, CANARY, row // 2) for row, loss in enumerate(losses))
    return b"\r\n".join([b"loss,member,user_id", *lines, b""])


def readable(process: int) -> set[bytes]:
    """The canaries that lie anywhere in the memory of a process."""
    found: set[bytes] = set()
    parts = [line.split() for line in Path(f"/proc/{process}/maps").read_text(encoding="utf-8").splitlines()]
    with Path(f"/proc/{process}/mem").open("rb", 0) as whole:
        for place, rights, *_, name in parts:
            low, high = (int(end, 16) for end in place.split("-"))
            if "r" in rights and not name.startswith("[v"):
                whole.seek(low)
                part = _all(whole, high - low)
                found |= set(re.findall(CANARY + rb"-\d{5}", part)) if CANARY in part else set()
    return found


def _all(file: FileIO, size: int) -> bytes:
    parts = []
    while size > 0 and (part := file.read(size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """An app whose closed tabs end after a second."""
    with served(settings={"STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL": "1"}) as started:
        yield started


def done(visit: Coroutine[Any, Any, int]) -> int:
    """What the visit ends with, in a thread: a browser test may have left a loop that runs."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, visit).result()


@ON_LINUX
def test_nothing_of_a_file_is_in_memory_once_its_tab_is_closed(server: Server) -> None:
    """The names of persons stay while the table does, as they tell whose rows are whose; the text is gone at once."""
    assert client.IS_LIMITED

    async def visit() -> int:
        visitor = Visitor(server.url)
        await visitor.open("audit", "audit.source=one+file")
        await visitor.upload("audit.both_upload", "losses.csv", named_rows())
        assert any("4,000 rows" in text for text in visitor.texts)
        held = len(readable(server.process.pid))
        await visitor.close()
        return held

    assert done(visit()) == 2000
    deadline = time.monotonic() + 60.0
    time.sleep(3.0)  # looking takes a second of processor time; a closed tab ends after one
    while (left := readable(server.process.pid)) and time.monotonic() < deadline:
        time.sleep(1.0)
    assert left == set()


@ON_LINUX
def test_memory_returns_after_large_uploads(server: Server) -> None:
    """Two more uploads add less than half of one: they are dropped, and a removed table goes too."""
    losses = np.random.default_rng(6).gamma(2.0, size=LARGE_FILE // 37)  # no two rows alike: copies are asked about
    rows = (b"%.14f%s,%d\n" % (loss, b"0" * 18, place % 2) for place, loss in enumerate(losses.tolist()))
    large = b"".join([b"loss,member\n", *rows])

    async def visit() -> int:
        visitor = Visitor(server.url)
        await visitor.open("audit", "audit.source=one+file")
        await measured(visitor, "small.csv", named_rows())
        before = resident(server)
        await measured(visitor, "large.csv", large)
        after_one = fallen_below(server, before + LARGE_FILE)
        for _ in range(UPLOADS):
            await measured(visitor, "large.csv", large)
        left = fallen_below(server, after_one + KEPT)
        await visitor.close()
        return left

    assert done(visit()) > 0


async def measured(visitor: Visitor, name: str, data: bytes) -> None:
    """Upload a file, accept what is shown of it, and remove it again."""
    visitor.texts.clear()
    places = [key for key, one in visitor.widgets.items() if type(one).__name__ == "FileUploader"]
    await visitor.upload(places[-1], name, data)
    assert not any("at least **" in text for text in visitor.texts)
    for pressed in ("_confirm", "_change", "_remove"):
        await visitor.press(next(key for key in visitor.widgets if key.endswith(pressed)))
    assert any("at least **" in text for text in visitor.texts)


def resident(server: Server) -> int:
    """Bytes of memory the app has now."""
    return int(Path(f"/proc/{server.process.pid}/statm").read_text(encoding="ascii").split()[1]) * 4096


def fallen_below(server: Server, limit: int) -> int:
    """The memory, in bytes, once it is below ``limit``: the server ends its work on a file after the page says so."""
    deadline = time.monotonic() + 60.0
    while (left := resident(server)) >= limit and time.monotonic() < deadline:
        time.sleep(0.1)
    assert left < limit
    return left
