"""The inverse question: a model this good is wanted, how strict can the protection be?"""

import streamlit as st

from numerics.training import Strategy
from pages.frontier.limits import in_full
from pages.frontier.trained.controls import Chosen
from pages.frontier.trained.task import Swept
from pages.frontier.trained.words import spread
from pages.ui.number_box import number_box

KEYS = ("train_wanted",)


def draw(swept: Swept, chosen: Chosen) -> None:
    """Draw the utility that is wanted, and the strictest trained level of every attacker that keeps it."""
    with st.expander("Solve for: a model this good is wanted, how strict can the protection be?"):
        label = f"Smallest {chosen.utility} wanted, on average over the runs"
        wanted = number_box(label, "train_wanted", (0.0, 1.0), 0.9, step=0.01, width=420)
        st.markdown(
            "\n".join(f"- **{strategy}**: {said(swept, chosen, strategy, wanted)}" for strategy in swept.plan.notions)
        )


def said(swept: Swept, chosen: Chosen, strategy: Strategy, wanted: float) -> str:
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
    return f"{in_full(words[kept.goal])}, {with_noise}: {spread(kept, chosen.utility).mean:.1%} on average."
