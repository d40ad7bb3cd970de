"""Trained models read from CSV: those of the sweeps that are shipped in data/. data/make_sweeps.py makes the files."""

from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from typing import Any

from numerics.shipped import DATA, content, number
from numerics.training.calibrated import Strategy
from numerics.training.sweep import Trained

_TEXTS = {"strategy", "seed", "sampling", "bound"}
# Strategy, goal and run first, then what was done, then what came of it.
COLUMNS = tuple(field.name for field in sorted(fields(Trained), key=lambda field: not field.kw_only))


@cache
def shipped(name: str) -> tuple[Trained, ...]:
    """Rows of data/sweep_``name``.csv: "digits", "breast_cancer", "mnist" (default plans) or "gmip" (paper 004 Fig. 3).

    Raises FileNotFoundError for another name.
    """
    return read((DATA / f"sweep_{name}.csv").read_text(encoding="utf-8"))


def read(text: str) -> tuple[Trained, ...]:
    """The rows of a sweep's file.

    Raises ValueError for other columns, and for cells that are no numbers where there must be some.
    """
    reader = content(text)
    names = tuple(reader.fieldnames or ())
    if names != COLUMNS:
        raise ValueError(f"columns must be {', '.join(COLUMNS)}, got {', '.join(names)}.")
    return tuple(_row(cells) for cells in reader)


def _row(cells: Mapping[str, str]) -> Trained:
    values: dict[str, Any] = {name: text if name in _TEXTS else number(text) for name, text in cells.items()}
    return Trained(**values | {"strategy": Strategy(cells["strategy"]), "seed": int(cells["seed"])})
