"""The text of tables in this folder: CSV below a header of ``# name: text`` lines, as ``numerics.shipped`` reads it."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from math import isnan

from numerics.training import Plan, Trained
from numerics.training.tables import COLUMNS

DIGITS = 7
"""Of a number in a file."""


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


def sweep(rows: Iterable[Trained], header: Mapping[str, str]) -> str:
    """CSV of trained models."""
    return document(COLUMNS, ([getattr(row, name) for name in COLUMNS] for row in rows), header)


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
