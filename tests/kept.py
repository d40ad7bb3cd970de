"""What is shown, kept in a file beside the tests: its numbers, and the words that turn their meaning, but no sentence.

Nobody computed these numbers by another way: where a change shows others, its author explains why they are better. What
is not kept yet is written, and fails: delete its lines or the file, run its test without workers, and read the changes.
"""

import json
import re
from base64 import b64decode
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import zip_longest
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np
import pytest

WORDS = re.compile(r'[^\s,:"\[\]{}]+')
"""For what is kept word by word."""
_TURNS = "no|not|none|nothing|never|without|least|most|above|below|more|less|all|too|infinite|refuted|yes"
_NUMBERS = re.compile(rf"\b(?:{_TURNS})\b|(?<!\w)[-−]?\d+(?:,\d{{3}})*(?:\.\d+)?(?:e[-+]?\d+)?|[⁻⁰¹²³⁴-⁹]+|[∞—]", re.I)
# How long it took, pictures, who made it when, of which bytes, and where.
_VARIES = re.compile(
    r'\b[\d.]+ s\b|base64,\S*|\d{4}-\d\d-\d\d|"(?:made|software|engine|sha256)": ".*"|\S*pytest-\S*|\\u\w{4}'
)


class Kept:
    """The file at ``path``: by name, a line of words as in ``kept`` for each text that has any."""

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
        pairs = zip_longest(self._lines[name], now, fillvalue="")
        other = [f"{before} -> {after}" for before, after in pairs if before != after]
        assert not other, "\n".join([f"{name}: explain what changed, then delete its lines in {self._path}", *other])


def _short(word: str) -> str:
    """A number with five digits, as machines agree on them."""
    with suppress(ValueError):
        return f"{float(word.replace(',', '').replace('−', '-')):.5g}"
    return word


def lines_drawn(figure: str) -> Iterator[str]:
    """Of a figure as it is sent: of each trace how many points it has and where they are, and the ends of axes."""
    drawn: dict[str, Any] = json.loads(figure)
    for trace in drawn["data"]:
        yield f"{[mean for name in 'xy' for mean in _means(trace.get(name))]}"
    yield from (
        f"{axis.get('range')} {axis.get('tickvals')}" for name, axis in drawn["layout"].items() if "axis" in name
    )


def _means(coordinates: Any) -> Iterator[float]:
    """How many numbers there are, their mean, and that of their later half."""
    if isinstance(coordinates, dict):
        coordinates = np.frombuffer(b64decode(coordinates["bdata"]), coordinates["dtype"]).tolist()
    numbers = [one for one in coordinates or () if isinstance(one, int | float) and isfinite(one)]
    yield len(numbers)
    yield from (float(np.mean(part)) for part in (numbers, numbers[len(numbers) // 2 :]) if part)
