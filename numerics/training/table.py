"""Rows of trained models as CSV and back, and the sweeps that are shipped in data/ (data/make_sweeps.py)."""

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import fields
from functools import cache
from math import isnan
from typing import Any

from numerics.training.calibrated import Strategy
from numerics.training.data_sets import DATA
from numerics.training.plans import Plan
from numerics.training.sweep import Trained

_TEXTS = {"strategy", "seed", "sampling", "bound"}
_DIGITS = 7
# Strategy, goal and run first, then what was done, then what came of it.
COLUMNS = tuple(field.name for field in sorted(fields(Trained), key=lambda field: not field.kw_only))


def write(rows: Iterable[Trained], header: Mapping[str, str]) -> str:
    """CSV with ``header`` on top, a line ``# name: text`` each; numbers have seven digits, NaN is an empty cell."""
    out = io.StringIO()
    out.writelines(f"# {name}: {text}\n" for name, text in header.items())
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows([_cell(getattr(row, name)) for name in COLUMNS] for row in rows)
    return out.getvalue()


def read(text: str) -> tuple[Trained, ...]:
    """The rows that ``write`` wrote.

    Raises ValueError for other columns, and for cells that are no numbers where there must be some.
    """
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    reader = csv.DictReader(lines)
    if tuple(reader.fieldnames or ()) != COLUMNS:
        raise ValueError(f"columns must be {', '.join(COLUMNS)}, got {', '.join(reader.fieldnames or ())}.")
    return tuple(_row(cells) for cells in reader)


def plan_header(plan: Plan) -> dict[str, str]:
    """What a reader of a sweep's file must know."""
    goals = plan.goals
    return {
        "recipe": plan.recipe.label,
        "steps and sampling rate": f"{plan.recipe.steps}, {plan.recipe.sampling_rate:.6g}",
        "weights": str(plan.recipe.dimension),
        "goals": f"{goals[0].label} ... {goals[-1].label}" if len(goals) > 1 else goals[0].label,
        "alpha of attacks": f"{plan.alpha:g}",
        "delta of epsilons": f"{plan.delta:g}",
        "runs": str(plan.seeds),
    }


@cache
def shipped(name: str) -> tuple[Trained, ...]:
    """Rows of data/sweep_``name``.csv: "digits", "breast_cancer", "mnist" (default plans) or "gmip" (paper 004 Fig. 3).

    Raises FileNotFoundError for another name.
    """
    return read((DATA / f"sweep_{name}.csv").read_text(encoding="utf-8"))


def _cell(value: object) -> str:
    if isinstance(value, float):
        return "" if isnan(value) else f"{value:.{_DIGITS}g}"
    return str(value)


def _row(cells: Mapping[str, str]) -> Trained:
    values: dict[str, Any] = {name: text if name in _TEXTS else _number(text) for name, text in cells.items()}
    return Trained(**values | {"strategy": Strategy(cells["strategy"]), "seed": int(cells["seed"])})


def _number(text: str) -> float:
    return float(text) if text else float("nan")
