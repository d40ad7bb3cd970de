"""The command line as a report repeats it: files by their names, and nothing that opens a database to a reader."""

import argparse
import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from reports.command import arguments

_SECRET = re.compile(r"secret|passw|token|credential|key|auth|pwd", re.IGNORECASE)
_HIDDEN = "…"
_LOCAL = ("sqlite", "duckdb", "pyspark")


def line(given: Sequence[str], chosen: argparse.Namespace) -> str:
    """The command, to be run with the files beside it."""
    paths = [*map(Path, (*chosen.sources, *chosen.population)), chosen.temporary]
    names = {path: path.name for path in (*paths, *([] if chosen.report is None else [chosen.report])) if path.name}
    secrets = _secrets(chosen)
    shown = (_shown(word, chosen.engine, names, secrets) for word in given)
    return f"{arguments.program()} {shlex.join(shown)}\n"


def _shown(word: str, engine: str | None, names: Mapping[Path, str], secrets: Sequence[str]) -> str:
    option, sign, value = word.partition("=") if word.startswith("--") else ("", "", word)
    value = _without_folder(value) if value == engine else names.get(Path(value), value)
    for secret in secrets:
        value = value.replace(secret, _HIDDEN)
    return f"{option}{sign}{value}" if option else value


def _without_folder(url: str) -> str:
    """An engine whose database is a file or a folder of this machine, by the name of that."""
    parts = urlsplit(url)
    name = Path(parts.netloc, parts.path[bool(parts.netloc) :]).name
    if parts.scheme not in _LOCAL or not name:
        return url
    return f"{parts.scheme}://{name}{'?' if parts.query else ''}{parts.query}"


def _secrets(chosen: argparse.Namespace) -> list[str]:
    """What an engine's address and its settings keep secret."""
    parts = urlsplit(chosen.engine or "")
    found = [parts.netloc.rpartition("@")[0]]
    found += [value for name, value in (*parse_qsl(parts.query), *chosen.setting) if _SECRET.search(name)]
    return [secret for secret in found if secret]
