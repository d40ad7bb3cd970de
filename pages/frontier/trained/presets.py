"""Figures of the papers on what protection costs in training."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from numerics.training import Plan, default_recipe, mu_plan
from pages.frontier.limits import LimitOn
from pages.frontier.trained.controls import MODELS, Utility, controls_of
from pages.ui import address, preset_buttons
from pages.ui.address import Query


@dataclass(frozen=True)
class TrainingPreset:
    """A figure, and the controls that draw it."""

    name: str
    words: str
    make: Callable[[], Plan]
    measure: LimitOn

    @property
    def plan(self) -> Plan:
        """What is trained; reads the data."""
        return self.make()

    @property
    def state(self) -> Mapping[str, object]:
        """The controls, by key."""
        return _state(self.plan, self.measure)

    @property
    def query(self) -> Query:
        """The address that draws it."""
        return address.query(self.state, self.starts)

    @property
    def starts(self) -> Mapping[str, object]:
        """Where the controls start, by key."""
        return _state(Plan(default_recipe(self.plan.recipe.data)), LimitOn.FOUND, "digits")


def _state(plan: Plan, measure: LimitOn, data: str | None = None) -> dict[str, object]:
    recipe = plan.recipe
    shown = {
        "frontier.train_data": data or recipe.data,
        "frontier.train_model": next(iter(MODELS)),
        "frontier.train_measure": measure,
    }
    return {
        **shown,
        "frontier.train_utility": Utility.ACCURACY,
        "frontier.train_seeds": plan.seeds,
        **controls_of(recipe),
    }


PRESETS = (
    TrainingPreset(
        "004 Fig. 3",
        "Twenty levels μ, noise for full knowledge and for unknown other records, on data that come with the tool. The "
        "noise is that of Table 5's formulas, for the size of these data.",
        mu_plan,
        LimitOn.MU,
    ),
    TrainingPreset(
        "000 Fig. 4, set-up",
        "Noise for the same attack success under full knowledge and for an unknown record, on bundled data; the "
        "published points are in the view on sweeps.",
        lambda: Plan(default_recipe("digits")),
        LimitOn.FOUND,
    ),
)


def draw() -> None:
    """Draw the presets, folded away."""
    preset_buttons.draw(PRESETS, use)


def use(preset: TrainingPreset) -> None:
    """Set the controls. For a button's ``on_click``: the widgets of the run must not be drawn yet."""
    address.put_all(preset.state, preset.starts)
