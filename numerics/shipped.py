"""Tables in data/ that take too long to compute on the spot: CSV below a header of ``# name: text`` lines.

Each is written by a script beside it, and a test computes part of it anew.
"""

import csv
from collections.abc import Mapping
from functools import cache
from pathlib import Path

_INSTALLED = Path(__file__).with_name("data")
DATA = _INSTALLED if _INSTALLED.is_dir() else Path(__file__).parents[1] / "data"
"""In a wheel inside this package, in a checkout beside it."""


@cache
def rows(name: str) -> tuple[Mapping[str, str], ...]:
    """The rows of data/``name``.csv, cells by column. Raises FileNotFoundError for another name."""
    return tuple(content((DATA / f"{name}.csv").read_text(encoding="utf-8")))


def content(text: str) -> "csv.DictReader[str]":
    """The rows below the header of a file, by column."""
    return csv.DictReader([line for line in text.splitlines() if not line.startswith("#")])


def number(text: str) -> float:
    """The number of a cell; NaN of an empty one."""
    return float(text) if text else float("nan")
