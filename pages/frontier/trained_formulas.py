"""How the models are trained, where their noise comes from, and what all of it presupposes."""

from numerics.calibration import PowerTarget
from numerics.training import data_set
from pages.frontier.trained_answer import Swept, TrainingChoice
from pages.ui.result_header import Formula

FORMULAS = (
    Formula(
        r"w \leftarrow w - \frac{r}{n}\Big(\sum_{i \in B} g_i \min\{1, C / \lVert g_i \rVert\} + s\,C\,z\Big), "
        r"\quad z \sim \mathcal{N}(0, I_d)",
        "A step of DP-SGD: every record's gradient is cut to length C, and noise of s · C is added to their sum.",
        "papers 000, 001 and 004; paper 004 Algorithm 2",
        "correction 49: gradients are cut by min, not max.",
    ),
    Formula(
        r"s_{\mathrm{DP}} = \min\{s : 1 - f_s(\alpha) \le \text{level}\}",
        "Full knowledge: the least noise whose certified trade-off curve keeps the level; batches are Poisson "
        "draws, neighbours differ by one record more or less.",
        "paper 000, Section 7.3",
    ),
    Formula(
        r"s_{\mathrm{RTM}} = \min\{s : 1 - D_s(\alpha) \le \text{level}\} \le s_{\mathrm{DP}}",
        "Record unknown: the same with the best test that does not know which side the record pulls to; an "
        "estimate of the reading that is a guarantee (minimax).",
        "paper 000, Theorem 2 and Section 7.3",
        "correction 15: the paper's several steps are the power of one statistic; this is the best test.",
    ),
    Formula(
        r"\mu_{\text{step}} = \frac{d + (2 n_{\text{eff}} - 1) K}{n_{\text{eff}} \sqrt{2 d + 4 n_{\text{eff}} K}}, "
        r"\quad n_{\text{eff}} = n + s^2,\ K = d",
        "Other records unknown: their gradients hide the record as noise would; for a record of typical "
        "gradient (K = d), in the limit of many steps of fixed-size batches, neighbours that differ in one record.",
        "paper 004, Theorem 5.1 and Eq. 10",
        "corrections 45, 46 and 52: K is centred and typical, not worst case; the limit is no bound.",
    ),
)
ASSUMPTIONS = (
    "Part of what is lost at loose levels is lost to clipping, not to noise: without protection nothing is clipped.",
    "The split into records trained on and held out is fixed; runs differ in batches, noise and starting weights.",
    "The learning rate and all other numbers of the recipe were chosen without regard to privacy: choosing them on the "
    "same records gives away a little that is not counted.",
    "Lower bounds are about the one model and a random record of each group; they are valid with 95 % confidence.",
    "With Poisson batches the promise is about a record more or less, while the attack compares members and outsiders "
    "of one model. The promise's outsiders are those of a model with one record fewer, which is hardly another one.",
    "Each attacker's noise is used with the sampling and the neighbours its guarantee is for: they are not the same.",
)


def parameters(swept: Swept) -> dict[str, str]:
    """What stands on top of the data."""
    return {
        "recipe": swept.plan.recipe.label,
        "data": data_set(swept.plan.recipe.data).source,
        "false positive rate": f"{swept.plan.alpha:g}",
        "delta": f"{swept.plan.delta:g}",
        "assumptions": " ".join(ASSUMPTIONS),
    }


def snippet(chosen: TrainingChoice) -> str:
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
