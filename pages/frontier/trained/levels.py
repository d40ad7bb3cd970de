"""The levels of attack success that models are trained for, and the slider that chooses one: the visitor's limit."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import streamlit as st

from numerics.calibration import AdvantageTarget, PowerTarget
from numerics.gaussian_membership.calibration import MembershipTarget as Goal
from numerics.gaussian_membership.calibration import MuTarget
from numerics.training.plans import ALPHA, GOALS
from pages.frontier.limits import LimitOn, unit

_USUAL = 2  # the third: strict enough to cost something
ALPHAS = (0.1, 0.01, 0.001)
_ADVANTAGES = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5)
_LARGEST_FOUND = 0.4


def key(goal: Goal) -> str:
    """Of the slider: every kind of level, and every rate of false accusations, has one of its own."""
    if isinstance(goal, PowerTarget):
        return f"frontier.train_limit_{goal.alpha:g}"
    return "frontier.train_limit_advantage" if isinstance(goal, AdvantageTarget) else "frontier.train_mu"


def goals(measure: LimitOn, alpha: float) -> tuple[Goal, ...]:
    """The levels that are trained, ascending."""
    if measure is LimitOn.ADVANTAGE:
        return tuple(AdvantageTarget(value) for value in _ADVANTAGES)
    if alpha == ALPHA:
        return GOALS
    powers = np.geomspace(1.2 * alpha, max(_LARGEST_FOUND, 6.0 * alpha), len(GOALS))
    return tuple(PowerTarget(float(f"{power:.2g}"), alpha) for power in powers)


def draw(goals: Sequence[Goal], label: str) -> Goal:
    """Draw the slider, and return the level in force."""
    by_value, usual = {goal.goal: goal for goal in goals}, goals[_USUAL]
    value = st.select_slider(
        label, list(by_value), usual.goal, partial(name, usual), key=key(usual), bind="query-params"
    )
    return by_value.get(float(value), usual)


def name(goal: Goal, value: float) -> str:
    """A ``value`` that levels like ``goal`` have, as the slider shows it: people of ten thousand, but for a level μ."""
    return f"{value:.2f}" if isinstance(goal, MuTarget) else f"{unit(goal) * value:g}"
