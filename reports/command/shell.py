"""The command line as a report repeats it: files by their names, and nothing that opens a database to a reader."""

import argparse
import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from reports.command import arguments

_SECRET = re.compile(r"secret|passw|token|credential|key|auth|pwd", re.IGNORECASE)
_HIDDEN = "…"


def line(given: Sequence[str], chosen: argparse.Namespace) -> str:
    """The command, to be run with the files beside it."""
    paths = [*chosen.sources, *chosen.population, *([] if chosen.report is None else [str(chosen.report)])]
    names = {path: Path(path).name or path for path in sorted(paths, key=len, reverse=True)}
    secrets = _secrets(chosen)
    return f"{arguments.program()} {shlex.join(_shown(word, names, secrets) for word in given)}\n"


def _shown(word: str, names: dict[str, str], secrets: Sequence[str]) -> str:
    option, sign, value = word.partition("=") if word.startswith("--") else ("", "", word)
    value = names.get(value, value)
    for secret in secrets:
        value = value.replace(secret, _HIDDEN)
    return f"{option}{sign}{value}" if option else value


def _secrets(chosen: argparse.Namespace) -> list[str]:
    """What an engine's address and its settings keep secret."""
    parts = urlsplit(chosen.engine or "")
    found = [parts.netloc.rpartition("@")[0]]
    found += [value for name, value in (*parse_qsl(parts.query), *chosen.setting) if _SECRET.search(name)]
    return [secret for secret in found if secret]
