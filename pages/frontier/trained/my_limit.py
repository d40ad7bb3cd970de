"""The visitor's limit among trained models: the least protected ones whose noise keeps it."""

from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from numerics.deadline import DeadlineError
from numerics.trade_off import Order
from numerics.training import Strategy, private_release
from pages.frontier import rail_limit
from pages.frontier.rail_limit import RailLimit
from pages.frontier.trained import levels
from pages.frontier.trained.controls import Chosen
from pages.frontier.trained.task import Swept
from pages.ui import cached
from pages.ui.numbers_in_words import is_within

_NONE = "No noise that was trained with keeps your limit:"


def draw(place: DeltaGenerator, swept: Swept, chosen: Chosen) -> None:
    """Draw the button that looks for the level; its certified curves are asked for when it is pressed."""
    with place.container(width="content"):
        rail_limit.draw(lambda _: False, partial(_use, swept, chosen))


def loosest(swept: Swept, limit: RailLimit) -> float | None:
    """The loosest level whose noise keeps the limit against full knowledge; None where no level does."""
    gradients = swept.plan.recipe.release
    for cell in sorted(swept.levels(Strategy.FULL), key=lambda one: -one.goal):
        noise = cell.rows[0].noise_multiplier
        if not noise:
            continue
        reached = cached.power(private_release(gradients, noise), limit.alpha, Order.ADD)
        if is_within(reached.upper, limit.found):
            return float(cell.goal)
    return None


def _use(swept: Swept, chosen: Chosen, limit: RailLimit) -> None:
    """Set the slider. For the button's ``on_click``."""
    try:
        level = loosest(swept, limit)
    except DeadlineError:
        st.toast("Whether one of these levels keeps your limit takes longer to compute.", icon=":material/block:")
        return
    if level is None:
        st.toast(f"{_NONE} {limit.words}. Training with more would.", icon=":material/block:")
        return
    st.session_state[levels.key(chosen.goal)] = level
    st.toast(f"The slider is at the last level that keeps {limit.words}.", icon=":material/check:")
