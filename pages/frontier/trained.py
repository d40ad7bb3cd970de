"""Real models trained with the noise that each assumption about the attacker asks for."""

from collections.abc import Callable
from dataclasses import fields, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from numerics.calibration import AdvantageTarget, PowerTarget
from numerics.deadline import DeadlineError
from numerics.gaussian_membership.calibration import MembershipTarget
from numerics.trade_off import Bound
from numerics.training import (
    DATA_SETS,
    NOTIONS,
    Model,
    OneHiddenLayer,
    Plan,
    Recipe,
    Softmax,
    Strategy,
    Trained,
    default_recipe,
    mu_plan,
    private_release,
)
from numerics.training.plans import ALPHA, GOALS
from pages.frontier import along_training, limits, screen
from pages.frontier import trained_answer as answers
from pages.frontier import trained_formulas as formulas
from pages.frontier.limits import LimitOn, RailLimit
from pages.frontier.screen import Answer, Panel, Places, Recommendation
from pages.frontier.trained_answer import RUNNER, Reached, Swept, TrainingChoice, TrainingSweep, Utility
from pages.ui import downloads, sheet_fields
from pages.ui.controls import Limits, number_box, segmented_control, whole_box
from pages.ui.numbers_in_words import one_in
from pages.ui.skipped import error_boundary

_LIMITS_ON = (LimitOn.FOUND, LimitOn.ADVANTAGE, LimitOn.MU)
MODELS: dict[str, Model] = {"softmax": Softmax(), "one hidden layer": OneHiddenLayer()}
_ALPHAS = (0.1, 0.01, 0.001)
_ADVANTAGES = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5)
_LARGEST_FOUND = 0.4
_USUAL = 2  # the third level: strict enough to cost something
_RUNS = "Models trained for each level and attacker; they differ in batches, noise and starting weights."
_ACCUSED = "Outsiders that the attacker accepts to accuse. Other values than 1 in 100 have to be trained first."


class RecipeNumber(NamedTuple):
    """A number of the recipe: its field, label and limits, and what it means."""

    field: str
    label: str
    limits: Limits
    help: str

    def draw(self, data: str, usual: float) -> float:
        """Draw its box. Recipes have numbers of their own: one's learning rate says nothing of another's."""
        key = f"frontier.train_{data.replace(' ', '_').replace(',', '')}_{self.field}"
        box: Callable[..., float] = whole_box if isinstance(usual, int) else number_box
        return box(self.label, key, self.limits, usual, self.help, width=150)


NUMBERS = (
    RecipeNumber("clip", "Clipping norm C", (1e-3, 1e3), "Longest gradient of one record; longer ones are cut."),
    RecipeNumber("batch", "Batch (expected)", (2, 100_000), "Records in a step, on average; exactly, for fixed size."),
    RecipeNumber("epochs", "Epochs", (1, 200), "Passes over the training data."),
    RecipeNumber("learning_rate", "Learning rate", (1e-4, 1e3), "Step length on the mean gradient."),
)


def draw(subject: DeltaGenerator) -> None:
    """Draw the controls, the answer, the figures and what goes with them."""
    places = screen.places("How it is trained, and what is counted")
    with error_boundary("training"):
        chosen = draw_controls(subject, places)
        swept = answers.found(chosen.plan)
        if swept is None:
            screen.draw_said(places.answer, Recommendation("Train these models, and the answer is here."))
        with places.rest if swept is not None and swept.seconds is None else places.answer:
            # The button where these models are not shipped, and the progress of what is under way.
            if swept is None or swept.seconds is not None or RUNNER.running is not None:
                RUNNER.draw_start(TrainingSweep(chosen.plan), answers.seconds(chosen.plan), "Train")
            if swept is not None and not swept.finished:
                st.caption(f"Left before the end: {len(swept.rows):,} models were trained until then.")
        if swept is not None:
            _draw_found(places, swept, chosen)


