"""A released statistic: what its protection costs under each assumption about the attacker, in closed form."""

from functools import partial
from time import perf_counter

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from numerics.frontier import Frontier, Notion
from numerics.mechanisms import Gaussian
from pages.frontier import screen
from pages.frontier.screen import Places
from pages.frontier.statistic import answers, controls, figures, formulas, other_releases, presets, solve_for
from pages.frontier.statistic.controls import StatisticSetting
from pages.ui import readout
from pages.ui.error_boundary import error_boundary
from pages.ui.report_fields import assumptions
from pages.ui.share import Shared


def draw(subject: DeltaGenerator) -> None:
    """Draw the view."""
    places = screen.places("Neighbours, sizes, false alarms, other noise, axis")
    chosen = controls.draw(subject, places, presets.draw)
    if chosen.goal <= chosen.measure.guessing:
        places.answer.warning(
            f"The limit must be above {chosen.measure.guessing:g}, which guessing finds: allow more, or lower the "
            "false alarms.",
            icon=":material/block:",
        )
        return
    with error_boundary("answer for this statistic"):
        _draw_answered(places, chosen)


def _draw_answered(places: Places, setting: StatisticSetting) -> None:
    started = perf_counter()
    found, refused = answers.at_limit(setting)
    drawn = answers.drawn(setting, found)
    answer = answers.answer(setting, found)
    screen.draw_answer(places.answer, answer)
    lines = figures.lines(setting, drawn)
    by_success = figures.by_success(setting, drawn, lines)
    screen.draw_figures(places.figures, [by_success, figures.by_people(setting, drawn)])
    seconds = perf_counter() - started
    parameters = formulas.parameters(setting)
    table = partial(figures.lines_table, lines, parameters)
    kinds = [line.bound for line in lines]
    with places.rest:
        _draw_more(setting, found, refused)
        readout.how_computed(formulas.formulas(setting), formulas.assumptions(setting), kinds, seconds)
        shared = Shared("noise-frontier", formulas.snippet(setting), parameters, table=table)
        # The sheet is of the noise that full knowledge asks for: it keeps the limit against everybody.
        release = f"{setting.released.label}, {answers.noise(found[Notion.FULL])}"
        rests_on = (*assumptions(Gaussian(1.0, adjacency=setting.asked.adjacency)), formulas.assumptions(setting)[0])
        caption = "Across: the attack success permitted. Up: the error from the noise."
        screen.draw_end(screen.with_sheet(shared, answer, release, rests_on, by_success.figure, caption), answer)


def _draw_more(setting: StatisticSetting, found: dict[Notion, Frontier], refused: dict[Notion, str]) -> None:
    for notion, why in refused.items():
        st.caption(f"**{notion.capitalize()}:** {why}")
    if words := answers.apart(setting, found):
        st.caption(words)
    with st.expander("Every way to set the noise, side by side"):
        st.table(answers.table(setting, found), hide_index=True)
        st.caption(
            "Noise is on the sum: a standard deviation, or the scale b. People needed: from so many on, the noise "
            f"costs no more than sampling does; practically free: no more than {100.0 * answers.FREE:g} % of that. "
            "Rows of other neighbours answer other questions."
        )
    with st.expander("The same limit for whole counts, answers that people blur themselves, and a choice"):
        other_releases.draw(setting)
    with st.expander("Solve for: this error is acceptable, what can the attacks then reach?"):
        solve_for.draw(setting)
