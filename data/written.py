"""The text of tables in this folder: CSV below a header of ``# name: text`` lines, as ``numerics.shipped`` reads it."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from decimal import ROUND_CEILING, Context, Decimal
from math import isfinite, isnan

from numerics.training import Checkpoint, Plan, Trained
from numerics.training.tables import COLUMNS, path_columns

DIGITS = 7
"""Of a number in a file."""
OF_A_PATH = {
    "guaranteed_epsilon, guaranteed_power": "certified for so many steps with the same noise, sampling and "
    "neighbours, computed anew for each number of steps, rounded up",
    "accuracy_..., auroc_...": "each run's on held-out records after so many steps; the last step has the final models",
}
"""What a reader of a path's file must know besides the plan."""
_UP = Context(prec=DIGITS, rounding=ROUND_CEILING)


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


def path(points: Sequence[Checkpoint], header: Mapping[str, str]) -> str:
    """CSV of at least one checkpoint; guarantees are rounded up.

    Raises ValueError where checkpoints have different numbers of runs.
    """
    runs = {len(point.accuracy) for point in points}
    if len(runs) > 1:
        raise ValueError(f"checkpoints must have equal numbers of runs, got {sorted(runs)}.")
    cells = []
    for point in points:
        promised = _up(point.guaranteed_epsilon), _up(point.guaranteed_power)
        cells.append((point.strategy, point.goal, point.step, *promised, *point.accuracy, *point.auroc))
    return document(path_columns(*runs), cells, header)


def _up(value: float) -> str:
    """To seven digits, never below the value; what was read back stays as it is."""
    return cell(float(_UP.create_decimal(Decimal(repr(value)))) if isfinite(value) else value)


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