def _draw_found(places: Places, swept: Swept, chosen: TrainingChoice) -> None:
    """Answer and figures; then all that is one step away."""
    with places.beside_limit.container(width="content"):
        # Certified curves are asked for when it is pressed.
        limits.draw_my_limit(lambda _: False, partial(_use_limit, swept, chosen))
    said = answers.said(swept, chosen)
    screen.draw_said(places.answer, said)
    cost = answers.cost(swept, chosen, answers.beside(swept))
    runs = f"Lines: means of {swept.plan.seeds} runs; bars and band: from the least to the most of them."
    alt = "Attack success measured on each model beside what was promised, on one logarithmic axis."
    note = answers.REACHED[chosen.reached]
    panels = [
        Panel("What protection costs", cost, said.sentence, "frontier.cost_chart", runs),
        Panel("Promised and measured", answers.reached(swept, chosen), alt, "frontier.reached_chart", note),
    ]
    screen.draw_panels(places.figures, panels)
    answer = Answer(
        said,
        "training",
        cost,
        formulas.snippet(chosen),
        formulas.parameters(swept),
        partial(models_table, swept),
        formulas.FORMULAS,
        formulas.ASSUMPTIONS,
        Bound.AUDIT,
        swept.seconds,
        {"checkpoints": partial(checkpoints_table, swept)} if swept.path else {},
        _on_sheet(swept, chosen),
    )
    screen.draw_rest(places.rest, answer, lambda: _draw_more(swept, chosen))


def _draw_more(swept: Swept, chosen: TrainingChoice) -> None:
    st.caption(answers.reading(swept, chosen))
    for strategy in answers.apart(swept):  # whose levels answer another question, on an axis of their own
        words = answers.apart_sentence(swept, strategy, chosen)
        title = f"Apart: {strategy} ({answers.NOTATION[strategy]})"
        figure, key = answers.cost(swept, chosen, [strategy]), f"frontier.apart_chart_{strategy}"
        screen.draw_panels(st.container(border=True), [Panel(title, figure, words, key, f"{words} {answers.APART}")])
    along_training.draw(swept, chosen)
    st.markdown(f"**At this level** ({limits.words(chosen.goal).full})")
    downloads.draw_table(answers.table(swept, chosen))
    st.caption(answers.TABLE_NOTE)
    with st.expander("Solve for: a model this good is wanted, how strict can the protection be?"):
        label = f"Smallest {chosen.utility} wanted, on average over the runs"
        wanted = number_box(label, "frontier.train_wanted", (0.0, 1.0), 0.9, step=0.01, width=420)
        kept = {strategy: answers.strictest(swept, chosen, strategy, wanted) for strategy in swept.plan.notions}
        st.markdown("\n".join(f"- **{strategy}**: {words}" for strategy, words in kept.items()))


def _on_sheet(swept: Swept, chosen: TrainingChoice) -> tuple[str, tuple[str, ...], str] | None:
    """Of the level in force against full knowledge; None where it was not trained."""
    cell, recipe = swept.at(Strategy.FULL, chosen.goal.goal), swept.plan.recipe
    if cell is None:
        return None
    release = f"{recipe.label}. {answers.noise_words(cell)}".rstrip(".")
    rests_on = (*sheet_fields.assumptions(private_release(recipe.release, 1.0)), formulas.ASSUMPTIONS[2])
    return release, rests_on, f"Across: the attack success permitted. Up: {chosen.utility}."


def models_table(swept: Swept) -> str:
    """CSV of every model."""
    names = [field.name for field in fields(Trained)]
    columns = {name: [str(getattr(row, name)) for row in swept.rows] for name in names}
    return downloads.table(columns, formulas.parameters(swept))


