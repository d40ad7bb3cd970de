"""What happens when things break: ``python -m benchmarks.failures`` tries it, one server a case, and prints a table.

A tab that dies in the middle of a run or of an upload, a page that is reloaded while it computes, a server that starts
anew under its visitors, a full disk, two tabs of one visitor. Exit code 1 where one does not end as it should.
"""

import asyncio
import resource
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.async_api import async_playwright
from playwright.async_api import expect as sees

from benchmarks.neighbours import HEAVY
from benchmarks.served import served, tracebacks, use
from benchmarks.sessions import LOSSES
from benchmarks.timing import table
from benchmarks.visitor import Visitor
from tests.browser.chromium import find_chromium
from tests.browser.conftest import FLAGS
from tests.browser.server import ROOT, Server, free_port, running_app

_SMALL_DISK = 100_000  # bytes that a file written by the server may have, where the disk is full
_LOSSES = ROOT / "data" / "digits_overfitted.csv.gz"
Outcome = tuple[bool, str]


async def _is_well(server: Server) -> Outcome:
    """Whether a new visitor is served, and how fast."""
    visitor = Visitor(server.url)
    seconds = await visitor.open("mechanism")
    await visitor.close()
    return True, f"the next visitor is served in {1e3 * seconds:.0f} ms"


async def killed_in_a_run(server: Server) -> Outcome:
    """Tabs vanish without a word in the middle of a run."""
    for number in range(5):
        visitor = Visitor(server.url)
        opening = asyncio.create_task(visitor.open("attackers", f"noise={1.1 + number / 10}"))
        await asyncio.sleep(0.3)
        visitor.vanish()
        await asyncio.gather(opening, return_exceptions=True)
    return await _is_well(server)


async def _computing(server: Server, page: str, query: str, button: str) -> Visitor:
    """A visitor whose heavy computation began a second ago."""
    visitor = Visitor(server.url)
    await visitor.open(page, query)
    await visitor.press(button)
    await asyncio.sleep(1.0)
    return visitor


async def killed_while_computing(server: Server) -> Outcome:
    """A tab vanishes while its training runs; once its time to come back is over, the server is idle."""
    visitor = await _computing(server, *HEAVY[0])
    visitor.vanish()
    await asyncio.sleep(8.0)
    before = use(server).processor
    await asyncio.sleep(4.0)
    spent = use(server).processor - before
    return spent < 1.0, f"processor time in 4 s, 8 s later: {spent:.1f} s"


async def reloaded_while_computing(server: Server) -> Outcome:
    """The page is reloaded while a computation runs: a new session, in which nothing runs."""
    visitor = await _computing(server, *HEAVY[1])
    seconds = await visitor.reload()
    running = visitor.is_computing
    await visitor.close()
    return not running, f"there again after {1e3 * seconds:.0f} ms, nothing runs"


async def two_tabs(server: Server) -> Outcome:
    """Two tabs of one visitor have two sessions: what one uploads and sets, the other does not see."""
    first, second = Visitor(server.url), Visitor(server.url)
    await first.open("audit", "audit.source=one+file")
    await second.open("audit", "audit.source=one+file")
    await first.upload("audit.both_upload", "mine.csv.gz", LOSSES)
    await second.move_noise(30)
    seen = "mine" in " ".join(second.texts)
    kept = "mine" in " ".join(first.texts)
    apart = first.session != second.session
    await asyncio.gather(first.close(), second.close())
    return apart and kept and not seen, "two sessions; the upload is in the first alone"


async def full_disk(server: Server) -> Outcome:
    """The server can write nothing any more: uploads and pages need no disk."""
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (_SMALL_DISK, _SMALL_DISK))
    data = b"loss,member\n" + b"0.5,1\n0.7,0\n1.5,1\n1.7,0\n" * 100_000
    visitor = Visitor(server.url)
    await visitor.open("audit", "audit.source=one+file")
    seconds = await visitor.upload("audit.both_upload", "large.csv", data)
    there = any("large" in text for text in visitor.texts)
    await visitor.close()
    return there, f"{len(data) / 1e6:.1f} MB uploaded and measured in {seconds:.1f} s with files limited to 100 kB"


Case = Callable[[Server], Awaitable[Outcome]]
CASES: dict[str, Case] = {
    "tabs killed in the middle of a run": killed_in_a_run,
    "tab killed while it computes": killed_while_computing,
    "page reloaded while it computes": reloaded_while_computing,
    "two tabs of one visitor": two_tabs,
    "full disk": full_disk,
}


@contextmanager
def _at(port: int, home: Path) -> Iterator[Server]:
    with running_app(home, port=port) as server:
        yield server


async def restarted_in_an_upload() -> Outcome:
    """The server goes while a file comes in, and returns: the page says so, connects again, and takes the file."""
    port = free_port()
    with tempfile.TemporaryDirectory() as home:
        async with async_playwright() as playwright:
            path = find_chromium(playwright.chromium.executable_path)
            browser = await playwright.chromium.launch(executable_path=path, args=FLAGS)
            page = await browser.new_page()
            with _at(port, Path(home)) as server:
                await page.goto(f"{server.url}/audit?audit.source=one+file")
                files = page.locator("input[type=file]").first
                await sees(files).to_be_attached(timeout=30_000)
                client = await page.context.new_cdp_session(page)
                slow = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": 20_000}
                await client.send("Network.enable")
                await client.send("Network.emulateNetworkConditions", slow)
                large = {"name": "large.csv", "mimeType": "text/csv", "buffer": b"loss,member\n" + b"0.5,1\n" * 100_000}
                await files.set_input_files(large)  # type: ignore[arg-type]
                await asyncio.sleep(2.0)
                server.process.kill()  # asked to end, it waits for the upload first
            await sees(page.get_by_text("Connecting").first).to_be_visible(timeout=30_000)
            await client.send("Network.emulateNetworkConditions", slow | {"uploadThroughput": -1})
            with _at(port, Path(home)) as server:
                await sees(page.get_by_text("Connecting")).to_have_count(0, timeout=60_000)
                files = page.locator("input[type=file]").first
                await files.set_input_files(_LOSSES)
                await sees(page.get_by_text("1,797 rows").first).to_be_visible(timeout=30_000)
                await browser.close()
    return True, "the page says “Connecting”, is there again with the server, and takes the next file"


async def _tried(case: Case) -> Outcome:
    settings = {"STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL": "3"}
    with served(settings=settings) as server:
        fine, words = await case(server)
        found = tracebacks(server.log())
        return fine and not found, f"{words}; {len(found)} tracebacks{f': {found[0]}' if found else ''}"


def main() -> None:
    """Try every case, and print what happened."""
    rows: list[list[str]] = []
    tries: dict[str, Callable[[], Awaitable[Outcome]]] = {
        **{name: lambda case=case: _tried(case) for name, case in CASES.items()},  # type: ignore[misc]
        "server restarted in the middle of an upload": restarted_in_an_upload,
    }
    for name, attempt in tries.items():
        began = time.perf_counter()
        try:
            fine, words = asyncio.run(_bounded(attempt))
        except Exception as failure:
            fine, words = False, f"{type(failure).__name__}: {failure}"[:300]
        took = f"{time.perf_counter() - began:.0f} s"
        rows.append([name, "as it should" if fine else "NOT as it should", words, took])
    print(table(["tried", "ended", "what happened", "time"], rows))
    sys.exit(0 if all(row[1] == "as it should" for row in rows) else 1)


async def _bounded(attempt: Callable[[], Awaitable[Outcome]]) -> Outcome:
    return await asyncio.wait_for(attempt(), 180.0)


if __name__ == "__main__":
    main()
