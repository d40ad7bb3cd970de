"""The inverse questions: the strictest level of a model this good, and the least protected that keeps my limit."""

from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from numerics.deadline import DeadlineError
from numerics.trade_off import Order
from numerics.training import Strategy, private_release
from pages.frontier import limits
from pages.frontier.limits import RailLimit, in_full
from pages.frontier.trained import levels
from pages.frontier.trained.controls import TrainingChoice
from pages.frontier.trained.task import Swept
from pages.frontier.trained.words import percent, spread
from pages.ui import cached
from pages.ui.number_box import number_box
from pages.ui.numbers_in_words import is_within


def draw(swept: Swept, chosen: TrainingChoice) -> None:
    """Draw the utility that is wanted, and the strictest trained level of every attacker that keeps it."""
    with st.expander("Solve for: a model this good is wanted, how strict can the protection be?"):
        label = f"Smallest {chosen.utility} wanted, on average over the runs"
        wanted = number_box(label, "frontier.train_wanted", (0.0, 1.0), 0.9, step=0.01, width=420)
        st.markdown(
            "\n".join(f"- **{strategy}**: {said(swept, chosen, strategy, wanted)}" for strategy in swept.plan.notions)
        )


def said(swept: Swept, chosen: TrainingChoice, strategy: Strategy, wanted: float) -> str:
    """The strictest level from which on every trained one keeps ``wanted``, in words."""
    words = {goal.goal: goal for goal in swept.plan.goals}
    kept = None
    for cell in reversed(swept.levels(strategy)):
        if spread(cell, chosen.utility).mean < wanted:
            break
        kept = cell
    if kept is None:
        return "no level that was trained keeps it."
    noise = kept.rows[0].noise_multiplier
    with_noise = f"with a noise multiplier of {noise:.4g}" if noise else "without any noise"
    return f"{in_full(words[kept.goal])}, {with_noise}: {percent(spread(kept, chosen.utility).mean)} on average."


_NONE = "No noise that was trained with keeps your limit:"


def draw_my_limit(place: DeltaGenerator, swept: Swept, chosen: TrainingChoice) -> None:
    """Draw the button that looks for the level; its certified curves are asked for when it is pressed."""
    with place.container(width="content"):
        limits.draw_my_limit(lambda _: False, partial(_use, swept, chosen))


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


def _use(swept: Swept, chosen: TrainingChoice, limit: RailLimit) -> None:
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
