"""The app's own server, and what it takes: memory, threads, open files, processor time (Linux)."""

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests import ROOT
from tests.browser.server import COMMAND, Server, running_app

_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Use:
    """What a process takes.

    Attributes:
        memory: resident, MB.
        threads: that run in it.
        files: it holds open, connections included.
        processor: seconds it computed since its start.
    """

    memory: float
    threads: int
    files: int
    processor: float

    def cells(self) -> list[str]:
        """For a table."""
        return [f"{self.memory:.0f} MB", f"{self.threads}", f"{self.files}", f"{self.processor:.0f} s"]


ALONE = ("--server.address", "localhost", "--browser.gatherUsageStats", "false")
HEADER = ["memory", "threads", "open files", "processor time"]


@contextmanager
def served(
    root: Path | None = ROOT, settings: Mapping[str, str] | None = None, script: Path | str = "app.py"
) -> Iterator[Server]:
    """A script of a folder in a home of its own, as ``streamlit run`` starts it; ended on leaving, whatever happened.

    Where ``root`` is None the folder is that home, which the project's own configuration does not reach.
    """
    with tempfile.TemporaryDirectory() as home:
        command = [*COMMAND[:-1], script, *([] if root else ALONE)]
        with running_app(Path(home), root or Path(home), settings, command) as server:
            yield server


def use(server: Server) -> Use:
    """What the server takes now."""
    process = Path(f"/proc/{server.process.pid}")
    status = dict(line.split(":", 1) for line in (process / "status").read_text(encoding="ascii").splitlines())
    times = (process / "stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return Use(
        memory=int(status["VmRSS"].split()[0]) / 1024,
        threads=int(status["Threads"]),
        files=len(list((process / "fd").iterdir())),
        processor=(int(times[11]) + int(times[12])) / _TICKS,
    )


def tracebacks(log: str) -> list[str]:
    """The last line of every traceback in a log."""
    parts = log.split("Traceback (most recent call last):")[1:]
    ends = (next((line for line in part.splitlines()[1:] if line and not line.startswith(" ")), "?") for part in parts)
    return [end[:200] for end in ends]
