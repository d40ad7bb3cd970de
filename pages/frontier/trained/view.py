"""Real models trained with the noise that each assumption about the attacker asks for."""

from dataclasses import fields
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from numerics.trade_off import Bound
from numerics.training import Strategy, Trained, private_release
from pages.frontier import screen
from pages.frontier.limits import in_full
from pages.frontier.screen import Panel, Places, Recommendation
from pages.frontier.trained import controls, figures, formulas, path, presets, solve_for, words
from pages.frontier.trained.controls import TrainingChoice
from pages.frontier.trained.task import RUNNER, Swept, TrainingSweep, found, seconds
from pages.ui import csv_tables, readout
from pages.ui.error_boundary import error_boundary
from pages.ui.report_fields import assumptions
from pages.ui.share import Shared
from plotting.theme import Figure


def draw(subject: DeltaGenerator) -> None:
    """Draw the controls, the answer, the figures and what goes with them."""
    places = screen.places("How it is trained, and what is counted")
    with error_boundary("training"):
        chosen = controls.draw(subject, places, presets.draw)
        swept = found(chosen.plan)
        if swept is None:
            screen.draw_answer(places.answer, Recommendation("Train these models, and the answer is here."))
        with places.rest if swept is not None and swept.seconds is None else places.answer:
            _draw_training(chosen, swept)
        if swept is not None:
            _draw_found(places, swept, chosen)


def _draw_training(chosen: TrainingChoice, swept: Swept | None) -> None:
    """The button where these models are not shipped, and the progress of what is under way."""
    if swept is None or swept.seconds is not None or RUNNER.running is not None:
        RUNNER.draw_start(TrainingSweep(chosen.plan), seconds(chosen.plan), "Train")
    if swept is not None and not swept.finished:
        st.caption(f"Left before the end: {len(swept.rows):,} models were trained until then.")


def _draw_found(places: Places, swept: Swept, chosen: TrainingChoice) -> None:
    """Answer and figures; then all that is one step away."""
    solve_for.draw_my_limit(places.beside_limit, swept, chosen)
    answer = words.answer(swept, chosen)
    screen.draw_answer(places.answer, answer)
    cost = figures.cost(swept, chosen, words.beside(swept))
    screen.draw_figures(places.figures, _panels(swept, chosen, cost))
    with places.rest:
        st.caption(words.reading(swept, chosen))
        _draw_apart(swept, chosen)
        path.draw(swept, chosen)
        st.markdown(f"**At this level** ({in_full(chosen.goal)})")
        csv_tables.draw(words.table(swept, chosen))
        st.caption(words.TABLE_NOTE)
        solve_for.draw(swept, chosen)
        readout.how_computed(formulas.formulas(), formulas.ASSUMPTIONS, Bound.AUDIT, swept.seconds)
        screen.draw_end(_shared(swept, chosen, cost, answer), answer)


def _panels(swept: Swept, chosen: TrainingChoice, cost: Figure) -> list[Panel]:
    runs = f"Lines: means of {swept.plan.seeds} runs; bars and band: from the least to the most of them."
    measured = figures.reached(swept, chosen)
    alt = "Attack success measured on each model beside what was promised, on one logarithmic axis."
    return [
        Panel("What protection costs", cost, words.sentence(swept, chosen), "frontier.cost_chart", runs),
        Panel("Promised and measured", measured, alt, "frontier.reached_chart", figures.REACHED[chosen.reached]),
    ]


def _draw_apart(swept: Swept, chosen: TrainingChoice) -> None:
    """Attackers whose levels answer another question, each with its reason and an axis of its own."""
    for strategy in words.apart(swept):
        said = words.apart_sentence(swept, strategy, chosen)
        figure = figures.cost(swept, chosen, [strategy])
        title = f"Apart: {strategy} ({words.NOTATION[strategy]})"
        with st.container(border=True):
            screen.draw_panel(Panel(title, figure, said, f"frontier.apart_chart_{strategy}", f"{said} {words.APART}"))


def _shared(swept: Swept, chosen: TrainingChoice, cost: Figure, answer: Recommendation) -> Shared:
    """The sheet is of the level in force against full knowledge; there is none where that was not trained."""
    others = {"checkpoints": partial(checkpoints_table, swept)} if swept.path else {}
    python, parameters = formulas.snippet(chosen), formulas.parameters(swept)
    shared = Shared("training", python, parameters, table=partial(models_table, swept), others=others)
    cell, recipe = swept.at(Strategy.FULL, chosen.goal.goal), swept.plan.recipe
    if cell is None:
        return shared
    release = f"{recipe.label}. {words.noise_words(cell)}".rstrip(".")
    rests_on = (*assumptions(private_release(recipe.release, 1.0)), formulas.ASSUMPTIONS[2])
    caption = f"Across: the attack success permitted. Up: {chosen.utility}."
    return screen.with_sheet(shared, answer, release, rests_on, cost, caption)


def models_table(swept: Swept) -> str:
    """CSV of every model."""
    return csv_tables.table(_models(swept), formulas.parameters(swept))


def checkpoints_table(swept: Swept) -> str:
    """CSV of every checkpoint: all runs of a strategy and level after so many steps."""
    about = {"promises": "guaranteed_...: certified for so many steps with the same noise, sampling and neighbours"}
    return csv_tables.table(_checkpoints(swept), formulas.parameters(swept) | about)


def _checkpoints(swept: Swept) -> dict[str, list[str]]:
    """Every checkpoint, a row each; a column for each run's accuracy and AUROC."""
    names = ("strategy", "goal", "step", "guaranteed_epsilon", "guaranteed_power")
    found = {name: [str(getattr(point, name)) for point in swept.path] for name in names}
    for use in ("accuracy", "auroc"):
        for run in range(swept.plan.seeds):
            found[f"{use}_{run}"] = [str(getattr(point, use)[run]) for point in swept.path]
    return found


def _models(swept: Swept) -> dict[str, list[str]]:
    names = [field.name for field in fields(Trained)]
    return {name: [str(getattr(row, name)) for row in swept.rows] for name in names}
