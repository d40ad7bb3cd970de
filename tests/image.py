"""What Dockerfile and .dockerignore put into the image, and what the proxy adds to its answers."""

import fnmatch
import re
from collections.abc import Iterator
from pathlib import Path

from tests import ROOT

PROXY = (ROOT / "deploy" / "Caddyfile").read_text()
HEADERS = dict(re.findall(r'^\t\t([A-Z][\w-]+) "?(.+?)"?$', PROXY, re.MULTILINE))
_RULES = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line and not line.startswith("#")]


def in_image(name: str) -> bool:
    """Whether .dockerignore lets a file into the image: its last rule about the file or a folder of it decides."""
    path, wanted = Path(name), False
    paths = [path.as_posix(), *(parent.as_posix() for parent in path.parents)]
    for rule in _RULES:
        pattern = rule.removeprefix("!")
        names = path.parts if pattern.startswith("**/") else paths
        if any(fnmatch.fnmatch(one, pattern.removeprefix("**/")) for one in names):
            wanted = rule.startswith("!")
    return wanted


def wanted() -> list[Path]:
    """The files and folders that .dockerignore names as the app's."""
    return [ROOT / rule[1:] for rule in _RULES if rule.startswith("!")]


def image_files() -> Iterator[str]:
    """The names of the image's files, from the project's folder."""
    for path in wanted():
        for file in [path] if path.is_file() else path.rglob("*"):
            name = file.relative_to(ROOT).as_posix()
            if file.is_file() and in_image(name):
                yield name
