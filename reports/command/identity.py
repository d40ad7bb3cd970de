"""Which data an audit was of: the SHA-256 of every file."""

from collections.abc import Callable, Sequence
from hashlib import file_digest
from pathlib import Path

from losses.warehouse.engines import files_of

Files = tuple[tuple[str, str], ...]


def of_files(sources: Sequence[str], progress: Callable[[str], object]) -> Files:
    """Names and SHA-256 of all files of paths, globs and folders; names without their folders where that is enough."""
    paths = [path for source in sources for path in files_of(source)]
    are_alike = len({path.name for path in paths}) < len(paths)
    found = []
    for path in paths:
        progress(f"SHA-256 of {path.name}")
        found.append((str(path) if are_alike else path.name, _digest(path)))
    return tuple(found)


def of_tables(names: Sequence[str]) -> Files:
    """Names of an engine's tables, which have no digest."""
    return tuple((name, "") for name in names)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
