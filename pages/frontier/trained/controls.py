"""What is trained, for which attackers, and how it is looked at: the controls of the view on trained models."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np
import streamlit as st

from numerics.calibration import AdvantageTarget, PowerTarget
from numerics.gaussian_membership.calibration import MembershipTarget as Goal
from numerics.training import (
    DATA_SETS,
    NOTIONS,
    Model,
    OneHiddenLayer,
    Plan,
    Recipe,
    Softmax,
    default_recipe,
    mu_plan,
)
from numerics.training.plans import ALPHA, GOALS
from pages.ui.numbers_in_words import at_most, counted, one_in
from pages.ui.segmented_control import segmented_control

_URL: Literal["query-params"] = "query-params"
_USUAL_LEVEL = 2  # the third: strict enough to cost something
_ALPHAS = (0.1, 0.01, 0.001)
_ADVANTAGES = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5)
MODELS: dict[str, Model] = {"softmax": Softmax(), "one hidden layer": OneHiddenLayer()}
_LARGEST_FOUND = 0.4


class Measure(StrEnum):
    """What an attack's success is counted in; the values are the labels, and the values in the URL."""

    FOUND = "members found"
    ADVANTAGE = "advantage"
    MU = "μ"


class Utility(StrEnum):
    """What a model is good for."""

    ACCURACY = "accuracy"
    AUROC = "AUROC"


class Reached(StrEnum):
    """What an attack on the trained model is measured by."""

    FOUND = "members found"
    EPSILON = "ε*"


class Number(NamedTuple):
    """A number of the recipe: its field, label, limits and step."""

    field: str
    label: str
    low: float
    high: float
    format: str
    help: str


NUMBERS = (
    Number("clip", "Clipping norm C", 1e-3, 1e3, "%g", "Longest gradient of one record; longer ones are cut."),
    Number("batch", "Batch (expected)", 2, 100_000, "%d", "Records in a step, on average; exactly, for fixed size."),
    Number("epochs", "Epochs", 1, 200, "%d", "Passes over the training data."),
    Number("learning_rate", "Learning rate", 1e-4, 1e3, "%g", "Step length on the mean gradient."),
)


def _slug(name: str) -> str:
    return name.replace(" ", "_").replace(",", "")


def _key(name: str, field: str) -> str:
    """Recipes have numbers of their own: one's learning rate says nothing of another's."""
    return f"train_{_slug(name)}_{field}"


def controls_of(recipe: Recipe) -> dict[str, float | int]:
    """What the numbers of the recipe's controls are, by key."""
    return {_key(recipe.data, number.field): getattr(recipe, number.field) for number in NUMBERS}


def _level_key(measure: Measure, alpha: float) -> str:
    return {Measure.FOUND: f"train_found_{alpha:g}", Measure.ADVANTAGE: "train_advantage", Measure.MU: "train_mu"}[
        measure
    ]


KEYS = (
    *("train_data", "train_model", "train_measure", "train_alpha", "train_seeds", "train_utility", "train_reached"),
    *(_key(name, number.field) for name in DATA_SETS for number in NUMBERS),
    *{_level_key(measure, alpha): None for measure in Measure for alpha in _ALPHAS},
)


@dataclass(frozen=True)
class Chosen:
    """The plan, and how it is looked at.

    Attributes:
        plan: what is trained.
        measure: what the plan's goals are counted in.
        goal: the level in force, one of the plan's goals.
        utility: what a model is good for.
        reached: what the attack on it is measured by.
    """

    plan: Plan
    measure: Measure
    goal: Goal
    utility: Utility
    reached: Reached

    @property
    def level_words(self) -> str:
        """The level in force, for somebody who has never heard of one."""
        return level_words(self.goal)


def level_words(goal: Goal) -> str:
    """The largest success an attacker may have, in plain words."""
    if isinstance(goal, PowerTarget):
        found = at_most(goal.power)
        return f"at most {found} members found while falsely accusing {counted(goal.alpha, found.of)}"
    if isinstance(goal, AdvantageTarget):
        return f"at most {100.0 * goal.advantage:g} more of 100 members accused than of 100 outsiders"
    return f"the attacker faces two normal laws {goal.mu:.3g} standard deviations apart (μ = {goal.mu:.3g})"


