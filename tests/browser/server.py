"""The app as a user starts it: a real server process on a free port."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests import ROOT

COMMAND = (sys.executable, "-m", "streamlit", "run", "app.py")
SECONDS_TO_START = 60.0  # a cold import on a busy machine takes several


@dataclass(frozen=True)
class Server:
    """A running app: where it answers, its process and its log."""

    url: str
    process: subprocess.Popen[bytes]
    log_file: Path

    def log(self) -> str:
        """Everything the server printed so far."""
        return self.log_file.read_text(errors="replace")


def free_port() -> int:
    """A port that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _is_healthy(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/_stcore/health", timeout=2) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def _wait_until_healthy(server: Server) -> None:
    deadline = time.monotonic() + SECONDS_TO_START
    while not _is_healthy(server.url):
        if server.process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"The app did not start. Its log:\n{server.log()}")
        time.sleep(0.1)


@contextmanager
def running_app(
    home: Path,
    root: Path = ROOT,
    settings: Mapping[str, str] | None = None,
    port: int | None = None,
    command: Sequence[str | Path] = COMMAND,
) -> Iterator[Server]:
    """Start the app of a folder in a home of its own, wait until it answers, and stop it at the end."""
    port = port or free_port()
    log_file = home / "server.log"
    environment = os.environ | {"HOME": str(home)} | dict(settings or {})
    with log_file.open("wb") as log:
        started = [*command, "--server.port", str(port), "--server.headless", "true"]
        process = subprocess.Popen(started, cwd=root, env=environment, stdout=log, stderr=subprocess.STDOUT)
        try:
            server = Server(f"http://localhost:{port}", process, log_file)
            _wait_until_healthy(server)
            yield server
        finally:
            _end(process)


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End the server as its operator would, and by force where an upload under way keeps it from ending."""
    process.terminate()
    try:
        process.wait(timeout=20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
