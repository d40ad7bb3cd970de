"""The inverse question: this error is acceptable, what can the attacks then reach?"""

from math import exp

import streamlit as st

from numerics.frontier import EpsilonMeasure, Measure, NoAnswerError, Notion, PowerMeasure
from pages.frontier.statistic import cached
from pages.frontier.statistic.answers import number
from pages.frontier.statistic.controls import StatisticSetting
from pages.ui import csv_tables, downloads
from pages.ui.number_box import number_box
from pages.ui.numbers_in_words import as_entered, at_most, counted, rounded_up

_SHOWN_EPSILON = 20.0  # e^20 is beyond any odds anybody has


def draw(setting: StatisticSetting) -> None:
    """Draw the accepted error and what every attacker of the chosen neighbours reaches at it."""
    sampling = setting.released.sampling_error
    label, start = f"Error I accept — {setting.released.unit}", f"the sampling error, {number(sampling)}"
    entered = number_box(label, "frontier.stat_error", (1e-12, 1e12), None, unset=start, width=300)
    error = sampling if entered is None else entered
    rows = [row for notion in Notion if (row := _row(setting, notion, error))]
    st.markdown(f"**If the noise may cost {number(error)} {setting.released.unit}:**")
    columns = {name: [row[i] for row in rows] for i, name in enumerate(("attacker", "reaches at most", "in words"))}
    st.table(columns, hide_index=True)
    header = {"released": setting.released.label, "error": repr(error), "measure": setting.measure.label}
    downloads.button("Data (CSV)", "error-accepted.csv", lambda: csv_tables.table(columns, header))


def _row(setting: StatisticSetting, notion: Notion, error: float) -> tuple[str, str, str] | None:
    try:
        if cached.at(setting.asked, notion, setting.goal).adjacency is not setting.asked.adjacency:
            return None  # about other neighbours
        reached = cached.success(setting.asked, notion, error)
    except NoAnswerError:
        return None
    name = f"{notion} (estimate)" if notion is Notion.OTHERS else notion.value
    return name, rounded_up(reached), in_words(setting.measure, reached, notion)


def in_words(measure: Measure, reached: float, notion: Notion) -> str:
    """What a success means for people; only full knowledge has an epsilon of its own."""
    if isinstance(measure, EpsilonMeasure):
        own = notion in (Notion.FULL, Notion.FULL_LAPLACE)
        return _odds(measure, reached) if own else "the advantage is that of Gaussian noise with this ε"
    most = at_most(min(reached, 1.0))
    if isinstance(measure, PowerMeasure):
        return f"{most} members found while {counted(measure.alpha, most.of)} outsiders are accused"
    return f"of {most.of:,} members {most.count:,} more found than accused of {most.of:,} outsiders"


def _odds(measure: EpsilonMeasure, epsilon: float) -> str:
    if epsilon == 0.0:
        return f"the advantage is at most δ = {as_entered(measure.delta)}"
    if epsilon > _SHOWN_EPSILON:
        return "hardly any limit: the odds about one person may move by any factor"
    return f"the odds about one person move by a factor of at most {rounded_up(exp(epsilon))}"