def draw(draw_presets: Callable[[], None]) -> Chosen:
    """Draw the controls, with the presets beside them."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        name = segmented_control("Trained on", list(DATA_SETS), default=next(iter(DATA_SETS)), key="train_data")
        model = segmented_control("Model", list(MODELS), default=next(iter(MODELS)), key="train_model")
        measure = segmented_control(
            "Attack success counted as", list(Measure), default=Measure.FOUND, key="train_measure"
        )
        utility = segmented_control("Model is good for", list(Utility), default=Utility.ACCURACY, key="train_utility")
        reached = segmented_control("Attack on the model", list(Reached), default=Reached.FOUND, key="train_reached")
        draw_presets()
    with st.expander("How it is trained", key="train_recipe", type="compact"):
        with st.spinner("Reading the data …", show_time=True):  # the first time also the library it comes with
            usual = default_recipe(name)
        plan = _plan(replace(usual, model=MODELS[model]), measure)
    chosen = _level(plan, measure)
    return Chosen(plan, measure, chosen, utility, reached)


def _plan(usual: Recipe, measure: Measure) -> Plan:
    """Draw the numbers of the recipe, and put the plan together.

    Raises ValueError where the numbers do not fit the data, such as a batch larger than it.
    """
    with st.container(horizontal=True, vertical_alignment="bottom"):
        numbers: dict[str, Any] = {
            number.field: _number(number, getattr(usual, number.field), usual.data) for number in NUMBERS
        }
        runs = st.number_input("Runs", 1.0, 20.0, 5.0, 1.0, "%.0f", key="train_seeds", bind=_URL, width=110, help=_RUNS)
        seeds = int(runs)
        alpha = ALPHA
        if measure is Measure.FOUND:
            alpha = float(
                st.select_slider(
                    "False accusations", _ALPHAS, ALPHA, one_in, key="train_alpha", bind=_URL, width=200, help=_ACCUSED
                )
            )
    st.caption(_usual_words(usual))
    recipe = replace(usual, **numbers)
    return (
        mu_plan(recipe, seeds) if measure is Measure.MU else Plan(recipe, goals(measure, alpha), NOTIONS, seeds, alpha)
    )


def _usual_words(recipe: Recipe) -> str:
    return f"{recipe.model.label.capitalize()}: {recipe.dimension:,} weights, {recipe.records:,} records to train on."


_RUNS = "Models trained for each level and attacker; they differ in batches, noise and starting weights."
_ACCUSED = "Outsiders that the attacker accepts to accuse. Other values than 1 in 100 have to be trained first."


def _number(number: Number, usual: float, name: str) -> float | int:
    """A box of floats, also for whole numbers: one of whole numbers raises when a URL says that it is infinite."""
    whole = isinstance(usual, int)
    value = st.number_input(
        number.label,
        float(number.low),
        float(number.high),
        float(usual),
        1.0 if whole else None,
        "%.0f" if whole else number.format,
        key=_key(name, number.field),
        bind=_URL,
        width=150,
        help=number.help,
    )
    return int(value) if whole else float(value)


def goals(measure: Measure, alpha: float) -> tuple[Goal, ...]:
    """The levels that are trained, ascending."""
    if measure is Measure.ADVANTAGE:
        return tuple(AdvantageTarget(value) for value in _ADVANTAGES)
    if alpha == ALPHA:
        return GOALS
    powers = np.geomspace(1.2 * alpha, max(_LARGEST_FOUND, 6.0 * alpha), len(GOALS))
    return tuple(PowerTarget(float(f"{power:.2g}"), alpha) for power in powers)


def _level(plan: Plan, measure: Measure) -> Goal:
    words = {goal.goal: goal for goal in plan.goals}
    levels = list(words)
    value = st.select_slider(
        _LEVEL[measure],
        levels,
        levels[_USUAL_LEVEL],
        partial(level_name, measure),
        key=_level_key(measure, plan.alpha),
        bind=_URL,
    )
    return words.get(float(value), plan.goals[_USUAL_LEVEL])


def level_name(measure: Measure, value: float) -> str:
    """A level as the slider shows it."""
    return f"{value:.2f}" if measure is Measure.MU else f"{100 * value:g} %"


_LEVEL = {
    Measure.FOUND: "private ← largest share of members the attacker may find → accurate",
    Measure.ADVANTAGE: "private ← largest advantage, members found minus outsiders accused → accurate",
    Measure.MU: "private ← largest μ, how far apart two normal laws are for the attacker → accurate",
}
