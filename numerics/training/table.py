"""Rows of trained models as CSV and back, and the sweeps that are shipped in data/ (data/make_sweeps.py)."""

from collections.abc import Iterable, Mapping
from dataclasses import fields
from functools import cache
from typing import Any

from numerics.shipped import DATA, content, document, number
from numerics.training.calibrated import Strategy
from numerics.training.plans import Plan
from numerics.training.sweep import Trained

_TEXTS = {"strategy", "seed", "sampling", "bound"}
# Strategy, goal and run first, then what was done, then what came of it.
COLUMNS = tuple(field.name for field in sorted(fields(Trained), key=lambda field: not field.kw_only))


def write(rows: Iterable[Trained], header: Mapping[str, str]) -> str:
    """CSV with ``header`` on top, a line ``# name: text`` each; numbers have seven digits, NaN is an empty cell."""
    return document(COLUMNS, ([getattr(row, name) for name in COLUMNS] for row in rows), header)


def read(text: str) -> tuple[Trained, ...]:
    """The rows that ``write`` wrote.

    Raises ValueError for other columns, and for cells that are no numbers where there must be some.
    """
    reader = content(text)
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


def _row(cells: Mapping[str, str]) -> Trained:
    values: dict[str, Any] = {name: text if name in _TEXTS else number(text) for name, text in cells.items()}
    return Trained(**values | {"strategy": Strategy(cells["strategy"]), "seed": int(cells["seed"])})
