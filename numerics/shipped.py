"""Tables in data/ that take too long to compute on the spot: CSV below a header of ``# name: text`` lines.

Each is written by a script beside it, and a test computes part of it anew.
"""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from math import isnan
from pathlib import Path

_INSTALLED = Path(__file__).with_name("data")
DATA = _INSTALLED if _INSTALLED.is_dir() else Path(__file__).parents[1] / "data"
"""In a wheel inside this package, in a checkout beside it."""
DIGITS = 7
"""Of a number in a file."""


@cache
def rows(name: str) -> tuple[Mapping[str, str], ...]:
    """The rows of data/``name``.csv, cells by column. Raises FileNotFoundError for another name."""
    return tuple(content((DATA / f"{name}.csv").read_text(encoding="utf-8")))


def content(text: str) -> "csv.DictReader[str]":
    """The rows below the header of a ``document``, by column."""
    return csv.DictReader([line for line in text.splitlines() if not line.startswith("#")])


def document(columns: Sequence[str], cells: Iterable[Sequence[object]], header: Mapping[str, str]) -> str:
    """The text of a table with ``header`` on top."""
    out = io.StringIO()
    out.writelines(f"# {name}: {text}\n" for name, text in header.items())
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(map(cell, row) for row in cells)
    return out.getvalue()


def cell(value: object) -> str:
    """A value as text: a number to seven digits, nothing for NaN."""
    if isinstance(value, float):
        return "" if isnan(value) else f"{value:.{DIGITS}g}"
    return str(value)


def number(text: str) -> float:
    """What ``cell`` wrote of a number."""
    return float(text) if text else float("nan")
