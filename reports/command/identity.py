"""Which data an audit was of: the SHA-256 of every file."""

import os
from collections.abc import Callable, Sequence
from hashlib import file_digest
from pathlib import Path

from losses.instances import stem
from losses.warehouse.engines import files_of

Files = tuple[tuple[str, str], ...]


def of_files(sources: Sequence[str], progress: Callable[[str], object]) -> Files:
    """Names and SHA-256 of all files of paths, globs and folders; no folder is named but where files differ by it."""
    paths = list(dict.fromkeys(path for source in sources for path in files_of(source)))
    found = []
    for name, path in zip(_different(paths), paths, strict=True):
        progress(f"SHA-256 of {path.name}")
        found.append((name, _digest(path)))
    return tuple(found)


def names_of(sources: Sequence[str]) -> tuple[str, ...]:
    """What models are called that are a source each: the files' names without endings, where these differ."""
    paths = [Path(source) for source in sources]
    stems = [stem(path.name) for path in paths]
    return tuple(stems if len(set(stems)) == len(stems) else _different(paths))


def _different(paths: Sequence[Path]) -> list[str]:
    """Names of files without their folders; where these are alike, with the folders in which they differ, alone."""
    if len({path.name for path in paths}) == len(paths):
        return [path.name for path in paths]
    whole = [path.absolute() for path in paths]
    common = os.path.commonpath([path.parent for path in whole])
    return [path.relative_to(common).as_posix() for path in whole]


def of_tables(names: Sequence[str]) -> Files:
    """Names of an engine's tables, which have no digest."""
    return tuple((name, "") for name in names)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
