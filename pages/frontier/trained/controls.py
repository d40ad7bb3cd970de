"""What is trained, for which attackers, and how it is looked at: the controls of the view on trained models."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

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
from numerics.training.plans import ALPHA
from pages.frontier.limits import LimitOn
from pages.frontier.screen import Places
from pages.frontier.trained import levels
from pages.ui.number_box import Limits, number_box, whole_box
from pages.ui.numbers_in_words import one_in
from pages.ui.segmented_control import segmented_control

_LIMITS_ON = (LimitOn.FOUND, LimitOn.ADVANTAGE, LimitOn.MU)
MODELS: dict[str, Model] = {"softmax": Softmax(), "one hidden layer": OneHiddenLayer()}


class Utility(StrEnum):
    """What a model is good for."""

    ACCURACY = "accuracy"
    AUROC = "AUROC"


class Reached(StrEnum):
    """What an attack on the trained model is measured by."""

    FOUND = "members found"
    EPSILON = "ε*"


class RecipeNumber(NamedTuple):
    """A number of the recipe: its field, label and limits, and what it means."""

    field: str
    label: str
    limits: Limits
    help: str


NUMBERS = (
    RecipeNumber("clip", "Clipping norm C", (1e-3, 1e3), "Longest gradient of one record; longer ones are cut."),
    RecipeNumber("batch", "Batch (expected)", (2, 100_000), "Records in a step, on average; exactly, for fixed size."),
    RecipeNumber("epochs", "Epochs", (1, 200), "Passes over the training data."),
    RecipeNumber("learning_rate", "Learning rate", (1e-4, 1e3), "Step length on the mean gradient."),
)


def title(name: str) -> str:
    """A data set as it is written, also in the address."""
    return {"mnist": "MNIST"}.get(name, name)


def _key(name: str, field: str) -> str:
    """Recipes have numbers of their own: one's learning rate says nothing of another's."""
    return f"frontier.train_{name.replace(' ', '_').replace(',', '')}_{field}"


def controls_of(recipe: Recipe) -> dict[str, float | int]:
    """What the numbers of the recipe's controls are, by key."""
    return {_key(recipe.data, number.field): getattr(recipe, number.field) for number in NUMBERS}


@dataclass(frozen=True)
class TrainingChoice:
    """What is trained, and how it is looked at: ``goal`` is one of the plan's."""

    plan: Plan
    goal: Goal
    utility: Utility
    reached: Reached


def draw(subject: DeltaGenerator, places: Places, draw_presets: Callable[[], None]) -> TrainingChoice:
    """Draw the controls where the view has places for them, the presets among those that are needed less."""
    with subject:
        name = segmented_control(
            "Trained on",
            list(DATA_SETS),
            default=next(iter(DATA_SETS)),
            key="frontier.train_data",
            format_func=title,
            label_visibility="collapsed",
        )
    with places.drawer:
        with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
            model = segmented_control("Model", list(MODELS), default=next(iter(MODELS)), key="frontier.train_model")
            measure = segmented_control("Limit on", _LIMITS_ON, default=LimitOn.FOUND, key="frontier.train_measure")
            utility = segmented_control(
                "Good for", list(Utility), default=Utility.ACCURACY, key="frontier.train_utility"
            )
            reached = segmented_control(
                "Attack measured by", list(Reached), default=Reached.FOUND, key="frontier.train_reached"
            )
            draw_presets()
        with st.spinner("Reading the data …", show_time=True):  # the first time also the library it comes with
            usual = default_recipe(name)
        plan = _plan(replace(usual, model=MODELS[model]), measure)
    with places.limit:
        goal = levels.draw(plan.goals, measure.slider)
    return TrainingChoice(plan, goal, utility, reached)


def _plan(usual: Recipe, measure: LimitOn) -> Plan:
    """Draw the numbers of the recipe, and put the plan together.

    Raises ValueError where the numbers do not fit the data, such as a batch larger than it.
    """
    with st.container(horizontal=True, vertical_alignment="bottom"):
        numbers: dict[str, Any] = {
            number.field: _number(number, getattr(usual, number.field), usual.data) for number in NUMBERS
        }
        seeds = whole_box("Runs", "frontier.train_seeds", (1, 20), 5, _RUNS, width=110)
        alpha = ALPHA
        if measure is LimitOn.FOUND:
            alpha = float(
                st.select_slider(
                    "False accusations",
                    levels.ALPHAS,
                    ALPHA,
                    one_in,
                    key="frontier.train_alpha",
                    bind="query-params",
                    width=200,
                    help=_ACCUSED,
                )
            )
    st.caption(f"{usual.model.label.capitalize()}: {usual.dimension:,} weights, {usual.records:,} records to train on.")
    recipe = replace(usual, **numbers)
    return (
        mu_plan(recipe, seeds)
        if measure is LimitOn.MU
        else Plan(recipe, levels.goals(measure, alpha), NOTIONS, seeds, alpha)
    )


_RUNS = "Models trained for each level and attacker; they differ in batches, noise and starting weights."
_ACCUSED = "Outsiders that the attacker accepts to accuse. Other values than 1 in 100 have to be trained first."


def _number(number: RecipeNumber, usual: float, name: str) -> float:
    key = _key(name, number.field)
    if isinstance(usual, int):
        return whole_box(number.label, key, number.limits, usual, number.help, width=150)
    return number_box(number.label, key, number.limits, usual, number.help, width=150)
