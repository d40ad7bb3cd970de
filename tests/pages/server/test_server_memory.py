"""What a server holds: nothing of a file once its tab is closed, and for the next computation what the last dropped."""

import asyncio
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from benchmarks.served import served
from benchmarks.visitor import Visitor
from losses.isolation import client
from tests.browser.server import Server

pytestmark = pytest.mark.nightly
ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="looks into the memory of a process")
CANARY = b"canary7391"


def readable(process: int) -> set[bytes]:
    """The canaries that lie anywhere in the memory of a process."""
    found: set[bytes] = set()
    parts = [line.split() for line in Path(f"/proc/{process}/maps").read_text(encoding="utf-8").splitlines()]
    with Path(f"/proc/{process}/mem").open("rb", 0) as whole:
        for place, rights, *_, name in parts:
            low, high = (int(end, 16) for end in place.split("-"))
            if "r" in rights and not name.startswith("[v"):
                whole.seek(low)
                part = whole.read(high - low)
                while len(part) < high - low and (more := whole.read(high - low - len(part))):
                    part += more
                found |= set(re.findall(CANARY + rb"-\d{5}", part)) if CANARY in part else set()
    return found


@ON_LINUX
def test_nothing_of_a_file_is_in_memory_once_its_tab_is_closed() -> None:
    """The names of persons stay while the table does, as they tell whose rows are whose; the text is gone at once."""
    assert client.IS_LIMITED
    losses = np.random.default_rng(5).gamma(2.0, size=4000)
    lines = (b"%.6f,%d,%s-%05d" % (loss, row % 2, CANARY, row // 2) for row, loss in enumerate(losses))
    file = b"\r\n".join([b"loss,member,user_id", *lines, b""])

    async def visit(server: Server) -> int:
        visitor = Visitor(server.url)
        await visitor.open("audit")
        await visitor.upload("audit.files_upload", "losses.csv", file)
        assert r"**losses\.csv**" in visitor.texts
        held = len(readable(server.process.pid))
        await visitor.close()
        return held

    with served(settings={"STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL": "1"}) as server, ThreadPoolExecutor(1) as thread:
        assert thread.submit(asyncio.run, visit(server)).result() == 2000
        deadline = time.monotonic() + 60.0
        while (left := readable(server.process.pid)) and time.monotonic() < deadline:
            time.sleep(1.0)  # looking takes a second of processor time
        assert left == set()


# Page faults of a thread that takes and drops some arrays of 1 MB, as a computation of a page does.
PROGRAM = """
import resource, threading
import numpy as np
from pages.server import memory
{hold}
def compute():
    for _ in range(50):
        sum(np.ones(2**17) for _ in range(4)) + sum([np.ones(2**17) for _ in range(4)])
thread = threading.Thread(target=compute)
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
thread.start()
thread.join()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


@ON_LINUX
def test_memory_is_used_again() -> None:
    """What a computation drops is there for the next one: the process does not return it and ask for it again."""

    def faults(hold: str) -> int:
        command = [sys.executable, "-c", PROGRAM.format(hold=hold)]
        return int(subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout)

    pages_of_one_array = 2**17 * 8 // 4096
    assert faults("memory.hold()") < 40 * pages_of_one_array < faults("")
