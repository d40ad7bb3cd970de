"""The trained models' downloads: every model as a row, the figure, the Python that trains them again."""

from dataclasses import fields

from numerics.calibration import PowerTarget
from numerics.training import Trained, data_set
from pages.frontier.trained.controls import Chosen
from pages.frontier.trained.formulas import ASSUMPTIONS
from pages.frontier.trained.task import Swept
from pages.ui import downloads
from plotting import theme


def draw(swept: Swept, chosen: Chosen, figure: theme.Figure) -> None:
    """Offer the models, the figure of what protection costs, the snippet and the address."""
    others = {"checkpoints": lambda: path_table(swept)} if swept.path else None
    downloads.offer("training", lambda: table(swept), snippet(chosen), figure, notes(swept), others=others)


def table(swept: Swept) -> str:
    """CSV of every model."""
    return downloads.table(columns(swept), notes(swept))


def path_table(swept: Swept) -> str:
    """CSV of every checkpoint: all runs of a strategy and level after so many steps."""
    about = {"promises": "guaranteed_...: certified for so many steps with the same noise, sampling and neighbours"}
    return downloads.table(path_columns(swept), notes(swept) | about)


def path_columns(swept: Swept) -> dict[str, list[str]]:
    """Every checkpoint, a row each; a column for each run's accuracy and AUROC."""
    names = ("strategy", "goal", "step", "guaranteed_epsilon", "guaranteed_power")
    found = {name: [str(getattr(point, name)) for point in swept.path] for name in names}
    for use in ("accuracy", "auroc"):
        for run in range(swept.plan.seeds):
            found[f"{use}_{run}"] = [str(getattr(point, use)[run]) for point in swept.path]
    return found


def notes(swept: Swept) -> dict[str, str]:
    """What stands above the models' table."""
    return {
        "recipe": swept.plan.recipe.label,
        "data": data_set(swept.plan.recipe.data).source,
        "false positive rate": f"{swept.plan.alpha:g}",
        "delta": f"{swept.plan.delta:g}",
        "assumptions": " ".join(ASSUMPTIONS),
    }


def columns(swept: Swept) -> dict[str, list[str]]:
    """Every model, a row each."""
    names = [field.name for field in fields(Trained)]
    return {name: [str(getattr(row, name)) for row in swept.rows] for name in names}


def snippet(chosen: Chosen) -> str:
    """Python that trains the same models and prints the page's numbers."""
    plan = chosen.plan
    target = type(plan.goals[0]).__name__
    values = ", ".join(f"{goal.goal!r}" for goal in plan.goals)
    rate = f", {plan.alpha!r}" if target == PowerTarget.__name__ else ""
    home = "numerics.gaussian_membership.calibration" if target == "MuTarget" else "numerics.calibration"
    notions = ", ".join(f"Strategy.{notion.name}" for notion in plan.notions)
    return f"""from {home} import {target}
from numerics.training import *

recipe = {plan.recipe!r}
goals = tuple({target}(value{rate}) for value in ({values},))
plan = Plan(recipe, goals, ({notions},), seeds={plan.seeds}, alpha={plan.alpha!r}, delta={plan.delta!r})
for cell in summary(row for step in run(plan) for row in step.trained):
    print(cell.strategy, cell.goal, cell.{chosen.utility.name.lower()}.mean, cell.rows[0].noise_multiplier)
"""
