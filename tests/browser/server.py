"""The app as a user starts it: a real server process on a port that the system gives it."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread

from tests import ROOT
from tests.image import image_files

COMMAND = (sys.executable, "-m", "streamlit", "run", "app.py")
SECONDS_TO_START = 120.0  # a cold import on a busy machine takes several
SECONDS_TO_END = 20.0
# Streamlit prints it once it listens. Where it was asked for port 0, this is the port that the system gave it.
ADDRESS = re.compile(rb"URL: (http://localhost:\d+)\s*$")


@dataclass
class Server:
    """A running app: its process, its log, and once it listens its address."""

    process: "subprocess.Popen[bytes]"
    log_file: Path
    url: str = ""
    listens: Event = field(default_factory=Event)

    def log(self) -> str:
        """Everything the server printed so far."""
        return self.log_file.read_text(errors="replace")

    def copy_log(self) -> None:
        """Write what the server prints to its log until it ends, and note its address."""
        assert self.process.stdout is not None
        with self.log_file.open("wb", buffering=0) as log, self.process.stdout as lines:
            for line in lines:
                log.write(line)
                if not self.url and (found := ADDRESS.search(line)):
                    self.url = found[1].decode()
                    self.listens.set()
        self.listens.set()  # it has ended, and nobody waits for it in vain


@contextmanager
def running_app(
    home: Path,
    root: Path = ROOT,
    settings: Mapping[str, str] | None = None,
    command: Sequence[str | Path] = COMMAND,
) -> Iterator[Server]:
    """Start the app of a folder in a home of its own, wait until it listens, and stop it at the end."""
    environment = os.environ | {"HOME": str(home), "PYTHONUNBUFFERED": "1"} | dict(settings or {})
    started = [*command, "--server.port", "0", "--server.headless", "true"]
    process = subprocess.Popen(started, cwd=root, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    server = Server(process, home / "server.log")
    server.log_file.touch()
    copying = Thread(target=server.copy_log, daemon=True)
    copying.start()
    try:
        server.listens.wait(SECONDS_TO_START)
        if not server.url:
            raise RuntimeError(f"The app did not start. Its log:\n{server.log()}")
        yield server
    finally:  # as its operator would end it, and by force where an upload under way keeps it from ending
        process.terminate()
        try:
            process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        copying.join(SECONDS_TO_END)


def copy_image(root: Path) -> None:
    """Copy to ``root`` what the image holds, and no more."""
    for name in image_files():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, root / name)
        for compiled in (ROOT / name).parent.glob(f"__pycache__/{Path(name).stem}.*.pyc"):  # else it takes seconds
            (root / name).parent.joinpath("__pycache__").mkdir(exist_ok=True)
            shutil.copy2(compiled, (root / name).parent / "__pycache__")
