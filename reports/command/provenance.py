"""Where the numbers of a report come from: the SHA-256 of every file, and the command line without secrets."""

import argparse
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from hashlib import file_digest
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from losses.instances import stem
from losses.warehouse.engines import files_of
from reports.audit_report import Data
from reports.command import arguments
from reports.command.reading import different_names

_MANY = 3  # sources
_SECRET = re.compile(r"secret|passw|token|credential|key|auth|pwd", re.IGNORECASE)
_HIDDEN = "…"
_LOCAL = ("sqlite", "duckdb", "pyspark")


def data_of(chosen: argparse.Namespace, progress: Callable[[str], object]) -> Data:
    """What is read of losses; the digests only where they are written, as tables of an engine have none."""
    sources = [*chosen.sources, *chosen.population]
    names = [Path(source).name for source in sources]
    files: tuple[tuple[str, str], ...] = ()
    if chosen.engine is not None:
        names, files = sources, tuple((name, "") for name in sources)
    elif chosen.json or chosen.report:
        files = digests(sources, progress)
    name = " and ".join(names) if len(names) < _MANY else f"{len(names):,} sources"
    return Data(name, files, notes=tuple(filter(None, [chosen.told])))


def files(
    chosen: argparse.Namespace, sources: Sequence[str], progress: Callable[[str], object]
) -> tuple[tuple[str, str], ...]:
    """Names and SHA-256 of files, or names of an engine's tables, which have no digests."""
    return digests(sources, progress) if chosen.engine is None else tuple((source, "") for source in sources)


def digests(sources: Sequence[str], progress: Callable[[str], object]) -> tuple[tuple[str, str], ...]:
    """Names and SHA-256 of all files of paths, globs and folders; no folder is named but where files differ by it."""
    paths = list(dict.fromkeys(path for source in sources for path in files_of(source)))
    found = []
    for name, path in zip(different_names(paths), paths, strict=True):
        progress(f"SHA-256 of {path.name}")
        with path.open("rb") as file:
            found.append((name, file_digest(file, "sha256").hexdigest()))
    return tuple(found)


def names_of(sources: Sequence[str]) -> tuple[str, ...]:
    """What models are called that are a source each: the files' names without endings, where these differ."""
    paths = [Path(source) for source in sources]
    stems = [stem(path.name) for path in paths]
    return tuple(stems if len(set(stems)) == len(stems) else different_names(paths))


def line(given: Sequence[str], chosen: argparse.Namespace) -> str:
    """The command line, to be run with the files beside it; it opens a database to no reader."""
    sources = () if chosen.engine is not None else (*chosen.sources, *chosen.population)
    paths = [*map(Path, sources), *([] if chosen.report is None else [chosen.report])]
    names = {path: path.name for path in paths if path.name}
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
    """What an engine's address keeps secret."""
    parts = urlsplit(chosen.engine or "")
    found = [parts.netloc.rpartition("@")[0]]
    found += [value for name, value in parse_qsl(parts.query) if _SECRET.search(name)]
    return [secret for secret in found if secret]
