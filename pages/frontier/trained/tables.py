"""The trained models as tables: a row a model, and a row a checkpoint."""

from dataclasses import fields

from numerics.training import Trained
from pages.frontier.trained.formulas import parameters
from pages.frontier.trained.task import Swept
from pages.ui import csv_tables


def models_table(swept: Swept) -> str:
    """CSV of every model."""
    return csv_tables.table(_models(swept), parameters(swept))


def checkpoints_table(swept: Swept) -> str:
    """CSV of every checkpoint: all runs of a strategy and level after so many steps."""
    about = {"promises": "guaranteed_...: certified for so many steps with the same noise, sampling and neighbours"}
    return csv_tables.table(_checkpoints(swept), parameters(swept) | about)


def _checkpoints(swept: Swept) -> dict[str, list[str]]:
    """Every checkpoint, a row each; a column for each run's accuracy and AUROC."""
    names = ("strategy", "goal", "step", "guaranteed_epsilon", "guaranteed_power")
    found = {name: [str(getattr(point, name)) for point in swept.path] for name in names}
    for use in ("accuracy", "auroc"):
        for run in range(swept.plan.seeds):
            found[f"{use}_{run}"] = [str(getattr(point, use)[run]) for point in swept.path]
    return found


def _models(swept: Swept) -> dict[str, list[str]]:
    """Every model, a row each."""
    names = [field.name for field in fields(Trained)]
    return {name: [str(getattr(row, name)) for row in swept.rows] for name in names}
