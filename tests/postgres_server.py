"""A PostgreSQL server of the tests' own, in a temporary folder, on a free port."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib.util import find_spec
from pathlib import Path

_PATIENCE = 60.0  # seconds until it answers
USER, PASSWORD, BASE = "auditor", "s3cret", "losses"


def _program(name: str) -> Path | None:
    """A program of the server: on the path, or where Debian keeps it, the newest first."""
    if found := shutil.which(name):
        return Path(found).resolve()
    return next(iter(sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True)), None)


def missing() -> str:
    """What there must be and is not; empty where a server can be started."""
    if _program("initdb") is None or _program("postgres") is None:
        return "PostgreSQL is not installed (Debian: apt-get install postgresql), so its tests did NOT run."
    if find_spec("psycopg") is None:
        return "psycopg is not installed (requirements-postgres.txt), so the tests of PostgreSQL did NOT run."
    return ""


def _somebody() -> str | None:
    """Who runs it where the tests are root's, whom it refuses."""
    if os.geteuid() != 0:
        return None
    names = {one.pw_name for one in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


@contextmanager
def running() -> Iterator[str]:
    """The address of the running server, ``127.0.0.1:port``; it and its folder are gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="postgres-", ignore_cleanup_errors=True) as folder:
        somebody, secret = _somebody(), Path(folder, "password")
        secret.write_text(PASSWORD)
        if somebody:
            for path in (folder, secret):
                shutil.chown(path, somebody)
        base, log = f"{folder}/base", Path(folder, "log")
        made = [
            "--username",
            USER,
            "--pwfile",
            str(secret),
            "--auth",
            "scram-sha-256",
            "--no-sync",
            "--no-instructions",
        ]
        subprocess.run([str(_program("initdb")), "-D", base, *made], check=True, capture_output=True, user=somebody)
        port = _free_port()
        settings = ("listen_addresses=127.0.0.1", f"port={port}", f"unix_socket_directories={folder}", "fsync=off")
        command = [str(_program("postgres")), "-D", base, *(part for one in settings for part in ("-c", one))]
        with log.open("wb") as written, subprocess.Popen(command, stderr=written, user=somebody, cwd=folder) as server:
            try:
                _wait(server, port, log)
                yield f"127.0.0.1:{port}"
            finally:
                server.terminate()


def _free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as held:
        return int(held.getsockname()[1])


def _wait(server: "subprocess.Popen[bytes]", port: int, log: Path) -> None:
    """Until it answers."""
    end = time.monotonic() + _PATIENCE
    while server.poll() is None and time.monotonic() < end:
        if "ready to accept connections" in log.read_text(errors="replace"):
            return
        time.sleep(0.05)
    raise RuntimeError(f"PostgreSQL does not answer at port {port}: {log.read_text(errors='replace')[-2000:]}")
