"""Tables in data/ that take too long to compute on the spot: CSV below a header of ``# name: text`` lines.

Each is written by a script beside it, and a test computes part of it anew.
"""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

DATA = Path(__file__).parents[1] / "data"


@cache
def rows(name: str) -> tuple[Mapping[str, str], ...]:
    """The rows of data/``name``.csv, cells by column. Raises FileNotFoundError for another name."""
    text = (DATA / f"{name}.csv").read_text(encoding="utf-8")
    return tuple(csv.DictReader([line for line in text.splitlines() if not line.startswith("#")]))


def document(columns: Sequence[str], cells: Iterable[Sequence[object]], header: Mapping[str, str]) -> str:
    """The text of a table; floats are written with seven digits."""
    out = io.StringIO()
    out.writelines(f"# {name}: {text}\n" for name, text in header.items())
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([f"{cell:.7g}" if isinstance(cell, float) else cell for cell in row] for row in cells)
    return out.getvalue()
