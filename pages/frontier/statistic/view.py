"""A released statistic: what its protection costs under each assumption about the attacker, in closed form."""

from functools import partial
from time import perf_counter

import streamlit as st

from pages.frontier.statistic import answers, controls, figures, formulas, presets, solve_for
from pages.frontier.statistic.answers import Answer
from pages.frontier.statistic.controls import StatisticSetting
from pages.ui import downloads, readout
from pages.ui.downloads import Downloads
from pages.ui.error_boundary import error_boundary

KEYS = (*controls.KEYS, *solve_for.KEYS)


def draw() -> None:
    """Draw the view."""
    chosen = controls.draw()
    if chosen.goal <= chosen.measure.guessing:
        st.warning(
            f"The limit must be above {chosen.measure.guessing:g}, which guessing finds: allow more, or lower the "
            "false alarms.",
            icon=":material/block:",
        )
        return
    with error_boundary("answer for this statistic"):
        _draw_answered(chosen)


def _draw_answered(setting: StatisticSetting) -> None:
    started = perf_counter()
    found = answers.answers(setting)
    drawn = answers.drawn(setting, found)
    with st.container(border=True):
        _draw_answer(setting, found)
    lines = figures.lines(setting, drawn)
    first, second = st.columns(2, gap="medium")
    with first:
        st.markdown("**Error against what the attack may reach**")
        figure = figures.draw_by_success(setting, drawn, lines)
        st.caption("Where a line is missing, no noise is needed, or that notion compares other pairs of data sets.")
        presets.draw()
    with second:
        st.markdown("**How many people make protection cheap?**")
        figures.draw_by_people(setting, drawn)
        st.caption("Diamonds: from so many people on, the noise costs no more than sampling does.")
    seconds = perf_counter() - started
    _draw_more(setting, found)
    readout.how(formulas.formulas(setting), formulas.assumptions(setting), [line.bound for line in lines], seconds)
    parameters = formulas.parameters(setting)
    table = partial(figures.lines_table, lines, parameters)
    downloads.draw(Downloads("noise-frontier", figure, formulas.snippet(setting), parameters, table=table))


def _draw_answer(setting: StatisticSetting, found: list[Answer]) -> None:
    readout.answer(answers.sentence(setting, found))
    readout.metrics(answers.metrics(setting, found))
    if weakness := answers.weakness(setting):
        st.warning(weakness, icon=":material/warning:")
    for answer in found:
        if answer.found is None:
            st.caption(f"**{answer.notion.capitalize()}:** {answer.reason}")
    if apart := answers.apart(setting, found):
        st.caption(apart)


def _draw_more(setting: StatisticSetting, found: list[Answer]) -> None:
    with st.expander("Every way to set the noise, side by side"):
        st.table(answers.table(setting, found), hide_index=True)
        st.caption(
            "Noise is on the sum: a standard deviation, or the scale b. People needed: from so many on, the noise "
            "costs no more than sampling does. Rows of other neighbours answer other questions."
        )
    with st.expander("Solve for: this error is acceptable, what can the attacks then reach?"):
        solve_for.draw(setting)
