"""Real models trained with the noise that each assumption about the attacker asks for."""

from functools import partial

import streamlit as st

from numerics.trade_off import Bound
from pages.frontier.trained import controls, figures, formulas, path, presets, solve_for, tables, words
from pages.frontier.trained.controls import Chosen
from pages.frontier.trained.task import RUNNER, Sweep, Swept, found, seconds
from pages.ui import chart, downloads, readout
from pages.ui.downloads import Downloads
from pages.ui.error_boundary import error_boundary

KEYS = (*controls.KEYS, *path.KEYS, *solve_for.KEYS)


def draw() -> None:
    """Draw the controls, the answer, the figures and what goes with them."""
    with error_boundary("training"):
        chosen = controls.draw(presets.draw)
        answer = st.container(border=True)
        swept = found(chosen.plan)
        with answer:
            if swept is not None:
                _draw_answer(swept, chosen)
            _draw_training(chosen, swept)
        if swept is not None:
            _draw_found(swept, chosen)


def _draw_training(chosen: Chosen, swept: Swept | None) -> None:
    """The button where these models are not shipped, and the progress of what is under way."""
    if swept is None:
        st.markdown("## Train these models, and the answer is here.")
    if swept is None or swept.seconds is not None or RUNNER.running is not None:
        RUNNER.draw_start(Sweep(chosen.plan), seconds(chosen.plan), "Train")
    if swept is not None and not swept.finished:
        st.caption(f"Left before the end: {len(swept.rows):,} models were trained until then.")


def _draw_answer(swept: Swept, chosen: Chosen) -> None:
    readout.answer(words.sentence(swept, chosen), Bound.AUDIT)
    st.caption(words.reading(swept, chosen))
    readout.metrics(words.metrics(swept, chosen))
    if weakness := words.weakness(swept, chosen):
        st.warning(weakness, icon=":material/warning:")


def _draw_apart(swept: Swept, chosen: Chosen) -> None:
    """Attackers whose levels answer another question, each with its reason and an axis of its own."""
    for strategy in words.apart(swept):
        with st.container(border=True):
            st.markdown(f"**Apart: {strategy} ({words.NOTATION[strategy]})**")
            st.caption(words.APART)
            if said := words.apart_sentence(swept, strategy, chosen):
                st.markdown(said)
            figure = figures.cost(swept, chosen, [strategy])
            chart.draw(figure, (said or "").replace("*", ""), key=f"apart_chart_{strategy}")


def _draw_found(swept: Swept, chosen: Chosen) -> None:
    """Figures, table, inverse question, explanation and downloads."""
    first, second = st.columns(2, gap="medium")
    with first:
        st.markdown("**What protection costs**")
        figure = figures.cost(swept, chosen, words.beside(swept))
        chart.draw(figure, words.sentence(swept, chosen).replace("*", ""), key="cost_chart")
        st.caption(f"Lines: means of {swept.plan.seeds} runs; bars and band: from the least to the most of them.")
    with second:
        st.markdown("**What an attack on the trained models reached**")
        reached = figures.reached(swept, chosen)
        chart.draw(reached, "Attack success measured on each model beside what was promised.", key="reached_chart")
        st.caption(figures.REACHED[chosen.reached])
    _draw_apart(swept, chosen)
    path.draw(swept, chosen)
    st.markdown(f"**At this level** ({chosen.level_words})")
    st.dataframe(words.table(swept, chosen), hide_index=True)
    st.caption(words.TABLE_NOTE)
    solve_for.draw(swept, chosen)
    readout.how(formulas.formulas(), formulas.ASSUMPTIONS, formulas.KIND, swept.seconds)
    table = partial(tables.models_table, swept)
    others = {"checkpoints": partial(tables.checkpoints_table, swept)} if swept.path else {}
    python, parameters = formulas.snippet(chosen), formulas.parameters(swept)
    downloads.draw(Downloads("training", figure, python, parameters, table=table, others=others))