def checkpoints_table(swept: Swept) -> str:
    """CSV of every checkpoint: all runs of a strategy and level after so many steps, a column for each run."""
    about = {"promises": "guaranteed_...: certified for so many steps with the same noise, sampling and neighbours"}
    names = ("strategy", "goal", "step", "guaranteed_epsilon", "guaranteed_power")
    columns = {name: [str(getattr(point, name)) for point in swept.path] for name in names}
    for use in ("accuracy", "auroc"):
        for run in range(swept.plan.seeds):
            columns[f"{use}_{run}"] = [str(getattr(point, use)[run]) for point in swept.path]
    return downloads.table(columns, formulas.parameters(swept) | about)


def draw_controls(subject: DeltaGenerator, places: Places) -> TrainingChoice:
    """Draw the controls where the view has places for them."""
    with subject:
        name = segmented_control(
            "Trained on",
            list(DATA_SETS),
            default=next(iter(DATA_SETS)),
            key="frontier.train_data",
            format_func=lambda data: {"mnist": "MNIST"}.get(data, data),
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
        with st.spinner("Reading the data …", show_time=True):  # the first time also the library it comes with
            usual = default_recipe(name)
        plan = _plan(replace(usual, model=MODELS[model]), measure)
    by_value, start = {goal.goal: goal for goal in plan.goals}, plan.goals[_USUAL]
    with places.limit:
        value = st.select_slider(
            measure.slider,
            list(by_value),
            start.goal,
            partial(answers.level_name, start),
            key=level_key(start),
            bind="query-params",
        )
    return TrainingChoice(plan, by_value.get(float(value), start), utility, reached)


def _plan(usual: Recipe, measure: LimitOn) -> Plan:
    """Draw the numbers of the recipe, and put the plan together.

    Raises ValueError where the numbers do not fit the data, such as a batch larger than it.
    """
    with st.container(horizontal=True, vertical_alignment="bottom"):
        numbers: dict[str, Any] = {
            number.field: number.draw(usual.data, getattr(usual, number.field)) for number in NUMBERS
        }
        seeds = whole_box("Runs", "frontier.train_seeds", (1, 20), 5, _RUNS, width=110)
        alpha = ALPHA
        if measure is LimitOn.FOUND:
            alpha = float(
                st.select_slider(
                    "False accusations",
                    _ALPHAS,
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
    if measure is LimitOn.MU:
        return mu_plan(recipe, seeds)
    return Plan(recipe, goals(measure, alpha), NOTIONS, seeds, alpha)


def goals(measure: LimitOn, alpha: float) -> tuple[MembershipTarget, ...]:
    """The levels that are trained, ascending."""
    if measure is LimitOn.ADVANTAGE:
        return tuple(AdvantageTarget(value) for value in _ADVANTAGES)
    if alpha == ALPHA:
        return GOALS
    powers = np.geomspace(1.2 * alpha, max(_LARGEST_FOUND, 6.0 * alpha), len(GOALS))
    return tuple(PowerTarget(float(f"{power:.2g}"), alpha) for power in powers)


def level_key(goal: MembershipTarget) -> str:
    """Of the slider: every kind of level, and every rate of false accusations, has one of its own."""
    if isinstance(goal, PowerTarget):
        return f"frontier.train_limit_{goal.alpha:g}"
    return "frontier.train_limit_advantage" if isinstance(goal, AdvantageTarget) else "frontier.train_mu"


def _use_limit(swept: Swept, chosen: TrainingChoice, limit: RailLimit) -> None:
    """Set the slider to the loosest level that keeps the visitor's limit. For the button's ``on_click``."""
    try:
        level = answers.loosest(swept, limit)
    except DeadlineError:
        st.toast("Whether one of these levels keeps your limit takes longer to compute.", icon=":material/block:")
        return
    if level is None:
        none = "No noise that was trained with keeps your limit:"
        st.toast(f"{none} {limit.words}. Training with more would.", icon=":material/block:")
        return
    st.session_state[level_key(chosen.goal)] = level
    st.toast(f"The slider is at the last level that keeps {limit.words}.", icon=":material/check:")
