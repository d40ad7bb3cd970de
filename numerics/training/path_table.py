"""Checkpoints as CSV and back, and the paths that are shipped in data/ beside the sweeps (data/make_paths.py)."""

from collections.abc import Iterable, Mapping
from decimal import ROUND_CEILING, Context, Decimal
from functools import cache
from math import isfinite

from numerics.shipped import DATA, DIGITS, cell, content, document, number
from numerics.training.calibrated import Strategy
from numerics.training.path import Checkpoint

_PROMISES = ("guaranteed_epsilon", "guaranteed_power")
_USES = ("accuracy", "auroc")
COLUMNS = ("strategy", "goal", "step", *_PROMISES)
"""What every file has; each run's accuracy and AUROC follow, ``accuracy_0`` and so on."""
ABOUT = {
    "guaranteed_epsilon, guaranteed_power": "certified for so many steps with the same noise, sampling and "
    "neighbours, computed anew for each number of steps, rounded up",
    "accuracy_..., auroc_...": "each run's on held-out records after so many steps; the last step has the final models",
}
"""What a reader of a path's file must know besides the plan."""
_UP = Context(prec=DIGITS, rounding=ROUND_CEILING)


def write(path: Iterable[Checkpoint], header: Mapping[str, str]) -> str:
    """CSV of at least one checkpoint with ``header`` on top; numbers have seven digits, and guarantees are rounded up.

    Raises ValueError where checkpoints have different numbers of runs.
    """
    points = tuple(path)
    columns = _columns(len(points[0].accuracy))
    return document(columns, [_cells(point, len(columns)) for point in points], header)


def read(text: str) -> tuple[Checkpoint, ...]:
    """The checkpoints that ``write`` wrote.

    Raises ValueError for other columns, and for cells that are no numbers where there must be some.
    """
    reader = content(text)
    names = tuple(reader.fieldnames or ())
    expected = _columns((len(names) - len(COLUMNS)) // len(_USES))
    if names != expected:
        raise ValueError(f"columns must be {', '.join(expected)}, got {', '.join(names)}.")
    return tuple(_checkpoint(cells, expected) for cells in reader)


@cache
def shipped(name: str) -> tuple[Checkpoint, ...]:
    """Checkpoints of data/path_``name``.csv: how the models of the sweep of this name were trained.

    Raises FileNotFoundError for another name.
    """
    return read((DATA / f"path_{name}.csv").read_text(encoding="utf-8"))


def _columns(runs: int) -> tuple[str, ...]:
    return (*COLUMNS, *(f"{use}_{run}" for use in _USES for run in range(runs)))


def _cells(point: Checkpoint, wanted: int) -> list[object]:
    promises = (_rounded_up(point.guaranteed_epsilon), _rounded_up(point.guaranteed_power))
    cells = [point.strategy, point.goal, point.step, *promises, *point.accuracy, *point.auroc]
    if len(cells) != wanted:
        raise ValueError(f"checkpoints must have equal numbers of runs, got {len(point.accuracy)}.")
    return cells


def _rounded_up(value: float) -> str:
    """To seven digits, never below the value; what was read back stays as it is."""
    return cell(float(_UP.create_decimal(Decimal(repr(value)))) if isfinite(value) else value)


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
