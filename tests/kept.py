"""The numbers that are shown, kept in a file beside the tests: no sentence, and not how a page is put together.

Nobody computed these numbers by another way: where a change shows others, its author explains why they are better. What
is not kept yet is written, and fails: delete its lines or the file, run its test without workers, and read the changes.
"""

import json
import re
from base64 import b64decode
from collections.abc import Iterable, Iterator
from contextlib import suppress
from difflib import unified_diff
from pathlib import Path
from typing import Any

import numpy as np
import pytest

WORDS = re.compile(r'[^\s,:"\[\]{}]+')
"""For what is kept word by word."""
DRAWN = "x", "y", "range", "tickvals"
"""Where traces and axes are, but not how they look."""
_NUMBERS = re.compile(r"(?<!\w)[-−]?\d+(?:,\d{3})*(?:\.\d+)?(?:e[-+]?\d+)?|[⁻⁰¹²³⁴-⁹]+|[∞—]")
# How long it took, who made it when, of which bytes, and where; and at which line it broke off.
_VARIES = re.compile(
    r'\b[\d.]+ s\b|\d{4}-\d\d-\d\d|trade-offs [\d.]+|"(?:made|engine|sha256)": ".*"|\S*pytest-\S*|line \d+, in|\\u\w{4}'
)
_LONG = 6  # characters; what is shown with more is not rounded for readers


class Kept:
    """The file at ``path``: by name, a line of what is ``kept`` of each text that has any."""

    def __init__(self, path: Path, kept: re.Pattern[str] = _NUMBERS) -> None:
        self._path, self._kept = path, kept
        self._lines: dict[str, list[str]] = json.loads(path.read_text("utf-8")) if path.exists() else {}

    def check(self, name: str, texts: Iterable[str]) -> None:
        """Fail where other words are shown than were kept."""
        now = [" ".join(map(_short, self._kept.findall(_VARIES.sub("", text)))) for text in texts]
        now = list(filter(None, now))
        if name not in self._lines:
            self._lines[name] = now
            written = json.dumps(dict(sorted(self._lines.items())), ensure_ascii=False, indent=0)
            self._path.write_text(f"{written}\n", "utf-8")
            pytest.fail(f"{name} was not kept: read what was written to {self._path}")
        other = list(unified_diff(self._lines[name], now, n=0, lineterm=""))
        assert not other, "\n".join([f"{name}: explain what changed, then delete its lines in {self._path}", *other])


def _short(word: str) -> str:
    """Of a long number four digits, on which machines agree, and which a bracket that narrows leaves as they are."""
    with suppress(ValueError):
        return f"{float(word):.4g}" if len(word) > _LONG else word
    return word


def lines_drawn(figure: str, *parts: str) -> Iterator[str]:
    """Of a figure as it is sent a line for each trace, axis and whatever else there is: these parts of it, or all."""
    drawn = json.loads(figure, object_hook=_averaged)
    own = {name: one for name, one in drawn["layout"].items() if name != "template"}
    if parts:
        own = {name: {part: one.get(part) for part in parts} for name, one in own.items() if "axis" in name}
    traces = [{part: one[part] for part in parts or one if part in one} for one in drawn["data"]]
    yield from (json.dumps(one, ensure_ascii=False) for one in (*traces, *own.items()))


def _averaged(part: dict[str, Any]) -> Any:
    """Of an array how many numbers it has, their mean, and that of their later half."""
    if "bdata" not in part:
        return part
    numbers = np.frombuffer(b64decode(part["bdata"]), part["dtype"]).astype(float)
    finite = numbers[np.isfinite(numbers)]
    return [len(finite), *(float(np.mean(one)) for one in (finite, finite[len(finite) // 2 :]) if len(one))]
