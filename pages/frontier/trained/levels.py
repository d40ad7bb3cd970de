"""The levels of attack success that models are trained for, and the slider that chooses one: the visitor's limit."""

from enum import StrEnum
from functools import partial

import numpy as np
import streamlit as st

from numerics.calibration import AdvantageTarget, PowerTarget
from numerics.gaussian_membership.calibration import MembershipTarget as Goal
from numerics.training import Plan
from numerics.training.plans import ALPHA, GOALS
from pages.ui.numbers_in_words import CROWD, at_most, counted

_USUAL = 2  # the third: strict enough to cost something
ALPHAS = (0.1, 0.01, 0.001)
_ADVANTAGES = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5)
_LARGEST_FOUND = 0.4


class Measure(StrEnum):
    """What an attack's success is counted in; the values are the labels, and the values in the URL."""

    FOUND = "members found"
    ADVANTAGE = "advantage"
    MU = "μ"


def key(measure: Measure, alpha: float) -> str:
    """Of the slider: every kind of level, and every rate of false accusations, has one of its own."""
    names = {Measure.FOUND: f"train_limit_{alpha:g}", Measure.ADVANTAGE: "train_limit_advantage"}
    return names.get(measure, "train_mu")


def limit_words(goal: Goal) -> str:
    """The largest success an attacker may have, in few words."""
    if isinstance(goal, PowerTarget):
        return f"at most {at_most(goal.power)} found"
    if isinstance(goal, AdvantageTarget):
        return f"at most {at_most(goal.advantage)} more found than accused"
    return f"μ at most {goal.mu:.3g}"


def in_full(goal: Goal) -> str:
    """The same, with what else has to be known to understand it."""
    if isinstance(goal, PowerTarget):
        return f"{limit_words(goal)} while falsely accusing {counted(goal.alpha, at_most(goal.power).of)}"
    if isinstance(goal, AdvantageTarget):
        return f"{limit_words(goal)}, of as many outsiders"
    return f"the attacker faces two normal laws {goal.mu:.3g} standard deviations apart ({limit_words(goal)})"


def goals(measure: Measure, alpha: float) -> tuple[Goal, ...]:
    """The levels that are trained, ascending."""
    if measure is Measure.ADVANTAGE:
        return tuple(AdvantageTarget(value) for value in _ADVANTAGES)
    if alpha == ALPHA:
        return GOALS
    powers = np.geomspace(1.2 * alpha, max(_LARGEST_FOUND, 6.0 * alpha), len(GOALS))
    return tuple(PowerTarget(float(f"{power:.2g}"), alpha) for power in powers)


def draw(plan: Plan, measure: Measure) -> Goal:
    """Draw the slider, and return the level in force."""
    words = {goal.goal: goal for goal in plan.goals}
    values, place = list(words), key(measure, plan.alpha)
    shown = partial(name, measure)
    value = st.select_slider(_LABEL[measure], values, values[_USUAL], shown, key=place, bind="query-params")
    return words.get(float(value), plan.goals[_USUAL])


def name(measure: Measure, value: float) -> str:
    """A level as the slider shows it: people of ten thousand, but for a level μ."""
    return f"{value:.2f}" if measure is Measure.MU else f"{CROWD * value:g}"


_LABEL = {
    Measure.FOUND: f"private ← my limit: found, of {CROWD:,} → accurate",
    Measure.ADVANTAGE: f"private ← my limit: more found than accused, of {CROWD:,} → accurate",
    Measure.MU: "private ← my limit: μ → accurate",
}
