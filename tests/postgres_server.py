"""A PostgreSQL server of the tests' own, in a temporary folder, on a free port."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib.util import find_spec
from pathlib import Path

USER, PASSWORD = "auditor", "s3cret"


def _program(name: str) -> str | None:
    """A program of the server: on the path, or where Debian keeps it, the newest first."""
    if found := shutil.which(name):
        return str(Path(found).resolve())
    return next(iter(sorted(map(str, Path("/usr/lib/postgresql").glob(f"*/bin/{name}")), reverse=True)), None)


def missing() -> str:
    """What there must be and is not; empty where a server can be started."""
    if _program("initdb") is None or _program("postgres") is None or find_spec("psycopg") is None:
        return "PostgreSQL (Debian: postgresql) or psycopg is not installed, so the tests of PostgreSQL did NOT run."
    return ""


@contextmanager
def running() -> Iterator[str]:
    """The address of the running server, ``127.0.0.1:port``; it and its folder are gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="postgres-", ignore_cleanup_errors=True) as folder:
        secret, somebody = Path(folder, "password"), None
        secret.write_text(PASSWORD)
        if os.geteuid() == 0:  # whom it refuses
            somebody = "postgres" if "postgres" in {one.pw_name for one in pwd.getpwall()} else "nobody"
            shutil.chown(folder, somebody)
            shutil.chown(secret, somebody)
        made = f"--username {USER} --pwfile {secret} --auth scram-sha-256 --no-sync --no-instructions".split()
        line = [str(_program("initdb")), "-D", f"{folder}/base", *made]
        subprocess.run(line, check=True, capture_output=True, user=somebody)
        with closing(socket.create_server(("127.0.0.1", 0))) as held:
            port = held.getsockname()[1]
        settings = ("listen_addresses=127.0.0.1", f"port={port}", f"unix_socket_directories={folder}", "fsync=off")
        line = [str(_program("postgres")), "-D", f"{folder}/base", *(part for one in settings for part in ("-c", one))]
        how = {"stderr": subprocess.PIPE, "text": True, "user": somebody, "cwd": folder}
        with subprocess.Popen(line, **how) as server:  # type: ignore[call-overload]
            try:
                said: list[str] = []
                for told in server.stderr:  # ends with the server
                    said.append(told)
                    if "ready to accept connections" in told:
                        break
                else:
                    raise RuntimeError(f"PostgreSQL does not start: {''.join(said)[-2000:]}")
                yield f"127.0.0.1:{port}"
            finally:
                server.terminate()
