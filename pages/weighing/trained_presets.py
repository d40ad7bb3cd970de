"""Figures of the papers on what protection costs in training."""

from collections.abc import Mapping
from dataclasses import dataclass

from numerics.training import Plan, default_recipe, mu_plan
from pages.shared import address, figure_presets
from pages.weighing.plan import MODELS, Measure, Utility, controls_of


@dataclass(frozen=True)
class Preset:
    """A figure, and the controls that draw it."""

    name: str
    words: str
    plan: Plan
    measure: Measure

    @property
    def values(self) -> Mapping[str, object]:
        """The controls, by key."""
        recipe = self.plan.recipe
        shown = {"train_data": recipe.data, "train_model": next(iter(MODELS)), "train_measure": self.measure}
        return {**shown, "train_utility": Utility.ACCURACY, "train_seeds": self.plan.seeds, **controls_of(recipe)}


PRESETS = (
    Preset(
        "004 Fig. 3",
        "Twenty levels μ from 0.4 to 50, noise for full knowledge and for unknown other records by the formulas of "
        "Table 5, recomputed for the size of the bundled data; the paper's data sets are not shipped.",
        mu_plan(),
        Measure.MU,
    ),
    Preset(
        "000 Fig. 4, set-up",
        "Noise for the same attack success under full knowledge and for an unknown record, on bundled data; the "
        "published points are in the view on sweeps.",
        Plan(default_recipe("digits")),
        Measure.FOUND,
    ),
)


def draw() -> None:
    """Draw the presets, folded away."""
    figure_presets.draw_buttons(PRESETS, use)


def use(preset: Preset) -> None:
    """Set the controls. For a button's ``on_click``: the widgets of the run must not be drawn yet."""
    for key, value in preset.values.items():
        address.put(key, value, f"{value}")
