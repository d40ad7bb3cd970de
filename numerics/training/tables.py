"""Trained models, and how good they were on the way, read from CSV: those of the sweeps that are shipped in data/.

data/make_sweeps.py and data/make_paths.py make the files.
"""

from collections.abc import Iterable, Mapping
from dataclasses import fields
from functools import cache
from typing import Any

from numerics.shipped import DATA, content, number
from numerics.training.calibrated import Strategy
from numerics.training.path import Checkpoint
from numerics.training.sweep import Trained

_TEXTS = {"strategy", "seed", "sampling", "bound"}
# Strategy, goal and run first, then what was done, then what came of it.
COLUMNS = tuple(field.name for field in sorted(fields(Trained), key=lambda field: not field.kw_only))
_OF_PATH = ("strategy", "goal", "step", "guaranteed_epsilon", "guaranteed_power")
_USES = ("accuracy", "auroc")


@cache
def shipped(name: str) -> tuple[Trained, ...]:
    """Rows of data/sweep_``name``.csv: "digits", "breast_cancer", "mnist" (default plans) or "gmip" (paper 004 Fig. 3).

    Raises FileNotFoundError for another name.
    """
    return read((DATA / f"sweep_{name}.csv").read_text(encoding="utf-8"))


@cache
def shipped_path(name: str) -> tuple[Checkpoint, ...]:
    """Checkpoints of data/path_``name``.csv: how the models of the sweep of this name were trained.

    Raises FileNotFoundError for another name.
    """
    return read_path((DATA / f"path_{name}.csv").read_text(encoding="utf-8"))


def read(text: str) -> tuple[Trained, ...]:
    """The rows of a sweep's file.

    Raises ValueError for other columns, and for cells that are no numbers where there must be some.
    """
    reader = content(text)
    _check(tuple(reader.fieldnames or ()), COLUMNS)
    return tuple(_row(cells) for cells in reader)


def read_path(text: str) -> tuple[Checkpoint, ...]:
    """The checkpoints of a path's file; raises as ``read``."""
    reader = content(text)
    names = tuple(reader.fieldnames or ())
    _check(names, path_columns((len(names) - len(_OF_PATH)) // len(_USES)))
    return tuple(_checkpoint(cells, names) for cells in reader)


def path_columns(runs: int) -> tuple[str, ...]:
    """What a path's file has: each run's accuracy and AUROC come last, ``accuracy_0`` and so on."""
    return (*_OF_PATH, *(f"{use}_{run}" for use in _USES for run in range(runs)))


def _check(names: tuple[str, ...], expected: tuple[str, ...]) -> None:
    if names != expected:
        raise ValueError(f"columns must be {', '.join(expected)}, got {', '.join(names)}.")


def _row(cells: Mapping[str, str]) -> Trained:
    values: dict[str, Any] = {name: text if name in _TEXTS else number(text) for name, text in cells.items()}
    return Trained(**values | {"strategy": Strategy(cells["strategy"]), "seed": int(cells["seed"])})


def _checkpoint(cells: Mapping[str, str], columns: Iterable[str]) -> Checkpoint:
    uses = {use: tuple(number(cells[name]) for name in columns if name.startswith(f"{use}_")) for use in _USES}
    return Checkpoint(
        strategy=Strategy(cells["strategy"]),
        goal=number(cells["goal"]),
        step=int(cells["step"]),
        guaranteed_epsilon=number(cells["guaranteed_epsilon"]),
        guaranteed_power=number(cells["guaranteed_power"]),
        accuracy=uses["accuracy"],
        auroc=uses["auroc"],
    )
