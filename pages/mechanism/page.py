"""Mechanism explorer: what the best attack on a noisy release achieves, seen from every side."""

from functools import partial
from time import perf_counter

import streamlit as st

from numerics.trade_off import TradeOffCurve
from pages.mechanism import answer, figures, relaxed_overlay
from pages.ui import (
    cached,
    comparison,
    downloads,
    estimates,
    figure_controls,
    figure_presets,
    page_state,
    python_snippet,
    readout,
    release_controls,
    solve_for,
    weak_epsilon,
)
from pages.ui.certificate import form
from pages.ui.downloads import Downloads
from pages.ui.error_boundary import error_boundary
from pages.ui.release_formulas import formulas

KEPT = ("axes", "window", "second", "prior", "estimates", "edgeworth_order", *relaxed_overlay.KEYS)

choice = release_controls.current()
release = choice.mechanism
page_state.restore(KEPT)
answer_box = st.container(border=True)
look = figure_controls.draw(choice.order)

drawn: list[TradeOffCurve] = []
dimension = 0
started = perf_counter()
first, second = st.columns([3, 2], gap="medium")
# The curve goes first and the second figure last: the browser draws the one while the other is still on its way.
with first, error_boundary("trade-off curve"):
    place = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        comparison.draw_button(choice)
        figure_presets.draw(figure_presets.OF_PAPER_000)
        dimension = relaxed_overlay.draw()
        overlays = estimates.overlays(release, estimates.draw())
    with answer_box, st.spinner("Composing the steps …", show_time=True):
        pinned = [
            *relaxed_overlay.curves(choice, dimension),
            *comparison.curves(lambda pin: cached.trade_off(pin, choice.order)),
        ]
        found = [cached.trade_off(release, choice.order), *pinned, *(overlay.curve for overlay in overlays)]
    with place:
        figure = figures.draw_trade_off(choice, look, pinned, overlays)
    drawn = found
    estimates.describe(choice, overlays)
with answer_box, error_boundary("answer for this release"):
    metrics = answer.numbers(choice, look.prior)
    readout.answer(answer.sentences(choice, look.prior), release.bound)
    readout.metrics(metrics)
    if weakness := weak_epsilon.warning(choice):
        st.warning(weakness, icon=":material/warning:")
seconds = perf_counter() - started

comparison.draw_table(choice)
solve_for.draw(choice)
readout.how(formulas(release), release.assumptions, release.bound, seconds)
if drawn:
    data = {look.second.value: partial(figures.second_table, choice, look.second, dimension)}
    parameters = {
        "release in force": python_snippet.constructor(release),
        "order of the test": choice.order.value,
        "operating point": f"alpha = {choice.alpha:g}",
        "delta": f"{choice.delta:g}",
    }
    python = python_snippet.snippet(release, choice.alpha, choice.delta, choice.order, look.prior)
    certificate = form.offer(choice, dimension=dimension)
    downloads.draw(Downloads("trade-off", figure, python, parameters, drawn, others=data, certificate=certificate))
with second, error_boundary("second figure"):
    figures.draw_second(choice, look.second, dimension)
page_state.note(KEPT)
