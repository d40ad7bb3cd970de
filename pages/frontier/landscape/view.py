"""Your own sweep: strategies by privacy and utility, which of them are on the frontier, and where its elbow is."""

from functools import partial
from time import perf_counter

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from losses import TableError
from losses.errors import counted
from pages.frontier.landscape import solve_for, source, tables, words
from pages.frontier.landscape.pareto import Frontier, Weighed, weighed
from pages.frontier.landscape.source import Source
from pages.ui import chart, downloads, readout, uploads
from pages.ui.downloads import Downloads
from pages.ui.segmented_control import segmented_control
from plotting.landscape import landscape_figure
from plotting.strategies import MANY

_SCALES = ("linear", "log")
KEYS = (*source.KEYS, "land_frontier", "land_scale", *solve_for.KEYS)


def draw(subject: DeltaGenerator) -> None:
    """Draw the view."""
    given = source.draw()
    place = st.container(border=True)
    if given is None:
        place.markdown("## Upload a sweep, and the answer will stand here.")
        return
    started = perf_counter()
    try:
        with place, st.spinner("Weighing the strategies …", show_time=True):
            found = weighed(given)
    except TableError as problem:
        with place:
            uploads.complain(problem)
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        frontier = segmented_control("Frontier", list(Frontier), default=Frontier.HULL, key="land_frontier")
        is_log = segmented_control("Privacy axis", list(_SCALES), default=_SCALES[0], key="land_scale") == _SCALES[1]
    with place:
        _answer(given, found, frontier)
    _draw_rest(given, found, frontier, is_log, started)


def _answer(given: Source, found: Weighed, frontier: Frontier) -> None:
    first, *rest = words.sentences(found, frontier)
    readout.answer(first)
    for sentence in rest:
        st.markdown(sentence)
    readout.metrics(words.metrics(found, frontier))
    st.caption(" ".join(filter(None, (given.about, _remarks(found)))))


def _remarks(found: Weighed) -> str:
    """What about the rows, or their bars, may be other than meant."""
    left_out, repeated = found.sweep.dropped, found.sweep.repeated
    said = {
        f"{counted(left_out, 'unusable row')} left out.": left_out > 0,
        f"The same run occurs twice in {repeated:,} of the strategies: is a hyperparameter missing?": repeated > 0,
        "Only strategies that are not dominated have bars: there are too many.": len(found.sweep) > MANY,
    }
    return " ".join(sentence for sentence, holds in said.items() if holds)


def _draw_rest(given: Source, found: Weighed, frontier: Frontier, is_log: bool, started: float) -> None:
    if is_log and not found.can_be_log:
        st.info("Privacy is 0 or negative somewhere, so its axis stays linear.", icon=":material/info:")
        is_log = False
    figure = landscape_figure(found.drawn(is_log))
    seconds = perf_counter() - started
    chart.draw(figure, words.alt(found))
    solve_for.draw(found)
    parameters = tables.parameters(given, found, frontier)
    tables.draw_table(found, frontier, parameters)
    words.explain(seconds)
    table = partial(tables.averages, found, parameters)
    downloads.draw(Downloads("privacy-utility", figure, words.snippet(given), parameters, table=table))
