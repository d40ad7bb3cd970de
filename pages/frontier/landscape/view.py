"""Your own sweep: strategies by privacy and utility, the best within a limit, and each one's details at a click."""

from dataclasses import replace
from functools import partial
from time import perf_counter

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from losses import TableError
from losses.errors import counted
from numerics.trade_off import Bound
from pages.frontier import screen
from pages.frontier.landscape import controls, details, source, tables, words
from pages.frontier.landscape.pareto import Weighed, weighed
from pages.frontier.landscape.source import SweepSource
from pages.frontier.screen import Places, Recommendation
from pages.ui import chart, readout, uploads
from pages.ui.share import Shared
from plotting.landscape import landscape_figure
from plotting.strategies import MANY

KEYS = (*source.KEYS, *controls.KEYS)


def draw(subject: DeltaGenerator) -> None:
    """Draw the view."""
    places = screen.places("Frontier, axes, densities, limit")
    row = places.limit.container(horizontal=True, vertical_alignment="bottom", gap="small")
    limits, colours = row.container(width="content"), row.container(width="content")
    given = source.draw(subject, places.given, colours)
    if given is None:
        screen.draw_answer(places.answer, Recommendation("Upload a sweep, and the answer will stand here."))
        return
    started = perf_counter()
    try:
        with places.answer, st.spinner("Weighing the strategies …", show_time=True):
            found = weighed(given)
    except TableError as problem:
        with places.answer:
            uploads.complain(problem)
        return
    _draw_weighed(replace(places, limit=limits), given, found, started)


def _draw_weighed(places: Places, given: SweepSource, found: Weighed, started: float) -> None:
    frontier, looks = controls.draw_look(places.drawer, found)
    limited = controls.draw_limit(places, found)
    answer = words.answer(found, limited, frontier)
    screen.draw_answer(places.answer, answer)
    figure = landscape_figure(found.drawn(looks, frontier, limited.mark, limited.chosen))
    seconds = perf_counter() - started
    first, second = places.figures.columns([2.4, 1], gap="medium")
    with first:
        key = details.chart_key(given)
        event = chart.draw(figure, words.alt(found), key, "rerun", has_brush=True)
        st.caption(words.lines(frontier))
    with second:
        details.draw(found, limited, details.selected(event, found))
    with places.rest:
        for sentence in words.sentences(found, frontier):
            st.markdown(sentence)
        st.caption(" ".join(filter(None, (given.about, _remarks(found)))))
        parameters = tables.parameters(given, found, frontier)
        tables.draw_table(found, frontier, parameters)
        table = partial(tables.averages, found, parameters)
        readout.how_computed(words.FORMULAS, words.ASSUMPTIONS, Bound.ESTIMATE, seconds)
        screen.draw_end(Shared("privacy-utility", words.snippet(given), parameters, table=table), answer)


def _remarks(found: Weighed) -> str:
    """What about the rows, or their bars, may be other than meant."""
    left_out, repeated = found.sweep.dropped, found.sweep.repeated
    said = {
        f"{counted(left_out, 'unusable row')} left out.": left_out > 0,
        f"The same run occurs twice in {repeated:,} of the strategies: is a hyperparameter missing?": repeated > 0,
        "Only strategies that are not dominated have bars: there are too many.": len(found.sweep) > MANY,
    }
    return " ".join(sentence for sentence, holds in said.items() if holds)
